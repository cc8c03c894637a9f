"""
G12. A person's edits of the files are never lost or half-read.

A valid one becomes a ruling; any other pauses that game, with file and line, and is left as it stands.
"""

import os
import tomllib
from pathlib import Path
from typing import Any

import pytest

from pbem.hall.store import arena
from pbem.table.incoming import player_mail
from pbem.world import shelf
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


def test_an_edit_is_seen_by_the_next_sweep_though_nobody_writes(room: Room, file: Path) -> None:
    """A good one is ruled, a mistake stops the game with its line, in the charter too; mended, it goes on at once."""
    edit(file, '"coins of ada" = 10', '"coins of ada" = 7')
    room.sweep()
    assert room.table().state.coins["ada"] == 7
    charter = file.with_name("charter.toml")
    for path, old, new in ((file, '"coins of ada" = 7', '"coins of ada" = seven'), (charter, "seats = 2", "seats = x")):
        sound = path.read_bytes()
        edit(path, old, new)
        for _ in range(2):
            assert any(f"{path.name}, line" in trouble for trouble in room.sweep().troubles)
        path.write_bytes(sound)
        assert not room.sweep().troubles
    head = room.table().head
    room.sweep()
    assert room.table().head == head


def test_of_many_games_each_is_looked_at_in_turn(room: Room, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sweep looks at so many, so that thousands cost it no more, and the next one at the next."""
    monkeypatch.setattr(arena, "LOOKED_AT", 2)
    for name in ("tide-0", "tide-2", "tide-3", "tide-4"):
        room.invite("ada", "bo", name=name)
    room.sweep()
    sound = {name: room.root / "games" / name / "charter.toml" for name in ("tide-0", "tide-1", "tide-4")}
    for path in sound.values():
        edit(path, "seats = 2", "seats = x")
    troubles = [trouble for _ in range(4) for trouble in room.sweep().troubles]
    assert all(any(f"{name}/charter.toml, line" in trouble for trouble in troubles) for name in sound)


def test_an_edit_that_leaves_the_files_stamp_as_it_was_is_ruled_at_the_next_mail(room: Room, file: Path) -> None:
    """As long as before, and in the same tick of the file system's clock: our memory of the file is not believed."""
    room.write(GWEN, "status")
    room.sweep()
    found = file.stat()
    edit(file, '"coins of ada" = 10', '"coins of ada" = 11')
    os.utime(file, ns=(found.st_atime_ns, found.st_mtime_ns))
    room.write(GWEN, "status")
    assert not room.sweep().troubles
    assert room.table().state.coins["ada"] == 11


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


def edited_at(begun: Room, root: Path, at: int) -> tuple[str, int]:
    """Let a person save the file at one step of the disk as mail is taken; say what became of it, and count steps."""
    room = begun.copied(root)
    file = root / "games" / "tide-1" / "state.toml"
    count = 0

    def step(name: str) -> None:
        nonlocal count
        count += 1
        if count == at:
            edit(file, '"coins of bo" = 10', '"coins of bo" = 6')

    for who in ("ada@example.org", "bo@example.org"):
        room.write(who, "bid 3" if who < "b" else "bid 2\npress to all: hello")
    shelf.STEP = step
    try:
        room.sweep()
    finally:
        shelf.STEP = lambda name: None
    room.write(GWEN, "status")
    troubles = room.sweep().troubles
    is_kept = '"coins of bo" = 6\n' in file.read_text()
    given = [(one.get("key"), one.get("value")) for entry in journal(root) for one in entry.get("rulings", ())]
    told = "ruled" if ("coins of bo", 6) in given else "kept" if troubles and is_kept else "neither"
    if troubles:
        assert "has moved on since. Delete it, and edit the new one." in troubles[0]
        assert any("stands still" in letter.subject for letter in room.letters(GWEN))
        assert is_kept
        file.unlink()
        assert not room.sweep().troubles
    sent = [letter.subject for letter in room.letters("ada@example.org")]
    assert sum("Tide 2" in subject for subject in sent) == 1 and room.table().number == 2
    room.arena.close()
    return told, count


def journal(root: Path) -> list[dict[str, Any]]:
    """Return all entries of the game."""
    files = sorted((root / "games" / "tide-1").glob("phase-*/journal.toml"))
    return [entry for file in files for entry in tomllib.loads(file.read_text())["entry"]]


@pytest.mark.parametrize("stride", [7, pytest.param(1, marks=pytest.mark.sweep)])
def test_an_edit_that_is_saved_while_we_write_is_ruled_or_kept(begun: Room, tmp_path: Path, stride: int) -> None:
    """Saved before the commit it becomes a ruling; behind it the file is left alone and the moderator told."""
    _, steps = edited_at(begun, tmp_path / "clean", -1)
    found = [edited_at(begun, tmp_path / f"at-{at}", at)[0] for at in range(1, steps, stride)]
    assert set(found) == {"ruled", "kept"} and found[0] == "ruled", found


def test_an_edit_that_is_saved_while_we_reckon_is_read_first(
    begun: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was reckoned without it is dropped, and the mail taken again behind the ruling that it became."""
    room = begun.copied(tmp_path / "arena")
    file = room.root / "games" / "tide-1" / "state.toml"
    take = player_mail.take

    def saved_meanwhile(*known: Any) -> Any:
        if '"coins of bo" = 10' in file.read_text():
            edit(file, '"coins of bo" = 10', '"coins of bo" = 2')
        return take(*known)

    monkeypatch.setattr(player_mail, "take", saved_meanwhile)
    room.write("bo@example.org", "bid 3")
    assert not room.sweep().troubles
    assert room.table().state.coins["bo"] == 2 and not room.table().sets.hand
    assert "you have 2" in room.last("bo@example.org")
    room.arena.close()
