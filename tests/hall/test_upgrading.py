"""New rules while a game runs: taken up at its next phase, old phases kept as they were, a pending proof waits."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from pbem.chance import Dice
from pbem.hall.games import proofs
from pbem.hall.keeping.reindexing import reindex
from pbem.terms import Given, Outcome, Seat, ShelfError
from tests.conftest import Room
from tests.harbour import Harbour, HarbourRules

ADA, BO, GWEN = "ada@example.org", "bo@example.org", "gwen@example.org"


class NewRules(HarbourRules):
    """The next version, in which the sea takes a coin from everybody each tide."""

    version = 2

    def adjudicate(self, state: Harbour, orders: Any, given: Given, dice: Dice) -> Outcome[Harbour]:
        """Adjudicate as before, and take the coins."""
        outcome = super().adjudicate(state, orders, given, dice)
        coins: dict[Seat, int] = {seat: max(0, coins - 1) for seat, coins in outcome.state.coins.items()}
        return msgspec.structs.replace(outcome, state=msgspec.structs.replace(outcome.state, coins=coins))


def upgrade(room: Room, rules: HarbourRules) -> None:
    """Start again with other rules."""
    room.rulesets = {"harbour": rules}
    room.reopen()


def tide(room: Room, ada: int, bo: int) -> None:
    """Let both bid, and the phase close."""
    number = room.table("tide-1").number
    room.write(ADA, f"bid {ada}")
    room.write(BO, f"bid {bo}")
    while room.table("tide-1").number == number and room.table("tide-1").status == "open":
        room.sweep(timedelta(hours=2))


def replayed(room: Room) -> list[proofs.Phase]:
    """Replay the game with the rules that there are now."""
    folder, seed = room.root / "games" / "tide-1", room.arena.seed(room.arena.games()[0])
    return list(proofs.replay(folder, room.rulesets, proofs.Words(room.arena.words, room.arena.wording), seed))


def test_a_running_game_takes_up_new_rules_and_its_past_stays(room: Room) -> None:
    """What was closed under the old rules is chain-checked; what comes after is adjudicated by the new ones."""
    room.found("ada", "bo")
    tide(room, 2, 1)
    before = room.table("tide-1").state.coins
    upgrade(room, NewRules())
    assert room.table("tide-1").state.coins == before
    tide(room, 0, 1)
    assert room.table("tide-1").state.coins == {"ada": before["ada"] - 1, "bo": before["bo"] - 2}
    phases = replayed(room)
    assert not any(phase.difference for phase in phases)
    assert [(phase.folder, phase.version) for phase in phases if phase.entries] == [
        ("phase-00", 0), ("phase-01", 1), ("phase-02", 0),
    ]  # fmt: skip
    assert reindex(room.arena) == []
    assert room.sweep().troubles == []


def test_a_proof_that_waits_is_published_by_the_rules_it_was_made_by(room: Room) -> None:
    """The game stands still and says why; the old version publishes it, and the new one goes on."""
    room.found("ada", "bo", review=("tide",))
    tide(room, 2, 1)
    assert room.table("tide-1").status == "closed"
    upgrade(room, NewRules())
    room.write(GWEN, "approve 1")
    (trouble,) = room.sweep().troubles
    assert "tide-1: phase 1 was closed under version 1 of its rules and is not published" in trouble
    assert "stands still" in room.letters(GWEN)[-1].subject
    upgrade(room, HarbourRules())
    room.sweep(timedelta(minutes=20))
    assert room.table("tide-1").number == 2
    upgrade(room, NewRules())
    tide(room, 0, 0)
    assert room.sweep().troubles == []


def test_a_state_that_was_changed_since_is_found(room: Room) -> None:
    """Of a phase that is not adjudicated again, at least the state that it led to must be the one in its journal."""
    room.found("ada", "bo")
    tide(room, 2, 1)
    upgrade(room, NewRules())
    path = room.root / "games" / "tide-1" / "phase-02" / "state.toml"
    _, _, text = path.read_text().partition("\n")  # which has a check sum of its own, as older releases had not
    path.write_text(text.replace("ada = 8", "ada = 9"))
    with pytest.raises(ShelfError, match="phase-02/state.toml is not what entry"):
        replayed(room)
