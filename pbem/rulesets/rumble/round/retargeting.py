"""Uses of powers that are turned on others at the reveal; pays for nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from pbem.ruleset import EVERYONE, Event
from pbem.rulesets.rumble.order import Use
from pbem.rulesets.rumble.powers.engine.prices import wrong_names
from pbem.rulesets.rumble.powers.engine.running import does, meant, names_attack, used_ability
from pbem.rulesets.rumble.powers.engine.scene import Scene, View
from pbem.rulesets.rumble.powers.language import lines
from pbem.rulesets.rumble.round.opened import Opened
from pbem.rulesets.rumble.state import State


def one_by_one(opened: Opened) -> Opened:
    """Part uses that turn others into single ones, since each turns one."""
    for seat in opened.fighting:
        allocation = opened.allocations[seat]
        uses = [
            msgspec.structs.replace(use, times=1) if turns_others(opened.state, use) else use
            for use in allocation.uses
            for _ in range(use.times if turns_others(opened.state, use) else 1)
        ]
        opened = opened.changed(seat, msgspec.structs.replace(allocation, uses=tuple(uses)))
    return opened


def turns_others(state: State, use: Use) -> bool:
    """Say whether a use turns that of another."""
    power = state.power(use.power)
    return power is not None and does(power, lines.Retarget)


class Turn(msgspec.Struct, frozen=True):
    """A use of a power that somebody turns on somebody else."""

    by: Use
    user: str
    use: Use
    to: str


def turns_of(opened: Opened) -> list[Turn]:
    """List the uses that are turned, each once, by whom they were aimed at; what cannot be turned so is not listed."""
    taken: list[tuple[str, int, int]] = []
    found: list[Turn] = []
    for seat in opened.fighting:
        for by in opened.allocations[seat].uses:
            if not turns_others(opened.state, by):
                continue
            for mark, user, use in _aimed_at(opened, seat, by.on):
                if mark not in taken and _may_turn(opened, user, use, by.then[0]):
                    taken.append(mark)
                    found.append(Turn(by, user, use, by.then[0]))
                    break
    return found


def ability_of(state: State, use: Use) -> lines.Ability | None:
    """Return what a use of a power means, or None where the power does not run by itself."""
    power = state.power(use.power)
    return used_ability(power) if power else None


def _aimed_at(opened: Opened, seat: str, key: str) -> Iterator[tuple[tuple[str, int, int], str, Use]]:
    power = opened.state.power(key)
    if power and names_attack(power):
        return
    for user in opened.fighting:
        for place, use in enumerate(opened.allocations[user].uses):
            if use.power == key and use.on == seat:
                yield from (((user, place, time), user, use) for time in range(use.times))


def _may_turn(opened: Opened, user: str, use: Use, to: str) -> bool:
    """Say whether a use might have been aimed at somebody by its owner. Rule: C3."""
    power, ability = opened.state.power(use.power), ability_of(opened.state, use)
    if to not in opened.fighting or power is None:
        return False
    if ability is None:
        return True
    aimed = msgspec.structs.replace(use, on=to)
    now = Scene(state=opened.state, fighting=opened.fighting, energy={s: t.energy for s, t in opened.tolls.items()})
    view = View(scene=now, me=user, this=power.key, names=meant(ability, aimed, user), x=max(0, use.x))
    return wrong_names(power, ability, aimed, view) is None


def turn_over(opened: Opened, turns: Sequence[Turn]) -> Opened:
    """Turn uses on those whom others chose, where both are still in."""
    for turn in turns:
        by = next((s for s in opened.fighting if any(use is turn.by for use in opened.allocations[s].uses)), "")
        if not by or turn.user not in opened.fighting or turn.to not in opened.fighting:
            continue
        allocation = opened.allocations[turn.user]
        uses = _split(allocation.uses, turn)
        names, power = opened.state.names, opened.state.power(turn.use.power)
        facts = {"hero": names[by], "power": power.name if power else "", "of": names[turn.user], "to": names[turn.to]}
        event = Event(kind="retargeted", to=EVERYONE, facts=facts, rule="C3")
        opened = opened.changed(turn.user, msgspec.structs.replace(allocation, uses=uses), event)
    return opened


def _split(uses: tuple[Use, ...], turn: Turn) -> tuple[Use, ...]:
    """Take one time of a use out of the uses and aim it anew."""
    place = next((n for n, use in enumerate(uses) if use == turn.use or _is_rest(use, turn.use)), None)
    if place is None:
        return uses
    use = uses[place]
    rest = () if use.times == 1 else (msgspec.structs.replace(use, times=use.times - 1),)
    return (*uses[:place], *rest, msgspec.structs.replace(use, on=turn.to, times=1), *uses[place + 1 :])


def _is_rest(use: Use, whole: Use) -> bool:
    """Say whether a use is what others have left of it."""
    return msgspec.structs.replace(use, times=whole.times) == whole
