"""Makes of what was heard a set, a change of the one on hand, or an offer; or says why it is none."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from pbem.ground.terms import Complaint, OrderLine, Parsed, Seat
from pbem.language import phrases
from pbem.speech import change_forms
from pbem.table.fold.journal import OrdersReceived
from pbem.table.incoming import changes, fallen
from pbem.table.incoming.changes import Change
from pbem.table.incoming.heard import Heard
from pbem.table.model import hands
from pbem.table.model.table import Table
from pbem.table.requests.back import Back
from pbem.table.requests.cancel import Cancel

replace = msgspec.structs.replace


MOST_FALLEN = 12
"""The most lines that are named which fell with a set."""


_JOINS = "This is less than a whole set, so it would join what you have on hand. Send all that you mean."


def nothing_on_hand(table: Table, entry: OrdersReceived) -> bool:
    """Say whether a mail finds no set on hand, or first takes it back."""
    return entry.seat not in table.sets.hand or Cancel() in entry.requests


def with_set(table: Table, entry: OrdersReceived, heard: Heard) -> OrdersReceived:
    """Take what was heard as a set of its own, or as the line that was missing in the one on hand."""
    whole = None if nothing_on_hand(table, entry) else fallen.completed(table, entry.seat, heard)
    if isinstance(whole, Complaint):
        return replace(entry, complaints=(*entry.complaints, whole), changes=True)
    if whole is None:
        return _with_orders(table, entry, heard)
    entry = replace(_with_orders(table, entry, whole, is_all=True), changes=True)
    return _with_doubts_of_before(table, entry) if entry.taken else entry


def _with_orders(
    table: Table, entry: OrdersReceived, heard: Heard, *, is_all: bool = False, adds: bool = False
) -> OrdersReceived:
    """
    Take what was heard of a set; what stands beside talk that may change it counts as not read.

    Shape: unless it `is_all`, the ruleset may join it to what is on hand. Amounts that are said twice are asked about,
    unless the mail `adds` to the set on hand.
    """
    seat = entry.seat
    parsed: Parsed[Any] = heard.parsed or table.ruleset.parse(table.state, seat, heard.orders)
    offered = () if is_all or adds else _offered(table, entry, parsed.offered)
    once, again = table.ruleset.told_apart(table.state, parsed.orders, adds=adds)
    parsed = Parsed(tuple(once), parsed.complaints, parsed.slips)
    second = tuple(_said_again(table, heard.orders, once, again))
    entry = replace(entry, doubts=tuple(dict.fromkeys((*entry.doubts, *second))), again=second)
    held = () if is_all or nothing_on_hand(table, entry) or not parsed.orders else table.orders(seat)
    orders = tuple(table.ruleset.merged(table.state, seat, held, parsed.orders)) if held else parsed.orders
    is_whole = orders == parsed.orders
    parsed = Parsed(orders, (*parsed.complaints, *heard.beside), parsed.slips)
    lines = table.ruleset.format(table.state, parsed.orders)
    kept = _read_back(table, seat, lines, parsed)
    wrong = (*parsed.complaints, *table.ruleset.check(table.state, seat, parsed.orders), *kept)
    complaints = tuple(sorted({*entry.complaints, *wrong}, key=lambda one: (one.line, one.because)))
    entry = replace(entry, complaints=complaints, changes=not is_whole)
    legal_as_a_whole = len(wrong) == len(parsed.complaints)
    entry = replace(entry, offered=offered)
    if not is_whole and not legal_as_a_whole:
        return replace(entry, complaints=(*complaints, Complaint(0, "", "ambiguous", _JOINS)))
    if not lines or (wrong and not (nothing_on_hand(table, entry) and legal_as_a_whole)):
        return entry
    return replace(entry, orders=lines, taken=True, incomplete=bool(wrong), slips=parsed.slips)


def _offered(table: Table, entry: OrdersReceived, orders: Sequence[Any], *, is_change: bool = False) -> tuple[str, ...]:
    """Return the canonical lines of a set that is offered, if it can be taken as it is, and is what is meant."""
    seat, state = entry.seat, table.state
    held = () if nothing_on_hand(table, entry) else table.orders(seat)
    if held and not is_change and any(map(change_forms.may_alter, entry.said)):
        return ()
    is_whole = not held or tuple(table.ruleset.merged(state, seat, held, orders)) == tuple(orders)
    if not orders or not is_whole or table.ruleset.told_apart(state, orders, adds=False)[1]:
        return ()
    lines = table.ruleset.format(state, orders)
    wrong = table.ruleset.check(state, seat, orders) or _read_back(table, seat, lines, Parsed(tuple(orders), ()))
    return () if wrong else lines


def _read_back(table: Table, seat: Seat, lines: tuple[str, ...], parsed: Parsed[Any]) -> tuple[Complaint, ...]:
    """
    Complain if the canonical lines of a set would not be read as the same orders, for instance as too long.

    What was typed is parsed once, and these lines once: whoever asks for the set later has what they were read as.
    """
    again = table.parsed(seat, lines)
    if again.complaints:
        first = again.complaints[0]
        because = f"In the words in which I keep it this cannot be read: {first.because}"
        return (Complaint(0, first.text, "illegal", because, first.rule),)
    if list(again.orders) != list(parsed.orders):
        return (Complaint(0, "", "illegal", "I cannot keep this set so that it reads back the same. Part its lines."),)
    return ()


def _said_again(table: Table, lines: Sequence[OrderLine], once: Sequence[Any], again: Sequence[Any]) -> Iterator[str]:
    """Yield what says an amount again: as it was written where it has a line to itself, else in our words."""
    shared = {order.line for order in once}
    written = {line.number: line.text.strip() for line in lines if line.number not in shared}
    for order in again:
        yield written.get(order.line) or table.worded(" ".join(table.ruleset.format(table.state, (order,))))


def with_change(table: Table, entry: OrdersReceived, change: Change) -> OrdersReceived:
    """
    Take the set that a change of the one on hand leads to, or none of it.

    What was not known of the set on hand is not known of the changed one: it stays incomplete, and in doubt.
    """
    heard, held = change.heard, table.sets.hand[entry.seat]
    entry = replace(entry, passed=heard.passed, doubts=heard.doubts, tried=True, changes=True)
    if change.wrong:
        orders = table.parsed(entry.seat, change.offered).orders
        offered = _offered(table, entry, orders, is_change=True)
        return replace(entry, complaints=(*entry.complaints, *change.wrong), offered=offered)
    if two := _made_two(table, entry.seat, change):
        return replace(entry, complaints=(*entry.complaints, two))
    before = entry.complaints
    entry = replace(_with_orders(table, entry, heard, is_all=True, adds=True), changes=True)
    if not entry.taken:  # what is wrong is told of orders of the set, which are no lines of the mail
        new = (one for one in entry.complaints if one not in before)
        wrong = (
            msgspec.structs.replace(
                one, line=change.line.number, text=change.line.text, because=f"{one.text}: {one.because}".strip(" :")
            )
            for one in new
        )
        return replace(entry, complaints=(*before, *wrong))
    return _with_doubts_of_before(table, replace(entry, incomplete=held.incomplete))


def _made_two(table: Table, seat: Seat, change: Change) -> Complaint | None:
    """Complain of a change that adds nothing by its words, and leaves two amounts for one thing."""

    def twice(orders: Sequence[Any]) -> Sequence[Any]:
        return table.ruleset.told_apart(table.state, orders, adds=False)[1]

    if change.adds or twice(table.orders(seat)):  # as an older release kept them
        return None
    again = twice(table.ruleset.parse(table.state, seat, change.heard.orders).orders)
    if not again:
        return None
    second = table.worded(table.ruleset.format(table.state, again)[0])
    because = f'Beside "{second}", which you have on hand, this would be a second amount for one thing. Send all anew.'
    return Complaint(change.line.number, change.line.text, "ambiguous", because)


def _with_doubts_of_before(table: Table, entry: OrdersReceived) -> OrdersReceived:
    """Add what was in doubt of the set that a mail changes, but for what the change settles."""
    before = changes.unsettled(table, entry.seat)
    gone = changes.settled(table, entry, before.again)
    doubts = dict.fromkeys(one for one in (*before.doubts, *entry.doubts) if one not in gone)
    again = dict.fromkeys(one for one in (*before.again, *entry.again) if one in doubts)
    return replace(entry, doubts=tuple(doubts), again=tuple(again))


def with_fallen(entry: OrdersReceived, said: Sequence[OrderLine], parsed: Parsed[Any]) -> OrdersReceived:
    """Note which lines of a refused set could be read, and are in none of its complaints."""
    if entry.taken or not entry.tried:
        return entry
    refused = {phrases.clean(phrases.without_comment(one.text)).removeprefix("~ ") for one in entry.complaints}
    refused |= {*entry.passed, *entry.doubts}
    read = {order.line for order in parsed.orders}
    lines = dict.fromkeys(line.text.removeprefix("~ ") for line in phrases.joined(said) if line.number in read)
    fell = [text for text in lines if text not in refused]
    return replace(entry, fell=tuple(fell[:MOST_FALLEN]), more_fell=len(fell[MOST_FALLEN:]))


def not_taken(entry: OrdersReceived) -> tuple[str, ...]:
    """Return the lines of a set that was refused: who meant to change what is on hand has not said that it stands."""
    if entry.taken or not entry.tried or entry.doubts:
        return ()
    return tuple(dict.fromkeys(one.text for one in entry.complaints if one.text))


def without_back(table: Table, entry: OrdersReceived) -> OrdersReceived:
    """Refuse to go back where there is nothing to go back to, or the mail sends orders too."""
    if Back() not in entry.requests:
        return entry
    because = ""
    if entry.tried or Cancel() in entry.requests:
        because = "This mail also says what is to be on hand. Send back alone, or the orders that you mean."
    elif entry.seat not in table.sets.replaced:
        because = "No earlier set of yours is kept in this phase, so there is nothing to go back to."
    elif hands.unfit(table, entry.seat, table.sets.replaced[entry.seat].orders):
        wrong = hands.unfit(table, entry.seat, table.sets.replaced[entry.seat].orders)
        because = f"Your earlier set can no longer be ordered: {wrong[0]}"
    if not because:
        return entry
    requests = tuple(one for one in entry.requests if one not in (Back(), Cancel()))
    complaints = (*entry.complaints, Complaint(0, Back.word(), "ambiguous", because))
    entry = replace(entry, requests=requests, complaints=complaints, tried=True, changes=True)
    return replace(entry, orders=(), taken=False, incomplete=False, slips=())
