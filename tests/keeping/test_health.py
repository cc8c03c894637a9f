"""The health file: good while mailbox and mail server answer, and in words what is wrong when they do not."""

import os
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from pbem.daemon import Daemon
from pbem.hall.keeping import health
from pbem.hall.store.arena import Doors
from pbem.letters.reading import read
from pbem.table.incoming import player_mail
from pbem.world import log
from pbem.world.index import Index
from pbem.world.index.counters import Counted
from pbem.world.log import SILENT
from tests.conftest import Room, steady

WITHIN = timedelta(minutes=15)


def watched(room: Room) -> Daemon:
    """Put a daemon around a room."""
    return Daemon(room.arena, Doors(room.clock, room.mailbox, room.outbox), SILENT, steady(room))


def ills(room: Room) -> list[str]:
    """Say what is wrong now."""
    return health.problems(room.arena, health.read(room.arena), WITHIN, room.clock.now())


def test_an_arena_that_was_never_swept_is_not_well(room: Room) -> None:
    """There is no file, and it says how to begin."""
    assert ills(room) == ["No sweep has been made here yet. Start the daemon: pbem run"]


def test_an_arena_that_others_can_look_into_is_told(room: Room) -> None:
    """As one is that was made by hand; only a person can say whether somebody else has business there."""
    watched(room).wake()
    room.root.chmod(0o755)
    assert [ill for ill in ills(room) if f"chmod go= {room.root}" in ill] == ills(room) != []
    room.root.chmod(0o700)
    assert ills(room) == []


