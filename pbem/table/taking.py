"""From a player's or moderator's new lines to the one entry that their mail becomes; knows no mail format."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from pbem import phrases
from pbem.table import acting, calendar, closing, rulings, schedule, spoken
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
        tried=bool(parts.orders),
        requests=parts.requests,
        press=parts.press,
        complaints=parts.complaints,
        note=mail.note,
    )
    outside = _not_now(table, entry)
    if outside:
        return _too_late(entry, parts, outside)
    entry = _with_orders(table, entry, parts) if parts.orders else entry
    if "standing on" in entry.requests and not entry.taken and seat not in table.hand:
        because = "You have no orders on hand that could stand. Send a set, with standing on below it."
        return _complain(entry, "standing on", Complaint(0, "standing on", "illegal", because))
    return entry


_ABOUT_THE_SET = ("cancel", "ready", "wait", "standing on", "standing off")


def _too_late(entry: OrdersReceived, parts: _Sorted, outside: str) -> OrdersReceived:
    """Refuse whatever a mail says about a set that cannot be touched now; the rest of it still counts."""
    touching = [request for request in entry.requests if request in _ABOUT_THE_SET]
    if not parts.orders and not touching:
        return entry
    text = parts.orders[0].text if parts.orders else touching[0]
    entry = _add(entry, requests=tuple(one for one in entry.requests if one not in touching))
    return _add(entry, complaints=(*entry.complaints, Complaint(0, text.strip(), "late", outside)))


def _complain(entry: OrdersReceived, request: str, complaint: Complaint) -> OrdersReceived:
    requests = tuple(one for one in entry.requests if one != request)
    return _add(entry, requests=requests, complaints=(*entry.complaints, complaint))


def _with_orders(table: Table, entry: OrdersReceived, parts: _Sorted) -> OrdersReceived:
    seat = entry.seat
    parsed: Parsed[Any] = table.ruleset.parse(table.state, seat, parts.orders)
    wrong = (*parsed.complaints, *table.ruleset.check(table.state, seat, parsed.orders))
    lines = table.ruleset.format(table.state, parsed.orders)
    complaints = tuple(sorted({*parts.complaints, *wrong}, key=lambda one: (one.line, one.because)))
    entry = _add(entry, complaints=complaints)
    nothing_on_hand = seat not in table.hand or "cancel" in entry.requests
    legal_as_a_whole = len(wrong) == len(parsed.complaints)
    if not lines or (wrong and not (nothing_on_hand and legal_as_a_whole)):
        return entry
    return _add(entry, orders=lines, taken=True, incomplete=bool(wrong))


def _add(entry: OrdersReceived, **changes: object) -> OrdersReceived:
    return msgspec.structs.replace(entry, **changes)


def _not_now(table: Table, entry: OrdersReceived) -> str:
    """Say why a set cannot be sent or touched now at all, or ""."""
    if table.status == "sign-up":
        return "The game has not begun, so nothing is asked yet. You will have a letter when it does."
    if table.status == "over":
        return "The game is over; orders are no longer taken."
    if entry.phase != table.number:
        return f"Your mail answers a letter of a phase that is closed. This is {table.title} now."
    if table.status != "open" or table.phase is None:
        return f"{table.title} is closed, and its report is on its way."
    if entry.seat not in table.phase.owing:
        return f"Nothing is asked of you in {table.title}."
    if entry.arrived > schedule.cutoff(table) and table.paused is None:
        return f"Your mail reached our server after the deadline of {table.title}."
    held = table.hand.get(entry.seat)
    if held and held.stamp > (entry.arrived, entry.mail, entry.cause):
        return "A newer mail of yours was here first. The newer one stands."
    return ""


def _sort(table: Table, seat: Seat, said: Sequence[OrderLine]) -> _Sorted:
    """Part what a person wrote into order lines, requests and press; free text of an order is left alone."""
    orders: list[OrderLine] = []
    requests: list[str] = []
    complaints: list[Complaint] = []
    press, rest = _press(table, said, complaints)
    in_block = False
    for line in _ahead_joined(rest):
        text = phrases.clean(phrases.without_comment(line.text))
        in_block = bool(text) and (in_block or _begins_block(table, text))
        match = None if in_block else _REQUEST.match(text)
        request = _request(table, seat, match) if match else None
        if isinstance(request, str):
            requests.append(request)
        elif isinstance(request, phrases.Unread):
            complaints.append(Complaint(line.number, text, request.fault, request.because))
        else:
            orders.append(line)
    if not any(line.text.strip() for line in orders):
        orders = []
    return _Sorted(tuple(orders), _merged(requests), press, tuple(complaints))


def _begins_block(table: Table, text: str) -> bool:
    return table.status == "open" and table.ruleset.in_block(table.state, text)


def _ahead_joined(lines: Sequence[OrderLine]) -> list[OrderLine]:
    """Put a `for Round 5: ...` line that the client wrapped together again: it ends in a mark that asks for more."""
    result: list[OrderLine] = []
    for line in lines:
        last = result[-1].text.rstrip() if result else ""
        if re.match(r"for\b.*:", last, re.IGNORECASE) and last.endswith((";", ",", ":")) and line.text.strip():
            result[-1] = OrderLine(result[-1].number, f"{last} {line.text.strip()}")
        else:
            result.append(line)
    return result


def _merged(requests: Sequence[str]) -> tuple[str, ...]:
    """Put several `for` lines about one phase together; a request that stands twice counts once."""
    merged: dict[str, str] = {}
    for request in requests:
        when, colon, orders = request.partition(": ")
        if colon and request.startswith("for "):
            merged[when] = f"{merged[when]}; {orders}" if when in merged else f"{when}: {orders}"
        else:
            merged[request] = request
    return tuple(merged.values())


def _request(table: Table, seat: Seat, match: re.Match[str]) -> str | phrases.Unread | None:
    """Return a request in canonical words, a complaint, or None where the line is an order after all."""
    word, rest = match["word"].lower(), match["rest"].strip()
    match word:
        case "status" | "preview" | "forecast" | "cancel" | "ready" | "wait":
            return word.replace("forecast", "preview") if not rest.strip(" .!?") else None
        case "help":
            return "help" if not rest.strip(" .!?") else None
        case "history":
            return f"history {rest}".strip()
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
    when = when.strip().casefold()
    if when == table.title.casefold():
        return phrases.Unread("illegal", f"{table.title} is the phase that is open. Leave out the for.")
    parts = [part.strip() for part in orders.split(";") if part.strip()]
    if not parts:
        return phrases.Unread("unreadable", "Write for Round 5: ORDER; ORDER")
    if table.status == "open" and _same_kind(when, table.title):
        said = [OrderLine(number, text) for number, text in enumerate(parts, 1)]
        wrong = [one for one in table.ruleset.parse(table.state, seat, said).complaints if one.fault != "illegal"]
        if wrong:
            return phrases.Unread(wrong[0].fault, f"{wrong[0].text}: {wrong[0].because}")  # type: ignore[arg-type]
    return f"for {when}: {'; '.join(parts)}"


def _same_kind(when: str, title: str) -> bool:
    """Say whether two titles differ in their number alone, so that orders for one can be read like the other's."""
    return re.sub(r"[0-9]+", "", when).strip() == re.sub(r"[0-9]+", "", title.casefold()).strip()


