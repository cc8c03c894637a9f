"""Scenes of the calendar: spans, zones, instants, rules and the deadlines at the odd corners of clocks."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest

from pbem.language.phrases import Unread
from pbem.table.model import calendar
from pbem.table.model.calendar import Rule
from pbem.table.model.calendar.rules import Moment
from pbem.table.model.calendar.zones import instant_of
from tests.table.rule_text import show_rule

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def utc(text: str) -> datetime:
    """Read an ISO instant of UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def rule(text: str, zone: str = "UTC") -> Rule:
    """Read a rule that must be readable."""
    read = calendar.parse_rule(text, zone)
    assert isinstance(read, Rule), read
    return read


def complaint(read: object) -> str:
    """Return why something could not be read."""
    assert isinstance(read, Unread), read
    assert read.because.endswith((".", "?"))
    return read.because


def due(text: str, zone: str, opened: str, *holidays: date) -> str:
    """Return the deadline of a rule as its own zone's clock shows it, with the offset."""
    instant = calendar.deadline(rule(text, zone), utc(opened), holidays)
    return instant.astimezone(ZoneInfo(zone)).strftime("%a %Y-%m-%d %H:%M %z")


# --- spans


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("24h", DAY),
        ("2 days 3 h", 2 * DAY + 3 * HOUR),
        ("90m", 1.5 * HOUR),
        ("1d", DAY),
        ("1 week", 7 * DAY),
        ("1d12h30min", 1.5 * DAY + HOUR / 2),
        ("2 Days, and 3 Hours", 2 * DAY + 3 * HOUR),
        ("a day and an hour", DAY + HOUR),
        ("72\u00a0h", 3 * DAY),
        ("0h", timedelta()),
        ("366d", 366 * DAY),
    ],
)
def test_spans_are_read_as_people_write_them(text: str, span: timedelta) -> None:
    """Weeks, days, hours and minutes add up, however they are spaced and joined."""
    assert calendar.parse_span(text) == span


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("24", "24 of what? Write 24h"),
        ("1.5h", "1h 30m rather than 1.5h"),
        ("1 month", "no fixed length"),
        ("2h 3h", "names a unit twice"),
        ("400 days", "Use at most 366 days"),
        ("999999 weeks", "Use at most 366 days"),
        ("9" * 5000 + "h", "Write one such as 24h"),
        ("-24h", "Write one such as 24h"),
        ("\u0664h", "Write one such as 24h"),
        ("and", "Write one such as 24h"),
        ("", "Write one such as 24h"),
        ("1d and", "Write one such as 24h"),
    ],
)
def test_a_span_that_cannot_be_read_is_answered_with_words_that_work(text: str, part: str) -> None:
    """Each kind of mistake in a span has a sentence of its own."""
    assert part in complaint(calendar.parse_span(text))


@pytest.mark.parametrize(
    ("span", "shown"),
    [
        (2 * DAY + 3 * HOUR, "2 days 3 h"),
        (5 * HOUR, "5 h"),
        (timedelta(minutes=12, seconds=59), "12 min"),
        (timedelta(seconds=59), "less than a minute"),
        (timedelta(hours=-5), "less than a minute"),
        (DAY, "1 day"),
        (9 * DAY + timedelta(minutes=1), "9 days 1 min"),
    ],
)
def test_spans_are_shown_short(span: timedelta, shown: str) -> None:
    """Units that are nought are left out, and seconds are dropped."""
    assert calendar.show_span(span) == shown


# --- zones


