"""Laws of the calendar over arbitrary rules, zones and openings."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.terms import GameName, Person
from pbem.language.phrases import Unread
from pbem.table.model import calendar, charter
from pbem.table.model.calendar import Rule
from pbem.table.model.calendar.rules import Moment
from pbem.table.model.calendar.zones import instant_of
from pbem.table.model.charter import Calendar, Charter
from tests.table.rule_text import show_rule

ZONES = (
    "UTC", "Europe/London", "Europe/Berlin", "Europe/Dublin", "America/New_York", "America/St_Johns",
    "America/Sao_Paulo", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Tokyo", "Asia/Kathmandu",
    "Africa/Casablanca",
)  # fmt: skip

zones = st.sampled_from(ZONES)
minutes = st.integers(1, 366 * 24 * 60).map(lambda count: timedelta(minutes=count))
wall_times = st.builds(time, st.integers(0, 23), st.integers(0, 59))
dates = st.dates(date(2011, 1, 1), date(2027, 12, 31))
openings = st.one_of(
    st.datetimes(datetime(2011, 1, 1), datetime(2027, 12, 31)),
    st.builds(
        lambda start, span: start + span,
        st.sampled_from((datetime(2025, 3, 30), datetime(2025, 10, 26), datetime(2011, 12, 30), datetime(2028, 2, 29))),
        st.timedeltas(timedelta(days=-1), timedelta(days=1)),
    ),
).map(lambda naive: naive.replace(tzinfo=UTC))
days_left_out = st.lists(dates, max_size=3).map(lambda days: tuple(sorted(set(days))))


def sorted_tuple(values: set[int]) -> tuple[int, ...]:
    """Return a set as rules hold it."""
    return tuple(sorted(values))


spans = st.builds(
    Rule,
    zone=zones,
    after=minutes,
    not_weekdays=st.sets(st.integers(0, 6), max_size=6).map(sorted_tuple),
    not_dates=days_left_out,
)
moments = st.sets(st.builds(Moment, st.integers(0, 6), wall_times), min_size=1, max_size=9)
weekly = st.builds(
    Rule,
    zone=zones,
    moments=moments.map(lambda several: tuple(sorted(several))),
    at_least=st.one_of(st.just(timedelta()), minutes),
    not_weekdays=st.sets(st.integers(0, 6), max_size=2).map(sorted_tuple),
    not_dates=days_left_out,
).filter(lambda rule: not {moment.weekday for moment in rule.moments} <= set(rule.not_weekdays))
rules = st.one_of(spans, weekly)


def local(instant: datetime, rule: Rule) -> datetime:
    """Return what the clock of a rule's zone shows."""
    return instant.astimezone(ZoneInfo(rule.zone)).replace(tzinfo=None)


@given(rules, openings, days_left_out)
def test_a_deadline_is_later_than_the_opening(rule: Rule, opened: datetime, holidays: tuple[date, ...]) -> None:
    """Whatever the rule, there is time; it is the time asked for at least, and ends on a whole minute."""
    due = calendar.deadline(rule, opened, holidays)
    assert due.tzinfo is UTC
    assert (due.second, due.microsecond) == (0, 0)
    assert due > opened
    assert due - opened >= (rule.after or rule.at_least)


@given(rules, openings, days_left_out)
def test_a_deadline_never_falls_on_a_day_left_out(rule: Rule, opened: datetime, holidays: tuple[date, ...]) -> None:
    """Weekdays, dates and holidays are judged by the clock of the rule's zone."""
    day = local(calendar.deadline(rule, opened, holidays), rule).date()
    assert day.weekday() not in rule.not_weekdays
    assert day not in rule.not_dates
    assert day not in holidays


@given(weekly, openings, openings, days_left_out)
def test_who_opens_later_is_not_due_earlier_by_the_wall_clock(
    rule: Rule, one: datetime, other: datetime, holidays: tuple[date, ...]
) -> None:
    """The deadline of a wall-clock rule grows with the opening."""
    early, late = sorted((one, other))
    assert calendar.deadline(rule, early, holidays) <= calendar.deadline(rule, late, holidays)


@given(spans, openings, st.timedeltas(timedelta(0), timedelta(days=4)), days_left_out)
def test_who_opens_later_is_not_due_on_an_earlier_day(
    rule: Rule, opened: datetime, later: timedelta, holidays: tuple[date, ...]
) -> None:
    """The day of a span's deadline grows with the opening, and without days left out so does the deadline."""
    early, late = (calendar.deadline(rule, when, holidays) for when in (opened, opened + later))
    assert local(early, rule).date() <= local(late, rule).date()
    free = Rule(zone=rule.zone, after=rule.after)
    assert calendar.deadline(free, opened) <= calendar.deadline(free, opened + later)


