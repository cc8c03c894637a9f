"""The moderator's lines: read into rulings, written back in canonical words; knows no mail."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeAlias

import msgspec

from pbem import phrases
from pbem.phrases import Unread
from pbem.table import calendar
from pbem.table.table import Table
from pbem.terms import Complaint, Fact, OrderLine, Seat


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


class MoveDeadline(msgspec.Struct, frozen=True):
    """Put the deadline at an instant."""

    instant: datetime


class Plain(msgspec.Struct, frozen=True):
    """A ruling of fixed words: pause, resume, close now, begin, hold."""

    words: str


class Approve(msgspec.Struct, frozen=True):
    """Let the report out as the proof of this number shows it."""

    proof: int


class Note(msgspec.Struct, frozen=True):
    """A line of the moderator's in the next report."""

    text: str


class Undo(msgspec.Struct, frozen=True):
    """Take back the ruling of this number."""

    number: int


Ruling: TypeAlias = Overrule | SetFact | Do | Strike | OrderFor | Excuse | MoveDeadline | Plain | Approve | Note | Undo

VERBS = (
    "approve", "hold", "status", "overrule", "do", "set", "strike", "order", "excuse", "extend", "deadline",
    "pause", "resume", "close now", "begin", "note", "undo", "test", "help",
)  # fmt: skip
REQUESTS = ("status", "help", "test")

Reading: TypeAlias = Ruling | Unread


def lines(said: Sequence[OrderLine]) -> tuple[OrderLine, ...]:
    """
    Clean a moderator's lines and put wrapped ones together.

    A line goes on with the next, as far as the next blank line, where it is a `because`, a `note` or a `do`
    and the next begins with none of our verbs.
    """
    result: list[OrderLine] = []
    joining = False
    for line in said:
        text = phrases.clean(line.text)
        if not text:
            joining = False
        elif joining and result and not _verb(text):
            result[-1] = OrderLine(result[-1].number, f"{result[-1].text} {text}")
        else:
            result.append(OrderLine(line.number, text))
            joining = _verb(text) in ("note", "do", "overrule", "set", "strike", "order")
    return tuple(result)


def _verb(text: str) -> str:
    return next((verb for verb in VERBS if re.match(rf"{verb}\b", text, re.IGNORECASE)), "")


def read(table: Table, line: OrderLine) -> Ruling | Complaint:
    """Read one line against the table as it stands."""
    ruling = _read(table, line.text)
    if isinstance(ruling, Unread):
        return Complaint(line.number, line.text, ruling.fault, ruling.because)
    return ruling


def _read(table: Table, text: str) -> Reading:
    verb = _verb(text)
    rest = text[len(verb) :].strip(" :") if verb not in ("order", "note") else text[len(verb) :].strip()
    if not verb:
        return _other(table, text)
    if verb in ("pause", "resume", "close now", "begin", "hold"):
        return _when_fits(table, Plain(verb))
    handler = _HANDLERS.get(verb)
    assert handler, f"{verb} is a request, not a ruling"
    return handler(table, rest)


def _other(table: Table, text: str) -> Reading:
    """A line with no verb of ours may be one that the ruleset offers, such as `veto P03`."""
    body, because = _reason(text)
    effect = _effect(table, body)
    if isinstance(effect, str):
        return Do(effect, False, because) if because else _no_reason()
    return Unread("unreadable", f"I know no ruling that begins so. Known: {phrases.listed(VERBS, 'and')}.")


def _when_fits(table: Table, ruling: Plain) -> Reading:
    wrong = {
        "begin": table.status != "sign-up" and "The game has begun already.",
        "hold": table.status != "closed" and "There is no proof to hold; orders are still open.",
        "close now": table.status != "open" and "No phase is open for orders now.",
        "pause": (table.status != "open" or table.paused is not None) and "No clock is running now.",
        "resume": table.paused is None and "The game is not paused.",
    }[ruling.words]
    if ruling.words == "begin" and len(table.seats) < table.ruleset.seats[0]:
        least = table.ruleset.seats[0]
        wrong = f"It takes {least} seats to begin; {len(table.seats)} are taken."
    return Unread("illegal", wrong) if wrong else ruling


def _approve(table: Table, rest: str) -> Reading:
    if table.status != "closed":
        return Unread("illegal", "There is no proof to approve; orders are still open.")
    number = phrases.number(rest)
    if isinstance(number, Unread):
        return Unread("unreadable", f"Name the proof: approve {table.proof}.")
    if number != table.proof:
        return Unread("illegal", f"Proof {number} is not the newest. To let it out: approve {table.proof}.")
    return Approve(number)


