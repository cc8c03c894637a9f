"""Rules of a calendar in canonical words, by which tests hold the reader of rules to what it read."""

from collections.abc import Sequence

from pbem.language.phrases import listed
from pbem.table.model.calendar import Rule, show_span
from pbem.table.model.calendar.instants import WEEKDAYS
from pbem.table.model.calendar.rules import Moment

_DAYS = tuple(name[:3] for name in WEEKDAYS)


def show_rule(rule: Rule) -> str:
    """Write a rule in canonical words, with its zone: `every Tue 20:00 Europe/London, at least 1 day`."""
    if rule.after is not None:
        shown = f"{show_span(rule.after)} after opening in {rule.zone}"
    else:
        shown = f"every {_show_moments(rule.moments)} {rule.zone}"
    if rule.at_least:
        shown += f", at least {show_span(rule.at_least)}"
    left_out = [_DAYS[day] for day in rule.not_weekdays] + [day.isoformat() for day in rule.not_dates]
    return f"{shown}, not on {listed(left_out, 'and')}" if left_out else shown


def _show_moments(moments: Sequence[Moment]) -> str:
    """Write times of the week, those that share their days together, the most days first."""
    by_days: dict[tuple[int, ...], list[str]] = {}
    for at in sorted({moment.at for moment in moments}):
        days = tuple(moment.weekday for moment in moments if moment.at == at)
        by_days.setdefault(days, []).append(f"{at:%H:%M}")
    parts = []
    for days in sorted(by_days, key=lambda days: (-len(days), days)):
        names = "day" if len(days) == 7 else listed([_DAYS[day] for day in days], "and")
        parts.append(f"{names} {listed(by_days[days], 'and')}")
    return ", ".join(parts)
