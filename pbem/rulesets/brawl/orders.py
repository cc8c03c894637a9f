"""What a fighter can order, as frozen values; knows neither how they are written nor what comes of them."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from pbem.ruleset import Placed, phrases
from pbem.rulesets.brawl.state import Use

Action = Literal[
    "counter", "advantage", "maneuver", "regain", "coop", "move", "charge", "bind", "pickup", "drink"
]  # fmt: skip
Role = Literal["attack", "defense", "damage"]

ACTIVE = ("advantage", "maneuver", "pickup")
"""What lasts beyond its round, and can be countered then (K14)."""
BARE = ("counter", "advantage", "maneuver", "regain")
"""What can be done in a bare-knuckle fight (K14-K17)."""
COOP = "coop"
"""What orders call the die that somebody else gave."""


class Attack(Placed, frozen=True, eq=False):
    """An attack: the letters of its dice and of those for its damage (K9, K10)."""

    on: str
    dice: tuple[str, ...]
    damage: tuple[str, ...]


class Defend(Placed, frozen=True, eq=False):
    """A defense against one attack, of whoever comes or of one fighter (K11)."""

    dice: tuple[str, ...]
    vs: str = ""


class Delay(Placed, frozen=True, eq=False):
    """A die kept for the next round, for one use (K13)."""

    die: str
    use: Use


class Drop(Placed, frozen=True, eq=False):
    """
    A die dropped for what is no attack and no defense (K14-K22).

    Shape: `on` is whom it is about, "" for nobody; a Counter has the `what` that it counters, `old` where that is
    what lasts from rounds before; a charge the `attack` that it is for, counted from 1.
    """

    die: str
    action: Action
    on: str = ""
    what: str = ""
    old: bool = False
    attack: int = 1


class Add(Placed, frozen=True, eq=False):
    """A given die added to an attack, a defense, or the damage of an attack, counted from 1 (K18)."""

    to: Role
    number: int = 1


class CoopDie(Placed, frozen=True, eq=False):
    """What to do with a die that somebody gives: the first of these that can be done (K18)."""

    uses: tuple[GiftUse, ...]


class DamageOrder(Placed, frozen=True, eq=False):
    """In which order damage dice hurt (K-f)."""

    how: Literal["listed", "high", "low"]


class Ask(Placed, frozen=True, eq=False):
    """To be asked when the slower ones have declared (M2)."""


class Pass(Placed, frozen=True, eq=False):
    """Nothing at all."""


class Resign(Placed, frozen=True, eq=False):
    """Leave the game (M5)."""


class Test(msgspec.Struct, frozen=True):
    """
    One test of a condition.

    Shape: `kind` is one of "always", "attacks" (`seat` attacks `other`, or me where that is ""), "attacked by" (so
    many attacks on me), "attack on me" (the strongest), "drops" (`seat` does `what`), "defends" (`seat` has so
    many defenses), "has" (`seat` has an item), "down", "up", "health", "endurance", "my health",
    "my endurance", "first", "last", "round"; a comparison where the kind needs one.
    """

    kind: str
    seat: str = ""
    other: str = ""
    what: str = ""
    sign: Literal["<", "<=", "=", ">=", ">"] = "="
    number: int = 0

    def holds(self, value: int) -> bool:
        """Compare a value with the test's number."""
        return phrases.Comparison("", self.sign, self.number).holds(value)


class If(Placed, frozen=True, eq=False):
    """Orders that stand only where every test holds, and others that stand where not."""

    tests: tuple[Test, ...]
    then: tuple[RoundOrder, ...]
    otherwise: tuple[RoundOrder, ...] = ()


RoundOrder: TypeAlias = Attack | Defend | Delay | Drop | Ask | Pass
GiftUse: TypeAlias = Add | Drop | Attack | Defend
Order: TypeAlias = RoundOrder | CoopDie | DamageOrder | Resign | If


def dice_of(order: RoundOrder) -> tuple[str, ...]:
    """Return the letters of the dice that an order takes."""
    match order:
        case Attack():
            return (*order.dice, *order.damage)
        case Defend():
            return order.dice
        case Delay() | Drop():
            return (order.die,)
        case _:
            return ()