@pytest.mark.parametrize(
    ("said", "zone"),
    [
        ("europe/london", "Europe/London"),
        ("Tokyo", "Asia/Tokyo"),
        ("new york", "America/New_York"),
        ("S\u00e3o Paulo", "America/Sao_Paulo"),
        ("america / new-york", "America/New_York"),
        ("Port au Prince", "America/Port-au-Prince"),
        ("Europe London", "Europe/London"),
        ("Istanbul", "Europe/Istanbul"),
        ("Buenos Aires", "America/Argentina/Buenos_Aires"),
        ("us/eastern", "US/Eastern"),
        ("Japan", "Japan"),
        ("utc", "UTC"),
        ("Z", "UTC"),
        ("Etc/UTC", "UTC"),
    ],
)
def test_a_zone_is_found_whatever_its_case_and_blanks(said: str, zone: str) -> None:
    """The full name, the city alone and blanks for marks all find the IANA name."""
    assert calendar.known_zone(said) == zone


@pytest.mark.parametrize(
    ("said", "part"),
    [
        ("CET", "Europe/Berlin"),
        ("est", "America/New_York, America/Panama or Australia/Sydney"),
        ("BST", "Europe/London or Asia/Dhaka"),
        ("GMT", "Europe/London or UTC"),
        ("EST5EDT", "America/New_York"),
        ("Samoa", "Pacific/Apia or Pacific/Pago_Pago"),
        ("UTC+1", "does not say when the clocks change"),
        ("GMT -3:30", "does not say when the clocks change"),
    ],
)
def test_an_abbreviation_is_no_zone(said: str, part: str) -> None:
    """Abbreviations and offsets are refused as ambiguous, with places to name instead."""
    assert part in complaint(calendar.known_zone(said))


@pytest.mark.parametrize(
    ("said", "part"),
    [
        ("Europe/Londn", "Did you mean Europe/London?"),
        ("Toyko", "Did you mean Asia/Tokyo?"),
        ("Etc/GMT+5", "There is no time zone"),
        ("localtime", "There is no time zone"),
        ("Middle Earth", "Name a big city"),
        ("", "Name a big city"),
        ("../../passwd", "Name a big city"),
        ("x" * 10_000, "..."),
    ],
)
def test_an_unknown_zone_is_answered_with_a_guess(said: str, part: str) -> None:
    """A name that is nearly right gets a did-you-mean, another one the form of a name."""
    assert part in complaint(calendar.known_zone(said))


def test_a_city_that_two_names_share_has_one_clock() -> None:
    """Where an ending stands for several names, their clocks agree, so that picking one harms nobody."""
    endings: dict[str, set[str]] = {}
    for name in available_timezones():
        endings.setdefault(name.split("/")[-1].lower(), set()).add(name)
    days = [datetime(2020, 1, 5, tzinfo=UTC) + week * 7 * DAY for week in range(52 * 10)]
    shared = 0
    for ending, names in endings.items():
        found = calendar.known_zone(ending)
        if len(names) == 1 or isinstance(found, Unread) or found == "UTC":
            continue
        shared += 1
        alike = [name for name in names if not name.startswith(("US/", "Canada/", "Brazil/", "Mexico/", "Chile/"))]
        for day in days:
            assert {day.astimezone(ZoneInfo(name)).utcoffset() for name in alike} == {
                day.astimezone(ZoneInfo(found)).utcoffset()
            }, ending
    assert shared > 0


