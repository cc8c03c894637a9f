"""Letters that the arena writes of itself: stopped at any step of the disk, they go all the same, and no two differ."""

from datetime import timedelta
from pathlib import Path

import pytest

from pbem.ground.terms import ShelfError
from pbem.hall.keeping import alarm
from pbem.hall.store.arena import Doors
from pbem.world import shelf
from tests.conftest import Room
from tests.keeping.test_digest import MOD, moderated
from tests.killing import Axe, Killed
from tests.script import message

GWEN = "gwen@example.org"


def trouble(root: Path, at: int) -> tuple[Room, int]:
    """Have a night with a mailbox away and a game that stands still; the disk's step `at` is a crash."""
    room = Room(root)
    moderated(room)
    room.found("ada", "bo")
    charter = root / "games" / "tide-1" / "charter.toml"
    charter.write_text(charter.read_text().replace("seats", "seat", 1))
    room.reopen()
    moderated(room)
    room.write("ada@example.org", "bid 3")
    axe = Axe(at)
    shelf.STEP = axe
    try:
        for away in ("mail.example.org cannot be reached", "", ""):
            room.mailbox.away = away
            try:
                room.sweep(timedelta(hours=10))
            except Killed:
                shelf.STEP = lambda name: None
                room.reopen()
                moderated(room)
                room.arena.shelf.tidy()
                room.sweep(timedelta(0))
    finally:
        shelf.STEP = lambda name: None
    for _ in range(2):
        room.sweep(timedelta(hours=24))
    return room, len(axe.passed)


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> int:
    """How many steps the disk takes."""
    return trouble(tmp_path_factory.mktemp("clean"), -1)[1]


@pytest.mark.parametrize("stride", [4, pytest.param(1, marks=pytest.mark.sweep)])
def test_whatever_stops_us_both_moderators_hear_of_it_in_the_same_bytes(
    tmp_path: Path, steps: int, stride: int
) -> None:
    """The game's moderator that it stands still, the arena's what was odd; told twice at most, never two ways."""
    assert steps > 10
    for at in range(1, steps + 1, stride):
        room, _ = trouble(tmp_path / str(at), at)
        by_id: dict[bytes, set[bytes]] = {}
        for _, raw in room.outbox.sent:
            by_id.setdefault(message(raw), set()).add(raw)
        assert all(len(raws) == 1 for raws in by_id.values()), at
        on_file = {path.read_bytes() for path in (room.root / "desk" / "post" / "out").iterdir()}
        assert on_file <= {raw for _, raw in room.outbox.sent}, at
        assert "desk" not in room.arena.index.games.due(room.clock.now()), at
        assert any("stands still" in letter.subject for letter in room.letters(GWEN)), at
        told = ["mail.example.org cannot be reached" in "\n".join(letter.body) for letter in room.letters(MOD)]
        assert 1 <= sum(told) <= 2, at
        room.arena.close()


def test_only_what_the_system_denied_us_rings_the_alarm(room: Room) -> None:
    """A full disk is worth a letter of which nothing is kept; a lock that somebody holds, or a damaged file, is not."""
    moderated(room)
    doors = Doors(room.clock, room.mailbox, room.outbox)
    denied = ShelfError("no room")
    denied.__cause__ = OSError("no room")
    for error, rings in ((ShelfError("held by process 1"), 0), (denied, 1)):
        before = len(room.outbox.sent)
        assert alarm.ring(room.arena, doors, error, room.clock.now()) == rings == len(room.outbox.sent) - before
