"""What a use of a power costs and whom it may name, by its formal lines; carries nothing out."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TypeAlias

import msgspec

from pbem.ruleset import Refused
from pbem.rulesets.rumble.model.order import Use
from pbem.rulesets.rumble.model.state import Power, State
from pbem.rulesets.rumble.powers.engine import scene
from pbem.rulesets.rumble.powers.engine.active_abilities import ability_of, held, meant, rides, used_ability
from pbem.rulesets.rumble.powers.engine.scene import View
from pbem.rulesets.rumble.powers.language import expressions, lines
from pbem.rulesets.rumble.powers.language.expressions import Name, Number
from pbem.rulesets.rumble.powers.language.lines import Ability
from pbem.rulesets.rumble.powers.language.runnable import runs
from pbem.rulesets.rumble.powers.wording.phrasing import times_of


def priced(state: State, seat: str, power: Power, use: Use) -> Use | Refused:
    """
    Return a use with what it takes; the very one that was written, where the power does not run by itself.

    Shape: what the order says of the cost, if anything, is what the lines say, or an X is found by it.
    Rule: R12, R14, N12; R6 for what it names.
    """
    ability = used_ability(power)
    if ability is None and runs(power.lines):
        return _refused(f"{power.name} holds by itself; it is not used.", "R11")
    if ability is None:
        because = f"{power.name} does not run by itself, so the moderator says what it drains. Leave that out."
        return _refused(because, "N12") if use.drain else use
    if ability.ask:
        return _refused(f"{power.name} goes with captions. Write captions: KRAK, THWIP.", "C31")
    view = View(scene=scene.at_rest(state), me=seat, power=power, names=meant(ability, use, seat))
    if wrong := wrong_names(power, ability, use, view):
        return wrong
    use = msgspec.structs.replace(use, x=_x_by_cost(ability, use, view)) if use.x < 0 else use
    if wrong := _wrong_x(power, ability, use):
        return wrong
    view = msgspec.structs.replace(view, x=max(0, use.x))
    takes = {part: _sum(ability, kind, view) for part, kind in _PARTS.items()}
    paid = (use.spend, use.burn) in ((0, 0), (takes["spend"], takes["burn"]))
    if not paid or use.drain not in (0, takes["drain"]):
        return _refused(f"A use of {power.name} takes {_amounts(takes)}; leave it to me, or write that.", "R14")
    return msgspec.structs.replace(use, **takes)


_Kind: TypeAlias = type[lines.Spend | lines.Burn | lines.Drain]
_PARTS: Mapping[str, _Kind] = {"spend": lines.Spend, "burn": lines.Burn, "drain": lines.Drain}
"""What a use takes, by its field."""


def _x_by_cost(ability: Ability, use: Use, view: View) -> int:
    """Return the X that makes a use take what its order says, as `burn 5` does where lines say burn X; -1 for none."""
    for part, kind in _PARTS.items():
        by_x = [price for price in ability.costs if isinstance(price, kind) and price.amount == Name("X")]
        said: int = getattr(use, part)
        if by_x and said:
            return max(0, said - _sum(ability, kind, view)) // len(by_x)
    return -1


def _sum(ability: Ability, kind: _Kind, view: View) -> int:
    return sum(scene.whole(price.amount, view) for price in ability.costs if isinstance(price, kind))


def _amounts(takes: Mapping[str, int]) -> str:
    return " ".join(f"{part} {amount}" for part, amount in takes.items() if amount) or "nothing"


def _refused(because: str, rule: str) -> Refused:
    return Refused("illegal", because, rule)


def given_up(state: State, use: Use) -> Power | None:
    """Return the power that a use takes as its price, or None."""
    return state.power(use.on) if _pays(state, use) else None


def joints(state: State, use: Use) -> tuple[str, str]:
    """Return the words that stand in a use before what it names first, and before what it names after that."""
    ability = ability_of(state, use) or Ability()
    turns = any(isinstance(one, lines.Retarget) for one in ability.effects)
    between = "to" if turns else "then" if ability.does and not ability.costs else "against"
    return ("discarding" if _pays(state, use) else "on"), between


def _pays(state: State, use: Use) -> bool:
    ability = ability_of(state, use)
    return ability is not None and any(isinstance(price, lines.Pay) for price in ability.costs)


def cannot_go(power: Power) -> str:
    """Return why a power cannot be discarded by its owner, or "". Rule: B6."""
    if power.kind == "flaw" or (power.kind == "curse" and power.handed):
        thing = "Flaw" if power.kind == "flaw" else "Curse that was handed to you"
        return f"{power.name} is a {thing}; it cannot be discarded."
    return ""


def wrong_names(power: Power, ability: Ability, use: Use, view: View) -> Refused | None:
    """Refuse a use that names too little, too much, or what the power cannot be turned on."""
    named = (use.on, *use.then) if use.on else ()
    if not ability.costs and use.times > 1:
        return _refused(f"{power.name} is taken up once in a round. Leave out x{use.times}.", "R13")
    if ability.optional and view.me in named:
        return _refused(f"{power.name} asks for an opponent's name; {view.scene.state.names[view.me]} is you.", "A3")
    if rides(ability) and len(named) != 1:
        return Refused("unreadable", f"Say with which attack: give {power.name} with attack on NAME.", "R6")
    if not ability.choices and not ability.optional:
        return _refused(f"{power.name} has no target. Write use {power.name}.", "R6") if named else None
    if ability.costs and len(named) != len(ability.choices):
        whom = "whom" if ability.choices and ability.choices[0].what in ("hero", "opponent") else "what"
        return Refused(
            "unreadable", f"Say on {whom}: use {power.name} {_blanks(view.scene.state, use, ability)}.", "R6"
        )
    for choice, value in zip(ability.choices, named, strict=False):
        if choice.what == "opponent" and value == view.me:
            return _refused(f"{power.name} is used on an opponent, not on yourself.", "A17")
        if choice.what == "opponent" and value in view.scene.fighting and value not in scene.opponents(view):
            return _refused(
                f"{power.name} is used on an opponent; {view.scene.state.names[value]} is no opponent.", "A17"
            )
        if choice.what in ("hero", "opponent", "power") and value not in _there(choice, ability, view):
            return _refused(f"{power.name} cannot be used so{_limits(choice)}.", "R6")
    gone = given_up(view.scene.state, use)
    if gone and use.times > 1:
        return _refused(f"{gone.name} can be given up once. Leave out x{use.times}.", "B6")
    because = cannot_go(gone) if gone else ""
    return _refused(because, "B6") if because else None


def _there(choice: lines.Choose, ability: Ability, view: View) -> list[str]:
    """Return what may be named; of powers that are taken up for nothing any opponent's, as which is seen later."""
    if ability.costs or choice.what != "power":
        return scene.choices(choice, view)
    others = [seat for seat in view.scene.fighting if seat != view.me]
    return [power.key for seat in others for power in view.scene.state.owned(seat)]