@given(weekly, openings)
def test_a_weekly_deadline_shows_the_wall_time_asked_for(rule: Rule, opened: datetime) -> None:
    """Only a time that no clock shows that day is another one: then it is the first instant after the gap."""
    due = calendar.deadline(rule, opened)
    wall = local(due, rule)
    if Moment(wall.weekday(), wall.time()) not in rule.moments:
        before = local(due - timedelta(minutes=1), rule)
        assert wall - before > timedelta(minutes=1)
        missing = [before + timedelta(minutes=skipped) for skipped in range(1, (wall - before) // timedelta(minutes=1))]
        assert any(Moment(never.weekday(), never.time()) in rule.moments for never in missing)


@given(weekly, openings)
def test_no_time_of_the_week_is_passed_over(rule: Rule, opened: datetime) -> None:
    """Between the opening and the deadline no allowed time of the week leaves the span asked for."""
    here, due = ZoneInfo(rule.zone), calendar.deadline(rule, opened)
    day = local(opened, rule).date()
    while day < local(due, rule).date() + timedelta(days=1):
        asked = [
            instant_of(datetime.combine(day, each.at), here) for each in rule.moments if each.weekday == day.weekday()
        ]
        if day.weekday() not in rule.not_weekdays and day not in rule.not_dates:
            for instant in asked:
                shown = local(instant, rule).date()
                left_out = shown.weekday() in rule.not_weekdays or shown in rule.not_dates
                assert instant >= due or instant <= opened or instant - opened < rule.at_least or left_out
        day += timedelta(days=1)


@given(rules, zones, openings, days_left_out)
def test_a_new_game_opens_no_phase_with_less_than_a_day_unless_its_founder_said_so(
    rule: Rule, zone: str, opened: datetime, holidays: tuple[date, ...]
) -> None:
    """A span, and times of the week with an `at least` of their own, are the founder's word; all else gets a day."""
    said = show_rule(rule)
    terms = Charter(
        game=GameName("g"), ruleset="r", version=1, moderator=Person("p"), seats=2, created=opened, seal="",
        zone=zone, calendar=Calendar(rules={"default": said}),
    )  # fmt: skip
    founded = calendar.parse_rule(charter.with_shortest_phase(terms).calendar.rules["default"], zone)
    assert isinstance(founded, Rule)
    least = rule.after or rule.at_least or timedelta(days=1)
    assert calendar.deadline(founded, opened, holidays) - opened >= least
    assert founded == (rule if rule.after or rule.at_least else msgspec.structs.replace(rule, at_least=least))


@given(rules, zones)
def test_a_rule_reads_back_from_its_canonical_words(rule: Rule, zone: str) -> None:
    """Whatever zone a charter has, the canonical form reads as the same rule."""
    shown = show_rule(rule)
    assert calendar.parse_rule(shown, zone) == rule


@given(minutes)
def test_a_span_reads_back_from_its_words(span: timedelta) -> None:
    """Whole minutes survive being shown and read."""
    assert calendar.parse_span(calendar.show_span(span)) == span


@given(st.datetimes(datetime(2000, 1, 1), datetime(2050, 1, 1)), zones)
def test_an_instant_reads_back_as_letters_show_it(naive: datetime, zone: str) -> None:
    """What a letter shows, with its year, can be sent back as a ruling; an hour shown twice is the first."""
    instant = naive.replace(second=0, microsecond=0, tzinfo=UTC)
    shown = calendar.show_deadline(instant, zone, now=datetime(1990, 6, 1, tzinfo=UTC))[0].split(" (in")[0]
    read = calendar.parse_instant(shown, "Asia/Tokyo")
    assert isinstance(read, datetime)
    assert read <= instant
    assert calendar.show_instant(read, zone) == calendar.show_instant(instant, zone)


@given(st.one_of(st.text(max_size=60), st.text("0123456789:-+ ,.TZandeveryMonTuehwitlsop/", max_size=60)), zones)
def test_any_text_is_read_or_complained_of(text: str, zone: str) -> None:
    """No text whatever raises, and every complaint is a sentence."""
    for read in (
        calendar.parse_span(text),
        calendar.parse_rule(text, zone),
        calendar.parse_rule(f"every {text} 20:00", zone),
        calendar.parse_rule(f"48h, not on {text}", zone),
        calendar.parse_instant(text, zone),
        calendar.parse_instant(f"{text} 20:00", zone),
        calendar.parse_instant(f"2026-11-24 20:00 {text}", zone),
        calendar.known_zone(text),
    ):
        assert not isinstance(read, Unread) or read.because.endswith((".", "?"))
