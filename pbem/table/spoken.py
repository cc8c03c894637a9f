"""The moderator's lines, read into rulings against the table as it stands; knows no mail."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from rapidfuzz import fuzz, process

from pbem import phrases
from pbem.phrases import Unread
from pbem.table import audience, calendar
from pbem.table.rulings import (
    Approve,
    Do,
    Excuse,
    Extend,
    MoveDeadline,
    Note,
    OrderFor,
    Overrule,
    Plain,
    Ruling,
    SetFact,
    Strike,
    Undo,
)
from pbem.table.table import Table
from pbem.terms import Complaint, Fact, OrderLine, Seat

VERBS = (
    "approve", "hold", "status", "overrule", "do", "set", "strike", "order", "excuse", "extend", "deadline",
    "pause", "resume", "close now", "begin", "note", "undo", "test", "help",
)  # fmt: skip
REQUESTS = ("status", "help", "test")

Reading: TypeAlias = Ruling | Unread


_ALONE = re.compile(
    r"^(?:approve(?: [0-9]+)?|hold|status|pause|resume|close now|begin|undo(?: [0-9]+)?|test|help)[\s.!?]*$",
    re.IGNORECASE,
)
_OPENS = re.compile(
    r"^(?:(?:overrule|do|set|strike|order|excuse|extend|deadline|note)\b"
    r"|(?:approve(?: [0-9]+)?|hold|pause|resume|close now|begin|undo(?: [0-9]+)?) because\b)",
    re.IGNORECASE,
)
_LONG = ("note", "do", "overrule", "set", "strike", "order", "")
_BECAUSE = re.compile(r"(?<![\w-])because(?![\w-])", re.IGNORECASE)


def lines(said: Sequence[OrderLine]) -> tuple[OrderLine, ...]:
    """
    Clean a moderator's lines and put wrapped ones together.

    A line that may be long (`overrule`, `set`, `do`, `strike`, `order`, `note`, any with a reason) goes on with
    the next, as far as the next blank line, where that begins no ruling of its own.
    """
    result: list[OrderLine] = []
    joining = False
    for line in said:
        text = phrases.clean(line.text)
        if not text:
            joining = False
        elif joining and not (_ALONE.match(text) or _OPENS.match(text)):
            result[-1] = OrderLine(result[-1].number, f"{result[-1].text} {text}")
        else:
            result.append(OrderLine(line.number, text))
            joining = _verb(text) in _LONG or bool(_BECAUSE.search(text))
    return tuple(result)


def request(text: str) -> str:
    """Return what a line asks for that is no ruling (status, help, test), or ""."""
    word = text.lower().strip(" .!?")
    return word if word in REQUESTS else ""


def _verb(text: str) -> str:
    return next((verb for verb in VERBS if re.match(rf"{verb}\b", text, re.IGNORECASE)), "")


def read(table: Table, line: OrderLine, because: str | None = None) -> Ruling | Complaint:
    """
    Read one line against the table as it stands.

    Shape: in a canonical line the reason stands apart, in `because`; in a person's it is what follows the word.
    """
    cuts = [(line.text, because)] if because is not None else _cuts(line.text)
    tries = [_read(table, text, reason) for text, reason in cuts]
    found = next((ruling for ruling in tries if not isinstance(ruling, Unread)), tries[-1])
    if isinstance(found, Unread):
        return Complaint(line.number, line.text, found.fault, found.because)
    return found


def _cuts(text: str) -> list[tuple[str, str]]:
    """Return where a reason may begin: at the last `because` first, since an order or a text may hold the word."""
    if _verb(text) == "note":
        return [(text, "")]
    places = [match.span() for match in _BECAUSE.finditer(text)]
    cuts = [(text[:start].strip(" ,;"), text[end:].strip(" :")) for start, end in reversed(places)]
    return cuts or [(text, "")]


def _read(table: Table, text: str, because: str) -> Reading:
    verb = _verb(text)
    rest = text[len(verb) :].strip(" :")
    if table.status == "over":
        return Unread("illegal", "The game is over; nothing is ruled in it any more.")
    if not verb:
        return _other(table, text, because)
    if verb in REQUESTS:
        return Unread("unreadable", f"For {verb}, write {verb} alone on its line.")
    if verb in _FIXED:
        if rest.strip(" .!"):
            return Unread("unreadable", f"To rule that, write {verb} alone on its line.")
        return _when_fits(table, Plain(verb, because))
    return _HANDLERS[verb](table, rest, because)


_FIXED = ("pause", "resume", "close now", "begin", "hold")


def _other(table: Table, text: str, because: str) -> Reading:
    """A line with no verb of ours may be one that the ruleset offers, such as `veto P03`."""
    effect = _effect(table, text)
    if isinstance(effect, str):
        return Do(effect, False, because) if because else _no_reason()
    close = process.extractOne(text.split(maxsplit=1)[0].lower(), VERBS, scorer=fuzz.ratio, score_cutoff=70)
    hint = f" Did you mean {close[0]}?" if close else f" Known: {phrases.listed(VERBS, 'and')}."
    return Unread("unreadable", f"I know no ruling that begins so.{hint}")


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


def _approve(table: Table, rest: str, because: str) -> Reading:
    if table.status != "closed":
        return Unread("illegal", "There is no proof to approve; orders are still open.")
    number = phrases.number(rest)
    if isinstance(number, Unread):
        return Unread("unreadable", f"Name the proof: approve {table.proof}.")
    if number != table.proof:
        return Unread("illegal", f"Proof {number} is not the newest. To let it out: approve {table.proof}.")
    return Approve(number, because)


def _overrule(table: Table, rest: str, because: str) -> Reading:
    what, equals, said = rest.rpartition("=")
    if not equals:
        return Unread("unreadable", "Write overrule V4 = 30 because REASON, or = yes, or = no.")
    key = _verdict(table, what.strip())
    if isinstance(key, Unread):
        return key
    value = _value(said.strip())
    if isinstance(value, Unread):
        return value
    return Overrule(key, value, because) if because else _no_reason(about(table, key))


def _verdict(table: Table, said: str) -> str | Unread:
    match = re.fullmatch(r"[vV]\s*([0-9]{1,4})", said)
    if not match:
        return _in_words_of(table, lambda state: table.ruleset.name_fact(state, said))
    if table.outcome is None:
        return Unread("illegal", "There is no proof yet, so no V-numbers. Name the fact in words.")
    number = int(match[1])
    if not 1 <= number <= len(table.numbered):
        return Unread("unreadable", f"Proof {table.proof} has V1 to V{len(table.numbered)}.")
    key = table.numbered[number - 1]
    if key not in {verdict.key for verdict in table.outcome.verdicts}:
        return Unread("illegal", f"{about(table, key)} Proof {table.proof} no longer has that fact.")
    return key


def about(table: Table, key: str) -> str:
    """Say in words what a V-number of this phase's proofs is about, or "" where the fact has none."""
    if key not in table.numbered:
        return ""
    outcome = table.outcome
    text = next((one.text for one in outcome.verdicts if one.key == key), "") if outcome else ""
    return f"V{table.numbered.index(key) + 1} is: {text or audience.named(table, key)}."