# --- instants


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-24 20:00 Europe/London",
        "2026-11-24 20:00",
        "24 Nov 2026 20:00",
        "Tue 24 Nov 2026 20:00 in London",
        "Tuesday, 24th November 2026 at 20:00",
        "Nov 24, 2026 20:00",
        "2026-11-24T20:00Z",
        "2026-11-24T20:00:00Z",
        "2026-11-24 20:00 utc",
        "2026-11-24 21:00+01:00",
        "2026-11-24T16:30-03:30",
        "Tue 24 Nov 2026 21:00 UTC+1 (guessed)",
        "2026-11-24 15:00 new york",
        "2026-11-25 05:00 Tokyo",
    ],
)
def test_an_instant_is_read_in_many_forms(text: str) -> None:
    """A ruling may name a deadline as ISO, as people do, or as our own letters show it."""
    assert calendar.parse_instant(text, "Europe/London") == utc("2026-11-24 20:00")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("24/11/2026 20:00", "read differently in different countries"),
        ("24.11.2026 20:00", "Write 2026-11-24"),
        ("24 Nov 20:00", "Write it in four digits: 24 Nov 2026"),
        ("Mon 24 Nov 2026 20:00", "Tue 24 Nov 2026 is not a Monday"),
        ("2027-02-29 20:00", "No calendar has 2027-02-29"),
        ("2026-11-24 25:00", "Use 00:00 to 23:59"),
        ("2026-11-24 24:00", "Write 23:59 or 00:00"),
        ("2026-11-24 20:00:30", "Write a time such as 20:00"),
        ("2026-11-24 8 pm", "20:00 rather than 8 pm"),
        ("2026-11-24 8:00 p.m.", "20:00 rather than 8 pm"),
        ("2026-11-24", "one date and one time"),
        ("20:00", "one date and one time"),
        ("2026-11-24 20:00 or 21:00", "one date and one time"),
        ("tomorrow 20:00", "is not a date"),
        ("2026-11-24 20:00 CET", "Europe/Berlin"),
        ("2026-11-24 20:00 Londno", "Did you mean Europe/London?"),
        ("0001-01-01 00:00", "Use 1970 to 2999"),
        ("\u0662\u0660\u0662\u0666-11-24 20:00", "is not a date"),
        ("", "one date and one time"),
    ],
)
def test_an_instant_that_cannot_be_read_is_answered_part_by_part(text: str, part: str) -> None:
    """The complaint is about the date, the time or the zone, whichever it was."""
    assert part in complaint(calendar.parse_instant(text, "Europe/London"))


def test_29_february_is_a_day_of_leap_years() -> None:
    """A ruling and a rule may name 29 February 2028, and a span counts it."""
    assert calendar.parse_instant("2028-02-29 12:00", "UTC") == utc("2028-02-29 12:00")
    assert due("48h after opening", "UTC", "2028-02-27 12:00") == "Tue 2028-02-29 12:00 +0000"
    assert due("every day 20:00, not on 2028-02-29", "UTC", "2028-02-28 20:00") == "Wed 2028-03-01 20:00 +0000"
    assert "2027-02-29" in complaint(calendar.parse_rule("every day 20:00, not on 2027-02-29", "UTC"))


@pytest.mark.parametrize(
    ("zone", "shown"),
    [
        ("Europe/London", "Tue 24 Nov 20:00 in London"),
        ("UTC", "Tue 24 Nov 20:00 UTC"),
        ("UTC+1", "Tue 24 Nov 21:00 UTC+1 (guessed)"),
        ("UTC-3:30", "Tue 24 Nov 16:30 UTC-3:30 (guessed)"),
        ("America/Argentina/Buenos_Aires", "Tue 24 Nov 17:00 in Buenos Aires"),
        ("Asia/Tokyo", "Wed 25 Nov 05:00 in Tokyo"),
        ("US/Eastern", "Tue 24 Nov 15:00 in US Eastern"),
        ("Japan", "Wed 25 Nov 05:00 in Japan"),
    ],
)
def test_an_instant_is_shown_with_its_place(zone: str, shown: str) -> None:
    """A zone is shown by its city, an offset from a Date header as a guess."""
    assert calendar.show_instant(utc("2026-11-24 20:00:59"), zone) == shown


def test_a_deadline_is_shown_in_the_readers_zone_and_in_utc() -> None:
    """The time left stands with the reader's own time, without its minutes from one day on."""
    instant, now = utc("2026-11-24 20:00"), utc("2026-11-22 16:30")
    assert calendar.show_deadline(instant, "Europe/London", now) == (
        "Tue 24 Nov 20:00 in London (in 2 days 3 h)",
        "Tue 24 Nov 20:00 UTC",
    )
    assert calendar.show_deadline(instant, "UTC", now) == ("Tue 24 Nov 20:00 UTC (in 2 days 3 h)",)


