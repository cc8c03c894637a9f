"""The rules of a charter's calendar, and the deadlines that follow from them; knows no now."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise

import msgspec

from pbem.language.phrases import Unread, clean, find, listed
from pbem.table.model.calendar.instants import WEEKDAYS, cut_at_times, parse_date, parse_time, twelve_hours
from pbem.table.model.calendar.spans import parse_span
from pbem.table.model.calendar.zones import clock, instant_of, known_zone


class Moment(msgspec.Struct, frozen=True, order=True):
    """A time of the week; Monday is weekday 0."""

    weekday: int
    at: time


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """
    A calendar rule: when a phase is due, given when it opened.

    Shape: either `after` is a span, or `moments` are the times of the week, sorted; `at_least` goes with
    moments; the weekdays and dates that are left out are those of `zone`, sorted.
    """

    zone: str
    after: timedelta | None = None
    moments: tuple[Moment, ...] = ()
    at_least: timedelta = timedelta()
    not_weekdays: tuple[int, ...] = ()
    not_dates: tuple[date, ...] = ()


_DAYS = tuple(name[:3] for name in WEEKDAYS)
_NAMES = dict(zip(_DAYS, WEEKDAYS, strict=True))
_GROUPS = {"day": range(7), "daily": range(7), "weekday": range(5), "weekend": range(5, 7)}
_SMALL_WORDS = frozenset(("every", "each", "and", "or", "at", "on", "&"))
_CLAUSE = re.compile(r"[\s,;]*\b(?:but\s+|and\s+)?(at least|not on|not at|except(?:\s+on)?)\b\s*", re.IGNORECASE)
_OPENING = re.compile(r"\s*\bafter\s+(?:the\s+)?opening\b\s*(?:in\b\s*)?", re.IGNORECASE)
_EXAMPLES = "48h after opening, or every Tue and Fri 20:00 Europe/London"


def parse_rule(text: str, zone: str) -> Rule | Unread:
    """
    Read a calendar rule of a charter.

    Shape: `48h after opening`, `every Tue and Fri 20:00 Europe/London`, `every Tue 20:00, Fri 18:30`, each
    with `, not on Sat Sun 2026-12-25` and, for wall-clock rules, `, at least 24h`. `zone` is the charter's
    and holds where the rule names none.
    Errors: `Unread` for what we cannot read and for rules that no day would satisfy.
    """
    head, *clauses = _CLAUSE.split(clean(text))
    is_wall_clock = ":" in head or re.match(r"(?:every|each|daily)\b", head, re.IGNORECASE)
    rule = _wall_clock(head, zone) if is_wall_clock else _after_opening(head, zone)
    for keyword, clause in zip(clauses[::2], clauses[1::2], strict=True):
        if isinstance(rule, Unread):
            return rule
        rule = _at_least(rule, clause) if keyword.lower() == "at least" else _not_on(rule, clause)
    return rule if isinstance(rule, Unread) else _possible(rule)


def with_least(text: str, zone: str, least: str) -> str:
    """Return a rule's text with `at least`, a span, where it names times of the week and does not say so itself."""
    rule = parse_rule(text, zone)
    if isinstance(rule, Unread) or rule.after is not None or "at least" in map(str.lower, _CLAUSE.split(clean(text))):
        return text
    return f"{text}, at least {least}"


def is_due_each_time(rule: Rule, after: timedelta) -> bool:
    """Say whether a phase that opens so long after any time of the week is due at the next of them."""
    days = sorted(timedelta(days=at.weekday, hours=at.at.hour, minutes=at.at.minute) for at in rule.moments)
    gaps = (later - earlier for earlier, later in pairwise([*days, *(day + timedelta(days=7) for day in days[:1])]))
    return all(gap - after >= rule.at_least for gap in gaps)


def _after_opening(head: str, zone: str) -> Rule | Unread:
    span_text, *where = _OPENING.split(head, maxsplit=1)
    span, known = parse_span(span_text), known_zone("".join(where) or zone)
    if isinstance(span, Unread):
        return Unread(span.fault, f"{span.because} A rule is a span or times of the week: {_EXAMPLES}.")
    if isinstance(known, Unread):
        return known
    if not span:
        return Unread("illegal", f"{span_text} leaves no time at all. Write a longer span, such as 48h.")
    return Rule(zone=known, after=span)


def _wall_clock(head: str, zone: str) -> Rule | Unread:
    *pairs, (where, _) = cut_at_times(head)
    if complaint := twelve_hours(head):
        return complaint
    if not pairs:
        return Unread("unreadable", f'"{head[:40]}" has no time of day. Write a rule such as {_EXAMPLES}.')
    known = known_zone(re.sub(r"^in\s+", "", where.strip(" ,")) or zone)
    moments = _moments(pairs)
    if isinstance(moments, Unread):
        return moments
    return known if isinstance(known, Unread) else Rule(zone=known, moments=moments)


