"""A person's edit of `state.toml` is never lost and never half-read."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.conftest import Room

GWEN = "gwen@example.org"


@pytest.fixture
def file(room: Room) -> Path:
    """The file of a game in its first tide."""
    room.found("ada", "bo")
    return room.root / "games" / "tide-1" / "state.toml"


def edit(file: Path, old: str, new: str) -> None:
    """Change the file as a person would in an editor."""
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_an_edited_fact_becomes_a_ruling_that_can_be_taken_back(room: Room, file: Path) -> None:
    """The change is journaled with its reason, echoed to the moderator, and undone like any ruling."""
    edit(file, '"coins of ada" = 10', '"coins of ada" = 7')
    room.write(GWEN, "status")
    room.sweep()
    assert room.table().state.coins["ada"] == 7
    assert any("edited by hand" in "\n".join(letter.body) for letter in room.letters(GWEN))
    room.write(GWEN, "undo")
    room.sweep()
    assert room.table().state.coins["ada"] == 10
    assert '"coins of ada" = 10' in file.read_text()


def test_an_edit_that_does_not_parse_stops_the_game_with_its_line(room: Room, file: Path) -> None:
    """Nothing is overwritten; the moderator is told file and line; mended, the game goes on."""
    edit(file, '"coins of ada" = 10', '"coins of ada" = ten')
    broken = file.read_text()
    room.write(GWEN, "status")
    swept = room.sweep()
    assert any("state.toml, line" in trouble for trouble in swept.troubles)
    assert file.read_text() == broken
    assert any("stands still" in letter.subject for letter in room.letters(GWEN))
    edit(file, '"coins of ada" = ten', '"coins of ada" = 8')
    assert not room.sweep().troubles
    assert room.table().state.coins["ada"] == 8


def test_what_is_derived_cannot_be_edited(room: Room, file: Path) -> None:
    """A changed title is refused with its line, so that nobody believes it did something."""
    edit(file, 'title = "Tide 1"', 'title = "Tide 9"')
    room.write(GWEN, "status")
    assert any("title is derived" in trouble for trouble in room.sweep().troubles)


def test_a_file_that_is_gone_is_written_again(room: Room, file: Path) -> None:
    """It is derived: losing it loses nothing."""
    before = tomllib.loads(file.read_text())
    file.unlink()
    room.write(GWEN, "status")
    room.sweep()
    after = tomllib.loads(file.read_text())
    assert after["facts"] == before["facts"] and after["entry"] == before["entry"] + 1
