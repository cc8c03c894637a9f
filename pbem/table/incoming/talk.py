"""Talk between orders: which lines are passed over, which of them may change an order, and which order that is."""

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any, NamedTuple

import msgspec

from pbem.ground.terms import Complaint, OrderLine, Parsed, Seat
from pbem.language import phrases
from pbem.language.beside import says_more
from pbem.language.likeness import is_like_any
from pbem.speech import chatter, small_talk
from pbem.speech.chatter import COMMON, ENGLISH
from pbem.table import requests
from pbem.table.model.table import Table
from pbem.table.requests.keep_back import KeepBack
from pbem.table.requests.readiness import Yes

MOST_READINGS = 20
"""How often a set is read anew without its talk; of more that a mail glues together the rest is complained of."""
NEAR = 0.8
"""How like a word that orders begin with another has to be to be taken for a slip of the fingers."""
LONGEST_WORD = 24
"""The most characters of a word that may be a slip of the fingers for one that orders begin with."""
MOST_LIMITING = 8
"""The most words of what only limits the order above it, and is no sentence in small letters."""
_ASKING = frozenset(
    word for kind in requests.KINDS if kind not in (Yes, KeepBack) for word in (kind.word(), *kind.also)
)
"""The words with which requests begin; what is no request after all is meant as one."""


FEWEST_OF_A_SENTENCE = 6
"""The fewest words of a sentence without a mark at its end; what is shorter may be a name."""
NOBODY = frozenset[str]()

AGAIN = "Send it again with all that it depends on in one line, or alone."


class Heard(NamedTuple):
    """
    The lines of a mail that are orders, and its talk.

    Shape: `passed` are the lines that were taken for talk, `doubts` those of them that may change an order or be one;
    `beside` complains of each order that such a line only limits, which is no longer in `orders`;
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

    Shape: where no order is left, lines in doubt stay with the orders, to be complained of. Where orders may begin
    with any word, whole sentences of small talk are taken out.
    """
    if table.status != "open":
        return Heard(tuple(lines))
    by_itself = table.ruleset.hear(table.state, seat, lines)
    if by_itself is not None:
        return _told_apart(table, seat, lines, by_itself)
    words = table.ruleset.order_words(table.state)
    parsed = _parsed(table, seat, lines)
    if not words:
        said = {} if not parsed.complaints else _sentences(table, lines, parsed)
        return Heard(_without(lines, said), _texts(said))
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
    orders = frozenset(line.number for line in kept if line.text.strip())
    beside_orders = _paragraphs(lines, orders)
    last = max(line.number for line in lines if line.text.strip())
    doubts = {
        number: line
        for number, line in talk.items()
        if not (is_clear(table, line.text) if number not in beside_orders else _is_clear_beside(table, line.text))
        and not (number == last and small_talk.is_signature(line.text) and _is_of_no_game(table, line.text))
        and not ((number < min(orders, default=0) or number + 1 in orders) and _is_heading(table, seat, line.text))
        and not (number + 1 in orders and _is_noun(table, line.text))
    }
    if not _parsed(table, seat, kept).orders:  # then no order says that the mail is a set
        clear = {number: line for number, line in talk.items() if _is_harmless(table, line.text)}
        doubts = {number: line for number, line in talk.items() if number not in clear}
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


def _told_apart(table: Table, seat: Seat, lines: Sequence[OrderLine], found: Parsed[Any]) -> Heard:
    """
    Take what a ruleset makes of a mail, where it tells talk from orders by itself.

    Shape: where nothing else was read, what may be an order is complained of; courtesies and headings are no doubts,
    but what speaks of the orders beside it is one, in whatever words.
    """
    found, idle = _without_headings(table, seat, lines, found)
    orders = frozenset(one.line for one in (*found.orders, *found.complaints))
    talk = frozenset(one.line for one in (*found.passed, *found.doubts, *idle)) - orders
    if not orders:
        said = _by_lines(lines, (*found.passed, *found.doubts, *idle))
        unread = tuple(one for one in said if not _is_harmless(table, one.text))
        clear = tuple(one.text for one in said if one not in unread)
        kept = _without(lines, talk - {one.line for one in unread})
        return Heard(kept, clear, tuple(one.text for one in unread), parsed=Parsed((), unread, offered=found.offered))
    kept = _without(lines, talk)
    beside = _paragraphs(lines, orders)
    doubts = tuple(
        one.text
        for one in (*found.doubts, *found.passed)
        if one.fault == "ambiguous"
        or not (_is_clear_beside(table, one.text) if one.line in beside else is_clear(table, one.text))
    )
    passed = tuple(one.text for one in sorted((*found.passed, *found.doubts, *idle), key=lambda one: one.line))
    return Heard(kept, passed, (*doubts, *_texts(_cut_off(kept))), parsed=found)


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
            return _is_of_no_game(table, one.text) and all(is_clear(table, text) for text in above)
        is_close = bool(orders) and min((line for line in orders if line > one.line), default=0) == one.line + 1
        is_above = is_close or one.line < min(orders, default=0)
        return (is_above and _is_heading(table, seat, one.text)) or (is_close and _is_noun(table, one.text))

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
    texts = {line.number: line.text.strip() for line in lines}
    found: dict[int, Complaint] = {}
    for one in sorted(said, key=lambda one: one.line):
        is_further = one.line in found
        found[one.line] = msgspec.structs.replace(one, text=texts[one.line]) if is_further else one
    return [*found.values()]