def _set(table: Table, rest: str, because: str) -> Reading:
    match = re.fullmatch(r"(.+?)(?:\s*=\s*|\s+to\s+|\s+)(\S+)", rest)
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


def _do(table: Table, rest: str, because: str) -> Reading:
    effect, each = _effect(table, rest), False
    if isinstance(effect, Unread):  # a text of a power may end in "each round" and mean it
        body = re.sub(r"\s+(?:(?:each|every)\s+(?:round|phase)|once|now)$", "", rest, flags=re.IGNORECASE)
        each = bool(re.search(r"\s+(?:each|every)\s+(?:round|phase)$", rest, re.IGNORECASE))
        effect = _effect(table, body) if body != rest else effect
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


def _strike(table: Table, rest: str, because: str) -> Reading:
    match = re.fullmatch(r"([^:]+?):?\s+([0-9]{1,3})", rest)
    name, colon, order = rest.partition(":")
    seat = _seat(table, match[1] if match else name)
    if not match and not colon:
        return Unread("unreadable", "Write strike NAME 2 because REASON.")
    if isinstance(seat, Unread):
        return seat
    held = table.hand.get(seat)
    orders = held.orders if held else ()
    if match and not 1 <= int(match[2]) <= len(orders):
        return Unread("illegal", f"{table.label(seat)} has {len(orders)} orders on hand.")
    struck = orders[int(match[2]) - 1] if match else order.strip()
    if struck not in orders:
        return Unread("illegal", f"{table.label(seat)} has no such order on hand.")
    rest_of_set = [OrderLine(1, line) for line in _without(orders, struck)]
    wrong = table.ruleset.parse(table.state, seat, rest_of_set).complaints
    if wrong:
        return Unread("illegal", f"Without that line the rest no longer reads: {wrong[0].because}")
    return Strike(seat, struck, because) if because else _no_reason()


