"""The alarm: a letter that is sent without being put on file, when the disk takes nothing any more."""

from datetime import datetime

from pbem.ground.identity import ArenaLetter
from pbem.ground.terms import OutboxError
from pbem.hall.mail.outgoing import arena_letters
from pbem.hall.mail.outgoing.views import Alarm
from pbem.hall.store.arena import Arena, Doors


def ring(arena: Arena, doors: Doors, error: Exception, now: datetime) -> bool:
    """
    Tell the arena's moderator what the system denied us; return whether that was sent.

    Shape: only what the system itself said is worth it, not a lock that somebody holds or a file that is damaged. Its
    Message-ID is the day's, so that whoever cannot remember that it went sends the same letter again.
    """
    settings = arena.settings.arena
    if not settings.moderator or not isinstance(error.__cause__, Exception):
        return False
    body = Alarm(name=settings.name, said=str(error)).render(arena.words)
    subject = f"{settings.name}: nothing can be written"
    letter = ArenaLetter(sort="alarm", about=f"{now:%Y-%m-%d}")
    raw = arena_letters.compose(arena, letter, settings.moderator, subject, body, now)
    try:
        doors.outbox.send(settings.address, settings.moderator, raw)
    except OutboxError:
        return False
    return True