def test_a_deadline_of_another_year_shows_its_year() -> None:
    """The year is judged by the clock of each line: in Tokyo it is next year already."""
    instant, now = utc("2026-12-31 20:00"), utc("2026-12-31 10:00")
    assert calendar.show_deadline(instant, "Asia/Tokyo", now) == (
        "Fri 1 Jan 2027 05:00 in Tokyo (in 10 h)",
        "Thu 31 Dec 20:00 UTC",
    )


def test_a_deadline_that_has_passed_says_so() -> None:
    """A letter that is written late does not promise time that is gone."""
    assert calendar.show_deadline(utc("2026-11-24 20:00"), "UTC", utc("2026-11-24 20:12")) == (
        "Tue 24 Nov 20:00 UTC (12 min ago)",
    )


def test_a_long_deadline_puts_the_time_left_on_its_own_line() -> None:
    """No line is wider than 46 columns."""
    assert calendar.show_deadline(utc("2027-11-24 20:00"), "UTC-3:30", utc("2026-11-24 09:00")) == (
        "Wed 24 Nov 2027 16:30 UTC-3:30 (guessed)",
        "(in 365 days 11 h)",
        "Wed 24 Nov 2027 20:00 UTC",
    )


def test_every_zone_fits_the_columns_of_a_letter() -> None:
    """The widest instant of the widest zone has at most 46 columns."""
    instant, now = utc("2027-11-24 20:00"), utc("2026-11-24 09:00")
    for name in available_timezones() - {"localtime"}:
        zone = calendar.known_zone(name)
        if isinstance(zone, str):
            assert max(map(len, calendar.show_deadline(instant, zone, now))) <= 46, zone


# --- clocks put forward and back


BERLIN_GAP = "2025-03-30"
BERLIN_OVERLAP = "2025-10-26"


def test_in_berlins_gap_half_past_two_is_three() -> None:
    """2025-03-30 02:30 is never shown in Berlin; the first instant after the gap is 03:00, not 03:30."""
    assert due("every Sun 02:30", "Europe/Berlin", "2025-03-29 12:00") == "Sun 2025-03-30 03:00 +0200"
    assert calendar.parse_instant(f"{BERLIN_GAP} 02:30", "Europe/Berlin") == utc("2025-03-30 01:00")
    assert calendar.parse_instant(f"{BERLIN_GAP} 02:00", "Europe/Berlin") == utc("2025-03-30 01:00")
    assert calendar.parse_instant(f"{BERLIN_GAP} 01:59", "Europe/Berlin") == utc("2025-03-30 00:59")
    assert calendar.parse_instant(f"{BERLIN_GAP} 03:01", "Europe/Berlin") == utc("2025-03-30 01:01")


def test_in_berlins_overlap_half_past_two_is_the_first_of_the_two() -> None:
    """2025-10-26 02:30 is shown twice in Berlin; summer time's comes first."""
    assert due("every Sun 02:30", "Europe/Berlin", "2025-10-25 12:00") == "Sun 2025-10-26 02:30 +0200"
    assert calendar.parse_instant(f"{BERLIN_OVERLAP} 02:30", "Europe/Berlin") == utc("2025-10-26 00:30")


def test_a_phase_opened_between_the_two_has_the_next_days_deadline() -> None:
    """The second 02:30 of the overlap is no deadline."""
    assert due("every day 02:30", "Europe/Berlin", "2025-10-26 00:45") == "Mon 2025-10-27 02:30 +0100"
    assert due("every day 02:30", "Europe/Berlin", "2025-10-26 01:30") == "Mon 2025-10-27 02:30 +0100"


def test_every_day_at_half_past_two_across_the_change() -> None:
    """One deadline each day: at 02:30, at the gap's end, at 02:30 again."""
    opened, shown = utc("2025-03-28 12:00"), []
    for _ in range(3):
        opened = calendar.deadline(rule("every day 02:30", "Europe/Berlin"), opened)
        shown.append(opened.astimezone(ZoneInfo("Europe/Berlin")).strftime("%a %H:%M"))
    assert shown == ["Sat 02:30", "Sun 03:00", "Mon 02:30"]


