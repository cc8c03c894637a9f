"""What players say to the moderator: what is passed on at once, and what waits for the moderator's next letter."""

from collections.abc import Sequence
from datetime import timedelta

import msgspec

from pbem.table import closing, journal
from pbem.table.journal import Entry, OrdersReceived
from pbem.table.requests.send_it import SendIt
from pbem.table.table import Said, Table
from pbem.terms import Seat

ONE_BY_ONE = 3
"""How often in a day words of one seat are passed on in a letter of their own; the rest waits for another letter."""
A_DAY = timedelta(days=1)

_HEARD_WITH = (
    journal.GameBegun | journal.RulingGiven | journal.ReviewOverdue | journal.PhasePublished | journal.WordsPassedOn
)
"""Entries that call for a letter to the moderator, whatever they hold."""


def words(before: Table, entry: OrdersReceived) -> tuple[str, ...]:
    """Return what a mail says to the moderator, with what waited for its `send it`."""
    held_back = before.unsent.get(entry.seat, ()) if SendIt() in entry.requests else ()
    return (*held_back, *(one.text for one in entry.press if one.to == "moderator"))


def goes_at_once(before: Table, entry: OrdersReceived) -> bool:
    """Say whether the words of a mail have a letter of their own: the first few of each seat's in a day."""
    if before.status == "over":
        return True
    today = [at for at in before.heard.get(entry.seat, ()) if at > entry.noted - A_DAY]
    return len(today) < ONE_BY_ONE


def receive(table: Table, entry: OrdersReceived) -> Table:
    """Note what a mail says to the moderator: that it went, that it waits for a letter, or for the seat's `send it`."""
    seat = entry.seat
    said = words(table, entry)
    if SendIt() in entry.requests:
        table = msgspec.structs.replace(table, unsent={**table.unsent, seat: ()})
    if entry.unsent:
        unsent = (*table.unsent.get(seat, ()), *entry.unsent)
        table = msgspec.structs.replace(table, unsent={**table.unsent, seat: unsent})
    if said and goes_at_once(table, entry):
        heard = (*table.heard.get(seat, ()), entry.noted)[-ONE_BY_ONE:]
        table, said = msgspec.structs.replace(table, heard={**table.heard, seat: heard}), ()
    said = (*said, *entry.asides)
    return msgspec.structs.replace(table, unheard=(*table.unheard, *(Said(seat, text, entry.noted) for text in said)))


def hold_back(table: Table) -> Table:
    """Let words that wait for a moderator who has taken a seat wait for leave instead."""
    if not table.unheard or not table.moderator_plays():
        return table
    said = {seat: (*table.unsent.get(seat, ()), *texts) for seat, texts in by_seat(table.unheard).items()}
    return msgspec.structs.replace(table, unheard=(), unsent={**table.unsent, **said})


def hear(table: Table, entry: Entry) -> Table:
    """Let nothing wait any more behind an entry that calls for a letter to the moderator."""
    return msgspec.structs.replace(table, unheard=()) if table.unheard and brings(table, entry) else table


def brings(after: Table, entry: Entry) -> bool:
    """Say whether an entry calls for a letter to the moderator, so that what waits is told in it."""
    return isinstance(entry, _HEARD_WITH) or (isinstance(entry, journal.PhaseClosed) and closing.is_reviewed(after))


def by_seat(said: Sequence[Said]) -> dict[Seat, list[str]]:
    """Gather words by who said them, in the order of the first of each."""
    found: dict[Seat, list[str]] = {}
    for one in said:
        found.setdefault(one.seat, []).append(one.text)
    return found
