"""Zones: which one a person named, and the instant at which its clock shows a time; knows no now."""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from rapidfuzz import fuzz, process

from pbem.language.phrases import Unread, clean, listed

AREAS = frozenset(
    (
        "Africa", "America", "Antarctica", "Arctic", "Asia",
        "Atlantic", "Australia", "Europe", "Indian", "Pacific",
    )
)  # fmt: skip
"""The areas whose places have names of their own; "Eastern" of US/Eastern is none."""

_UTC_NAMES = frozenset(("utc", "z", "zulu", "uct", "universal", "etc utc", "coordinated universal time"))
_VAGUE: Mapping[str, tuple[str, ...]] = {
    word: tuple(places.split())
    for words, places in (
        ("gmt greenwich", "Europe/London UTC"),
        ("bst", "Europe/London Asia/Dhaka"),
        ("wet west", "Europe/Lisbon Atlantic/Canary"),
        ("cet cest met mest mez mesz", "Europe/Berlin Europe/Paris Europe/Warsaw"),
        ("eet eest", "Europe/Helsinki Europe/Athens"),
        ("msk", "Europe/Moscow"),
        ("ist", "Asia/Kolkata Europe/Dublin Asia/Jerusalem"),
        ("est", "America/New_York America/Panama Australia/Sydney"),
        ("edt et eastern est5edt", "America/New_York America/Toronto"),
        ("cst", "America/Chicago America/Costa_Rica Asia/Shanghai"),
        ("cdt ct central cst6cdt", "America/Chicago America/Winnipeg"),
        ("mst mdt mt mountain mst7mdt", "America/Denver America/Phoenix"),
        ("pst pdt pt pacific pst8pdt", "America/Los_Angeles America/Vancouver"),
        ("ast adt", "America/Halifax Asia/Riyadh"),
        ("nst ndt", "America/St_Johns"),
        ("akst akdt", "America/Anchorage"),
        ("hst", "Pacific/Honolulu"),
        ("brt", "America/Sao_Paulo"),
        ("sast", "Africa/Johannesburg"),
        ("hkt", "Asia/Hong_Kong"),
        ("jst", "Asia/Tokyo"),
        ("kst", "Asia/Seoul"),
        ("sgt", "Asia/Singapore"),
        ("awst", "Australia/Perth"),
        ("acst acdt", "Australia/Adelaide Australia/Darwin"),
        ("aest aedt aet", "Australia/Sydney Australia/Brisbane"),
        ("nzst nzdt", "Pacific/Auckland"),
        ("samoa", "Pacific/Apia Pacific/Pago_Pago"),
    )
    for word in words.split()
}
"""Words that many take for a zone, and the places that those who use them may live in."""

_OFFSET = re.compile(r"(?:UTC|GMT)?([+-])([0-9]{1,2})(?::?([0-5][0-9]))?", re.IGNORECASE)


def known_zone(name: str) -> str | Unread:
    """
    Find the IANA name of a zone that a person named, in any case, by its full name or its city.

    Errors: `ambiguous` with suggestions for abbreviations (CET) and offsets (UTC+1), which do not say when
    the clocks change; `unreadable` with a did-you-mean.
    """
    wanted = _folded(name)
    if wanted in _UTC_NAMES:
        return "UTC"
    if wanted in _VAGUE:
        return Unread(
            "ambiguous",
            f'"{clean(name)}" does not say where, and so not when the clocks change. '
            f"Name a place: {listed(_VAGUE[wanted])}.",
        )
    if _OFFSET.fullmatch(clean(name).replace(" ", "")):
        return Unread(
            "ambiguous",
            f'"{clean(name)}" does not say when the clocks change. Name a place, such as Europe/London, or UTC.',
        )
    return _zones().get(wanted) or _unknown(name)


def _folded(name: str) -> str:
    letters = unicodedata.normalize("NFKD", clean(name).casefold())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return clean(re.sub(r"[/_-]", " ", plain)).strip(" .'\"")


@cache
def _zones() -> Mapping[str, str]:
    """Map each folded name, and each folded ending of it (`tokyo`), to the IANA name."""
    index: dict[str, str] = {}
    # The few endings that two names share ("istanbul") are one place under an older name: the longest wins.
    for name in sorted(available_timezones(), key=lambda name: (len(name), name)):
        area, *places = name.split("/")
        if area in ("Etc", "Factory", "localtime") or area.startswith("GMT") or _folded(name) in _VAGUE:
            continue
        index[_folded(name)] = name
        if area in AREAS:
            index.update({_folded(" ".join(places[start:])): name for start in range(len(places))})
    return index


def _unknown(name: str) -> Unread:
    cleaned = clean(name)
    excerpt = cleaned if len(cleaned) <= 40 else f"{cleaned[:37]}..."
    close = process.extractOne(_folded(cleaned[:60]), _zones().keys(), scorer=fuzz.ratio, score_cutoff=75)
    advice = "Name a big city of your zone, such as Europe/London, or UTC."
    hint = f"Did you mean {_zones()[close[0]]}?" if close else advice
    return Unread("unreadable", f'There is no time zone called "{excerpt}". {hint}')


def clock(zone: str) -> tzinfo:
    """Return the clock of a zone that `known_zone` gave, or of a guess such as `UTC-3:30`."""
    offset = offset_of(zone)
    return ZoneInfo(zone) if offset is None else offset


def offset_of(text: str) -> timezone | None:
    """Read an offset from UTC: `UTC+1`, `-03:30`; None for anything else."""
    match = _OFFSET.fullmatch(text)
    if not match or int(match[2]) > 14:
        return None
    span = timedelta(hours=int(match[2]), minutes=int(match[3] or 0))
    return timezone(-span if match[1] == "-" else span)


def instant_of(wall: datetime, here: tzinfo) -> datetime:
    """
    Return the instant, in UTC, at which the clock `here` shows `wall`.

    Shape: `wall` has no zone of its own. A time that is shown twice is the first of the two; a time that is
    never shown, because the clocks were put forward over it, is the first instant after the gap.
    """
    first = wall.replace(tzinfo=here, fold=0).astimezone(UTC)
    if _wall(first, here) == wall:
        return first
    # zoneinfo answers 03:30 for a missing 02:30; the gap's end lies between its two answers.
    start = wall.replace(tzinfo=here, fold=1).astimezone(UTC).replace(microsecond=0)
    seconds = range((first - start) // timedelta(seconds=1) + 2)
    gap = bisect_left(seconds, True, key=lambda after: _wall(start + timedelta(seconds=after), here) > wall)
    return start + timedelta(seconds=gap)


def _wall(instant: datetime, here: tzinfo) -> datetime:
    return instant.astimezone(here).replace(tzinfo=None)