def test_an_evening_deadline_keeps_its_wall_time_through_the_change() -> None:
    """Every Sun 20:00 is an hour earlier in UTC once the clocks are put forward."""
    assert due("every Sun 20:00", "Europe/Berlin", "2025-03-23 18:00") == "Sun 2025-03-23 20:00 +0100"
    assert due("every Sun 20:00", "Europe/Berlin", "2025-03-23 20:00") == "Sun 2025-03-30 20:00 +0200"


def test_a_span_is_elapsed_time_whatever_the_clocks_do() -> None:
    """24h after opening is 24 hours, so the wall time differs across a change."""
    assert due("24h after opening", "Europe/Berlin", "2025-03-29 12:00") == "Sun 2025-03-30 14:00 +0200"


def test_lord_howe_puts_its_clocks_by_half_an_hour() -> None:
    """In Lord Howe's gap 02:15 is 02:30; in its overlap 01:45 is the first of the two."""
    zone = "Australia/Lord_Howe"
    assert due("every day 02:15", zone, "2025-10-04 12:00") == "Sun 2025-10-05 02:30 +1100"
    assert due("every day 02:45", zone, "2025-10-04 12:00") == "Sun 2025-10-05 02:45 +1100"
    assert due("every day 01:45", zone, "2025-04-05 12:00") == "Sun 2025-04-06 01:45 +1100"


def test_apias_missing_day_ends_at_midnight() -> None:
    """2011-12-30 never was in Apia: its deadline is the first instant of the 31st."""
    zone = "Pacific/Apia"
    assert due("every day 20:00", zone, "2011-12-30 06:00") == "Sat 2011-12-31 00:00 +1400"
    assert due("every day 20:00", zone, "2011-12-30 10:00") == "Sat 2011-12-31 20:00 +1400"
    assert due("every Fri 20:00, not on Sat", zone, "2011-12-29 20:00") == "Fri 2012-01-06 20:00 +1400"
    assert due("every day 20:00, not on Fri", zone, "2011-12-30 06:00") == "Sat 2011-12-31 20:00 +1400"
    assert due("1h after opening, not on Thu", zone, "2011-12-30 06:00") == "Sat 2011-12-31 00:00 +1400"
    assert due("1h after opening, not on Thu Fri", zone, "2011-12-30 06:00") == "Sat 2011-12-31 21:00 +1400"


def test_a_gap_across_midnight_ends_on_the_next_day() -> None:
    """Toronto went from 23:30 to 00:30 in 1919; who leaves out either day is not due then."""
    assert instant_of(datetime(1919, 3, 30, 23, 45), ZoneInfo("America/Toronto")) == utc("1919-03-31 04:30")
    opened = "1919-03-30 12:00"
    assert due("every day 23:45", "America/Toronto", opened) == "Mon 1919-03-31 00:30 -0400"
    assert due("every day 23:45, not on Mon", "America/Toronto", opened) == "Tue 1919-04-01 23:45 -0400"
    assert due("every day 23:45, not on Sun", "America/Toronto", opened) == "Mon 1919-03-31 23:45 -0400"


# --- rules


