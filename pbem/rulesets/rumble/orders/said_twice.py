"""Tells lines that add to one another from lines that say one thing twice, which their sender is asked about."""

from collections.abc import Sequence
from typing import TypeVar

import msgspec

from pbem.rulesets.rumble.model.order import Attack, Command, Defend, Hold, Idle, Order

One = TypeVar("One", bound=Order)


def told_apart(orders: Sequence[Order], *, adds: bool) -> tuple[tuple[Order, ...], tuple[Order, ...]]:
    """
    Return a set in which no amount is said twice, and the orders that say one again.

    Shape: where one `adds`, as a change of the set on hand does, none is asked about. What adds to another has `also`
    before it, and nothing else has. Orders behind a condition are none of these.
    Rule: A4.
    """
    kept: list[Order] = []
    again: list[Order] = []
    seen: set[tuple[object, ...]] = set()
    for order in orders:
        if isinstance(order, Command):
            found, twice = _parted(order.orders, seen, adds=adds, whose=order.seat)
            kept += [msgspec.structs.replace(order, orders=tuple(found))] if found else []
            again += [msgspec.structs.replace(order, orders=tuple(twice))] if twice else []
        else:
            one, two = _parted([order], seen, adds=adds, whose="")
            kept, again = [*kept, *one], [*again, *two]
    return tuple(kept), tuple(again)


def _parted(
    orders: Sequence[One], seen: set[tuple[object, ...]], *, adds: bool, whose: str
) -> tuple[list[One], list[One]]:
    kept: list[One] = []
    again: list[One] = []
    for order in orders:
        if not isinstance(order, Attack | Defend | Hold | Idle):
            kept.append(order)
            continue
        what = (whose, type(order), getattr(order, "on", ""), getattr(order, "power", ""))
        is_more = what in seen
        if is_more and not (adds or getattr(order, "also", False)):
            again.append(order)
        elif isinstance(order, Idle):
            kept = [*(one for one in kept if not isinstance(one, Idle)), _all_idle([*kept, order], order)]
        else:
            kept.append(msgspec.structs.replace(order, also=is_more))
        seen.add(what)
    return kept, again


def _all_idle(orders: Sequence[Order], last: One) -> One:
    """Return one line for all that is to stay idle, since no line of it has `also`; it stands where the last does."""
    said = [order.amount for order in orders if isinstance(order, Idle)]
    return msgspec.structs.replace(last, amount=-1 if min(said) < 0 else sum(said))
