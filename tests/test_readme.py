"""The README is true and short: its letters are what the program writes, its promises are tests."""

import ast
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.hall.store.catalogue import rulesets_known
from pbem.world.settings import templates
from tests.conftest import Room

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
HEROES = {"ada": "Mantisman", "bo": "Doctor Cuttlefish"}
ORDERS = ("attack Cuttlefish 30", "defend 50")


@pytest.fixture
def first_round(tmp_path: Path) -> Iterator[Room]:
    """The game that the README shows: two heroes, one on 80 Energy, in their first round."""
    room = Room(tmp_path / "arena", rulesets_known(), templates())
    room.found(*HEROES, ruleset="rumble", name="ember-7", names=HEROES, review=("powers",))
    while room.table("ember-7").title != "Round 1":
        room.sweep(timedelta(hours=12))
    room.write("gwen@example.org", "set energy Mantisman 80 because README")
    room.sweep()
    yield room
    room.arena.close()


def test_its_letters_are_what_the_program_writes(first_round: Room) -> None:
    """Each of them is a part of the invitation, of the receipt for the orders that stand there, or of the report."""
    room = first_round
    assert all(f"`{order}`" in README for order in ORDERS)
    invitation = "\n".join(room.letters("ada@example.org")[0].body)
    room.write("ada@example.org", "\n".join(ORDERS))
    room.sweep()
    receipt = room.last("ada@example.org")
    room.write("bo@example.org", "attack Mantisman 60\nidle")
    room.sweep()
    report = room.last("bo@example.org")
    *shown, _ = re.findall(r"^```\n(.*?)\n```$", README, re.MULTILINE | re.DOTALL)  # the last one is the house
    assert len(shown) == 3
    for part, letter in zip(shown, (invitation, receipt, report), strict=True):
        assert part in letter, letter


def test_it_is_short() -> None:
    """Whoever opens it finds the letters, the demonstration and the doors on its first screens."""
    assert README.count("\n") <= 120


def test_each_of_the_two_commands_stands_alone() -> None:
    """Either sets up all that it needs, so that a fresh machine can begin with it."""
    commands = [line.strip() for line in README.split("\n") if line.startswith("    python3 -m venv")]
    assert len(commands) == 2
    assert "pbem demo" in commands[0] and commands[1].endswith("pytest")
    assert all("pip install" in command for command in commands)


def test_every_promise_of_the_readme_is_a_test_file_of_that_name() -> None:
    """The words are those with which the file begins, G1 to G14."""
    promised = dict(re.findall(r"^\| \[(G[0-9]+)\]\(.+?\) \| (.+) \|$", README, re.MULTILINE))
    assert list(promised) == [f"G{number}" for number in range(1, 15)]
    for name, file in re.findall(r"\[(G[0-9]+)\]\((.+?)\)", README):
        doc = ast.get_docstring(ast.parse((ROOT / file).read_text(encoding="utf-8")))
        assert doc and doc.split("\n\n")[0] == f"{name}. {promised[name]}", file
