"""A seat goes to another person: what of it stays, and what was the last one's own; knows no mail."""

import msgspec

from pbem.ground.terms import Person, Seat
from pbem.table.model import hands
from pbem.table.model.table import Accepted, Seated, Table
from pbem.table.rulings import replace as replacing


def accept(table: Table, seat: Seat, one: Accepted) -> Table:
    """Note who takes a seat; nothing of it changes before the next phase opens."""
    fields = {"accepted": {**table.accepted, seat: one}}
    sealed = msgspec.structs.replace(table.sealed, **fields) if table.sealed else None
    return msgspec.structs.replace(table, **fields, sealed=sealed)


def still_accepted(table: Table) -> Table:
    """Forget, as a phase opens, who took an offer that holds no more."""
    offers = replacing.offers(table) if table.accepted else {}
    held = {seat: one for seat, one in table.accepted.items() if seat in offers and offers[seat].number == one.ruling}
    return msgspec.structs.replace(table, accepted=held)


def hand_on(table: Table, seat: Seat, person: Person, *, is_struck: bool) -> Table:
    """
    Give a seat to another person.

    What the game has of it stays. The set on hand, what it replaced, and what was said for it alone in this phase
    (`wait`, `ready`, words kept for `send it`) were the last one's, and go. Orders for phases to come are the last
    one's secrets, and go where it `is_struck`. In games of older releases they stay; where sets stand by the charter,
    those that stood as the phase opened.
    """
    seated = table.seats[seat]
    table = replacing.without_offer(table, seat)
    if table.status == "open":  # what has closed counts
        table = hands.without_hand(table if is_struck else _without_kept(table, seat), seat)
    if is_struck:
        table = table.with_sets(seat, later=None)
    fields = {
        "seats": {**table.seats, seat: Seated(seat, seated.name, person)},
        "past": {**table.past, seat: (*table.past.get(seat, ()), seated.person)},
        "accepted": {other: one for other, one in table.accepted.items() if other != seat},
        "handed": tuple(dict.fromkeys((*table.handed, seat))),
    }
    sealed = msgspec.structs.replace(table.sealed, **fields) if table.sealed else None
    return msgspec.structs.replace(
        table,
        **fields,
        sealed=sealed,
        sets=table.sets.of(seat, replaced=None, offers=None, late=None),
        unsent={other: said for other, said in table.unsent.items() if other != seat},
        heard={other: when for other, when in table.heard.items() if other != seat},
        leaks={role: times for role, times in table.leaks.items() if role[0] != seat},
        waits=table.waits - {seat},
        ready=table.ready - {seat},
    )


def _without_kept(table: Table, seat: Seat) -> Table:
    """Let no set stand that was sent in this phase, and stands by the charter alone: it is the set on hand."""
    if table.sealed or table.base is None or table.phase is None or table.phase.kind not in table.charter.standing:
        return table
    kind = table.phase.kind
    earlier = tuple(kept for kept in table.base.sets.later.get(seat, ()) if kept.kind == kind)
    others = tuple(kept for kept in table.sets.later.get(seat, ()) if kept.kind != kind)
    return table.with_sets(seat, later=(*others, *earlier) or None)
