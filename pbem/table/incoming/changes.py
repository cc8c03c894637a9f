"""What a second mail makes of the set on hand: `also ...`, `drop 2`, `make that 25`; knows lines, and no game."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import Any, Literal, NamedTuple, TypeAlias

from pbem import lines as order_lines
from pbem import phrases
from pbem.speech import change_forms, chatter
from pbem.speech.change_forms import Out, Put, Shift, Way
from pbem.table.incoming import talk
from pbem.table.incoming.talk import Heard
from pbem.table.journal import OrdersReceived
from pbem.table.requests.back import Back
from pbem.table.requests.readiness import Ready, Yes
from pbem.table.table import Table
from pbem.terms import Complaint, OrderLine, Seat

MOST_ORDERS = 40
"""Of a longer set no part is changed by such words."""
MOST_LINES = 60
"""Of a longer mail no line is taken for such words."""
MOST_READINGS = 2_000
"""How often lines are put together, read and compared for one mail; what takes more is asked about."""
LONGEST = 1_000
"""Characters of an order that is put together."""
A_LETTER = 50
"""To how many readings it comes to show a set as a letter does."""
SPAN = 3
"""The most words of a line on hand that others are put in place of."""

Unit: TypeAlias = tuple[str, ...]
"""The canonical lines of one order; none for one that is taken out."""
Slots: TypeAlias = tuple[Unit, ...]
"""The orders on hand, each in its place, and behind them what is added."""

_ARTICLE = re.compile(r"^(?:(?:the|my|that|this|your|about) )+", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]+")
_JOINING = frozenset(("on", "at", "to", "for", "of", "with", "against", "the", "my", "in", "from", "by", "upon"))
"""Words that say nothing by themselves of which order is meant."""


_UNKNOWN = "I cannot tell what this changes of your orders on hand. Say it in other words, or send them all anew."


class Change(NamedTuple):
    """
    What a mail makes of the set on hand.

    Shape: `heard` is the whole set that it leads to, in canonical lines, with the talk beside it; or `wrong` says what
    was not done. `line` is where it says so first. Where it changes nothing, `own` are the lines of a new set, without
    the words that join them.
    """

    heard: Heard = Heard(())
    wrong: tuple[Complaint, ...] = ()
    own: tuple[OrderLine, ...] = ()
    line: OrderLine = OrderLine(0, "")


def hear(table: Table, seat: Seat, lines: Sequence[OrderLine], *, nothing_on_hand: bool) -> Change | None:
    """Read a mail as changes of the set on hand; None for any other mail."""
    said = [line.text for line in lines if line.text.strip()]
    if table.status != "open" or seat not in table.sending or len(said) > MOST_LINES or not any(map(_may_be, said)):
        return None
    reader = _Reader(table, seat, () if nothing_on_hand else table.orders(seat))
    if reader.slots is None:
        return None
    try:
        return _read(reader, lines, nothing_on_hand=nothing_on_hand)
    except _TooMuchError:
        first = next(line for line in lines if _may_be(line.text))
        return Change(wrong=(_complaint(_Item("change", first), _UNKNOWN),))


def _read(reader: "_Reader", lines: Sequence[OrderLine], *, nothing_on_hand: bool) -> Change | None:
    table = reader.table
    items = _block(table, lines) or _items(reader, lines)
    changes = [item for item in items if item.kind == "change"]
    first = next((item.kind for item in items if item.kind in ("change", "order")), "")
    if (first == "order" or nothing_on_hand) and all(item.adds for item in changes):
        return _own_set(items, lines, nothing_on_hand=nothing_on_hand)
    return _changed(reader, items) if changes and not nothing_on_hand else None


def unsettled(table: Table, seat: Seat) -> tuple[str, ...]:
    """
    Return the talk for which the set on hand waits for a `yes`.

    A change that was not made is none of it, since another one is made now.
    """
    held = table.hand.get(seat)
    found: list[str] = []
    is_older = False
    for entry in reversed(table.log) if held and held.doubtful else ():
        if not isinstance(entry, OrdersReceived) or entry.seat != seat:
            continue
        is_older = is_older or Back() in entry.requests
        if any(isinstance(one, Yes | Ready) for one in entry.requests) and not is_older:
            break
        if entry.taken or not entry.changes:
            found = [*entry.doubts, *found]
        if entry.taken and not entry.changes and not is_older:
            break
    return tuple(dict.fromkeys(found))


class _Item(NamedTuple):
    """
    A line of a mail.

    Shape: `head` and `also` say what stands below, `new` that the set before counts no more; `adds` are the orders that
    a change adds.
    """

    kind: Literal["order", "change", "head", "also", "new", "talk", "unclear"]
    line: OrderLine
    text: str = ""
    adds: str = ""


def _may_be(text: str) -> bool:
    """Say whether a line may be a change, or the head of one, by its words alone."""
    core = change_forms.core(text)
    is_said = change_forms.added(core) or change_forms.ways(core) or change_forms.says_rest(core)
    return bool(is_said or _head(OrderLine(0, text)))


def _head(line: OrderLine) -> _Item | None:
    if change_forms.says_also(line.text):
        return _Item("also", line)
    if change_forms.says_change(line.text):
        return _Item("head", line)
    return _Item("new", line) if change_forms.says_new_set(line.text) else None


def _block(table: Table, lines: Sequence[OrderLine]) -> list[_Item]:
    """Return the one thing that a mail adds where `also` stands before free text, such as a power's."""
    said = [line for line in lines if line.text.strip()]
    first = re.fullmatch(r"(?:and )?also\b ?[,:]? ?(.+)", phrases.clean(said[0].text), re.IGNORECASE)
    if not first or not table.ruleset.in_block(table.state, first[1]):
        return []
    text = "\n".join((first[1], *(line.text for line in lines if line.number > said[0].number)))
    return [_Item("change", said[0], text, text)]


