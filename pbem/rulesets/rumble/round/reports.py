"""The report on a round: the orders once they lie open, and how everybody stands at its end; decides nothing."""

from collections.abc import Mapping

from pbem.ruleset import EVERYONE, MODERATOR_ALONE, Event, Facts, Reckoning
from pbem.rulesets.rumble.model.state import Hero, Power, State
from pbem.rulesets.rumble.orders import conditions
from pbem.rulesets.rumble.orders.writing import show_line
from pbem.rulesets.rumble.powers.language.runnable import runs
from pbem.rulesets.rumble.round import checkpoints, costs
from pbem.rulesets.rumble.round.checkpoints import Toll
from pbem.rulesets.rumble.round.record import Blows, Round


def show_orders(round_: Round, book: Reckoning) -> Round:
    """Report what was ordered, what was cut from it, and which Attacks met nobody."""
    state = round_.before
    events: list[Event] = []
    to = EVERYONE if state.house["reveal_plans"] == "yes" else MODERATOR_ALONE
    rows = [_held(state, power) for seat in round_.wanted for power in state.owned(seat)]
    if rows:
        events.append(Event(kind="powers_held", to=MODERATOR_ALONE, facts={"rows": rows}, rule="R11"))
    for seat, allocation in round_.wanted.items():
        paid = round_.paid[seat]
        events += costs.ordered_events(state, seat, allocation, to)
        for unfired in conditions.unfired(state, seat, round_.orders.get(seat, ()), round_.seen):
            facts = {"hero": state.names[seat], "line": show_line(state, unfired)}
            events.append(Event(kind="condition_unmet", to=to, facts=facts, rule="A27"))
        if paid.dropped:
            cut = {"hero": state.names[seat], "dropped": list(paid.dropped)}
            events.append(Event(kind="orders_cut", to=EVERYONE, facts=cut, rule="A26"))
        for on, amount in paid.attacks.items():
            if on not in round_.tolls or round_.tolls[on].out_step:
                lost = {"hero": state.names[seat], "on": state.names[on], "amount": amount}
                events.append(Event(kind="wasted", to=EVERYONE, facts=lost, rule="A18"))
    return round_.with_events("orders", *events)


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
    """Report how everybody stands, who was saved, who is out, how the game ended if it did, and the news."""
    after = round_.state
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
    return round_.with_events("standings", *events).with_events("news", _news(round_))


def _back_on(hero: Hero, toll: Toll) -> int:
    """Return the Energy on which a hero was back; what came after that is not in it."""
    whole = len(toll.why)  # of who was back on as much as they had there is no line
    last = max((place for place, (what, _) in enumerate(toll.why, 1) if what == "revived"), default=whole)
    return hero.energy + sum(amount for _, amount in toll.why[:last])


def _news(round_: Round) -> Event:
    """
    Pick the news of a round: who fell, else the biggest blow, else why nothing happened.

    Shape: `what` is one of fell, fell_together, burnt_out, tired_out, removed, left, ganged, blow, power, held,
    silent; the other facts are always there, empty where they do not apply. What powers did is no part of a blow.
    `turn` lets the templates vary their words.
    """
    tolls, blows = round_.tolls, round_.blows
    facts: Facts = {"what": "silent", "turn": round_.state.round, "hero": "", "heroes": [], "by": []}
    facts |= {"amount": 0, "held": 0}
    names = round_.names
    fell = [seat for seat, toll in tolls.items() if toll.out_step]
    worst = max(blows.damage, key=lambda seat: blows.damage[seat], default="")
    struck = [seat for seat, sources in blows.attacked.items() if sources]
    if len(fell) > 1:
        facts |= {"what": "fell_together", "heroes": [names[seat] for seat in fell]}
    elif fell:
        toll = tolls[fell[0]]
        step = {1: "burnt_out", 3: "tired_out", 4: "removed"}.get(toll.out_step, "fell")
        step = "left" if toll.left else "removed" if toll.energy > 0 else step
        facts |= {"what": step, "hero": names[fell[0]], "by": _dealers(names, blows, fell[0])}
        facts |= {"amount": blows.damage.get(fell[0], 0)}
    elif worst and blows.damage[worst]:
        facts |= {"hero": names[worst]} | _worst(names, blows, worst)
    elif struck:
        facts |= {"what": "held", "heroes": [names[seat] for seat in struck], "hero": names[struck[0]]}
    return Event(kind="news", to=EVERYONE, facts=facts)


def _worst(names: Mapping[str, str], blows: Blows, seat: str) -> Facts:
    """Tell whether Attacks or powers hurt a hero, by whom, and by how much."""
    attackers, damage = blows.attacked[seat], blows.damage[seat]
    landed = [names[source] for source, points in blows.landed[seat].items() if points]
    by_powers = sum(blows.by[seat].values()) - sum(blows.landed[seat].values())
    if by_powers and not landed:
        by = [] if blows.by[seat].get("") else _dealers(names, blows, seat)
        return {"what": "power", "by": by, "amount": damage}
    amount = damage - by_powers if damage > by_powers else damage
    if len(attackers) < 2:
        return {"what": "blow", "by": landed, "amount": amount}
    held = len(attackers) - len(landed)
    return {"what": "ganged", "by": [names[source] for source in attackers], "amount": amount, "held": held}


def _dealers(names: Mapping[str, str], blows: Blows, seat: str) -> list[str]:
    return [names[source] for source, points in blows.by.get(seat, {}).items() if source and points]
