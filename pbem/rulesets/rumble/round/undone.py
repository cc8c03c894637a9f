"""Finds uses that the rules take and that would not be done, by playing them; carries nothing out."""

from collections.abc import Iterator, Mapping, Sequence

from pbem.ruleset import Dice, Fact, Given, Only, Seat
from pbem.rulesets.rumble.model.order import Command, If, Order, Orders, Use
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.orders import commands, conditions
from pbem.rulesets.rumble.orders.no_effect_checks import Fault
from pbem.rulesets.rumble.powers.engine.active_abilities import is_for_reveal
from pbem.rulesets.rumble.round import adjudication
from pbem.rulesets.rumble.round.as_it_lies import lying_open
from pbem.rulesets.rumble.round.question import Asking
from pbem.rulesets.rumble.round.reveal import NOBODY

_DICE = Dice(b"what would not be done")


def of_set(state: State, seat: Seat, orders: Sequence[Order]) -> list[Fault]:
    """
    Return the first line of which a use would not be done, whatever others send, with why.

    Shape: what waits for a condition is tried as if that held, since it is not known yet whether it will.
    Rule: C1, C3, C4.
    """
    for tried, uses in _ways(state, orders):
        undone = _undone(state, seat, commands.by_hero(state, {seat: tried}))
        for line, use in uses:
            if because := undone.get(state.card(use.power).name):
                return [(line, because, "C1")]
    return []


def of_answer(state: Asking, seat: Seat, orders: Sequence[Order]) -> Sequence[Fault]:
    """
    Return the first line of an answer that would not be done as all orders lie open, with why.

    Shape: what others keep secret is left out, or an answer could be tried out to learn it (C2, A27).
    Rule: C3, C4.
    """
    uses: list[tuple[Order, Use]] = [(order, order) for order in orders if isinstance(order, Use)]
    if not uses:
        return []
    undone = _undone(state.begun, seat, lying_open(state, seat), {seat: orders}, state.pinned, is_open=True)
    return [(line, undone[name], "C3") for line, use in uses if (name := state.card(use.power).name) in undone][:1]


def _ways(state: State, orders: Sequence[Order]) -> Iterator[tuple[Sequence[Order], list[tuple[Order, Use]]]]:
    """Yield the set as it stands, and once for each use that waits for a condition; each with the uses to look at."""
    plain = [(order, use) for order in orders for use in _uses(order)]
    if any(is_for_reveal(state.card(use.power)) for _, use in plain):
        yield orders, plain
    for place, order in enumerate(orders):
        for use in _waiting(order):
            met = Command(order.seat, (use,)) if isinstance(order, Command) else use
            yield [*orders[:place], met, *orders[place + 1 :]], [(order, use)]


def _uses(order: Order) -> list[Use]:
    parts = order.orders if isinstance(order, Command) else [order]
    return [one for one in parts if isinstance(one, Use)]


def _waiting(order: Order) -> list[Use]:
    """Return the uses in a line that wait for what is known at the reveal."""
    parts = order.orders if isinstance(order, Command) else [order]
    held = [one for one in parts if isinstance(one, If) and not conditions.known_at_start(one.tests)]
    return [one for line in held for one in (*line.then, *line.otherwise) if isinstance(one, Use)]


def _undone(
    state: State,
    seat: Seat,
    sent: Orders,
    answers: Orders | None = None,
    pinned: Mapping[str, Fact] | None = None,
    *,
    is_open: bool = False,
) -> dict[str, str]:
    """Return why powers of a seat would not be used, by their names; what others use is known where all `is_open`."""
    outcome = adjudication.play(state, sent, answers or {}, Given(pinned or {}), _DICE, is_told=False)
    told = [event.facts for event in outcome.events if event.kind == "not_done" and event.to == Only((seat,))]
    return {facts["power"]: facts["because"] for facts in told if is_open or facts["because"] != NOBODY}
