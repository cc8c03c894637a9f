"""The calm world that a storm is held against: two games, what came and was done in order, and what must be equal."""

import hashlib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from pbem.table.fold import journal
from pbem.table.fold.journal import OrdersReceived, RulingGiven
from pbem.world.clock import FastClock
from tests.conftest import Room
from tests.harbour import Harbour, HarbourRules

START = datetime(2024, 11, 25, 9, 0, tzinfo=UTC)  # long ago, since a real mail server takes no stamp of the future
GAMES = ("tide-1", "tide-2")
REVIEWED = "tide-2"
PLAYERS = {"ada": "ada@example.org", "bo": "bo@example.org", "cy": "cy@example.org"}
GWEN, ROOT = "gwen@example.org", "root@example.org"


class EndlessHarbour(HarbourRules):
    """The harbour, in which nobody ever wins and everybody earns three coins a tide."""

    def adjudicate(self, state: Harbour, orders: Any, given: Any, dice: Any) -> Any:
        """Play the tide, and go on."""
        found = super().adjudicate(state, orders, given, dice)
        coins = {seat: held + 3 for seat, held in found.state.coins.items()}
        return msgspec.structs.replace(found, state=msgspec.structs.replace(found.state, coins=coins), result=None)


class WrongClock(FastClock):
    """A clock that can be off for a while."""

    off = timedelta(0)

    def now(self) -> datetime:
        """Return what the clock shows."""
        return super().now() + self.off


class Happening(msgspec.Struct, frozen=True):
    """What came or was done at an instant, to any copy of the room; `raw` is the mail that it was."""

    at: datetime
    do: Callable[[Room], object]
    raw: bytes = b""


def harbour() -> dict[str, Any]:
    """Return the one ruleset."""
    return {"harbour": EndlessHarbour()}


def base(folder: Path) -> Room:
    """Two games in their first tide, whose tides end every day at noon; of one the moderator sees proofs."""
    room = Room(folder / "arena", harbour(), start=START)
    here = msgspec.structs.replace(room.settings.arena, moderator=ROOT)
    room.settings = msgspec.structs.replace(room.settings, arena=here)
    room.reopen()
    calendar = {"rules": {"default": "every day 12:00"}, "review": "60d"}
    for name in GAMES:
        review = ("tide",) if name == REVIEWED else ()
        room.found(*PLAYERS, name=name, close="at deadline", press="public", calendar=calendar, review=review)
    room.arena.close()
    return room


def copied(begun: Room, folder: Path) -> Room:
    """Return the begun room in another folder, opened, with a clock that can be wrong."""
    room = begun.copied(folder)
    room.settings = begun.settings
    room.clock = WrongClock(begun.clock.now())
    room.reopen()
    return room


def deliver(room: Room, raw: bytes, at: datetime) -> None:
    """Let a mail arrive."""
    room.mailbox.deliver(raw, at)


def edit(room: Room, game: str, who: str, coins: int) -> None:
    """Set a fact in the file of a game, as a person does with an editor."""
    file = room.root / "games" / game / "state.toml"
    lines = file.read_text().split("\n")
    key = f'"coins of {who}" = '
    file.write_text("\n".join(f"{key}{coins}" if line.startswith(key) else line for line in lines))


def leap(room: Room, hours: int) -> None:
    """Sweep once while the clock is wrong by some hours."""
    assert isinstance(room.clock, WrongClock)
    room.clock.off = timedelta(hours=hours)
    room.sweep(timedelta(0))
    room.clock.off = timedelta(0)


def play(begun: Room, folder: Path, script: Sequence[Happening], until: datetime) -> Room:
    """Let the same things happen where nothing ever breaks, with a sweep before and behind each."""
    room = copied(begun, folder)
    for happening in script:
        room.clock.advance_to(happening.at)
        room.sweep(timedelta(0))
        happening.do(room)
        room.sweep(timedelta(0))
    while (now := room.clock.now()) < until:
        room.clock.advance_to(min(now + timedelta(hours=1), until))
        room.sweep(timedelta(0))
    return room


def entries(room: Room, game: str) -> list[Any]:
    """Return all entries of a game, from its folder."""
    found: list[Any] = []
    previous = journal.FIRST_SUM
    for path in sorted((room.root / "games" / game).glob("phase-*/journal.toml")):
        decoded = journal.decode(path.read_bytes(), previous, last=True)
        found += decoded.entries
        previous = decoded.sum
    return found


def causes(room: Room) -> list[str]:
    """Return the digest of each mail that a game took, as often as it did."""
    taken = [getattr(entry, "cause", "") for game in GAMES for entry in entries(room, game)]
    return [cause for cause in taken if cause not in ("", "hand")]


def digests(raw: bytes) -> set[str]:
    """Return by which digests a mail may be known: mail servers end lines in their own way."""
    return {hashlib.sha256(one).hexdigest() for one in (raw, raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))}


def essence(room: Room, game: str) -> tuple[Any, ...]:
    """Return what must not depend on what broke, when, and how often a mail came."""
    table = room.table(game)
    log = entries(room, game)
    said = [
        (entry.seat, entry.phase, entry.arrived, entry.orders, entry.taken, entry.requests, entry.press)
        for entry in log
        if isinstance(entry, OrdersReceived)
    ]
    # An edit by hand has the time at which it was seen; what it did stands in the state.
    ruled = [(one.arrived, one.rulings) for one in log if isinstance(one, RulingGiven) and one.cause != "hand"]
    # A set that stands is put on hand as its phase opens, which is when we looked.
    hand = {seat: (held.orders, held.stamp[0] if held.fresh else "") for seat, held in table.sets.hand.items()}
    return (
        table.number,
        table.status,
        table.state,
        hand,
        table.deadline,
        sorted(said, key=repr),
        sorted(ruled, key=repr),
    )
