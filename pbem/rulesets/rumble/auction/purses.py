"""What the auction does to everybody's Energy: prices, gains and losses, with a list of the reasons."""

import re
from collections.abc import Sequence
from typing import TypeAlias

import msgspec

from pbem.rulesets.rumble.effect import Effect, EnergyChange, of_kind, set_to
from pbem.rulesets.rumble.model.state import State, with_hero

Why: TypeAlias = dict[str, list[tuple[str, int]]]
"""What changed each seat's Energy, for the report; grows while one auction is closed."""


def charge(state: State, seat: str, price: int, what: str, why: Why) -> State:
    """
    Take a price off a seat's Energy and note it.

    Rule: R19.
    """
    if not price:
        return state
    why[seat].append((what, -price))
    return with_energy(state, seat, state.hero(seat).energy - price)


def with_energy(state: State, seat: str, energy: int) -> State:
    """Return the state with one seat's Energy set."""
    return with_hero(state, msgspec.structs.replace(state.hero(seat), energy=energy))


def change(state: State, effects: Sequence[Effect], why: Why) -> State:
    """Apply what powers do to Energy at the auction, all at once."""
    for hero in state.heroes:
        amounts = [c.amount for c in of_kind(effects, EnergyChange) if c.on == hero.seat]
        energy = hero.energy + sum(amounts)
        why[hero.seat] += [("gained" if amount > 0 else "lost", amount) for amount in amounts if amount]
        fixed = set_to(effects, hero.seat)
        if fixed is not None and fixed != energy:
            why[hero.seat].append(("set", fixed - energy))
            energy = fixed
        state = with_energy(state, hero.seat, energy) if energy != hero.energy else state
    return state


def summed(why: Why) -> Why:
    """
    Put what a seat paid into one sum, where the house does not show bids.

    Rule: B4.
    """
    result: Why = {}
    for seat, parts in why.items():
        paid = sum(amount for what, amount in parts if re.fullmatch(r"P[0-9]+", what))
        others = [(what, amount) for what, amount in parts if not re.fullmatch(r"P[0-9]+", what)]
        result[seat] = [("paid", paid), *others] if paid else others
    return result
