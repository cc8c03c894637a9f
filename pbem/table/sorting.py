"""A player's lines parted into orders, requests and press; knows no mail format."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from pbem import lines, phrases, wrapping
from pbem.table import calendar
from pbem.table.table import Table
from pbem.terms import Complaint, OrderLine, Seat


class Sorted(msgspec.Struct, frozen=True):
    """The parts of a mail; requests are in canonical words, press comes in pairs of whom it is for and its text."""

    orders: tuple[OrderLine, ...]
    requests: tuple[str, ...]
    press: tuple[str, ...]
    complaints: tuple[Complaint, ...]


LONGEST_AHEAD = 2_000
"""Characters of a line with orders for a later phase, several of which stand on it; no request is longer."""
_AHEAD = re.compile(r"for\b", re.IGNORECASE)
_REQUEST = re.compile(
    r"^(?P<word>status|preview|forecast|cancel|ready|wait|help|history|archive|zone|standing|address|for)"
    r"\b\s*:?\s*(?P<rest>.*)$",
    re.IGNORECASE,
)


def sort(table: Table, seat: Seat, said: Sequence[OrderLine]) -> Sorted:
    """Part what a person wrote into order lines, requests and press; free text of an order is left alone."""
    orders: list[OrderLine] = []
    requests: list[str] = []
    complaints: list[Complaint] = []
    press, rest = _press(table, seat, said, complaints)
    in_block = False
    for line in _ahead_joined(rest):
        text = phrases.clean(phrases.without_comment(line.text))
        in_block = bool(text) and (in_block or _begins_block(table, text))
        is_long = len(text) > (LONGEST_AHEAD if _AHEAD.match(text) else lines.LONGEST)
        match = None if in_block or is_long else _REQUEST.match(text)
        request = _request(table, seat, match) if match else None
        if isinstance(request, str):
            requests.append(request)
        elif isinstance(request, phrases.Unread):
            complaints.append(Complaint(line.number, text, request.fault, request.because))
        else:
            orders.append(line if in_block else lines.bounded([line])[0])
    if not any(line.text.strip() for line in orders):
        orders = []
    return Sorted(tuple(orders), _merged(requests), press, tuple(complaints))


def _begins_block(table: Table, text: str) -> bool:
    return table.status == "open" and table.ruleset.in_block(table.state, text)


def _ahead_joined(said: Sequence[OrderLine]) -> list[OrderLine]:
    """Put a `for Round 5: ...` line that the client wrapped together again: it ends in a mark that asks for more."""
    result: list[OrderLine] = []
    for line in said:
        last = result[-1].text.rstrip() if result else ""
        if re.match(r"for\b.*:", last, re.IGNORECASE) and last.endswith((";", ",", ":")) and line.text.strip():
            result[-1] = OrderLine(result[-1].number, f"{last} {line.text.strip()}")
        else:
            result.append(line)
    return result


def _merged(requests: Sequence[str]) -> tuple[str, ...]:
    """Let a request that stands twice count once; `for` lines about one phase add up."""
    return tuple(
        request
        for place, request in enumerate(requests)
        if request.startswith("for ") or request not in requests[:place]
    )


def _request(table: Table, seat: Seat, match: re.Match[str]) -> str | phrases.Unread | None:
    """Return a request in canonical words, a complaint, or None where the line is an order after all."""
    word, rest = match["word"].lower(), match["rest"].strip()
    rest = rest if word == "for" else phrases.without_stop(rest)
    match word:
        case "status" | "preview" | "forecast" | "cancel" | "ready" | "wait":
            return word.replace("forecast", "preview") if not rest.strip(" .!?") else None
        case "help":
            return _help(table, rest)
        case "history":
            return f"history {rest}".strip()
        case "archive":
            return _archive(table, rest)
        case "zone":
            zone = calendar.known_zone(rest)
            return zone if isinstance(zone, phrases.Unread) else f"zone {zone}"
        case "standing":
            if rest.lower() not in ("on", "off"):
                return phrases.Unread("unreadable", "Write standing on, or standing off.")
            return f"standing {rest.lower()}"
        case "address" if "@" in rest:
            return phrases.Unread("illegal", "To move to another address, send that line in a mail of its own.")
        case "for":
            return _for_later(table, seat, rest)
        case _:
            return None


def _help(table: Table, rest: str) -> str | None:
    """Ask for the handbook or, with its word behind help, for the ruleset's own manual."""
    about = rest.strip(" .!?").lower()
    if not about:
        return "help"
    return f"help {about}" if about == table.manual else None


def _archive(table: Table, rest: str) -> str | None:
    """Ask for what the ruleset's library has, all of it or what holds some words; a sentence is none of ours."""
    words = rest.strip(" .!?")
    return f"archive {words}".strip() if table.manual and len(words.split()) <= MOST_WORDS else None