def _odd_conditions(table: Table, seat: Seat, lines: Sequence[OrderLine]) -> list[OrderLine]:
    """Return the lines that begin as conditions do and cannot be read, so that what they hold for is not known."""
    unread = {one.line for one in _parsed(table, seat, lines).complaints if one.fault != "illegal"}
    words = set(table.ruleset.order_words(table.state)) - chatter.CHANGING
    heads = (line for line in phrases.joined(lines) if line.number in unread and not begins(line.text, words))
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
    """Return the lines that the ruleset cannot read and that do not begin as orders do, but for a title of such."""
    complaints = _parsed(table, seat, lines).complaints
    unread = {one.line for one in complaints if one.fault == "unreadable"}
    glued = _glued(table, seat, lines, {one.line for one in complaints})
    titled = {line.number - 1 for line in lines if line.number not in unread and begins(line.text, words)}
    talk: dict[int, OrderLine] = {}
    for line in lines:
        is_rest = line.number - 1 in talk and goes_on(talk[line.number - 1].text, line.text)
        if line.number in glued or (line.number in unread and (is_rest or _is_talk(line, words, titled))):
            talk[line.number] = line
    return talk


def goes_on(text: str, below: str) -> bool:
    """Say whether a sentence goes on below: as people and their programs wrap letters."""
    return not text.rstrip().endswith((".", "!", "?", ":", ";")) and below[:1].islower()


def _is_talk(line: OrderLine, words: Collection[str], titled: Collection[int]) -> bool:
    is_title = line.number in titled and _is_title(line.text, words)
    return is_title or chatter.is_heading(line.text) or not begins(line.text, words)


def _glued(table: Table, seat: Seat, lines: Sequence[OrderLine], complained: Collection[int]) -> set[int]:
    """Return the lines that a colon glues to the order below them, which reads by itself alone, and not with them."""
    ends = {line.number for line in lines if line.text.rstrip().endswith((":", "\uff1a"))}
    heads = ends & set(complained)
    if not heads:
        return set()
    alone = {one.line for one in _parsed(table, seat, _without(lines, heads)).complaints}
    said = {line.number for line in lines if line.text.strip()}
    return {number for number in heads if number + 1 in said - alone - heads}


def _sentences(table: Table, lines: Sequence[OrderLine], parsed: Parsed[Any]) -> dict[int, OrderLine]:
    """Return the unread lines that are written as sentences are, and say nothing of the game: no names of powers."""
    unread = {one.line for one in parsed.complaints if one.fault == "unreadable"}
    said = (line for line in lines if line.number in unread and not begins(line.text, _ASKING))
    return {line.number: line for line in said if is_sentence(line.text) and is_clear(table, line.text)}


def is_sentence(text: str) -> bool:
    """Say whether a line has a mark at its end, or more words than a name."""
    return text.rstrip().endswith((".", "!", "?", ",")) or len(text.split()) >= FEWEST_OF_A_SENTENCE


def _is_title(text: str, words: Collection[str]) -> bool:
    """Say whether a line such as `Attack orders:` names what stands below it; one that is half an order has more."""
    others = [word for word in chatter.words(text) if word not in words]
    said = len(chatter.words(text))
    return said == 1 or (text.rstrip().endswith(":") and small_talk.is_heading(f"orders {' '.join(others)}:", NOBODY))


def may_be_order(table: Table, text: str) -> bool:
    """Say whether an unread line may be meant as an order: it has a number, a name or a word of the game."""
    if not table.ruleset.order_words(table.state):  # then any line may be one
        return True
    return any(letter.isdigit() for letter in text) or not _is_of_no_game(table, text)


def begins_order(table: Table, text: str) -> bool:
    """Say whether a line begins with a word that orders begin with, or nearly so, where the ruleset says which."""
    words = table.ruleset.order_words(table.state) if table.status == "open" else ()
    return bool(words) and begins(text, words)


def begins(text: str, words: Collection[str]) -> bool:
    """Say whether a line begins with a word that orders begin with, or nearly so, whatever number stands before it."""
    first = next((word for word in chatter.words(text) if not word.isdigit()), "")
    if first in words:
        return True
    return is_near(first, words)


def is_clear(table: Table, text: str) -> bool:
    """Say whether talk is no order and changes none: harmless words alone, or a sentence about other things."""
    return _is_harmless(table, text) or (_is_of_no_game(table, text) and small_talk.is_small_talk(text))


def _is_clear_beside(table: Table, text: str) -> bool:
    """Say likewise of a line in one paragraph with orders, where half a sentence can be one: `head for the door`."""
    return _is_harmless(table, text) or (small_talk.is_sentence(text) and is_clear(table, text))


