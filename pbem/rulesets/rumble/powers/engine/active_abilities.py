"""An ability at work, and what the orders to use a power mean; which lines run is settled elsewhere."""

from functools import lru_cache

import msgspec

from pbem.rulesets.rumble.model.order import Captions, Use
from pbem.rulesets.rumble.model.state import Power, State
from pbem.rulesets.rumble.powers.engine.scene import Scene, Value, View
from pbem.rulesets.rumble.powers.language import lines
from pbem.rulesets.rumble.powers.language.forms import F, Formed
from pbem.rulesets.rumble.powers.language.hindrances import is_used
from pbem.rulesets.rumble.powers.language.lines import Ability
from pbem.rulesets.rumble.powers.language.runnable import abilities, running_abilities


class ActiveAbility(msgspec.Struct, frozen=True, kw_only=True):
    """
    An ability at work: one that holds by itself, or one use of it.

    Shape: `use` is the order it comes of, None where it holds; `place` counts the uses of a power, from 1,
    else 0. `packets` is in which order the owner counts damage, by who else is in it (C17); `captions` are the words
    that the owner shouts for it (C31).
    """

    power: Power
    ability: Ability
    use: Use | None = None
    place: int = 0
    packets: tuple[str, ...] = ()
    captions: tuple[Captions, ...] = ()

    def view(self, scene: Scene) -> View:
        """Look at a scene as this power's owner does."""
        me, use = self.power.owner, self.use
        named = use if self.ability.costs else None  # what is taken up for nothing is named when it comes to it
        names = meant(self.ability, named, me) if named else {}
        return View(scene=scene, me=me, power=self.power, names=names, x=max(0, use.x) if use else 0)


def meant(ability: Ability, use: Use, me: str) -> dict[str, Value]:
    """Return what the names that an ability gives stand for in a use of it."""
    named = zip(ability.choices, (use.on, *use.then), strict=False)
    return {choice.name: (value, me) if choice.what == "attack" else value for choice, value in named if value}


def used_ability(power: Power) -> Ability | None:
    """
    Return what an order to use a power means: the ability that its owner takes up, or None.

    Shape: also of lines that do not run any more, so that orders which were taken can be read until the phase closes.
    """
    return _used_in(power.lines)


@lru_cache(maxsize=4096)
def _used_in(text: str) -> Ability | None:
    return next(filter(is_used, abilities(text)), None)


def ability_of(state: State, use: Use) -> Ability | None:
    """Return what a use of a power means, or None where the power does not run by itself."""
    power = state.power(use.power)
    return used_ability(power) if power else None


_NONE = Ability()


def _used(power: Power) -> Ability:
    return used_ability(power) or _NONE


def rides(ability: Ability) -> bool:
    """Say whether an ability goes with an Attack, so that its owner has to say with which."""
    return ability.optional and isinstance(ability.when, lines.Attacks)


def is_for_reveal(power: Power) -> bool:
    """Say whether a power can be used when all orders lie open, where no captions are shouted any more. Rule: C1."""
    ability = used_ability(power)
    if ability is None or ability.ask:
        return False
    return not any(isinstance(price, lines.Spend | lines.Burn) for price in ability.costs)


def is_named_for_nothing(power: Power) -> bool:
    """Say whether the owner of a power names what it does it to, and pays nothing."""
    return bool(_used(power).choices) and not _used(power).costs


def does(power: Power, kind: type[Formed]) -> bool:
    """Say whether what the owner of a power takes up does a thing."""
    return any(isinstance(one, kind) for one in _used(power).effects)


def held(power: Power, kind: type[F]) -> tuple[F, ...]:
    """Return what a power that runs by itself does of a kind."""
    return tuple(effect for _, effect in held_by(power, kind))


def held_by(power: Power, kind: type[F]) -> tuple[tuple[Ability, F], ...]:
    """Return what a power that runs by itself does of a kind, each with its ability."""
    return _held_in(power.lines, kind)  # type: ignore[return-value]


@lru_cache(maxsize=4096)
def _held_in(text: str, kind: type[Formed]) -> tuple[tuple[Ability, Formed], ...]:
    return tuple(
        (ability, one) for ability in running_abilities(text) for one in ability.effects if isinstance(one, kind)
    )


def allocates_later(power: Power) -> bool:
    """Say whether a power lets its owner allocate Energy once all orders lie open. Rule: R16."""
    return bool(held(power, lines.Later))


def keeps_in(power: Power) -> bool:
    """Say whether a power keeps its owner from losing. Rule: C15."""
    return bool(held(power, lines.Endure))


def answers(power: Power) -> bool:
    """Say whether the owner of a power may have something to say once all orders lie open. Rule: C2."""
    return is_for_reveal(power) or does(power, lines.Move) or allocates_later(power)


def names_attack(power: Power) -> bool:
    """Say whether whom the owner of a power names stands for their Attack alone, so that nobody is aimed at."""
    ability = _used(power)
    if ability.costs:
        return False
    return any(choice.what == "attack" for choice in ability.choices) or (is_sparing(power) and not ability.choices)


def is_sparing(power: Power) -> bool:
    """Say whether a power may prevent damage to its owner at a price of its own, so that silence needs a rule (C25)."""
    ability = _used(power)
    return ability.optional and isinstance(ability.instead, lines.Damage) and not ability.ask


def asks(power: Power) -> bool:
    """Say whether the owner of a power shouts captions, each of which is put to the moderator. Rule: C31."""
    return bool(_used(power).ask)
