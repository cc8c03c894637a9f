"""What a power does, by itself or as the moderator says, as values: seats and numbers, at once or later."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, TypeAlias, TypeVar

import msgspec

from pbem.rulesets.rumble.model.state import Later

Stage = Literal["", "costs", "end"]
Sign = Literal["+=", "-=", "*=", "/=", "="]
ANY = "any"


class EnergyChange(msgspec.Struct, frozen=True):
    """
    Energy gained (positive) or lost (negative), at the blows or where `stage` says.

    Shape: `by` is the power that does it, here and below, "" where the moderator says so.
    """

    on: str
    amount: int
    stage: Stage = ""
    by: str = ""


class Damage(msgspec.Struct, frozen=True):
    """Damage dealt by a power; `source` is "" where nobody deals it."""

    on: str
    amount: int
    source: str = ""
    unblockable: bool = False
    by: str = ""


class ValueChange(msgspec.Struct, frozen=True):
    """
    The value changed of an Attack, of a Defence where `source` is "", or of damage on its way.

    Shape: either side of an Attack may be `any`: each such Attack (A6). `number` is that of the power (C21).
    """

    source: str
    on: str
    sign: str
    amount: int
    by: str = ""
    number: int = 0


class Landing(msgspec.Struct, frozen=True):
    """Damage of one source that gets through to somebody, by attack, power or burn; how much, and what changed it."""

    source: str
    on: str
    kind: str
    points: int
    changes: tuple[ValueChange, ...] = ()

    def changed(self, by: ValueChange) -> Landing:
        """Return the damage after one more change, never below 0."""
        points = {
            "*=": self.points * by.amount, "+=": self.points + by.amount, "-=": max(0, self.points - by.amount),
        }.get(by.sign, by.amount)  # fmt: skip
        return msgspec.structs.replace(self, points=points, changes=(*self.changes, by))


class Rider(msgspec.Struct, frozen=True):
    """Unblockable points that go with an Attack."""

    source: str
    on: str
    amount: int
    by: str = ""


class Shield(msgspec.Struct, frozen=True):
    """Damage prevented; -1 is all of it."""

    on: str
    amount: int
    by: str = ""


class Ignore(msgspec.Struct, frozen=True):
    """An Attack that has no effect."""

    source: str
    on: str
    by: str = ""


class PastDefence(msgspec.Struct, frozen=True):
    """An Attack that goes past Defence."""

    source: str
    on: str
    by: str = ""


class SetEnergy(msgspec.Struct, frozen=True):
    """Energy set once the blows have fallen."""

    on: str
    amount: int


class Forbid(msgspec.Struct, frozen=True):
    """A hero who cannot attack."""

    on: str
    by: str = ""


class Require(msgspec.Struct, frozen=True):
    """A hero who has to attack another with so much, or with all there is (C28)."""

    on: str
    against: str
    amount: int
    by: str = ""


class Give(msgspec.Struct, frozen=True):
    """A power handed to a hero."""

    power: str
    on: str
    by: str = ""


class Drop(msgspec.Struct, frozen=True):
    """A power discarded."""

    power: str
    by: str = ""


class Swap(msgspec.Struct, frozen=True):
    """Two heroes who change all powers and their Energy."""

    on: str
    other: str
    by: str = ""


class Revive(msgspec.Struct, frozen=True):
    """
    A hero saved from falling, once, at this Energy (A26).

    Shape: `by` is the number of the power; `bursts` says that it strikes others first.
    """

    on: str
    amount: int
    by: str = ""
    bursts: bool = False


class Endure(msgspec.Struct, frozen=True):
    """A hero who cannot fall, by a power of this number; Energy stops at 0 (C15)."""

    on: str
    by: str = ""


class Eliminate(msgspec.Struct, frozen=True):
    """A hero out at the end of the round; `hero` is whose power left that, "" where that is not asked."""

    on: str
    hero: str = ""
    by: str = ""


class Win(msgspec.Struct, frozen=True):
    """A hero wins if still in at the end of the round."""

    on: str
    by: str = ""


Effect: TypeAlias = (
    EnergyChange | Damage | ValueChange | Shield | Ignore | PastDefence | Rider | SetEnergy | Forbid | Require | Give
    | Drop | Swap | Revive | Endure | Eliminate | Win | Later
)  # fmt: skip
"""What comes of a power: at once, or in a round to come."""


def put_off(effect: Effect, number: int, hero: str) -> Later:
    """Put an effect off to a later round; `hero` is whose power leaves it."""
    match effect:
        case Damage(on, amount, source, unblockable, by):
            return Later(number, "deal", on, amount, by, source, unblockable, hero)
        case ValueChange("", on, sign, amount, by):
            return Later(number, f"defence {sign}", on, amount, by, hero=hero)
        case Require(on, against, amount, by):
            return Later(number, "require", on, amount, by, against, hero=hero)
        case Forbid(on, by):
            return Later(number, "forbid", on, by=by, hero=hero)
        case Eliminate(on, _, by):
            return Later(number, "eliminate", on, by=by, hero=hero)
    raise ValueError(f"{effect} comes at once, or not at all.")


def due(later: Later) -> Effect:
    """Return the effect that was put off."""
    match later:
        case Later(_, "deal", on, amount, by, source, unblockable):
            return Damage(on, amount, source, unblockable, by)
        case Later(_, "require", on, amount, by, against):
            return Require(on, against, amount, by)
        case Later(_, "forbid", on, _, by):
            return Forbid(on, by)
        case Later(_, "eliminate", on, _, by):
            return Eliminate(on, later.hero, by)
    return ValueChange("", later.on, later.what.removeprefix("defence "), later.amount, later.by)


def target(effect: object) -> tuple[str, ...]:
    """Return the seats that an effect is about."""
    seats = (getattr(effect, "on", ""), getattr(effect, "source", ""))
    return tuple(seat for seat in seats if seat and seat != ANY)


E = TypeVar("E")


def of_kind(effects: Sequence[object], kind: type[E]) -> list[E]:
    """Return the effects of one kind, in the order in which they were given."""
    return [effect for effect in effects if isinstance(effect, kind)] if effects else []


def changes(effects: Sequence[Effect], seat: str, stage: Stage) -> tuple[int, int]:
    """Return what a seat gains and loses at a stage by the moderator's word, each as a sum."""
    ruled = [one for one in of_kind(effects, EnergyChange) if not one.by]
    if not ruled:
        return 0, 0
    amounts = [one.amount for one in ruled if one.on == seat and one.stage == stage]
    return sum(n for n in amounts if n > 0), -sum(n for n in amounts if n < 0)


def set_to(effects: Sequence[Effect], seat: str) -> int | None:
    """Return what a seat's Energy is set to, the last word counting, or None."""
    return next((e.amount for e in reversed(of_kind(effects, SetEnergy)) if e.on == seat), None)


def revival(effects: Sequence[Effect], seat: str, spent: Sequence[str] = ()) -> Revive | None:
    """Return what saves a seat from falling, or None; `spent` are the powers that have done so already."""
    return next((e for e in of_kind(effects, Revive) if e.on == seat and e.by not in spent), None)


def without(effects: Sequence[Effect], gone: Collection[str]) -> tuple[Effect, ...]:
    """Return the effects without those by which powers that have gone kept heroes in."""
    return tuple(effect for effect in effects if not (isinstance(effect, Revive | Endure) and effect.by in gone))


def endures(effects: Sequence[Effect], seat: str) -> bool:
    """Say whether a seat cannot fall."""
    return any(effect.on == seat for effect in of_kind(effects, Endure))
