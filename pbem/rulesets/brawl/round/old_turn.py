"""
Rounds that version 3 of the rules stopped in a phase of its own, a turn, so that they go on as they would have.

Today a round asks in its middle, and nothing of that is kept. Once no game is open that version 3 left in a turn, this
file can go, with the two places that call it.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from pbem.ruleset import Given, Seat, read_again
from pbem.rulesets.brawl.language.reading import ROUNDS
from pbem.rulesets.brawl.order import Order
from pbem.rulesets.brawl.state import State


class OldTurn(State, frozen=True, omit_defaults=True, kw_only=True):
    """
    A round that stopped in a turn.

    Shape: `sealed` has the lines of those whose orders are in, and what the asked seat wrote besides; `answered` are
    those who were asked before, `effects` what was ruled since the round began.
    """

    sealed: dict[str, tuple[str, ...]]
    answered: tuple[str, ...] = ()
    effects: tuple[str, ...] = ()


def load(data: Mapping[str, Any]) -> State:
    """Return a state as it was dumped, also by version 3; what was told in a turn is told again with its round."""
    return msgspec.convert(data, OldTurn if data.get("sealed") else State)


def whole(
    state: State, orders: Mapping[Seat, Sequence[Order]], given: Given
) -> tuple[State, Mapping[Seat, Sequence[Order]], Given]:
    """
    Return a round as if it had been asked in its middle from the first: its state, what all sent, and what is given.

    Shape: without the answer of the seat whose turn it is, where there is none in `orders`. An effect that holds each
    round came in each of its turns, and counts once.
    Errors: CharterError where the orders that are in no longer read.
    """
    if not isinstance(state, OldTurn):
        return state, orders, given
    before: dict[Seat, Sequence[Order]] = {
        Seat(seat): read_again(lines, partial(ROUNDS.read, _as_taken(state, seat), seat), state.fighter(seat).name)
        for seat, lines in state.sealed.items()
    }
    answers = [{Seat(seat): before[Seat(seat)]} for seat in state.answered]
    answers += [{seat: plan} for seat, plan in orders.items() if seat == state.turn]
    effects = (*state.effects, *(effect for effect in given.effects if effect not in state.effects))
    kept = {name: getattr(state, name) for name in State.__struct_fields__}
    return (
        State(**{**kept, "phase": "round", "turn": ""}),
        before | {seat: plan for seat, plan in orders.items() if seat != state.turn},
        Given(given.pinned, effects, (*answers, *given.answers)),
    )


def _as_taken(state: State, seat: str) -> State:
    """
    Return a state in which every line of a seat reads that could be read when it was taken.

    Shape: since then somebody may have left, or the moderator may have set who is down, away, or has what to counter;
    what comes of a line then is seen when it is done.
    """
    fighters = tuple(
        msgspec.structs.replace(one, gone=False, down=0, away=one.seat == seat, advantage=1, maneuver=1, item="small")
        for one in state.fighters
    )
    return msgspec.structs.replace(state, fighters=fighters)
