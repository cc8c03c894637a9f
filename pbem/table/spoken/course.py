"""Rulings on the course of a game: its clock, its proofs, a note, and taking a ruling back."""

from __future__ import annotations

from datetime import datetime, timedelta

from pbem import phrases
from pbem.phrases import Unread
from pbem.table import calendar, seating
from pbem.table.rulings import Approve, Extend, MoveDeadline, Note, Plain, Undo
from pbem.table.spoken.facts import Reading
from pbem.table.table import Table


def when_fits(table: Table, ruling: Plain) -> Reading:
    """Take begin, hold, close now, pause, resume or invite again, or say why it does not fit now."""
    wrong = {
        "begin": table.status != "sign-up" and "The game has begun already.",
        "invite again": _none_to_invite(table),
        "hold": table.status != "closed" and "There is no proof to hold; orders are still open.",
        "close now": table.status != "open" and "No phase is open for orders now.",
        "pause": (table.status != "open" or table.paused is not None) and "No clock is running now.",
        "resume": table.paused is None and "The game is not paused.",
    }[ruling.words]
    if ruling.words == "begin" and len(table.seats) < table.ruleset.seats[0]:
        least = table.ruleset.seats[0]
        wrong = f"It takes {least} seats to begin; {len(table.seats)} are taken."
    return Unread("illegal", wrong) if wrong else ruling


def _none_to_invite(table: Table) -> str:
    """Say why nobody can be invited again, or ""."""
    if table.status != "sign-up":
        return "The game has begun; nobody can join it any more."
    return "" if seating.absent(table) else "All who were invited have a seat."


def approve(table: Table, rest: str, because: str) -> Reading:
    """Read `approve NUMBER`, which lets out the newest proof and no other."""
    if table.status != "closed":
        return Unread("illegal", "There is no proof to approve; orders are still open.")
    number = phrases.number(rest)
    if isinstance(number, Unread):
        wanted = "Name the proof, and nothing else on that line" if rest else "Name the proof"
        return Unread("unreadable", f"{wanted}: approve {table.proof}.")
    if number != table.proof:
        return Unread("illegal", f"Proof {number} is not the newest. To let it out: approve {table.proof}.")
    return Approve(number, because)


def extend(table: Table, rest: str, because: str) -> Reading:
    """Read `extend 24h`, within what the charter allows."""
    span = calendar.parse_span(phrases.without_stop(rest))
    if isinstance(span, Unread):
        return span
    if table.deadline is None or table.status != "open":
        return Unread("illegal", "No deadline is running now.")
    if not span:
        return Unread("illegal", "That moves nothing. Write extend 24h, or deadline and an instant.")
    return _within_cap(table, table.deadline + span, Extend(span, because))


def deadline(table: Table, rest: str, because: str) -> Reading:
    """Read `deadline INSTANT`, by the zone of the game, within what the charter allows."""
    instant = calendar.parse_instant(phrases.without_stop(rest), table.charter.zone)
    if isinstance(instant, Unread):
        return instant
    if table.deadline is None or table.status != "open":
        return Unread("illegal", "No deadline is running now.")
    return _within_cap(table, instant, MoveDeadline(instant, because))


def _within_cap(table: Table, instant: datetime, ruling: Extend | MoveDeadline) -> Reading:
    assert table.deadline is not None and table.opened is not None
    cap = calendar.parse_span(table.charter.calendar.longest_extension)
    assert isinstance(cap, timedelta)
    if table.extended + (instant - table.deadline) > cap:
        longest = calendar.show_span(cap)
        return Unread("illegal", f"The charter lets a phase be extended by {longest} in all.")
    if instant <= table.opened:
        return Unread("illegal", "That is before this phase opened. To end it: close now.")
    return ruling


def note(table: Table, rest: str, because: str) -> Reading:
    """Read `note TEXT`, a line for the report."""
    return Note(rest) if rest else Unread("unreadable", "Write note and then the line for the report.")


def undo(table: Table, rest: str, because: str) -> Reading:
    """Read `undo` for the newest ruling, or `undo NUMBER`."""
    held = sorted(ruled.number for ruled in (*table.standing, *table.rulings))
    known = f"Rulings that can be taken back: {phrases.listed([str(one) for one in held]) or 'none'}."
    number = phrases.number(rest.removeprefix("ruling").strip()) if rest else max(held, default=0)
    if isinstance(number, Unread) or (not held and not rest):
        return Unread("illegal", known)
    if number in held:
        return Undo(number, because)
    return Unread("illegal", f"{_became(table, number)} {known}")


def _became(table: Table, number: int) -> str:
    """Say what became of a ruling that is not in force, and what can be done about it now."""
    assert table.base is not None
    if number > table.ruled or number < 1:
        latest = f"the latest is {table.ruled}" if table.ruled else "none was given in this game"
        return f"There is no ruling {number}; {latest}."
    if number in table.undone:
        return f"Ruling {number} was taken back already."
    if number > table.base.ruled:
        return f"Ruling {number} was given in this phase, and did nothing."
    return (
        f"Ruling {number} is of an earlier phase, whose report is out, so it cannot be taken back: what it did there "
        "stands. To put a fact right as it is now, write set FACT VALUE because REASON; to say what went wrong, note."
    )