TUESDAY_EVENING = Moment(1, time(20))


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("48h", Rule(zone="Europe/London", after=2 * DAY)),
        ("48h after opening", Rule(zone="Europe/London", after=2 * DAY)),
        ("2 days after the opening in Tokyo", Rule(zone="Asia/Tokyo", after=2 * DAY)),
        ("48h after opening, not on Sat Sun", Rule(zone="Europe/London", after=2 * DAY, not_weekdays=(5, 6))),
        ("48h but not on weekends", Rule(zone="Europe/London", after=2 * DAY, not_weekdays=(5, 6))),
        (
            "every Tue and Fri 20:00 Asia/Tokyo",
            Rule(zone="Asia/Tokyo", moments=(TUESDAY_EVENING, Moment(4, time(20)))),
        ),
        (
            "Every Tuesdays at 20:00, Fri 18:30 in europe/paris",
            Rule(zone="Europe/Paris", moments=(TUESDAY_EVENING, Moment(4, time(18, 30)))),
        ),
        ("every Tue, 20:00", Rule(zone="Europe/London", moments=(TUESDAY_EVENING,))),
        (
            "every tue 08:00 and 20:00",
            Rule(zone="Europe/London", moments=(Moment(1, time(8)), TUESDAY_EVENING)),
        ),
        (
            "daily 9:05",
            Rule(zone="Europe/London", moments=tuple(Moment(day, time(9, 5)) for day in range(7))),
        ),
        (
            "weekdays at 9:05",
            Rule(zone="Europe/London", moments=tuple(Moment(day, time(9, 5)) for day in range(5))),
        ),
        (
            "every Tue 20:00, at least 24h, not on 2026-12-29 and 25 Dec 2026, not on 2026-12-29",
            Rule(
                zone="Europe/London",
                moments=(TUESDAY_EVENING,),
                at_least=DAY,
                not_dates=(date(2026, 12, 25), date(2026, 12, 29)),
            ),
        ),
    ],
)
def test_rules_are_read_as_charters_write_them(text: str, read: Rule) -> None:
    """Spans and times of the week, with a zone of their own or the charter's."""
    assert calendar.parse_rule(text, "europe/london") == read


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "A rule is a span or times of the week"),
        ("soon", "A rule is a span or times of the week"),
        ("0h", "leaves no time at all"),
        ("every 48h", "has no time of day"),
        ("every Tue", "has no time of day"),
        ("every 20:00", "Write every day 20:00, or every Tue 20:00"),
        ("every Tue 8 pm", "20:00 rather than 8 pm"),
        ("every Tue 25:00", "Use 00:00 to 23:59"),
        ("every Tue 20:00:30", "Write a time such as 20:00"),
        ("every Tusday 20:00", "Write Mon, Tue, Wed, Thu, Fri, Sat or Sun"),
        ("every T 20:00", "Tuesday or Thursday"),
        ("every Tue 20:00 CET", "Europe/Berlin"),
        ("48h after opening in Londn", "Did you mean Europe/London?"),
        ("48h after opening, at least 24h", "At least has no meaning after a span"),
        ("every Tue 20:00, at least", "Write one such as 24h"),
        ("every Tue 20:00, not on", "Not on what?"),
        ("every Tue 20:00, not on Christmas", "is not a day of the week"),
        ("every Tue 20:00, not on 25 Dec", "Write it in four digits: 25 Dec 2026"),
        ("every 2 weeks Tue 20:00", '"2 weeks" is not a day of the week'),
        ("every Tue 20:00, not on Tuesdays", "Without Tue no day is left"),
        ("48h, not on weekdays and weekends", "no day is left"),
        ("every \u0662\u0660:00", "has no time of day"),
    ],
)
def test_a_rule_that_cannot_be_read_is_answered_with_words_that_work(text: str, part: str) -> None:
    """Each part of a rule has complaints of its own, and a rule that no day satisfies is refused."""
    assert part in complaint(calendar.parse_rule(text, "Europe/London"))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("48h", "2 days after opening in Europe/London"),
        (
            "90m after opening, not on Sat Sun, not on 2026-12-25",
            "1 h 30 min after opening in Europe/London, not on Sat, Sun and 2026-12-25",
        ),
        ("every fri and tue 20:00 Tokyo", "every Tue and Fri 20:00 Asia/Tokyo"),
        ("every Tue 20:00, Fri 18:30", "every Tue 20:00, Fri 18:30 Europe/London"),
        (
            "every Mon 7:00, day 08:00 and 20:00, at least 1d",
            "every day 08:00 and 20:00, Mon 07:00 Europe/London, at least 1 day",
        ),
    ],
)
def test_a_rule_is_shown_in_canonical_words(text: str, shown: str) -> None:
    """The canonical form names its zone and reads back as the same rule under any charter."""
    read = rule(text, "Europe/London")
    assert show_rule(read) == shown
    assert calendar.parse_rule(shown, "Asia/Tokyo") == read


