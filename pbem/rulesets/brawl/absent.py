"""The set of a seat that sent none: what it wrote before it was asked, or what the house rules give it."""

from pbem.rulesets.brawl.order import Attack, CoopDie, Defend, Delay, Drop, If, Order, Pass, Resign
from pbem.rulesets.brawl.round.asking import question
from pbem.rulesets.brawl.round.silence import silence
from pbem.rulesets.brawl.state import COOP, State


def missing(state: State, seat: str) -> tuple[Order, ...]:
    """Return the set of a seat that sent nothing. Rule: M2, M3."""
    before = question(state).drafted if state.turn == seat else ()
    if any(isinstance(order, Attack | Defend | Delay | Drop | If | Pass | Resign) for order in before):
        return before
    return (*before, *_set_for_the_absent(state, seat))


def _set_for_the_absent(state: State, seat: str) -> tuple[Order, ...]:
    """Return what silence does with all dice, and with one that is given where no other can move back."""
    if state.house["nmr"] == "nothing":
        return (Pass(),)
    fighter = state.fighter(seat)
    found = silence(state, seat, fighter.dice)
    waits = fighter.away and not any(isinstance(order, Drop) for order in found)
    return (*found, *((CoopDie((Drop(COOP, "move"),)),) if waits else ())) or (Pass(),)