def _overrule(table: Table, rest: str) -> Reading:
    body, because = _reason(rest)
    what, equals, said = body.rpartition("=")
    if not equals:
        return Unread("unreadable", "Write overrule V4 = 30 because REASON, or = yes, or = no.")
    key = _verdict(table, what.strip())
    if isinstance(key, Unread):
        return key
    value = _value(said.strip())
    if isinstance(value, Unread):
        return value
    known = next((v.value for v in table.outcome.verdicts if v.key == key), None) if table.outcome else None
    if known is not None and isinstance(known, bool) != isinstance(value, bool):
        return Unread("illegal", f"That fact is {_kind(known)}, so {said.strip()} does not fit.")
    return Overrule(key, value, because) if because else _no_reason()


def _kind(value: Fact) -> str:
    return "yes or no" if isinstance(value, bool) else "a number"


def _verdict(table: Table, said: str) -> str | Unread:
    match = re.fullmatch(r"[vV]\s*([0-9]{1,4})", said)
    if not match:
        return _in_words_of(table, lambda state: table.ruleset.name_fact(state, said))
    if table.outcome is None:
        return Unread("illegal", "There is no proof yet, so no V-numbers. Name the fact in words.")
    number = int(match[1])
    if not 1 <= number <= len(table.outcome.verdicts):
        return Unread("unreadable", f"Proof {table.proof} has V1 to V{len(table.outcome.verdicts)}.")
    return table.outcome.verdicts[number - 1].key


def _set(table: Table, rest: str) -> Reading:
    body, because = _reason(rest)
    match = re.fullmatch(r"(.+?)(?:\s*=\s*|\s+to\s+|\s+)(\S+)", body)
    if not match:
        return Unread("unreadable", "Write set energy NAME 70 because REASON.")
    named = match[1]
    key = _in_words_of(table, lambda state: table.ruleset.name_fact(state, named))
    value = _value(match[2])
    if isinstance(key, Unread):
        return key
    if isinstance(value, Unread):
        return value
    if table.status == "closed":
        assert table.outcome is not None
        if key not in {verdict.key for verdict in table.outcome.verdicts}:
            return Unread("illegal", f"Proof {table.proof} derives no {key}. Name one of its numbered facts.")
    else:
        changed = table.ruleset.amend(table.state, key, value)
        if isinstance(changed, Unread):
            return changed
    return SetFact(key, value, because) if because else _no_reason()


def _value(said: str) -> Fact | Unread:
    if said.lower() in ("yes", "true"):
        return True
    if said.lower() in ("no", "false"):
        return False
    number = phrases.number(said)
    if isinstance(number, Unread) and number.fault == "unreadable":
        return Unread("unreadable", f'"{said}" is neither a number nor yes or no.')
    return number


def _do(table: Table, rest: str) -> Reading:
    body, because = _reason(rest)
    each = bool(re.search(r"\s+(?:each|every)\s+(?:round|phase)$", body, re.IGNORECASE))
    body = re.sub(r"\s+(?:(?:each|every)\s+(?:round|phase)|once|now)$", "", body, flags=re.IGNORECASE)
    effect = _effect(table, body)
    if isinstance(effect, Unread):
        return effect
    return Do(effect, each, because) if because else _no_reason()


def _effect(table: Table, said: str) -> str | Unread:
    return _in_words_of(table, lambda state: table.ruleset.effect(state, said))


def _in_words_of(table: Table, find: Callable[[Any], str | Unread]) -> str | Unread:
    """
    Find something by the names of the present state, else by those that the proof shows.

    A name may be new in the very phase that is under review.
    """
    if table.state is None:
        return Unread("illegal", "The game has not begun.")
    found = find(table.state)
    if isinstance(found, Unread) and table.status == "closed" and table.outcome is not None:
        newer = find(table.outcome.state)
        return found if isinstance(newer, Unread) else newer
    return found


def _strike(table: Table, rest: str) -> Reading:
    body, because = _reason(rest)
    match = re.fullmatch(r"([^:]+?):?\s+([0-9]{1,3})", body)
    if match:
        seat = _seat(table, match[1])
        if isinstance(seat, Unread):
            return seat
        held = table.hand.get(seat)
        orders = held.orders if held else ()
        number = int(match[2])
        if not 1 <= number <= len(orders):
            return Unread("illegal", f"{table.label(seat)} has {len(orders)} orders on hand.")
        return Strike(seat, orders[number - 1], because) if because else _no_reason()
    name, colon, order = body.partition(":")
    seat = _seat(table, name) if colon else Unread("unreadable", "Write strike NAME 2 because REASON.")
    if isinstance(seat, Unread):
        return seat
    held = table.hand.get(seat)
    if not held or order.strip() not in held.orders:
        return Unread("illegal", f"{table.label(seat)} has no such order on hand.")
    return Strike(seat, order.strip(), because) if because else _no_reason()


