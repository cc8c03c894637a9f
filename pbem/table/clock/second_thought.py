"""
The wait between the moment when all have moved and an early close, in which the last of them can think again.

How it works. Once all have moved, the table has the minute at which the phase closes early, which letters tell. From
then on that minute is moved by no player but once a phase: to a whole wait from a new set, or from when all have moved
again. It is kept while they have not, after a `cancel` say; where it is past when they have again, no wait is left.
It moves with the clock: as long as a pause lasted, as far as a ruling put the deadline later; and the deadline comes
first. It is the journal's times and no others that it is reckoned from, so an `undo`, which folds a phase again, goes
on from the minute that people were told.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

import msgspec

from pbem.ground.terms import Seat
from pbem.table.model import calendar
from pbem.table.model.table import EarlyClose, Table

A_MINUTE = timedelta(minutes=1)


def in_words(table: Table) -> str:
    """Say how long a phase stays open once all have moved, or "" where it closes at once or at its deadline."""
    wait = _wait(table) if table.charter.close == "when ready" else timedelta(0)
    return calendar.show_roughly(wait) if wait else ""


def all_are_in(table: Table) -> bool:
    """Say whether an open phase need not stay open until its deadline, since all have moved."""
    return (table.charter.close == "when ready" or table.sealed is not None) and not table.waiting_for()


def is_under_way(table: Table) -> bool:
    """Say whether all have moved and their time to think again runs: not if they all said `ready`."""
    if table.early is None or table.status != "open" or table.sealed or table.close_now or not all_are_in(table):
        return False
    return not table.ready.issuperset(set(table.owing) - table.excused)


def closes_early(table: Table) -> datetime | None:
    """Return when a phase closes before its deadline, as letters tell it; None where it does not, or does at once."""
    assert table.deadline is not None or table.early is None
    if table.early is None or table.deadline is None or table.early.at >= table.deadline:
        return None
    return table.early.at if is_under_way(table) else None


def reckoned(before: Table, table: Table, noted: datetime) -> Table:
    """Return the table that an entry led to with the minute of its early close, from the one before the entry."""
    if table.status != "open" or table.sealed or table.number != before.number:
        return msgspec.structs.replace(table, early=None, thought_again=False) if table.early else table
    wait = _wait(table)
    if not wait or table.charter.close != "when ready":
        return table
    now = table.paused or noted
    early, again = _moved_with_clock(before, table, noted, wait), before.thought_again
    afresh = EarlyClose(_whole_minute(now + wait), now + wait, table.extended)
    if table.owing and not table.waiting_for():
        was_in = not before.waiting_for()
        if early is None and not again:
            early = afresh
        elif early and not again and not (was_in and _sets(before) == _sets(table)) and afresh.at > early.at:
            early, again = afresh, True
        elif early and not was_in and early.at <= now:
            early, again = None, True
    return msgspec.structs.replace(table, early=early, thought_again=again)


def _moved_with_clock(before: Table, table: Table, noted: datetime, wait: timedelta) -> EarlyClose | None:
    """
    Return the early close, moved by what a ruling, or an `undo`, did to the clock.

    It lies as far behind its first minute as the deadline lies behind where it was then, so that what moves the
    deadline to and fro moves it no further.

    Shape: while the clock stands, instants are told by the time at which it stopped. A deadline that is put earlier, or
    back, leaves a whole wait from then.
    """
    if before.early is None:
        return None
    now = table.paused or noted
    paused = now - (before.paused or noted)
    at, first, since = before.early.at + paused, before.early.first + paused, before.early.extended
    moved = first + max(timedelta(0), table.extended - since)
    if table.extended > before.extended:
        at = max(at, moved)
    elif table.extended < before.extended:
        at = min(at, max(moved, now + wait))
    return EarlyClose(at if at == before.early.at else _whole_minute(at), first, since)


def _sets(table: Table) -> Mapping[Seat, tuple[str, ...]]:
    return {seat: held.orders for seat, held in table.sets.hand.items()}


def _wait(table: Table) -> timedelta:
    wait = calendar.parse_span(table.charter.calendar.second_thought)
    assert isinstance(wait, timedelta), "the charter was checked"
    return wait


def _whole_minute(instant: datetime) -> datetime:
    """Return an instant, or the whole minute behind it: letters show no seconds."""
    rest = timedelta(seconds=instant.second, microseconds=instant.microsecond)
    return instant + (A_MINUTE - rest) if rest else instant
