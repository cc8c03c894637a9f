"""Parts the orders of a mail from its talk, and says which talk may change them."""

from collections.abc import Sequence
from typing import Any

import msgspec

from pbem.ground.terms import Complaint, OrderLine, Parsed, Seat
from pbem.speech import small_talk
from pbem.table.incoming import talk
from pbem.table.incoming.heard import Heard, cut_off, paragraphs, texts, without
from pbem.table.model.table import Table


def hear(table: Table, seat: Seat, lines: Sequence[OrderLine]) -> Heard:
    """
    Part orders from talk, as the ruleset does.

    Shape: where nothing else was read, what may be an order is complained of; courtesies and headings are no doubts,
    but what speaks of the orders beside it is one, in whatever words.
    """
    if table.status != "open":
        return Heard(tuple(lines))
    found: Parsed[Any] = table.ruleset.hear(table.state, seat, lines)
    found, idle = _without_headings(table, seat, lines, found)
    orders = frozenset(one.line for one in (*found.orders, *found.complaints))
    others = frozenset(one.line for one in (*found.passed, *found.doubts, *idle)) - orders
    if not orders:
        said = _by_lines(lines, (*found.passed, *found.doubts, *idle))
        unread = tuple(one for one in said if not talk.is_harmless(table, one.text))
        clear = tuple(one.text for one in said if one not in unread)
        kept = without(lines, others - {one.line for one in unread})
        return Heard(kept, clear, tuple(one.text for one in unread), parsed=Parsed((), unread, offered=found.offered))
    kept = without(lines, others)
    beside = paragraphs(lines, orders)
    likely = (*found.doubts, *found.passed) if table.verbs else found.doubts  # else the ruleset knows its talk best
    doubts = tuple(
        one.text
        for one in likely
        if one.fault == "ambiguous"
        or not (talk.is_clear_beside if one.line in beside else talk.is_clear)(table, one.text)
    )
    passed = tuple(one.text for one in sorted((*found.passed, *found.doubts, *idle), key=lambda one: one.line))
    return Heard(kept, passed, (*doubts, *texts(cut_off(kept))), parsed=found)


def _without_headings(
    table: Table, seat: Seat, lines: Sequence[OrderLine], found: Parsed[Any]
) -> tuple[Parsed[Any], Sequence[Complaint]]:
    """Part what says nothing from the rest: headings above orders, and a signature."""
    orders = frozenset(order.line for order in found.orders)
    ends = _end(lines)

    def says_nothing(one: Complaint) -> bool:
        if one.line in orders:
            return False  # what stands beside an order is none of these
        *above, last = ends.get(one.line, ("",))
        if one.text == " ".join((*above, last)) and small_talk.is_signature(last):
            return talk.is_of_no_game(table, one.text) and all(talk.is_clear(table, text) for text in above)
        is_close = bool(orders) and min((line for line in orders if line > one.line), default=0) == one.line + 1
        is_above = is_close or one.line < min(orders, default=0)
        return (is_above and talk.is_heading(table, seat, one.text)) or (is_close and talk.is_noun(table, one.text))

    said = (*found.complaints, *found.doubts, *found.passed)
    idle = [one for one in said if (one.fault == "unreadable" or one in found.doubts) and says_nothing(one)]
    left = {
        kind: tuple(one for one in getattr(found, kind) if one not in idle)
        for kind in ("complaints", "doubts", "passed")
    }
    return msgspec.structs.replace(found, **left), idle


def _end(lines: Sequence[OrderLine]) -> dict[int, tuple[str, ...]]:
    """Return the last line, and the last two, by the numbers with which they begin."""
    said = [line for line in lines if line.text.strip()]
    ends = (said[-many:] for many in (1, 2) if many <= len(said))
    return {end[0].number: tuple(line.text.strip() for line in end) for end in ends}


def _by_lines(lines: Sequence[OrderLine], said: Sequence[Complaint]) -> list[Complaint]:
    """Return talk by its lines: one that has several sentences is quoted whole."""
    whole = {line.number: line.text.strip() for line in lines}
    found: dict[int, Complaint] = {}
    for one in sorted(said, key=lambda one: one.line):
        is_further = one.line in found
        found[one.line] = msgspec.structs.replace(one, text=whole[one.line]) if is_further else one
    return [*found.values()]
