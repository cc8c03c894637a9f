"""Declarations, from the slowest to the fastest, as far as nobody wants to be asked; resolves nothing."""

from collections.abc import Collection, Mapping, Sequence
from typing import TypeAlias

import msgspec

from pbem.rulesets.brawl.order import Defend, Drop, Order, Resign
from pbem.rulesets.brawl.round.choosing import Choice
from pbem.rulesets.brawl.round.declarations import Declared, Dropped, Table
from pbem.rulesets.brawl.state import State, with_fighters

Plans: TypeAlias = Mapping[str, Sequence[Order]]


def declare(state: State, plans: Plans, answered: frozenset[str] = frozenset()) -> Table:
    """
    Let everybody declare, the slowest first, as far as nobody wants to be asked.

    Shape: `plans` holds the orders of each seat that has sent some; the first that owes some and has not is asked, and
    nothing of faster ones is on the table. `answered` are the seats that were asked already: who of them resigns was
    still there for whoever had declared before.
    Rule: K5, K18, M1, M2, M5.
    """
    table, leaving = Table(), leavers(plans)
    state = without(state, leaving - answered)
    for rank in state.order:
        seen = table
        for seat in rank:
            if seat not in plans and state.declares(seat):
                return msgspec.structs.replace(seen, asks=str(seat))
            plan = plans.get(seat, ())
            gifts = [drop for drop in seen.drops if drop.action == "coop" and drop.on == seat]
            mine = without(state, (seat,)) if seat in leaving else state
            if mine.fighter(seat).gone:
                plan, gifts = (), []
            choice = Choice(mine, seat, seen, len(table.drops))
            choice.declare(plan, gifts)
            if choice.asks and seat not in answered:
                return msgspec.structs.replace(seen, asks=str(seat))
            table = table.with_declared(choice.declared, choice.drops)
        state = without(state, leaving.intersection(rank))
        table = _late(state, table, plans)
    return table


def leavers(plans: Plans) -> frozenset[str]:
    """Return the seats that resign. Rule: M5."""
    return frozenset(seat for seat, plan in plans.items() if any(isinstance(order, Resign) for order in plan))


def without(state: State, leaving: Collection[str]) -> State:
    """
    Return the state in which those who resign have left, without their dice.

    Shape: while somebody is asked they are still there, or lines about them would no longer read.
    Rule: M5.
    """
    left = [msgspec.structs.replace(state.fighter(seat), gone=True, dice=()) for seat in leaving]
    return with_fighters(state, left)


def declare_alone(state: State, seat: str, plan: Sequence[Order]) -> Declared:
    """Return what a seat would declare if nobody else did anything."""
    choice = Choice(state, seat, Table(), 0)
    choice.declare(plan, ())
    return choice.declared


def filled_alone(state: State, seat: str, plan: Sequence[Order]) -> tuple[Drop | Defend, ...]:
    """Return what is done with the dice that a set leaves over, if nobody else did anything. Rule: M3."""
    choice = Choice(state, seat, Table(), 0)
    choice.declare(plan, ())
    return () if any(isinstance(order, Resign) for order in plan) else choice.filled


def meets_nothing(state: State, seat: str, plan: Sequence[Order], table: Table) -> tuple[Drop, ...]:
    """Return the Counters of a set that have nothing to counter on the table. Rule: K14."""
    choice = Choice(state, seat, table, 0)
    return tuple(
        order
        for order in plan
        if isinstance(order, Drop) and order.action == "counter" and choice.target(order, order.die) is None
    )


def _late(state: State, table: Table, plans: Plans) -> Table:
    """Let those who have declared already use a die that they were given since, at the giver's rank. Rule: K18, M2."""
    while gift := next((drop for drop in table.drops if _is_unused(state, table, drop)), None):
        choice = Choice(state, gift.on, table, len(table.drops), table.declared.get(gift.on))
        choice.use(plans.get(gift.on, ()), gift)
        table = table.with_declared(choice.declared, choice.drops)
    return table


def _is_unused(state: State, table: Table, drop: Dropped) -> bool:
    """Say whether a drop gave a die to somebody who has declared, or never will, and has not used it yet."""
    if drop.action != "coop" or state.fighter(drop.on).gone:
        return False
    before = table.declared.get(drop.on)
    return drop.number not in before.gifts.values() if before else state.rank(drop.on) < 0