def _moments(pairs: Sequence[tuple[str, str]]) -> tuple[Moment, ...] | Unread:
    """Read pairs of days and a time; where a time has no days before it, the days of the time before hold."""
    moments: set[Moment] = set()
    days: tuple[int, ...] = ()
    for days_text, at_text in pairs:
        named, at = _weekdays(_words(days_text)), parse_time(at_text)
        if isinstance(named, Unread):
            return named
        if isinstance(at, Unread):
            return at
        days = named or days
        if not days:
            return Unread("unreadable", f"{at_text} on which days? Write every day {at_text}, or every Tue {at_text}.")
        moments |= {Moment(day, at) for day in days}
    return tuple(sorted(moments))


def _words(text: str) -> tuple[str, ...]:
    """Cut a list of days and dates into its items; 25 Dec 2026 is one of them."""
    items: list[str] = re.findall(r"[0-9]{1,2}\s+[a-z]+(?:\s+[0-9]{4})?|[^\s,;]+", text, re.IGNORECASE)
    return tuple(item for item in items if item.lower() not in _SMALL_WORDS)


def _weekdays(words: Sequence[str]) -> tuple[int, ...] | Unread:
    days: set[int] = set()
    for word in words:
        single = word.lower().rstrip(".").removesuffix("s")
        if single in _GROUPS:
            days.update(_GROUPS[single])
            continue
        found = find(single, _NAMES, "weekday")
        if not isinstance(found, Unread):
            days.add(_DAYS.index(found))
        elif found.fault == "ambiguous":
            return found
        else:
            return Unread("unreadable", f'"{word[:20]}" is not a day of the week. Write {listed(_DAYS)}.')
    return tuple(sorted(days))


def _at_least(rule: Rule, text: str) -> Rule | Unread:
    span = parse_span(_OPENING.sub("", text))
    if isinstance(span, Unread):
        return span
    if rule.after is not None:
        return Unread(
            "illegal",
            "At least has no meaning after a span. Write it with every: every Tue 20:00, at least 24h.",
        )
    return msgspec.structs.replace(rule, at_least=max(span, rule.at_least))


def _not_on(rule: Rule, text: str) -> Rule | Unread:
    words = _words(text)
    dated = [word for word in words if "0" <= word[0] <= "9"]
    weekdays = _weekdays([word for word in words if word not in dated])
    if not words:
        return Unread("unreadable", "Not on what? Write days and dates, such as not on Sat Sun 2026-12-25.")
    if isinstance(weekdays, Unread):
        return weekdays
    dates = set(rule.not_dates)
    for day in map(parse_date, dated):
        if isinstance(day, Unread):
            return day
        dates.add(day)
    return msgspec.structs.replace(
        rule, not_weekdays=tuple(sorted({*rule.not_weekdays, *weekdays})), not_dates=tuple(sorted(dates))
    )


def _possible(rule: Rule) -> Rule | Unread:
    asked = {moment.weekday for moment in rule.moments} or set(range(7))
    if asked <= set(rule.not_weekdays):
        left_out = listed([_DAYS[day] for day in rule.not_weekdays], "and")
        return Unread("illegal", f"Without {left_out} no day is left. Leave out fewer days.")
    return rule


def deadline(rule: Rule, opened: datetime, holidays: Sequence[date] = ()) -> datetime:
    """
    Return when a phase is due that opened at `opened`; always later than that.

    Shape: aware instants, the result in UTC on a whole minute; `holidays` are left out like the rule's dates.
    A span that ends on a day left out moves to the same wall time of the next day that is not. (So of two
    phases moved to one day, the one opened later can be due earlier.) A wall time in the gap of a clock
    change is the first instant after the gap, and in an overlap the first of the two.
    """
    assert opened.tzinfo is not None, "an instant without a zone is nobody's"
    here, left_out = clock(rule.zone), {*rule.not_dates, *holidays}

    def is_allowed(day: date) -> bool:
        return day.weekday() not in rule.not_weekdays and day not in left_out

    # A gap across midnight ends on another day than the one asked for; both must be allowed.
    return next(
        instant
        for day, instant in _candidates(rule, opened.astimezone(UTC))
        if opened < instant >= opened + rule.at_least
        and is_allowed(day)
        and is_allowed(instant.astimezone(here).date())
    )


def _candidates(rule: Rule, opened: datetime) -> Iterator[tuple[date, datetime]]:
    """Give the days on which a phase could be due, without end, each with its instant, in order."""
    here = clock(rule.zone)
    if rule.after is not None:
        due = _whole_minute(opened + rule.after).astimezone(here)
        yield due.date(), due.astimezone(UTC)
        for day in _days_after(due.date()):
            yield day, instant_of(datetime.combine(day, due.time()), here)
    # No span: a week's moments. Begin with yesterday, whose missing wall time can be an instant of today.
    for day in _days_after((opened + rule.at_least).astimezone(here).date() - timedelta(days=2)):
        for moment in rule.moments:
            if moment.weekday == day.weekday():
                yield day, instant_of(datetime.combine(day, moment.at), here)


def _whole_minute(instant: datetime) -> datetime:
    """Round up, so that nobody has less than the span and letters can show the deadline exactly."""
    whole = instant.replace(second=0, microsecond=0)
    return whole if whole == instant else whole + timedelta(minutes=1)


def _days_after(day: date) -> Iterator[date]:
    while True:
        day += timedelta(days=1)
        yield day
