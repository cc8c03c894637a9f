"""The reveal: what is chosen and paid once all orders lie open, and what is turned by it; no blow falls here."""

from collections.abc import Mapping, Sequence
from functools import cache

import msgspec

from pbem.ruleset import EVERYONE, Event, Only, Reckoning
from pbem.rulesets.rumble.effect import endures
from pbem.rulesets.rumble.model.order import Attack, Confirm, Defend, Move, Never, Packets, Use
from pbem.rulesets.rumble.model.state import Power, State
from pbem.rulesets.rumble.orders import conditions
from pbem.rulesets.rumble.orders.allocation import Allocation, limited
from pbem.rulesets.rumble.orders.conditions import Revealed
from pbem.rulesets.rumble.orders.writing import aim
from pbem.rulesets.rumble.powers.engine.active_abilities import keeps_in
from pbem.rulesets.rumble.powers.engine.prices import cannot_go, given_up, joints, over_limit
from pbem.rulesets.rumble.round.checkpoints import checked, saved
from pbem.rulesets.rumble.round.late_energy import allocated_late, moved_over, spared
from pbem.rulesets.rumble.round.record import Foresight, Round
from pbem.rulesets.rumble.round.retargeting import Turn, is_aimed_at, one_by_one, turn_over, turns_of, turns_others


def _revealed(round_: Round) -> Revealed:
    """Return what conditions are tested on: allocations before anybody answers them; nothing is foreseen. Rule: C20."""
    attacks: dict[str, dict[str, int]] = {}
    for seat in round_.fighting:
        for on, amount in round_.allocations[seat].attacks.items():
            attacks.setdefault(on, {})[seat] = amount
    uses = {seat: round_.allocations[seat].uses for seat in round_.fighting}
    return Revealed(attacks, uses)


def answer(round_: Round, book: Reckoning, foresee: Foresight) -> Round:
    """
    Let everybody do what they chose for the reveal, all at once; then see who is out by it.

    Shape: a forecast of the round leaves out conditions that need a forecast themselves.
    Rule: C3 for the order (uses turned, Energy moved, damage prevented), C4, C20, A8 (X1).
    """
    lying_open = _revealed(round_)
    round_ = msgspec.structs.replace(round_, seen=lying_open)
    seen = msgspec.structs.replace(lying_open, foresee=cache(lambda: foresee(round_)))
    said = _chosen(round_, seen)
    chosen = one_by_one(said)
    turns = turns_of(chosen)
    turned = allocated_late(turn_over(_paid(chosen, turns, _late_uses(round_, said), book), turns), seen)
    return msgspec.structs.replace(spared(moved_over(turned, round_, foresee), foresee), seen=seen)


def _chosen(round_: Round, seen: Revealed) -> Round:
    """
    Add to each allocation what waited for the reveal, and what its owner said when asked.

    Shape: what is said of Energy held back goes before a plan.
    """
    for seat in round_.fighting:
        late = conditions.at_reveal(round_.state, seat, round_.orders.get(seat, ()), seen)
        chosen = [order for order in (*round_.answers.get(seat, ()), *late) if isinstance(order, Answer)]
        if not chosen:
            continue
        allocation = round_.allocations[seat]
        uses = tuple(order for order in chosen if isinstance(order, Use))
        steps = tuple(order for order in chosen if isinstance(order, Attack | Defend))
        allocation = msgspec.structs.replace(
            allocation,
            uses=(*allocation.uses, *uses),
            nevers=(*allocation.nevers, *(order.power for order in chosen if isinstance(order, Never))),
            moves=(*(order for order in chosen if isinstance(order, Move)), *allocation.moves),
            packets=next((order.first for order in chosen if isinstance(order, Packets)), allocation.packets),
            steps=steps or allocation.steps,
            confirmed=allocation.confirmed or any(isinstance(order, Confirm) for order in chosen),
        )
        round_ = round_.with_allocation(seat, allocation)
    return round_


def _late_uses(before: Round, chosen: Round) -> dict[str, list[Use]]:
    """Return the uses that waited for the reveal, by seat: all may know of those that are done."""
    return {seat: [*chosen.allocations[seat].uses[len(before.allocations[seat].uses) :]] for seat in chosen.fighting}


Answer = Use | Never | Move | Packets | Attack | Defend | Confirm
"""What can be said once all orders lie open, block lines aside."""


def _used(state: State, seat: str, use: Use) -> Event:
    facts = {"hero": state.names[seat], "power": state.card(use.power).name}
    facts |= {"on": aim(state, use), "joint": joints(state, use)[0]}
    return Event(kind="at_reveal", to=EVERYONE, facts=facts, rule="C1")