@pytest.mark.parametrize("before", [(), ("index.sqlite",), ("index.sqlite", "index.sqlite-wal", "index.sqlite-shm")])
def test_what_sqlite_writes_is_ours_alone(tmp_path: Path, before: tuple[str, ...]) -> None:
    """Whatever the umask, and what an older release left open; also what it writes beside the index."""
    held = os.umask(0)
    try:
        index = Index(tmp_path / "index.sqlite")
        index.counters.increment(Counted(what="something"))
        for name in before:
            (tmp_path / name).chmod(0o644)
        other = Index(tmp_path / "index.sqlite") if before else index
        assert {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == dict.fromkeys(
            ("index.sqlite", "index.sqlite-wal", "index.sqlite-shm"), 0o600
        )
        other.close()
        index.close()
    finally:
        os.umask(held)


def test_all_is_well_after_a_good_sweep_until_it_is_old(room: Room) -> None:
    """The file has the time; a daemon that has stopped is told by its age."""
    watched(room).wake()
    assert ills(room) == []
    room.clock.advance(timedelta(minutes=16))
    assert ills(room) == ["The last sweep was at 2026-11-23 12:00 UTC. Is the daemon running?"]


def test_a_mailbox_that_is_away_too_long_is_told_by_what_it_said(room: Room) -> None:
    """A minute of outage is nothing; after a while it is an ill, until the next good sweep."""
    around = watched(room)
    around.wake()
    room.mailbox.away = "mail.example.org cannot be reached"
    for _ in range(14):
        room.clock.advance(timedelta(minutes=1))
        around.wake()
        assert ills(room) == []
    for _ in range(5):
        room.clock.advance(timedelta(minutes=1))
        around.wake()
    assert ills(room) == ["mail.example.org cannot be reached"]
    room.mailbox.away = ""
    around.wake()
    assert ills(room) == []


def test_letters_that_wait_too_long_are_told(room: Room) -> None:
    """Six hours without a mail server that takes letters is for somebody to look at, across restarts."""
    room.found("ada", "bo")
    watched(room).wake()
    room.outbox.down = True
    room.write("ada@example.org", "bid 3")
    for _ in range(7):
        watched(room).wake()
        room.clock.advance(timedelta(hours=1))
    watched(room).wake()
    told = ills(room)
    assert told[0] == "the mail server is away"
    assert told[1] == "1 letter waits for the mail server, the first since 2026-11-23 12:02 UTC."


def test_letters_that_come_and_go_are_no_ill_however_long_some_letter_waits(room: Room) -> None:
    """What counts is how long the oldest has waited, not since when there was always one."""
    room.found("ada", "bo")
    around = watched(room)
    for hour in range(9):
        room.outbox.down = False
        around.wake()
        room.outbox.down = True
        room.write("ada@example.org", f"bid {hour}")
        around.wake()
        assert room.arena.index.outgoing.waiting()[0] == 1
        assert ills(room) == []
        room.clock.advance(timedelta(hours=1))


UNTOLD = "tide-1 stands still, and no letter has told its moderator yet; the log and pbem check say why."


@pytest.mark.parametrize(
    ("spoilt", "down", "heard"),
    [
        ("seats = 2", False, "tide-1 stands still; its moderator was told why."),
        ("seats = 2", True, UNTOLD),
        ("moderator =", False, UNTOLD),
    ],
)
def test_a_game_that_stands_still_is_told(room: Room, spoilt: str, down: bool, heard: str) -> None:
    """Monitoring hears of it; that its moderator was told it says only once a letter has left, and to somebody."""
    room.found("ada", "bo")
    charter = room.root / "games" / "tide-1" / "charter.toml"
    charter.write_text(charter.read_text().replace(spoilt, f"rubbish {spoilt}"))
    room.arena.drop(room.arena.games()[0])
    room.write("ada@example.org", "bid 3")
    room.outbox.down = down
    watched(room).wake()
    assert heard in ills(room)
    assert any("stands still" in letter.subject for letter in room.letters("gwen@example.org")) == (heard != UNTOLD)


def test_all_is_well_is_never_said_beside_a_trouble(room: Room) -> None:
    """What is too short for an alarm is told as what it is, and nobody is called for it."""
    around = watched(room)
    around.wake()
    room.mailbox.away = "mail.example.org cannot be reached"
    room.clock.advance(timedelta(minutes=1))
    around.wake()
    found = health.read(room.arena)
    assert found and ills(room) == []
    said = health.state(found, [])
    assert said == ["Last good sweep: 2026-11-23 12:00 UTC. At the last sweep:", "mail.example.org cannot be reached"]
    room.mailbox.away = ""
    around.wake()
    found = health.read(room.arena)
    assert found and health.state(found, ills(room)) == ["All is well. Last good sweep: 2026-11-23 12:01 UTC"]


def test_a_reply_to_the_letter_that_a_game_stands_still_reaches_that_game(room: Room) -> None:
    """Once the game is mended, what its moderator answered is done, without a confirmation."""
    room.found("ada", "bo")
    charter = room.root / "games" / "tide-1" / "charter.toml"
    text = charter.read_text()
    charter.write_text(text.replace("seats = 2", "seats = two"))
    room.arena.drop(room.arena.games()[0])
    room.write("ada@example.org", "bid 3")
    watched(room).wake()
    assert room.letters("gwen@example.org")[-1].subject == "[tide-1] stands still"
    room.write("gwen@example.org", "extend 24h because the game stood still")
    charter.write_text(text)
    room.sweep()
    assert [ruled.ruling.show() for ruled in room.table().rulings] == ["extend 1 day"]
    assert "bid 3" in room.table().sets.hand["ada"].orders


def test_a_mail_that_took_long_is_taken_logged_and_told_of_for_a_day(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is taken like any other; whoever looks learns which it was."""
    room.found("ada", "bo")
    told = StringIO()
    daemon = Daemon(room.arena, Doors(room.clock, room.mailbox, room.outbox), log.to(told), steady(room))
    clock, take = [0.0], player_mail.take

    def slowly(*said: Any) -> Any:
        clock[0] += 3
        return take(*said)

    monkeypatch.setattr(player_mail, "take", slowly)
    room.arena.steady = lambda: clock[0]
    slow = room.write("ada@example.org", "bid 3")
    daemon.wake()
    assert room.table().sets.hand["ada"].orders == ("bid 3",)
    message_id = read(slow.raw).message_id
    assert any(message_id in line and "seconds" in line and "3.0" in line for line in told.getvalue().splitlines())
    for hours, is_told in ((20, True), (5, False)):
        room.clock.advance(timedelta(hours=hours))
        daemon.wake()
        found = health.read(room.arena)
        assert found and ills(room) == []
        assert any(message_id in line for line in health.state(found, ["The disk is full."])) == is_told
        assert any(message_id in line and "3 s to read" in line for line in health.state(found, [])) == is_told
