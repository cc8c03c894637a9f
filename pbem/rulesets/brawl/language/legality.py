"""Whether what a seat says in a round can be ordered, each line by itself; reads no words, and `sets` sums up."""

from collections.abc import Sequence
from typing import Any

from pbem.ruleset import Refused, all_read
from pbem.rulesets.brawl.language.drops import settled_drop
from pbem.rulesets.brawl.order import Add, Attack, CoopDie, Defend, Delay, Drop, If, Order, Test
from pbem.rulesets.brawl.state import COOP, State, Use
from pbem.rulesets.brawl.words import find_dice, find_die, fixed, no_other

ON_DECLARED = ("attacks", "attacked by", "attack on me", "drops", "defends")
"""Tests about what was declared this round."""
NO_GIFTS = Refused("illegal", "Nobody gives dice in a bare-knuckle fight.", "K2")


def settled(state: State, seat: str, meant: Any) -> Order | Refused:
    """Return the order that is meant, its dice by their letters, or why it cannot be ordered. Rule: K4, K7-K22."""
    match meant:
        case Attack():
            return _attack(state, seat, meant)
        case Defend():
            return _defend(state, seat, meant)
        case Delay():
            return _delay(state, seat, meant)
        case Drop():
            return _drop(state, seat, meant)
        case If(tests, then, otherwise):
            return _guarded(state, seat, tests, (then, otherwise))
        case CoopDie(uses):
            found = all_read(_given(state, seat, use) for use in uses) if state.is_pub else NO_GIFTS
            return found if isinstance(found, Refused) else CoopDie(found)
    return meant  # type: ignore[no-any-return]


def _attack(state: State, seat: str, meant: Attack) -> Attack | Refused:
    """Return an attack with the dice that are named to hit with and to hurt with. Rule: K7, K9, K13."""
    fighter = state.fighter(seat)
    if wrong := no_target(state, seat, meant.on):
        return wrong
    dice, hurt = find_dice(fighter, meant.dice), find_dice(fighter, meant.damage)
    if isinstance(dice, Refused):
        return dice
    if isinstance(hurt, Refused):
        return hurt
    if both := set(dice) & set(hurt):
        return Refused("illegal", f"Die {min(both)} is used twice in this line. Each can be used once.", "K7")
    return fixed(fighter, dice, "attack") or fixed(fighter, hurt, "damage") or Attack(meant.on, dice, hurt)


def _defend(state: State, seat: str, meant: Defend) -> Defend | Refused:
    """Return a defense with dice of one's own. Rule: K13, K-i."""
    dice = find_dice(state.fighter(seat), meant.dice)
    if isinstance(dice, Refused):
        return dice
    wrong = no_other(state, seat, meant.vs, "K-i") if meant.vs else None
    return wrong or fixed(state.fighter(seat), dice, "defense") or Defend(dice, meant.vs)


def _delay(state: State, seat: str, meant: Delay) -> Delay | Refused:
    """Return a die kept for the next round. Rule: K13, K-n."""
    die = find_die(state.fighter(seat), meant.die)
    if isinstance(die, Refused):
        return die
    return fixed(state.fighter(seat), (die.letter,), "") or Delay(die.letter, meant.use)


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
            own = dice if is_hit else damage
            return no_target(state, seat, on) or _half(state, seat, on, own, "attack" if is_hit else "damage")
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


def no_target(state: State, seat: str, on: str) -> Refused | None:
    """Refuse to attack oneself, who has left, and who is down where that is not allowed. Rule: K9, K-w."""
    if wrong := no_other(state, seat, on, "K9"):
        return wrong
    if state.fighter(on).down and state.house["hit_downed"] == "no":
        return Refused("illegal", f"{state.fighter(on).name} is down. Attack somebody who is up.", "K-w")
    return None


def _half(state: State, seat: str, on: str, said: Sequence[str], use: Use) -> Attack | Refused:
    """Return a new attack of a given die with the dice that are named, which are its half for a use. Rule: K13, K18."""
    dice = find_dice(state.fighter(seat), said)
    if isinstance(dice, Refused):
        return dice
    whole = Attack(on, (COOP,), dice) if use == "damage" else Attack(on, dice, (COOP,))
    return fixed(state.fighter(seat), dice, use) or whole


def untestable(state: State, seat: str, test: Test) -> Refused | None:
    """Refuse a test about what is not declared when a seat declares. Rule: K5, M1."""
    if test.kind not in ON_DECLARED:
        return None
    if state.house["declare"] == "blind":
        because = "In this game all declare blindly: no line can depend on what others declare."
        return Refused("illegal", because, "M1")
    about = test.seat
    if about and state.rank(about) >= state.rank(seat):
        name = state.fighter(about).name
        because = f"{name} is no slower than you. Only what slower fighters declare can be tested, before you do."
        return Refused("illegal", because, "K5")
    if not about and state.rank(seat) < 1:
        because = (
            "You declare first, so nobody has attacked you by then. Only what slower fighters declare can be tested."
        )
        return Refused("illegal", because, "K5")
    return None