def _limits(choice: lines.Choose) -> str:
    if choice.test is None:
        return ""
    return f": its lines say {choice.what} where {expressions.write(choice.test)}, and `it` is what you named"


def _blanks(state: State, use: Use, ability: Ability) -> str:
    before, between = joints(state, use)
    return " ".join([f"{before} NAME", *(f"{between} NAME" for _ in ability.choices[1:])])


def _wrong_x(power: Power, ability: Ability, use: Use) -> Refused | None:
    if not ability.takes_x and use.x >= 0:
        return _refused(f"{power.name} has no X. Write use {power.name}.", "A29")
    if ability.takes_x and use.x < 0:
        return Refused("unreadable", f"Say how much: use {power.name} X=10.", "A29")
    if ability.takes_x and use.x == 0:
        return _refused("An X of 0 does nothing. X is 1 or more.", "A29")
    return None


def discounted(state: State, seat: str, uses: Sequence[Use]) -> tuple[Use, ...]:
    """
    Return uses with what they take once powers have made them cheaper, some parted into single ones by that.

    Rule: C12: the first payment of a fixed cost may come down to nothing, any other to 1; all that is paid of X for
    one power on one target is one payment.
    """
    less = _discount(state, seat) if uses else 0
    if not less:
        return tuple(uses)
    least = 1 if state.house.get("discount_min") == "1" else 0
    single = [msgspec.structs.replace(use, times=1) for use in uses for _ in range(use.times)]
    for field, kind in (("spend", lines.Spend), ("burn", lines.Burn)):
        seen: dict[tuple[str, ...], int] = {}
        for place, use in enumerate(single):
            ability = ability_of(state, use)
            cost: int = getattr(use, field)
            if not ability or not cost:
                continue
            by_x = any(isinstance(price, kind) and price.amount == Name("X") for price in ability.costs)
            mark = (use.power, use.on, *use.then) if by_x else (use.power,)
            before = seen.get(mark)
            if by_x:  # what is still to be taken off, and not the last point of the payment
                left = less if before is None else before
                now = max(0 if before is not None else 1, cost - left)
                seen[mark] = left - (cost - now)
            else:
                now = max(least if before is None else 1, cost - less)
                seen[mark] = 0
            single[place] = msgspec.structs.replace(use, **{field: min(cost, now)})
    return tuple(msgspec.structs.replace(use, times=len([*same])) for use, same in groupby(single))


def _discount(state: State, seat: str) -> int:
    """Return how much less a seat pays."""
    found = (one for power in state.owned(seat) for one in held(power, lines.Discount))
    return sum(one.amount.value for one in found if isinstance(one.amount, Number))


def over_limit(state: State, seat: str, uses: Sequence[Use]) -> tuple[Use, str] | None:
    """
    Return the use that is one too many, and why, or None.

    Rule: N9 (Activate in a round, Exhaust in a game).
    """
    counted: dict[str, int] = {}
    for use in uses:
        power = state.power(use.power)
        ability = used_ability(power) if power else None
        if power is None or ability is None:
            continue
        times = counted[use.power] = counted.get(use.power, 0) + use.times
        for price in ability.costs:
            if isinstance(price, lines.Activate) and times > price.times:
                return use, f"{power.name} can be used {times_of(price.times)} in a round; this makes {times}."
            if isinstance(price, lines.Exhaust) and power.used + times > price.times:
                left = max(0, price.times - power.used)
                return use, (
                    f"{power.name} can be used {times_of(price.times)} in a game; "
                    f"{_left(left)} left, and this makes {times}."
                )
    return None


def _left(left: int) -> str:
    return "none is" if not left else "one is" if left == 1 else f"{left} are"
