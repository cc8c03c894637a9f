"""What a use of a power takes and whom it may name, by its formal lines; what comes of it is the engine's affair."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from pbem.rulesets.rumble.orders import Use
from pbem.rulesets.rumble.powers import lines, scene
from pbem.rulesets.rumble.powers.expressions import Name
from pbem.rulesets.rumble.powers.lines import Ability
from pbem.rulesets.rumble.powers.running import runs, used_ability
from pbem.rulesets.rumble.powers.scene import Scene, View
from pbem.rulesets.rumble.state import Power, State
from pbem.rulesets.rumble.words import Refused


def priced(state: State, seat: str, power: Power, use: Use) -> Use | Refused:
    """
    Return a use with what it takes; as it was written, where the power does not run by itself.

    Rule: R12, R14; R6 for targets.
    """
    if not power.lines:
        return use
    ability = used_ability(power)
    if ability is None:
        return _refused(f"{power.name} holds by itself; it is not used.", "R11") if runs(power.lines) else use
    if _has_x(ability) and use.x < 0 < use.spend:
        use = msgspec.structs.replace(use, x=use.spend)
    wrong = _wrong_target(power, ability, seat, use) or _wrong_x(power, ability, use)
    if wrong:
        return wrong
    living = {str(hero.seat): hero.energy for hero in state.living}
    view = View(scene=Scene(state=state, fighting=tuple(living), energy=dict(living)), me=seat, this=power.key, x=use.x)
    spend = sum(scene.whole(p.amount, view) for p in ability.costs if isinstance(p, lines.Spend))
    burn = sum(scene.whole(p.amount, view) for p in ability.costs if isinstance(p, lines.Burn))
    if (use.spend, use.burn) not in ((0, 0), (max(0, use.x), 0), (spend, burn)):
        return _refused(f"A use of {power.name} takes {_said(spend, burn)}; leave it to me, or write that.", "R14")
    return msgspec.structs.replace(use, spend=spend, burn=burn)


def _said(spend: int, burn: int) -> str:
    parts = [f"spend {spend}"] * bool(spend) + [f"burn {burn}"] * bool(burn)
    return " ".join(parts) or "nothing"


def _refused(because: str, rule: str) -> Refused:
    return Refused("illegal", because, rule)


def _wrong_target(power: Power, ability: Ability, seat: str, use: Use) -> Refused | None:
    if not ability.choices:
        return _refused(f"{power.name} has no target. Write use {power.name}.", "R6") if use.on else None
    choice = ability.choices[0]
    if not use.on:
        return Refused("unreadable", f"Say on whom: use {power.name} on NAME.", "R6")
    if choice.what == "opponent" and use.on == seat:
        return _refused(f"{power.name} is used on an opponent, not on yourself.", "A17")
    return None


def _has_x(ability: Ability) -> bool:
    return any(getattr(price, "amount", None) == Name("X") for price in ability.costs)


def _wrong_x(power: Power, ability: Ability, use: Use) -> Refused | None:
    has_x = _has_x(ability)
    if not has_x and use.x >= 0:
        return _refused(f"{power.name} has no X. Write use {power.name}.", "A29")
    if has_x and use.x < 0:
        return Refused("unreadable", f"Say how much: use {power.name} X=10.", "A29")
    if has_x and use.x == 0:
        return _refused("An X of 0 does nothing. X is 1 or more.", "A29")
    return None


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
                return use, f"{power.name} can be used {_times(price.times)} in a round; this makes {times}."
            if isinstance(price, lines.Exhaust) and power.used + times > price.times:
                left = max(0, price.times - power.used)
                return use, (
                    f"{power.name} can be used {_times(price.times)} in a game; "
                    f"{_left(left)} left, and this makes {times}."
                )
    return None


def _left(left: int) -> str:
    return "none is" if not left else "one is" if left == 1 else f"{left} are"


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")
