"""
What is due at a game, and when to look again.

How it works. `due` looks at a table and an instant and names the one next thing to do, such as begin, remind, close,
ask, publish. The sweep does it, which appends an entry, and asks again, until nothing is due.
Where the rules are not those under which the phase opened, that comes before all else.
It never looks at mail: the sweep has drained the mailbox before it asks, so "orders by the deadline" means
what the mail server had stamped by then, however late we got up.

A phase closes early where the charter says "when ready" and every seat that owes orders has a complete set and
no `wait`; by the charter's `second_thought` a while later, so that the last of them can think again. Otherwise it
closes at its deadline; if somebody is late then, only after the grace. Whatever letters told, an early close too, is
kept a little longer (`settle`, two minutes), so that mail that the server stamped in time can reach us. Orders count
up to the early close, or to the deadline, or to the end of the grace.

A phase that stops in its middle, to ask somebody, is open once more for those who are asked, with a deadline of its
own, and closes again by the same rules.

Of several reminders that have come due together, after an outage say, only the last is given, and none in the first
quarter of a phase. While a game is
paused nothing is due; its deadline moves by as long as the pause lasted. A proof is let out by `approve`, or by
silence once the review has lapsed, but never while it is held; then the moderator is reminded when the review would
have lapsed, after twice that time, four times and so on.
"""

from datetime import datetime, timedelta
from typing import TypeAlias

import msgspec

from pbem.ground.terms import Seat
from pbem.table.clock import second_thought
from pbem.table.model import calendar
from pbem.table.model.table import Announced, Table

A_DAY = timedelta(days=1)
PATIENCE = timedelta(hours=6)
"""How long words to the moderator wait for another letter to them."""
QUIET = 4
"""The part of a phase, from its opening on, in which nobody is reminded: one in so many."""
A_WHILE = timedelta(minutes=10)
"""How long words of the moderator's to all wait, so that they can be taken back."""
A_QUESTION = "24h"
"""How long a question in the middle of a phase waits for its answer."""
APPROVED = "the moderator approved it"
"""Why a phase is published that the moderator lets out, as its entry says."""


class Begin(msgspec.Struct, frozen=True):
    """All seats are taken, or the moderator said so."""


class Remind(msgspec.Struct, frozen=True):
    """Those who have not moved, maybe nobody, are to be reminded, so long before the deadline."""

    before: str
    seats: tuple[Seat, ...]


class Close(msgspec.Struct, frozen=True):
    """Order-taking is over."""

    why: str


class Ask(msgspec.Struct, frozen=True):
    """The phase stops in its middle, to ask somebody."""


class Renew(msgspec.Struct, frozen=True):
    """The rules have changed since the game was founded, or since its phase opened."""


class Overdue(msgspec.Struct, frozen=True):
    """The moderator is to be reminded of a proof that they hold."""


class PassOn(msgspec.Struct, frozen=True):
    """Words to the moderator have waited long enough for another letter."""


class HandOn(msgspec.Struct, frozen=True):
    """A seat goes to whom it was offered, and who took it before this phase opened."""

    seat: Seat


class Announce(msgspec.Struct, frozen=True):
    """Words of the moderator's to all are to go out: of the rulings of these numbers."""

    rulings: tuple[int, ...]


class Publish(msgspec.Struct, frozen=True):
    """The report may go out."""

    why: str


Due: TypeAlias = Begin | Renew | Remind | Close | Ask | Overdue | Publish | PassOn | Announce | HandOn


def due(table: Table, now: datetime) -> Due | None:
    """Name the next thing to do at `now`, or None."""
    announced = tuple(one.number for one in table.announced if now >= _announces(one))
    if announced:
        return Announce(announced)
    return _due(table, now) or (PassOn() if any(now >= one for one in _passes_on(table)) else None)


def _announces(said: Announced) -> datetime:
    return said.noted if said.is_due else said.noted + A_WHILE


def _passes_on(table: Table) -> list[datetime]:
    """Return when words that wait for a letter go in one of their own; what is held waits for more than that."""
    return [one.noted + PATIENCE for one in table.unheard if not one.held][:1]


def _due(table: Table, now: datetime) -> Due | None:
    if table.status in ("sign-up", "open") and table.rules < table.ruleset.version:
        return Renew()
    match table.status:
        case "sign-up":
            full = len(table.seats) >= table.charter.seats
            return Begin() if full or table.begin_now else None
        case "open":
            seat = _goes_on(table)
            is_filed = table.opened is not None and now > table.opened
            return HandOn(seat) if seat and is_filed else _due_open(table, now)
        case "closed":
            return _due_closed(table, now)
        case "over":
            return None


def _goes_on(table: Table) -> Seat | None:
    """Return a seat that goes to somebody else once the last report is on file, which they get; None if none does."""
    taken = (seat for seat, one in table.accepted.items() if one.phase < table.number)
    return None if table.sealed else next(taken, None)


