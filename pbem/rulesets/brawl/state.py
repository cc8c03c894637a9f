"""What a brawl is between two phases: fighters, their dice, who declares when; knows nothing of orders."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Literal

import msgspec

from pbem.ruleset import Column, Seat, phrases

PhaseKind = Literal["round", "turn", "over"]
Use = Literal["", "attack", "defense", "damage"]
Item = Literal["", "small", "big"]

BUFFER = 10
"""How far Health can fall below 0 (K25)."""
MOST_DRUNK = 10
"""The most Health that drinks bring back in a game (K22)."""

COOP = "coop"
"""What orders call the die that somebody else gave."""
BIG = 4
"""What a dropped die shows at least to pick up something big (K21)."""


class Die(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    One die of a pool; `letter` is what orders call it.

    Shape: `use` is what a delayed die is fixed to (K13); `source` says where it came from: "" rolled, "extra" for a
    six, "delayed", "floor" for a lucky six while down.
    """

    letter: str
    value: int
    use: Use = ""
    source: Literal["", "extra", "delayed", "floor"] = ""

    @property
    def label(self) -> str:
        """Return the die as letters show it: a6."""
        return f"{self.letter}{self.value}"

    @property
    def full_label(self) -> str:
        """Return the die as letters show it, a delayed one with what it is for: a6(attack)."""
        return f"{self.label}({self.use})" if self.use else self.label


class Fighter(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """
    One seat's fighter.

    Shape: `team` is 0 for who fights alone; `drunk` is the Health that drinks brought; `dizzy` counts rounds to come,
    `down` those from this one on; `cold` says that the Buffer was gone at the knock-out (K27); `away` that a Move is
    due to come back (K-nn); `knocked` counts knock-outs; `gone` is who resigned. `dice` and `initiative` are this
    round's.
    """

    seat: Seat
    name: str
    base_attack: int
    base_defense: int
    endurance: int
    full_endurance: int
    health: int
    full_health: int
    team: int = 0
    advantage: int = 0
    maneuver: int = 0
    item: Item = ""
    drunk: int = 0
    dizzy: int = 0
    down: int = 0
    cold: bool = False
    away: bool = False
    group: int = 0
    knocked: int = 0
    gone: bool = False
    dice: tuple[Die, ...] = ()
    initiative: int = 0

    @property
    def buffer(self) -> int:
        """Return what is left of the Buffer (K25)."""
        return min(BUFFER, BUFFER + self.health)

    @property
    def is_up(self) -> bool:
        """Say whether the fighter is on their feet."""
        return not self.down and not self.gone

    @property
    def fights(self) -> bool:
        """Say whether the fighter is in the fight: up, and not waiting to come back."""
        return self.is_up and not self.away

    def die(self, letter: str) -> Die | None:
        """Return a die of the pool."""
        return next((die for die in self.dice if die.letter == letter), None)


class State(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True, dict=True):
    """
    A brawl between two phases; what its properties look up by seat is worked out once, and kept nowhere.

    Shape: `order` are the seats that declare, the slowest first, a row for each rank: more than one seat in it where
    they declare at the same time (K5). In a turn `turn` is the seat that is asked: in the middle of a round, or in a
    game where all are asked one after the other (M1), the slowest as it begins. `quiet` counts rounds in a row in which
    nobody was hurt, `stories` those of each kind that the reports led with; `chart` is the Health with
    which each round left everybody who was still there.
    """

    phase: PhaseKind = "round"
    house: dict[str, str] = {}
    fighters: tuple[Fighter, ...] = ()
    round: int = 1
    order: tuple[tuple[Seat, ...], ...] = ()
    turn: str = ""
    quiet: int = 0
    stories: dict[str, int] = {}
    chart: tuple[Column, ...] = ()

    @cached_property
    def names(self) -> Mapping[Seat, str]:
        """Map seats to fighters' names."""
        return {fighter.seat: fighter.name for fighter in self.fighters}

    @cached_property
    def by_seat(self) -> Mapping[str, Fighter]:
        """Map seats to fighters."""
        return {fighter.seat: fighter for fighter in self.fighters}

    @cached_property
    def ranks(self) -> Mapping[str, int]:
        """Map the seats that declare to their places, 0 the slowest."""
        return {seat: place for place, seats in enumerate(self.order) for seat in seats}

    @cached_property
    def sides(self) -> Mapping[str, str]:
        """Map seats to the side that each is on: its team, or itself if that team has nobody to fight."""
        are_two = len({fighter.team for fighter in self.fighters}) > 1
        return {one.seat: f"team {one.team}" if one.team and are_two else str(one.seat) for one in self.fighters}

    @property
    def is_pub(self) -> bool:
        """Say whether it is a Pub Brawl, with all that one can do there."""
        return self.house["game"] == "pub"

    def fighter(self, seat: str) -> Fighter:
        """Return a seat's fighter."""
        return self.by_seat[seat]

    def rank(self, seat: str) -> int:
        """Return the place of a seat among those who declare, 0 the slowest; -1 for who does not."""
        return self.ranks.get(seat, -1)

    def side(self, seat: str) -> str:
        """Return the side that a seat is on."""
        return self.sides[seat]

    def stands(self, seat: str) -> bool:
        """Say whether a fighter stands: in the fight, and not aside with nobody to fight (K-z, K-aa)."""
        one = self.fighter(seat)
        near = (other for other in self.fighters if other.group == one.group and not other.gone)
        return one.fights and (not one.group or any(self.side(other.seat) != self.side(seat) for other in near))

    def declares(self, seat: str) -> bool:
        """Say whether a seat has anything to declare: dice, or what to do with one that it is given (K18)."""
        one = self.fighter(seat)
        return bool(one.dice) or (self.is_pub and one.is_up and any(other.dice for other in self.fighters))

    def declaring(self) -> tuple[Seat, ...]:
        """Return the seats that have something to declare, the slowest first."""
        return tuple(seat for rank in self.order for seat in rank if self.declares(seat))

    def lying(self) -> tuple[Seat, ...]:
        """Return the seats that have not left and have nothing to declare; they may resign (M5)."""
        return tuple(one.seat for one in self.fighters if not one.gone and not self.declares(one.seat))


def with_fighter(state: State, fighter: Fighter) -> State:
    """Return the state with one fighter changed."""
    return with_fighters(state, (fighter,))


def with_fighters(state: State, fighters: Sequence[Fighter]) -> State:
    """Return the state with some fighters changed; the same where none is."""
    if not fighters:
        return state
    changed = dict(state.by_seat)
    changed.update((fighter.seat, fighter) for fighter in fighters)
    return msgspec.structs.replace(state, fighters=tuple(changed.values()))


def cleared(state: State, phase: PhaseKind) -> State:
    """Return the state in a phase in which nobody declares or is asked yet."""
    return msgspec.structs.replace(state, phase=phase, order=(), turn="")


def find_fighter(state: State, said: str) -> Seat | phrases.Unread:
    """Find a fighter: a seat as the core writes it, or a name as people do."""
    if said in state.by_seat:
        return Seat(said)
    return phrases.find(said, state.names, "fighter")
