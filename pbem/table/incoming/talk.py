"""Talk between orders: which lines are passed over, which of them may change an order, and which order that is."""

from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from itertools import pairwise
from typing import Any, NamedTuple

from pbem import phrases
from pbem.speech import chatter
from pbem.table import requests
from pbem.table.requests.readiness import Yes
from pbem.table.table import Table
from pbem.terms import Complaint, OrderLine, Parsed, Seat

MOST_READINGS = 20
"""How often a set is read anew without its talk; of more that a mail glues together the rest is complained of."""
NEAR = 0.8
"""How like a word that orders begin with another has to be to be taken for a slip of the fingers."""
TAIL = 2
"""The most words of what a mail program wrapped off an order and that cannot be told from talk."""
_ASKING = frozenset(word for kind in requests.KINDS if kind is not Yes for word in (kind.word(), *kind.also))
"""The words with which requests begin; what is no request after all is meant as one."""


AGAIN = "Send it again with all that it depends on in one line, or alone."


class Heard(NamedTuple):
    """
    The lines of a mail that are orders, and its talk.

    Shape: `passed` are the lines that were taken for talk, `doubts` those of them that may change an order or be one;
    `beside` complains of each order that such a line stands next to and may qualify, which is no longer in `orders`;
    `parsed` is what the ruleset reads in `orders`, where that is known already.
    """

    orders: tuple[OrderLine, ...]
    passed: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    beside: tuple[Complaint, ...] = ()
    parsed: Parsed[Any] | None = None


def hear(table: Table, seat: Seat, lines: Sequence[OrderLine]) -> Heard:
    """
    Part orders from talk, as far as the ruleset says with which words its orders begin.

    Shape: where no order is left, lines in doubt stay with the orders, to be complained of.
    """
    words = table.ruleset.order_words(table.state) if table.status == "open" else ()
    if not words:
        return Heard(tuple(lines))
    parsed = _parsed(table, seat, lines)
    if not parsed.complaints:  # most mails
        return Heard(tuple(lines), doubts=_texts(_cut_off(lines)), parsed=parsed)
    openings = {*words, *_ASKING}
    talk: dict[int, OrderLine] = {}
    kept = tuple(lines)
    for _ in range(MOST_READINGS):
        found = _talk(table, seat, kept, openings)
        if not found:
            break
        talk |= found
        kept = _without(kept, found)
    inner = frozenset(table.ruleset.inner_words(table.state))
    orders = [line.number for line in kept if line.text.strip()]
    mine = frozenset(chatter.words(f"{table.label(seat)} {table.label(seat)}'s {table.own_title(table.title)}"))
    first = min(orders, default=0)
    doubts = {
        number: line
        for number, line in talk.items()
        if not (number < first and chatter.is_heading(line.text, mine))
        if not (number < first and (said := chatter.without_opening(line.text)) and _is_clear(table, said, inner))
        if not _is_clear(table, line.text, inner)
    }
    if not _parsed(table, seat, kept).orders:
        clear = {number: line for number, line in talk.items() if number not in doubts}
        return Heard(_without(lines, clear), _texts(clear), _texts(doubts))
    beside: list[Complaint] = []
    whole = _orders(kept)
    for line in (*doubts.values(), *_odd_conditions(table, seat, kept)):
        order = _qualified(whole, line)
        if order:
            because = f'It stands beside "{_cut(line.text.strip())}", which may change it. {AGAIN}'
            text = " ".join(one.text.strip() for one in order)
            beside.append(Complaint(order[0].number, text, "ambiguous", because))
            for one in order:
                del whole[one.number]
    kept = _without(kept, {line.number for line in kept if line.text.strip()} - set(whole))
    return Heard(kept, _texts(talk), (*_texts(doubts), *_texts(_cut_off(kept))), tuple(beside))


