"""Names, discards, Burn and who is out by it, before any blow falls."""

from collections.abc import Iterable, Mapping

import msgspec

from pbem.ruleset import EVERYONE, MODERATOR_ALONE, Audience, Event, Facts, Reckoning
from pbem.rulesets.rumble.effect import changes, endures
from pbem.rulesets.rumble.model.order import Use
from pbem.rulesets.rumble.model.state import State, with_hero, with_power
from pbem.rulesets.rumble.orders.allocation import Allocation, limited
from pbem.rulesets.rumble.orders.hero_names import named
from pbem.rulesets.rumble.orders.writing import aim
from pbem.rulesets.rumble.powers.engine.prices import joints
from pbem.rulesets.rumble.powers.language.runnable import runs
from pbem.rulesets.rumble.round.checkpoints import Toll, checked, saved
from pbem.rulesets.rumble.round.record import Round


def rename(state: State, allocations: Mapping[str, Allocation]) -> tuple[State, tuple[Event, ...]]:
    """
    Give heroes the names they chose.

    Rule: B10, B7.
    """
    names = named(state, {seat: a.name for seat, a in allocations.items() if a.name})
    events = []
    for hero in state.heroes:
        name = names[hero.seat]
        if name != hero.name:
            state = with_hero(state, msgspec.structs.replace(hero, name=name))
            facts = {"was": hero.name, "now": name}
            events.append(Event(kind="named", to=EVERYONE, facts=facts, rule="B10"))
    return state, tuple(events)


def name_heroes(round_: Round, book: Reckoning) -> Round:
    """Give heroes the names they chose: from here on they are called so."""
    state, events = rename(round_.state, round_.wanted)
    return msgspec.structs.replace(round_, before=state, state=state, names=state.names).with_events("names", *events)


def discard_powers(round_: Round, book: Reckoning) -> Round:
    """
    Take discarded powers out of play.

    Rule: B6, R22.
    """
    keys = {seat: allocation.discards for seat, allocation in round_.wanted.items()}
    state, events = discard(round_.state, keys, "B6")
    return msgspec.structs.replace(round_, state=state).with_events("reveal", *events)


def discard(state: State, keys: Mapping[str, Iterable[str]], rule: str) -> tuple[State, list[Event]]:
    """Take the powers that seats discard out of play, as far as they have them."""
    events = []
    for seat, power in [(seat, state.card(key)) for seat, mine in keys.items() for key in mine]:
        if power.in_play and power.owner == seat:
            state = with_power(state, msgspec.structs.replace(power, fate="discarded"))
            facts = {"number": power.key, "name": power.name, "hero": state.names[seat]}
            events.append(Event(kind="power_discarded", to=EVERYONE, facts=facts, rule=rule))
    return state, events


def pay(round_: Round, book: Reckoning) -> Round:
    """
    Let Burn leave, check who is out by it, and cut what can no longer be paid.

    Rule: R14, A8 (X1), A9, A11, A25, A26.
    """
    state = round_.state
    tolls = {seat: _toll(round_, seat, allocation, book) for seat, allocation in round_.wanted.items()}
    paid = {
        seat: Allocation() if toll.out_step else limited(state, round_.wanted[seat], toll.energy)
        for seat, toll in tolls.items()
    }
    return msgspec.structs.replace(round_, tolls=tolls, paid=paid, allocations=paid)


def _toll(round_: Round, seat: str, allocation: Allocation, book: Reckoning) -> Toll:
    state, effects = round_.state, round_.effects
    hero = state.hero(seat)
    toll = Toll(hero.energy, endures=endures(effects, seat))
    burnt_key, out_key = f"burnt by {seat}", f"out at costs: {seat}"
    burnt = allocation.burnt
    if burnt or book.pins(burnt_key):
        how = " + ".join(_burn(state, use) for use in allocation.uses if use.burn)
        burnt = book.number(burnt_key, f"Burnt by {hero.name}", burnt, how, "R14")
        toll = toll.with_change("burnt", -burnt)
    gained, lost = changes(effects, seat, "costs")
    toll = toll.with_change("gained", gained).with_change("lost", -lost)
    if toll.why or allocation.resigned or book.pins(out_key) or toll.energy <= 0:
        resigned = allocation.resigned
        toll = msgspec.structs.replace(toll, endures=False) if resigned else saved(toll, effects, seat)
        toll = checked(toll, book, out_key, f"{hero.name} is out at costs", 1, must=resigned)
        toll = msgspec.structs.replace(toll, left=resigned and toll.out_step > 0)
    return toll


def _burn(state: State, use: Use) -> str:
    return f"{use.burn}{f' x {use.times}' if use.times > 1 else ''} ({state.card(use.power).name})"


def ordered_events(state: State, seat: str, allocation: Allocation, plans_to: Audience) -> tuple[Event, ...]:
    """
    Show everybody what a seat allocated; plans go to `plans_to`, what needs a ruling to the moderator.

    Rule: R7; A27 for plans.
    """
    names = state.names
    facts = ordered(state, seat, allocation)
    events = [Event(kind="ordered", to=EVERYONE, facts=facts, rule="R7")]
    for use, used in zip(allocation.uses, facts["uses"], strict=True):
        power = state.card(use.power)
        if not runs(power.lines):
            ruled = used | {"hero": names[seat], "text": power.text, "number": power.key}
            events.append(Event(kind="power_used", to=MODERATOR_ALONE, facts=ruled, rule="R15"))
    for plan in allocation.plans:
        planned = {"hero": names[seat], "power": state.card(plan.power).name, "text": plan.text}
        events.append(Event(kind="planned", to=plans_to, facts=planned, rule="A27"))
    return tuple(events)


def ordered(state: State, seat: str, allocation: Allocation) -> Facts:
    """Return what all may know of what a seat allocated. Rule: R7."""
    names = state.names
    return {
        "hero": names[seat],
        "defence": allocation.defence,
        "attacks": [
            {"on": names[on], "amount": n, "demanded": allocation.raised.get(on, "")}
            for on, n in allocation.attacks.items()
        ],
        "uses": [_used(state, use) for use in allocation.uses],
        "holds": [{"power": state.card(hold.power).name, "amount": hold.amount} for hold in allocation.holds],
        "idle": max(0, state.hero(seat).energy - allocation.taken),
        "resigned": allocation.resigned,
    }


def _used(state: State, use: Use) -> Facts:
    facts: Facts = {"power": state.card(use.power).name, "on": aim(state, use)}
    facts |= {"spend": use.spend * use.times, "burn": use.burn * use.times, "times": use.times, "x": use.x}
    first = joints(state, use)[0]
    facts |= {"joint": first} if first != "on" else {}
    return facts | ({"drain": use.drain * use.times} if use.drain else {})
