"""Spans of time as people write them, such as 24h or 2 days 3 h; knows no dates, zones or clock."""

import re
from datetime import timedelta
from functools import lru_cache

from pbem.language.phrases import Unread, clean

LONGEST = timedelta(days=366)
"""The longest span that anybody may ask for."""

_UNITS = {
    "w": timedelta(weeks=1),
    "d": timedelta(days=1),
    "h": timedelta(hours=1),
    "m": timedelta(minutes=1),
}
_PIECE = r"(an?(?=\s)|one(?=\s)|[0-9]{1,6})\s*(weeks?|wks?|w|days?|d|hours?|hrs?|h|minutes?|mins?|m)(?![a-z])"
_SPAN = re.compile(rf"{_PIECE}(?:\s*(?:,|\band\b|,\s*and\b)?\s*{_PIECE})*")
_FRACTION = re.compile(r"[0-9][.,][0-9]|\bhalf\b")


@lru_cache(maxsize=256)  # a game's own spans are read at every visit
def parse_span(text: str) -> timedelta | Unread:
    """
    Read a span of time: `24h`, `2 days 3 h`, `90m`, `1 week`, `a day and 6 hours`.

    Units: weeks, days of 24 hours, hours, minutes, in whole numbers; zero is a span too.
    Errors: `Unread` for anything else, a unit named twice and a span above `LONGEST`.
    """
    cleaned = clean(text).lower()
    if not _SPAN.fullmatch(cleaned):
        return Unread("unreadable", _no_span(cleaned))
    pieces = re.findall(_PIECE, cleaned)
    units = [unit[0] for _, unit in pieces]
    if len(set(units)) < len(units):
        return Unread("ambiguous", f'"{cleaned}" names a unit twice. Write each once, such as 2 days 3 h.')
    counts = [int(count) if count[0] in "0123456789" else 1 for count, _ in pieces]
    span = sum((_UNITS[unit] * count for unit, count in zip(units, counts, strict=True)), timedelta())
    if span > LONGEST:
        return Unread("illegal", f'"{cleaned}" is longer than a game may wait. Use at most {show_span(LONGEST)}.')
    return span


def _no_span(text: str) -> str:
    excerpt = text if len(text) <= 40 else f"{text[:37]}..."
    if re.fullmatch(r"[0-9]{1,6}", text):
        return f"{text} of what? Write {text}h for hours or {text}d for days."
    if _FRACTION.search(text):
        return f'"{excerpt}" is not in whole numbers. Write 1h 30m rather than 1.5h.'
    if re.search(r"[0-9]\s*(?:months?|mo|years?|y)\b", text):
        return f'"{excerpt}" has no fixed length. Write days or weeks, such as 30 days.'
    return f'"{excerpt}" is not a span of time. Write one such as 24h, 2 days 3 h or 90m.'


def show_span(span: timedelta) -> str:
    """
    Write a span in days, hours and minutes; `parse_span` reads whole minutes back as the same span.

    Units: seconds are dropped, so nobody is promised more time than there is.
    """
    minutes = span // timedelta(minutes=1)
    if minutes < 1:
        return "less than a minute"
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    day = "1 day" if days == 1 else f"{days} days"
    pieces = ((days, day), (hours, f"{hours} h"), (minutes, f"{minutes} min"))
    return " ".join(piece for count, piece in pieces if count)


def show_roughly(span: timedelta) -> str:
    """Write a span as letters do: from one day on, the minutes are left out."""
    if span < timedelta(days=1):
        return show_span(span)
    return show_span(span - span % timedelta(hours=1))