def _items(reader: "_Reader", lines: Sequence[OrderLine]) -> list[_Item]:
    """Tell apart what the lines of a mail are; nothing of one with free text."""
    ruleset, state = reader.table.ruleset, reader.table.state
    if any(ruleset.in_block(state, phrases.clean(line.text)) for line in lines):
        return []
    heads = {line.number: item for line in lines if (item := _head(line))}
    rest = [OrderLine(one.number, "" if one.number in heads else _unjoined(one.text)) for one in lines]
    found: list[_Item] = []
    for line in sorted((*phrases.joined(rest), *(item.line for item in heads.values())), key=lambda line: line.number):
        if line.number in heads:
            found.append(heads[line.number])
            continue
        is_added = any(item.kind == "also" for item in found)
        for part in ruleset.parts(line.text) or (line.text,):
            item = _item(reader, OrderLine(line.number, part), is_first=not found)
            if is_added and item.kind == "order":
                item = _Item("change", item.line, item.text, item.text)
            is_added = is_added or bool(item.adds)  # and so is what follows on its line
            found.append(item)
    said = [place for place, item in enumerate(found) if item.kind in ("order", "change")]
    if len(said) == 1 and (item := found[said[0]]).kind == "order" and change_forms.says_rest(item.text):
        found[said[0]] = _Item("change", item.line, item.text, item.text)  # alone it can be of the set on hand only
    return found


def _unjoined(text: str) -> str:
    """Leave out the `and` by which an `also` would be read as part of the line above."""
    return re.sub(r"^\s*and also\b", "also", text, flags=re.IGNORECASE)


def _item(reader: "_Reader", line: OrderLine, *, is_first: bool) -> _Item:
    core = change_forms.core(line.text)
    if order_lines.MARK in line.text or not core:
        return _Item("unclear", line)
    is_change = change_forms.is_plain(core) and (is_first or not change_forms.joins(core))
    if not is_change and reader.read(line.text) and not _is_rather_a_change(reader, line, core):
        return _Item("order", line, line.text)
    added = change_forms.added(core)
    if added and reader.read(added):
        return _Item("change", line, core, added)
    if chatter.is_heading(line.text) or talk.is_clear(reader.table, line.text):
        return _Item("talk", line)
    return _Item("change" if added or change_forms.ways(core) else "unclear", line, core)


def _is_rather_a_change(reader: "_Reader", line: OrderLine, core: str) -> bool:
    """Say whether what reads as an order changes one on hand, and does not begin as orders do: `make that 25 on Bo`."""
    first = next(iter(change_forms.words(core)), "")
    if not reader.orders or first in reader.table.ruleset.order_words(reader.table.state):
        return False
    return bool(_results(reader, _Item("change", line, core), reader.slots or ()))