_PRESS = re.compile(r"^press\s+to\s+(?P<to>.+?)\s*:\s*(?P<text>.*)$", re.IGNORECASE)


def _press(
    table: Table, said: Sequence[OrderLine], complaints: list[Complaint]
) -> tuple[tuple[str, ...], list[OrderLine]]:
    """
    Take press out: a line with its text behind the colon, or all lines as far as `end press`.

    Each gives two strings, whom it is for and its text. Press of several lines without an end is not passed
    on, since what stands below it may be orders.
    """
    press: list[str] = []
    rest: list[OrderLine] = []
    place = 0
    while place < len(said):
        line = said[place]
        match = _PRESS.match(phrases.clean(line.text))
        place += 1
        if not match:
            rest.append(line)
            continue
        end = next((n for n in range(place, len(said)) if _ends_press(said[n])), None)
        text = match["text"]
        if end is not None:
            text = "\n".join([text, *(one.text.rstrip() for one in said[place:end])]).strip()
            place = end + 1
        audience = _audience(table, match["to"])
        if isinstance(audience, phrases.Unread):
            complaints.append(Complaint(line.number, line.text.strip(), audience.fault, audience.because))
        elif not text:
            because = "This press has no end, so it was not passed on. Close it with a line: end press"
            complaints.append(Complaint(line.number, line.text.strip(), "unreadable", because))
            place = len(said)
        else:
            press += [audience, text]
    return tuple(press), rest


