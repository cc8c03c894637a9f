"""What is odd with the arena as a whole, told to its moderator in one letter, at most daily."""

from datetime import datetime, time
from zoneinfo import ZoneInfo

from pbem.ground.identity import ArenaLetter
from pbem.hall.mail.outgoing import arena_letters
from pbem.hall.mail.outgoing.views import Digest, OddRow
from pbem.hall.store.arena import Arena
from pbem.world.index.counters import Odd

HOUR = time(8)
"""When the letter goes, by the arena's own clock: what happened since the last one, told once."""


def file(arena: Arena, now: datetime) -> None:
    """
    Put the letter about what was odd on file, when its hour has come, and forget it.

    Whoever is stopped between the two tells the same again the next day, rather than never.
    """
    here = now.astimezone(ZoneInfo(arena.settings.arena.zone))
    hour = here.replace(hour=HOUR.hour, minute=0, second=0, microsecond=0)
    odd = arena.index.counters.odd()
    if here < hour or not any(one.first < hour for one in odd):
        return
    settings = arena.settings.arena
    identity = ArenaLetter(sort="digest", about=f"{here:%Y-%m-%d}")
    if settings.moderator:
        if arena.shelf.exists(*arena_letters.place(identity)):
            return
        subject = f"{settings.name}: what was odd, {here:%d %b}"
        rows = tuple(_row(one, here) for one in odd)
        body = Digest(rows=rows, zone=settings.zone, name=settings.name).render(arena.words)
        arena_letters.file(
            arena, identity, arena_letters.compose(arena, identity, settings.moderator, subject, body, here), now
        )
    arena.index.counters.forget_odd(now)


def _row(one: Odd, here: datetime) -> OddRow:
    first, last = one.first.astimezone(here.tzinfo), one.last.astimezone(here.tzinfo)
    until = f"{last:%a %H:%M}" if last.date() != first.date() else f"{last:%H:%M}"
    return OddRow(what=one.what, first=f"{first:%a %d %b, %H:%M}", until=until, times=one.times)
