"""Finds lines of a round that would do nothing beside the others of their set; adds nothing up."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from pbem.rulesets.rumble.model.order import If, Move, Never, Order, Packets, RoundOrder, Use
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.orders.allocation import allocate
from pbem.rulesets.rumble.powers.engine.active_abilities import ability_of, does, meant, rides
from pbem.rulesets.rumble.powers.engine.prices import wrong_names
from pbem.rulesets.rumble.powers.engine.scene import View, at_rest
from pbem.rulesets.rumble.powers.language import lines as power_lines

Placed: TypeAlias = Sequence[tuple[Order, RoundOrder]]
"""Orders in force, each with the line it stands in."""
Fault: TypeAlias = tuple[Order | None, str, str]
"""A line that is wrong, None for a whole set; why; and the rule."""


def lines(state: State, seat: str, orders: Sequence[Order], placed: Placed) -> Iterator[Fault]:
    """
    Yield the lines that would do nothing, each with why.

    Rule: C25, C26, C17; R13 for what goes with an Attack.
    """
    yield from _unmoved(state, seat, orders)
    yield from _unturnable(state, orders)
    yield from _twice(placed)
    nevers = {order.power for _, order in placed if isinstance(order, Never)}
    ridden: set[str] = set()
    for whole, use in placed:
        if not isinstance(use, Use):
            continue
        power = state.card(use.power)
        if use.power in nevers:
            yield whole, f"You use {power.name} here, and never use it elsewhere. Take one of the lines out.", "C25"
        ability = ability_of(state, use)
        if ability is None or not rides(ability):
            continue
        if use.power in ridden:
            yield whole, f"{power.name} goes with one attack. Keep one of the lines.", "R13"
        ridden.add(use.power)
        if not _is_made(state, seat, orders, use.on):
            on = state.names[use.on]
            yield whole, f"{power.name} goes with an attack, and you make none on {on}. Add attack {on} 10.", "R12"


def _is_made(state: State, seat: str, orders: Sequence[Order], on: str) -> bool:
    """Say whether a set makes an Attack on somebody, as it is written or as a power demands it. Rule: A5, C28."""
    forces = [allocate(state, seat, orders, obeying=obeying).attacks.get(on) for obeying in (False, True)]
    return any(force is not None and (force > 0 or state.house["zero_attacks"] == "yes") for force in forces)


def _unmoved(state: State, seat: str, orders: Sequence[Order]) -> Iterator[Fault]:
    """Find a line that says what moves, where the power that moves it is not used."""
    every = [(order, one) for order in orders for one in _all_of(order)]
    used = {one.power for _, one in every if isinstance(one, Use)}
    moving = [power for power in state.owned(seat) if does(power, power_lines.Move)]
    if moving and not any(power.key in used for power in moving):
        name = moving[0].name
        because = f"Nothing moves unless you use {name} in the same set. Add a line: use {name}."
        yield from ((order, because, "C26") for order, one in every if isinstance(one, Move))


def _unturnable(state: State, orders: Sequence[Order]) -> Iterator[Fault]:
    """
    Find a use that would turn another on somebody whom the owner of that one could not name.

    Shape: where that one names more, it is known at the reveal alone whether it may.
    Rule: C3.
    """
    uses = [(order, one) for order in orders for one in _all_of(order) if isinstance(one, Use)]
    for whole, use in uses:
        turned = state.power(use.on) if does(state.card(use.power), power_lines.Retarget) else None
        aimed = Use(turned.key, use.then[0]) if turned and use.then else None
        ability = ability_of(state, aimed) if aimed else None
        if turned is None or aimed is None or ability is None or len(ability.choices) != 1:
            continue
        view = View(scene=at_rest(state), me=turned.owner, power=turned, names=meant(ability, aimed, turned.owner), x=0)
        if wrong_names(turned, ability, aimed, view):
            owner, to = state.names[turned.owner], state.names[aimed.on]
            because = f"{owner} could not use {turned.name} on {to}, so it cannot be turned there."
            yield whole, because, "C3"


def _all_of(order: Order) -> Sequence[Order]:
    return (*order.then, *order.otherwise) if isinstance(order, If) else (order,)


def _twice(placed: Placed) -> Iterator[Fault]:
    """Find what is said a second time, where the first counts."""
    for kind, thing, rule in ((Move, "how much moves", "C26"), (Packets, "in which order damage counts", "C17")):
        for whole, _ in [one for one in placed if isinstance(one[1], kind)][1:]:
            yield whole, f"You said {thing} in a line before. Keep one of the two.", rule