def _paragraphs(lines: Sequence[OrderLine], orders: frozenset[int]) -> frozenset[int]:
    """Return the numbers of the lines in whose paragraphs orders stand."""
    groups = groupby(lines, key=lambda line: bool(line.text.strip()))
    numbers = ([line.number for line in group] for is_said, group in groups if is_said)
    return frozenset(number for group in numbers if not orders.isdisjoint(group) for number in group)


def is_idle(table: Table, seat: Seat, text: str) -> bool:
    """Say whether talk has harmless words alone, or only says that orders stand beside it."""
    if table.state is None:
        return chatter.is_harmless(text, names(table))
    return _is_harmless(table, text) or _is_heading(table, seat, text) or _is_noun(table, text)


def _is_of_no_game(table: Table, text: str) -> bool:
    """Say whether a line has no name or word of the game, nor one that is nearly so."""
    said = set(chatter.words(text))
    return not said & (names(table) - ENGLISH | _inner_words(table)) and not _has_order_word(table, said)


def _is_harmless(table: Table, text: str) -> bool:
    """Say whether talk has no word that orders use, and harmless ones alone."""
    said = set(chatter.words(text))
    if is_to_another(table, text):
        return False
    named = names(table)
    is_of_words = not said & _inner_words(table) and chatter.is_harmless(text, named)
    return is_of_words and (not said & named or len(said - named) > 0)


_ADDRESS = re.compile(r"(?:hi|hello|hey|dear)\s+(?P<whom>[^,:.!]+)", re.IGNORECASE)


def is_to_another(table: Table, text: str) -> bool:
    """Say whether a mail begins as one to another player alone, who may have been meant to get it: `Dear Bo,`."""
    address = _ADDRESS.match(phrases.clean(text))
    if not address:
        return False
    whom = set(chatter.words(address["whom"]))
    mine = table.moderators_seat()
    return any(seat != mine and whom <= set(chatter.words(label)) for seat, label in table.labels().items())


def _inner_words(table: Table) -> frozenset[str]:
    """Return the words that orders use besides those that begin them; a chosen name hides no plain word."""
    if table.state is None:
        return frozenset()
    return frozenset(table.ruleset.inner_words(table.state)) - ENGLISH


def _is_heading(table: Table, seat: Seat, text: str) -> bool:
    """Say whether a line above orders only says so: with no name but the writer's, and no number but the phase's."""
    name = table.label(seat)
    called = chatter.words(f"{name} {name}'s {table.title} {table.own_title(table.title)} {table.charter.game}")
    mine = frozenset((*called, *small_talk.ordinals(called)))
    said = chatter.without_opening(text)
    if said and _is_harmless(table, said):
        return not says_more(chatter.words(said))
    others = names(table) - mine
    return not others & set(chatter.words(text)) and small_talk.is_heading(text, mine)


def _is_noun(table: Table, text: str) -> bool:
    """Say whether a line is a single word for what stands below it: `Attacks`."""
    said = chatter.words(text)
    nouns = {*table.ruleset.order_words(table.state), *_inner_words(table), *chatter.HEADING}
    return len(said) == 1 and (said[0] in nouns or said[0].removesuffix("s") in nouns) and not chatter.may_change(text)


def names(table: Table) -> frozenset[str]:
    """Return the words of the names of all seats, also as they own things."""
    named = {word for label in table.labels().values() for word in chatter.words(label) if not word.isdigit()}
    return frozenset(named | {f"{word}'s" for word in named} | {f"{word}s" for word in named if len(word) > 1})


def _has_order_word(table: Table, said: Collection[str]) -> bool:
    """Say whether a word is one that orders or requests begin with, or nearly so."""
    orders = () if table.state is None else table.ruleset.order_words(table.state)
    words = {*orders, *_ASKING} - COMMON
    return any(word in words or is_near(word, words) for word in said)


def is_near(word: str, words: Collection[str]) -> bool:
    """Say whether a word is so like one of some others that it may be a slip of the fingers for it."""
    return 3 < len(word) <= LONGEST_WORD and is_like_any(word, words, NEAR)


def _qualified(orders: Mapping[int, Sequence[OrderLine]], talk: OrderLine) -> Sequence[OrderLine]:
    """
    Return the lines of the order that unread words are a part of, since they only limit it; none of a sentence.

    Shape: such words begin with one that limits, and stand above it with a colon or comma behind them, or right below
    it in small letters. A sentence of its own, with a capital or a mark at its end, takes no order away, whatever it
    may change: the set waits for a yes.
    """
    text = talk.text.strip()
    if not chatter.limits(text):
        return ()
    if text.endswith((":", ",")):
        return orders.get(talk.number + 1, ())
    is_rest = text[:1].islower() and not text.endswith((".", "!", "?")) and len(text.split()) <= MOST_LIMITING
    return orders.get(talk.number - 1, ()) if is_rest else ()


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
