"""Energy that goes elsewhere once all orders lie open, and powers that silence calls on; pays for nothing."""

from collections.abc import Mapping

import msgspec

from pbem.ruleset import EVERYONE, Event
from pbem.rulesets.rumble.model.order import Use
from pbem.rulesets.rumble.model.state import Power, State
from pbem.rulesets.rumble.orders import plans
from pbem.rulesets.rumble.orders.allocation import moved, owed
from pbem.rulesets.rumble.orders.conditions import Revealed
from pbem.rulesets.rumble.powers.engine.active_abilities import allocates_later, does, is_sparing
from pbem.rulesets.rumble.powers.language import lines
from pbem.rulesets.rumble.round.record import Foresight, Round


def allocated_late(round_: Round, seen: Revealed) -> Round:
    """
    Put the Energy that was held back where its plans say; whoever is out by now gets none of it.

    Rule: R16, C29: plans do not see each other.
    """
    for seat in round_.fighting:
        allocation = round_.allocations[seat]
        late = [
            hold for hold in allocation.holds if (power := round_.state.power(hold.power)) and allocates_later(power)
        ]
        held = sum(hold.amount for hold in late)
        if not held:
            continue
        attacks, defence = plans.carry_out(round_.state, seat, allocation.steps, held, allocation.defence, seen)
        merged = {on: attacks.get(on, 0) + allocation.attacks.get(on, 0) for on in {**allocation.attacks, **attacks}}
        names = round_.state.names
        facts = {"hero": names[seat], "defence": defence, "amount": held}
        facts |= {"attacks": [{"on": names[on], "amount": amount} for on, amount in attacks.items()]}
        allocation = msgspec.structs.replace(
            allocation,
            attacks=merged,
            defence=allocation.defence + defence,
            holds=tuple(msgspec.structs.replace(h, amount=0) if h in late else h for h in allocation.holds),
        )
        event = Event(kind="put_late", to=EVERYONE, facts=facts, rule="R16")
        round_ = round_.with_allocation(seat, allocation).with_events("reveal", event)
    return round_


def moved_over(round_: Round, before: Round, foresee: Foresight) -> Round:
    """
    Move Energy from Attacks to Defence, for those who paid for it.

    Shape: who did not say how much moves the least that keeps them in, as far as could be seen `before` the reveal,
    what they do at it themselves counted.
    Rule: C26.
    """
    for seat in round_.fighting:
        allocation = round_.allocations[seat]
        if not allocation.attacks or not any(_moves(round_.state, use) for use in allocation.uses):
            continue
        due = {on: amount for on, (amount, _) in owed(round_.state, seat).items()}
        if allocation.moves:
            after = moved(allocation, allocation.moves[0].amount, allocation.moves[0].on, due=due)
        else:
            after = moved(allocation, _least(_by_one(round_, before, seat), seat, foresee, due), due=due)
        amount = after.defence - allocation.defence
        facts = {"hero": round_.state.names[seat], "amount": amount}
        found = [Event(kind="moved", to=EVERYONE, facts=facts, rule="C26")] if amount else []
        round_ = round_.with_allocation(seat, after).with_events("reveal", *found)
    return round_


def _by_one(round_: Round, before: Round, seat: str) -> Round:
    """Return the round as it lay open, with what one hero does at the reveal and nobody else."""
    mine = [power for power in round_.state.powers if power.key in round_.given_up and power.owner == seat]
    alone = before.giving_up(mine).with_toll(seat, round_.tolls[seat])
    return alone.with_allocation(seat, round_.allocations[seat])


def _moves(state: State, use: Use) -> bool:
    power = state.power(use.power)
    return power is not None and does(power, lines.Move)


def _least(before: Round, seat: str, foresee: Foresight, due: Mapping[str, int]) -> int:
    """Return the least that has to be moved so that a hero does not fall; 0 where none is safe, or none falls."""
    allocation = before.allocations[seat]
    for amount in range(sum(allocation.attacks.values()) + 1):
        if not foresee(before.with_allocation(seat, moved(allocation, amount, due=due)))[seat].is_out:
            return amount
    return 0


def spared(round_: Round, foresee: Foresight) -> Round:
    """
    Decide for those who said nothing whether a power that costs them something saves them.

    Rule: C25.
    """
    for power in round_.state.powers:
        seat = power.owner
        if not (power.in_play and seat in round_.fighting and is_sparing(power)):
            continue
        allocation = round_.allocations[seat]
        if power.key in allocation.nevers or any(use.power == power.key for use in allocation.uses):
            continue
        without = round_.with_allocation(
            seat, msgspec.structs.replace(allocation, nevers=(*allocation.nevers, power.key))
        )
        round_ = _saving(round_, power, foresee) if foresee(without)[seat].is_out else without
    return round_


def _saving(round_: Round, power: Power, foresee: Foresight) -> Round:
    """Use a power against the largest Attack against which it saves its owner, or not at all."""
    seat, allocation = power.owner, round_.allocations[power.owner]
    force = {s: a.attacks[seat] for s, a in round_.allocations.items() if seat in a.attacks}
    for attacker in sorted(force, key=lambda one: -force[one]):
        uses = (*allocation.uses, Use(power.key, attacker))
        trial = round_.with_allocation(seat, msgspec.structs.replace(allocation, uses=uses))
        trial = msgspec.structs.replace(trial, by_rule=round_.by_rule | {power.key})
        if not foresee(trial)[seat].is_out:
            return trial
    return round_.with_allocation(seat, msgspec.structs.replace(allocation, nevers=(*allocation.nevers, power.key)))
