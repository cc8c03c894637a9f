"""Press in a player's lines, and words to the moderator: what is passed on, and to whom; knows no mail format."""

import re
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from pbem.ground.terms import Complaint, OrderLine, Seat
from pbem.language import phrases, wrapping
from pbem.speech import for_moderator
from pbem.table.fold.journal import Press
from pbem.table.model.table import Table

_PRESS = re.compile(r"^press\s+to\s+(?P<to>.+?)\s*:\s*(?P<text>.*)$", re.IGNORECASE)

TEAM = ("team", "my team", "our team", "the team", "teammates", "team mates", "my team mates", "my teammates")
"""How people call those on their side."""


def in_block(new: Sequence[str]) -> bool:
    """Say whether press is open behind these lines; then `end` closes the press, not the mail."""
    is_open = False
    for text in map(phrases.clean, new):
        match = _PRESS.match(text)
        is_open = not _ends_press(text, block=True) if is_open else bool(match and not match["text"])
    return is_open


class Found(NamedTuple):
    """
    The press of a mail, the lines that are none, and what is wrong with it.

    Shape: `inside` are lines of a paragraph to the moderator that may be orders; they are passed on with it.
    """

    press: tuple[Press, ...]
    rest: list[OrderLine]
    complaints: list[Complaint]
    inside: tuple[str, ...] = ()


def take_out(table: Table, seat: Seat, new_lines: Sequence[OrderLine], may_be_order: Callable[[str], bool]) -> Found:
    """
    Take press out: a line with its text behind the colon, or all lines as far as `end press`; behind `gm:` a paragraph.

    What a mail program visibly wrapped off a line belongs to it, unless it may be an order. Press of several lines
    without an end is not passed on, and nothing below it is read, since it may be press or orders.
    """
    rests = wrapping.wrapped_off(new_lines)
    found = Found((), [], [])
    place = 0
    while place < len(new_lines):
        line = new_lines[place]
        match = _PRESS.match(phrases.clean(line.text))
        told = for_moderator.HEADED.match(phrases.clean(line.text))
        place += 1
        if told:
            words = new_lines[place : _end_of_paragraph(new_lines, place)]
            place += len(words)
            found = _told(found, line, told["text"], words, may_be_order)
            continue
        if not match:
            found.rest.append(line)
            continue
        text = match["text"]
        end = _end_of_press(new_lines, place, block=not text)
        below = place
        while text and end is None and place < len(new_lines) and new_lines[place].number in rests:
            more = phrases.clean(new_lines[place].text)
            if may_be_order(more):
                break
            text, place = f"{text} {more}", place + 1
        if end is not None:
            text = "\n".join([text, *(one.text.rstrip() for one in new_lines[place:end])]).strip()
            place = end + 1
        audience = _audience(table, seat, match["to"])
        if isinstance(audience, phrases.Unread):
            found.complaints.append(Complaint(line.number, line.text.strip(), audience.fault, audience.because))
            because = "Not passed on either, since it belongs to that press."
            found.complaints.extend(_unread(new_lines[below:place], because))
        elif end is not None and not text:
            because = "There are no words in this press, so it was not passed on."
            found.complaints.append(Complaint(line.number, line.text.strip(), "unreadable", because))
        elif not text:
            because = "This press has no end, so it was not passed on. Close it with a line: end press"
            found.complaints.append(Complaint(line.number, line.text.strip(), "unreadable", because))
            found.complaints.extend(_unread(new_lines[place:], "Not read, since the press above it has no end."))
            place = len(new_lines)
        else:
            found = found._replace(press=(*found.press, Press(audience, text)))
    return found


def _end_of_paragraph(new_lines: Sequence[OrderLine], place: int) -> int:
    """Return the place of the first blank line, or of more press, or the end."""
    for end in range(place, len(new_lines)):
        text = phrases.clean(new_lines[end].text)
        if not text or _PRESS.match(text) or for_moderator.HEADED.match(text):
            return end
    return len(new_lines)


def _told(
    found: Found,
    line: OrderLine,
    text: str,
    below: Sequence[OrderLine],
    may_be_order: Callable[[str], bool],
) -> Found:
    """Take a paragraph to the moderator; whatever else of it may be meant as an order is named."""
    words = "\n".join(filter(None, (text, *(one.text.strip() for one in below))))
    if not words:
        because = (
            "There are no words behind it, so nothing was passed on. Write gm: and then your words, up to a blank line."
        )
        found.complaints.append(Complaint(line.number, line.text.strip(), "unreadable", because))
        return found
    lines = (text, *(phrases.clean(one.text) for one in below))
    orders = tuple(one for one in lines if may_be_order(one))
    return found._replace(press=(*found.press, Press("moderator", words)), inside=(*found.inside, *orders))


def _unread(new_lines: Sequence[OrderLine], because: str) -> list[Complaint]:
    """Complain of the lines that belong to press that was not passed on."""
    named = [line for line in new_lines if line.text.strip() and not _ends_press(phrases.clean(line.text), block=True)]
    return [Complaint(line.number, line.text.strip(), "unreadable", because) for line in named]


def _end_of_press(new_lines: Sequence[OrderLine], place: int, *, block: bool) -> int | None:
    """Return the place of the line that ends press, before any other press begins; None where there is none."""
    for end in range(place, len(new_lines)):
        text = phrases.clean(new_lines[end].text)
        if _ends_press(text, block=block):
            return end
        if _PRESS.match(text) or for_moderator.HEADED.match(text):
            return None
    return None


def _ends_press(text: str, *, block: bool) -> bool:
    """Say whether a line ends press; where that has its text in lines of its own, `end` alone does so too."""
    return text.lower().strip(" .") in (("end press", "end") if block else ("end press",))


def _audience(
    table: Table, seat: Seat, names_text: str
) -> Literal["all", "moderator"] | tuple[Seat, ...] | phrases.Unread:
    """Return whom press is for, as the charter allows it; the moderator can be told something in every game."""
    if re.fullmatch(rf"(?:the )?{for_moderator.MODERATOR}", names_text, re.IGNORECASE):
        return "moderator"
    house = table.charter.press
    if house == "none":
        return phrases.Unread("illegal", "This game is played without press.")
    if names_text.lower() in ("all", "everyone", "everybody"):
        return "all"
    if house == "public":
        return phrases.Unread("illegal", "Press is public in this game. Write press to all: ... end press")
    if names_text.lower() in TEAM:
        return _team(table, seat)
    names = {str(seat): label for seat, label in table.labels().items()}
    but = re.match(r"all\s+but\s+(.+)$", names_text, re.IGNORECASE)
    seats = []
    for part in re.split(r",|\band\b", but[1] if but else names_text):
        found = phrases.find(part.strip(), names, "player")
        if isinstance(found, phrases.Unread):
            return found
        seats.append(found)
    return tuple(Seat(seat) for seat in names if (seat in seats) != bool(but))


def _team(table: Table, seat: Seat) -> tuple[Seat, ...] | phrases.Unread:
    """Return the others on a seat's side."""
    if table.state is None:
        return phrases.Unread(
            "illegal", "Teams are known once the game has begun. Write press to NAME, or press to all."
        )
    sides = table.ruleset.sides(table.state)
    mates = tuple(other for other in table.seats if other != seat and sides.get(other) == sides.get(seat, other))
    if seat in sides and mates:
        return mates
    because = "Nobody else is on your team." if seat in sides else "There are no teams in this game."
    return phrases.Unread("illegal", f"{because} Write press to NAME, or press to all.")
