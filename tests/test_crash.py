"""Crash: stop the sweep at every single step of the disk, start again, and nothing is lost or doubled."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from pbem.hall.games.founding import found_game
from pbem.terms import GameName
from pbem.world import shelf
from pbem.world.settings import templates
from tests.conftest import ARENA, Room
from tests.harbour import TEMPLATES, HarbourRules

ADA, BO, GWEN, EVE = "ada@example.org", "bo@example.org", "gwen@example.org", "eve@example.com"


class Killed(BaseException):
    """The process is gone."""


class Axe:
    """Falls at the n-th step of the disk, once."""

    def __init__(self, at: int) -> None:
        """Choose the step; -1 never falls."""
        self.at = at
        self.count = 0

    def __call__(self, name: str) -> None:
        """Count one step."""
        self.count += 1
        if self.count == self.at:
            raise Killed(name)


SCRIPT = (
    (EVE, "join tide-1 as Eve", ""),
    (ADA, "join as Ada", ".invitation."),
    (EVE, "confirm", ".confirm@"),
    (BO, "join as Bo", ".invitation."),
    (ADA, "bid 3\npress to all: hello\nend press\nzone Europe/London", "[tide-1] Tide 1"),
    (BO, "bidd 1", "[tide-1] Tide 1"),
    (EVE, "bid 0", "[tide-1] Tide 1"),
    (BO, "bid 1", "[tide-1] Tide 1"),
    (GWEN, "overrule bid of bo = 5 because so", "[tide-1] Tide 1"),
    (GWEN, "approve 2", "[tide-1] Tide 1"),
)
"""Who writes what, in answer to the first letter to them that holds these words."""


def play(root: Path, at: int) -> tuple[Room, int]:
    """Play from sign-up to the second tide; the disk's step `at` is a crash; return the room when all is settled."""
    room = Room(root, {"harbour": HarbourRules()}, {**templates(), **TEMPLATES})
    found_game(
        room.arena,
        GameName("tide-1"),
        "harbour",
        moderator=GWEN,
        invited=[ADA, BO],
        seats=3,
        now=room.clock.now(),
        seed=bytes(32),
        review=("tide",),
        press="public",
    )
    room.sweep()
    axe = Axe(at)
    shelf.STEP = axe
    try:
        for sender, text, words in SCRIPT:
            room.write(sender, text, to=address(room, sender, words) if words else ARENA, subject="Re: hello")
            survive(room)
        survive(room)
    finally:
        shelf.STEP = lambda name: None
    return room, axe.count


def address(room: Room, sender: str, words: str) -> str:
    """Return the address to which the first letter to somebody that holds these words is answered."""
    raw = next(raw for to, raw in room.outbox.sent if to == sender and words.encode() in raw)
    return next(line for line in raw.decode().split("\r\n") if line.startswith("Reply-To: "))[10:]


def survive(room: Room) -> None:
    """Sweep; where the process is killed, start a new one and sweep again."""
    try:
        swept = room.sweep(timedelta(0))
    except Killed:
        room.reopen()
        room.arena.shelf.tidy()
        swept = room.sweep(timedelta(0))
    assert not swept.troubles, swept.troubles


def outcome(room: Room) -> tuple[object, ...]:
    """Return everything that must not depend on crashes: the journal's text and the letters by identity."""
    journals = [path.read_bytes() for path in sorted((room.root / "games").rglob("journal.toml"))]
    return (journals, {message(raw): raw for _, raw in room.outbox.sent})


def message(raw: bytes) -> bytes:
    """Return the Message-ID of a letter."""
    return next(line for line in raw.split(b"\r\n") if line.startswith(b"Message-ID"))


def check(tmp_path: Path, points: list[int], clean: tuple[object, ...]) -> None:
    """Crash at each point, and compare what is left with a clean run; repeats are the same bytes."""
    for at in points:
        room, _ = play(tmp_path / f"at-{at}", at)
        assert outcome(room) == clean, f"a crash at step {at} left something different"
        by_id: dict[bytes, set[bytes]] = {}
        for _, raw in room.outbox.sent:
            by_id.setdefault(message(raw), set()).add(raw)
        assert all(len(bodies) == 1 for bodies in by_id.values())
        assert not room.mailbox.waiting
        room.arena.close()


def test_a_crash_at_any_of_some_steps_changes_nothing(tmp_path: Path) -> None:
    """Half a dozen crash points, spread over the whole script."""
    room, steps = play(tmp_path / "clean", -1)
    assert room.table().number == 2
    check(tmp_path, list(range(3, steps + 1, max(1, steps // 6))), outcome(room))


@pytest.mark.sweep
@pytest.mark.timeout(900)
def test_a_crash_at_every_step_changes_nothing(tmp_path: Path) -> None:
    """Every crash point of the script."""
    room, steps = play(tmp_path / "clean", -1)
    check(tmp_path, list(range(1, steps + 1)), outcome(room))
