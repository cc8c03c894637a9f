"""Divides a player's lines into orders, requests and press; knows no mail format."""

import re
from collections.abc import Sequence

import msgspec

from pbem.ground.terms import Complaint, OrderLine, Seat
from pbem.language import bounds, phrases, wrapping
from pbem.speech import answers, change_forms, for_moderator
from pbem.table import requests
from pbem.table.fold.journal import Press
from pbem.table.incoming import press
from pbem.table.model.table import Table
from pbem.table.requests import Request
from pbem.table.requests.ahead import Ahead
from pbem.table.requests.readiness import Yes
from pbem.table.requests.test import Test
from pbem.table.requests.what_if import WhatIf


class Sorted(msgspec.Struct, frozen=True):
    """The parts of a mail; `inside` are lines of words to the moderator that may be orders."""

    orders: tuple[OrderLine, ...]
    requests: tuple[Request, ...]
    press: tuple[Press, ...]
    complaints: tuple[Complaint, ...]
    inside: tuple[str, ...] = ()


LONGEST_AHEAD = 2_000
"""Characters of a line with orders for a later phase, several of which stand on it; no request is longer."""
_AHEAD = re.compile(rf"{Ahead.word()}\b", re.IGNORECASE)
_BULLET = r"(?:[-+*\u2022\u00b7\u2013]\s+)?"
_MUSING = (
    r"(?:(?:h+m+|oh|ok(?:ay)?|so|also|and|but|well|btw|by the way|i wonder|(?:i am |i'm )?just (?:wondering|curious))"
    r"[\s,.:;!]+)"
)
"""What people say before a `what if`, and what means nothing."""
_WHAT_IF = re.compile(rf"{_BULLET}{_MUSING}*{WhatIf.word()}\b", re.IGNORECASE)
_ENDS = ("?", "!", ".")
"""Marks that end a sentence, and so a guess."""
_KINDS = {word: kind for kind in requests.KINDS if kind is not Test for word in (kind.word(), *kind.also)}
REQUEST = re.compile(
    rf"^{_BULLET}(?:{_MUSING}+(?={WhatIf.word()}\b))?(?P<word>{'|'.join(_KINDS)}|address)\b\s*:?\s*(?P<rest>.*)$",
    re.IGNORECASE,
)
"""A line that may ask for something; what stands behind the word decides."""


def sort(table: Table, seat: Seat, new_lines: Sequence[OrderLine], *, is_to_people: bool = False) -> Sorted:
    """
    Divide new lines into orders, requests and press.

    Shape: a request right below the free text of an order ends it as a blank line does, unless it was visibly wrapped
    off it: what somebody asks for must never be published as a part of that text. In an answer to the words of
    the moderator, or a player (`is_to_people`), a yes in free words is for them.
    """
    orders: list[OrderLine] = []
    asked_for: list[Request] = []
    found = press.take_out(table, seat, new_lines, lambda text: _may_be_order(table, seat, text))
    complaints = list(found.complaints)
    in_block = False
    agrees = not is_to_people and _agrees(table, seat, new_lines)
    wrapped = wrapping.wrapped_off(new_lines)
    rest = _guesses_joined(table, seat, [line for line in found.rest if not _is_heading(table, line.text)])
    for line in _ahead_joined(rest):
        text = phrases.clean(phrases.without_comment(line.text))
        if in_block and line.number not in wrapped and _stands_alone(table, seat, text):
            orders.append(OrderLine(line.number, ""))
            in_block = False
        in_block = bool(text) and (in_block or (table.status == "open" and table.ruleset.in_block(table.state, text)))
        is_long = len(text) > (LONGEST_AHEAD if _AHEAD.match(text) else bounds.LONGEST)
        match = None if in_block or is_long else REQUEST.match(text)
        request = _request(table, seat, match) if match else None
        request = Yes() if agrees and not in_block and Yes.is_said(text) else request
        if isinstance(request, phrases.Unread):
            complaints.append(Complaint(line.number, text, request.fault, request.because))
        elif request:
            asked_for.append(request)
        else:
            orders.append(line if in_block else bounds.bounded([line])[0])
    if not any(line.text.strip() for line in orders):
        orders = []
    return Sorted(tuple(orders), _merged(asked_for), found.press, tuple(complaints), found.inside)


def _agrees(table: Table, seat: Seat, new_lines: Sequence[OrderLine]) -> bool:
    """Say whether a mail is a yes in whatever words, where something is asked that one answers."""
    is_asked = isinstance(Yes.read(table, seat, ""), Yes)
    return is_asked and answers.answered(new_lines) == answers.Answer("yes")


