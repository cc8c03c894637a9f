"""What a second mail makes of the set on hand: `also ...`, `drop 2`, `make that 25`; knows lines, and no game."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from pbem.ground.terms import Complaint, OrderLine, Seat
from pbem.language import bounds, phrases
from pbem.language.words import AROUND, TALK
from pbem.speech import change_forms, chatter
from pbem.speech.change_forms import Keep, Stay
from pbem.table.fold.journal import OrdersReceived
from pbem.table.incoming import talk
from pbem.table.incoming.changed_sets import results
from pbem.table.incoming.heard import Heard
from pbem.table.incoming.set_on_hand import Reader, Slots, TooMuchError, has_no_other_number
from pbem.table.model.table import Table
from pbem.table.requests.back import Back
from pbem.table.requests.readiness import Ready, Yes

MOST_LINES = 60
"""Of a longer mail no line is taken for such words."""


_UNKNOWN = "I cannot tell what this changes of your orders on hand. Say it in other words, or send them all anew."


class Change(NamedTuple):
    """
    What a mail makes of the set on hand.

    Shape: `heard` is the whole set that it leads to, in canonical lines, with the talk beside it; or `wrong` says what
    was not done. `line` is where it says so first; `adds` says that it adds an order. Where it changes nothing, `own`
    are the lines of a new set, without the words that join them. Where something is wrong, `offered` is the set to
    which all of it would lead, in canonical lines.
    """

    heard: Heard = Heard(())
    wrong: tuple[Complaint, ...] = ()
    own: tuple[OrderLine, ...] = ()
    offered: tuple[str, ...] = ()
    line: OrderLine = OrderLine(0, "")
    adds: bool = False


def hear(table: Table, seat: Seat, lines: Sequence[OrderLine], *, nothing_on_hand: bool) -> Change | None:
    """Read a mail as changes of the set on hand; None for any other mail."""
    said = [line.text for line in lines if line.text.strip()]
    if table.status != "open" or seat not in table.sending or len(said) > MOST_LINES:
        return None
    parts = {part: None for text in said for part in (text, *phrases.parts(text))}
    if not any(_may_be(one) for part in parts for one in (part, *change_forms.sentences_of(part))):
        return None
    orders = () if nothing_on_hand else table.orders(seat)
    reader = Reader(table, seat, orders, is_asked=bool(unsettled(table, seat).again))
    if reader.slots is None:
        return None
    try:
        return _read(reader, lines, nothing_on_hand=nothing_on_hand)
    except TooMuchError:
        if nothing_on_hand:
            return None
        first = next(line for line in lines if _may_be(line.text))
        return Change(wrong=(_complaint(_Item("change", first), _UNKNOWN),))


def _read(reader: Reader, lines: Sequence[OrderLine], *, nothing_on_hand: bool) -> Change | None:
    table = reader.table
    items = _block(table, lines) or _items(reader, lines)
    changes = [item for item in items if item.kind == "change"]
    first = next((item.kind for item in items if item.kind in ("change", "order")), "")
    if (first == "order" or nothing_on_hand) and all(item.adds for item in changes):
        return _own_set(items, lines, nothing_on_hand=nothing_on_hand)
    if items and not changes and first == "" and any(item.kind == "others" for item in items):
        passed = tuple(item.line.text.strip() for item in items if item.kind != "unclear")
        left = {item.line.number for item in items if item.kind == "unclear"}
        own = tuple(line if line.number in left else OrderLine(line.number, "") for line in lines)
        return Change(Heard((), passed), own=own)
    return _changed(reader, items) if changes and not nothing_on_hand else None


class Unsettled(NamedTuple):
    """The talk for which a set waits for a `yes`, and which of it is `again` a second amount for something."""

    doubts: tuple[str, ...]
    again: tuple[str, ...]


def unsettled(table: Table, seat: Seat) -> Unsettled:
    """
    Return the talk for which the set on hand waits for a `yes`.

    A change that was not made is none of it, since another one is made now; nor is a second amount for something that a
    change has settled.
    """
    held = table.sets.hand.get(seat)
    found: list[str] = []
    again: list[str] = []
    left: Sequence[str] | None = None  # what a later set or change left in doubt
    is_older = False
    for entry in reversed(table.log) if held and held.doubtful else ():
        if not isinstance(entry, OrdersReceived) or entry.seat != seat:
            continue
        is_older = is_older or Back() in entry.requests
        if any(isinstance(one, Yes | Ready) for one in entry.requests) and not is_older:
            break
        if entry.taken or not entry.changes:
            open_yet = [one for one in entry.again if left is None or one in left]
            found = [*(one for one in entry.doubts if one in open_yet or one not in entry.again), *found]
            again = [*open_yet, *again]
        if entry.taken and not is_older:
            left = entry.doubts
            if not entry.changes:
                break
    return Unsettled(tuple(dict.fromkeys(found)), tuple(dict.fromkeys(again)))


def settled(table: Table, entry: OrdersReceived, again: Sequence[str]) -> frozenset[str]:
    """
    Return the second amounts that a change settles.

    Shape: it says that amount, in place of the first or besides, or a third one in place of the first, or the first
    once more and nothing else.
    """

    def told(*orders: Any, adds: bool) -> Sequence[Any]:
        return table.ruleset.told_apart(table.state, orders, adds=adds)[not adds]

    def is_settled(one: Any) -> bool:
        old, now = ([order for order in orders if told(order, one, adds=False)] for orders in (before, after))
        new = [order for order in now if order not in old]
        is_said = has_no_other_number((table.ruleset.format(table.state, new or now),), entry.said)
        is_chosen = bool(now) and (any(order not in now for order in old) or list(before) == list(after))
        return (is_said and is_chosen) or any(told(order, adds=True) == told(one, adds=True) for order in new)

    before, after = table.orders(entry.seat), table.parsed(entry.seat, entry.orders).orders
    read = {text: table.ruleset.parse(table.state, entry.seat, [OrderLine(1, text)]).orders for text in again}
    return frozenset(text for text, orders in read.items() if orders and all(map(is_settled, orders)))


class _Item(NamedTuple):
    """
    A line of a mail.

    Shape: `head` and `also` say what stands below, `new` that the set before counts no more; `adds` are the orders that
    a change adds; what says that the `others` stay makes of the orders beside it such as are put into the set. What
    `is_asked` changes the set in a way that nobody can tell.
    """

    kind: Literal["order", "change", "head", "also", "new", "others", "talk", "unclear"]
    line: OrderLine
    text: str = ""
    adds: str = ""
    is_put: bool = False
    is_asked: bool = False


def _may_be(text: str) -> bool:
    """Say whether a line may be a change, or the head of one, by its words alone."""
    core = change_forms.core(text)
    is_added = bool(change_forms.added(core)) or change_forms.more_behind(text) is not None
    is_changed = bool(change_forms.ways(core)) or change_forms.says_rest(core)
    stays = change_forms.says_others_stay(core) or bool(change_forms.joins_on(text) or change_forms.kept_beside(text))
    return is_added or is_changed or stays or _head(OrderLine(0, text)) is not None


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


def _items(reader: Reader, lines: Sequence[OrderLine]) -> list[_Item]:
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
        for part in _said_apart(reader, line):
            item = _item(reader, OrderLine(line.number, part), is_first=not found)
            if is_added and item.kind == "order":
                item = _Item("change", item.line, item.text, item.text)
            is_added = is_added or bool(item.adds)  # and so is what follows on its line
            found.append(item)
    if any(item.kind == "others" for item in found):
        found = [item._replace(kind="change", is_put=True) if item.kind == "order" else item for item in found]
    said = [place for place, item in enumerate(found) if item.kind in ("order", "change")]
    if len(said) == 1 and found[said[0]].kind == "order":
        found[said[0]] = _alone(reader, found[said[0]])
    return found


def _alone(reader: Reader, item: _Item) -> _Item:
    """Return the one order of a mail, or what it adds to the set on hand: `the rest on Bo`, `+ attack Bo 5`."""
    if change_forms.says_rest(item.text):
        return _Item("change", item.line, item.text, item.text)
    if (more := change_forms.joins_on(item.line.text)) and reader.slots:
        adds = reader.adding(more)
        return _Item("change", item.line, item.text, adds, is_asked=not adds)
    return item


def _said_apart(reader: Reader, line: OrderLine) -> Iterator[str]:
    """Yield what a line says: its parts, and of one that is neither an order nor one change each sentence."""
    for part in phrases.parts(line.text) or (line.text,):
        several = change_forms.sentences_of(part)
        is_fixed = any(map(change_forms.fixes, several[1:]))
        is_fixed = is_fixed or any(change_forms.says_others_stay(change_forms.core(one)) for one in several)
        is_one = len(several) < 2 or (reader.read(part) and not is_fixed) or not any(map(_may_be, several))
        core = change_forms.core(part)
        is_one = is_one or (not is_fixed and len(results(reader, core, "", reader.slots or ())) == 1)
        yield from (part,) if is_one else several


def _unjoined(text: str) -> str:
    """Leave out the `and` by which an `also` would be read as part of the line above."""
    return re.sub(r"^\s*and also\b", "also", text, flags=re.IGNORECASE)


def _item(reader: Reader, line: OrderLine, *, is_first: bool) -> _Item:
    core = change_forms.core(line.text)
    if bounds.MARK in line.text or not core:
        return _Item("unclear", line)
    if change_forms.says_others_stay(core):
        return _Item("others", line)
    if reader.slots and (change_forms.takes_back(line.text) or talk.is_to_another(reader.table, line.text)):
        return _Item("change", line, is_asked=True) if reader.read(line.text) else _Item("unclear", line)
    if (bare := change_forms.kept_beside(line.text)) and reader.slots and reader.read(bare):
        return _Item("change", line, bare, is_put=True)
    is_change = change_forms.is_plain(core) and (is_first or not change_forms.joins(core))
    if not is_change and reader.read(line.text) and not _is_rather_a_change(reader, line, core):
        return _added_within(reader, line) or _Item("order", line, line.text)
    added = change_forms.added(core)
    if added and (adds := reader.adding(added)):
        return _Item("change", line, core, adds)
    if chatter.is_heading(line.text) or talk.is_clear(reader.table, line.text):
        return _Item("talk", line)
    ways = change_forms.ways(core)
    is_told = (
        bool(ways) and all(isinstance(way, Stay) for way in ways) and not results(reader, core, "", reader.slots or ())
    )
    if added or (ways and not is_told):
        is_more = bool(reader.slots) and change_forms.more_behind(line.text) is not None
        return _Item("change", line, core, is_asked=is_more)
    more = change_forms.joins_on(line.text) if reader.slots else ""
    if more and (adds := reader.adding(more)):
        return _Item("change", line, core, adds)
    return _added_within(reader, line) or _Item("unclear", line, core)


def _added_within(reader: Reader, line: OrderLine) -> _Item | None:
    """Return what an order with `also` somewhere in it adds, or ask: it is no set of its own; None for any other."""
    found = change_forms.more_behind(line.text) if reader.slots else None
    if found is None:
        return None
    before, behind = found
    if behind and reader.read(before.strip(" ,").removesuffix(" and")):
        return None  # it joins two orders of one set
    is_led = bool(behind) and not chatter.may_change(before) and all(word in _AROUND for word in chatter.words(before))
    adds = reader.adding(behind if is_led else "" if behind else before)
    if not adds and not reader.read(line.text) and not reader.read(behind):
        return None
    return _Item("change", line, change_forms.core(line.text), adds, is_asked=not adds)


_AROUND = AROUND | TALK.single("COMMON") | TALK.single("HEADING") | chatter.HARMLESS
"""Words that say nothing, before what says that an order is added."""


def _is_rather_a_change(reader: Reader, line: OrderLine, core: str) -> bool:
    """Say whether what reads as an order changes one on hand, and does not begin as orders do: `make that 25 on Bo`."""
    first = next(iter(change_forms.words(core)), "")
    if not reader.orders or reader.table.begins_order(first):
        return False
    return bool(results(reader, core, "", reader.slots or ()))


def _own_set(items: Sequence[_Item], lines: Sequence[OrderLine], *, nothing_on_hand: bool) -> Change | None:
    """Return the mail's lines as a set of its own, without the words that join them and the heads of it."""
    adding = {item.line.number for item in items if item.adds}
    orders = [item.line.number for item in items if item.kind in ("order", "change")]
    heads = {item.line.number for item in items if item.kind == "also"}
    if not nothing_on_hand:
        heads |= {item.line.number for item in items if item.kind == "new" and item.line.number < min(orders)}
    if not adding | heads:
        return None
    starts = [line.number for line in phrases.joined(lines)]
    ends = dict(pairwise((*starts, max(line.number for line in lines) + 1)))
    texts = {line.number: line.text for line in lines} | dict.fromkeys(heads, "")
    for number in adding:
        parts = [item.adds or item.line.text for item in items if item.line.number == number]
        text, *block = "; ".join(parts).split("\n")
        if not block:
            texts |= dict.fromkeys((one for one in range(number + 1, ends.get(number, 0)) if one in texts), "")
        texts[number] = text
    passed = tuple(item.line.text.strip() for item in items if item.line.number in heads)
    return Change(Heard((), passed), own=tuple(OrderLine(number, text) for number, text in texts.items()))


