"""The terminal: every command does its work, and errors are one line with what to do."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbem import cli
from pbem.terms import CharterError, WorldError
from pbem.world.clock import FastClock
from pbem.world.post_office import PostOffice
from tests.conftest import NOON

PEOPLE = ("arena", "gwen", "ada", "bo")


@pytest.fixture
def arena(tmp_path: Path) -> Path:
    """An arena on disk, whose mail lies at a post office that is shut."""
    office = PostOffice(tmp_path / "mail", [f"{name}@example.org" for name in PEOPLE], FastClock(NOON))
    root = tmp_path / "arena"
    root.mkdir(mode=0o700)
    maildir = office.maildir("arena@example.org")
    (root / "settings.toml").write_text(
        f'[arena]\naddress = "arena@example.org"\n[mailbox]\npath = "{maildir}"\n[outbox]\nport = 1\n'
    )
    return root


def run(arena: Path, *words: str) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(cli.pbem, ["--arena", str(arena), *words])


def found(arena: Path, name: str = "ember-7", *more: str) -> Result:
    """Found a game of two."""
    people = ["--invite", "ada@example.org", "--invite", "bo@example.org"]
    return run(arena, "new", "rumble", name, "--moderator", "gwen@example.org", *people, *more)


def test_new_prints_the_charter_and_games_lists_it(arena: Path) -> None:
    """The charter is echoed whole; the list has the game, for people and for programs."""
    done = found(arena, "ember-7", "--house", "stalemate=none", "--calendar", "round=every Tue and Fri 20:00")
    assert done.exit_code == 0, done.output
    assert 'stalemate = "none"' in done.output and "every Tue and Fri 20:00" in done.output
    run(arena, "reindex")
    assert "ember-7" in run(arena, "games").output
    assert json.loads(run(arena, "games", "--json").output)[0]["name"] == "ember-7"


@pytest.mark.parametrize(
    ("words", "heard"),
    [
        (["--house", "stalemat=none"], 'no house rule "stalemat"'),
        (["--house", "stalemate=often"], "Expected one of: fatigue"),
        (["--calendar", "round=whenever"], "every Tue and Fri 20:00"),
        (["--zone", "Lundon"], "Did you mean"),
        (["--seats", "99"], "2 to 32 seats"),
    ],
)
def test_a_charter_with_a_mistake_is_refused_with_its_line(arena: Path, words: list[str], heard: str) -> None:
    """File, line and what was expected; nothing is written."""
    done = found(arena, "ember-7", *words)
    assert isinstance(done.exception, CharterError)
    assert heard in str(done.exception) and "line" in str(done.exception)
    assert not (arena / "games" / "ember-7").exists()


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("[arena]\naddress = 7\n", "line 2: arena.address: expected `str`, got `int`"),
        ("[arena]\naddres = 'a@b'\n", "line 2: arena.addres: object contains unknown field"),
        ("[arena]\naddress = 'ab'\n[mailbox]\npath = 'x'\n", "line 2: address: expected one mail address"),
        ("[arena\n", "line 1"),
        ("[arena]\naddress = 'a@b.c'\n", "mailbox"),
    ],
)
def test_settings_with_a_mistake_name_file_and_line(arena: Path, text: str, heard: str) -> None:
    """What is there, where, and what was expected."""
    (arena / "settings.toml").write_text(text)
    done = run(arena, "games")
    assert isinstance(done.exception, CharterError)
    assert heard in str(done.exception), str(done.exception)
    assert "settings.toml" in str(done.exception)


def test_show_and_rule_work_without_mail(arena: Path) -> None:
    """`pbem rule` takes the lines of a letter, prints the echo, and exits 1 where a line was refused."""
    found(arena)
    shown = run(arena, "show", "ember-7")
    assert "phase 0, Sign-up" in shown.output
    done = run(arena, "rule", "ember-7", "--phase", "0", "status")
    assert done.exit_code == 0 and "Who has ordered" in done.output
    refused = run(arena, "rule", "ember-7", "--phase", "0", "begin")
    assert refused.exit_code == 1 and "It takes 2 seats to begin" in " ".join(refused.output.split())
    other = run(arena, "rule", "ember-7", "--phase", "3", "note hello")
    assert other.exit_code == 1


def test_an_unknown_game_is_one_line_with_what_to_do(arena: Path) -> None:
    """The error names the game and the command that lists those there are."""
    done = run(arena, "show", "nowhere")
    assert isinstance(done.exception, CharterError)
    assert "To list them: pbem games" in str(done.exception)


def test_a_folder_that_is_no_arena_says_so(tmp_path: Path) -> None:
    """Exit code 78 and one line on stderr, no traceback."""
    done = subprocess.run(
        [sys.executable, "-m", "pbem", "--arena", str(tmp_path), "games"],
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    assert done.returncode == 78
    assert done.stderr.startswith("pbem: ") and done.stderr.count("\n") == 1
    assert "is no arena" in done.stderr


def test_a_mail_server_that_is_away_costs_nothing(arena: Path) -> None:
    """The sweep says what it could not send and exits 1; the letters wait."""
    found(arena)
    done = run(arena, "sweep")
    assert done.exit_code == 1
    assert "put off" in done.output


def test_reports_of_a_game_without_any_are_refused(arena: Path) -> None:
    """`pbem report` says that there is none yet."""
    found(arena)
    done = run(arena, "report", "ember-7")
    assert isinstance(done.exception, WorldError) and "no report yet" in str(done.exception)


def test_the_daemon_sweeps_and_stops_when_told(arena: Path) -> None:
    """`pbem run` sweeps at once, a second one is told who holds the arena, and SIGTERM ends it with exit code 0."""
    found(arena)
    command = [sys.executable, "-u", "-m", "pbem", "--arena", str(arena), "run"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as daemon:
        assert daemon.stdout is not None
        line = daemon.stdout.readline()
        assert "invitation" in line or "letters out" in line
        second = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
        assert second.returncode == 75
        assert f"held by process {daemon.pid}" in second.stderr
        os.kill(daemon.pid, signal.SIGTERM)
        assert daemon.wait(timeout=20) == 0
