"""What the shapes of a round mean for a seat: orders, with their dice as they were called; what is none, and why."""

from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec

from pbem.ruleset import Elided, Meaning, Refused
from pbem.rulesets.brawl.language.words import ACTIONS, HOW, ROLES, SIGNS, TESTS
from pbem.rulesets.brawl.order import (
    Add,
    Ask,
    Attack,
    CoopDie,
    DamageOrder,
    Defend,
    Delay,
    Drop,
    If,
    Pass,
    Resign,
    Test,
)  # fmt: skip
from pbem.rulesets.brawl.state import COOP, State

LAME = Refused("illegal", "An attack needs damage: attack NAME with a damage b.", "K10")
TORN = Refused(
    "ambiguous", "A line about a given die goes on to its end. Put what else you do on a line of its own.", "K18"
)
GIVEN = Refused(
    "illegal",
    "A given die is added to attack, to damage or to defense, attacks (attack NAME damage b), hurts (attack NAME with "
    "b), defends, or is dropped; it cannot be delayed.",
    "K18",
)
"""Why what a line says cannot be, as whoever reads it says."""
GO_ON = Pass(leaves=False)
"""A branch that orders nothing."""
OWN = msgspec.structs.replace(GIVEN, fault="unreadable")
"""Why one's own dice cannot stand in a line about a given die."""
DANGLING = Refused(
    "ambiguous", "Dice by themselves are no order. Write defend with b, c for one defense, or two whole orders.", "M2"
)
TWICE = Refused("ambiguous", "Two ifs on one line can be read in two ways. Write two lines.", "M2")
ME = "~me"
"""Whom a test means that says me: no seat is called so."""
_Acts: TypeAlias = dict[str, Callable[..., Meaning | None]]


def acts_of(state: State, me: str) -> _Acts:
    """Return what each act means, where that is no record with the slots as its fields."""
    fighter = state.fighter(me)
    free = tuple(die.letter for die in fighter.dice if die.use in ("", "defense"))
    only = free[0] if state.turn == me and len(fighter.dice) == 1 and free else ""
    return {
        **_WORDS,
        **_TESTS,
        **_ORDERS,
        **_DEEDS,
        "attacks": lambda seat, other: _attacks(me, seat, other),
        "whole": lambda: Defend(free) if free else None,
        "only": lambda: Defend((only,)) if only else None,
        "deed": lambda deed: msgspec.structs.replace(deed, die=only) if only else None,
    }


class _Strike(msgspec.Struct, frozen=True):
    """An attack without its damage."""

    on: str
    dice: tuple[str, ...]


def _said(value: Meaning) -> Callable[[], Meaning]:
    return lambda: value


def _test(kind: str) -> Callable[..., Meaning]:
    return lambda **slots: Test(kind, **slots)


def _attacks(me: str, seat: str, other: str) -> Test:
    """Return the test whether somebody attacks somebody, who is me where it is the writer."""
    return Test("attacks", seat, other="" if other in (me, ME) else other)


def _drop(die: str, deed: Drop) -> Drop:
    return msgspec.structs.replace(deed, die=die)


def _guard(tests: tuple[Any, ...], then: tuple[Any, ...], otherwise: tuple[Any, ...] = ()) -> If | None:
    """Return orders behind a condition; a branch that orders nothing has nothing else."""
    tests = tuple(one for test in tests for one in (test if isinstance(test, tuple) else (test,)))
    is_right = all(GO_ON not in way or len(way) == 1 for way in (then, otherwise))
    return If(tests, then, otherwise) if is_right else None


_WORDS: _Acts = {
    name: _said(value) for name, value in {**SIGNS, **ROLES, **ACTIONS, **HOW, "old": True, "one": 1, "two": 2}.items()
}
_TESTS: _Acts = {
    **{act: _test(kind) for act, kind in TESTS.items()},
    "many": lambda number: Test("attacked by", sign=">=", number=number),
    "more": lambda: Test("attacked by", sign=">=", number=2),
    "both": lambda seats: tuple(Test("attacks", one) for one in seats),
    "some": lambda: Test("attacked by", sign=">=", number=1),
    "none": lambda: Test("attacked by", sign="=", number=0),
    "defends": lambda seat, number=1: Test("defends", seat, sign=">=", number=number),
}
_ORDERS: _Acts = {
    "acts": lambda more, **last: (*(order for acts in more for order in acts), *last.values()),
    "alone": lambda order: (order,),
    "dangling": lambda: (DANGLING,),
    "torn_guard": lambda: DANGLING,
    "drops_each": lambda die, deed: tuple(_drop(one, deed) for one in die),
    "delays_each": lambda kept: kept,
    "guards_each": lambda ward: ward,
    "pair": lambda dice: tuple(Defend(one) for one in dice),
    "elided": lambda strike, damage: Elided(Attack(strike.on, strike.dice, damage)),
    "guard": _guard,
    "go": lambda: GO_ON,
    "twice": lambda: TWICE,
    "self": lambda: ME,
    "attack": Attack,
    "strike": _Strike,
    "struck": lambda strike, damage: Attack(strike.on, strike.dice, damage),
    "lame": lambda: LAME,
    "defend": Defend,
    "delay": Delay,
    "drop": _drop,
    "give": lambda die, on: Drop(die, "coop", on),
    "words": lambda: None,
    "order": DamageOrder,
    "ask": Ask,
    "pass": Pass,
    "resign": Resign,
    "dice": lambda die: die,
    "faces": lambda die: die,
    "gift": CoopDie,
    "torn": lambda: TORN,
    "own": lambda: OWN,
    "add": Add,
    "given": lambda deed: _drop(COOP, deed),
    "guards": lambda: Defend((COOP,)),
    "hurts": lambda on, damage: Attack(on, (COOP,), damage),
    "hits": lambda on, dice: Attack(on, dice, (COOP,)),
    "delayed": lambda: GIVEN,
}
_DEEDS: _Acts = {
    "counter": lambda on, what, old=False: Drop("", "counter", on, what, old),
    "coop": lambda on: Drop("", "coop", on),
    "bind": lambda on: Drop("", "bind", on),
    "charge": lambda attack=1: Drop("", "charge", attack=attack),
    "group": lambda on: Drop("", "move", on),
    "aside": lambda: Drop("", "move", what="aside"),
    "move": lambda: Drop("", "move"),
    "plain": lambda action: Drop("", action),
    "thing": lambda action: Drop("", action),
}
"""What a die is dropped for, before it is known which."""
