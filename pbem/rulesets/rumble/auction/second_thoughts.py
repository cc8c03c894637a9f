"""The phase after the auction, in which winners decide what they discard after all; sells nothing."""

import msgspec

from pbem.ruleset import (
    Dice,
    Given,
    Outcome,
)
from pbem.rulesets.rumble.effect import Drop, Give
from pbem.rulesets.rumble.effects import application
from pbem.rulesets.rumble.effects.power_rulings import Define, Manual, Reword
from pbem.rulesets.rumble.model.order import Discard, Orders
from pbem.rulesets.rumble.model.state import Power, State
from pbem.rulesets.rumble.round import costs, next_round

_FITTING = Give | Drop | Reword | Define | Manual


def pending(state: State) -> dict[str, tuple[Power, ...]]:
    """Return the powers that each seat may still discard before the first round. Rule: N8."""
    found = {seat: [one for one in state.owned(seat) if seat in state.maybes.get(one.key, ())] for seat in state.names}
    return {seat: tuple(powers) for seat, powers in found.items() if powers and state.hero(seat).is_in}


def adjudicate(state: State, orders: Orders, given: Given, dice: Dice) -> Outcome[State]:
    """
    Discard what is discarded after all, and open the first round.

    Rule: N8, R22.
    """
    effects, idle = application.gather(state, given.effects)
    fitting, odd = application.parted(effects, _FITTING, "Nobody fights yet.")
    after, reworked = application.rework(state, fitting)
    gone = {seat: [order for order in sent if isinstance(order, Discard)] for seat, sent in orders.items()}
    keys = {seat: dict.fromkeys(order.power for order in mine) for seat, mine in gone.items()}
    after, events = costs.discard(after, keys, "N8")
    after, began = next_round.begin(msgspec.structs.replace(after, phase="round", round=1, maybes={}))
    return Outcome(state=after, verdicts=(), events=(*events, *reworked, *began, *odd, *idle), result=None)
