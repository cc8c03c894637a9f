"""Hears mails of rulesets without tables: reads them line by line, and takes for talk what cannot be read."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pbem.ground.terms import Complaint, OrderLine, Parsed, Seat
from pbem.language import phrases
from pbem.speech import chatter, small_talk
from pbem.table.incoming import talk
from pbem.table.incoming.heard import Heard, cut_off, paragraphs, texts, without
from pbem.table.model.table import Table

MOST_READINGS = 20
"""How often a set is read anew without its talk; of more that a mail glues together the rest is complained of."""
MOST_LIMITING = 8
"""The most words of what only limits the order above it, and is no sentence in small letters."""
NOBODY = frozenset[str]()


def hear(table: Table, seat: Seat, lines: Sequence[OrderLine]) -> Heard:
    """
    Part orders from talk, as far as the ruleset says with which words its orders begin.

    Shape: where no order is left, lines in doubt stay with the orders, to be complained of. Where orders may begin
    with any word, whole sentences of small talk are taken out.
    """
    words = table.ruleset.order_words(table.state)
    parsed = _parsed(table, seat, lines)
    if not words:
        said = {} if not parsed.complaints else _sentences(table, lines, parsed)
        return Heard(without(lines, said), texts(said))
    if not parsed.complaints:  # most mails
        return Heard(tuple(lines), doubts=texts(cut_off(lines)), parsed=parsed)
    openings = {*words, *talk.ASKING}
    passed: dict[int, OrderLine] = {}
    kept = tuple(lines)
    for _ in range(MOST_READINGS):
        found = _talk(table, seat, kept, openings)
        if not found:
            break
        passed |= found
        kept = without(kept, found)
    orders = frozenset(line.number for line in kept if line.text.strip())
    beside_orders = paragraphs(lines, orders)
    last = max(line.number for line in lines if line.text.strip())
    doubts = {
        number: line
        for number, line in passed.items()
        if not (talk.is_clear_beside if number in beside_orders else talk.is_clear)(table, line.text)
        and not (number == last and small_talk.is_signature(line.text) and talk.is_of_no_game(table, line.text))
        and not ((number < min(orders, default=0) or number + 1 in orders) and talk.is_heading(table, seat, line.text))
        and not (number + 1 in orders and talk.is_noun(table, line.text))
    }
    if not _parsed(table, seat, kept).orders:  # then no order says that the mail is a set
        clear = {number: line for number, line in passed.items() if talk.is_harmless(table, line.text)}
        doubts = {number: line for number, line in passed.items() if number not in clear}
        return Heard(without(lines, clear), texts(clear), texts(doubts))
    beside: list[Complaint] = []
    whole = _orders(kept)
    for line in (*doubts.values(), *_odd_conditions(table, seat, kept)):
        order = _qualified(whole, line)
        if order:
            because = f'It stands beside "{_cut(line.text.strip())}", which may change it. {talk.AGAIN}'
            text = " ".join(one.text.strip() for one in order)
            beside.append(Complaint(order[0].number, text, "ambiguous", because))
            for one in order:
                del whole[one.number]
    kept = without(kept, {line.number for line in kept if line.text.strip()} - set(whole))
    return Heard(kept, texts(passed), (*texts(doubts), *texts(cut_off(kept))), tuple(beside))


def _odd_conditions(table: Table, seat: Seat, lines: Sequence[OrderLine]) -> list[OrderLine]:
    """Return the lines that begin as conditions do and cannot be read, so that what they hold for is not known."""
    unread = {one.line for one in _parsed(table, seat, lines).complaints if one.fault != "illegal"}
    words = set(table.ruleset.order_words(table.state)) - chatter.CHANGING
    heads = (line for line in phrases.joined(lines) if line.number in unread and not talk.begins(line.text, words))
    return [OrderLine(line.number, f"{line.text}:") for line in heads if chatter.may_change(line.text)]


def _cut(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."


def _parsed(table: Table, seat: Seat, lines: Sequence[OrderLine]) -> Parsed[object]:
    parsed: Parsed[object] = table.ruleset.parse(table.state, seat, lines)
    return parsed


def _talk(table: Table, seat: Seat, lines: Sequence[OrderLine], words: Collection[str]) -> dict[int, OrderLine]:
    """Return the lines that the ruleset cannot read and that do not begin as orders do, but for a title of such."""
    complaints = _parsed(table, seat, lines).complaints
    unread = {one.line for one in complaints if one.fault == "unreadable"}
    glued = _glued(table, seat, lines, {one.line for one in complaints})
    titled = {line.number - 1 for line in lines if line.number not in unread and talk.begins(line.text, words)}
    said: dict[int, OrderLine] = {}
    for line in lines:
        is_rest = line.number - 1 in said and talk.goes_on(said[line.number - 1].text, line.text)
        if line.number in glued or (line.number in unread and (is_rest or _is_talk(line, words, titled))):
            said[line.number] = line
    return said


def _is_talk(line: OrderLine, words: Collection[str], titled: Collection[int]) -> bool:
    is_title = line.number in titled and _is_title(line.text, words)
    return is_title or chatter.is_heading(line.text) or not talk.begins(line.text, words)


def _glued(table: Table, seat: Seat, lines: Sequence[OrderLine], complained: Collection[int]) -> set[int]:
    """Return the lines that a colon glues to the order below them, which reads by itself alone, and not with them."""
    ends = {line.number for line in lines if line.text.rstrip().endswith((":", "\uff1a"))}
    heads = ends & set(complained)
    if not heads:
        return set()
    alone = {one.line for one in _parsed(table, seat, without(lines, heads)).complaints}
    said = {line.number for line in lines if line.text.strip()}
    return {number for number in heads if number + 1 in said - alone - heads}


def _sentences(table: Table, lines: Sequence[OrderLine], parsed: Parsed[Any]) -> dict[int, OrderLine]:
    """Return the unread lines that are written as sentences are, and say nothing of the game: no names of powers."""
    unread = {one.line for one in parsed.complaints if one.fault == "unreadable"}
    said = (line for line in lines if line.number in unread and not talk.begins(line.text, talk.ASKING))
    return {line.number: line for line in said if talk.is_sentence(line.text) and talk.is_clear(table, line.text)}


def _is_title(text: str, words: Collection[str]) -> bool:
    """Say whether a line such as `Attack orders:` names what stands below it; one that is half an order has more."""
    others = [word for word in chatter.words(text) if word not in words]
    said = len(chatter.words(text))
    return said == 1 or (text.rstrip().endswith(":") and small_talk.is_heading(f"orders {' '.join(others)}:", NOBODY))


def _qualified(orders: Mapping[int, Sequence[OrderLine]], below: OrderLine) -> Sequence[OrderLine]:
    """
    Return the lines of the order that unread words are a part of, since they only limit it; none of a sentence.

    Shape: such words begin with one that limits, and stand above it with a colon or comma behind them, or right below
    it in small letters. A sentence of its own, with a capital or a mark at its end, takes no order away, whatever it
    may change: the set waits for a yes.
    """
    text = below.text.strip()
    if not chatter.limits(text):
        return ()
    if text.endswith((":", ",")):
        return orders.get(below.number + 1, ())
    is_rest = text[:1].islower() and not text.endswith((".", "!", "?")) and len(text.split()) <= MOST_LIMITING
    return orders.get(below.number - 1, ()) if is_rest else ()


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
