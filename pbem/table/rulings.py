"""
Rulings: what a moderator may decide, as values, and their canonical words; knows no mail.

Those that change facts or orders must carry their reason; all others but a note, which is words itself, may.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TypeAlias

import msgspec

from pbem.table import calendar
from pbem.terms import Fact, Seat


class Overrule(msgspec.Struct, frozen=True):
    """Pin one derived fact of this phase."""

    key: str
    value: Fact
    because: str


class SetFact(msgspec.Struct, frozen=True):
    """Set one fact of the state; at the proof, pin it as the adjudication derives it."""

    key: str
    value: Fact
    because: str


class Do(msgspec.Struct, frozen=True):
    """An effect, in this phase or in each from now on: what a power did."""

    effect: str
    each: bool
    because: str


class Strike(msgspec.Struct, frozen=True):
    """Take one order out of a seat's set on hand."""

    seat: Seat
    order: str
    because: str


class OrderFor(msgspec.Struct, frozen=True):
    """Put a set on hand for a seat, in place of what it has."""

    seat: Seat
    orders: tuple[str, ...]
    because: str


class Excuse(msgspec.Struct, frozen=True):
    """Wait for a seat no longer in this phase, and do not count it as an NMR."""

    seat: Seat
    because: str = ""


class Extend(msgspec.Struct, frozen=True):
    """Move the deadline later by a span."""

    span: timedelta
    because: str = ""


class MoveDeadline(msgspec.Struct, frozen=True):
    """Put the deadline at an instant."""

    instant: datetime
    because: str = ""


class Plain(msgspec.Struct, frozen=True):
    """A ruling of fixed words: pause, resume, close now, begin, hold, invite again."""

    words: str
    because: str = ""


class Approve(msgspec.Struct, frozen=True):
    """Let the report out as the proof of this number shows it."""

    proof: int
    because: str = ""


class Note(msgspec.Struct, frozen=True):
    """A line of the moderator's in the next report."""

    text: str


class Undo(msgspec.Struct, frozen=True):
    """Take back the ruling of this number."""

    number: int
    because: str = ""


Ruling: TypeAlias = (
    Overrule | SetFact | Do | Strike | OrderFor | Excuse | Extend | MoveDeadline | Plain | Approve | Note | Undo
)


def reason(ruling: Ruling) -> str:
    """Return the reason a ruling carries, or ""."""
    return getattr(ruling, "because", "")


def show(ruling: Ruling) -> str:
    """Write a ruling in canonical words, without its reason; with `because` and the reason, it reads back."""
    match ruling:
        case Overrule(key, value):
            return f"overrule {key} = {_shown(value)}"
        case SetFact(key, value):
            return f"set {key} = {_shown(value)}"
        case Do(effect, each):
            return f"do {effect}{' each round' if each else ''}"
        case Strike(seat, order):
            return f"strike {seat}: {order}"
        case OrderFor(seat, orders):
            return f"order {seat}: {'; '.join(orders)}"
        case Excuse(seat):
            return f"excuse {seat}"
        case Extend(span):
            return f"extend {calendar.show_span(span)}"
        case MoveDeadline(instant):
            return f"deadline {instant:%Y-%m-%d %H:%M} UTC"
        case Plain(words):
            return words
        case Approve(proof):
            return f"approve {proof}"
        case Note(text):
            return f"note {text}"
        case Undo(number):
            return f"undo {number}"


def _shown(value: Fact) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
