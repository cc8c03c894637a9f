"""What the calendar calls for: the entries by which it is done."""

from collections.abc import Callable
from datetime import datetime

from pbem.hall.store.arena import Arena
from pbem.hall.store.ledger import Ledger, plan
from pbem.hall.store.pausing import Pausing
from pbem.table.clock import schedule
from pbem.table.clock.schedule import Announce, Ask, Begin, Close, Due, HandOn, Overdue, PassOn, Publish, Remind, Renew
from pbem.table.fold import closing, replay
from pbem.table.fold.journal import (
    AnnouncementMade,
    Entry,
    GameBegun,
    PhaseClosed,
    PhasePublished,
    QuestionAsked,
    ReminderGiven,
    ReviewOverdue,
    RulesChanged,
    SeatHandedOn,
    WordsPassedOn,
)
from pbem.table.model.table import Table
from pbem.world.shelf import Batch


def advance(
    arena: Arena, ledger: Ledger, batch: Batch, now: datetime, is_read: Callable[[Table], bool] = lambda _: True
) -> Pausing[bool]:
    """
    Put what is due at a game by an instant into a batch, one entry at a time, until nothing is.

    Shape: a phase is closed only where `is_read` says that all orders for it have been read; returns whether it waits.
    """
    while due := schedule.due(ledger.table, now):
        if isinstance(due, Close) and not is_read(ledger.table):
            return True
        called_for = entry(arena, ledger, due, now)
        yield
        planned = plan(ledger.table, called_for)
        yield
        ledger.put_planned(batch, [planned])
        yield
    return False


def entry(arena: Arena, ledger: Ledger, due: Due, now: datetime) -> Entry:
    """Return the entry by which something that is due is done; its next deadline is reckoned from now."""
    table = ledger.table
    number = table.head + 1
    match due:
        case Begin():
            return GameBegun(number=number, noted=now, deadline=_deadline(ledger, now))
        case HandOn(seat):
            one = table.accepted[seat]
            return SeatHandedOn(number=number, noted=now, seat=seat, person=one.person, ruling=one.ruling, struck=True)
        case Remind(before, seats):
            return ReminderGiven(number=number, noted=now, before=before, seats=seats)
        case Renew():
            return RulesChanged(number=number, noted=now, version=table.ruleset.version)
        case Overdue():
            return ReviewOverdue(number=number, noted=now)
        case Announce(rulings):
            return AnnouncementMade(number=number, noted=now, rulings=rulings)
        case PassOn():
            return WordsPassedOn(number=number, noted=now)
        case Close(why):
            return PhaseClosed(
                number=number,
                noted=now,
                phase=table.number,
                version=table.ruleset.version,
                why=why,
                nmr=closing.nmr(table),
            )
        case Ask():
            by = schedule.answer_by(table, replay.next_kind(table), now)
            return QuestionAsked(number=number, noted=now, phase=table.number, deadline=by)
        case Publish(why):
            return _publication(arena, ledger, why, now)


def _publication(arena: Arena, ledger: Ledger, why: str, now: datetime) -> PhasePublished:
    table = ledger.table
    assert table.outcome is not None
    over = table.outcome.result is not None
    return PhasePublished(
        number=table.head + 1,
        noted=now,
        phase=table.number,
        state=replay.digest(table.ruleset, table.outcome.state),
        wording=arena.wording[table.ruleset.name],
        why=why,
        deadline=None if over else _deadline(ledger, now),
        seed=arena.seed(table.charter.game).hex() if over else "",
    )


def _deadline(ledger: Ledger, now: datetime) -> datetime:
    return schedule.deadline_for(ledger.table, replay.next_kind(ledger.table), now)
