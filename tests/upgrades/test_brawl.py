"""A brawl that version 3 of its rules left in a turn, a phase of its own, goes on, and its round comes out as before."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

from pbem.ground.terms import GameName, Refused
from pbem.hall.commands import replay_check
from pbem.rulesets.brawl.bots import BOTS
from pbem.rulesets.brawl.language.reading import ROUNDS
from pbem.table.fold import replay
from tests.conftest import Room, flat
from tests.depth import some
from tests.upgrades import left_open

ADA, BO, GWEN = "slapsie-ada@example.org", "bo-the-anvil@example.org", "gwen@example.org"
ANSWER = """attack Slapsie Ada with b damage d
drop c regain
if Slapsie Ada drops advantage: drop a counter Slapsie Ada advantage else defend with a"""
ANSWERED = "498df1e524496fa92efc6e1d9dfa19bd"
"""The state that version 3 came to where Bo answered so."""
SILENT = "27f1f72c1593e313fcfdefd177e8d10a"
"""That where Bo said nothing."""
HURT = "9a1844beb722d76a00a7423a4b398e69"
"""That where Bo answered, and Ada was ruled to be hurt by 2."""
TIRED = "1bc02ea15aa35be35fd928910427d720"
"""That where Bo answered, and Ada's Endurance had been set to 2."""


def came_to(room: Room) -> str:
    """
    Return the digest of what the round came to, once the whole game was folded again and found the same.

    Shape: without the chart, which older releases did not draw, and without the count of the sentences that the news told.
    """
    table = room.table()
    assert (table.number, table.title) == (5, "Round 4")
    words = replay_check.Words(room.arena.words, room.arena.wording)
    folder, seed = room.root / "games" / "brawl-1", room.arena.seed(GameName("brawl-1"))
    phases = list(replay_check.replay(folder, room.rulesets, words, seed))
    assert [phase.difference for phase in phases] == [""] * len(phases)
    assert [phase.version for phase in phases] == [3] * 4 + [0] * (len(phases) - 4)
    return replay.digest(table.ruleset, msgspec.structs.replace(table.state, chart=(), stories={}))


@pytest.mark.parametrize(
    ("said", "state"),
    some(
        3,
        [
            ((ANSWER, ""), ANSWERED),
            (("", ""), SILENT),
            ((ANSWER, "do hurt Slapsie Ada 2 because of a stool"), HURT),
            ((ANSWER, "set endurance of Slapsie Ada 2 because of a slip"), TIRED),
        ],
    ),
)
def test_the_turn_that_was_open_is_answered_and_its_round_comes_out_as_before(
    tmp_path: Path, said: Sequence[str], state: str
) -> None:
    """All are told of the new rules; who is asked sees the same, and the report tells the whole round once more."""
    room = left_open("brawl-1", tmp_path, entries=0)
    assert not room.sweep().troubles
    assert "Who is asked in a round is asked alone" in flat(room.last(BO))
    room.write(BO, "status")
    room.write(ADA, "status")
    room.sweep()
    told = flat(room.last(BO))
    assert "It is your turn. Who is slower has declared: [M2] Slapsie Ada hits at Bo the Anvil with a5, c4" in told
    assert "Nothing is asked of you in Round 3." in flat(room.last(ADA))
    answer, ruling = said
    if ruling:
        room.write(GWEN, ruling)
        room.sweep()
    if answer:
        room.write(BO, answer)
        room.sweep()
    else:
        room.sweep(timedelta(hours=73))
    assert came_to(room) == state
    assert flat(room.last(ADA)).count("Slapsie Ada hits at Bo the Anvil with a5, c4 to hurt") == 1
    room.arena.close()


def test_an_answer_that_had_come_already_counts_and_the_game_goes_on_to_its_end(tmp_path: Path) -> None:
    """It is read as it was written, and the turn closes under the new rules."""
    room = left_open("brawl-1", tmp_path, entries=1)
    for _ in range(3):
        assert not room.sweep().troubles
    assert came_to(room) == ANSWERED
    room.play(BOTS["boxer"])
    assert room.table().result.winners
    room.arena.close()


def test_orders_that_wait_for_an_answer_and_no_longer_read_stop_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are in the state, not on hand; who is asked answers in this phase, and both count together."""
    room = left_open("brawl-1", tmp_path, entries=1)
    with monkeypatch.context() as newer:
        newer.setattr(ROUNDS, "read", lambda *_: Refused("unreadable", "Write let a fall."))
        troubles = {trouble for _ in range(5) for trouble in room.sweep(timedelta(hours=20)).troubles}
        assert any("from the phase before, were taken by another version of pbem" in one for one in troubles), troubles
        assert not any("damage" in one for one in troubles)
        assert room.table().number == 4
    room.reopen()
    assert not room.sweep().troubles
    assert came_to(room) == ANSWERED
    room.arena.close()


def test_dice_that_a_set_leaves_over_do_nothing_in_a_game_of_before(tmp_path: Path) -> None:
    """A round that version 4 left open comes out as it would have."""
    room = left_open("brawl-3", tmp_path, entries=2)
    assert not room.sweep().troubles
    room.sweep(timedelta(hours=80))
    room.write(GWEN, f"approve {room.table().proof}")
    room.sweep()
    table = room.table()
    assert table.title == "Round 2" and table.charter.version == 4
    fighters = [(one.name, one.endurance, one.health, one.maneuver) for one in table.state.fighters]
    assert fighters == [("Ada", 21, 3, 0), ("Bo", 11, 1, 0), ("Cy", 15, 8, 0)]
    room.arena.close()
