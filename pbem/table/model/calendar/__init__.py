"""The calendar's arithmetic: spans, zones, instants and the rules of a charter; knows no now and no game."""

from pbem.table.model.calendar.instants import parse_instant, show_deadline, show_instant
from pbem.table.model.calendar.rules import Rule, deadline, is_due_each_time, parse_rule, with_least
from pbem.table.model.calendar.spans import parse_span, show_roughly, show_span
from pbem.table.model.calendar.zones import known_zone

__all__ = [
    "Rule",
    "deadline",
    "is_due_each_time",
    "known_zone",
    "parse_instant",
    "parse_rule",
    "parse_span",
    "show_deadline",
    "show_instant",
    "show_roughly",
    "show_span",
    "with_least",
]
