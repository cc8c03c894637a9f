"""The report on a round: the orders once they lie open, and how everybody stands at its end; decides nothing."""

import re
from collections.abc import Mapping, Sequence

import msgspec

from pbem.ruleset import EVERYONE, MODERATOR_ALONE, Event, Facts, Reckoning
from pbem.rulesets.rumble.model.state import Hero, Power, State
from pbem.rulesets.rumble.orders import conditions
from pbem.rulesets.rumble.orders.writing import show_line
from pbem.rulesets.rumble.powers.language.runnable import runs
from pbem.rulesets.rumble.round import checkpoints, costs, farewell, news
from pbem.rulesets.rumble.round.checkpoints import Toll
from pbem.rulesets.rumble.round.record import Blows, Round

_PRICED = re.compile(r"(?:spend|burn|drain) \w+\b", re.IGNORECASE)


def show_orders(round_: Round, book: Reckoning) -> Round:
    """Note which conditions did not hold, and report what was ordered."""
    unmet = {
        seat: [show_line(round_.before, one) for one in unfired]
        for seat in round_.wanted
        if (unfired := conditions.unfired(round_.before, seat, round_.orders.get(seat, ()), round_.seen))
    }
    round_ = msgspec.structs.replace(round_, state=farewell.with_unfired(round_.state, unmet))
    return round_.with_events("orders", *_of_orders(round_, unmet)) if round_.is_told else round_


def _of_orders(round_: Round, unmet: Mapping[str, Sequence[str]]) -> list[Event]:
    """Tell what was ordered, what was cut from it, which conditions did not hold, and which Attacks met nobody."""
    state = round_.before
    events: list[Event] = []
    to = EVERYONE if state.house["reveal_plans"] == "yes" else MODERATOR_ALONE
    rows = [_held(state, power) for seat in round_.wanted for power in state.owned(seat)]
    if rows:
        events.append(Event(kind="powers_held", to=MODERATOR_ALONE, facts={"rows": rows}, rule="R11"))
    for seat, allocation in round_.wanted.items():
        paid = round_.paid[seat]
        events += costs.ordered_events(state, seat, allocation, to)
        for line in unmet.get(seat, ()):
            facts = {"hero": state.names[seat], "line": line}
            events.append(Event(kind="condition_unmet", to=to, facts=facts, rule="A27"))
        if paid.dropped:
            cut = {"hero": state.names[seat], "dropped": list(paid.dropped)}
            events.append(Event(kind="orders_cut", to=EVERYONE, facts=cut, rule="A26"))
        for on, amount in paid.attacks.items():
            if on not in round_.tolls or round_.tolls[on].out_step:
                lost = {"hero": state.names[seat], "on": state.names[on], "amount": amount}
                events.append(Event(kind="wasted", to=EVERYONE, facts=lost, rule="A18"))
    return events


def _held(state: State, power: Power) -> Facts:
    """
    Return what the moderator is told of a power in play, its text too, or always-on ones are forgotten.

    Shape: `priced` where the text begins with what is paid for it, so that nothing comes of it unused.
    """
    return {
        "hero": state.names[power.owner],
        "number": power.key,
        "power": power.name,
        "kind": power.kind,
        "strength": power.strength,
        "text": power.text,
        "runs": runs(power.lines),
        "priced": _PRICED.match(power.text) is not None,
    }


def tell_standings(round_: Round, book: Reckoning) -> Round:
    """Chart how everybody stands; report that, who was saved, who is out, how the game ended if so, and the news."""
    after = farewell.charted(round_.state)
    round_ = msgspec.structs.replace(round_, state=after)
    if not round_.is_told:
        return round_
    why = {seat: toll.why for seat, toll in round_.tolls.items()}
    events = [*checkpoints.stands_events(round_.before, after, why)]
    for seat, toll in round_.tolls.items():
        hero = after.hero(seat)
        if toll.saved_by and not toll.out_step:
            facts = {"hero": hero.name, "energy": _back_on(round_.before.hero(seat), toll)}
            events.append(Event(kind="revived", to=EVERYONE, facts=facts, rule="A26"))
        if toll.out_step:
            by = _dealers(round_.names, round_.blows, seat)
            events.append(checkpoints.fallen_event(hero, by, left=toll.left))
    if round_.result:
        events += checkpoints.ended_events(after, round_.result)
    round_ = round_.with_events("shouts", *round_.reactions.shouts.events())
    return round_.with_events("standings", *events).with_events("news", news.lead(round_))


def _back_on(hero: Hero, toll: Toll) -> int:
    """Return the Energy on which a hero was back; what came after that is not in it."""
    whole = len(toll.why)  # of who was back on as much as they had there is no line
    last = max((place for place, (what, _) in enumerate(toll.why, 1) if what == "revived"), default=whole)
    return hero.energy + sum(amount for _, amount in toll.why[:last])


def _dealers(names: Mapping[str, str], blows: Blows, seat: str) -> list[str]:
    return [names[source] for source, points in blows.by.get(seat, {}).items() if source and points]
