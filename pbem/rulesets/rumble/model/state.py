"""What a game of Rumble is between two phases: heroes, powers, ties; knows nothing of orders."""

import re
from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Any, Literal

import msgspec

from pbem.ruleset import Column, Seat

PhaseKind = Literal["powers", "amend", "auction", "rebid", "keep", "round", "reveal", "over"]
PowerKind = Literal["power", "flaw", "curse"]
Fate = Literal["", "vetoed", "unsold", "discarded"]

START = 100
"""The Energy that a hero begins with (R2)."""
MOST_BID = 100
"""The highest bid on one power (B1)."""
LONGEST_NAME, LONGEST_TEXT = 40, 500
"""Characters of a power's name and of its text, as its author wrote it or as it was reworded (R17)."""


class Hero(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    One seat's hero, or a Sidekick, whose `seat` is a key of its own that nobody can sit on.

    Shape: `out` is the round in which the hero fell, 0 for the auction, -1 while still in; `out_step` orders
    the falls of one round. `dealt`, `taken` and `burnt` are sums over the game, for the last letter. `attacked`
    are the seats that the hero attacked in the round before. `power` is the pool number of the power that a Sidekick
    is, "" for all others (N11).
    """

    seat: Seat
    name: str
    energy: int = START
    out: int = -1
    out_step: int = 0
    dealt: int = 0
    taken: int = 0
    burnt: int = 0
    attacked: tuple[str, ...] = ()
    power: str = ""

    @property
    def is_in(self) -> bool:
        """Say whether the hero is still standing."""
        return self.out < 0


class Power(msgspec.Struct, frozen=True, omit_defaults=True, dict=True):
    """
    One power of the pool; `owner` is "" while nobody has it, `handed` says that its owner did not win it.

    Shape: `strength` is the Power Strength (R19); `author` is told to nobody while the game goes on; `lines` are the
    formal lines by which it runs, "" where the moderator rules what it does. `used` counts its uses, `spent` what its
    present owner spent on it, `fired` what it counts over the game. `buyer` won it at the auction, and paid `price`.
    """

    number: int
    name: str
    text: str
    author: str = ""
    kind: PowerKind = "power"
    owner: str = ""
    strength: int = 0
    handed: bool = False
    fate: Fate = ""
    lines: str = ""
    used: int = 0
    spent: int = 0
    fired: int = 0
    buyer: str = ""
    price: int = 0

    @cached_property
    def key(self) -> str:
        """Return the pool number as letters show it."""
        return f"P{self.number:02}"

    @property
    def in_play(self) -> bool:
        """Say whether the power can be bid for or is somebody's."""
        return not self.fate


class Later(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    What a power leaves for a round to come.

    Shape: `what` is "deal", "forbid", "eliminate", or "defence" and a sign, such as "defence -="; `by` is the
    power's name, `hero` whose it was when it left this ("" where an older release noted it), `source` who deals the
    damage.
    """

    round: int
    what: str
    on: str
    amount: int = 0
    by: str = ""
    source: str = ""
    unblockable: bool = False
    hero: str = ""


class Edit(msgspec.Struct, frozen=True):
    """A number of a power to be changed: in digits, or the word half or double (C13)."""

    power: str
    how: Literal["double", "halve"]
    what: str


class IfWon(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a bidder wants if the power is won: who gets it, or which number changes, the first that can (C7, C13)."""

    give: str = ""
    edits: tuple[Edit, ...] = ()


class State(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True, dict=True):
    """
    A game between two phases; what it finds once, such as the heroes by their seats, it keeps.

    Shape: `house` has every house rule; `bids` maps a pool number ("P03") to each seat's bid for it as it
    stands, kept until the auction is over, as is `if_won`, what they want if they win it; `ties` maps a pool
    number to the seats that bid again for it, `rebidders` to those who have done so, or do, because of a tie;
    `quiet` counts rounds in a row without any Energy lost; `by_powers` sums damage that no hero dealt; `later` is
    what powers leave for rounds to come; `maybes` maps a pool number to the seats that discard it perhaps;
    `shouted` are the words that were shouted for damage. `chart` is the Energy with which the auction, as round 0, and
    each round left everybody, `unfired` are the latest conditions of each seat that did not come true, and `unsigned`
    the seats that nobody is told as authors: all three for the last report.
    """

    phase: PhaseKind = "powers"
    house: dict[str, str] = {}
    heroes: tuple[Hero, ...] = ()
    powers: tuple[Power, ...] = ()
    bids: dict[str, dict[str, int]] = {}
    ties: dict[str, tuple[str, ...]] = {}
    rebidders: dict[str, tuple[str, ...]] = {}
    discards: dict[str, tuple[str, ...]] = {}
    if_won: dict[str, dict[str, IfWon]] = {}
    rebids: int = 0
    round: int = 0
    quiet: int = 0
    by_powers: int = 0
    later: tuple[Later, ...] = ()
    maybes: dict[str, tuple[str, ...]] = {}
    shouted: tuple[str, ...] = ()
    chart: tuple[Column, ...] = ()
    unfired: dict[str, tuple[str, ...]] = {}
    unsigned: tuple[str, ...] = ()

    @cached_property
    def _heroes_by_seat(self) -> Mapping[str, Hero]:
        return {hero.seat: hero for hero in self.heroes}

    @cached_property
    def _powers_by_key(self) -> Mapping[str, Power]:
        return {power.key: power for power in self.powers}

    def hero(self, seat: str) -> Hero:
        """Return the hero of a seat."""
        return self._heroes_by_seat[seat]

    def power(self, key: str) -> Power | None:
        """Return the power of a pool number, or None."""
        return self._powers_by_key.get(key)

    def card(self, key: str) -> Power:
        """Return the power of a pool number that is known to be there, such as an order's."""
        return self._powers_by_key[key]

    @cached_property
    def living(self) -> tuple[Hero, ...]:
        """Return the heroes that are still in."""
        return tuple(hero for hero in self.heroes if hero.is_in)

    def player(self, seat: str) -> Seat:
        """Return the seat that decides for a hero: its own, or for a Sidekick the owner of its power. Rule: N11."""
        hero = self.hero(seat)
        power = self.power(hero.power) if hero.power else None
        return Seat(power.owner) if power else hero.seat

    @cached_property
    def playing(self) -> tuple[Seat, ...]:
        """Return the seats that decide for heroes who are still in, in seat order. Rule: N11."""
        return tuple(dict.fromkeys(self.player(hero.seat) for hero in self.living))

    def sidekicks(self, seat: str) -> tuple[Hero, ...]:
        """Return the Sidekicks that a seat decides for, those alone that are still in. Rule: N11."""
        return tuple(hero for hero in self.living if hero.power and self.player(hero.seat) == seat)

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Map every seat to its hero's name, Sidekicks among them."""
        return {hero.seat: hero.name for hero in self.heroes}

    def owned(self, seat: str) -> tuple[Power, ...]:
        """Return the powers that a seat has."""
        return self._owned.get(seat, ())

    @cached_property
    def _owned(self) -> Mapping[str, tuple[Power, ...]]:
        found: dict[str, tuple[Power, ...]] = {}
        for power in self.powers:
            if power.in_play:
                found[power.owner] = (*found.get(power.owner, ()), power)
        return found

    def pool(self) -> tuple[Power, ...]:
        """Return the powers that nobody has yet and that can still be won."""
        return tuple(power for power in self.powers if power.in_play and not power.owner)


def with_hero(state: State, hero: Hero) -> State:
    """Return the state with one hero changed."""
    return msgspec.structs.replace(
        state, heroes=tuple(hero if held.seat == hero.seat else held for held in state.heroes)
    )


def with_power(state: State, power: Power) -> State:
    """Return the state with one power changed."""
    return msgspec.structs.replace(
        state, powers=tuple(power if held.number == power.number else held for held in state.powers)
    )


def discarded(state: State, keys: Collection[str]) -> State:
    """Return the state with some powers out of play."""
    powers = (msgspec.structs.replace(p, fate="discarded") if p.key in keys else p for p in state.powers)
    return msgspec.structs.replace(state, powers=tuple(powers))


def distinct(names: list[str]) -> list[str]:
    """
    Number names that occur twice: Flight, Flight (2).

    Rule: B7.
    """
    seen: set[str] = set()
    result = []
    for name in names:
        numbered, count = name, 1
        while numbered.casefold() in seen:
            count += 1
            numbered = f"{name} ({count})"
        seen.add(numbered.casefold())
        result.append(numbered)
    return result


def unnumbered(name: str) -> str:
    """
    Return a power's name without the number that tells it from others of the name.

    Rule: B7.
    """
    return re.sub(r" \([0-9]+\)$", "", name)


def is_copy(one: Power, other: Power) -> bool:
    """Say whether two powers are copies of one, or the same. Rule: B2 (ties=shared), N10."""
    return (unnumbered(one.name), one.text, one.strength) == (unnumbered(other.name), other.text, other.strength)


def setup(seats: Mapping[Seat, str], house: Mapping[str, str]) -> State:
    """
    Return the first state: everyone on 100 Energy, powers asked for.

    Rule: R2, R17; names by which people joined stand until round 1 (B10).
    """
    keys = {seat.casefold() for seat in seats}
    names = []
    for seat, name in seats.items():
        taken = name.casefold() in keys - {seat.casefold()}
        names.append(f"{name} (2)" if taken else name)
    heroes = tuple(Hero(seat, name) for seat, name in zip(seats, distinct(names), strict=True))
    return State(house=dict(house), heroes=heroes)


def dump(state: State) -> dict[str, Any]:
    """Return the state as plain TOML values."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(state))
    return plain


def load(data: Mapping[str, Any]) -> State:
    """Return the state that `dump` wrote."""
    return msgspec.convert(data, State)