def _stands_alone(table: Table, seat: Seat, text: str) -> bool:
    """
    Say whether a line is a request as a whole, or keeps words back, so that it is no part of the text above it.

    Shape: so is a word or two that begin as a request does and cannot be granted.
    """
    match = REQUEST.match(text) if len(text) <= bounds.LONGEST else None
    is_request = match is not None and (len(text.split()) <= 2 or _request(table, seat, match) is not None)
    return is_request or for_moderator.is_all_private(text) or change_forms.says_change(text)


def _is_heading(table: Table, text: str) -> bool:
    """Say whether a line is a heading for this phase, which opens nothing: `For this round:`."""
    match = re.fullmatch(r"for\s+(.+?)\s*:", phrases.clean(text), re.IGNORECASE)
    now = ("now", "this", *(f"this {word}" for word in ("round", "turn", "phase", "time")))
    return match is not None and match[1].casefold() in (*now, table.own_title(table.title))


def _ahead_joined(new_lines: Sequence[OrderLine]) -> list[OrderLine]:
    """
    Join the lines of orders for a later phase.

    Shape: what a mail program wrapped of `for Round 5: ...`, where a part ends in a mark such as ;. Where nothing
    stands behind the colon it is a heading, and all of the paragraph below it is for that phase.
    """
    result: list[OrderLine] = []
    heads = False
    for line in new_lines:
        last = result[-1].text.rstrip() if result else ""
        is_said = bool(line.text.strip()) and not (heads and _AHEAD.match(line.text.strip()))
        if _AHEAD.match(last) and ":" in last and is_said and (heads or last.endswith((";", ",", ":"))):
            between = " " if last.endswith((";", ",", ":")) else "; "
            bare = _POINT.sub("", line.text.strip()) if heads else line.text.strip()
            result[-1] = OrderLine(result[-1].number, f"{last}{between}{bare}")
        elif line.text.strip() or not (heads and last.endswith(":")):  # a blank line below a heading parts nothing
            heads = _AHEAD.match(line.text.strip()) is not None and line.text.rstrip().endswith(":")
            result.append(line)
    return result


_POINT = re.compile(r"^(?:[-+*\u2022\u00b7\u2013]|\d{1,2}[.)])\s+")
"""What a list puts before its lines."""


def _guesses_joined(table: Table, seat: Seat, new_lines: Sequence[OrderLine]) -> list[OrderLine]:
    """
    Join each `what if` with what stands right below it, down to a blank line or a mark that ends a sentence.

    What is guessed of others goes on over lines as people and their programs wrap them, and must never be an order.
    """
    result: list[OrderLine] = []
    is_guess = False
    for line in new_lines:
        text = phrases.clean(phrases.without_comment(line.text))
        if is_guess and text and not _WHAT_IF.match(text):
            result[-1] = OrderLine(result[-1].number, f"{result[-1].text.rstrip()} {line.text.strip()}")
            is_guess = not text.endswith(_ENDS)
            continue
        match = REQUEST.match(text) if _WHAT_IF.match(text) else None
        is_guess = bool(match and not text.endswith(_ENDS) and _request(table, seat, match) is not None)
        result.append(line)
    return result


def _merged(asked_for: Sequence[Request]) -> tuple[Request, ...]:
    """Leave out repeated requests, but for `for` lines, which add up."""
    return tuple(
        request
        for place, request in enumerate(asked_for)
        if isinstance(request, Ahead) or request not in asked_for[:place]
    )


def _request(table: Table, seat: Seat, match: re.Match[str]) -> Request | phrases.Unread | None:
    """Return a request, a complaint, or None where the line is an order after all."""
    word, rest = match["word"].lower(), match["rest"].strip()
    if word == "address":
        to_move = "To move to another address, send that line in a mail of its own."
        return phrases.Unread("illegal", to_move) if "@" in rest else None
    kind = _KINDS[word]
    return kind.read(table, seat, rest if kind is Ahead else phrases.without_stop(rest))


def _may_be_order(table: Table, seat: Seat, text: str) -> bool:
    """Say whether a line below press may be meant as something of its own, so that it must not be passed on."""
    if re.search(r"[0-9:;=]", text) or REQUEST.match(text):
        return True
    if table.status != "open":
        return False
    parsed = table.ruleset.parse(table.state, seat, [OrderLine(1, text)])
    return bool(parsed.orders) or any(one.fault != "unreadable" for one in parsed.complaints)
