"""Sidekicks, who are heroes and powers both: how they come, and when they go; strikes nobody."""

import msgspec

from pbem.ruleset import EVERYONE, Event, Reckoning, Seat
from pbem.rulesets.rumble.model.state import Hero, Power, State, distinct, with_hero, with_power
from pbem.rulesets.rumble.orders.allocation import Allocation
from pbem.rulesets.rumble.orders.commands import NAME
from pbem.rulesets.rumble.round.record import Round

_change = msgspec.structs.replace


def new_sidekick(state: State, power: Power, energy: int) -> Hero:
    """Return the hero that a power is which was won. Rule: N11; B7 for its name."""
    name = distinct([*state.names, *state.names.values(), NAME])[-1]
    return Hero(Seat(f"sidekick_{power.key}"), name, energy, power=power.key)


def add_sidekick(state: State, power: Power, sidekick: Hero) -> tuple[State, tuple[Event, ...]]:
    """Let a Sidekick stand behind the heroes of its owner's in seat order. Rule: N11."""
    place = max(n for n, hero in enumerate(state.heroes, 1) if state.player(hero.seat) == power.owner)
    state = _change(state, heroes=(*state.heroes[:place], sidekick, *state.heroes[place:]))
    facts = {"hero": state.names[power.owner], "name": sidekick.name, "energy": sidekick.energy}
    facts |= {"number": power.key, "power": power.name}
    return state, (Event(kind="sidekick_came", to=EVERYONE, facts=facts, rule="N11"),)


def withdraw(round_: Round, book: Reckoning) -> Round:
    """
    Take Sidekicks out of a round, before the blows, if their power went at the reveal.

    Rule: N11.
    """
    for seat in round_.fighting:
        if _is_gone(round_.state, round_.state.hero(seat)):
            toll = _change(round_.tolls[seat], out_step=1, left=True)
            round_ = round_.with_toll(seat, toll).with_allocation(seat, Allocation())
    return round_


def settle(round_: Round, book: Reckoning) -> Round:
    """Let hero and power go together, after a stage in which one of them may have gone."""
    before, (state, events) = round_.state, settle_state(round_.state)
    for hero in state.heroes:
        if hero.seat in round_.tolls and not hero.is_in and before.hero(hero.seat).is_in:
            round_ = round_.with_toll(hero.seat, _change(round_.tolls[hero.seat], out_step=4, left=True))
    return _change(round_, state=state).with_events("powers", *events)


def settle_state(state: State) -> tuple[State, tuple[Event, ...]]:
    """
    Let hero and power go together: the power of a Sidekick that has fallen, and a Sidekick whose power has gone.

    Rule: N11.
    """
    events = []
    for hero in state.heroes:
        power = state.power(hero.power) if hero.power else None
        if _is_gone(state, hero):
            state = with_hero(state, _change(hero, out=state.round, out_step=4))
        elif power and power.in_play and not hero.is_in:
            state = with_power(state, _change(power, fate="discarded"))
            facts = {"number": power.key, "name": power.name, "hero": ""}
            events.append(Event(kind="power_discarded", to=EVERYONE, facts=facts, rule="N11"))
    return state, tuple(events)


def _is_gone(state: State, hero: Hero) -> bool:
    power = state.power(hero.power) if hero.power else None
    return power is not None and hero.is_in and not power.in_play