def _own_set(items: Sequence[_Item], lines: Sequence[OrderLine], *, nothing_on_hand: bool) -> Change | None:
    """Return the mail's lines as a set of its own, without the words that join them and the heads of it."""
    adds = {item.line.number: item.adds for item in items if item.adds}
    orders = [item.line.number for item in items if item.kind in ("order", "change")]
    heads = {item.line.number for item in items if item.kind == "also"}
    if not nothing_on_hand:
        heads |= {item.line.number for item in items if item.kind == "new" and item.line.number < min(orders)}
    if not adds | dict.fromkeys(heads, "") or len(adds) < sum(bool(item.adds) for item in items):
        return None
    starts = [line.number for line in phrases.joined(lines)]
    ends = dict(pairwise((*starts, max(line.number for line in lines) + 1)))
    is_block = any("\n" in text for text in adds.values())
    texts = {line.number: line.text for line in lines} | dict.fromkeys(heads, "")
    for number, text in adds.items():
        if not is_block:
            texts |= dict.fromkeys((one for one in range(number + 1, ends.get(number, 0)) if one in texts), "")
        texts[number] = text.partition("\n")[0]
    passed = tuple(item.line.text.strip() for item in items if item.line.number in heads)
    return Change(Heard((), passed), own=tuple(OrderLine(number, text) for number, text in texts.items()))


def _changed(reader: "_Reader", items: Sequence[_Item]) -> Change | None:
    """Make all changes of a mail, or none of them; None where it only sounds like changes."""
    slots = reader.slots or ()
    changes = [item for item in items if item.kind == "change"]
    wrong: list[Complaint] = []
    is_any = False
    for item in changes:
        found = _results(reader, item, slots)
        refused = None if found else _refused_addition(reader, item)
        is_any = is_any or bool(found or refused) or change_forms.is_sure(item.text)
        if len(found) == 1:
            slots = found[0]
        else:
            wrong.append(refused or _complaint(item, _because(reader, slots, found)))
    if not is_any:
        return None
    unclear = tuple(item.line.text.strip() for item in items if item.kind == "unclear")
    beside = next((text for text in unclear if chatter.may_change(text)), "")
    if any(item.kind in ("order", "new") for item in items):
        because = "Other lines of this mail are a new set, and this changes the one on hand. Send either alone."
        wrong = [_complaint(item, because) for item in changes]
    elif beside and not wrong:
        short = beside if len(beside) <= 60 else f"{beside[:57]}..."
        wrong = [_complaint(item, f'It stands beside "{short}", which may change it. {talk.AGAIN}') for item in changes]
    passed = tuple(item.line.text.strip() for item in items if item.kind in ("talk", "head", "also"))
    if wrong:
        return Change(Heard((), passed), tuple(wrong))
    whole = (text for unit in slots for text in unit)
    said = tuple(OrderLine(number, text) for number, text in enumerate(whole, 1))
    if not said:
        because = "Nothing would be left of your orders on hand. If you mean that, write: cancel"
        return Change(Heard((), passed), (_complaint(changes[0], because),))
    return Change(Heard(said, (*passed, *unclear), unclear), line=changes[0].line)


def _complaint(item: _Item, because: str) -> Complaint:
    return Complaint(item.line.number, item.line.text.strip(), "ambiguous", because)


def _refused_addition(reader: "_Reader", item: _Item) -> Complaint | None:
    """Complain of what is to be added and cannot be read, where it begins as orders do."""
    table, added = reader.table, change_forms.added(item.text)
    first = next(iter(change_forms.words(added)), "")
    if first not in table.ruleset.order_words(table.state):
        return None
    found = table.ruleset.parse(table.state, reader.seat, [OrderLine(item.line.number, added)]).complaints
    return found[0] if found else None


def _because(reader: "_Reader", slots: Slots, found: Sequence[Slots]) -> str:
    """Say why a change was not made, and which it could have been."""
    if len(found) < 2:
        return _UNKNOWN
    told = [_told(reader, slots, one) for one in found[:3]]
    more = ", among others" if len(found) > 3 else ""
    return f"This can mean: {phrases.listed(told)}{more}. Say which, or send all your orders anew."


def _told(reader: "_Reader", before: Slots, after: Slots) -> str:
    """Say what a change would do."""
    changed = [(old, new) for old, new in zip(before, after, strict=False) if old != new]
    if not changed:
        added = after[len(before) :]
        return f'one more "{reader.worded(added[0])}"' if added else "to leave all as it is"
    old, new = changed[0]
    return f'"{reader.worded(new)}" in place of "{reader.worded(old)}"' if new else f'without "{reader.worded(old)}"'


