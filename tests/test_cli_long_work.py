"""The terminal: what is done to all games of an arena, and how far long work is."""

import errno
import io
import sys
import time
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.cli import common, pbem
from pbem.ground.terms import GameName
from pbem.hall.commands import opening
from pbem.hall.store import catalogue
from pbem.hall.store.arena import Arena
from pbem.hall.sweep import reindexing
from tests.conftest import Room


def test_an_arena_is_replayed_as_a_whole(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """What differs is told of by game, and of the others the sum; on a terminal how far it is."""
    for name in ("tide-1", "tide-2", "tide-3"):
        room.found("ada", "bo", name=name)
    room.sweep(timedelta(hours=80))
    room.arena.close()
    monkeypatch.setattr(catalogue, "rulesets_known", lambda: room.rulesets)
    monkeypatch.setattr(opening, "rulesets_known", lambda: room.rulesets)
    said = CliRunner().invoke(pbem, ["--arena", str(room.root), "replay"])
    assert said.exit_code == 0 and said.stdout.startswith("3 games: ") and said.stdout.endswith("identical.\n"), said
    outcome = room.root / "games" / "tide-2" / "phase-01" / "outcome.toml"
    outcome.write_text(outcome.read_text().replace("ada", "bob"))
    (room.root / "games" / "tide-3" / "charter.toml").write_text("what?")
    said = CliRunner().invoke(pbem, ["--arena", str(room.root), "replay"])
    assert said.exit_code == 1 and "tide-2: " in said.stdout and "tide-3: " in said.stdout, said.stdout
    assert said.stdout.endswith("2 games of 3 cannot be replayed, or differ.\n")


@pytest.mark.parametrize("command", ["reindex", "games"])
def test_a_lost_index_is_filled_once_and_shows_how_far_it_is(
    room: Room, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """By whichever command comes first; afterwards it is as it was."""
    for name in ("tide-1", "tide-2", "tide-3"):
        room.found("ada", "bo", name=name)
    before = [row.name for row in room.arena.index.games.rows()]
    room.arena.close()
    (room.root / "index.sqlite").unlink()
    (room.root / "settings.toml").write_text('[arena]\naddress = "arena@example.org"\n[mailbox]\npath = "mail"\n')
    monkeypatch.setattr(opening, "rulesets_known", lambda: room.rulesets)
    read: list[str] = []
    index = reindexing._index

    def noted(arena: Arena, game: GameName) -> None:
        read.append(game)
        index(arena, game)

    monkeypatch.setattr(reindexing, "_index", noted)
    monkeypatch.setattr(common, "SOON", 0)
    screen = _Terminal()
    with monkeypatch.context() as within:
        within.setattr("sys.stderr", screen)
        with suppress(SystemExit):
            pbem(["--arena", str(room.root), command])
        assert "1 of 3 indexed" in screen.getvalue()
    assert read == ["tide-1", "tide-2", "tide-3"]
    room.reopen()
    assert [row.name for row in room.arena.index.games.rows()] == before


class _Terminal(io.StringIO):
    """A screen that keeps what was shown on it."""

    def isatty(self) -> bool:
        """Say that it is one."""
        return True


class _Gone(_Terminal):
    """A screen that has gone away."""

    def write(self, _text: str) -> int:
        """Fail as a terminal does that was hung up."""
        raise OSError(errno.EIO, "Input/output error")


@pytest.mark.parametrize("screen", [None, _Gone()], ids=["closed", "gone"])
def test_work_is_done_where_nothing_can_be_shown(monkeypatch: pytest.MonkeyPatch, screen: object) -> None:
    """As where a shell has closed the stream for errors, or a terminal was hung up."""
    monkeypatch.setattr(common, "SOON", 0)
    done: list[int] = []
    with monkeypatch.context() as within:
        within.setattr(sys, "stderr", screen)
        with common.progress("indexed", 20_000) as told:
            for number in range(3):
                told(number)
                done.append(number)
    assert done == [0, 1, 2]


def test_work_that_takes_long_shows_how_far_it_is(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """On a terminal alone, not at every step, and nothing of it is left at the end."""
    moments = iter(range(100))
    monkeypatch.setattr(time, "monotonic", lambda: next(moments))
    for is_terminal in (True, False):
        monkeypatch.setattr(sys.stderr, "isatty", lambda is_terminal=is_terminal: is_terminal)
        with common.progress("indexed", 20_000) as told:
            for number in (1, 2, 3):
                told(number)
        said = capsys.readouterr()
        assert (said.err, said.out) == ("\r2 of 20000 indexed\r3 of 20000 indexed\r\033[K" if is_terminal else "", "")