MOST_WORDS = 5
"""By so many words the archive is searched at once; more are a sentence."""


def _for_later(table: Table, seat: Seat, rest: str) -> str | phrases.Unread | None:
    when, colon, orders = rest.partition(":")
    if not colon:
        return None
    when = table.heard(when.strip())
    if when == table.heard(table.title):
        return phrases.Unread("illegal", f"{table.title} is the phase that is open. Leave out the for.")
    parts = table.ruleset.parts(orders)
    if not parts:
        return phrases.Unread("unreadable", "Write for Round 5: ORDER; ORDER")
    if table.status == "open" and _same_kind(when, table.heard(table.title)):
        said = lines.bounded([OrderLine(number, text) for number, text in enumerate(parts, 1)])
        wrong = [one for one in table.ruleset.parse(table.state, seat, said).complaints if one.fault != "illegal"]
        if wrong:
            return phrases.Unread(wrong[0].fault, f"{wrong[0].text}: {wrong[0].because}")  # type: ignore[arg-type]
    return f"for {when}: {'; '.join(parts)}"


def _same_kind(when: str, title: str) -> bool:
    """Say whether two titles differ in their number alone, so that orders for one can be read like the other's."""
    return re.sub(r"[0-9]+", "", when).strip() == re.sub(r"[0-9]+", "", title).strip()


_PRESS = re.compile(r"^press\s+to\s+(?P<to>.+?)\s*:\s*(?P<text>.*)$", re.IGNORECASE)


def in_block(new: Sequence[str]) -> bool:
    """Say whether behind these lines press stands open, which `end` closes then instead of the mail."""
    is_open = False
    for text in map(phrases.clean, new):
        match = _PRESS.match(text)
        is_open = not _ends_press(text, block=True) if is_open else bool(match and not match["text"])
    return is_open


def _press(
    table: Table, seat: Seat, said: Sequence[OrderLine], complaints: list[Complaint]
) -> tuple[tuple[str, ...], list[OrderLine]]:
    """
    Take press out: a line with its text behind the colon, or all lines as far as `end press`.

    Each gives two strings, whom it is for and its text. What a mail program visibly wrapped off a line belongs to
    it, unless it may be an order. Press of several lines without an end is not passed on, and nothing below it is
    read, since it may be press or orders.
    """
    rests = wrapping.wrapped_off(said)
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
        text = match["text"]
        end = _end_of_press(said, place, block=not text)
        below = place
        while text and end is None and place < len(said) and said[place].number in rests:
            more = phrases.clean(said[place].text)
            if _may_be_order(table, seat, more):
                break
            text, place = f"{text} {more}", place + 1
        if end is not None:
            text = "\n".join([text, *(one.text.rstrip() for one in said[place:end])]).strip()
            place = end + 1
        audience = _audience(table, match["to"])
        if isinstance(audience, phrases.Unread):
            complaints.append(Complaint(line.number, line.text.strip(), audience.fault, audience.because))
            complaints += _unread(said[below:place], "Not passed on either, since it belongs to that press.")
        elif end is not None and not text:
            because = "There are no words in this press, so it was not passed on."
            complaints.append(Complaint(line.number, line.text.strip(), "unreadable", because))
        elif not text:
            because = "This press has no end, so it was not passed on. Close it with a line: end press"
            complaints.append(Complaint(line.number, line.text.strip(), "unreadable", because))
            complaints += _unread(said[place:], "Not read, since the press above it has no end.")
            place = len(said)
        else:
            press += [audience, text]
    return tuple(press), rest


def _unread(said: Sequence[OrderLine], because: str) -> list[Complaint]:
    """Name lines that shared the fate of the press that they stand in."""
    named = [line for line in said if line.text.strip() and not _ends_press(phrases.clean(line.text), block=True)]
    return [Complaint(line.number, line.text.strip(), "unreadable", because) for line in named]


def _end_of_press(said: Sequence[OrderLine], place: int, *, block: bool) -> int | None:
    """Return the place of the line that ends press, before any other press begins; None where there is none."""
    for end in range(place, len(said)):
        text = phrases.clean(said[end].text)
        if _ends_press(text, block=block):
            return end
        if _PRESS.match(text):
            return None
    return None


def _ends_press(text: str, *, block: bool) -> bool:
    """Say whether a line ends press; where that has its text in lines of its own, `end` alone does so too."""
    return text.lower().strip(" .") in (("end press", "end") if block else ("end press",))


def _may_be_order(table: Table, seat: Seat, text: str) -> bool:
    """Say whether a line below press may be meant as something of its own, so that it must not be passed on."""
    if re.search(r"[0-9:;=]", text) or _REQUEST.match(text):
        return True
    if table.status != "open":
        return False
    parsed = table.ruleset.parse(table.state, seat, [OrderLine(1, text)])
    return bool(parsed.orders) or any(one.fault != "unreadable" for one in parsed.complaints)


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
