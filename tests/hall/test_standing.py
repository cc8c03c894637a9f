"""Orders that stand: where the charter says so, each set counts in later phases of its kind until somebody says off."""

from datetime import timedelta

import pytest

from pbem.ground.terms import CharterError
from tests.conftest import Room, flat

ADA, BO = "ada@example.org", "bo@example.org"


def stands(room: Room) -> Room:
    """A game whose orders stand, with a bid of each for the first tide."""
    room.found("ada", "bo", standing=("tide",), close="at deadline")
    room.write(ADA, "bid 3")
    room.write(BO, "bid 1")
    room.sweep()
    return room


def next_tide(room: Room) -> None:
    """Let the deadline pass."""
    number = room.table().number
    room.sweep()
    room.sweep(timedelta(days=4))
    assert room.table().number == number + 1


def bids(room: Room) -> dict[str, tuple[str, ...]]:
    """Return what is on hand."""
    return {seat: held.orders for seat, held in room.table().sets.hand.items()}


def test_a_set_stands_from_phase_to_phase_until_another_comes(room: Room) -> None:
    """Nobody has to say it; the first letter and the receipt do, and a new set stands in its place."""
    stands(room)
    assert any(
        "stands for later phases of the kind too" in flat("\n".join(letter.body)) for letter in room.letters(ADA)
    )
    assert "in later phases of this kind too" in flat(room.last(ADA))
    next_tide(room)
    assert bids(room) == {"ada": ("bid 3",), "bo": ("bid 1",)}
    room.write(ADA, "bid 0")
    next_tide(room)
    assert bids(room) == {"ada": ("bid 0",), "bo": ("bid 1",)}


def test_standing_off_holds_for_the_rest_of_the_game_or_until_standing_on(room: Room) -> None:
    """Also for sets that come after it, and when the arena is opened anew from what is on the disk."""
    stands(room)
    room.write(ADA, "standing off")
    room.sweep()
    assert bids(room)["ada"] == ("bid 3",)
    assert "in later phases" not in flat(room.last(ADA))
    next_tide(room)
    assert bids(room) == {"bo": ("bid 1",)}
    room.write(ADA, "bid 0")
    room.reopen()
    next_tide(room)
    room.reopen()
    assert bids(room) == {"bo": ("bid 1",)}
    room.write(ADA, "bid 2\nstanding on")
    room.write(ADA, "bid 1")
    room.sweep()
    assert [kept.orders for kept in room.table().sets.later["ada"]] == [("bid 1",)]


def test_a_charter_cannot_let_orders_stand_in_a_phase_that_there_is_not(room: Room) -> None:
    """The mistake is told with the kinds that there are."""
    with pytest.raises(CharterError, match='--standing: there is no kind of phase "ebb".*tide'):
        room.found("ada", "bo", standing=("ebb",))
