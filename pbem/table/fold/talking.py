"""What players say to the moderator, or to all: what is passed on at once, and what waits for the next letter."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

import msgspec

from pbem.ground.terms import Seat
from pbem.table.clock import schedule
from pbem.table.fold import approving, closing, journal
from pbem.table.fold.journal import Entry, OrdersReceived, SeatTaken
from pbem.table.model.table import Said, Table
from pbem.table.requests.keep_back import KeepBack
from pbem.table.requests.send_it import SendIt

ONE_BY_ONE = 3
"""How often in a day words of one seat are passed on in a letter of their own; the rest waits for another letter."""
A_DAY = timedelta(days=1)
MOST_UNSENT = 5
"""How many texts of one seat wait for its `send it`; the oldest go without."""
WAITS = timedelta(days=14)
"""How long they wait at least; what is older goes when the next phase opens."""

_HEARD_WITH = journal.GameBegun | journal.ReviewOverdue | journal.WordsPassedOn
"""Entries that call for a letter to the moderator, whatever they hold."""
_HEARD_BY_DEPUTY = journal.ReviewOverdue | journal.WordsPassedOn
"""Likewise to a deputy."""

_OPENS_ORDERS = journal.PhaseClosed | journal.PhasePublished
"""Entries behind which less is held: late sets, of which the moderator does not read, are void with the second."""


def words(before: Table, entry: OrdersReceived) -> tuple[str, ...]:
    """Return what a mail says to the moderator, with what waited for its `send it`."""
    is_let_go = SendIt() in entry.requests and KeepBack() not in entry.requests
    held_back = before.unsent.get(entry.seat, ()) if is_let_go else ()
    return (*(one.text for one in held_back), *(one.text for one in entry.press if one.to == "moderator"))


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
    if SendIt() in entry.requests or KeepBack() in entry.requests:
        table = msgspec.structs.replace(table, unsent=_without(table.unsent, seat))
    table = _let_wait(table, tuple(Said(seat, text, entry.noted, entry.unsent_lasts) for text in entry.unsent))
    if said and goes_at_once(table, entry):
        heard = (*table.heard.get(seat, ()), entry.noted)[-ONE_BY_ONE:]
        table, said = msgspec.structs.replace(table, heard={**table.heard, seat: heard}), ()
    waiting = [Said(seat, text, entry.noted) for text in (*said, *entry.asides)]
    is_late = came_late(table, entry)
    waiting += [Said(seat, text, entry.noted, held=True, late=is_late) for text in entry.held]
    if not table.moderator_plays():  # who plays has press as a player
        waiting += [Said(seat, one.text, entry.noted, to_all=True) for one in entry.press if one.to == "all"]
    return msgspec.structs.replace(table, unheard=(*table.unheard, *waiting))


def came_late(table: Table, entry: OrdersReceived) -> bool:
    """Say whether a mail came when its phase had closed, or was about to, so that the moderator may accept its set."""
    if table.known_to(entry.seat).status != "open":
        return True
    return table.paused is None and table.deadline is not None and entry.arrived > schedule.cutoff(table)


def join(table: Table, entry: SeatTaken) -> Table:
    """Note what somebody said to the moderator as they took a seat."""
    said = tuple(Said(entry.seat, text, entry.noted, lasts=True) for text in entry.asides)
    return msgspec.structs.replace(table, unheard=(*table.unheard, *said))


def _hold_back(before: Table, table: Table) -> Table:
    """
    Let words that wait for somebody wait for leave instead, where nobody hears any, or somebody else would.

    So none reaches a moderator who takes a seat, or one of whom it was said to the deputy.
    """
    listener = table.listener()
    if not table.unheard or table.status == "over" or (listener and listener == before.listener()):
        return table
    waiting = [one for one in table.unheard if not one.to_all and not one.held]
    held = tuple(one for one in table.unheard if one.held)  # whoever hears it by then is nobody's opponent
    return msgspec.structs.replace(_let_wait(table, waiting), unheard=held)


def still_waiting(table: Table, noted: datetime) -> dict[Seat, tuple[Said, ...]]:
    """Return what waits for leave when a phase opens, by seat: all but what has waited long enough."""
    kept = {
        seat: tuple(one for one in said if one.lasts and one.noted > noted - WAITS)
        for seat, said in table.unsent.items()
    }
    return {seat: said for seat, said in kept.items() if said}


def dropped(before: Table, entry: OrdersReceived, after: Table) -> tuple[str, ...]:
    """Return what waits no more behind a mail, and was not passed on."""
    gone = [one.text for one in before.unsent.get(entry.seat, ()) if one not in after.unsent.get(entry.seat, ())]
    return tuple(text for text in gone if text not in (*words(before, entry), *entry.unsent))


def _let_wait(table: Table, said: Sequence[Said]) -> Table:
    """Let words wait for leave, the newest of each seat; the same words said again wait once."""
    unsent = dict(table.unsent)
    for one in said:
        others = (other for other in unsent.get(one.seat, ()) if other.text != one.text)
        unsent[one.seat] = (*others, one)[-MOST_UNSENT:]
    return msgspec.structs.replace(table, unsent=unsent)


def _without(unsent: Mapping[Seat, tuple[Said, ...]], seat: Seat) -> dict[Seat, tuple[Said, ...]]:
    return {other: said for other, said in unsent.items() if other != seat}


def hear(before: Table, after: Table, entry: Entry) -> Table:
    """Drop the words that wait for the moderator where this entry's letter brings them; keep what is held."""
    if not after.unheard:
        return after
    after = _hold_back(before, msgspec.structs.replace(after, unheard=_released(after.unheard, entry)))
    if not brings(after, entry):
        return after
    return msgspec.structs.replace(after, unheard=tuple(one for one in after.unheard if one.held))


def heard(before: Table, entry: Entry, after: Table) -> tuple[Said, ...]:
    """Return what waited for a letter that an entry calls for, without what is held until a later one."""
    if not brings(after, entry):
        return ()
    return tuple(one for one in _released(before.unheard, entry) if not one.held)


def _released(said: Sequence[Said], entry: Entry) -> tuple[Said, ...]:
    """Release the words that are held, where this entry shows all orders to the moderator at least."""
    if not isinstance(entry, _OPENS_ORDERS):
        return tuple(said)
    is_out = isinstance(entry, journal.PhasePublished)
    return tuple(msgspec.structs.replace(one, held=one.held and one.late and not is_out) for one in said)


def brings(after: Table, entry: Entry) -> bool:
    """Say whether an entry calls for a letter to whoever hears words to the moderator, so that it tells what waits."""
    by_deputy = after.acting_deputy() is not None
    match entry:
        case journal.PhaseClosed():
            return closing.is_reviewed(after)
        case journal.RulingGiven():
            return entry.by_deputy is by_deputy and not approving.is_bare(entry)
        case journal.PhasePublished():
            return not by_deputy and not approving.is_seen(entry)
    return isinstance(entry, _HEARD_BY_DEPUTY if by_deputy else _HEARD_WITH)


def by_seat(said: Sequence[Said]) -> dict[tuple[Seat, bool], list[str]]:
    """Gather words by who said them, and whether to all, in the order of the first of each."""
    found: dict[tuple[Seat, bool], list[str]] = {}
    for one in said:
        found.setdefault((one.seat, one.to_all), []).append(one.text)
    return found