def _results(reader: "_Reader", item: _Item, slots: Slots) -> list[Slots]:
    """Return all sets that a change can lead to, each once."""
    if item.adds:
        reader.has_added = True
        units = reader.read_behind(slots, item.adds)
        if not units:
            return []
        is_there = any(unit in slots for unit in units)  # said again, or wanted twice
        return [(*slots, *units), *[slots] * is_there]
    ways = change_forms.ways(item.text)
    found = list(dict.fromkeys(after for way in ways for after in _made(reader, way, slots) if after != slots))
    return found or _by_pieces(reader, item, slots)


def _by_pieces(reader: "_Reader", item: _Item, slots: Slots) -> list[Slots]:
    """Return the set that the pieces of a line lead to, one after the other; none unless each leads to one."""
    pieces = change_forms.pieces(item.text)
    for piece in pieces:
        added = change_forms.added(piece)
        adds = added if reader.read(added) else ""
        found = _results(reader, _Item("change", item.line, piece, adds), slots)
        if len(found) != 1:
            return []
        slots = found[0]
    return [slots] if pieces else []


def _made(reader: "_Reader", way: Way, slots: Slots) -> Iterator[Slots]:
    match way:
        case Out():
            yield from _without(reader, way, slots)
        case Put() if (numbers := Out(way.old).numbers) and not Out(way.old).is_bare:
            place = _place(reader, numbers[0]) if len(numbers) == 1 and not reader.has_added else None
            units = reader.read(way.new)
            if place is not None and slots[place] and units:
                yield (*slots[:place], *units, *slots[place + 1 :])
        case Put():
            found = [
                (shares, (*slots[:place], *units, *slots[place + 1 :]))
                for place, unit in enumerate(slots)
                for shares, units in (_put(reader, way, unit) if unit else ())
            ]
            best = max((shares for shares, _ in found), default=False)
            yield from (after for shares, after in found if shares == best)
        case Shift():
            for place, unit in enumerate(slots):
                for one in _shifted(reader, way, unit) if len(unit) == 1 else ():
                    yield (*slots[:place], one, *slots[place + 1 :])


def _without(reader: "_Reader", way: Out, slots: Slots) -> Iterator[Slots]:
    """Take orders out by their numbers, or the one that words name."""
    verb = way.verb.partition(" ")[0]
    begins_orders = verb in reader.table.ruleset.order_words(reader.table.state)
    if begins_orders and (way.is_bare or not (way.numbers or _ARTICLE.match(way.what))):
        return
    if way.numbers:
        is_known = way.verb and not reader.has_added  # else it may be a line of the mail
        places = [_place(reader, number) for number in way.numbers] if is_known else [None]
        if not all(place is not None and slots[place] for place in places):
            return
        yield tuple(() if place in places else unit for place, unit in enumerate(slots))
    if (way.numbers and not way.is_bare) or not (way.numbers or re.search(r"[^\W\d]", way.what)):
        return
    named = [place for place, unit in enumerate(slots) if unit and reader.names(way.what, unit)]
    whole = [place for place in named if change_forms.words(" ".join(slots[place])) == change_forms.words(way.what)]
    for place in whole or named:
        yield (*slots[:place], (), *slots[place + 1 :])


def _place(reader: "_Reader", number: int) -> int | None:
    """
    Find the order that a letter shows under a number; None where that is more or less than one order.

    Shape: letters may sum orders up, and list them in an order of their own. The number is that of a row; the order is
    the one without which all rows but that one would be there.
    """
    rows, is_last = reader.shown()
    if not (1 <= number <= len(rows) or (number == 0 and rows and is_last)):
        return None
    at = (number or len(rows)) - 1
    wanted = [*rows[:at], *rows[at + 1 :]]
    if at < len(reader.orders) and reader.shown(without=at)[0] == wanted:
        return at
    found = [place for place in range(len(reader.orders)) if reader.shown(without=place)[0] == wanted]
    return found[0] if len(found) == 1 else None


def _rows(reader: "_Reader", orders: Sequence[Any]) -> tuple[list[Any], bool]:
    """
    Return the rows by which a letter would show a set, and whether no other rows come behind them.

    Shape: there are none where a letter would number several lists, such as one for each hero of a seat.
    """
    table = reader.table
    facts = table.ruleset.hand(table.seen_by(reader.seat), reader.seat, tuple(orders))
    rows: list[Any] = facts.get("rows") or facts.get("orders") or []
    others = [one for value in facts.values() if isinstance(value, list) and value is not rows for one in value]
    inner = [one for one in others if isinstance(one, dict)]
    if any(one.get("rows", rows) != rows for one in inner):
        return [], False
    lines = [row.get("line", row) if isinstance(row, dict) else row for row in rows]
    return lines, not any("line" in one for one in inner)


