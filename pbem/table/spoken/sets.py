"""Rulings on somebody's orders: strike, order, excuse, and by which names a moderator may call a player."""

from __future__ import annotations

import re

from pbem import phrases
from pbem.phrases import Unread
from pbem.table.rulings import Excuse, OrderFor, Strike
from pbem.table.spoken.facts import Reading, no_reason
from pbem.table.table import Table
from pbem.terms import OrderLine, Seat


def strike(table: Table, rest: str, because: str) -> Reading:
    """Read `strike NAME 2` or `strike NAME: ORDER`, a line of a set on hand."""
    match = re.fullmatch(r"([^:]+?):?\s+([0-9]{1,3})", rest)
    name, colon, order = rest.partition(":")
    seat = _seat(table, match[1] if match else name)
    if not match and not colon:
        return Unread("unreadable", "Write strike NAME 2 because REASON.")
    if isinstance(seat, Unread):
        return seat
    held = table.hand.get(seat)
    orders = held.orders if held else ()
    if match and not 1 <= int(match[2]) <= len(orders):
        return Unread("illegal", f"{table.label(seat)} has {len(orders)} orders on hand.")
    struck = orders[int(match[2]) - 1] if match else order.strip()
    if struck not in orders:
        return Unread("illegal", f"{table.label(seat)} has no such order on hand.")
    rest_of_set = [OrderLine(1, line) for line in _without(orders, struck)]
    wrong = table.ruleset.parse(table.state, seat, rest_of_set).complaints
    if wrong:
        return Unread("illegal", f"Without that line the rest no longer reads: {wrong[0].because}")
    return Strike(seat, struck, because) if because else no_reason()


def _without(orders: tuple[str, ...], struck: str) -> tuple[str, ...]:
    place = orders.index(struck)
    return orders[:place] + orders[place + 1 :]


def order(table: Table, rest: str, because: str) -> Reading:
    """Read `order NAME: ORDER; ORDER`, which takes the place of what NAME ordered."""
    name, colon, said = rest.partition(":")
    if not colon or not said.strip():
        return Unread("unreadable", "Write order NAME: ORDER; ORDER because REASON.")
    seat = _seat(table, name.strip())
    if isinstance(seat, Unread):
        return seat
    if table.status not in ("open", "closed") or not table.phase or seat not in (*table.phase.owing, *table.phase.may):
        return Unread("illegal", f"{table.label(seat)} owes no orders in this phase.")
    ordered = [OrderLine(n, part) for n, part in enumerate(table.ruleset.parts(said), 1)]
    parsed = table.ruleset.parse(table.state, seat, ordered)
    wrong = parsed.complaints or table.ruleset.check(table.state, seat, parsed.orders)
    if wrong:
        return Unread("illegal", f"{wrong[0].text}: {wrong[0].because}")
    kept = table.ruleset.format(table.state, parsed.orders)
    if not kept:
        return Unread("unreadable", "Write order NAME: ORDER; ORDER because REASON.")
    return OrderFor(seat, kept, because) if because else no_reason()


def excuse(table: Table, rest: str, because: str) -> Reading:
    """Read `excuse NAME`, whose orders are then not waited for."""
    if table.status != "open":
        return Unread("illegal", "Nobody owes orders now, so nobody needs to be excused.")
    seat = _seat(table, rest)
    return seat if isinstance(seat, Unread) else Excuse(seat, because)


def _seat(table: Table, said: str) -> Seat | Unread:
    """Find a seat by the name that letters show, by the one it was taken under, or by one new in this proof."""
    namings = [table.labels(), {seat: seated.name for seat, seated in table.seats.items()}]
    if table.status == "closed" and table.outcome is not None:
        after = table.outcome.state
        namings.append({seat: table.ruleset.label(after, seat) for seat in table.seats})
    tries = [phrases.find(said.strip(), naming, "player") for naming in namings]
    return next((found for found in tries if not isinstance(found, Unread)), tries[0])
