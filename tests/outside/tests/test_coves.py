"""Eight Coves, tested as pbem tests its own games: by the laws of the contract, by cases, by mail, by a specimen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from coves import RULESET
from coves.game import COVES, WINDS, Order, Sea
from pbem.ruleset import Dice, Seat
from pbem.testing import Casebook, Cases, Contract, Room, Specimens, keep
from scene import claims, lay

HERE = Path(__file__).parent.parent


class TestContract(Contract):
    """Coves keeps the laws of every ruleset."""

    rulesets = (RULESET,)


class TestCases(Cases):
    """Every case comes out as RULES.md says."""

    books = (Casebook(RULESET, HERE / "cases", lay, claims),)


class TestSpecimens(Specimens):
    """The finished games replay."""

    rulesets = (RULESET,)
    folders = tuple(sorted((HERE / "games").iterdir()))


def hunter(state: Sea, seat: Seat, dice: Dice) -> Sequence[Order]:
    """Go where the treasure can be, for all that this ship has learnt, and dig where it must be."""
    here, clues = COVES.index(state.place[seat]), state.clues[seat].items()
    possible = [
        place for place in range(len(COVES)) if all(abs(COVES.index(cove) - place) == far for cove, far in clues)
    ]
    nearest = min(possible, key=lambda place: abs(place - here))
    if nearest == here:
        return (Order(digs=True),)
    way = 1 if nearest > here else -1
    return (Order(coves=way * (2 if abs(nearest - here) > 1 and WINDS[state.wind] == way else 1)),)


def played(folder: Path) -> Room:
    """Play a game by mail to its end."""
    room = Room(folder, {"coves": RULESET})
    room.found("ada", "bo", "cy", name="coves-1")
    room.play(hunter, "coves-1")
    return room


def test_a_game_is_played_by_mail_to_its_end(tmp_path: Path) -> None:
    """Somebody finds the treasure, and all are told."""
    assert "dug up the treasure" in played(tmp_path).last("ada@example.org")


if __name__ == "__main__":  # where the rules have changed, and their version has gone up, the specimen is played anew
    with TemporaryDirectory() as scratch:
        keep(played(Path(scratch)).root / "games" / "coves-1", HERE / "games" / "coves-1")