class _Making:
    """
    The set to which the changes of a mail lead, one after the other, and what was wrong with them.

    Shape: it `is_any` where one of them was a change indeed, and `is_clear` where each leads to one set, so that this
    can be offered.
    """

    def __init__(self, reader: Reader) -> None:
        """Begin with the set on hand."""
        self.reader, self.slots = reader, reader.slots or ()
        self.wrong: list[Complaint] = []
        self.is_any, self.is_clear, self.keeps = False, True, False
        self._before: Slots | None = None

    def take(self, item: _Item) -> None:
        """Make a change, or say why it is not made."""
        reader = self.reader
        if self._before is not None and change_forms.fixes(item.line.text):
            self.slots = self._before
            because = "This seems to correct what stands before it. Send the change that you mean, alone."
            self.wrong.append(_complaint(item, because))
        slots = self.slots
        found = [_with_orders(reader, [item], slots)] if item.is_put else results(reader, item.text, item.adds, slots)
        refused = None if found else _refused_addition(reader, item)
        self.is_any = (
            self.is_any or bool(found or refused) or item.is_asked or item.is_put or change_forms.is_sure(item.text)
        )
        self.keeps = self.keeps or any(isinstance(way, Keep) for way in change_forms.ways(item.text))
        if item.is_put and not self.keeps and reader.table.ruleset.is_in_order(reader.table.state):
            found = []  # nobody can tell where it would stand
        if len(found) != 1:
            self.is_clear = False
            self.wrong.append(refused or _complaint(item, _because(reader, slots, found)))
            return
        if change_forms.asks(item.line.text):
            because = "This is a question, so nothing was changed. Without its mark it means:"
            self.wrong.append(_complaint(item, f"{because} {_told(reader, slots, found[0])}."))
        self._before, self.slots = slots, found[0]
        reader.has_added = reader.has_added or change_forms.reorders(item.text)

    @property
    def offered(self) -> tuple[str, ...]:
        """The canonical lines of the set to which all leads, none where that is not clear, or where it is on hand."""
        return _flat(self.slots) if self.is_clear and self.slots != self.reader.slots else ()


