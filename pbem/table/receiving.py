"""What a seat's mail does to the table: the set on hand, orders kept for later, what is said about waiting."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec

from pbem.table.journal import OrdersReceived
from pbem.table.table import Kept, OnHand, Table
from pbem.terms import OrderLine, Parsed, Seat

replace = msgspec.structs.replace


def receive(table: Table, entry: OrdersReceived) -> Table:
    """Fold a seat's mail: first a `cancel`, then the set, then whatever else was asked for."""
    seat = entry.seat
    if "cancel" in entry.requests:
        table = without_hand(table, seat)
    if entry.taken:
        stamp = (entry.arrived, entry.mail, entry.cause)
        table = replace(table, hand={**table.hand, seat: OnHand(entry.orders, stamp, entry.incomplete)})
        if is_standing(table, seat):
            table = _keep_standing(table, seat)
    for request in entry.requests:
        if not request.startswith("for "):
            table = _request(table, seat, request)
    return _keep_ahead(table, seat, [one for one in entry.requests if one.startswith("for ")])


def without_hand(table: Table, seat: Seat) -> Table:
    """Take a seat's set off the table: it has sent nothing, then."""
    return replace(table, hand={other: held for other, held in table.hand.items() if other != seat})


def is_standing(table: Table, seat: Seat) -> bool:
    """Say whether a seat's sets of this kind of phase carry over to the next one, by its own word or the charter's."""
    if table.phase is None:
        return False
    said = next((kept for kept in table.later.get(seat, ()) if kept.when == _kind(table.phase.kind)), None)
    return bool(said.orders) if said else table.phase.kind in table.charter.standing and _can_stand(table, seat)


def _can_stand(table: Table, seat: Seat) -> bool:
    """Say whether the set on hand is none that its ruleset keeps from standing."""
    return seat not in table.hand or table.ruleset.stands(table.state, seat, table.orders(seat))


def _kind(kind: str) -> str:
    return f"kind:{kind}"


def _keep_standing(table: Table, seat: Seat) -> Table:
    held = table.hand.get(seat)
    if held is None or table.phase is None:
        return table
    kind = _kind(table.phase.kind)
    others = tuple(kept for kept in table.later.get(seat, ()) if kept.when != kind)
    kept = (Kept(kind, held.orders),) if _can_stand(table, seat) else ()
    return replace(table, later={**table.later, seat: (*others, *kept)})


def _request(table: Table, seat: Seat, request: str) -> Table:
    word, _, rest = request.partition(" ")
    match word:
        case "wait":
            return replace(table, waits=table.waits | {seat}, ready=table.ready - {seat})
        case "ready":
            return replace(table, waits=table.waits - {seat}, ready=table.ready | {seat})
        case "standing" if rest == "on":
            return _keep_standing(table, seat)
        case "standing":
            kept = tuple(one for one in table.later.get(seat, ()) if not one.when.startswith("kind:"))
            nothing = tuple(Kept(_kind(kind), ()) for kind in table.charter.standing)
            return replace(table, later={**table.later, seat: (*kept, *nothing)})
        case _:
            return table


def _keep_ahead(table: Table, seat: Seat, requests: Sequence[str]) -> Table:
    """Keep the orders of `for Round 5: ...` lines, those for one phase together, in place of what was kept for it."""
    ahead: dict[str, tuple[str, ...]] = {}
    for request in requests:
        when, _, orders = request.removeprefix("for ").partition(": ")
        ahead[when] = (*ahead.get(when, ()), *table.ruleset.parts(orders))
    others = tuple(kept for kept in table.later.get(seat, ()) if kept.when not in ahead)
    kept = tuple(Kept(when, orders) for when, orders in ahead.items())
    return replace(table, later={**table.later, seat: (*others, *kept)}) if kept else table


def carry(table: Table, seat: Seat, opened: datetime) -> Table:
    """Put orders that were sent ahead on hand, if they still stand; else keep the reason for the phase's letter."""
    assert table.phase is not None
    wanted = (table.heard(table.phase.title), _kind(table.phase.kind))
    kept = [kept for kept in table.later.get(seat, ()) if kept.when in wanted and kept.orders]
    if not kept:
        return table
    chosen = min(kept, key=lambda one: wanted.index(one.when))
    later = {**table.later, seat: tuple(one for one in table.later[seat] if one.when != wanted[0])}
    table = replace(table, later=later)
    parsed, wrong = _read(table, seat, chosen.orders)
    if wrong:
        return replace(table, dropped={**table.dropped, seat: wrong})
    lines = table.ruleset.format(table.state, parsed.orders)
    carried = OnHand(lines, (opened, "", ""), fresh=False)
    return replace(table, hand={**table.hand, seat: carried})


def recheck(table: Table, before: Table) -> Table:
    """
    After a ruling changed the state: take sets off the table that no longer read, and keep the reason.

    One that did not read before it either is for newer rules to answer for, and stays where it is told of.
    """
    for seat, held in table.hand.items():
        _, wrong = _read(table, seat, held.orders)
        if wrong and not before.unreadable(seat):
            table = replace(without_hand(table, seat), dropped={**table.dropped, seat: wrong})
    return table


def _read(table: Table, seat: Seat, lines: tuple[str, ...]) -> tuple[Parsed[object], tuple[str, ...]]:
    said = [OrderLine(number, text) for number, text in enumerate(lines, 1)]
    parsed = table.ruleset.parse(table.state, seat, said)
    wrong = (*parsed.complaints, *table.ruleset.check(table.state, seat, parsed.orders))
    return parsed, tuple(f"{one.text}: {one.because}" if one.text else one.because for one in wrong)
