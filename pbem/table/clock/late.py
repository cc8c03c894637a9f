"""Sets that come when their phase has closed: which of them the moderator can accept while the proof waits."""

from datetime import datetime, timedelta

import msgspec

from pbem.ground.terms import Person, Seat
from pbem.table.clock import schedule
from pbem.table.model import calendar, hands
from pbem.table.model.sets import LateSet, OnHand
from pbem.table.model.table import Table

replace = msgspec.structs.replace

A_MINUTE = timedelta(minutes=1)
NEWER = "A newer mail of yours was here first. The newer one stands."


def insiders(table: Table) -> frozenset[Person]:
    """Return those who are sent proofs."""
    return frozenset(filter(None, (table.charter.moderator, table.deputy)))


def barred(table: Table, seat: Seat) -> str:
    """Say why no late set of a seat can count, since somebody who has seen what happened may gain by it, or ""."""
    if because := has_seen(table, seat):
        return because
    if table.asked:
        return "Somebody was asked in the middle of the phase, and has seen all orders, so that no late set can count."
    return ""


def has_seen(table: Table, seat: Seat) -> str:
    """Say how whoever plays a seat has been sent what happened, or "". They know it, and others need not."""
    if table.seats[seat].person in insiders(table):
        return "Whoever is sent the proof has seen how it came out, so that no late set of theirs can count."
    if seat in table.asked:
        return "Whoever was asked something in the middle of it has seen how it went, so that no late set can count."
    return ""


def why_not(table: Table, seat: Seat, stamp: tuple[datetime, str, str], noted: datetime) -> str:
    """
    Say why a late set is not kept for the moderator, or "" where it is; as the seat may know it.

    Shape: a set that cannot count since somebody else was asked is kept, or its answer would tell that somebody was.
    """
    if table.phase is None or table.phase.kind not in table.charter.review:
        return "Its report goes out as it is, without a review, so nobody can be asked to accept your orders."
    if because := has_seen(table, seat):
        return because
    newest = [one.stamp for one in (table.sets.hand.get(seat), _held(table, seat)) if one and one.stamp[1]]
    if max(newest, default=stamp) > stamp:
        return NEWER
    return "It is too late to ask whether they count." if schedule.is_going_out(table, noted) else ""


def reopened(table: Table, seat: Seat) -> Table:
    """Return a table on which a seat's late mail is read as it would have been in time, and nothing else is done."""
    held = _held(table, seat)
    table = table.with_sets(seat, hand=held) if held else table
    return replace(table, status="open", outcome=None)


def keep(table: Table, seat: Seat, held: OnHand) -> Table:
    """Keep a late set, in place of one that came before it."""
    how = how_late(table.known_to(seat), held.stamp[0])
    return table.with_sets(seat, late=LateSet(held, how))


def how_late(table: Table, arrived: datetime) -> str:
    """Say how late a mail came, behind the deadline or else behind an early close."""
    assert table.deadline is not None
    ended = schedule.cutoff(table) if table.status == "open" else table.ended
    if arrived > table.deadline:
        return f"{_span(arrived - table.deadline)} late"
    if ended and arrived > ended:
        return f"{_span(arrived - ended)} after the phase had closed"
    return "in time, and could be read only when the phase had closed"


def forget(table: Table, seat: Seat) -> Table:
    """Keep a seat's late set no longer, if it has one."""
    return table.with_sets(seat, late=None)


def accept(table: Table, seat: Seat) -> Table:
    """Let a late set count, as if it had come in time: in place of what was on hand, and the seat was not absent."""
    held = table.sets.late[seat].held
    seats = {**table.seats, seat: replace(table.seats[seat], nmr=0)}
    nmr = tuple(other for other in table.nmr if other != seat)
    table = replace(table.with_sets(seat, hand=held, late=None), seats=seats, nmr=nmr)
    return hands.keep_standing(table, seat) if hands.is_standing(table, seat) else table


def offered(table: Table) -> tuple[Seat, ...]:
    """Return the seats whose late sets can be accepted, in seat order."""
    return tuple(seat for seat in table.seats if seat in table.sets.late and not barred(table, seat))


class LateRow(msgspec.Struct, frozen=True, kw_only=True):
    """Whose set came late, how late in words, and why it cannot be accepted, or ""; never what is in it."""

    name: str
    how: str
    because: str


def rows(table: Table) -> tuple[LateRow, ...]:
    """Return whose sets came late, for the moderator."""
    return tuple(
        LateRow(name=table.label(seat), how=table.sets.late[seat].how, because=barred(table, seat))
        for seat in table.seats
        if seat in table.sets.late
    )


def _held(table: Table, seat: Seat) -> OnHand | None:
    return table.sets.late[seat].held if seat in table.sets.late else None


def _span(late: timedelta) -> str:
    return calendar.show_roughly(max(A_MINUTE, -(-late // A_MINUTE) * A_MINUTE))