def _paid(round_: Round, turns: Sequence[Turn], late: Mapping[str, list[Use]], book: Reckoning) -> Round:
    """
    Take what uses cost at the reveal; what cannot be paid, or would turn nothing, is not done.

    Shape: all are told of the `late` uses that are done.
    """
    for seat in round_.fighting:
        before = round_.allocations[seat]
        kept: list[Use] = []
        for use in before.uses:
            because = _hindered(round_, seat, [*kept, use], turns)
            if because:
                round_ = round_.with_events("reveal", _not_done(round_.state, seat, use, because))
                continue
            kept.append(use)
            aimed = (use.power, use.on, use.then)
            told = next((one for one in late[seat] if (one.power, one.on, one.then) == aimed), None)
            if told:
                late[seat].remove(told)
                round_ = round_.with_events("reveal", _used(round_.state, seat, told))
            gone = given_up(round_.state, use)
            round_ = _without(round_, gone) if gone else round_
        allocation = before
        if len(kept) < len(before.uses):
            allocation = msgspec.structs.replace(before, uses=tuple(kept))
            round_ = round_.with_allocation(seat, allocation)
        if allocation.drained or not round_.tolls[seat].stands:
            round_ = _drained(round_, seat, book)
    return round_


NOBODY = "Nobody uses that power on you."
"""Why a use is not done that would turn another: the one reason that its owner cannot know before the reveal."""


def _hindered(round_: Round, seat: str, uses: Sequence[Use], turns: Sequence[Turn]) -> str:
    """Say why the last of some uses cannot be done after the others, or ""."""
    state, use = round_.state, uses[-1]
    used, gone = state.power(use.power), given_up(state, use)
    if used and used.key not in round_.given_up and (not used.in_play or used.owner != seat):
        return f"{used.name} is not yours any more."
    if gone and (not gone.in_play or gone.owner != seat or cannot_go(gone)):
        return f"{gone.name} is not yours to give up any more."
    if turns_others(state, use) and not any(turn.by is use for turn in turns):
        return "It cannot be turned so." if is_aimed_at(round_, seat, use.on) else NOBODY
    drained, energy = sum(one.drain * one.times for one in uses), round_.tolls[seat].energy
    if use.drain and drained >= energy and not round_.allocations[seat].confirmed:
        return f"Draining {drained} of {energy} would put you out, and you did not say confirm."
    kept = any(keeps_in(power) for power in state.owned(seat) if power != gone)
    if gone and keeps_in(gone) and energy - drained <= 0 and not kept and not round_.allocations[seat].confirmed:
        return f"Without {gone.name} you would be out, and you did not say confirm."
    over = over_limit(state, seat, uses)
    return over[1] if over else ""


def _not_done(state: State, seat: str, use: Use, because: str) -> Event:
    facts = {"hero": state.names[seat], "power": state.card(use.power).name, "because": because}
    return Event(kind="not_done", to=Only((state.player(seat),)), facts=facts, rule="C4" if use.drain else "R12")


def _without(round_: Round, gone: Power) -> Round:
    """Take a power out of play as the price of a use; what it kept its owner from is no more (C15)."""
    facts = {"number": gone.key, "name": gone.name, "hero": round_.state.names[gone.owner]}
    round_ = round_.giving_up([gone])
    toll = round_.tolls[gone.owner]
    toll = msgspec.structs.replace(toll, endures=endures(round_.effects, gone.owner))
    event = Event(kind="power_discarded", to=EVERYONE, facts=facts, rule="R12")
    return round_.with_toll(gone.owner, toll).with_events("reveal", event)


def _drained(round_: Round, seat: str, book: Reckoning) -> Round:
    """
    Let what a hero drains leave, and check who is out by it, or by having given up what kept them in.

    Rule: N12, C4 (allocations are not cut by it), A26 for who is rescued.
    """
    state, toll, allocation = round_.state, round_.tolls[seat], round_.allocations[seat]
    name, was = state.names[seat], round_.tolls[seat].saved_by
    if allocation.drained:
        drained = book.number(f"drained by {seat}", f"Drained by {name}", allocation.drained, "", "N12")
        toll = toll.with_change("drained", -drained)
    toll = saved(toll, round_.effects, seat)
    toll = checked(toll, book, f"out at the reveal: {seat}", f"{name} is out at the reveal", 1)
    if toll.out_step:
        allocation = Allocation()
    elif toll.saved_by != was:
        allocation = limited(state, allocation, toll.energy)
    return round_.with_toll(seat, toll).with_allocation(seat, allocation)