def _changed(reader: Reader, items: Sequence[_Item]) -> Change | None:
    """Make all changes of a mail, or none of them; None where it only sounds like changes."""
    table, making = reader.table, _Making(reader)
    changes = [item for item in items if item.kind == "change"]
    for item in changes:
        making.take(item)
    if not making.is_any:
        return None
    unclear = tuple(item.line.text.strip() for item in items if item.kind == "unclear")
    talked = (*unclear, *(item.line.text.strip() for item in items if item.kind == "talk"))
    ordering = [text for text in talked if _may_order(reader, text)]
    beside = next((text for text in talked if text in ordering or (text in unclear and chatter.may_change(text))), "")
    beside = beside or _taken_back(items)
    making.is_clear = making.is_clear and not any(_names_deed(reader, one) for one in ordering)
    making.is_clear = making.is_clear and all(talk.is_of_no_game(table, one) for one in ordering)
    making.is_clear = making.is_clear and not _taken_back(items, or_changed=True)
    orders = [item for item in items if item.kind == "order"]
    if orders or any(item.kind == "new" for item in items):
        because = "Other lines of this mail are a new set, and this changes the one on hand. Send either alone."
        making.wrong = [_complaint(item, because) for item in changes]
        is_known_where = bool(orders) and not table.ruleset.is_in_order(table.state)
        making.is_clear = making.is_clear and is_known_where and all(item.kind != "new" for item in items)
        texts = [item.text for item in orders]
        units = tuple(unit for text in texts for unit in reader.read(text))
        making.is_clear = making.is_clear and has_no_other_number(units, texts)
        making.slots = _with_orders(reader, orders, making.slots)
    elif beside and not making.wrong:
        short = beside if len(beside) <= 60 else f"{beside[:57]}..."
        because = f'It stands beside "{short}", which may change it. {talk.AGAIN}'
        making.wrong = [_complaint(item, because) for item in changes]
    passed = tuple(item.line.text.strip() for item in items if item.kind in ("talk", "head", "also", "others"))
    if making.wrong:
        return Change(Heard((), passed), tuple(making.wrong), offered=making.offered)
    said = tuple(OrderLine(number, text) for number, text in enumerate(_flat(making.slots), 1))
    if not said:
        because = "Nothing would be left of your orders on hand. If you mean that, write: cancel"
        return Change(Heard((), passed), (_complaint(changes[0], because),))
    adds = any(item.adds for item in changes)
    return Change(Heard(said, (*passed, *unclear), unclear), line=changes[0].line, adds=adds)


