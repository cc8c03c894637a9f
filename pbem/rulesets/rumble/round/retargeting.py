"""Uses of powers that are turned on others at the reveal; pays for nothing."""

from collections.abc import Iterator, Sequence

import msgspec

from pbem.ruleset import EVERYONE, Event
from pbem.rulesets.rumble.model.order import Use
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.powers.engine.active_abilities import ability_of, does, meant, names_attack
from pbem.rulesets.rumble.powers.engine.prices import wrong_names
from pbem.rulesets.rumble.powers.engine.scene import Scene, View
from pbem.rulesets.rumble.powers.language import lines
from pbem.rulesets.rumble.round.record import Round


def one_by_one(round_: Round) -> Round:
    """Part uses that turn others into single ones, since each turns one."""
    for seat in round_.fighting:
        allocation = round_.allocations[seat]
        if not any(turns_others(round_.state, use) for use in allocation.uses):
            continue
        uses = [
            msgspec.structs.replace(use, times=1) if turns_others(round_.state, use) else use
            for use in allocation.uses
            for _ in range(use.times if turns_others(round_.state, use) else 1)
        ]
        round_ = round_.with_allocation(seat, msgspec.structs.replace(allocation, uses=tuple(uses)))
    return round_


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


def turns_of(round_: Round) -> list[Turn]:
    """List the uses that are turned, each once, by whom they were aimed at; what cannot be turned so is not listed."""
    taken: list[tuple[str, int, int]] = []
    found: list[Turn] = []
    for seat in round_.fighting:
        for by in round_.allocations[seat].uses:
            if not turns_others(round_.state, by):
                continue
            for mark, user, use in _aimed_at(round_, seat, by.on):
                if mark not in taken and _may_turn(round_, user, use, by.then[0]):
                    taken.append(mark)
                    found.append(Turn(by, user, use, by.then[0]))
                    break
    return found


def is_aimed_at(round_: Round, seat: str, key: str) -> bool:
    """Say whether somebody uses a power on a seat."""
    return any(True for _ in _aimed_at(round_, seat, key))


def _aimed_at(round_: Round, seat: str, key: str) -> Iterator[tuple[tuple[str, int, int], str, Use]]:
    power = round_.state.power(key)
    if power and names_attack(power):
        return
    for user in round_.fighting:
        for place, use in enumerate(round_.allocations[user].uses):
            if use.power == key and use.on == seat:
                yield from (((user, place, time), user, use) for time in range(use.times))


def _may_turn(round_: Round, user: str, use: Use, to: str) -> bool:
    """Say whether a use might have been aimed at somebody by its owner. Rule: C3."""
    power, ability = round_.state.power(use.power), ability_of(round_.state, use)
    if to not in round_.fighting or power is None:
        return False
    if ability is None:
        return True
    aimed = msgspec.structs.replace(use, on=to)
    now = Scene(state=round_.state, fighting=round_.fighting, energy={s: t.energy for s, t in round_.tolls.items()})
    view = View(scene=now, me=user, power=power, names=meant(ability, aimed, user), x=max(0, use.x))
    return wrong_names(power, ability, aimed, view) is None


def turn_over(round_: Round, turns: Sequence[Turn]) -> Round:
    """Turn uses on those whom others chose, where both are still in."""
    for turn in turns:
        by = next((s for s in round_.fighting if any(use is turn.by for use in round_.allocations[s].uses)), "")
        if not by or turn.user not in round_.fighting or turn.to not in round_.fighting:
            continue
        allocation = round_.allocations[turn.user]
        uses = _split(allocation.uses, turn)
        names, power = round_.state.names, round_.state.power(turn.use.power)
        facts = {"hero": names[by], "power": power.name if power else "", "of": names[turn.user], "to": names[turn.to]}
        event = Event(kind="retargeted", to=EVERYONE, facts=facts, rule="C3")
        allocation = msgspec.structs.replace(allocation, uses=uses)
        round_ = round_.with_allocation(turn.user, allocation).with_events("reveal", event)
    return round_


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
