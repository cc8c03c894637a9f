"""Standing orders that last: what a Program was told about Discs, Attacks and Recall, until it is told otherwise."""

from collections.abc import Mapping, Sequence

from pbem.ruleset import Seat
from pbem.rulesets.discs.language.reading import LISTS
from pbem.rulesets.discs.language.writing import write_order
from pbem.rulesets.discs.model.order import OnAttack, OnDisc, OnMyDisc, Order, Recall, Standing
from pbem.rulesets.discs.model.state import State, with_program


def kept(state: State, seat: str) -> tuple[Standing, ...]:
    """Return what a seat's Program keeps to; what names somebody who has left the Grid is forgotten. Rule: M8."""
    found = (LISTS.read(_by_seats(state), seat, line) for line in state.program(seat).kept)
    return tuple(order for order in found if isinstance(order, Standing))


def with_kept(state: State, seat: str, orders: Sequence[Order]) -> tuple[Order, ...]:
    """Return a set with what its Program keeps to besides, where the set says nothing of the same. Rule: M8."""
    said = {topic(order) for order in orders}
    return (*(order for order in kept(state, seat) if topic(order) not in said), *orders)


def keep(state: State, orders: Mapping[Seat, Sequence[Order]]) -> State:
    """Return the state in which every Program keeps to what this phase's sets say. Rule: M8."""
    for seat, sent in orders.items():
        last = [order for order in with_kept(state, seat, sent) if topic(order)]
        lines = tuple(write_order(_by_seats(state), order) for order in last if isinstance(order, Standing))
        state = with_program(state, seat, kept=lines)
    return state


def topic(order: Order) -> tuple[str, str] | None:
    """Return what a standing order is about, so that a later one takes its place; None for a line of the list."""
    match order:
        case OnDisc():
            return "on disc", order.seat
        case OnAttack() | OnMyDisc() | Recall():
            return type(order).__name__, ""
        case _:
            return None


def _by_seats(state: State) -> State:
    """Return the state in which Programs are called as their seats, so that no line hangs on a name."""
    for program in state.programs:
        state = with_program(state, program.seat, name=str(program.seat))
    return state
