"""Which powers run by themselves, and with what: abilities that hold, and uses that were ordered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

import msgspec

from pbem.ruleset import Complaint
from pbem.rulesets.rumble.allocation import Allocation
from pbem.rulesets.rumble.orders import Use
from pbem.rulesets.rumble.powers import lines, reading, sense
from pbem.rulesets.rumble.powers.expressions import Name
from pbem.rulesets.rumble.powers.lines import Ability, Effects
from pbem.rulesets.rumble.powers.scene import Scene, View
from pbem.rulesets.rumble.state import Power, State


class Running(msgspec.Struct, frozen=True, kw_only=True):
    """
    An ability at work: one that holds by itself, or one use of it.

    Shape: `on` is the use's target, "" where it has none; `place` counts the uses of a power, from 1, else 0.
    """

    power: Power
    ability: Ability
    on: str = ""
    x: int = 0
    place: int = 0

    def view(self, scene: Scene) -> View:
        """Look at a scene as this power's owner does."""
        names = {choice.name: self.on for choice in self.ability.choices} if self.on else {}
        return View(scene=scene, me=self.power.owner, this=self.power.key, names=names, x=self.x)


@lru_cache(maxsize=4096)
def abilities(text: str) -> Effects:
    """Return the abilities of formal lines; of none, and of what cannot be read, none."""
    found = reading.read(text) if text else ()
    return () if any(isinstance(one, Complaint) for one in found) else found  # type: ignore[return-value]


@lru_cache(maxsize=4096)
def runs(text: str) -> bool:
    """
    Say whether formal lines run by themselves: each ability, in each of its lines.

    What does not is ruled by the moderator, the whole power, so that nobody has to know which half is whose.
    """
    found = abilities(text)
    return bool(found) and all(_runs(ability) for ability in found)


_EFFECTS = (
    lines.OnAttack, lines.OnDefence, lines.Deal, lines.Gain, lines.Lose, lines.Shield, lines.PassDefence,
    lines.IgnoreAttack, lines.Win,
)  # fmt: skip
_PRICES = (lines.Spend, lines.Burn, lines.Activate, lines.Exhaust)
_AT_THE_END = (lines.Gain, lines.Lose, lines.Win)


def _runs(ability: Ability) -> bool:
    """Say whether each line of an ability is of those that are run so far."""
    effects = [one.effect for one in ability.does]
    when = ability.when
    held = not (ability.instead or ability.optional or ability.ask or ability.at_reveal or ability.nth)
    moment = when is None or when in (lines.RoundEnd(), lines.RoundStart())
    plain = when is None or all(isinstance(effect, _AT_THE_END) for effect in effects)
    chosen = all(choice.what in ("hero", "opponent") for choice in ability.choices) and len(ability.choices) <= 1
    chosen = chosen and (bool(ability.costs) or not ability.choices)
    prices = all(isinstance(price, _PRICES) for price in ability.costs)
    known = all(isinstance(effect, _EFFECTS) and not _lasts(effect) for effect in effects)
    wins = all(not isinstance(e, lines.Win) or isinstance(when, lines.RoundEnd) for e in effects)
    later = not ability.costs or not isinstance(when, lines.RoundStart)
    return held and moment and plain and chosen and prices and known and wins and later and _remembered(ability)


_SPANS = {
    "attacked": ("this_round", "last_round"),
    "attackers": ("this_round", "last_round"),
    "spent": ("this_round", "game"),
    "lost": ("this_round",),
    "dealt": ("this_round",),
}
"""How far back what happened is remembered."""


def _remembered(ability: Ability) -> bool:
    calls = [call for call in sense.calls(ability) if call.word in _SPANS]
    return all(isinstance(call.of[-1], Name) and call.of[-1].word in _SPANS[call.word] for call in calls)


def _lasts(effect: lines.Effect) -> bool:
    rider = isinstance(effect, lines.OnAttack) and effect.unblockable
    next_round = isinstance(effect, lines.OnDefence) and effect.next_round
    return rider or next_round or (isinstance(effect, lines.Deal) and effect.rounds is not None)


def used_ability(power: Power) -> Ability | None:
    """Return what an order to use a power means: the ability that costs something, or None."""
    if not runs(power.lines):
        return None
    return next((ability for ability in abilities(power.lines) if ability.costs), None)


def at_work(state: State, allocations: Mapping[str, Allocation], fighting: tuple[str, ...]) -> tuple[Running, ...]:
    """List the abilities of those who fight: what holds, and each use, in order of the powers' numbers."""
    return tuple(
        running
        for power in sorted(state.powers, key=lambda power: power.number)
        if power.in_play and power.owner in fighting and runs(power.lines)
        for running in _of(power, allocations[power.owner].uses)
    )


def _of(power: Power, uses: tuple[Use, ...]) -> Iterator[Running]:
    for ability in abilities(power.lines):
        if not ability.costs:
            yield Running(power=power, ability=ability)
            continue
        place = 0
        for use in uses:
            if use.power == power.key:
                for _ in range(use.times):
                    place += 1
                    yield Running(power=power, ability=ability, on=use.on, x=max(0, use.x), place=place)
