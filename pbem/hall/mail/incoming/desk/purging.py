"""Removes raw mail after a while that came to the desk and had no part in any game."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from pbem.ground.terms import Mail
from pbem.hall.mail.incoming.desk import pending
from pbem.hall.store import append_only
from pbem.hall.store.arena import Arena
from pbem.world.index.counters import Counted, What, day

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
    """Count mails that came to the desk, so that `purge` knows when to look."""
    arena.index.counters.increment(_ignored(now), sum(1 + len(mail.raw) // UNIT for mail in mails))


def _ignored(now: datetime) -> Counted:
    return Counted(what=What.IGNORED, span=day(now))


def purge(arena: Arena, now: datetime) -> None:
    """
    Remove what was kept long enough, and the oldest of what is too much; at the first sweep of a day, and in a flood.

    Mail that a game has taken is no part of it, nor is mail that waits, or that was set aside unread.
    """
    place = arena.index.counters.value(_ignored(now)) // MANY
    turn = Counted(what=What.PURGE, about=str(place), span=day(now))
    if arena.index.counters.value(turn):
        return
    listed = _Listed(arena)
    entries = append_only.read("entry", arena.shelf, *pending.JOURNAL, wanted=listed.may_lie)
    entries += _expire(arena, entries, now)
    left = sorted(_still_kept(arena, entries, listed))
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
        arena.index.counters.forget_before(now - timedelta(days=1))
        arena.index.counters.increment(turn)


def _expire(arena: Arena, entries: Sequence[Mapping[str, Any]], now: datetime) -> list[dict[str, Any]]:
    """Note that held mails waited too long, so that nobody can confirm them any more; return the notes."""
    late = [
        {"noted": now, "arrived": one.arrived, "cause": one.cause, "key": "", "why": "expired", "size": one.size,
         "game": one.game}
        for one in pending.held(entries)
        if one.arrived <= now - pending.waits(one.evidence)
        if not arena.index.games.has_taken(pending.confirmation(one))
    ]  # fmt: skip
    if late:
        arena.shelf.append(b"".join(append_only.encode("entry", note) for note in late), *pending.JOURNAL)
    return late


class _Listed:
    """The raw mails in each folder, looked at once."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._names: dict[tuple[str, ...], set[str]] = {}

    def take(self, name: str, game: str) -> tuple[str, ...]:
        """Return where a mail lies, and take it off the list; () if it is gone."""
        for folder in self._folders(game):
            if name in self._names[folder]:
                self._names[folder].discard(name)
                return (*folder, name)
        return ()

    def may_lie(self, line: append_only.Glimpse) -> bool:
        """Say whether an entry may be about a mail that is still there: most are of mails that went long ago."""
        digest = line.field("cause")
        if pending.may_wait(line) or not digest:
            return True
        return any(f"{digest}.eml" in self._names[folder] for folder in self._folders(line.field("game")))

    def _folders(self, game: str) -> list[tuple[str, ...]]:
        folders = [("in",), *([("games", game, "post", "in")] if game else [])]
        for folder in folders:
            if folder not in self._names:
                self._names[folder] = set(self._arena.shelf.names(*folder))
        return folders


def _still_kept(arena: Arena, entries: Sequence[Mapping[str, Any]], listed: _Listed) -> Iterator[Ignored]:
    """Yield the mails of the desk that are still there."""
    for entry in entries:
        name, game = f"{entry['cause']}.eml", entry.get("game", "")
        if entry["why"] in SPARED:
            continue
        place = listed.take(name, game)
        if place and arena.index.games.taken_by(entry["cause"]) == "desk":
            since = entry["arrived"] if entry["why"] == "expired" else entry["noted"]  # the former was kept long enough
            yield Ignored(since, entry["cause"], place, entry.get("size", UNIT))
