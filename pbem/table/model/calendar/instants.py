"""Instants as people read and write them: a date, a time of day and a place; knows no now and no rule."""

import re
from datetime import date, datetime, time, tzinfo

from pbem.language.phrases import Unread, clean
from pbem.table.model.calendar.spans import show_roughly
from pbem.table.model.calendar.zones import AREAS, clock, instant_of, known_zone, offset_of

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
WIDEST = 46
"""Columns of a line that shows a deadline."""

_TIME = re.compile(r"[0-9]+(?::[0-9]+)+")
_TWELVE_HOURS = re.compile(r"[0-9]\s*[ap]\.?m\b", re.IGNORECASE)


def parse_instant(text: str, zone: str) -> datetime | Unread:
    """
    Read an instant: `2026-11-24 20:00 Europe/London`, `24 Nov 2026 20:00`, `2026-11-24T20:00Z`.

    Shape: `zone` holds where the text names none; an offset such as +01:00 will do; the result is in UTC.
    Errors: `Unread` says which part we could not read.
    """
    # An offset must not look like a second time of day.
    cleaned = re.sub(r"([+-][0-9]{1,2}):([0-9]{2})(?=\s|$)", r"\1\2", clean(text))
    pairs = cut_at_times(cleaned)
    if complaint := twelve_hours(cleaned):
        return complaint
    if len(pairs) != 2 or not pairs[0][0]:
        return Unread("unreadable", "Write one date and one time, such as 2026-11-24 20:00 Europe/London.")
    (before, shown), (after, _) = pairs
    day = parse_date(re.sub(r"(?:(?<=[0-9])T|,|\bat)$", "", before, flags=re.IGNORECASE))
    at, here = parse_time(shown), _clock_named(after, zone)
    if isinstance(day, Unread):
        return day
    if isinstance(at, Unread):
        return at
    return here if isinstance(here, Unread) else instant_of(datetime.combine(day, at), here)


def _clock_named(text: str, zone: str) -> tzinfo | Unread:
    """Read what may stand behind a time: nothing, a zone, or an offset, also as our letters show them."""
    place = re.sub(r"^in\s+|\s*\(guessed\)$", "", text) or zone
    if offset := offset_of(place.replace(" ", "")):
        return offset
    known = known_zone(place)
    return known if isinstance(known, Unread) else clock(known)


def cut_at_times(text: str) -> tuple[tuple[str, str], ...]:
    """Cut a text after each time of day into pairs of what stands before and the time, then ("rest", "")."""
    pairs, start = [], 0
    for match in _TIME.finditer(text):
        pairs.append((text[start : match.start()].strip(), match[0]))
        start = match.end()
    return (*pairs, (text[start:].strip(), ""))


def parse_time(text: str) -> time | Unread:
    """Read a time of day on the 24-hour clock, in whole minutes."""
    match = re.fullmatch(r"([0-9]{1,2}):([0-9]{2})(?::00)?", text)
    if not match:
        return Unread("unreadable", f'"{text[:20]}" is not hours and minutes. Write a time such as 20:00.')
    if (int(match[1]), int(match[2])) == (24, 0):
        return Unread("ambiguous", "24:00 is the end of one day and the start of the next. Write 23:59 or 00:00.")
    if int(match[1]) > 23 or int(match[2]) > 59:
        return Unread("illegal", f"{text} is not a time of day. Use 00:00 to 23:59.")
    return time(int(match[1]), int(match[2]))


def twelve_hours(text: str) -> Unread | None:
    """Complain of a time on the 12-hour clock, which people read in two ways at noon and midnight."""
    if _TWELVE_HOURS.search(text):
        return Unread("unreadable", "We read the 24-hour clock only. Write 20:00 rather than 8 pm.")
    return None


