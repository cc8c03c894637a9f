"""Robots that do not say that they are: words that differ in numbers, links and dates alone are answered three times."""

import random
from datetime import timedelta

import pytest

from tests.conftest import Room
from tests.depth import some

ADA = "ada@example.org"
ROBOTS = (
    "Your request {n} was updated.\nTo reply, write above this line.",
    "Ticket #{n} has been received on {day} 12 May {n}. See https://help.example.org/t/{n}",
    "Case {n}-{n}: we are on it.\nwww.example.org/case?{n}",
)


@pytest.mark.parametrize("robot", some(3, ROBOTS))
@pytest.mark.parametrize("seed", range(2))
def test_a_robot_that_numbers_its_answers_gets_three(room: Room, robot: str, seed: int) -> None:
    """However many days it goes on; and again once something has had an effect."""
    room.found("ada", "bo")
    chance = random.Random(seed)
    answers = 0
    for _ in range(8):
        before = len(room.letters(ADA))
        day = chance.choice(["Monday", "Friday"])
        room.write(ADA, robot.format(n=chance.randrange(10_000), day=day))
        room.sweep(timedelta(hours=chance.choice((1, 3))))
        answers += len(room.letters(ADA)) - before
    assert answers == 3
    room.write(ADA, "bid 2")
    room.sweep()
    assert room.table().sets.hand["ada"].orders == ("bid 2",)
    before = len(room.letters(ADA))
    room.write(ADA, robot.format(n=7, day="Monday"))
    room.sweep()
    assert len(room.letters(ADA)) == before + 1


def test_a_person_who_misses_the_form_is_answered_each_time(room: Room) -> None:
    """A line that begins as an order does is meant as one, whatever is wrong with it."""
    room.found("ada", "bo")
    for number in range(6):
        before = len(room.letters(ADA))
        room.write(ADA, f"bid about {number} or so")
        room.sweep(timedelta(hours=1))
        assert len(room.letters(ADA)) == before + 1


def test_a_person_who_corrects_a_number_is_answered_each_time(room: Room) -> None:
    """A bid beyond one's purse can be read, and each new one is another."""
    room.found("ada", "bo")
    for bid in range(77, 84):
        before = len(room.letters(ADA))
        room.write(ADA, f"bid {bid}")
        room.sweep()
        assert len(room.letters(ADA)) == before + 1
