"""A round that stops in its middle, at somebody who wants to be asked: what they see, and what they wrote besides."""

from collections.abc import Mapping, Sequence

import msgspec

from pbem.ruleset import Complaint, Given, Seat
from pbem.rulesets.brawl.order import Ask, If, Order, Pass
from pbem.rulesets.brawl.round import declaring, old_turn
from pbem.rulesets.brawl.round.declarations import Table
from pbem.rulesets.brawl.round.declaring import Plans
from pbem.rulesets.brawl.state import State


class Asked(State, frozen=True, kw_only=True):
    """
    A round in whose middle the seat of its `turn` is asked; it is kept nowhere.

    Shape: `seen` is what the slower ones have declared, `drafted` what the seat that is asked had written besides.
    """

    seen: Table
    drafted: tuple[Order, ...]


def sent(
    state: State, orders: Mapping[Seat, Sequence[Order]], answers: Sequence[Mapping[Seat, Sequence[Order]]]
) -> tuple[Plans, frozenset[str]]:
    """Return the set of each seat, which is its answer where it was asked, and the seats that were asked."""
    plans: dict[str, Sequence[Order]] = {}
    for one in (orders, *answers):
        plans |= {str(seat): plan for seat, plan in one.items()}
    return plans, frozenset((state.turn, *(str(seat) for answer in answers for seat in answer)))


def stopped(state: State, seat: str, seen: Table, plans: Plans) -> Asked:
    """Return the round as it stands where a seat is asked. Rule: M2."""
    held = {name: getattr(state, name) for name in State.__struct_fields__}
    return Asked(**{**held, "phase": "turn", "turn": seat}, seen=seen, drafted=without_ask(plans.get(seat, ())))


def question(state: State) -> Asked:
    """Return the round as the seat whose turn it is sees it. Rule: M1, M2."""
    if isinstance(state, Asked):
        return state
    seat = state.turn
    state, orders, given = old_turn.whole(state, {}, Given())
    plans, asked = sent(state, orders, given.answers)
    slower = declaring.declare(state, {one: plan for one, plan in plans.items() if one != seat}, asked)
    return stopped(state, seat, slower, plans)


def idle_counters(state: State, seat: str, orders: Sequence[Order]) -> tuple[Complaint, ...]:
    """Complain of Counters to nothing by the seat that is asked, since it knows all that is declared. Rule: K14."""
    if state.turn != seat:
        return ()
    return tuple(
        Complaint(drop.line, "", "illegal", f"{state.fighter(drop.on).name} has no {drop.what} to counter.", "K14")
        for drop in declaring.meets_nothing(state, seat, orders, question(state).seen)
    )


def without_ask(orders: Sequence[Order]) -> tuple[Order, ...]:
    """Return the orders without any `ask me`."""
    found: list[Order] = []
    for order in orders:
        if isinstance(order, If):
            then = tuple(one for one in order.then if not isinstance(one, Ask))
            otherwise = tuple(one for one in order.otherwise if not isinstance(one, Ask))
            if then or otherwise:
                found.append(msgspec.structs.replace(order, then=then or (Pass(leaves=False),), otherwise=otherwise))
        elif not isinstance(order, Ask):
            found.append(order)
    return tuple(found)
