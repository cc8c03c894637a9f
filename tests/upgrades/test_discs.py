"""A battle that version 1 of the discs' rules left in a phase goes on, under the rules of today, and is told of them."""

from datetime import timedelta
from pathlib import Path

from pbem.ground.terms import GameName
from pbem.hall.commands import replay_check
from pbem.rulesets.discs.bots import BOTS
from tests.conftest import Room, flat
from tests.upgrades import left_open

ADA, BO, CY, GWEN = (f"{name}@example.org" for name in ("ada", "bo", "cy", "gwen"))
GOES = """card 1: throw at Bo
throw at Bo
attack nearest"""
"""What Ada sends, and sent to version 1, which had Bo De-Rezzed by it with two cards in hand."""


def replayed(room: Room) -> list[int]:
    """Fold the whole game again, find it the same, and return the older versions that its phases were played under."""
    words = replay_check.Words(room.arena.words, room.arena.wording)
    folder, seed = room.root / "games" / "discs-1", room.arena.seed(GameName("discs-1"))
    phases = list(replay_check.replay(folder, room.rulesets, words, seed))
    assert [phase.difference for phase in phases] == [""] * len(phases)
    return [phase.version for phase in phases]


def test_a_phase_that_was_open_goes_on_and_who_was_told_to_block_dodges(tmp_path: Path) -> None:
    """What Bo had said lasts, and is shown with what it comes to now; sets that had come count, and the battle ends."""
    room = left_open("discs-1", tmp_path, entries=2)
    assert not room.sweep().troubles
    told = flat(room.last(BO))
    assert "Who is told on disc: block, and has no Disc in hand, Dodges" in told
    room.write(BO, "hold")
    room.sweep()
    assert (
        ": on disc: block (as you said before) as things stand: your Disc is out, so no Block: you would Dodge"
        in flat(room.last(BO))
    )
    room.write(ADA, GOES)
    room.sweep(timedelta(minutes=30))
    assert room.last(GWEN).startswith("To the moderator alone. Proof "), room.last(GWEN)
    assert "across Bo: dodges (1 held)" in flat(room.last(GWEN))
    room.write(GWEN, f"approve {room.table().proof}")
    assert not room.sweep().troubles
    table = room.table()
    assert table.title == "Turn 2, first half" and not table.state.program("bo").out
    assert replayed(room) == [1, 1, 0, 0][: len(replayed(room))]
    room.play(BOTS["hunter"], "discs-1")
    assert room.table().status == "over"
    room.arena.close()


def test_who_sends_nothing_is_waited_for_as_before(tmp_path: Path) -> None:
    """Bo's reactions stand without a new set, and Ada's deadline passes."""
    room = left_open("discs-1", tmp_path, entries=0)
    assert not room.sweep().troubles
    room.sweep(timedelta(hours=73))
    room.write(GWEN, f"approve {room.table().proof}")
    assert not room.sweep().troubles
    assert room.table().title == "Turn 2, first half"
    assert room.table().state.program("bo").kept == ("on disc: block", "on my disc: never", "recall: never")
    room.arena.close()


def test_a_proof_of_it_waits_for_the_rules_that_made_it(tmp_path: Path) -> None:
    """As any proof does."""
    room = left_open("discs-1", tmp_path)
    (trouble,) = room.sweep().troubles
    assert "phase 2 was closed under version 1 of its rules and is not published" in trouble
    room.arena.close()
