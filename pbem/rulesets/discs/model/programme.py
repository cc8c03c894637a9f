"""One seat's programme for a phase: the list of lines, and the standing orders with their defaults."""

from collections.abc import Sequence

import msgspec

from pbem.rulesets.discs.model.order import (
    Begin,
    Guard,
    Hold,
    Line,
    OnAttack,
    OnDisc,
    OnMyDisc,
    Order,
    Place,
    Recall,
    With,
)

GUARDS: tuple[Guard, ...] = ("block", "dodge")
"""What is tried against a Disc where nothing else is said (M8)."""
DEFAULT: tuple[Order, ...] = (Line(Hold()),)
"""The lines of who sent nothing: to hold, and to pass where no more can be held; who is Prone stands (M9)."""


class Programme(msgspec.Struct, frozen=True, kw_only=True):
    """
    What a seat has told its Program.

    Shape: `on_disc` maps whose Disc it is to what is said of it, "" for any; `begins` are places, and
    `mates` seats to be on a team with, the first wish first.
    Rule: M2, M8.
    """

    lines: tuple[Line, ...] = ()
    on_disc: dict[str, OnDisc] = {}
    dodges_attacks: bool = True
    on_my_disc: OnMyDisc = OnMyDisc(card=True, dive=True)
    recall: Recall = Recall("away")
    begins: tuple[Place, ...] = ()
    mates: tuple[str, ...] = ()

    def guards(self, owner: str) -> tuple[Guard, ...]:
        """
        Return what is tried against somebody's Disc, in order.

        Shape: what is said of that owner's Disc comes before what is said of any, and both before the defaults; `never`
        and `only` end the list.
        Rule: M8, T-j.
        """
        found: list[Guard] = []
        for said in (self.on_disc.get(owner), self.on_disc.get("")):
            if said:
                found += said.guards
                if said.may_take_it:
                    return tuple(dict.fromkeys(found))
        return tuple(dict.fromkeys((*found, *(("dodge",) if found else GUARDS))))


def programme(orders: Sequence[Order]) -> Programme:
    """Gather a seat's orders; of two standing orders about the same the later one holds."""
    found = Programme(
        lines=tuple(order for order in orders if isinstance(order, Line)),
        on_disc={order.seat: order for order in orders if isinstance(order, OnDisc)},
        begins=tuple(order.place for order in orders if isinstance(order, Begin)),
        mates=tuple(order.seat for order in orders if isinstance(order, With)),
    )
    for order in orders:
        match order:
            case OnAttack():
                found = msgspec.structs.replace(found, dodges_attacks=order.dodges)
            case OnMyDisc():
                found = msgspec.structs.replace(found, on_my_disc=order)
            case Recall():
                found = msgspec.structs.replace(found, recall=order)
    return found
