"""A Reveal phase of its own, as version 4 of the rules opened one: read into today's words, and closed; opens none."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import msgspec

from pbem.ruleset import Dice, Given, Outcome, read_again
from pbem.rulesets.rumble.language.reading import ROUNDS
from pbem.rulesets.rumble.model.order import Orders
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.orders.allocation import allocate
from pbem.rulesets.rumble.round import adjudication, question
from pbem.rulesets.rumble.round.question import Asking


def load(data: Mapping[str, Any]) -> Asking:
    """
    Return the state of such a phase; in it stand the orders that lay open, as canonical lines.

    Errors: CharterError where another release took them.
    """
    kept = {field: value for field, value in data.items() if field not in ("sealed", "asked")}
    state = msgspec.convert({**kept, "phase": "round"}, State)
    orders: dict[str, tuple[Any, ...]] = {
        seat: read_again(lines, partial(ROUNDS.read, state, seat), state.hero(seat).name)
        for seat, lines in data.get("sealed", {}).items()
    }
    paid = {str(hero.seat): allocate(state, hero.seat, orders.get(hero.seat, ())) for hero in state.living}
    return question.asking(state, orders, data.get("asked", ()), paid=paid, pinned={})


def adjudicate(state: State, answers: Orders, given: Given, dice: Dice) -> Outcome[State]:
    """Play the round whose orders lay open; what was ordered in this phase are the answers. Rule: N3, C20."""
    assert isinstance(state, Asking)
    plain = State(**{**{field: getattr(state, field) for field in State.__struct_fields__}, "phase": "round"})
    return adjudication.play(plain, state.orders, answers, given, dice)
