"""Days of the calendar in what people write; knows no game."""

import re
from itertools import groupby

from pbem.language.words import COMMON

CALENDAR = COMMON.single("CALENDAR")
"""Months and days of the week, as languages write them."""
_WITHIN = "of the to until till st nd rd th bis der den le du de al do"
_DATED = CALENDAR | frozenset(_WITHIN.split())
_WORD = re.compile(r"[^\W\d_]+(?:[.'\u2019][^\W\d_]+)*|[0-9]+")
_IN_DATE = re.compile(r"0?[1-9]|[12][0-9]|3[01]|(?:19|20)[0-9]{2}")
_TIME = re.compile(
    r"\b[0-9]{1,2}[:.h][0-5][0-9](?![0-9.])|\b[0-9]{1,2} ?[ap]\.?m\b|\b[0-9]{1,2} ?o['\u2019]?clock\b"
    r"|\b[0-9]{4}-[0-9]{2}-[0-9]{2}\b|\b[0-9]{1,2}([./-])[0-9]{1,2}\1(?:[0-9]{2}){1,2}\b",
    re.IGNORECASE,
)
"""A time of day, or a date in figures."""


def without_days(text: str) -> str:
    """
    Take out the numbers of days and times, wherever they stand: `5-9` of `away 5-9 December`, `18:30`.

    Shape: a number is a day's where nothing but numbers and words such as `of` and `until` stands between it and a
    month or a day of the week, and it can be one: up to 31, or a year.
    """
    text = _TIME.sub(" ", text)
    days: list[re.Match[str]] = []
    runs = groupby(_WORD.finditer(text), key=lambda one: one[0].isdigit() or one[0].casefold() in _DATED)
    for is_dated, run in runs:
        words = list(run)
        if is_dated and not CALENDAR.isdisjoint(one[0].casefold() for one in words):
            days += [one for one in words if _IN_DATE.fullmatch(one[0])]
    for one in reversed(days):
        text = f"{text[: one.start()]} {text[one.end() :]}"
    return text