def _without(orders: tuple[str, ...], struck: str) -> tuple[str, ...]:
    place = orders.index(struck)
    return orders[:place] + orders[place + 1 :]


def _order(table: Table, rest: str, because: str) -> Reading:
    name, colon, said = rest.partition(":")
    if not colon or not said.strip():
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
    if not lines:
        return Unread("unreadable", "Write order NAME: ORDER; ORDER because REASON.")
    return OrderFor(seat, lines, because) if because else _no_reason()


def _excuse(table: Table, rest: str, because: str) -> Reading:
    if table.status != "open":
        return Unread("illegal", "Nobody owes orders now, so nobody needs to be excused.")
    seat = _seat(table, rest)
    return seat if isinstance(seat, Unread) else Excuse(seat, because)


def _extend(table: Table, rest: str, because: str) -> Reading:
    span = calendar.parse_span(phrases.without_stop(rest))
    if isinstance(span, Unread):
        return span
    if table.deadline is None or table.status != "open":
        return Unread("illegal", "No deadline is running now.")
    if not span:
        return Unread("illegal", "That moves nothing. Write extend 24h, or deadline and an instant.")
    return _within_cap(table, table.deadline + span, Extend(span, because))


def _deadline(table: Table, rest: str, because: str) -> Reading:
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


def _note(table: Table, rest: str, because: str) -> Reading:
    return Note(rest) if rest else Unread("unreadable", "Write note and then the line for the report.")


def _undo(table: Table, rest: str, because: str) -> Reading:
    held = {ruled.number: ruled for ruled in (*table.standing, *table.rulings)}
    if not held:
        return Unread("illegal", "No ruling is in force that could be taken back.")
    if not rest:
        return Undo(max(held), because)
    number = phrases.number(rest.removeprefix("ruling").strip())
    if isinstance(number, Unread) or number not in held:
        known = phrases.listed([str(key) for key in sorted(held)])
        return Unread("illegal", f"Rulings that can be taken back: {known}.")
    return Undo(number, because)


def _no_reason(what: str = "") -> Unread:
    return Unread("illegal", f"{what} A ruling that changes facts says why. Add: because REASON".strip())


def _seat(table: Table, said: str) -> Seat | Unread:
    """Find a seat by the name that letters show, by the one it was taken under, or by one new in this proof."""
    namings = [table.labels(), {seat: seated.name for seat, seated in table.seats.items()}]
    if table.status == "closed" and table.outcome is not None:
        after = table.outcome.state
        namings.append({seat: table.ruleset.label(after, seat) for seat in table.seats})
    tries = [phrases.find(said.strip(), naming, "player") for naming in namings]
    return next((found for found in tries if not isinstance(found, Unread)), tries[0])


_HANDLERS: dict[str, Callable[[Table, str, str], Reading]] = {
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