def _order(table: Table, rest: str) -> Reading:
    body, because = _reason(rest)
    name, colon, said = body.partition(":")
    if not colon:
        return Unread("unreadable", "Write order NAME: ORDER; ORDER because REASON.")
    seat = _seat(table, name.strip())
    if isinstance(seat, Unread):
        return seat
    if table.status not in ("open", "closed") or not table.phase or seat not in table.phase.owing:
        return Unread("illegal", f"{table.label(seat)} owes no orders in this phase.")
    ordered = [OrderLine(n, part.strip()) for n, part in enumerate(said.split(";"), 1) if part.strip()]
    parsed = table.ruleset.parse(table.state, seat, ordered)
    wrong = parsed.complaints or table.ruleset.check(table.state, seat, parsed.orders)
    if wrong:
        return Unread("illegal", f"{wrong[0].text}: {wrong[0].because}")
    lines = table.ruleset.format(table.state, parsed.orders)
    return OrderFor(seat, lines, because) if because else _no_reason()


def _excuse(table: Table, rest: str) -> Reading:
    seat = _seat(table, rest)
    return seat if isinstance(seat, Unread) else Excuse(seat)


def _extend(table: Table, rest: str) -> Reading:
    span = calendar.parse_span(rest)
    if isinstance(span, Unread):
        return span
    if table.deadline is None or table.status != "open":
        return Unread("illegal", "No deadline is running now.")
    if not span:
        return Unread("illegal", "That moves nothing. Write extend 24h, or deadline and an instant.")
    return _within_cap(table, table.deadline + span)


def _deadline(table: Table, rest: str) -> Reading:
    instant = calendar.parse_instant(rest, table.charter.zone)
    if isinstance(instant, Unread):
        return instant
    if table.deadline is None or table.status != "open":
        return Unread("illegal", "No deadline is running now.")
    return _within_cap(table, instant)


def _within_cap(table: Table, instant: datetime) -> Reading:
    assert table.deadline is not None and table.opened is not None
    cap = calendar.parse_span(table.charter.calendar.longest_extension)
    assert isinstance(cap, timedelta)
    if table.extended + (instant - table.deadline) > cap:
        longest = calendar.show_span(cap)
        return Unread("illegal", f"The charter lets a phase be extended by {longest} in all.")
    if instant <= table.opened:
        return Unread("illegal", "That is before this phase opened. To end it: close now.")
    return MoveDeadline(instant)


def _note(table: Table, rest: str) -> Reading:
    text = rest.lstrip(": ")
    return Note(text) if text else Unread("unreadable", "Write note and then the line for the report.")


def _undo(table: Table, rest: str) -> Reading:
    held = {ruled.number: ruled for ruled in (*table.standing, *table.rulings)}
    if not held:
        return Unread("illegal", "No ruling is in force that could be taken back.")
    if not rest:
        return Undo(max(held))
    number = phrases.number(rest.removeprefix("ruling").strip())
    if isinstance(number, Unread) or number not in held:
        known = phrases.listed([str(key) for key in sorted(held)])
        return Unread("illegal", f"Rulings that can be taken back: {known}.")
    return Undo(number)


def _reason(text: str) -> tuple[str, str]:
    body, word, because = re.sub(r"\bbecause\b", "\0", text, count=1, flags=re.IGNORECASE).partition("\0")
    return body.strip(" ,;"), because.strip() if word else ""


def _no_reason() -> Unread:
    return Unread("illegal", "A ruling that changes facts says why. Add: because REASON")


def _seat(table: Table, said: str) -> Seat | Unread:
    """Find a seat by the name that letters show, by the one it was taken under, or by one new in this proof."""
    namings = [table.labels(), {seat: seated.name for seat, seated in table.seats.items()}]
    if table.status == "closed" and table.outcome is not None:
        after = table.outcome.state
        namings.append({seat: table.ruleset.label(after, seat) for seat in table.seats})
    tries = [phrases.find(said.strip(), naming, "player") for naming in namings]
    return next((found for found in tries if not isinstance(found, Unread)), tries[0])


_HANDLERS: dict[str, Callable[[Table, str], Reading]] = {
    "approve": _approve,
    "overrule": _overrule,
    "set": _set,
    "do": _do,
    "strike": _strike,
    "order": _order,
    "excuse": _excuse,
    "extend": _extend,
    "deadline": _deadline,
    "note": _note,
    "undo": _undo,
}


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
