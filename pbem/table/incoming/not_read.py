"""Lines of a mail that were taken for no new ones and would read as orders: which of them its receipt names."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from pbem.ground.terms import OrderLine, Parsed, Seat
from pbem.language import bounds, phrases
from pbem.speech import chatter
from pbem.table.fold.journal import NotRead, OrdersReceived
from pbem.table.incoming import player_lines
from pbem.table.model.table import Table

MOST_NAMED = 6
MOST_WORDS = 12
"""The most words of an order on one line with a client's own, or of what stands before one and its colon."""
SHORT = 6
"""The most words of a line that may change an order and is surely no client's, which have an address or a year."""
_CLIENTS = re.compile(r"@|\b20\d\d\b")
_COMMENT = re.compile(r"#+\s*(?:\d{1,2}\s*[.):]?\s+)?(.+)")
_BEHIND = re.compile(r"\S\s?#(?!\d)\s*(?P<text>.+)$")
"""A comment behind an order; our own have more than one blank before their sign."""
BESIDE = ("half filled", "example", "footer", "behind an order")
"""What a line can be taken for beside orders, and have in it what changes them; the set waits for a yes then."""
TO_MODERATOR = "to the moderator"
HOLDING = (*BESIDE, TO_MODERATOR)
"""What holds a set up that has such a line beside it."""
_GLUED = ("attribution", "footer", "phone")
"""What a line can be taken for that has a client's words on it, and may have others."""
_QUOTED = ("quoted", "quoted without marks")


def named(table: Table, seat: Seat, passed: Sequence[NotRead]) -> dict[str, Any]:
    """
    Return the fields of a mail's entry that say what was not read of it.

    Shape: what the seat itself wrote in an earlier mail of this phase, and quotes, is only counted.
    """
    found = [one for one in (_order(table, seat, line) for line in passed) if one]
    before = _said_before(table, seat) if any(one.taken in _QUOTED for one in found) else frozenset()
    old = [one for one in found if one.taken in _QUOTED and _key(one.text) in before]
    news = list(dict.fromkeys(one for one in found if one not in old))
    return {
        "not_read": tuple(news[:MOST_NAMED]),
        "more_not_read": len(news[MOST_NAMED:]),
        "said_before": len(old),
    }


def comments(said: Sequence[OrderLine]) -> tuple[NotRead, ...]:
    """Return what is a comment: lines as a whole, such as `#1 attack Bo 20`, and what stands behind an order."""
    return tuple(found for line in said if (found := _comment(line.text)))


def _comment(text: str) -> NotRead | None:
    if match := _COMMENT.fullmatch(phrases.clean(text)):
        return NotRead(match[1], "comment")
    behind = _BEHIND.search(text) if phrases.without_comment(text) != text.rstrip() else None
    return NotRead(behind["text"].strip(), "behind an order") if behind else None


def _said_before(table: Table, seat: Seat) -> frozenset[str]:
    mails = (entry for entry in table.log if isinstance(entry, OrdersReceived) and entry.seat == seat)
    return frozenset(_key(text) for mail in mails for text in mail.said)


def _key(text: str) -> str:
    return phrases.clean(text).replace(" ", "").casefold()


def _order(table: Table, seat: Seat, line: NotRead) -> NotRead | None:
    """Return a line that reads as an order, or begins one; of one with other words beside it the order alone."""
    if line.taken == TO_MODERATOR and player_lines.sort(table, seat, [OrderLine(1, line.text)]).requests:
        return line
    may_change = chatter.may_change(line.text) or (line.taken == "behind an order" and reads(table, seat, line.text))
    is_beside = line.taken in BESIDE and (line.taken == "half filled" or may_change)
    if is_beside:
        return line
    return next((NotRead(part, line.taken) for part in _parts(line) if reads(table, seat, part)), None)


def _parts(line: NotRead) -> Iterator[str]:
    """Return what of a line may be an order: all, what is behind a sharp or a colon, or beside a client's words."""
    yield line.text
    yield from (one.text for one in comments([OrderLine(0, line.text)]))
    words = line.text.split()
    if line.taken in _GLUED or _CLIENTS.search(line.text):
        most = range(min(len(words), MOST_WORDS), 0, -1)
        yield from (" ".join(words[:count]) for count in most)
        yield from (" ".join(words[-count:]) for count in most)
    else:
        yield from (" ".join(words[at:]) for at, word in enumerate(words[:MOST_WORDS], 1) if word.endswith(":"))


def may_be_said(table: Table, seat: Seat, text: str) -> bool:
    """Say whether a line is an order, a request or press by itself, or is short and may change an order."""
    if len(text.split()) <= SHORT and not _CLIENTS.search(text) and chatter.may_change(text):
        return True
    said = player_lines.sort(table, seat, [OrderLine(1, text)])
    return bool(said.requests or said.press or said.complaints) or reads(table, seat, text)


def reads(table: Table, seat: Seat, text: str) -> bool:
    """Say whether the ruleset would take a line for orders, and for nothing else."""
    if seat not in table.sending or not text or len(text) > bounds.LONGEST:
        return False
    parsed: Parsed[Any] = table.ruleset.parse(table.state, seat, [OrderLine(1, text)])
    return bool(parsed.orders) and not parsed.complaints
