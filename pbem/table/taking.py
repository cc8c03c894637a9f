"""From a player's or moderator's new lines to the one entry that their mail becomes; knows no mail format."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from pbem import phrases
from pbem.table import calendar, replay, rulings, schedule
from pbem.table.journal import OrdersReceived, RulingGiven
from pbem.table.table import Table
from pbem.terms import Complaint, OrderLine, Parsed, Seat


class Received(msgspec.Struct, frozen=True, kw_only=True):
    """
    What the table is told of a mail: whence, when, and the new lines.

    Shape: `phase` is that of the token; `said` holds blank lines too; `note` says why there is no text.
    """

    phase: int
    arrived: datetime
    noted: datetime
    mail: str
    cause: str
    key: str
    message_id: str
    said: tuple[OrderLine, ...]
    note: str = ""


class _Sorted(msgspec.Struct, frozen=True):
    orders: tuple[OrderLine, ...]
    requests: tuple[str, ...]
    press: tuple[str, ...]
    complaints: tuple[Complaint, ...]


_REQUEST = re.compile(
    r"^(?P<word>status|preview|forecast|cancel|ready|wait|help|history|zone|standing|for)"
    r"\b\s*:?\s*(?P<rest>.*)$",
    re.IGNORECASE,
)


def take(table: Table, seat: Seat, mail: Received) -> OrdersReceived:
    """
    Turn a seat's mail into its entry: what was understood, what is taken, and every complaint.

    A set is taken whole or not at all. Only where nothing is on hand are lines that could not be read dropped
    and the rest kept, marked incomplete; a set that is illegal as a whole is never cut down by us.
    """
    parts = _sort(table, seat, mail.said)
    entry = OrdersReceived(
        number=table.head + 1,
        noted=mail.noted,
        seat=seat,
        phase=mail.phase,
        arrived=mail.arrived,
        mail=mail.mail,
        cause=mail.cause,
        key=mail.key,
        message_id=mail.message_id,
        said=tuple(line.text for line in mail.said),
        requests=parts.requests,
        press=parts.press,
        complaints=parts.complaints,
        note=mail.note,
    )
    if not parts.orders:
        return entry
    return _with_orders(table, entry, parts)


def _with_orders(table: Table, entry: OrdersReceived, parts: _Sorted) -> OrdersReceived:
    outside = _not_now(table, entry)
    if outside:
        complaint = Complaint(0, parts.orders[0].text, "late", outside)
        return _add(entry, complaints=(*parts.complaints, complaint))
    seat = entry.seat
    parsed: Parsed[Any] = table.ruleset.parse(table.state, seat, parts.orders)
    wrong = (*parsed.complaints, *table.ruleset.check(table.state, seat, parsed.orders))
    lines = table.ruleset.format(table.state, parsed.orders)
    complaints = tuple(sorted({*parts.complaints, *wrong}, key=lambda one: (one.line, one.because)))
    entry = _add(entry, complaints=complaints)
    nothing_on_hand = seat not in table.hand or "cancel" in entry.requests
    legal_as_a_whole = len(wrong) == len(parsed.complaints)
    if not parsed.orders or (wrong and not (nothing_on_hand and legal_as_a_whole)):
        return entry
    return _add(entry, orders=lines, taken=True, incomplete=bool(wrong))


def _add(entry: OrdersReceived, **changes: object) -> OrdersReceived:
    return msgspec.structs.replace(entry, **changes)


def _not_now(table: Table, entry: OrdersReceived) -> str:
    """Say why orders cannot be taken now at all, or ""."""
    if table.status == "sign-up":
        return "The game has not begun. You will have a letter when it does."
    if table.status == "over":
        return "The game is over; orders are no longer taken."
    if entry.phase != table.number:
        return f"Your mail answers a letter of a phase that is closed. This is {table.title} now."
    if table.status != "open" or table.phase is None:
        return f"{table.title} is closed, and its report is on its way."
    if entry.seat not in table.phase.owing:
        return f"Nothing is asked of you in {table.title}."
    if entry.arrived > schedule.cutoff(table):
        return f"Your mail reached our server after the deadline of {table.title}."
    held = table.hand.get(entry.seat)
    if held and held.stamp > (entry.arrived, entry.mail, entry.cause):
        return "A newer mail of yours was here first. The newer one stands."
    return ""


def _sort(table: Table, seat: Seat, said: Sequence[OrderLine]) -> _Sorted:
    """Part what a person wrote into order lines, requests and press."""
    orders: list[OrderLine] = []
    requests: list[str] = []
    complaints: list[Complaint] = []
    press, rest = _press(table, said, complaints)
    for line in rest:
        text = phrases.clean(phrases.without_comment(line.text))
        match = _REQUEST.match(text)
        request = _request(table, seat, match) if match else None
        if isinstance(request, str):
            requests.append(request)
        elif isinstance(request, phrases.Unread):
            complaints.append(Complaint(line.number, text, request.fault, request.because))
        else:
            orders.append(line)
    if not any(line.text.strip() for line in orders):
        orders = []
    return _Sorted(tuple(orders), tuple(requests), press, tuple(complaints))


def _request(table: Table, seat: Seat, match: re.Match[str]) -> str | phrases.Unread | None:
    """Return a request in canonical words, a complaint, or None where the line is an order after all."""
    word, rest = match["word"].lower(), match["rest"].strip()
    match word:
        case "status" | "preview" | "forecast" | "cancel" | "ready" | "wait":
            return word.replace("forecast", "preview") if not rest else None
        case "help" | "history":
            return f"{word} {rest}".strip()
        case "zone":
            zone = calendar.known_zone(rest)
            return zone if isinstance(zone, phrases.Unread) else f"zone {zone}"
        case "standing":
            if rest.lower() not in ("on", "off"):
                return phrases.Unread("unreadable", "Write standing on, or standing off.")
            return f"standing {rest.lower()}"
        case "for":
            return _for_later(table, seat, rest)
        case _:
            return None


def _for_later(table: Table, seat: Seat, rest: str) -> str | phrases.Unread | None:
    when, colon, orders = rest.partition(":")
    if not colon:
        return None
    if when.strip().casefold() == table.title.casefold():
        return phrases.Unread("illegal", f"{table.title} is the phase that is open. Leave out the for.")
    parts = [part.strip() for part in orders.split(";") if part.strip()]
    if not parts:
        return phrases.Unread("unreadable", "Write for Round 5: ORDER; ORDER")
    return f"for {when.strip().casefold()}: {'; '.join(parts)}"


_PRESS = re.compile(r"^press\s+to\s+(?P<to>.+?)\s*:\s*(?P<text>.*)$", re.IGNORECASE)


def _press(
    table: Table, said: Sequence[OrderLine], complaints: list[Complaint]
) -> tuple[tuple[str, ...], list[OrderLine]]:
    """Take press blocks out; each gives two strings, whom it is for and its text."""
    press: list[str] = []
    rest: list[OrderLine] = []
    block: list[str] | None = None
    for line in said:
        text = line.text.strip()
        match = _PRESS.match(phrases.clean(text)) if block is None else None
        if match:
            audience = _audience(table, match["to"])
            if isinstance(audience, phrases.Unread):
                complaints.append(Complaint(line.number, text, audience.fault, audience.because))
                audience = ""
            block = [audience, match["text"]]
        elif block is not None and text.lower() == "end press":
            _keep(press, block)
            block = None
        elif block is not None:
            block.append(text)
        else:
            rest.append(line)
    if block is not None:
        _keep(press, block)
    return tuple(press), rest


def _keep(press: list[str], block: list[str]) -> None:
    audience, *lines = block
    text = "\n".join(lines).strip()
    if audience and text:
        press += [audience, text]


def _audience(table: Table, said: str) -> str | phrases.Unread:
    """Return "all", or seats parted by blanks, as the charter allows press."""
    house = table.charter.press
    if house == "none":
        return phrases.Unread("illegal", "This game is played without press.")
    if said.lower() in ("all", "everyone", "everybody"):
        return "all"
    if house == "public":
        return phrases.Unread("illegal", "Press is public in this game. Write press to all: ... end press")
    names = {str(seat): label for seat, label in table.labels().items()}
    but = re.match(r"all\s+but\s+(.+)$", said, re.IGNORECASE)
    seats = []
    for part in re.split(r",|\band\b", but[1] if but else said):
        found = phrases.find(part.strip(), names, "player")
        if isinstance(found, phrases.Unread):
            return found
        seats.append(found)
    return " ".join(seat for seat in names if (seat in seats) != bool(but))


def rule(table: Table, mail: Received) -> RulingGiven:
    """
    Turn the moderator's mail into its entry.

    Each line is read against the table as the lines before it leave it. A mail with `test` carries out
    nothing; a mail for another phase than the present is refused line by line.
    """
    said = rulings.lines(mail.said)
    asked = [line for line in said if line.text.lower().strip(" .!") in rulings.REQUESTS]
    ruled = [line for line in said if line not in asked]
    kept, complaints = _read_rulings(table, ruled, mail)
    requests = tuple(line.text.lower().strip(" .!") for line in asked)
    return RulingGiven(
        number=table.head + 1,
        noted=mail.noted,
        phase=mail.phase,
        lines=kept,
        requests=requests,
        arrived=mail.arrived,
        cause=mail.cause,
        key=mail.key,
        message_id=mail.message_id,
        said=tuple(line.text for line in mail.said),
        complaints=complaints,
        test="test" in requests,
        note=mail.note,
    )


def _read_rulings(
    table: Table, lines: Sequence[OrderLine], mail: Received
) -> tuple[tuple[str, ...], tuple[Complaint, ...]]:
    kept: list[str] = []
    complaints: list[Complaint] = []
    for line in lines:
        if mail.phase != table.number:
            because = f"That was about a phase that is published. Now it is {table.title}; answer its letters."
            complaints.append(Complaint(line.number, line.text, "late", because))
            continue
        found = rulings.read(table, line)
        if isinstance(found, Complaint):
            complaints.append(found)
            continue
        because = rulings.reason(found)
        kept.append(f"{rulings.show(found)} because {because}" if because else rulings.show(found))
        table = replay.apply_ruling(table, kept[-1], mail.noted)
    return tuple(kept), tuple(complaints)
