"""Press to one's own team: to those on the same side, and to nobody else, whatever the game."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.hall.store.catalogue import rulesets_known
from pbem.table.incoming.press import TEAM
from tests.conftest import Room, flat
from tests.depth import some

PLAYERS = ("ada", "bo", "cy", "dee")


@pytest.fixture(params=["brawl", "discs"])
def rooms(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Room]:
    """Lend an arena with one ruleset that knows teams."""
    room = Room(tmp_path, {request.param: rulesets_known()[request.param]})
    yield room
    room.arena.close()


def heard(room: Room, text: str) -> set[str]:
    """Return who has had a letter with a text in it."""
    return {
        name
        for name in (*PLAYERS, "gwen")
        if any(text in flat("\n".join(letter.body)) for letter in room.letters(f"{name}@example.org"))
    }


@pytest.mark.parametrize("said", some(4, TEAM))
def test_press_to_the_team_reaches_the_others_on_it_alone(rooms: Room, said: str) -> None:
    """Seats are dealt into two teams in turn: Ada plays with Cy."""
    rooms.found(*PLAYERS, press="private", house={"teams": "2"})
    rooms.write("ada@example.org", f"press to {said}: let us begin with Bo")
    rooms.sweep()
    assert heard(rooms, "let us begin with Bo") == {"ada", "cy"}


def test_the_handbook_names_the_team_where_there_are_some(rooms: Room) -> None:
    """Only where press may be private."""
    rooms.found(*PLAYERS, press="private", house={"teams": "2"})
    rooms.write("ada@example.org", "help")
    rooms.sweep()
    assert "| press to team: one line" in rooms.last("ada@example.org")


@pytest.mark.parametrize(
    ("terms", "because"),
    some(
        3,
        [
            ({"press": "public", "house": {"teams": "2"}}, "Press is public in this game"),
            ({"press": "private"}, "There are no teams in this game"),
            ({"press": "none", "house": {"teams": "2"}}, "played without press"),
        ],
    ),
)
def test_press_to_the_team_is_refused_where_there_is_none(rooms: Room, terms: dict[str, Any], because: str) -> None:
    """The sender hears why, and nobody hears the words; the handbook does not offer it."""
    rooms.found(*PLAYERS, **terms)
    rooms.write("ada@example.org", "press to team: let us begin with Bo")
    rooms.sweep()
    assert because in flat(rooms.last("ada@example.org"))
    assert heard(rooms, "let us begin with Bo") <= {"ada"}
    rooms.write("ada@example.org", "help")
    rooms.sweep()
    assert "press to team" not in rooms.last("ada@example.org")


def test_nobody_takes_the_name_of_the_team(rooms: Room) -> None:
    """Press to it would go to somebody else."""
    rooms.invite("ada", "bo")
    rooms.write("ada@example.org", "join as Team")
    rooms.sweep()
    assert rooms.table().seats == {}


def test_press_to_the_team_is_refused_before_there_are_any(rooms: Room) -> None:
    """During sign-up nobody knows who is on which side."""
    rooms.invite(*PLAYERS, press="private", house={"teams": "2"})
    rooms.write("ada@example.org", "join as Ada")
    rooms.sweep()
    rooms.write("ada@example.org", "press to team: who is with me?")
    rooms.sweep()
    assert "Teams are known once the game has begun" in flat(rooms.last("ada@example.org"))
