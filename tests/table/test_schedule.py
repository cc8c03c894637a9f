"""The schedule: what is due and when, early closes, grace, reminders, pauses."""

from datetime import datetime, timedelta

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.hall.store import game_folder
from pbem.table.clock import schedule
from pbem.table.model.charter import Calendar
from pbem.table.model.table import Table
from pbem.testing.room import NOON
from pbem.world.shelf import Shelf
from tests.conftest import Room
from tests.harbour import HarbourRules

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


SPANS = st.integers(1, 400).map(lambda hours: f"{hours}h")


@given(
    hours=st.integers(1, 500),
    minute=st.timedeltas(timedelta(0), timedelta(minutes=1)),
    spans=st.lists(SPANS, max_size=4, unique=True),
    moved=st.timedeltas(timedelta(hours=-30), timedelta(hours=30)),
    at=st.floats(0, 1),
    step=st.timedeltas(timedelta(minutes=10), timedelta(hours=9)),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nobody_is_reminded_in_the_first_quarter_of_a_phase(
    begun: Room, hours: int, minute: timedelta, spans: list[str], moved: timedelta, at: float, step: timedelta
) -> None:
    """However long it is, also where the clock is moved in its midst, or a span equals it; a later one is given."""
    table, opened, ends = open_tide(begun), NOON, NOON + timedelta(hours=hours) + minute
    terms = msgspec.structs.replace(table.charter.calendar, reminders=(*dict.fromkeys((*spans, f"{hours}h")),))
    charter = msgspec.structs.replace(table.charter, calendar=terms)
    now = opened
    moves: datetime | None = opened + at * (ends - opened)
    given: list[str] = []
    while now < ends:
        if moves is not None and now >= moves:
            ends, moves = max(ends + moved, now + timedelta(minutes=1)), None
        table = msgspec.structs.replace(table, charter=charter, opened=opened, deadline=ends, reminded=tuple(given))
        if isinstance(due := schedule.due(table, now), schedule.Remind):
            assert now - opened >= (ends - opened) / 4, due
            given.append(due.before)
        now += step
    last = ends - min(timedelta(hours=int(text.removesuffix("h"))) for text in terms.reminders)
    if moves is None or last >= moves:
        is_given = opened + (ends - opened) / 4 <= last and last + step < ends
        assert given or not is_given
    assert len(given) == len(set(given))


def test_a_span_as_long_as_the_phase_reminds_nobody(room: Room) -> None:
    """With `24h after opening` the reminder of 24 hours came a minute behind the letter; the one of 3 hours comes."""
    room.clock.advance(timedelta(seconds=38))
    room.found("ada", "bo", calendar={"rules": {"default": "24h after opening"}})
    for _ in range(20):
        room.sweep(timedelta(minutes=1))
    assert subjects(room, BO, "A reminder") == 0
    room.sweep(timedelta(hours=21))
    assert subjects(room, BO, "A reminder") == 1


def open_tide(begun: Room) -> Table:
    """Return the table of a tide in which nobody has moved."""
    rules = {"harbour": HarbourRules()}
    return game_folder.open_ledger(Shelf(begun.root), ("games", "tide-1"), rules, bytes(32)).table


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
    assert room.table().sets.hand["ada"].orders == ("bid 3",)


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
