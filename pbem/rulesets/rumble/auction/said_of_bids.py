"""Bids that are said by others: the same, another amount, what is bid in a tie, on all the rest; reads no words."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from pbem.ruleset import Complaint, Parsed, Placed
from pbem.rulesets.rumble.model.order import Bid, Wish
from pbem.rulesets.rumble.model.state import Power, State
from pbem.rulesets.rumble.orders.writing import show_line


class Added(Placed, frozen=True, eq=False):
    """What is said of a bid apart from it; of the bid right before where it names no power."""

    power: str = ""
    then: tuple[int, ...] = ()
    discard: Wish = ""


class Instead(Placed, frozen=True, eq=False):
    """Another amount for the bid right before: no wait, 15."""

    amount: int


class AsMuch(Placed, frozen=True, eq=False):
    """A bid of as much as the one right before."""

    power: str


class Others(Placed, frozen=True, eq=False):
    """A bid on each power that no other line of the set names."""

    amount: int


def shown(state: State, said: Any) -> str:
    """Write for a letter what somebody has said, a bid or what is said of one."""
    match said:
        case Others(amount):
            return f"bid the rest {amount}"
        case Instead(amount):
            return f"make that {amount}"
        case AsMuch(power):
            return f"bid {state.card(power).name} the same"
        case Added(power, then, discard):
            name = state.card(power).name if power else ""
            return f"discard {name or 'it'}" if discard else f"if tied {name} {then[0]}".replace("  ", " ")
        case _:
            return show_line(state, said)


def on_sale(state: State, seat: str) -> list[Power]:
    """Return the powers that a seat may bid on now. Rule: R20."""
    return [power for power in state.pool() if state.phase != "rebid" or seat in state.ties.get(power.key, ())]


def added(bid: Bid, more: Added | Instead) -> Bid | None:
    """Return a bid with what is said of it; None where that is of another one, or was said before."""
    if isinstance(more, Instead):
        return msgspec.structs.replace(bid, amount=more.amount)
    if more.power not in ("", bid.power) or (more.discard and bid.discard):
        return None
    return msgspec.structs.replace(bid, then=(*bid.then, *more.then), discard=more.discard or bid.discard)


def reckoned(state: State, seat: str, found: Parsed[Any]) -> Parsed[Bid]:
    """
    Make bids of what is said of others.

    Shape: what is said of the bid before is of none where something between them was not read. The rest are known once
    every line is read; nothing bid on them is what stands for no bid. Of two amounts for one power neither counts.
    """
    if found.offered:
        whole = reckoned(state, seat, Parsed(found.offered, ()))
        found = msgspec.structs.replace(found, offered=() if whole.complaints else whole.orders)
    unread = frozenset(one.line for one in (*found.complaints, *found.doubts))
    bids, wrong = list[Bid](), list[Complaint]()
    for one in found.orders:
        if isinstance(one, Others):
            continue
        place, bid = _meant(state, seat, one, bids, unread)
        if isinstance(bid, str):
            wrong.append(Complaint(one.line, shown(state, one), "ambiguous", bid, "R18"))
        else:
            bids[place : place + 1] = [bid]
    bids, twice = _without_second_bids(state, bids)
    wrong += twice
    others = [one for one in found.orders if isinstance(one, Others)]
    named = {bid.power for bid in bids}
    left = [power for power in on_sale(state, seat) if power.key not in named]
    is_whole = not (found.complaints or wrong or found.doubts)
    because = _why_not_others(others, left, is_whole=is_whole)
    if because:
        wrong += (Complaint(one.line, shown(state, one), "ambiguous", because, "R18") for one in others)
    else:
        bids += _on_others(state, others, left, is_first=is_whole and not bids)
    return msgspec.structs.replace(found, orders=tuple(bids), complaints=(*found.complaints, *wrong))


def _meant(state: State, seat: str, one: Any, bids: Sequence[Bid], unread: frozenset[int]) -> tuple[int, Bid | str]:
    """Return the bid that is meant, and its place among those before; or why it cannot be told."""
    last = bids[-1] if bids and not any(bids[-1].line <= line <= one.line for line in unread) else None
    match one:
        case Bid():
            return len(bids), one
        case AsMuch(power):
            return len(bids), Bid(power, last.amount, line=one.line) if last else _AS_WHAT
        case Added(power) if power:
            place = next((nth for nth, bid in enumerate(bids) if bid.power == power), len(bids))
        case _:
            place = len(bids) - 1 if last else len(bids)
    if place < len(bids):
        return place, added(bids[place], one) or _OF_WHICH
    sale = on_sale(state, seat)
    is_bid = isinstance(one, Instead) and not bids and state.phase == "rebid" and len(sale) == 1
    return place, Bid(sale[0].key, one.amount, line=one.line) if is_bid else _OF_WHICH


_AS_WHAT = "I cannot tell as much as what. Write a number."
_OF_WHICH = "I cannot tell which bid that belongs to. Write it behind its bid."


def _without_second_bids(state: State, bids: Sequence[Bid]) -> tuple[list[Bid], list[Complaint]]:
    """Leave out the bids on a power for which there are different ones, and complain of them; equal ones are one."""
    different = list(dict.fromkeys(bids))
    keys = [bid.power for bid in different]
    twice = [bid for bid in different if keys.count(bid.power) > 1]
    because = "You bid on this power twice. Keep one of the lines."
    wrong = [Complaint(bid.line, show_line(state, bid), "ambiguous", because, "R18") for bid in twice]
    return [bid for bid in different if bid not in twice], wrong


def _why_not_others(others: Sequence[Others], left: Sequence[Power], *, is_whole: bool) -> str:
    """Say why bids on all others cannot be told, or ""."""
    if not others:
        return ""
    if not is_whole and any(one.amount for one in others):
        return "I cannot tell which the others are while another line is not read. Write a bid for each."
    if not left:
        return "There are no others to bid on."
    return "Two lines say what you bid on the others. Keep one." if len(others) > 1 else ""


def _on_others(state: State, others: Sequence[Others], left: Sequence[Power], *, is_first: bool) -> Iterator[Bid]:
    for one in others:
        if one.amount or is_first or state.phase != "auction":
            yield from (Bid(power.key, one.amount, line=one.line) for power in left)
