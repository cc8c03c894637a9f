"""A game of Rumble that version 4 of its rules left in a Reveal phase goes on, and its round comes out as it would have."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pbem.ground.terms import GameName
from pbem.hall.commands import replay_check
from pbem.table.fold import replay
from tests.conftest import Room, flat
from tests.depth import some
from tests.upgrades import left_open

DEE, ELI, GWEN = "dee@example.org", "eli@example.org", "gwen@example.org"
ANSWERED = "f702dd2e0729f679290dfa0fff1b88ea"
"""The state that version 4 came to where The Breeze answered, as its journal says."""
SILENT = "290ee65d233325d9d98a997bf9828e54"
"""That where The Breeze said nothing."""
WEAKENED = "99ee0d58304ddde6bac1361e6089e878"
"""That where The Breeze answered on 50 Energy, as a ruling had set."""
STRUCK = "d3dc8963a49fe711e5dd09103efb9d89"
"""That where The Breeze answered, and Doctor Cuttlefish was ruled to lose 5."""


_REWRITTEN = {
    "Barter With Fate": "cost: discard P\nat: reveal\nchoose: P = power of me\ndo: shield me all",
    "Friends With Death": "when: round end\nif: energy(me) >= 1 and energy(me) <= 5\ndo: win me",
}
"""Lines of the archive as they were written then."""


def came_to(table: Any) -> str:
    """Return the digest of the state of a table, with lines of the archive as they were written then."""
    powers = [msgspec.structs.replace(one, lines=_REWRITTEN.get(one.name, one.lines)) for one in table.state.powers]
    return replay.digest(table.ruleset, msgspec.structs.replace(table.state, powers=tuple(powers)))


def publish(room: Room) -> str:
    """
    Let the proof of the phase out, and return the digest of what the phase came to.

    Shape: without what is kept for the last report alone, which older releases did not keep.
    """
    assert room.last(GWEN).startswith("To the moderator alone. Proof "), room.last(GWEN)
    room.write(GWEN, f"approve {room.table().proof}")
    assert not room.sweep().troubles
    table = room.table()
    assert (table.number, table.title) == (7, "Round 3")
    words = replay_check.Words(room.arena.words, room.arena.wording)
    phases = list(
        replay_check.replay(
            room.root / "games" / "rumble-2", room.rulesets, words, room.arena.seed(GameName("rumble-2"))
        )
    )
    assert [phase.difference for phase in phases] == [""] * len(phases)
    assert [phase.version for phase in phases] == [4] * 6 + [0] * (len(phases) - 6)
    return came_to(msgspec.structs.replace(table, state=msgspec.structs.replace(table.state, chart=(), unfired={})))


@pytest.mark.parametrize(
    ("said", "state"),
    some(
        4,
        [
            (("use Barter discarding Barter With Fate", ""), ANSWERED),
            (("", ""), SILENT),
            (("use Barter discarding Barter With Fate", "set energy of The Breeze 50 because of a slip"), WEAKENED),
            (("use Barter discarding Barter With Fate", "do lose Doctor Cuttlefish 5 because of a slip"), STRUCK),
        ],
    ),
)
def test_the_reveal_that_was_open_is_answered_and_its_round_comes_out_as_before(
    tmp_path: Path, said: Sequence[str], state: str
) -> None:
    """All are told of the new rules; who is asked is asked the same, and nobody else is."""
    room = left_open("rumble-2", tmp_path, entries=0)
    assert not room.sweep().troubles
    assert "Whoever wrote ask me is asked alone, in the middle of the round" in flat(room.last(DEE))
    room.write(DEE, "status")
    room.write(ELI, "status")
    room.sweep()
    told = flat(room.last(DEE))
    assert "All orders lie open to you, since you wrote to be asked." in told
    assert "67 on Captain Granite" in told and "~ use P08 discarding ____" in room.last(DEE)
    assert "Nothing is asked of you in Round 2 reveal." in flat(room.last(ELI))
    answer, ruling = said
    if ruling:
        room.write(GWEN, ruling)
        room.sweep()
    if answer:
        room.write(DEE, answer)
        room.sweep()
    else:
        room.sweep(timedelta(hours=25))
    assert room.table().status == "closed"
    assert publish(room) == state
    assert "When all lay open" in room.last(ELI)
    room.arena.close()


def test_an_answer_that_had_come_already_counts(tmp_path: Path) -> None:
    """It is read as it was written, and the phase closes under the new rules."""
    room = left_open("rumble-2", tmp_path, entries=1)
    for _ in range(3):
        assert not room.sweep().troubles
    assert publish(room) == ANSWERED
    room.arena.close()


def test_a_proof_of_it_waits_for_the_rules_that_made_it(tmp_path: Path) -> None:
    """As any proof does."""
    room = left_open("rumble-2", tmp_path)
    (trouble,) = room.sweep().troubles
    assert "phase 6 was closed under version 4 of its rules and is not published" in trouble
    room.arena.close()


PARTLY = "f4b3a9c4c4bc78cda869cd03cdce6c5e"
"""The state that version 5 came to from sets that leave Energy over and say one Defence twice."""
ASKED = "2ee026e98a954f3c41f5c3d0fa81cc90"
"""That where Ada was asked in the middle of the round, and gave a power up."""
ADA, CY = "ada@example.org", "cy@example.org"


@pytest.mark.parametrize("entries", [0, 1, 2])
def test_a_round_that_was_open_comes_out_as_before(tmp_path: Path, entries: int) -> None:
    """What its sets leave over stays idle, as its charter's rules were, and lines that are alike add up in them."""
    room = left_open("rumble-3", tmp_path, entries=entries)
    assert not room.sweep().troubles
    assert "The rules have changed" in room.last(ADA)
    sets = ((ADA, "attack Bo 20\ndefend 10\nalso defend 10"), ("bo@example.org", "attack Ada 60\nuse Laser Eyes on Cy"))
    for who, said in (*sets[entries:], (CY, "attack Bo 15")):
        room.write(who, said)
    room.sweep()
    room.sweep(timedelta(hours=80))
    table = room.table()
    assert table.title == "Round 2" and came_to(table) == PARTLY
    assert table.charter.version == 5
    room.write(ADA, "attack Bo 5")
    room.sweep()
    assert "idle 45" in room.last(ADA)
    room.arena.close()


def test_a_question_that_was_out_is_answered(tmp_path: Path) -> None:
    """A round that has stopped to ask somebody has decided nothing yet, so it goes on."""
    room = left_open("rumble-4", tmp_path)
    assert not room.sweep().troubles
    room.write(ADA, "use Barter discarding Precognition")
    room.sweep()
    table = room.table()
    assert table.title == "Round 2" and came_to(table) == ASKED
    room.arena.close()


SOLD = "4da8963236cbd72025a73bea14857156"
"""The state that version 5 came to from an auction in which two had bid, and one sent nothing."""


def test_an_auction_that_was_open_sells_as_before(tmp_path: Path) -> None:
    """Bids stand, and all are told what has changed since."""
    room = left_open("rumble-5", tmp_path)
    assert not room.sweep().troubles
    assert "Friends With Death wins on 5 Energy or less" in flat(room.last(ADA))
    room.sweep(timedelta(hours=80))
    assert room.table().title == "Round 1" and came_to(room.table()) == SOLD
    room.arena.close()