def _put(reader: "_Reader", way: Put, unit: Unit) -> Iterator[tuple[bool, Slots]]:
    """
    Yield what an order becomes with new words in it, or in its place where those are whole orders.

    Shape: with it, whether the new words begin as the order does, which then is the one that is meant: `throw at Cy
    instead`. Where old words name it, that makes no difference.
    """
    if way.where and not reader.names(way.where, unit):
        return
    if re.search(r"[^\W\d]", way.old) and reader.names(way.old, unit) and (whole := reader.read(way.new)):
        yield from [(True, whole)] * _has_no_other_number(whole, (way.new,))
    if len(unit) != 1:
        return
    tokens, said = unit[0].split(), way.new.split()
    for start, end in reader.spans(way.old, unit) if way.old else _parts(len(tokens)):
        for count in range(len(said)):
            if count and not reader.begins(said[:count], tokens[:start], unit):
                break
            read = reader.read(" ".join((*tokens[:start], *said[count:], *tokens[end:])))
            is_said = len(read) == 1 == len(read[0]) and _has_no_other_number(read, (*unit, way.new))
            if is_said and (way.old or _is_one_thing(unit[0], read[0][0])):
                yield bool(way.old) or count > 0, read


def _has_no_other_number(made: Slots, said: Sequence[str]) -> bool:
    """Say whether all numbers stand in what was said: half of what an order has may be half of all that there is."""
    numbers = {number for unit in made for line in unit for number in _NUMBER.findall(line)}
    return numbers <= set(_NUMBER.findall(" ".join(said)))