def _ends_press(line: OrderLine) -> bool:
    return phrases.clean(line.text).lower().strip(" .") == "end press"


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
    said = spoken.lines(mail.said)
    ruled = [line for line in said if not spoken.request(line.text)]
    requests = tuple(asked for line in said if (asked := spoken.request(line.text)))
    kept, complaints = _read_rulings(table, ruled, mail, is_test="test" in requests)
    return RulingGiven(
        number=table.head + 1,
        noted=mail.noted,
        phase=mail.phase,
        lines=tuple(line for line, _ in kept),
        reasons=tuple(reason for _, reason in kept),
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
    table: Table, lines: Sequence[OrderLine], mail: Received, *, is_test: bool
) -> tuple[list[tuple[str, str]], tuple[Complaint, ...]]:
    kept: list[tuple[str, str]] = []
    complaints: list[Complaint] = []
    for line in lines:
        found = spoken.read(table, line)
        wrong = _refusal(table, line, found, mail, is_test=is_test)
        if wrong:
            complaints.append(wrong)
            continue
        assert not isinstance(found, Complaint)
        kept.append((rulings.show(found), rulings.reason(found)))
        table = acting.apply_ruling(table, *kept[-1], mail.noted)
    return kept, tuple(complaints)


def _refusal(
    table: Table, line: OrderLine, found: rulings.Ruling | Complaint, mail: Received, *, is_test: bool
) -> Complaint | None:
    """Say why a line is not ruled, or None: not readable, for another phase, of the wrong kind, not to be kept."""
    if isinstance(found, Complaint) and (found.fault != "illegal" or mail.phase == table.number):
        return found
    because = _other_phase(table, mail.phase)
    if because:
        return Complaint(line.number, line.text, "late", because)
    assert not isinstance(found, Complaint)
    again = spoken.read(table, OrderLine(line.number, rulings.show(found)), rulings.reason(found))
    if again != found:
        because = "I cannot keep that so that it reads back the same. Say it without semicolons and quotes."
    elif isinstance(found, rulings.Overrule):
        because = _wrong_kind(table, found)
    elif is_test and isinstance(found, rulings.Strike | rulings.OrderFor) and table.moderator_plays():
        because = "You play in this game, so a test may not show you orders."
    return Complaint(line.number, line.text, "illegal", because) if because else None


def _other_phase(table: Table, phase: int) -> str:
    if phase == table.number:
        return ""
    if phase > table.number:
        return f"Phase {phase} has not come yet; this is phase {table.number}, {table.title}."
    return f"That was about a phase that is published. Now it is {table.title}; answer its letters."


def _wrong_kind(table: Table, ruling: rulings.Overrule) -> str:
    """Say that a pin has the wrong kind of value, where this phase derives the fact; else ""."""
    outcome = table.outcome or (closing.adjudicate(table) if table.status == "open" else None)
    known = next((one.value for one in outcome.verdicts if one.key == ruling.key), None) if outcome else None
    if known is None or isinstance(known, bool) == isinstance(ruling.value, bool):
        return ""
    return f"That fact is {'yes or no' if isinstance(known, bool) else 'a number'}, so this value does not fit."
