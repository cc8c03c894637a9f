"""What is said in chats of what happens in a game: public facts, the same for everybody."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from pbem.ground.terms import Person
from pbem.hall.store.arena import Arena
from pbem.hall.store.ledger import Step
from pbem.table.fold.journal import GameBegun, PhasePublished, ReminderGiven
from pbem.table.model import calendar
from pbem.table.model.table import Table
from pbem.world.index.chat import ChatMessage
from pbem.world.settings import ChatSettings

STALE = timedelta(days=1)
"""How long what has happened is news."""


def of_steps(arena: Arena, steps: Sequence[Step], now: datetime) -> Iterator[ChatMessage]:
    """Yield what steps of a game call for, a message for each hook that listens to the game."""
    for step in steps:
        said = _said(step)
        if said is None or said[2] <= now:
            continue
        event, text, until = said
        for wanted in arena.settings.chat:
            if hears(arena, wanted, step.after):
                game = step.after.charter.game
                yield ChatMessage(
                    hook=wanted.name, game=game, entry=step.entry.number, event=event, text=text, until=until
                )


def hears(arena: Arena, wanted: ChatSettings, table: Table) -> bool:
    """Say whether a hook listens to a game: it names the game, or a person with a part in it, or nothing at all."""
    if wanted.person:
        person = arena.people.person(wanted.person)
        return person in _people(table)
    return not wanted.games or table.charter.game in wanted.games


def _people(table: Table) -> set[Person]:
    others = (table.charter.moderator, table.deputy)
    return {*(seated.person for seated in table.seats.values()), *(one for one in others if one)}


def _said(step: Step) -> tuple[str, str, datetime] | None:
    """Return event, text, and until when it is news; None for all else."""
    entry, before, after = step.entry, step.before, step.after
    game = after.charter.game
    match entry:
        case GameBegun():
            return "begun", f"{game} has begun. {_next(after)}", entry.noted + STALE
        case PhasePublished() if after.result:
            return "over", f"{game} is over. {after.result.how}", entry.noted + STALE
        case PhasePublished():
            return "report", f"{game}: {before.title} is out. {_next(after)}", entry.noted + STALE
        case ReminderGiven() if after.deadline and after.sealed is None:  # else it would tell that somebody is asked
            left = calendar.show_roughly(_rounded(after.deadline - entry.noted))
            return "reminder", f"{game}: {left} left in {after.title}.", after.deadline
    return None


def _rounded(left: timedelta) -> timedelta:
    """Round to hours, or to five minutes where little is left: nobody wants to read of 23 hours and 59 minutes."""
    unit = timedelta(hours=1) if left >= timedelta(hours=2) else timedelta(minutes=5)
    return max(unit * round(left / unit), unit)


def _next(table: Table) -> str:
    if table.deadline is None or table.paused is not None:
        return f"Next comes {table.title}."
    return f"Next comes {table.title}, until {calendar.show_instant(table.deadline, 'UTC')}."
