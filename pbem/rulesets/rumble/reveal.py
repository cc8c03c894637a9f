"""The reveal: what is chosen and paid once all orders lie open, and what is turned by it; no blow falls here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import TypeAlias

import msgspec

from pbem.ruleset import EVERYONE, Event, Only
from pbem.rulesets.rumble import conditions, doing, planning
from pbem.rulesets.rumble.allocation import Allocation, limited, moved
from pbem.rulesets.rumble.conditions import Foreseen, Revealed
from pbem.rulesets.rumble.effects import Effect
from pbem.rulesets.rumble.falling import Toll, checked, saved
from pbem.rulesets.rumble.orders import Attack, Confirm, Defend, Move, Never, Order, Packets, Use
from pbem.rulesets.rumble.powers import lines
from pbem.rulesets.rumble.powers.pricing import cannot_go, given_up, joints, over_limit, wrong_names
from pbem.rulesets.rumble.powers.running import (
    allocates_later,
    does,
    is_sparing,
    meant,
    names_attack,
    used_ability,
)  # fmt: skip
from pbem.rulesets.rumble.powers.scene import Scene, View
from pbem.rulesets.rumble.reckoning import Reckoning
from pbem.rulesets.rumble.state import Power, State, with_power
from pbem.rulesets.rumble.writing import aim


class Opened(msgspec.Struct, frozen=True):
    """
    A round whose orders lie open and whose Burn is paid.

    Shape: `given_up` are powers that were the price of a use, already out of play in `state`.
    """

    state: State
    tolls: Mapping[str, Toll]
    allocations: Mapping[str, Allocation]
    given_up: frozenset[str] = frozenset()
    events: tuple[Event, ...] = ()

    @property
    def fighting(self) -> tuple[str, ...]:
        """Return the seats that are still in."""
        return tuple(seat for seat, toll in self.tolls.items() if not toll.out_step)

    def changed(self, seat: str, allocation: Allocation, *events: Event) -> Opened:
        """Return the round with one allocation changed."""
        allocations = {**self.allocations, seat: allocation}
        return msgspec.structs.replace(self, allocations=allocations, events=(*self.events, *events))


Foresight: TypeAlias = Callable[[Opened], Mapping[str, Foreseen]]
"""Says what a round would come to."""
Orders: TypeAlias = Mapping[str, Sequence[Order]]


def revealed(opened: Opened, foresee: Foresight) -> Revealed:
    """Return what conditions are tested on: allocations before anybody answers them. Rule: C20."""
    attacks: dict[str, dict[str, int]] = {}
    for seat in opened.fighting:
        for on, amount in opened.allocations[seat].attacks.items():
            attacks.setdefault(on, {})[seat] = amount
    uses = {seat: opened.allocations[seat].uses for seat in opened.fighting}
    return Revealed(attacks, uses, cache(lambda: foresee(opened)))


def answer(
    opened: Opened, orders: Orders, answers: Orders, effects: tuple[Effect, ...], tools: tuple[Reckoning, Foresight]
) -> tuple[Opened, Revealed]:
    """
    Let everybody do what they chose for the reveal, all at once; then see who is out by it.

    Shape: `answers` are the orders of those who were asked once all lay open.

    Rule: C3 for the order (uses turned, Energy moved, damage prevented), C4, C20, A8 (X1).
    """
    book, foresee = tools
    seen = revealed(opened, foresee)
    chosen = _one_by_one(_answered(_chosen(opened, orders, seen), answers))
    turns = _turns(chosen)
    paid = _paid(chosen, turns, effects, book)
    turned = _allocated_late(_turned(paid, turns), seen)
    return _spared(_moved(turned, opened, foresee), foresee), seen


def _chosen(opened: Opened, orders: Orders, seen: Revealed) -> Opened:
    """Add to each allocation what waited for the reveal."""
    for seat in opened.fighting:
        late = conditions.at_reveal(opened.state, seat, orders.get(seat, ()), seen)
        if not late:
            continue
        allocation = opened.allocations[seat]
        uses = tuple(order for order in late if isinstance(order, Use))
        never = tuple(order.power for order in late if isinstance(order, Never))
        moving = tuple(order for order in late if isinstance(order, Move))
        allocation = msgspec.structs.replace(
            allocation,
            uses=(*allocation.uses, *uses),
            nevers=(*allocation.nevers, *never),
            moves=(*moving, *allocation.moves),
        )
        opened = opened.changed(seat, allocation, *(_used(opened.state, seat, use) for use in uses))
    return opened


def _answered(opened: Opened, answers: Orders) -> Opened:
    """Add to each allocation what its owner said when asked; what they say of Energy held back goes before a plan."""
    for seat in opened.fighting:
        said = [order for order in answers.get(seat, ()) if isinstance(order, Answer)]
        if not said:
            continue
        allocation = opened.allocations[seat]
        uses = tuple(order for order in said if isinstance(order, Use))
        steps = tuple(order for order in said if isinstance(order, Attack | Defend))
        allocation = msgspec.structs.replace(
            allocation,
            uses=(*allocation.uses, *uses),
            nevers=(*allocation.nevers, *(order.power for order in said if isinstance(order, Never))),
            moves=(*(order for order in said if isinstance(order, Move)), *allocation.moves),
            packets=next((order.first for order in said if isinstance(order, Packets)), allocation.packets),
            steps=steps or allocation.steps,
            confirmed=allocation.confirmed or any(isinstance(order, Confirm) for order in said),
        )
        opened = opened.changed(seat, allocation, *(_used(opened.state, seat, use) for use in uses))
    return opened


Answer = Use | Never | Move | Packets | Attack | Defend | Confirm
"""What can be said once all orders lie open, block lines aside."""


def _used(state: State, seat: str, use: Use) -> Event:
    power = state.power(use.power)
    facts = {
        "hero": state.names[seat],
        "power": power.name if power else "",
        "on": aim(state, use),
        "joint": joints(state, use)[0],
    }
    return Event(kind="at_reveal", to=EVERYONE, facts=facts, rule="C1")


def _one_by_one(opened: Opened) -> Opened:
    """Part uses that turn others into single ones, since each turns one."""
    for seat in opened.fighting:
        allocation = opened.allocations[seat]
        uses = [
            msgspec.structs.replace(use, times=1) if _turns_others(opened.state, use) else use
            for use in allocation.uses
            for _ in range(use.times if _turns_others(opened.state, use) else 1)
        ]
        opened = opened.changed(seat, msgspec.structs.replace(allocation, uses=tuple(uses)))
    return opened


def _turns_others(state: State, use: Use) -> bool:
    power = state.power(use.power)
    return power is not None and does(power, lines.Retarget)


class _Turn(msgspec.Struct, frozen=True):
    """A use of a power that somebody turns on somebody else."""

    by: Use
    user: str
    use: Use
    to: str


def _turns(opened: Opened) -> list[_Turn]:
    """List the uses that are turned, each once, by whom they were aimed at; what cannot be turned so is not listed."""
    taken: list[tuple[str, int, int]] = []
    found: list[_Turn] = []
    for seat in opened.fighting:
        for by in opened.allocations[seat].uses:
            if not _turns_others(opened.state, by):
                continue
            for mark, user, use in _aimed_at(opened, seat, by.on):
                if mark not in taken and _may_turn(opened, user, use, by.then[0]):
                    taken.append(mark)
                    found.append(_Turn(by, user, use, by.then[0]))
                    break
    return found


def _ability(state: State, use: Use) -> lines.Ability | None:
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
    power, ability = opened.state.power(use.power), _ability(opened.state, use)
    if to not in opened.fighting or power is None:
        return False
    if ability is None:
        return True
    aimed = msgspec.structs.replace(use, on=to)
    now = Scene(state=opened.state, fighting=opened.fighting, energy={s: t.energy for s, t in opened.tolls.items()})
    view = View(scene=now, me=user, this=power.key, names=meant(ability, aimed, user), x=max(0, use.x))
    return wrong_names(power, ability, aimed, view) is None


def _paid(opened: Opened, turns: Sequence[_Turn], effects: tuple[Effect, ...], book: Reckoning) -> Opened:
    """Take what uses cost at the reveal; what cannot be paid, or would turn nothing, is not done."""
    for seat in opened.fighting:
        before = opened.allocations[seat]
        kept: list[Use] = []
        for use in before.uses:
            because = _hindered(opened, seat, [*kept, use], turns)
            if because:
                opened = opened.changed(seat, before, _not_done(opened.state, seat, use, because))
                continue
            kept.append(use)
            gone = given_up(opened.state, use)
            opened = _without(opened, gone, effects) if gone else opened
        allocation = msgspec.structs.replace(before, uses=tuple(kept))
        opened = opened.changed(seat, allocation)
        if allocation.drained or not opened.tolls[seat].stands:
            opened = _drained(opened, seat, allocation, doing.without(effects, opened.given_up), book)
    return opened


def _hindered(opened: Opened, seat: str, uses: Sequence[Use], turns: Sequence[_Turn]) -> str:
    """Say why the last of some uses cannot be done after the others, or ""."""
    state, use = opened.state, uses[-1]
    gone = given_up(state, use)
    if gone and (not gone.in_play or gone.owner != seat or cannot_go(gone)):
        return f"{gone.name} is not yours to give up any more."
    if _turns_others(state, use) and not any(turn.by is use for turn in turns):
        return "Nobody uses that power on you, or it cannot be turned so."
    drained, energy = sum(one.drain * one.times for one in uses), opened.tolls[seat].energy
    if use.drain and drained >= energy and not opened.allocations[seat].confirmed:
        return f"Draining {drained} of {energy} would put you out, and you did not say confirm."
    over = over_limit(state, seat, uses)
    return over[1] if over else ""


def _not_done(state: State, seat: str, use: Use, because: str) -> Event:
    power = state.power(use.power)
    facts = {"hero": state.names[seat], "power": power.name if power else "", "because": because}
    return Event(kind="not_done", to=Only((state.player(seat),)), facts=facts, rule="C4" if use.drain else "R12")


def _without(opened: Opened, gone: Power, effects: tuple[Effect, ...]) -> Opened:
    """Take a power out of play as the price of a use; what it kept its owner from is no more (C15)."""
    facts = {"number": gone.key, "name": gone.name, "hero": opened.state.names[gone.owner]}
    given, toll = opened.given_up | {gone.key}, opened.tolls[gone.owner]
    toll = msgspec.structs.replace(toll, endures=doing.endures(doing.without(effects, given), gone.owner))
    return msgspec.structs.replace(
        opened,
        state=with_power(opened.state, msgspec.structs.replace(gone, fate="discarded")),
        tolls={**opened.tolls, gone.owner: toll},
        given_up=given,
        events=(*opened.events, Event(kind="power_discarded", to=EVERYONE, facts=facts, rule="R12")),
    )


def _drained(opened: Opened, seat: str, allocation: Allocation, effects: tuple[Effect, ...], book: Reckoning) -> Opened:
    """
    Let what a hero drains leave, and check who is out by it, or by having given up what kept them in.

    Rule: N12, C4 (allocations are not cut by it), A26 for who is rescued.
    """
    state, toll = opened.state, opened.tolls[seat]
    name, was = state.names[seat], opened.tolls[seat].saved_by
    if allocation.drained:
        drained = book.number(f"drained by {seat}", f"Drained by {name}", allocation.drained, "", "N12")
        toll = toll.with_change("drained", -drained)
    toll = saved(toll, effects, seat)
    toll = checked(toll, book, f"out at the reveal: {seat}", f"{name} is out at the reveal", 1)
    if toll.out_step:
        allocation = Allocation()
    elif toll.saved_by != was:
        allocation = limited(state, allocation, toll.energy)
    opened = msgspec.structs.replace(opened, tolls={**opened.tolls, seat: toll})
    return opened.changed(seat, allocation)


def _turned(opened: Opened, turns: Sequence[_Turn]) -> Opened:
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


def _split(uses: tuple[Use, ...], turn: _Turn) -> tuple[Use, ...]:
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


def _allocated_late(opened: Opened, seen: Revealed) -> Opened:
    """
    Put the Energy that was held back where its plans say; whoever is out by now gets none of it.

    Rule: R16, C29: plans do not see each other.
    """
    for seat in opened.fighting:
        allocation = opened.allocations[seat]
        late = [
            hold for hold in allocation.holds if (power := opened.state.power(hold.power)) and allocates_later(power)
        ]
        held = sum(hold.amount for hold in late)
        if not held:
            continue
        tested = (opened.state, seat, seen)
        attacks, defence = planning.carried_out(allocation.steps, held, allocation.defence, tested)
        merged = {on: attacks.get(on, 0) + allocation.attacks.get(on, 0) for on in {**allocation.attacks, **attacks}}
        names = opened.state.names
        facts = {"hero": names[seat], "defence": defence, "amount": held}
        facts |= {"attacks": [{"on": names[on], "amount": amount} for on, amount in attacks.items()]}
        allocation = msgspec.structs.replace(
            allocation,
            attacks=merged,
            defence=allocation.defence + defence,
            holds=tuple(msgspec.structs.replace(h, amount=0) if h in late else h for h in allocation.holds),
        )
        opened = opened.changed(seat, allocation, Event(kind="put_late", to=EVERYONE, facts=facts, rule="R16"))
    return opened


def _moved(opened: Opened, before: Opened, foresee: Foresight) -> Opened:
    """
    Move Energy from Attacks to Defence, for those who paid for it.

    Shape: who did not say how much moves the least that keeps them in, as far as could be seen `before` the reveal,
    what they do at it themselves counted.
    Rule: C26.
    """
    for seat in opened.fighting:
        allocation = opened.allocations[seat]
        if not allocation.attacks or not any(_moves(opened.state, use) for use in allocation.uses):
            continue
        if allocation.moves:
            after = moved(allocation, allocation.moves[0].amount, allocation.moves[0].on)
        else:
            after = moved(allocation, _least(_by_one(opened, before, seat), seat, foresee))
        amount = after.defence - allocation.defence
        facts = {"hero": opened.state.names[seat], "amount": amount}
        told = [Event(kind="moved", to=EVERYONE, facts=facts, rule="C26")] if amount else []
        opened = opened.changed(seat, after, *told)
    return opened


def _by_one(opened: Opened, before: Opened, seat: str) -> Opened:
    """Return the round as it lay open, with what one hero does at the reveal and nobody else."""
    mine = [power for power in opened.state.powers if power.key in opened.given_up and power.owner == seat]
    state = before.state
    for power in mine:
        state = with_power(state, power)
    alone = msgspec.structs.replace(
        before,
        state=state,
        tolls={**before.tolls, seat: opened.tolls[seat]},
        given_up=frozenset(power.key for power in mine),
    )
    return alone.changed(seat, opened.allocations[seat])


def _moves(state: State, use: Use) -> bool:
    power = state.power(use.power)
    return power is not None and does(power, lines.Move)


def _least(before: Opened, seat: str, foresee: Foresight) -> int:
    """Return the least that has to be moved so that a hero does not fall; 0 where none is safe, or none falls."""
    allocation = before.allocations[seat]
    for amount in range(sum(allocation.attacks.values()) + 1):
        if not foresee(before.changed(seat, moved(allocation, amount)))[seat].falls:
            return amount
    return 0


def _spared(opened: Opened, foresee: Foresight) -> Opened:
    """
    Decide for those who said nothing whether a power that costs them something saves them.

    Rule: C25.
    """
    for power in opened.state.powers:
        seat = power.owner
        if not (power.in_play and seat in opened.fighting and is_sparing(power)):
            continue
        allocation = opened.allocations[seat]
        if power.key in allocation.nevers or any(use.power == power.key for use in allocation.uses):
            continue
        without = opened.changed(seat, msgspec.structs.replace(allocation, nevers=(*allocation.nevers, power.key)))
        opened = _saving(opened, power, foresee) if foresee(without)[seat].falls else without
    return opened


def _saving(opened: Opened, power: Power, foresee: Foresight) -> Opened:
    """Use a power against the largest Attack against which it saves its owner, or not at all."""
    seat, allocation = power.owner, opened.allocations[power.owner]
    force = {s: a.attacks[seat] for s, a in opened.allocations.items() if seat in a.attacks}
    for attacker in sorted(force, key=lambda one: -force[one]):
        uses = (*allocation.uses, Use(power.key, attacker))
        trial = opened.changed(seat, msgspec.structs.replace(allocation, uses=uses))
        if not foresee(trial)[seat].falls:
            return trial
    return opened.changed(seat, msgspec.structs.replace(allocation, nevers=(*allocation.nevers, power.key)))