def wakes(table: Table, now: datetime) -> datetime | None:
    """Return the next instant at which something may be due, or None where only mail can move the game."""
    if due(table, now) is not None:
        return now
    instants = [_announces(one) for one in table.announced] + _passes_on(table)
    if table.status == "open" and table.opened and _goes_on(table):
        instants.append(table.opened + timedelta(seconds=1))
    if table.status == "open" and table.paused is None:
        instants += [closes(table), *(instant for _, instant in _reminders(table) if instant > now)]
    if table.status == "closed":
        instants.append(_overdue(table) if table.is_held() else _lapses(table))
    return min(instants, default=None)


def answer_by(table: Table, kind: str, asked: datetime) -> datetime:
    """Return until when a phase waits for those whom it asks in its middle: a day, unless the charter has its rule."""
    return deadline_for(table, kind, asked, otherwise=A_QUESTION)


def deadline_for(table: Table, kind: str, opened: datetime, otherwise: str = "") -> datetime:
    """
    Return the deadline of a kind of phase that opens at an instant, on a whole minute.

    Shape: `otherwise` is the rule where the charter has none for the kind; "" means its own for all others.
    """
    terms = table.charter.calendar
    text = terms.rules.get(kind) or otherwise or terms.rules["default"]
    rule = calendar.parse_rule(text, table.charter.zone)
    assert isinstance(rule, calendar.Rule), "the charter was checked"
    return calendar.deadline(rule, opened, terms.holidays)


def cutoff(table: Table) -> datetime:
    """Return the last arrival stamp at which orders of this phase count."""
    assert table.deadline is not None
    return second_thought.closes_early(table) or table.deadline + _span(table.charter.calendar.grace)


def closes(table: Table) -> datetime:
    """Return the instant at which the phase closes if nothing more comes: only the late start the grace."""
    assert table.deadline is not None
    ends = second_thought.closes_early(table) or (cutoff(table) if table.waiting_for() else table.deadline)
    return ends + _span(table.charter.calendar.settle)


def closes_at_once(table: Table) -> str:
    """Say why an open phase closes now, whatever the time is, or "": mail that is under way then comes too late."""
    if table.status != "open":
        return ""
    if table.close_now:
        return "the moderator closed it"
    if table.paused is not None:
        return ""
    if not table.owing:
        return "nobody owes orders"
    if second_thought.all_are_in(table) and not second_thought.is_under_way(table):
        return "all orders are in"
    return ""


def heard_until(table: Table) -> datetime | None:
    """Return until when all that people wrote has to be read before an open phase closes; None where none has to be."""
    if table.status != "open" or table.deadline is None or table.close_now or not table.owing:
        return None
    return table.log[-1].noted if closes_at_once(table) and table.log else cutoff(table)


def _due_open(table: Table, now: datetime) -> Due | None:
    why = closes_at_once(table)
    if why:
        return Close(why)
    if table.paused is not None:
        return None
    if now >= closes(table):
        return Close("all orders are in" if second_thought.closes_early(table) else "the deadline has passed")
    return _due_reminder(table, now)


def _due_reminder(table: Table, now: datetime) -> Remind | None:
    assert table.deadline is not None
    come = reminders_due(table, now) if now < table.deadline else ()
    seats = tuple(seat for seat in table.owing if not table.moved(seat))
    if not come or come[-1] in table.reminded:
        return None
    return Remind(come[-1], seats)


def reminders_due(table: Table, now: datetime) -> tuple[str, ...]:
    """Return the reminders whose instant has come, given or not, the earliest first."""
    return tuple(text for text, instant in _reminders(table) if instant <= now)


def _reminders(table: Table) -> list[tuple[str, datetime]]:
    """
    Return each reminder's words and instant, the earliest first.

    Shape: who has just had the letter that opened the phase needs none, so those in its first quarter are left out.
    """
    assert table.deadline is not None and table.opened is not None
    spans = sorted(((_span(text), text) for text in table.charter.calendar.reminders), reverse=True)
    instants = [(text, table.deadline - span) for span, text in spans]
    first = table.opened + (table.deadline - table.opened) / QUIET
    return [(text, instant) for text, instant in instants if instant >= first]


def _due_closed(table: Table, now: datetime) -> Due | None:
    assert table.phase is not None
    if table.outcome is not None and table.outcome.asks:
        return Ask()
    if table.approved == table.proof and not table.deputy_holds:
        return Publish(APPROVED)
    if table.is_held():
        return Overdue() if now >= _overdue(table) else None
    if table.phase.kind not in table.charter.review and table.proof == 1:
        return Publish("no review is asked for")
    if now >= _lapses(table):
        return Publish("the review lapsed")
    return None


def is_going_out(table: Table, now: datetime) -> bool:
    """Say whether the report of a closed phase goes out now."""
    return table.status == "closed" and isinstance(_due_closed(table, now), Publish)


def _lapses(table: Table) -> datetime:
    assert table.closed is not None
    return table.closed + _span(table.charter.calendar.review)


def _overdue(table: Table) -> datetime:
    """Return when the moderator is reminded next of a proof that they hold."""
    assert table.closed is not None
    times = 1 << table.overdue
    return table.closed + times * max(_span(table.charter.calendar.review), A_DAY)


def _span(text: str) -> timedelta:
    span = calendar.parse_span(text)
    assert isinstance(span, timedelta), "the charter was checked"
    return span
