"""New rules while a game runs: taken up at its next phase, old phases kept as they were, a pending proof waits."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from contextlib import closing
from datetime import timedelta
from typing import Any

import msgspec
import pytest

from pbem import records
from pbem.chance import Dice
from pbem.hall.games import proofs
from pbem.hall.keeping.reindexing import reindex
from pbem.terms import Given, Outcome, Seat, ShelfError
from tests.conftest import ARENA, Room
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


FILES = {
    "state": "games/tide-1/state.toml",
    "start": "games/tide-1/phase-01/state.toml",
    "people": "people.toml",
    "sent": "games/tide-1/post/sent.toml",
    "came": "desk/journal.toml",
}


@pytest.mark.parametrize("name", [*FILES, "index"])
def test_a_file_of_a_newer_release_is_told_as_one(room: Room, name: str) -> None:
    """Each says of which format it is; one that we do not know is left as it is, and not called damaged."""
    room.found("ada", "bo")
    room.write("eve@example.com", "hello", to=ARENA, subject="hello")
    room.write(ADA, "bid 3")
    room.sweep()
    room.arena.close()
    path = room.root / FILES.get(name, "index.sqlite")
    if name == "index":
        with closing(sqlite3.connect(path)) as index:
            assert index.execute("pragma user_version").fetchone() == (1,)
            index.execute("pragma user_version = 2")
    else:
        text = path.read_text()
        assert re.search(r"(?m)^format = 1$", text)
        text = re.sub(r"(?m)^format = 1$", "format = 2", text, count=1)
        path.write_text(resummed(name, text))
    before = path.read_bytes()
    said = []
    try:
        room.arena = room.open()
        room.write(ADA, "status", to=ARENA, subject="[tide-1]")
        said = room.sweep().troubles
    except ShelfError as error:
        said = [str(error)]
    assert any("written by a newer pbem" in one and path.name in one for one in said), said
    assert name == "index" or path.read_bytes() == before


def resummed(name: str, text: str) -> str:
    """Give a file its check sum anew."""
    rest = text.partition("\n")[2]
    if name == "state":
        return f'check = "{hashlib.sha256(rest.encode()).hexdigest()[:32]}"\n{rest}'
    if name in ("start", "people"):
        return records.checked(rest)
    first, end, others = text.partition('\nsum = "')
    body = first.partition("]]\n")[2]
    sum_ = hashlib.sha256(body.encode()).hexdigest()[:16]
    return f"{first}{end}{sum_}{others[16:]}"
