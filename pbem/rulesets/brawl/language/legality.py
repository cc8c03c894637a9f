"""Whether what a seat says in a round can be ordered, each line by itself; reads no words, and `sets` sums up."""

from collections.abc import Sequence
from typing import Any

from pbem.ruleset import Refused, all_read
from pbem.rulesets.brawl.order import Add, Attack, CoopDie, Defend, Delay, Drop, If, Order, Test
from pbem.rulesets.brawl.orders.conditions import untestable
from pbem.rulesets.brawl.orders.drop_lines import settled_drop
from pbem.rulesets.brawl.orders.reading import (
    NO_GIFTS,
    no_target,
    settled_attack,
    settled_defense,
    settled_delay,
    settled_half,
)
from pbem.rulesets.brawl.state import COOP, State
from pbem.rulesets.brawl.words import find_dice, find_die, fixed


def settled(state: State, seat: str, meant: Any) -> Order | Refused:
    """Return the order that is meant, its dice by their letters, or why it cannot be ordered. Rule: K4, K7-K22."""
    match meant:
        case Attack():
            return _attack(state, seat, meant)
        case Defend(dice, vs):
            letters = find_dice(state.fighter(seat), " ".join(dice))
            return letters if isinstance(letters, Refused) else settled_defense(state, seat, letters, vs)
        case Delay(said, use):
            return settled_delay(state, seat, said, use)
        case Drop():
            return _drop(state, seat, meant)
        case If(tests, then, otherwise):
            return _guarded(state, seat, tests, (then, otherwise))
        case CoopDie(uses):
            found = all_read(_given(state, seat, use) for use in uses) if state.is_pub else NO_GIFTS
            return found if isinstance(found, Refused) else CoopDie(found)
    return meant  # type: ignore[no-any-return]


def _attack(state: State, seat: str, meant: Attack) -> Attack | Refused:
    wrong = no_target(state, seat, meant.on)
    return wrong or settled_attack(state, seat, meant.on, " ".join(meant.dice), " ".join(meant.damage))


def _drop(state: State, seat: str, meant: Drop) -> Drop | Refused:
    fighter = state.fighter(seat)
    die = find_die(fighter, meant.die)
    if isinstance(die, Refused):
        return die
    drop = Drop(die.letter, meant.action, meant.on, meant.what, meant.old, meant.attack)
    return fixed(fighter, (die.letter,), "") or settled_drop(state, seat, drop)


def _given(state: State, seat: str, use: Any) -> Any:
    """Return what is done with a given die, or why that cannot be. Rule: K18."""
    match use:
        case Attack(on, dice, damage):
            is_hit = damage == (COOP,)
            own = " ".join(dice if is_hit else damage)
            return no_target(state, seat, on) or settled_half(state, seat, on, own, "attack" if is_hit else "damage")
        case Drop():
            return settled_drop(state, seat, use)
        case Add() | Defend() | Refused():
            return use
    raise AssertionError(use)


def _guarded(state: State, seat: str, tests: Sequence[Test], ways: Sequence[Sequence[Any]]) -> If | Refused:
    """Return orders behind a condition that can be asked when the seat declares. Rule: K5, M1, M2."""
    wrong = next((found for test in tests if (found := untestable(state, seat, test))), None)
    branches: Any = wrong or all_read(all_read(settled(state, seat, one) for one in way) for way in ways)
    return branches if isinstance(branches, Refused) else If(tuple(tests), *branches)
