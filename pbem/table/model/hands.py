"""Sets on hand and sets kept for later: how they come onto the table, stand, and go; knows no mail."""

from collections.abc import Mapping
from datetime import datetime

import msgspec

from pbem.ground.terms import Parsed, Seat
from pbem.table.model.sets import Kept, Offer, OnHand, Stamp
from pbem.table.model.table import Table

replace = msgspec.structs.replace


def without_hand(table: Table, seat: Seat) -> Table:
    """Take a seat's set off the table, as if it had sent none."""
    return table.with_sets(seat, hand=None)


def without_order(orders: tuple[str, ...], order: str) -> tuple[str, ...]:
    """Return a set without the first line that equals the order."""
    place = orders.index(order)
    return orders[:place] + orders[place + 1 :]


def strike(table: Table, seat: Seat, order: str) -> Table:
    """Take one order out of a seat's set; the set goes with its last order."""
    held = table.sets.hand[seat]
    rest = without_order(held.orders, order)
    return table.with_sets(seat, hand=replace(held, orders=rest) if rest else None)


def is_standing(table: Table, seat: Seat) -> bool:
    """
    Say whether a seat's sets of this kind of phase carry over to the next one, by its own word or the charter's.

    An answer to a question never does, though the question be of such a kind.
    """
    if table.phase is None or table.sealed:
        return False
    chosen = next((kept for kept in table.sets.later.get(seat, ()) if kept.kind == table.phase.kind), None)
    return bool(chosen.orders) if chosen else table.phase.kind in table.charter.standing and _can_stand(table, seat)


def _can_stand(table: Table, seat: Seat) -> bool:
    """Say whether the ruleset lets the set on hand stand, or there is none."""
    return seat not in table.sets.hand or table.ruleset.stands(table.state, seat, table.orders(seat))


def keep_standing(table: Table, seat: Seat) -> Table:
    """Keep what is on hand for all later phases of this kind."""
    held = table.sets.hand.get(seat)
    if held is None or held.doubtful or table.phase is None:
        return table
    kind = table.phase.kind
    others = tuple(kept for kept in table.sets.later.get(seat, ()) if kept.kind != kind)
    kept = (Kept(kind=kind, orders=held.orders),) if _can_stand(table, seat) else ()
    return table.with_sets(seat, later=(*others, *kept))


def keep_ahead(table: Table, seat: Seat, ahead: Mapping[str, tuple[str, ...]]) -> Table:
    """Keep orders for phases of these titles, in place of what was kept for them."""
    others = tuple(kept for kept in table.sets.later.get(seat, ()) if not kept.title or kept.title not in ahead)
    kept = tuple(Kept(title=title, orders=orders) for title, orders in ahead.items())
    return table.with_sets(seat, later=(*others, *kept)) if kept else table


def last(table: Table) -> Mapping[Seat, tuple[Kept, ...]]:
    """Return the sets with which phases closed for each seat, the last of each kind, this phase's among them."""
    closed = table.sealed or table
    assert closed.phase is not None
    kind, found = closed.phase.kind, dict(table.sets.last)
    for seat in (*closed.phase.owing, *closed.phase.may):
        held = closed.sets.hand.get(seat)
        others = tuple(kept for kept in found.get(seat, ()) if kept.kind != kind)
        found[seat] = (*others, Kept(kind=kind, orders=held.orders)) if held else others
    return {seat: kept for seat, kept in found.items() if kept}


def carry(table: Table, seat: Seat, opened: datetime) -> Table:
    """Put orders that were sent ahead on hand, if they still stand; else keep the reason for the phase's letter."""
    assert table.phase is not None
    title, kept = table.own_title(table.phase.title), table.sets.later.get(seat, ())
    ahead = [one for one in kept if one.title == title and one.orders]
    chosen = ahead or [one for one in kept if one.kind == table.phase.kind and one.orders and not table.sealed]
    if not chosen:
        return table
    table = table.with_sets(seat, later=tuple(one for one in kept if one.title != title))
    parsed, wrong = _read(table, seat, chosen[0].orders)
    if wrong:
        return table.with_sets(seat, dropped=wrong)
    lines = table.ruleset.format(table.state, parsed.orders)
    carried = OnHand(lines, (opened, "", ""), fresh=False)
    return table.with_sets(seat, hand=carried)


def recheck(table: Table, before: Table) -> Table:
    """
    After a ruling changed the state, take off the table each set that no longer reads, and keep the reason.

    One that did not read before it either is for newer rules to answer for, and stays where it is told of.
    """
    for seat, held in table.sets.hand.items():
        _, wrong = _read(table, seat, held.orders)
        if wrong and not before.unreadable(seat):
            table = table.with_sets(seat, hand=None, dropped=wrong)
    return table


def unfit(table: Table, seat: Seat, lines: tuple[str, ...]) -> tuple[str, ...]:
    """Say why a set of canonical lines cannot be ordered now; nothing where it can."""
    return _read(table, seat, lines)[1]


def offer(table: Table, seat: Seat) -> Offer | None:
    """Return the set that a `yes` of a seat would take, while its phase is open and asks the same of it."""
    found = table.sets.offers.get(seat)
    if found is None or table.status != "open":
        return None
    is_now = (found.phase, found.question) == (table.number, table.question_to(seat))
    return found if is_now and not unfit(table, seat, found.orders) else None


def restore(table: Table, seat: Seat, stamp: Stamp) -> Table:
    """Put the set on hand again that the last one replaced, and keep that one in its place."""
    held = table.sets.replaced.get(seat)
    if held is None or unfit(table, seat, held.orders):
        return table
    table = table.with_sets(seat, hand=replace(held, stamp=stamp, fresh=True))
    return keep_standing(table, seat) if is_standing(table, seat) else table


def with_replaced(table: Table, before: Table, seat: Seat) -> Table:
    """Keep what a seat had on hand before, where a mail has put another set, or none, in its place."""
    held, now = before.sets.hand.get(seat), table.sets.hand.get(seat)
    if (held and held.orders) == (now and now.orders):
        return table
    return table.with_sets(seat, replaced=held)


def _read(table: Table, seat: Seat, lines: tuple[str, ...]) -> tuple[Parsed[object], tuple[str, ...]]:
    parsed = table.parsed(seat, lines)
    wrong = (*parsed.complaints, *table.ruleset.check(table.state, seat, parsed.orders))
    return parsed, tuple(f"{one.text}: {one.because}" if one.text else one.because for one in wrong)


def lapse(table: Table, seat: Seat, *, is_off: bool) -> Table:
    """Let the orders that a seat sent ahead go as the next phase opens, or stay; until then nothing changes."""
    sealed = lapse(table.sealed, seat, is_off=is_off) if table.sealed else None
    lapsing = table.sets.lapsing - {seat} if is_off else table.sets.lapsing | {seat}
    return replace(table, sets=replace(table.sets, lapsing=lapsing), sealed=sealed)


def without_lapsed(table: Table) -> Table:
    """Strike, as a phase ends, what the seats sent ahead whose orders lapse."""
    for seat in table.sets.lapsing:
        table = table.with_sets(seat, later=None)
    return table