def _may_order(reader: Reader, text: str) -> bool:
    """Say whether talk beside a change may be an order, or another change: it has a number, or names a deed."""
    return any(map(str.isdigit, text)) or talk.begins_order(reader.table, text) or _names_deed(reader, text)


def _names_deed(reader: Reader, text: str) -> bool:
    return any(reader.says_deed(text, unit) for unit in reader.slots or ())


def _taken_back(items: Sequence[_Item], *, or_changed: bool = False) -> str:
    """Return what stands behind a change and may take it back, or asks, or changes what is beside it; "" if none."""
    kinds = [item.kind for item in items]
    behind = items[kinds.index("change") + 1 :]
    texts = [item.line.text.strip() for item in behind if item.kind in ("unclear", "talk")]
    return next((text for text in texts if _is_odd(text) or (or_changed and chatter.may_change(text))), "")


def _is_odd(text: str) -> bool:
    """Say whether talk may take back what stands before it, or asks whether that is right."""
    return change_forms.fixes(text) or (text.endswith("?") and len(text.split()) <= LONGEST_TAG)


LONGEST_TAG = 3
"""The words of a question that is about what stands before it: would that work?"""


def _flat(slots: Slots) -> tuple[str, ...]:
    """Return the canonical lines of a set."""
    return tuple(text for unit in slots for text in unit)


