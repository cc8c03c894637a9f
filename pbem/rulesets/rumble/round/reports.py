"""What is told of a round: the orders as they lie open, and how all stand when it is over; decides nothing."""

from __future__ import annotations

from pbem.ruleset import EVERYONE, MODERATOR_ALONE, Event, Facts, Reckoning
from pbem.rulesets.rumble.orders import conditions
from pbem.rulesets.rumble.orders.writing import show_line
from pbem.rulesets.rumble.powers.language.runnable import runs
from pbem.rulesets.rumble.round import checkpoints, costs
from pbem.rulesets.rumble.round.checkpoints import Toll
from pbem.rulesets.rumble.round.news import news_of_round
from pbem.rulesets.rumble.round.record import Round
from pbem.rulesets.rumble.state import Hero, Power, State


def show_orders(round_: Round, book: Reckoning) -> Round:
    """Show what was ordered, what fell away of it, and whom it no longer met."""
    state = round_.before
    events: list[Event] = []
    to = EVERYONE if state.house["reveal_plans"] == "yes" else MODERATOR_ALONE
    rows = [_held(state, power) for seat in round_.wanted for power in state.owned(seat)]
    if rows:
        events.append(Event(kind="powers_held", to=MODERATOR_ALONE, facts={"rows": rows}, rule="R11"))
    for seat, allocation in round_.wanted.items():
        paid = round_.paid[seat]
        idle = max(0, state.hero(seat).energy - allocation.tied_up - allocation.burnt)
        events += costs.ordered_events(state, seat, allocation, idle, to)
        for unfired in conditions.unfired(state, seat, round_.orders.get(seat, ()), round_.seen):
            facts = {"hero": state.names[seat], "line": show_line(state, unfired)}
            events.append(Event(kind="condition_unmet", to=to, facts=facts, rule="A27"))
        if paid.dropped:
            events.append(costs.cut_event(state, seat, paid))
        for on, amount in paid.attacks.items():
            if on not in round_.tolls or round_.tolls[on].out_step:
                lost = {"hero": state.names[seat], "on": state.names[on], "amount": amount}
                events.append(Event(kind="wasted", to=EVERYONE, facts=lost, rule="A18"))
    return round_.telling("orders", *events)


def _held(state: State, power: Power) -> Facts:
    """Return what the moderator is told of a power in play, its text too, or always-on ones are forgotten."""
    return {
        "hero": state.names[power.owner],
        "number": power.key,
        "power": power.name,
        "kind": power.kind,
        "strength": power.strength,
        "text": power.text,
        "runs": runs(power.lines),
    }


def tell_standings(round_: Round, book: Reckoning) -> Round:
    """Tell how everybody stands, who was saved and who is out, and how it ended if it did; and the news of it all."""
    after = round_.state
    why = {seat: toll.why for seat, toll in round_.tolls.items()}
    events = [*checkpoints.stands_events(round_.before, after, why)]
    for seat, toll in round_.tolls.items():
        hero = after.hero(seat)
        if toll.saved_by and not toll.out_step:
            facts = {"hero": hero.name, "energy": _back_on(round_.before.hero(seat), toll)}
            events.append(Event(kind="revived", to=EVERYONE, facts=facts, rule="A26"))
        if toll.out_step:
            by = [round_.names[source] for source, n in round_.blows.by.get(seat, {}).items() if n and source]
            events.append(checkpoints.fallen_event(hero, by, left=toll.left))
    if round_.result:
        events += checkpoints.ended_events(after, round_.result)
    round_ = round_.telling("shouts", *round_.reactions.shouts.events())
    return round_.telling("standings", *events).telling("news", news_of_round(round_))


def _back_on(hero: Hero, toll: Toll) -> int:
    """Return the Energy on which a hero was back; what came after that is not in it."""
    whole = len(toll.why)  # of who was back on as much as they had there is no line
    last = max((place for place, (what, _) in enumerate(toll.why, 1) if what == "revived"), default=whole)
    return hero.energy + sum(amount for _, amount in toll.why[:last])
