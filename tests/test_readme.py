"""The README is true: its letters are what the program writes, its commands exist, its files are there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from click import Context

from pbem.cli import pbem
from pbem.hall.store.catalogue import rulesets_known
from pbem.rulesets.rumble.powers.archive import archive
from pbem.rulesets.rumble.powers.language.runnable import runs
from pbem.world.settings import templates
from tests.conftest import Room

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
HEROES = {"ada": "Mantisman", "bo": "Doctor Cuttlefish", "cy": "Plastiquegirl"}
ORDERS = "attack Cuttlefish 20\nattack Plastiquegirl 10\ndefend 50\n"


@pytest.fixture
def third_round(tmp_path: Path) -> Iterator[Room]:
    """The game that the README shows: three heroes, one on 80 Energy, in their first round."""
    room = Room(tmp_path / "arena", rulesets_known(), templates())
    room.found(*HEROES, ruleset="rumble", name="ember-7", names=HEROES, review=("powers",))
    while room.table("ember-7").title != "Round 1":
        room.sweep(timedelta(hours=12))
    room.write("gwen@example.org", "set energy Mantisman 80 because README\nset energy Plastiquegirl 70 because README")
    room.sweep()
    yield room
    room.arena.close()


def test_the_receipt_and_the_report_are_what_the_program_writes(third_round: Room) -> None:
    """The mail in the README has the receipt in the README, and the round ends in its report."""
    room = third_round
    assert ORDERS.strip() in README
    room.write("ada@example.org", ORDERS)
    room.sweep()
    receipt = room.last("ada@example.org").partition("Deadline")[0].strip()
    assert receipt in README, receipt
    room.write("bo@example.org", "attack Mantisman 40")
    room.write("cy@example.org", "attack Mantisman 20")
    room.sweep()
    report = room.last("cy@example.org").partition("Rulings")[0].strip()
    assert report in README, report


def test_every_command_of_the_readme_exists() -> None:
    """`pbem NAME` in the README is a command of the terminal."""
    named = set(re.findall(r"\bpbem (?:--arena \S+ )?([a-z]+)\b", "\n".join(re.findall(r"`+[^`]+`+", README))))
    assert named
    assert [name for name in named - {"by"} if pbem.get_command(Context(pbem), name) is None] == []


def test_every_file_of_the_readme_is_there() -> None:
    """What "to change ... open ..." names can be opened."""
    files = re.findall(r"`((?:pbem|templates|tests|games)/[\w./-]+)`", README)
    assert len(files) > 8
    assert [name for name in files if not (ROOT / name).exists()] == []


def test_each_of_the_two_commands_stands_alone() -> None:
    """Either sets up all that it needs, so that a fresh machine can begin with it."""
    commands = [line.strip() for line in README.split("\n") if line.startswith("    python3 -m venv")]
    assert len(commands) == 2
    assert "pbem demo" in commands[0] and commands[1].endswith("pytest")
    assert all("pip install" in command for command in commands)


def test_the_readme_says_how_many_powers_run() -> None:
    """All of the archive do, and as many as it says there are."""
    assert all(runs(power.lines) for power in archive())
    assert f"runs by itself: all {len(archive())} do" in " ".join(README.split())


def test_every_promise_of_the_readme_is_a_test_file_of_that_name() -> None:
    """The words are those with which the file begins, G1 to G14."""
    promised = dict(re.findall(r"^\| \[(G[0-9]+)\]\(.+?\) \| (.+) \|$", README, re.MULTILINE))
    assert list(promised) == [f"G{number}" for number in range(1, 15)]
    for name, file in re.findall(r"\[(G[0-9]+)\]\((.+?)\)", README):
        doc = ast.get_docstring(ast.parse((ROOT / file).read_text(encoding="utf-8")))
        assert doc and doc.split("\n\n")[0] == f"{name}. {promised[name]}", file