def _is_one_thing(before: str, after: str) -> bool:
    """Say whether two orders differ in one number, or in words and no number."""
    old, new = before.split(), after.split()
    while old and new and old[0] == new[0]:
        old, new = old[1:], new[1:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    if len(old) == len(new) == 1 and old[0].isdigit() and new[0].isdigit():
        return True
    return not any(word.isdigit() for word in (*old, *new))


def _shifted(reader: "_Reader", way: Shift, unit: Unit) -> Iterator[Unit]:
    """Yield an order with a number of it raised or lowered."""
    if way.where and not reader.names(way.where, unit):
        return
    tokens = unit[0].split()
    for at, token in enumerate(tokens):
        if token.isdecimal() and int(token) + way.by >= 0:
            read = reader.read(" ".join((*tokens[:at], str(int(token) + way.by), *tokens[at + 1 :])))
            if len(read) == 1:
                yield read[0]


def _parts(count: int) -> Iterator[tuple[int, int]]:
    return ((start, end) for start, end in combinations(range(count + 1), 2) if end - start <= SPAN)


class _TooMuchError(Exception):
    """A mail that would have more read than it is worth."""


class _Reader:
    """The set on hand, and what the ruleset makes of other lines: each read once, and no more than a mail is worth."""

    def __init__(self, table: Table, seat: Seat, orders: Sequence[Any]) -> None:
        self.table, self.seat, self.orders = table, seat, tuple(orders)
        self.has_added = False
        self._left = MOST_READINGS
        self._known: dict[str, Slots] = {}
        self._named: dict[tuple[str, Unit], bool] = {}
        self._shown: dict[int, tuple[list[Any], bool]] = {}
        units = self._units(orders)
        held = table.hand[seat].orders if orders else ()
        lines = tuple(line for unit in units for line in unit)
        self.slots: Slots | None = units if lines == held and len(units) <= MOST_ORDERS else None

    def _units(self, orders: Sequence[Any]) -> Slots:
        return tuple(self.table.ruleset.format(self.table.state, (order,)) for order in orders)

    def read(self, text: str) -> Slots:
        """Return the orders that a text is, none if the ruleset does not read all of it."""
        if text not in self._known:
            self._spend()
            said = [OrderLine(number, one) for number, one in enumerate(text.split("\n"), 1)]
            parsed = self.table.ruleset.parse(self.table.state, self.seat, order_lines.bounded(said, LONGEST))
            self._known[text] = () if parsed.complaints else self._units(parsed.orders)
        return self._known[text]

    def worded(self, unit: Unit) -> str:
        """Return an order in the words of the game."""
        return self.table.worded(" ".join(unit), self.table.labels().values())

    def read_behind(self, slots: Slots, text: str) -> Slots:
        """Return the orders that a text is at the end of a set, none if the ruleset does not read all of both."""
        before = [line for unit in slots for line in unit]
        said = [OrderLine(number, one) for number, one in enumerate((*before, *text.split("\n")), 1)]
        self._spend()
        parsed = self.table.ruleset.parse(self.table.state, self.seat, order_lines.bounded(said, LONGEST))
        count = sum(map(bool, slots))
        units = self._units(parsed.orders)
        is_behind = not parsed.complaints and units[:count] == tuple(unit for unit in slots if unit)
        return units[count:] if is_behind else ()

    def _spend(self, cost: int = 1) -> None:
        self._left -= cost
        if self._left < 0:
            raise _TooMuchError

    def shown(self, without: int = -1) -> tuple[list[Any], bool]:
        """Return the rows by which a letter would show the set on hand, or what is left of it without one order."""
        if without not in self._shown:
            self._spend(A_LETTER)
            orders = self.orders if without < 0 else self.orders[:without] + self.orders[without + 1 :]
            self._shown[without] = _rows(self, orders)
        return self._shown[without]

    def names(self, what: str, unit: Unit) -> bool:
        """Say whether words name an order: each begins a word of it, or they are read as a part of it."""
        key = (what, unit)
        if key not in self._named:
            self._spend()
            self._named[key] = self._is_named(what, unit)
        return self._named[key]

    def _is_named(self, what: str, unit: Unit) -> bool:
        said = change_forms.words(_ARTICLE.sub("", what))
        text = " ".join(unit)
        shown = dict.fromkeys((text, self.table.worded(text)))
        return any(word not in _JOINING and word not in change_forms.IT for word in said) and any(
            self._names(said, unit, one) for one in shown
        )

    def _names(self, said: Sequence[str], unit: Unit, text: str) -> bool:
        tokens = text.split()
        places = [
            place
            for place, word in enumerate(said)
            if word not in _JOINING and not any(self._is_like(word, token, unit) for token in tokens)
        ]
        if not places:
            return True
        is_in_one = places[-1] - places[0] == len(places) - 1
        return is_in_one and bool(self.spans(" ".join(said[place] for place in places), unit))

    def _is_like(self, word: str, token: str, unit: Unit) -> bool:
        """Say whether a word is another, or a form of it, and would not be read as something else in its place."""
        bare = token.strip(",;:.").casefold()
        if word == bare:
            return True
        if len(word) < 2 or not (word.isalpha() and bare.isalpha()):
            return False
        shorter = min(len(word), len(bare))
        same = next((at for at in range(shorter) if word[at] != bare[at]), shorter)
        if not bare.startswith(word) and same < max(3, shorter - 2):
            return False
        other = " ".join(word if one == token else one for one in " ".join(unit).split())
        return len(unit) > 1 or self.read(other) in ((), (unit,))

    def begins(self, said: Sequence[str], tokens: Sequence[str], unit: Unit) -> bool:
        """Say whether words stand among others, in their order."""
        left = iter(tokens)
        bare = (word for word in change_forms.words(" ".join(said)) if word not in _JOINING)
        return all(any(self._is_like(word, token, unit) for token in left) for word in bare)

    def _is_read(self, *parts: Sequence[str], unit: Unit) -> bool:
        return self.read(" ".join(word for part in parts for word in part)) == (unit,)

    def spans(self, what: str, unit: Unit) -> list[tuple[int, int]]:
        """
        Return the parts of an order that words name: they are the same words, or are read as the same.

        Shape: words that say nothing name nothing: without them the order would be the same.
        """
        if len(unit) != 1:
            return []
        tokens = unit[0].split()
        said = [word for word in change_forms.words(_ARTICLE.sub("", what)) if word not in _JOINING]
        if not said or set(said) <= change_forms.IT:
            return []
        is_same: Callable[[str, str], bool] = lambda word, token: self._is_like(word, token, unit)  # noqa: E731
        found = []
        for start, end in _parts(len(tokens)):
            is_said = end - start == len(said) and all(map(is_same, said, tokens[start:end]))
            rest = (tokens[:start], tokens[end:])
            if is_said or (self._is_read(rest[0], [what], rest[1], unit=unit) and not self._is_read(*rest, unit=unit)):
                found.append((start, end))
        return found
