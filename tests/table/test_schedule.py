"""The schedule: what is due and when, early closes, grace, reminders, pauses."""

from datetime import timedelta

import msgspec

from pbem.table import schedule
from pbem.table.charter import Calendar
from pbem.testing.room import NOON
from tests.conftest import Room

ADA, BO, GWEN = "ada@example.org", "bo@example.org", "gwen@example.org"


def subjects(room: Room, who: str, word: str) -> int:
    """Count the letters of somebody whose first line has a word."""
    return sum(word in letter.body[0] for letter in room.letters(who) if letter.body)


def test_a_phase_closes_early_when_all_are_in(room: Room) -> None:
    """With "when ready", the last complete set ends the phase in the same sweep."""
    room.found("ada", "bo")
    room.write(ADA, "bid 3")
    room.sweep()
    assert room.table().number == 1
    room.write(BO, "bid 1")
    room.sweep()
    assert room.table().number == 2


def test_wait_holds_up_an_early_close_until_ready(room: Room) -> None:
    """`wait` keeps the phase open to the deadline, `ready` takes it back."""
    room.found("ada", "bo")
    room.write(ADA, "bid 3\nwait")
    room.write(BO, "bid 1")
    room.sweep()
    assert room.table().number == 1
    room.write(ADA, "ready")
    room.sweep()
    assert room.table().number == 2


def test_at_deadline_never_closes_early(room: Room) -> None:
    """With "at deadline", nobody learns who was last."""
    room.found("ada", "bo", close="at deadline")
    room.write(ADA, "bid 3")
    room.write(BO, "bid 1")
    room.sweep()
    assert room.table().number == 1
    room.sweep(timedelta(hours=73))
    assert room.table().number == 2


def test_reminders_go_to_those_who_have_not_moved(room: Room) -> None:
    """A day and three hours before the deadline, once each, and not to who has moved."""
    room.found("ada", "bo")
    room.write(ADA, "bid 3")
    room.sweep()
    room.sweep(timedelta(hours=47))
    assert subjects(room, BO, "A reminder") == 0
    room.sweep(timedelta(hours=2))
    room.sweep(timedelta(minutes=1))
    assert subjects(room, BO, "A reminder") == 1
    room.sweep(timedelta(hours=21))
    assert subjects(room, BO, "A reminder") == 2
    assert subjects(room, ADA, "A reminder") == 0


def test_after_an_outage_only_the_last_reminder_is_given(room: Room) -> None:
    """Reminders that came due together are one letter."""
    room.found("ada", "bo")
    room.sweep(timedelta(hours=70))
    assert subjects(room, BO, "A reminder") == 1


def test_grace_starts_only_when_someone_is_late(room: Room) -> None:
    """With all orders in, the phase closes at its deadline; else at the end of the grace."""
    room.found("ada", "bo", close="at deadline", calendar={"grace": "12h"})
    room.write(ADA, "bid 3")
    room.write(BO, "bid 1")
    room.sweep()
    room.sweep(timedelta(hours=73))
    assert room.table().number == 2
    room.write(ADA, "bid 0")
    room.sweep()
    room.sweep(timedelta(hours=73))
    assert room.table().number == 2
    room.write(BO, "bid 2")
    room.sweep()
    assert room.table().number == 3 or room.table().status == "over"


def test_orders_in_the_grace_count(room: Room) -> None:
    """A mail that arrives after the deadline and before the end of the grace is taken."""
    room.found("ada", "bo", calendar={"grace": "12h"})
    room.write(ADA, "bid 3", span=timedelta(hours=80))
    room.sweep(timedelta(hours=81))
    assert room.table().hand["ada"].orders == ("bid 3",)


def test_the_next_waking_is_the_next_thing_due(room: Room) -> None:
    """The index is told the reminder first, then the end of the phase with its settling time."""
    room.found("ada", "bo")
    table, now = room.table(), room.clock.now()
    assert schedule.wakes(table, now) == table.deadline - timedelta(hours=24)
    room.sweep(timedelta(hours=70))
    assert schedule.wakes(room.table(), room.clock.now()) == table.deadline + timedelta(minutes=2)


def test_the_second_phase_without_orders_is_counted(room: Room) -> None:
    """The seat remembers how many phases in a row brought nothing; orders wipe it out."""
    room.found("ada", "bo")
    room.sweep(timedelta(hours=73))
    assert room.table().seats["bo"].nmr == 1
    room.write(BO, "bid 0")
    room.write(ADA, "bid 0")
    room.sweep()
    assert room.table().seats["bo"].nmr == 0


def test_a_deadline_by_the_wall_clock_is_right_across_a_change_of_clocks(room: Room) -> None:
    """`every Sun 20:00` in Berlin is 18:00 UTC in summer and 19:00 UTC in winter."""
    rules = {"default": "every Sun 20:00"}
    room.clock.advance(timedelta(days=119))  # to Monday 22 March 2027
    room.found("ada", "bo", zone="Europe/Berlin", calendar={"rules": rules})
    assert f"{room.table().deadline:%Y-%m-%d %H:%M}" == "2027-03-28 18:00"
    room.sweep(timedelta(days=7))
    room.sweep(timedelta(minutes=1))
    assert f"{room.table().deadline:%Y-%m-%d %H:%M}" == "2027-04-04 18:00"


def test_a_phase_that_opens_on_the_day_of_a_deadline_gets_the_next_one(room: Room) -> None:
    """A game of `every Mon and Fri 20:00` that begins on a Monday noon is due on Friday; one founded before, at 20:00."""
    rules = {"default": "every Mon and Fri 20:00"}
    room.found("ada", "bo", calendar={"rules": rules})
    assert f"{room.table().deadline:%a %H:%M}" == "Fri 20:00"
    older = msgspec.structs.replace(room.table().charter, calendar=Calendar(rules=rules))
    table = msgspec.structs.replace(room.table(), charter=older)
    assert f"{schedule.deadline_for(table, 'tide', NOON):%a %H:%M}" == "Mon 20:00"


def test_a_founder_who_wants_less_than_a_day_says_so(room: Room) -> None:
    """`at least 0h` is the old way; nothing is added to it."""
    room.found("ada", "bo", calendar={"rules": {"default": "every Mon and Fri 20:00, at least 0h"}})
    assert f"{room.table().deadline:%a %H:%M}" == "Mon 20:00"