# --- deadlines


def test_a_phase_opened_at_the_deadline_has_the_next_one() -> None:
    """A deadline is strictly later than the opening."""
    assert due("every Tue and Fri 20:00", "Europe/London", "2026-11-24 20:00") == "Fri 2026-11-27 20:00 +0000"
    assert due("every Tue and Fri 20:00", "Europe/London", "2026-11-24 19:59") == "Tue 2026-11-24 20:00 +0000"


def test_at_least_skips_a_deadline_that_comes_too_soon() -> None:
    """The first time of the week that leaves the span counts, and one that leaves exactly the span does."""
    text = "every day 20:00, at least 24h"
    assert due(text, "UTC", "2026-11-24 20:00") == "Wed 2026-11-25 20:00 +0000"
    assert due(text, "UTC", "2026-11-24 20:01") == "Thu 2026-11-26 20:00 +0000"
    assert due("every Tue 20:00, at least 10d", "UTC", "2026-11-24 20:00") == "Tue 2026-12-08 20:00 +0000"


def test_a_span_that_ends_on_a_weekend_moves_to_monday() -> None:
    """The wall time stays; a deadline on Friday or Monday is left alone."""
    text = "48h after opening, not on Sat Sun"
    assert due(text, "Europe/London", "2026-11-19 20:00") == "Mon 2026-11-23 20:00 +0000"
    assert due(text, "Europe/London", "2026-11-18 20:00") == "Fri 2026-11-20 20:00 +0000"
    assert due(text, "Europe/London", "2026-11-21 10:00") == "Mon 2026-11-23 10:00 +0000"


def test_a_weekend_is_a_matter_of_the_rules_own_zone() -> None:
    """Friday evening in London is Saturday in Tokyo."""
    text = "24h after opening, not on Sat Sun"
    assert due(text, "Europe/London", "2026-11-19 20:00") == "Fri 2026-11-20 20:00 +0000"
    assert due(text, "Asia/Tokyo", "2026-11-19 20:00") == "Mon 2026-11-23 05:00 +0900"


def test_a_moved_span_keeps_its_wall_time_through_a_change() -> None:
    """A deadline that moves past the change moves in wall time, and a gap there ends it."""
    text = "24h after opening, not on Sat"
    assert due(text, "Europe/Berlin", "2025-03-28 11:00") == "Sun 2025-03-30 12:00 +0200"
    assert due(text, "Europe/Berlin", "2025-03-28 01:30") == "Sun 2025-03-30 03:00 +0200"


def test_a_span_is_rounded_up_to_the_minute_before_its_day_is_judged() -> None:
    """What ends half a minute before Saturday would end on Saturday, so it moves to Monday."""
    text = "24h after opening, not on Sat Sun"
    assert due(text, "UTC", "2026-11-19 23:59:30") == "Mon 2026-11-23 00:00 +0000"


def test_holidays_are_left_out_like_the_rules_own_dates() -> None:
    """A charter's holidays hold for every rule."""
    holidays = (date(2026, 12, 25), date(2026, 12, 29))
    assert due("every Tue and Fri 20:00", "UTC", "2026-12-22 20:00", *holidays) == "Fri 2027-01-01 20:00 +0000"
    assert due("24h after opening", "UTC", "2026-12-24 09:00", *holidays) == "Sat 2026-12-26 09:00 +0000"


def test_a_clock_that_starts_in_1970_still_gives_a_deadline() -> None:
    """A machine without a battery opens phases at the epoch."""
    assert due("every day 20:00", "Europe/London", "1970-01-01 00:00") == "Thu 1970-01-01 20:00 +0100"
