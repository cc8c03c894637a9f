"""The terminal: what is done to all games of an arena, and how far long work is."""

import sys
import time
from datetime import timedelta
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.cli import common, pbem
from pbem.hall.commands import opening
from pbem.hall.store import catalogue
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