def _odd_conditions(table: Table, seat: Seat, lines: Sequence[OrderLine]) -> list[OrderLine]:
    """Return the lines that begin as conditions do and cannot be read, so that what they hold for is not known."""
    unread = {one.line for one in _parsed(table, seat, lines).complaints if one.fault != "illegal"}
    heads = (line for line in phrases.joined(lines) if line.number in unread)
    return [OrderLine(line.number, f"{line.text}:") for line in heads if chatter.may_change(line.text)]


def _cut_off(lines: Sequence[OrderLine]) -> dict[int, OrderLine]:
    """Return the lines that would go on, by their last mark, but for a blank line behind them."""
    said = [line for line in lines if line.text.strip()]
    return {
        line.number: line
        for line, below in pairwise(said)
        if line.text.rstrip().endswith((",", ";", ":")) and below.number > line.number + 1
    }


def _cut(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."


def _texts(lines: Mapping[int, OrderLine]) -> tuple[str, ...]:
    return tuple(lines[number].text.strip() for number in sorted(lines))


def _without(lines: Sequence[OrderLine], gone: Collection[int]) -> tuple[OrderLine, ...]:
    return tuple(OrderLine(line.number, "") if line.number in gone else line for line in lines)


def _parsed(table: Table, seat: Seat, lines: Sequence[OrderLine]) -> Parsed[object]:
    parsed: Parsed[object] = table.ruleset.parse(table.state, seat, lines)
    return parsed


def _talk(table: Table, seat: Seat, lines: Sequence[OrderLine], words: Collection[str]) -> dict[int, OrderLine]:
    """Return the lines that the ruleset cannot read and that do not begin as orders do."""
    unread = {one.line for one in _parsed(table, seat, lines).complaints if one.fault == "unreadable"}
    talk = (line for line in lines if line.number in unread)
    return {line.number: line for line in talk if chatter.is_heading(line.text) or not _begins(line.text, words)}


def _begins(text: str, words: Collection[str]) -> bool:
    """Say whether a line begins with a word that orders begin with, or nearly so, whatever number stands before it."""
    first = next((word for word in chatter.words(text) if not word.isdigit()), "")
    if first in words:
        return True
    return len(first) > 3 and bool(get_close_matches(first, words, n=1, cutoff=NEAR))


def is_clear(table: Table, text: str) -> bool:
    """Say whether talk is no order and changes none."""
    return _is_clear(table, text, frozenset(table.ruleset.inner_words(table.state)))


def _is_clear(table: Table, text: str, inner: frozenset[str]) -> bool:
    """Say whether talk is no order and changes none: it has no word that orders use, and harmless ones alone."""
    names = frozenset(word for label in table.labels().values() for word in chatter.words(label) if not word.isdigit())
    said = set(chatter.words(text))
    return not said & inner and chatter.is_harmless(text, names) and (not said & names or len(said - names) > 0)


def _qualified(orders: Mapping[int, Sequence[OrderLine]], talk: OrderLine) -> Sequence[OrderLine]:
    """
    Return the lines of the order that talk may qualify: the one right above it, or below a colon or comma; or none.

    Shape: it may where a word of it changes others, or it is the tail of a line: a word or two in small letters.
    """
    text = talk.text.strip()
    if not chatter.may_change(text) and not (text[:1].islower() and len(text.split()) <= TAIL):
        return ()
    goes_on = text.endswith((":", ","))
    beside = (talk.number + 1, talk.number - 1) if goes_on else (talk.number - 1, talk.number + 1)
    return next((orders[number] for number in beside if number in orders), ())


def _orders(lines: Sequence[OrderLine]) -> dict[int, Sequence[OrderLine]]:
    """Map the number of each line to all lines of the order that it is part of."""
    starts = {line.number for line in phrases.joined(lines)}
    found: dict[int, Sequence[OrderLine]] = {}
    order: list[OrderLine] = []
    for line in lines:
        if line.number in starts:
            order = []
        if line.text.strip():
            order.append(line)
            found[line.number] = order
    return found
