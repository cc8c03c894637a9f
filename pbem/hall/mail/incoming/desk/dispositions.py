"""The disposition of each mail, by its case at the desk or its entry in a game: each has exactly one."""

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from pbem.table.fold.journal import Entry, OrdersReceived, RulingGiven, TokenLeaked

Disposition: TypeAlias = Literal["applied", "refused", "held", "ignored", "duplicate", "set aside"]
DISPOSITIONS: tuple[Disposition, ...] = ("applied", "refused", "held", "ignored", "duplicate", "set aside")

OF_THE_DESK: dict[str, Disposition] = {
    "automatic": "ignored",
    "bounce": "ignored",
    "unreadable": "ignored",
    "duplicate": "duplicate",
    "sign-up": "held",
    "held": "held",
    "move to": "held",
    "move from": "held",
    "move by": "held",
    "move back": "held",
}
"""What became of the desk's cases; all others were refused, and answered as far as their sender's day allows."""


def of_case(entry: Mapping[str, Any]) -> Disposition:
    """Say what became of a mail that came to the desk."""
    return OF_THE_DESK.get(entry["why"], "refused")


def of_entry(entry: Entry) -> Disposition:
    """Say what became of a mail that its game journaled; one of which nothing was taken was refused, in its answer."""
    match entry:
        case OrdersReceived():
            acted = bool(entry.taken or entry.late or entry.requests or entry.press) or not entry.complaints
        case RulingGiven():
            acted = bool(entry.rulings or entry.requests) or not entry.complaints
        case TokenLeaked():
            acted = False
        case _:
            acted = True
    return "applied" if acted else "refused"