def parse_date(text: str) -> date | Unread:
    """
    Read a date: `2026-11-24`, `24 Nov 2026`, `Tue 24 November 2026`, `Nov 24, 2026`.

    Errors: `ambiguous` for 24/11/2026 and for a weekday that does not fit; `illegal` for 29 February 2027.
    """
    cleaned = clean(text)
    if match := re.fullmatch(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})", cleaned):
        return _day(int(match[1]), int(match[2]), int(match[3]))
    if re.fullmatch(r"[0-9]{1,4}[./][0-9]{1,2}[./][0-9]{1,4}", cleaned):
        return Unread("ambiguous", f"{cleaned} is read differently in different countries. Write 2026-11-24.")
    words = re.split(r"[\s,.]+", re.sub(r"(?<=[0-9])(?:st|nd|rd|th)\b", "", cleaned.lower()))
    weekday = _place_of(words[0], WEEKDAYS)
    rest = words if weekday is None else words[1:]
    if len(rest) > 1 and _place_of(rest[0], MONTHS) is not None:
        rest = [rest[1], rest[0], *rest[2:]]
    month = _place_of(rest[1], MONTHS) if len(rest) > 1 else None
    if month is None or not re.fullmatch(r"[0-9]{1,2}", rest[0]):
        return Unread("unreadable", f'"{cleaned[:40]}" is not a date. Write one such as 2026-11-24 or 24 Nov 2026.')
    if len(rest) != 3 or not re.fullmatch(r"[0-9]{4}", rest[2]):
        example = f"{rest[0]} {MONTHS[month][:3]} 2026"
        return Unread("unreadable", f'"{cleaned[:40]}" needs its year. Write it in four digits: {example}.')
    day = _day(int(rest[2]), month + 1, int(rest[0]))
    if weekday is None or isinstance(day, Unread) or day.weekday() == weekday:
        return day
    return Unread("ambiguous", f"{_show_date(day)} is not a {WEEKDAYS[weekday]}. Write the date alone.")


def _place_of(word: str, names: tuple[str, ...]) -> int | None:
    places = (place for place, name in enumerate(names) if len(word) >= 3 and name.lower().startswith(word))
    return next(places, None)


def _day(year: int, month: int, day: int) -> date | Unread:
    if not 1970 <= year <= 2999:
        return Unread("illegal", f"The year {year} is out of our reach. Use 1970 to 2999.")
    try:
        return date(year, month, day)
    except ValueError:
        return Unread("illegal", f"No calendar has {year}-{month:02}-{day:02}. Write a date such as 2026-11-24.")


def show_instant(instant: datetime, zone: str) -> str:
    """Write an instant as a zone's clock shows it: `Tue 24 Nov 20:00 in London`; seconds are dropped."""
    return _clock_time(instant, zone, now=instant)


def show_deadline(instant: datetime, zone: str, now: datetime) -> tuple[str, ...]:
    """
    Write a deadline as the lines of a letter: in the reader's zone with the time left, then in UTC.

    Shape: the year stands only where it is not this year; a line is at most `WIDEST` columns, so the time
    left goes on a line of its own where it must; a reader in UTC is told once.
    """
    local, universal = _clock_time(instant, zone, now), _clock_time(instant, "UTC", now)
    left = f"(in {show_roughly(instant - now)})" if instant > now else f"({show_roughly(now - instant)} ago)"
    lines = (f"{local} {left}",) if len(f"{local} {left}") <= WIDEST else (local, left)
    return lines if local == universal else (*lines, universal)


def _clock_time(instant: datetime, zone: str, now: datetime) -> str:
    here = clock(zone)
    wall = instant.astimezone(here)
    day = _show_date(wall)
    if wall.year == now.astimezone(here).year:
        day = day.removesuffix(f" {wall.year}")
    return f"{day} {wall:%H:%M} {_show_place(zone)}"


def _show_date(day: date) -> str:
    # strftime would write the names in the language of the machine.
    return f"{WEEKDAYS[day.weekday()][:3]} {day.day} {MONTHS[day.month - 1][:3]} {day.year}"


def _show_place(zone: str) -> str:
    if zone == "UTC":
        return zone
    if offset_of(zone):
        return f"{zone} (guessed)"
    area, *places = zone.split("/")
    return f"in {places[-1] if area in AREAS else ' '.join((area, *places))}".replace("_", " ")
