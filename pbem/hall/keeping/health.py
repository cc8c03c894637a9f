"""The health of an arena: a file that says when all went well for the last time, for monitoring."""

import hashlib
import stat
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import msgspec

from pbem.ground import records
from pbem.ground.terms import ShelfError
from pbem.hall.store.arena import Arena
from pbem.hall.sweep import withheld
from pbem.hall.sweep.standing import DESK
from pbem.hall.sweep.swept import Swept

FILE = "health.toml"
SETTINGS = "settings.toml"
OLD = timedelta(hours=6)
"""How long a letter may wait for the mail server before somebody should look."""
A_DAY = timedelta(days=1)
"""How long a mail that took long to read is told of."""
ROOM = 200 << 20
"""Free bytes on the arena's disk below which somebody should look."""


class Slow(msgspec.Struct, frozen=True, kw_only=True):
    """A mail that took long to read, and was taken like any other."""

    swept: datetime
    message_id: str
    seconds: float


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """
    What the last sweep found.

    Shape: `good` is the time of the last sweep in which mailbox and mail server answered, `away` what they said in
    this one; `waiting` counts letters not yet sent, the oldest of them since `since`; `still` are games in trouble,
    `untold` those of them whose moderator has no letter about it yet, `troubles` all that was amiss; `slow` are the
    mails of the last day that took long to read; `settings` is the digest of settings.toml, which has no check sum
    of its own, because people write it.
    """

    swept: datetime
    good: datetime | None = None
    away: tuple[str, ...] = ()
    waiting: int = 0
    since: datetime | None = None
    still: tuple[str, ...] = ()
    untold: tuple[str, ...] = ()
    troubles: tuple[str, ...] = ()
    slow: tuple[Slow, ...] = ()
    settings: str = ""


def assess(arena: Arena, swept: Swept, before: Health | None, now: datetime) -> Health:
    """Return the arena's health after a sweep; a change of the settings is noted as odd."""
    settings = _settings(arena)
    if before and before.settings not in ("", settings):
        notice = f"{SETTINGS} was changed. If you did not change it, put it back from a backup."
        arena.index.counters.note_odd([notice], now)
    count, _ = arena.index.outgoing.waiting()
    unsent = {letter.letter for letter in arena.index.outgoing.to_send()} if swept.letters else set()
    informed = {game for game, letter in swept.letters.items() if letter and letter not in unsent}
    known = arena.index.outgoing.waiting_since() or (before.since if before else None)
    return Health(
        swept=now,
        good=(before.good if before else None) if swept.away else now,
        away=tuple(swept.away),
        waiting=count,
        since=(known or now) if count else None,
        still=tuple(sorted(swept.still)),
        untold=tuple(sorted(swept.still - informed)),
        troubles=tuple(swept.troubles),
        slow=(*(one for one in (before.slow if before else ()) if now - one.swept < A_DAY), *_slow(swept, now)),
        settings=settings,
    )


def _slow(swept: Swept, now: datetime) -> list[Slow]:
    return [Slow(swept=now, message_id=one.message_id, seconds=one.seconds) for one in swept.outcomes if one.seconds]


def _settings(arena: Arena) -> str:
    with suppress(ShelfError):  # a link, as some set up: whoever did that looks after it
        return hashlib.sha256(arena.shelf.read(SETTINGS)).hexdigest()[:16]
    return ""


def write(arena: Arena, health: Health) -> None:
    """Write the file. Errors: ShelfError."""
    arena.shelf.write(f"# How the arena is. Made at each sweep.\n\n{records.dump(health)}".encode(), FILE, derived=True)


def read(arena: Arena) -> Health | None:
    """Return what the file says, or None where there is none."""
    if not arena.shelf.exists(FILE):
        return None
    return records.load(arena.shelf.read(FILE).decode(), Health, FILE)


def problems(arena: Arena, health: Health | None, within: timedelta, now: datetime) -> list[str]:
    """Return what is wrong, a sentence each; `within` is how old the last good sweep may be."""
    if health is None:
        return ["No sweep has been made here yet. Start the daemon: pbem run"]
    found = []
    if now - health.swept > within:
        found.append(f"The last sweep was at {_utc(health.swept)}. Is the daemon running?")
    elif health.good is None or now - health.good > within:
        found += health.away or ("No sweep was good yet.",)
    if health.since and now - health.since > OLD:
        letters = "1 letter waits" if health.waiting == 1 else f"{health.waiting} letters wait"
        found.append(f"{letters} for the mail server, the first since {_utc(health.since)}.")
    free = arena.shelf.free()
    if free < ROOM:
        found.append(f"{free >> 20} MB are free on the disk of {arena.root}. Make room.")
    if stat.S_IMODE(arena.root.stat().st_mode) & 0o077:
        found.append(f"Others on this machine can look into {arena.root}. To close it to them: chmod go= {arena.root}")
    found += [_still(game, health) for game in health.still]
    found += _withheld(arena)
    return found


def _withheld(arena: Arena) -> list[str]:
    """Tell of the mails that nobody could have from the mailbox, the oldest by name."""
    mails = [*withheld.passed_over(arena)]
    if not mails:
        return []
    first, since = mails[0], _utc(mails[0].arrived)
    lie = f"1 mail lies in the mailbox since {since}"
    if len(mails) > 1:
        lie = f"{len(mails)} mails lie in the mailbox, the oldest since {since},"
    said = f"{lie} and cannot be had: {first.what}. The answer was: {first.said}."
    return [f"{said} No phase waits for such mail any longer; it is asked for once an hour."]


def _still(game: str, health: Health) -> str:
    if game == DESK:
        return "Mail that belongs to no game cannot be taken. The log says why."
    if game in health.untold:
        return f"{game} stands still, and no letter has told its moderator yet; the log and pbem check say why."
    return f"{game} stands still; its moderator was told why."


def state(health: Health, ills: list[str]) -> list[str]:
    """Say how the arena is: what is wrong, or that all is well, or what went wrong at the last sweep alone."""
    good = f"{_utc(health.good)}" if health.good else "never"
    slow = [
        f"A mail took {one.seconds:.0f} s to read at {_utc(one.swept)}; nothing of it is lost. See why: "
        f"pbem trace '{one.message_id}'"
        for one in health.slow
    ]
    if ills:
        return [*ills, *(one for one in health.troubles if one not in ills), *slow]
    if health.troubles:
        return [f"Last good sweep: {good}. At the last sweep:", *health.troubles, *slow]
    return [f"All is well{', but some mail was slow' if slow else ''}. Last good sweep: {good}", *slow]


def _utc(instant: datetime) -> str:
    return f"{instant.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
