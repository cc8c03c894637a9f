"""Conditions of order lines: writes and tests them; knows nothing of what they guard."""

from collections.abc import Callable, Mapping, Sequence

import msgspec

from pbem.rulesets.rumble.genres import NEUTRAL, Genre
from pbem.rulesets.rumble.model.order import (
    Amend,
    Bid,
    Block,
    Command,
    If,
    Invent,
    Order,
    RoundOrder,
    Test,
    Unsigned,
    Use,
)
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.powers.engine.active_abilities import names_attack

AT_REVEAL = ("attacked by", "attack from", "incoming", "damage", "would die", "would be out", "targeted by", "uses")


class Foreseen(msgspec.Struct, frozen=True):
    """
    What a round would do to a hero if nobody did anything at the reveal.

    Shape: a hero that `dies` may still be saved by a power; one that `is_out` is not.
    """

    is_out: bool = False
    dies: bool = False
    damage: int = 0


class Revealed(msgspec.Struct, frozen=True):
    """
    What conditions are tested on: allocations as they lie open, before anybody answers them (C20).

    Shape: `attacks` maps who is attacked to the Energy by attacker; `foresee` is asked only where a test needs it.
    """

    attacks: Mapping[str, Mapping[str, int]] = {}
    uses: Mapping[str, Sequence[Use]] = {}
    foresee: Callable[[], Mapping[str, Foreseen]] = dict

    def incoming(self, seat: str) -> Mapping[str, int]:
        """Return the Energy put against a seat, by attacker."""
        return self.attacks.get(seat, {})

    def ahead(self, seat: str) -> Foreseen:
        """Return what the round would do to a seat."""
        return self.foresee().get(seat, Foreseen())


def write_test(test: Test, name: str, words: Genre = NEUTRAL, power: str = "") -> str:
    """Write a test; `name` and `power` are what it names, if anything; a canonical line has the neutral words."""
    compared = f"{test.sign} {test.number}"
    match test.kind:
        case "out" | "in":
            return f"{name} is {test.kind}"
        case "attacked by":
            return f"{words.attacked} by {name}"
        case "always" | "would die" | "would be out":
            return test.kind
        case "targeted by":
            return f"targeted by {power}"
        case "uses":
            return f"{name} uses {power}"
        case "energy":
            return f"{words.energy.lower()} of {name} {compared}"
        case "attack from":
            return f"{words.attack.lower()} from {name} {compared}"
        case _:
            return f"{words.say(test.kind)} {compared}"


def known_at_start(tests: Sequence[Test]) -> bool:
    """Say whether every test can be answered when the round begins."""
    return all(test.kind not in AT_REVEAL for test in tests)


def met(state: State, seat: str, tests: Sequence[Test], revealed: Revealed) -> bool:
    """Say whether every test holds, by what lies open if any of them asks for that. Rule: A28, C20."""
    return all(_holds(state, seat, test, revealed) for test in tests)


def _holds(state: State, seat: str, test: Test, revealed: Revealed) -> bool:
    match test.kind:
        case "my energy":
            return test.holds(state.hero(seat).energy)
        case "energy":
            return test.holds(state.hero(test.seat).energy)
        case "heroes left":
            return test.holds(len(state.living))
        case "out":
            return not state.hero(test.seat).is_in
        case "in":
            return state.hero(test.seat).is_in
        case "attacked by":
            return test.seat in revealed.incoming(seat)
        case "attack from":
            return test.holds(revealed.incoming(seat).get(test.seat, 0))
        case "incoming":
            return test.holds(sum(revealed.incoming(seat).values()))
        case "damage":
            return test.holds(revealed.ahead(seat).damage)
        case "would die":
            return revealed.ahead(seat).dies
        case "would be out":
            return revealed.ahead(seat).is_out
        case "targeted by":
            power = state.power(test.power)
            aimed = power is not None and not names_attack(power)
            uses = (use for used in revealed.uses.values() for use in used)
            return aimed and any(use.power == test.power and use.on == seat for use in uses)
        case "uses":
            return any(use.power == test.power for use in revealed.uses.get(test.seat, ()))
    return True


def branch(state: State, seat: str, order: If, revealed: Revealed) -> tuple[RoundOrder, ...]:
    """Return the orders of a condition that hold."""
    return order.then if met(state, seat, order.tests, revealed) else order.otherwise


def in_force(state: State, seat: str, orders: Sequence[Order]) -> tuple[RoundOrder, ...]:
    """
    Return the orders that hold this round, conditions answered; block lines are left to `division`.

    Shape: each order carries the number of the line it stood on.
    """
    found: list[RoundOrder] = []
    for order in orders:
        if not isinstance(order, _NOT_CARRIED_OUT):
            found.append(order)
        elif isinstance(order, If) and known_at_start(order.tests):
            found += (one for one in branch(state, seat, order, Revealed()) if not isinstance(one, Block))
    return tuple(found)


_NOT_CARRIED_OUT = (If, Block, Invent, Unsigned, Amend, Bid, Command)
"""The orders that a hero does not carry out in a round as they stand; those for a Sidekick are its own."""


def at_reveal(state: State, seat: str, orders: Sequence[Order], revealed: Revealed) -> tuple[RoundOrder, ...]:
    """Return what a seat does at the reveal: the orders under conditions that nobody could test before."""
    late = [order for order in orders if isinstance(order, If) and not known_at_start(order.tests)]
    found = (guarded for order in late for guarded in branch(state, seat, order, revealed))
    return tuple(order for order in found if not isinstance(order, Block))


def division(state: State, seat: str, orders: Sequence[Order], revealed: Revealed) -> Block | None:
    """
    Return the first block line that holds, or None for the house's division.

    Rule: R9, A12.
    """
    for order in orders:
        for one in branch(state, seat, order, revealed) if isinstance(order, If) else (order,):
            if isinstance(one, Block):
                return one
    return None


def unfired(state: State, seat: str, orders: Sequence[Order], revealed: Revealed) -> tuple[If, ...]:
    """Return the conditional lines whose tests did not hold."""
    return tuple(order for order in orders if isinstance(order, If) and not met(state, seat, order.tests, revealed))
