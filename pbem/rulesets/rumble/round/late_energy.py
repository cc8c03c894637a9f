"""Energy that goes elsewhere once all orders lie open, and powers that silence calls on; pays for nothing."""

from __future__ import annotations

import msgspec

from pbem.ruleset import EVERYONE, Event
from pbem.rulesets.rumble.order import Use
from pbem.rulesets.rumble.orders import plans
from pbem.rulesets.rumble.orders.allocation import moved
from pbem.rulesets.rumble.orders.conditions import Revealed
from pbem.rulesets.rumble.powers.engine.running import allocates_later, does, is_sparing
from pbem.rulesets.rumble.powers.language import lines
from pbem.rulesets.rumble.round.opened import Foresight, Opened
from pbem.rulesets.rumble.state import Power, State, with_power


def allocated_late(opened: Opened, seen: Revealed) -> Opened:
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
        attacks, defence = plans.carried_out(allocation.steps, held, allocation.defence, tested)
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


def moved_over(opened: Opened, before: Opened, foresee: Foresight) -> Opened:
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
        if not foresee(before.changed(seat, moved(allocation, amount)))[seat].is_out:
            return amount
    return 0


def spared(opened: Opened, foresee: Foresight) -> Opened:
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
        opened = _saving(opened, power, foresee) if foresee(without)[seat].is_out else without
    return opened


def _saving(opened: Opened, power: Power, foresee: Foresight) -> Opened:
    """Use a power against the largest Attack against which it saves its owner, or not at all."""
    seat, allocation = power.owner, opened.allocations[power.owner]
    force = {s: a.attacks[seat] for s, a in opened.allocations.items() if seat in a.attacks}
    for attacker in sorted(force, key=lambda one: -force[one]):
        uses = (*allocation.uses, Use(power.key, attacker))
        trial = opened.changed(seat, msgspec.structs.replace(allocation, uses=uses))
        trial = msgspec.structs.replace(trial, by_rule=opened.by_rule | {power.key})
        if not foresee(trial)[seat].is_out:
            return trial
    return opened.changed(seat, msgspec.structs.replace(allocation, nevers=(*allocation.nevers, power.key)))