def _with_orders(reader: Reader, items: Sequence[_Item], slots: Slots) -> Slots:
    """Put orders into a set, each in place of the one that says another amount for the same, or behind all."""
    table = reader.table
    for unit in (unit for item in items for unit in reader.read(item.text)):
        new = table.parsed(reader.seat, unit).orders
        again = (
            place
            for place, old in enumerate(slots)
            if old
            and table.ruleset.told_apart(table.state, [*table.parsed(reader.seat, old).orders, *new], adds=False)[1]
        )
        place = next(again, len(slots))
        slots = (*slots[:place], unit, *slots[place + 1 :])
    return slots


def _complaint(item: _Item, because: str) -> Complaint:
    return Complaint(item.line.number, item.line.text.strip(), "ambiguous", because)


def _refused_addition(reader: Reader, item: _Item) -> Complaint | None:
    """Complain of what is to be added and cannot be read, where it begins as orders do."""
    table, added = reader.table, change_forms.added(item.text)
    first = next(iter(change_forms.words(added)), "")
    if not table.begins_order(first):
        return None
    found = table.ruleset.parse(table.state, reader.seat, [OrderLine(item.line.number, added)]).complaints
    return found[0] if found else None


def _because(reader: Reader, slots: Slots, found: Sequence[Slots]) -> str:
    """Say why a change was not made, and which it could have been."""
    if len(found) < 2:
        return _UNKNOWN
    told = [_told(reader, slots, one) for one in found[:3]]
    more = ", among others" if len(found) > 3 else ""
    return f"This can mean: {phrases.listed(told)}{more}. Say which, or send all your orders anew."


def _told(reader: Reader, before: Slots, after: Slots) -> str:
    """Say what a change would do."""
    changed = [(old, new) for old, new in zip(before, after, strict=False) if old != new]
    if not changed:
        added = after[len(before) :]
        return f'one more "{reader.worded(added[0])}"' if added else "to leave all as it is"
    old, new = changed[0]
    return f'"{reader.worded(new)}" in place of "{reader.worded(old)}"' if new else f'without "{reader.worded(old)}"'
