"""What a fighter can order, as frozen values that write themselves; knows nothing of what comes of them."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from pbem.ruleset import Placed, phrases
from pbem.rulesets.brawl.state import COOP, State, Use
from pbem.rulesets.brawl.words import written

Action = Literal[
    "counter", "advantage", "maneuver", "regain", "coop", "move", "charge", "bind", "pickup", "drink"
]  # fmt: skip
Role = Literal["attack", "defense", "damage"]

ACTIVE = ("advantage", "maneuver", "pickup")
"""What lasts beyond its round, and can be countered then (K14)."""
BARE = ("counter", "advantage", "maneuver", "regain")
"""What can be done in a bare-knuckle fight (K14-K17)."""
_WRITTEN = {
    "always": "always", "first": "I am first", "last": "I am last", "attacks": "{name} attacks {other}",
    "drops": "{name} drops {what}", "defends": "{name} defends {number}", "has": "{name} has item",
    "down": "{name} is down", "up": "{name} is up", "health": "health of {name} {sign} {number}",
    "endurance": "endurance of {name} {sign} {number}",
}  # fmt: skip
"""How a test of each kind is written; all others compare what they are called."""


class _RoundOrder(Placed, frozen=True, eq=False):
    """What can stand behind an if; `letters` are those of the dice that it takes."""

    @property
    def letters(self) -> tuple[str, ...]:
        """Return the letters of no dice: most take none."""
        return ()


class Attack(_RoundOrder, frozen=True, eq=False):
    """An attack: the letters of its dice and of those for its damage (K9, K10)."""

    on: str
    dice: tuple[str, ...]
    damage: tuple[str, ...]

    @property
    def letters(self) -> tuple[str, ...]:
        """Return all its dice."""
        return (*self.dice, *self.damage)

    def write(self, state: State) -> str:
        """Write it as a line."""
        return f"attack {written(state, self.on)} with {' '.join(self.dice)} damage {' '.join(self.damage)}"

    def write_given(self, state: State) -> str:
        """Write it as the use of a given die, which is one half of it."""
        dice = f"with {' '.join(self.dice)}" if COOP in self.damage else f"damage {' '.join(self.damage)}"
        return f"attack {written(state, self.on)} {dice}"


class Defend(_RoundOrder, frozen=True, eq=False):
    """A defense against one attack, of whoever comes or of one fighter (K11)."""

    dice: tuple[str, ...]
    vs: str = ""

    @property
    def letters(self) -> tuple[str, ...]:
        """Return its dice."""
        return self.dice

    def write(self, state: State) -> str:
        """Write it as a line."""
        return f"defend with {' '.join(self.dice)}" + (f" vs {written(state, self.vs)}" if self.vs else "")

    def write_given(self, state: State) -> str:
        """Write it as the use of a given die."""
        return "defend"


class Delay(_RoundOrder, frozen=True, eq=False):
    """A die kept for the next round, for one use (K13)."""

    die: str
    use: Use

    @property
    def letters(self) -> tuple[str, ...]:
        """Return its die."""
        return (self.die,)

    def write(self, state: State) -> str:
        """Write it as a line."""
        return f"delay {self.die} {self.use}"


class Drop(_RoundOrder, frozen=True, eq=False):
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

    @property
    def letters(self) -> tuple[str, ...]:
        """Return its die."""
        return (self.die,)

    def write(self, state: State) -> str:
        """Write it as a line."""
        return f"drop {self.die} {self.write_given(state)}"

    def write_given(self, state: State) -> str:
        """Write what a die is dropped for."""
        on = written(state, self.on) if self.on else ""
        match self.action:
            case "counter":
                return f"counter {on} {'old ' if self.old else ''}{self.what}"
            case "coop" | "bind":
                return f"{self.action} {on}"
            case "charge":
                return f"move charge {self.attack}"
            case "move":
                return f"move to {on}" if on else f"move {self.what}".strip()
            case _:
                return self.action


class Add(Placed, frozen=True, eq=False):
    """A given die added to an attack, a defense, or the damage of an attack, counted from 1 (K18)."""

    to: Role
    number: int = 1

    def write_given(self, state: State) -> str:
        """Write it as the use of a given die."""
        return f"add to {self.to} {self.number}"


class CoopDie(Placed, frozen=True, eq=False):
    """What to do with a die that somebody gives: the first of these that can be done (K18)."""

    uses: tuple[GiftUse, ...]

    def write(self, state: State) -> str:
        """Write it as a line."""
        return "coop die: " + " else ".join(use.write_given(state) for use in self.uses)


class DamageOrder(Placed, frozen=True, eq=False):
    """The order in which damage dice hurt (K-f)."""

    how: Literal["listed", "high", "low"]

    def write(self, state: State) -> str:
        """Write it as a line."""
        return f"damage order: {self.how}"


class Ask(_RoundOrder, frozen=True, eq=False):
    """A wish to be asked once the slower fighters have declared (M2)."""

    def write(self, state: State) -> str:
        """Write it as a line."""
        return "ask me"


class Pass(_RoundOrder, frozen=True, eq=False):
    """Nothing, which leaves the dice that no line uses (M3); or a branch that orders nothing, and leaves none."""

    leaves: bool = True

    def write(self, state: State) -> str:
        """Write it as a line."""
        return "pass" if self.leaves else "go on"


class Resign(Placed, frozen=True, eq=False):
    """Leave the game (M5)."""

    def write(self, state: State) -> str:
        """Write it as a line."""
        return "resign"


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
        return phrases.holds(self.sign, value, self.number)

    def write(self, state: State) -> str:
        """Write it as it is read."""
        name = written(state, self.seat) if self.seat else ""
        other = written(state, self.other) if self.other else "me"
        form = _WRITTEN.get(self.kind, f"{self.kind} {{sign}} {{number}}")
        return form.format(name=name, other=other, what=self.what, sign=self.sign, number=self.number)


class If(Placed, frozen=True, eq=False):
    """Orders that count only if every test holds, and others that count if not."""

    tests: tuple[Test, ...]
    then: tuple[RoundOrder, ...]
    otherwise: tuple[RoundOrder, ...] = ()

    def write(self, state: State) -> str:
        """Write it as a line."""
        tests = " and ".join(test.write(state) for test in self.tests)
        then = "; ".join(one.write(state) for one in self.then)
        otherwise = "; ".join(one.write(state) for one in self.otherwise)
        return f"if {tests}: {then}" + (f" else {otherwise}" if otherwise else "")


RoundOrder: TypeAlias = Attack | Defend | Delay | Drop | Ask | Pass
GiftUse: TypeAlias = Add | Drop | Attack | Defend
Order: TypeAlias = RoundOrder | CoopDie | DamageOrder | Resign | If
