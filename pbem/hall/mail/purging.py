"""Raw mail that belongs to nobody, put away after a while: what came to the desk and had no part in any game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from pbem.hall.arena import Arena
from pbem.hall.mail import notes, pending
from pbem.terms import Mail

KEPT = timedelta(days=14)
"""How long such mail is kept."""
SPACE = 256 << 20
"""Bytes of it that are kept; of more, the oldest go before their time."""
UNIT = 32 << 10
MANY = 2000
"""So many such mails, a large one counted for each UNIT of it, and we look again within the day."""
AT_ONCE = 1000
"""Mails that one sweep removes, so that games need not wait."""

SPARED = ("duplicate", "held", "moving", "move to", "move from", "forged")
"""Cases of the desk whose mail may be a game's bytes, or was a player's, or shows who tried to be one."""


class Ignored(NamedTuple):
    """A mail that the desk took: when, where it lies, and its size in bytes."""

    noted: datetime
    digest: str
    place: tuple[str, ...]
    size: int


def count(arena: Arena, mails: Sequence[Mail], now: datetime) -> None:
    """Take down that mails came to the desk, so that `purge` knows when to look."""
    arena.index.tell(f"{now:%Y-%m-%d} ignored", sum(1 + len(mail.raw) // UNIT for mail in mails))


def purge(arena: Arena, now: datetime) -> None:
    """
    Remove what was kept long enough, and the oldest of what is too much; at the first sweep of a day, and in a flood.

    Mail that a game has taken is no part of it, nor is mail that waits, or that was set aside unread.
    """
    day = f"{now:%Y-%m-%d}"
    turn = f"{day} purge {arena.index.told(f'{day} ignored') // MANY}"
    if arena.index.told(turn):
        return
    entries = pending.entries(arena)
    entries += _expire(arena, entries, now)
    left = sorted(_lying(arena, entries))
    space = sum(mail.size for mail in left)
    for removed, mail in enumerate(left):
        if mail.noted > now - KEPT and space <= SPACE:
            break
        if removed == AT_ONCE:
            return
        space -= mail.size
        arena.shelf.remove("strays", f"{mail.digest}.txt")
        arena.shelf.remove(*mail.place)
    with arena.index.together():
        arena.index.forget_told(f"{now - timedelta(days=1):%Y-%m-%d}")
        arena.index.tell(turn)


def _expire(arena: Arena, entries: Sequence[Mapping[str, Any]], now: datetime) -> list[dict[str, Any]]:
    """Note of held mail that it waited too long, so that nobody can confirm it any more; return those notes."""
    late = [
        {"noted": now, "arrived": one.arrived, "cause": one.cause, "key": "", "why": "expired", "size": one.size,
         "game": one.game}
        for one in pending.held(entries)
        if one.arrived <= now - pending.waits(one.evidence)
        if not arena.index.knows(pending.confirmation(one))
    ]  # fmt: skip
    if late:
        arena.shelf.append(b"".join(notes.note("entry", note) for note in late), *pending.JOURNAL)
    return late


def _lying(arena: Arena, entries: Sequence[Mapping[str, Any]]) -> Iterator[Ignored]:
    """Yield the mails of the desk that are still there."""
    listed: dict[tuple[str, ...], set[str]] = {}
    for entry in entries:
        name, game = f"{entry['cause']}.eml", entry.get("game", "")
        if entry["why"] in SPARED:
            continue
        for folder in (("in",), ("games", game, "post", "in")) if game else (("in",),):
            if folder not in listed:
                listed[folder] = set(arena.shelf.names(*folder))
            if name in listed[folder] and arena.index.place(entry["cause"]) == "desk":
                listed[folder].discard(name)
                yield Ignored(_since(entry), entry["cause"], (*folder, name), entry.get("size", UNIT))


def _since(entry: Mapping[str, Any]) -> datetime:
    """Return since when a mail is nobody's; one that expired was kept long enough."""
    since: datetime = entry["arrived"] if entry["why"] == "expired" else entry["noted"]
    return since
