"""What the moderator rules of powers themselves, and all that can be said with `do`: that, and what powers did."""

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from pbem.rulesets.rumble.effect import (
    Damage,
    Drop,
    Eliminate,
    Endure,
    EnergyChange,
    Give,
    Ignore,
    Revive,
    SetEnergy,
    Shield,
    ValueChange,
    Win,
)  # fmt: skip

OWNER = "its owner"
"""Whoever has the power that an effect is said for."""


class Veto(msgspec.Struct, frozen=True):
    """A power taken out of the pool."""

    power: str


class Reword(msgspec.Struct, frozen=True):
    """A power's text replaced."""

    power: str
    text: str


class Define(msgspec.Struct, frozen=True):
    """A power that runs by itself from the next phase on, by these lines, which stand on one line here."""

    power: str
    lines: str


class Manual(msgspec.Struct, frozen=True):
    """A power that no longer runs by itself: the moderator says what it does."""

    power: str


PowerRuling: TypeAlias = Veto | Reword | Define | Manual
"""A ruling on a power itself, apart from what happens in a round."""
Said: TypeAlias = (
    EnergyChange | Damage | ValueChange | Shield | Ignore | SetEnergy | Give | Drop | Revive | Eliminate | Endure | Win
    | PowerRuling
)  # fmt: skip
"""What the moderator can say with `do`."""


class ForPower(msgspec.Struct, frozen=True):
    """An effect that is said for a power: it is there as long as somebody has that, and follows it to its `owner`."""

    power: str
    does: Said
    owner: str


def write(effect: Said | ForPower) -> str:
    """Write an effect with seats and pool numbers; whoever has the power that it is said for is its owner."""
    match effect:
        case ForPower(power, does, owner):
            theirs = [blank for blank in ("on", "source") if getattr(does, blank, "") == owner]
            return f"{power}: {write(msgspec.structs.replace(does, **dict.fromkeys(theirs, OWNER)))}"
        case EnergyChange(on, amount, stage):
            where = f" at {stage}" if stage else ""
            return f"{'gain' if amount >= 0 else 'lose'} {on} {abs(amount)}{where}"
        case Damage(on, amount, source, unblockable):
            sender = f" from {source}" if source else ""
            return f"deal {amount} to {on}{sender}{' unblockable' if unblockable else ''}"
        case ValueChange("", on, sign, amount):
            return f"defence({on}) {sign} {amount}"
        case ValueChange(source, on, sign, amount):
            return f"attack({source}, {on}) {sign} {amount}"
        case Shield(on, amount):
            return f"shield {on} {'all' if amount < 0 else amount}"
    return _WORDS[type(effect)].format(effect)


_WORDS: Mapping[type[Said], str] = {
    Ignore: "ignore attack of {0.source} on {0.on}",
    SetEnergy: "energy({0.on}) = {0.amount}",
    Give: "give {0.power} to {0.on}",
    Drop: "discard {0.power}",
    Revive: "revive {0.on} {0.amount}",
    Endure: "keep {0.on} from losing",
    Eliminate: "eliminate {0.on}",
    Win: "win {0.on}",
    Veto: "veto {0.power}",
    Reword: "reword {0.power}: {0.text}",
    Define: "power {0.power} = {0.lines}",
    Manual: "manual {0.power}",
}
"""The words of effects that have no fields."""
