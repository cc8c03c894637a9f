"""Talk between orders: which lines are passed over, which of them may change an order, and which order that is."""

import re
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from pbem import phrases
from pbem.table import requests
from pbem.table.table import Table
from pbem.terms import Complaint, OrderLine, Parsed, Seat

MOST_READINGS = 20
"""How often a set is read anew without its talk; of more that a mail glues together the rest is complained of."""
NEAR = 0.8
"""How like a word that orders begin with another has to be to be taken for a slip of the fingers."""
_ASKING = frozenset(word.split()[0] for kind in requests.KINDS for word in (kind.word(), *kind.also))
"""The words with which requests begin; what is no request after all is meant as one."""
_PARTICLES = frozenset(("the", "and", "von", "van", "der", "las", "los", "les"))
_COMMON = frozenset(("for", "in", "on", "at", "by", "do", "go", "run", "place", "first", "second", "start", "begin"))
"""Words with which orders may begin, and which say nothing in the middle of talk."""
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*|\d+")

_CHANGERS_SAID = """
if unless only but not no instead also rest else same keep make swap cancel ignore draft wait except otherwise
rather until when whenever never change changed actually scratch forget replace provided case correction oops
don't dont doesn't won't wont can't cannot shouldn't without undo sorry mistake leave none skip nothing
disregard double half less yet last previous above again before usual back omit remove void delete once twice
wenn falls sofern nicht kein keine keinen nur aber statt stattdessen auch sonst doch ohne si sauf pas ne
seulement mais aussi sinon plutôt sans se non solo ma invece anche tranne altrimenti senza pero salvo excepto
también tambien cuando sino sin als tenzij niet geen maar alleen ook anders jeśli jesli nie tylko ale если не
только но кроме om inte bara men också ikke hvis kun jos ei vain ha nem csak não nao
"""
CHANGERS = frozenset(_CHANGERS_SAID.split())
"""Words that change another line, in the languages that people write most."""
_PHRASES = re.compile(r"\b(?:as|so) long as\b|\btake (?:that|it|this|them)\b|\bon condition\b")


class Heard(NamedTuple):
    """
    The lines of a mail that are orders, and its talk.

    Shape: `passed` are the lines that were taken for talk, `doubts` those of them that may change an order or be one;
    `beside` complains of each order that such a line stands next to and may qualify, which is no longer in `orders`.
    """

    orders: tuple[OrderLine, ...]
    passed: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    beside: tuple[Complaint, ...] = ()


def hear(table: Table, seat: Seat, lines: Sequence[OrderLine]) -> Heard:
    """
    Part orders from talk, as far as the ruleset says with which words its orders begin.

    Shape: where no order is left, lines in doubt stay with the orders, to be complained of.
    """
    words = table.ruleset.order_words(table.state) if table.status == "open" else ()
    inner = {*words, *table.ruleset.inner_words(table.state)} if words else ()
    if not words:
        return Heard(tuple(lines))
    openings = {*words, *_ASKING}
    talk: dict[int, OrderLine] = {}
    kept = tuple(lines)
    for _ in range(MOST_READINGS):
        found = _talk(table, seat, kept, openings)
        if not found:
            break
        talk |= found
        kept = _without(kept, found)
    doubts = {number: line for number, line in talk.items() if _is_in_doubt(table, line.text, inner)}
    if not _parsed(table, seat, kept).orders:
        clear = {number: line for number, line in talk.items() if number not in doubts}
        return Heard(_without(lines, clear), _texts(clear), _texts(doubts))
    asked = {number: line for line in doubts.values() if (number := _qualified(kept, line))}
    beside = tuple(
        Complaint(line.number, line.text.strip(), "ambiguous", _asking(asked[line.number].text.strip()))
        for line in kept
        if line.number in asked
    )
    return Heard(_without(kept, asked), _texts(talk), _texts(doubts), beside)


def _asking(talk: str) -> str:
    shown = talk if len(talk) <= 60 else f"{talk[:57]}..."
    return f'Does "{shown}" change this order? Send it again with all that it depends on in one line, or alone.'


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
    return {line.number: line for line in lines if line.number in unread and not _begins(line.text, words)}


def _begins(text: str, words: Collection[str]) -> bool:
    """Say whether a line begins with a word that orders begin with, or nearly so, whatever number stands before it."""
    first = next((word for word in _said(phrases.clean(text)) if not word.isdigit()), "")
    if first in words:
        return True
    return len(first) > 3 and bool(get_close_matches(first, words, n=1, cutoff=NEAR))


def _said(text: str) -> list[str]:
    return [word.replace("\u2019", "'") for word in _WORD.findall(text.casefold())]


def _is_in_doubt(table: Table, text: str, words: Collection[str]) -> bool:
    """Say whether talk may be meant as an order, or for one: it has a number, a name, or a word that orders turn on."""
    said = set(_said(phrases.clean(text)))
    names = {word for label in table.labels().values() for word in _said(label) if len(word) > 1} - _PARTICLES
    return bool(said & ({*words} - _COMMON | names)) or _may_change(text) or any(word.isdigit() for word in said)


def _may_change(text: str) -> bool:
    """Say whether talk may change another line."""
    said = _said(phrases.clean(text))
    return bool(CHANGERS & set(said)) or bool(_PHRASES.search(" ".join(said)))


def _qualified(kept: Sequence[OrderLine], talk: OrderLine) -> int:
    """Return the number of the order that talk may qualify: the one above it, or below a colon or comma; 0 for none."""
    if not _may_change(talk.text):
        return 0
    orders = {line.number for line in kept if line.text.strip()}
    goes_on = talk.text.rstrip().endswith((":", ","))
    beside = (talk.number + 1, talk.number - 1) if goes_on else (talk.number - 1, talk.number + 1)
    return next((number for number in beside if number in orders), 0)
