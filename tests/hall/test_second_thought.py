"""A second thought: a phase in which all have moved stays open a while, so that the last of them can change their mind."""

from datetime import timedelta

import pytest

from pbem.testing.room import MODERATOR
from tests.conftest import Room

ADA, BO = "ada@example.org", "bo@example.org"
CALENDAR = {"second_thought": "30m"}


def _moved(room: Room, *, calendar: dict[str, str] | None = None) -> None:
    """Found a game of two, and let both move."""
    room.found("ada", "bo", calendar=CALENDAR if calendar is None else calendar)
    for who in (ADA, BO):
        room.write(who, "bid 2")
    room.sweep()


def test_a_phase_in_which_all_have_moved_closes_after_a_while(room: Room) -> None:
    """The letters say when; not a minute before."""
    _moved(room)
    assert room.table().status == "open"
    assert "All have moved. The phase closes before its deadline" in room.last(BO)
    room.sweep(timedelta(minutes=29))
    assert room.table().number == 1 and room.table().status == "open"
    room.sweep(timedelta(minutes=1))
    assert room.table().number == 2 or room.table().status == "closed"


def test_a_new_set_gives_the_time_once_more_and_no_more(room: Room) -> None:
    """So nobody can hold the others up by changing a figure again and again."""
    _moved(room)
    room.write(ADA, "bid 3")
    room.sweep(timedelta(minutes=20))
    room.write(ADA, "bid 4")
    room.sweep(timedelta(minutes=20))
    assert room.table().status == "open" and room.table().number == 1
    room.sweep(timedelta(minutes=10))
    assert (room.table().number, room.table().status) != (1, "open")


def test_the_same_set_again_changes_nothing(room: Room) -> None:
    """Nor does a question."""
    _moved(room)
    for text in ("status", "gm: hello"):
        room.write(ADA, text)
        room.sweep(timedelta(minutes=10))
    room.sweep(timedelta(minutes=10))
    assert (room.table().number, room.table().status) != (1, "open")


def test_who_waits_stops_the_clock_and_ready_of_all_needs_none(room: Room) -> None:
    """`wait` keeps the phase open; once all have said ready nobody wants to think again."""
    _moved(room)
    room.write(ADA, "wait")
    room.sweep(timedelta(hours=2))
    assert room.table().status == "open" and room.table().number == 1
    for who in (ADA, BO):
        room.write(who, "ready")
    room.sweep()
    assert (room.table().number, room.table().status) != (1, "open")


def test_close_now_waits_for_no_second_thought(room: Room) -> None:
    """The moderator said so."""
    _moved(room)
    room.write(MODERATOR, "close now")
    room.sweep()
    assert (room.table().number, room.table().status) != (1, "open")


def test_the_deadline_comes_first(room: Room) -> None:
    """A phase never stays open for a second thought beyond it."""
    room.found("ada", "bo", calendar={"second_thought": "30m", "rules": {"default": "2h after opening"}})
    room.write(ADA, "bid 2")
    room.sweep(timedelta(minutes=105))
    room.write(BO, "bid 2")
    room.sweep()
    assert "closes before its deadline" not in room.last(BO) and room.table().status == "open"
    room.sweep(timedelta(minutes=20))
    assert (room.table().number, room.table().status) != (1, "open")


def test_a_game_founded_before_has_none(room: Room) -> None:
    """Its phases close as they did."""
    _moved(room, calendar={})
    assert (room.table().number, room.table().status) != (1, "open")


@pytest.mark.parametrize(
    ("rule", "wait"), [("72h after opening", "30m"), ("2h after opening", "2m"), ("every Tue 20:00", "30m")]
)
def test_new_games_wait_as_long_as_their_pace_asks_for(rule: str, wait: str) -> None:
    """Half an hour by mail, two minutes where people sit at their screens."""
    from pbem.table.charter import usual_second_thought

    assert usual_second_thought(rule) == wait


def test_the_wait_holds_through_a_restart(room: Room) -> None:
    """It is reckoned from the journal."""
    _moved(room)
    at = room.table().all_in
    room.reopen()
    assert room.table().all_in == at and at is not None
    room.sweep(timedelta(minutes=31))
    assert (room.table().number, room.table().status) != (1, "open")
