"""The next round: who begins it with how much; decides nothing of the last one."""

import msgspec

from pbem.ruleset import EVERYONE, Event, Reckoning
from pbem.rulesets.rumble.model.state import State, with_hero
from pbem.rulesets.rumble.orders.allocation import Allocation
from pbem.rulesets.rumble.powers.engine import actions
from pbem.rulesets.rumble.powers.engine.scene import at_rest
from pbem.rulesets.rumble.powers.language import lines
from pbem.rulesets.rumble.round.powers_at_work import abilities_at_work
from pbem.rulesets.rumble.round.record import Round


def go_on(round_: Round, book: Reckoning) -> Round:
    """Go on to the next round, or to the end of the game."""
    if round_.result:
        return msgspec.structs.replace(round_, state=msgspec.structs.replace(round_.state, phase="over"))
    number = round_.state.round + 1
    state, events = begin(msgspec.structs.replace(round_.state, phase="round", round=number))
    return msgspec.structs.replace(round_, state=state).with_events("next", *events)


def begin(state: State) -> tuple[State, tuple[Event, ...]]:
    """
    Begin a round: what powers give at its beginning.

    Rule: 46 of the archive is the first of them; round 1 counts.
    """
    living = tuple(hero.seat for hero in state.living)
    running = abilities_at_work(state, {seat: Allocation() for seat in living}, living)
    events = []
    starting = [one for one in running if one.ability.when == lines.RoundStart()]
    for share in actions.shares_of(starting, at_rest(state)) if starting else ():
        hero = state.hero(share.on)
        energy = hero.energy + share.amount
        state = with_hero(state, msgspec.structs.replace(hero, energy=energy))
        facts = {"hero": hero.name, "amount": share.amount, "power": share.by, "energy": energy, "round": state.round}
        events.append(Event(kind="round_began", to=EVERYONE, facts=facts, rule="R11"))
    return state, tuple(events)
