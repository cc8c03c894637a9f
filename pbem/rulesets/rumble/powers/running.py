"""Which powers run by themselves, and with what: abilities that hold, and uses that were ordered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

import msgspec

from pbem.ruleset import Complaint
from pbem.rulesets.rumble.allocation import Allocation
from pbem.rulesets.rumble.orders import Use
from pbem.rulesets.rumble.powers import lines, reading, sense
from pbem.rulesets.rumble.powers.expressions import Call, Name, Number
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
    used = [ability for ability in found if ability.costs]
    games = [ability for ability in found if ability.nth and ability.nth.span == "game"]
    return bool(found) and len(used) <= 1 and len(games) <= 1 and all(_runs(ability) for ability in found)


_PRICES = (lines.Spend, lines.Burn, lines.Activate, lines.Exhaust)
_SHARES = (lines.Gain, lines.Lose)


def _runs(ability: Ability) -> bool:
    """Say whether each line of an ability is of those that are run so far."""
    effects = [one.effect for one in ability.does]
    prices = all(isinstance(price, _PRICES) and _is_fixed(price) for price in ability.costs)
    if ability.ask or ability.at_reveal or not prices or not _remembered(ability) or not _known_then(ability):
        return False
    if not all(map(_is_plain, effects)) or (ability.nth and ability.nth.span == "game" and ability.nth.per):
        return False
    match ability.instead or ability.when:
        case None:
            return _holds(ability) and not ability.nth
        case lines.Damage():
            return _answers(ability, effects)
        case lines.Death(who):
            saves = bool(effects) and isinstance(effects[-1], lines.Revive) and isinstance(effects[-1].amount, Number)
            saves = saves and not ability.tests and not any(one.test for one in ability.does)
            once = effects[:-1] == [lines.Discard(Name("this"))]
            return bool(ability.instead) and who == Name("me") and saves and once and _alone(ability)
        case lines.Attacks():
            plain = not (ability.costs or ability.choices or ability.optional or ability.each)
            return all(isinstance(e, _SHARES) for e in effects) and plain
        case lines.RoundEnd(False):
            plain = _chosen(ability) and not ability.nth and not ability.optional
            return all(isinstance(e, (*_SHARES, lines.Win)) for e in effects) and plain
        case lines.RoundStart() | lines.AfterDamage():
            known = (*_SHARES, lines.Deal) if isinstance(ability.when, lines.AfterDamage) else (lines.Gain,)
            return all(isinstance(e, known) and not _lasts(e) for e in effects) and _alone(ability)
    return False


def _holds(ability: Ability) -> bool:
    known = (
        lines.OnAttack, lines.OnDefence, lines.Deal, lines.Shield, lines.PassDefence, lines.IgnoreAttack, *_SHARES,
    )  # fmt: skip
    fits = [
        (isinstance(effect, known) and not _lasts(effect)) or _is_ahead(effect)
        for effect in (one.effect for one in ability.does)
    ]
    return all(fits) and _chosen(ability) and not ability.optional


def _is_ahead(effect: lines.Effect) -> bool:
    """Say whether an effect is one that waits for the next round."""
    match effect:
        case lines.Forbid(next_round=True) | lines.Eliminate(at_the_end_of_next_round=True):
            return True
    return False


def _answers(ability: Ability, effects: list[lines.Effect]) -> bool:
    """What comes of damage: with instead it may change it, with when it may reach into later rounds."""
    if ability.instead:
        known = all(isinstance(e, (lines.OnDamage, lines.Deal, *_SHARES)) and not _lasts(e) for e in effects)
        named = _chosen(ability) if ability.costs else all(c.what in ("hero", "opponent") for c in ability.choices)
        changes = sum(isinstance(e, lines.OnDamage) for e in effects)
        return known and named and changes <= 1 and not ability.optional and not ability.each
    later = all(
        isinstance(e, (lines.Deal, lines.Discard, *_SHARES)) or (isinstance(e, lines.OnDefence) and e.next_round)
        for e in effects
    )
    willing = not ability.optional or [choice.what for choice in ability.choices] == ["power"]
    named = all(choice.what in ("hero", "opponent", "power") for choice in ability.choices)
    return later and willing and named and not ability.each and not ability.costs


def _chosen(ability: Ability) -> bool:
    """An owner names one hero at the most, in the order to use it."""
    named = [choice for choice in ability.choices if choice.what in ("hero", "opponent") and not choice.test]
    return len(named) == len(ability.choices) <= bool(ability.costs)


def _alone(ability: Ability) -> bool:
    return not (ability.costs or ability.choices or ability.nth or ability.optional or ability.each)


def _lasts(effect: lines.Effect) -> bool:
    rider = isinstance(effect, lines.OnAttack) and effect.unblockable
    next_round = isinstance(effect, lines.OnDefence) and effect.next_round
    return rider or next_round or (isinstance(effect, lines.Deal) and effect.rounds is not None)


def _is_fixed(price: lines.Price) -> bool:
    """A price is known as the order is read: a number, or X."""
    return isinstance(getattr(price, "amount", None), Number | None) or getattr(price, "amount", None) == Name("X")


def _is_plain(effect: lines.Effect) -> bool:
    """Say whether an effect is one of those of its form that are done as they read."""
    match effect:
        case lines.PassDefence(of, _, on):
            return of == on
        case lines.OnAttack(source, on, "=", _, final):
            return final and Name("any") in (source, on)
        case lines.OnDefence(_, "=", _, final, next_round):
            return final and not next_round
        case lines.OnAttack(sign="*=") | lines.OnDefence(sign="*=") | lines.OnDamage(sign="*="):
            return isinstance(effect.amount, Number)
    return True


_NOT_YET = {
    "held": {"lost", "dealt"},
    "end": {"attack", "defence", "rank"},
    "damage": {"energy", "lost", "dealt"},
    "start": {
        "attack", "defence", "rank", "allocated_attack", "allocated_defence", "lost", "dealt", "spent", "uses",
        "attacked", "attackers", "targets",
    },
}  # fmt: skip
"""Quantities that are not known, or not yet right, at a moment; what asks for them then does not run."""


def _known_then(ability: Ability) -> bool:
    match ability.instead or ability.when:
        case None:
            moment = "held"
        case lines.RoundEnd():
            moment = "end"
        case lines.RoundStart():
            moment = "start"
        case _:
            moment = "damage"
    words = sense.words(ability)
    tied = not ability.each or not isinstance(ability.each, lines.EachHero) or not isinstance(ability.each.among, Call)
    if "ties" in words and (tied or ability.each.among.word not in ("most", "least")):  # type: ignore[union-attr]
        return False
    attacks = isinstance(ability.each, lines.EachAttack) and moment == "end"
    return not (words & _NOT_YET[moment]) and not attacks


_SPANS = {
    "attacked": ("this_round", "last_round"),
    "attackers": ("this_round", "last_round"),
    "spent": ("game",),
    "lost": ("this_round",),
    "dealt": ("this_round",),
}
"""How far back what happened is remembered."""


def _remembered(ability: Ability) -> bool:
    calls = [call for call in sense.calls(ability) if call.word in _SPANS]
    return all(isinstance(call.of[-1], Name) and call.of[-1].word in _SPANS[call.word] for call in calls)


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
