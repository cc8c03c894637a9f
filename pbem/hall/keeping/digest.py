"""What is odd with the arena as a whole, told to its moderator in one letter, at most daily."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, time
from zoneinfo import ZoneInfo

from pbem.hall.arena import Arena
from pbem.hall.mail import sending
from pbem.letters import writing
from pbem.letters.writing import Outgoing
from pbem.terms import Facts
from pbem.world.index import Odd

HOUR = time(8)
"""When the letter goes, by the arena's own clock: what happened since the last one, told once."""


def keep(arena: Arena, troubles: Iterable[str], now: datetime) -> None:
    """Note what was odd, and file the letter about it when its hour has come."""
    arena.index.note_odd(troubles, now)
    here = now.astimezone(ZoneInfo(arena.settings.arena.zone))
    if here.time() < HOUR:
        return
    odd = arena.index.odd()
    due = [one for one in odd if one.first.astimezone(here.tzinfo) < here.replace(hour=HOUR.hour, minute=0, second=0)]
    if not due:
        return
    place = ("desk", "post", "out", f"digest.{here:%Y-%m-%d}.eml")
    if arena.settings.arena.moderator:
        if arena.shelf.exists(*place):
            return
        arena.index.take_up(["desk"])
        arena.shelf.write(_bytes(arena, odd, here), *place, once=True)
        with arena.index.together():
            arena.index.file([sending.filed(f"digest.{here:%Y-%m-%d}", place)], now)
            arena.index.forget_odd(now)
            arena.index.free("desk")
        return
    arena.index.forget_odd(now)


def _bytes(arena: Arena, odd: Iterable[Odd], here: datetime) -> bytes:
    settings = arena.settings.arena
    domain = settings.address.rpartition("@")[2]
    facts: Facts = {"rows": [_row(one, here) for one in odd], "zone": settings.zone, "name": settings.name}
    return writing.compose(
        Outgoing(
            identity=f"digest.{here:%Y-%m-%d}",
            domain=domain,
            sender_name=settings.name,
            sender=settings.address,
            reply_to=settings.address,
            recipient=settings.moderator,
            subject=f"{settings.name}: what was odd, {here:%d %b}",
            body=writing.render(arena.words, "digest.j2", facts),
            date=here,
            list_id=f"desk.{domain}",
        )
    )


def _row(one: Odd, here: datetime) -> Facts:
    first, last = one.first.astimezone(here.tzinfo), one.last.astimezone(here.tzinfo)
    until = f"{last:%a %H:%M}" if last.date() != first.date() else f"{last:%H:%M}"
    return {"what": one.what, "first": f"{first:%a %d %b, %H:%M}", "until": until, "times": one.times}
