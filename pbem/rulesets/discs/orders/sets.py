"""What is wrong with a set as a whole, or can be seen not to work as things stand; sees no one else's orders."""

from collections.abc import Iterator, Sequence

from pbem.ruleset import Complaint, Placed
from pbem.rulesets.discs.grid.plane import along
from pbem.rulesets.discs.language.writing import write_order
from pbem.rulesets.discs.model.order import Attack, Line, Move, OnAttack, OnDisc, OnMyDisc, Order, Recall, Throw, With
from pbem.rulesets.discs.model.state import State
from pbem.rulesets.discs.sight.deck import cards_to_turn
from pbem.rulesets.discs.sight.sight import first, longest_move, step

_MOVING = ("seat", "nearest", "weakest", "my disc", "disc")
"""Places that may be elsewhere when a card comes up."""


def check(state: State, seat: str, orders: Sequence[Order]) -> tuple[Complaint, ...]:
    """Complain of what is said twice, and of lines that cannot be done at the one card they are for. Rule: M6, M8."""
    found = [*_twice(orders), *_hopeless(state, seat, orders)]
    said = {order.line: write_order(state, order) for order in orders}
    return tuple(Complaint(order.line, said[order.line], "illegal", because, rule) for order, because, rule in found)


def _twice(orders: Sequence[Order]) -> Iterator[tuple[Placed, str, str]]:
    """Complain of two standing orders about the same, and of a wish that is said twice. Rule: M8, T-yy."""
    known: set[tuple[type[Placed], str]] = set()
    mates = [order for order in orders if isinstance(order, With)]
    for place, mate in enumerate(mates):
        if mate.seat in [one.seat for one in mates[:place]]:
            yield mate, "You have named them already. Leave one of the lines out.", "T-yy"
    for order in orders:
        if isinstance(order, OnDisc | OnAttack | OnMyDisc | Recall):
            about = type(order), order.seat if isinstance(order, OnDisc) else ""
            if about in known:
                yield order, "Another line says something else about this. Leave one of them out.", "M8"
            known.add(about)


def _hopeless(state: State, seat: str, orders: Sequence[Order]) -> Iterator[tuple[Placed, str, str]]:
    """
    Complain of lines for the first card that cannot be done from where the Program stands.

    Shape: what counts are lines for card 1, and a list of one line where one card comes at the most; in a longer list
    the next line is tried. Until its first card a Program cannot have moved; where one card is turned in the phase,
    nobody else has either.
    """
    me = state.program(seat)
    alone = cards_to_turn(state) == 1
    lines = [order for order in orders if isinstance(order, Line)]
    firsts = [line for line in lines if line.card == 1 or (len(lines) == 1 and (alone or me.deck == 1))]
    for line in firsts if not me.prone else ():
        act = line.act
        if alone and isinstance(act, Throw | Attack) and not me.is_armed:
            yield line, "Your Disc is out, and it cannot be back in hand before your card.", "D14"
        may_be_elsewhere = isinstance(act, Move) and act.way.how != "bearing" and act.way.place.kind in _MOVING
        if isinstance(act, Move) and (alone or not may_be_elsewhere) and (taken := step(state, seat, act, first)):
            way, most = taken
            if not any(state.grid.has_room(along(me.at, way, length)) for length in range(most, 0, -1)):
                yield line, f"From where you stand, bearing {way} leads off the Grid.", "T-tt"
            elif alone and not longest_move(state, seat, way, most):
                yield line, f"Somebody stands in your way along bearing {way}, so that your Base fits nowhere.", "T-tt"
