"""What a seat may know: letters, bots and a moderator who plays see the state as its ruleset shows it to their seat."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from pbem.ground.terms import Facts, Seat
from tests.conftest import Room
from tests.harbour import Harbour, HarbourRules

ADA, GWEN = "ada@example.org", "gwen@example.org"


class Secretive(HarbourRules):
    """The harbour, in which nobody knows another's purse, though the letters would tell it."""

    def view(self, state: Harbour, seat: Seat) -> Harbour:
        """Show one purse."""
        return msgspec.structs.replace(state, coins={one: held * (one == seat) for one, held in state.coins.items()})

    def asked(self, state: Harbour, seat: Seat) -> Facts:
        """Tell all purses."""
        return {"coins": " ".join(str(held) for held in state.coins.values())}


@pytest.fixture
def secretive(tmp_path: Path) -> Iterator[Room]:
    """An arena with that harbour."""
    room = Room(tmp_path, {"harbour": Secretive()})
    yield room
    room.arena.close()


def test_a_letter_tells_what_its_reader_may_know(secretive: Room) -> None:
    """Ada's form has her own purse, and nothing of Bo's."""
    secretive.found("ada", "bo")
    assert "You have 10 0 coins." in secretive.last(ADA)
    assert "You have 0 10 coins." in secretive.last("bo@example.org")


@pytest.mark.parametrize(("other", "shown"), [("ada", True), ("gwen", False)])
def test_a_moderator_sees_all_unless_they_play(secretive: Room, other: str, shown: bool) -> None:
    """What an edit of the game's file has changed of another's purse is no business of a player's."""
    secretive.found(other, "bo")
    file = secretive.root / "games" / "tide-1" / "state.toml"
    file.write_text(file.read_text().replace('"coins of bo" = 10', '"coins of bo" = 3'))
    secretive.sweep()
    assert secretive.table().state.coins["bo"] == 3
    assert "edited by hand" in secretive.last(GWEN)
    assert ("10 -> 3" in secretive.last(GWEN)) is shown
