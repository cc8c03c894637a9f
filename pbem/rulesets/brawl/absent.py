"""The set of a seat that sent none: what it wrote before it was asked, or what the house rules give it."""

from pbem.rulesets.brawl.order import Attack, CoopDie, Defend, Delay, Drop, If, Order, Pass, Resign
from pbem.rulesets.brawl.round.asking import question
from pbem.rulesets.brawl.state import COOP, State


def missing(state: State, seat: str) -> tuple[Order, ...]:
    """Return the set of a seat that sent nothing. Rule: M2, M3."""
    before = question(state).drafted if state.turn == seat else ()
    if any(isinstance(order, Attack | Defend | Delay | Drop | If | Pass | Resign) for order in before):
        return before
    return (*before, *_set_for_the_absent(state, seat))


def _set_for_the_absent(state: State, seat: str) -> tuple[Order, ...]:
    """Move back with the worst die, defend with the two best, those delayed for it before others, else maneuver."""
    if state.house["nmr"] == "nothing":
        return (Pass(),)
    fighter = state.fighter(seat)
    free = sorted((die for die in fighter.dice if not die.use), key=lambda die: -die.value)
    held = [die for die in fighter.dice if die.use == "defense"]
    if fighter.down and state.house["downed_die"] == "drop":
        return tuple(Drop(die.letter, "maneuver") for die in free) or (Pass(),)
    back = [free.pop().letter] if fighter.away and free else []
    guards = (held + free)[:2]
    rest = [die for die in free if die not in guards]
    found: tuple[Order, ...] = (
        *(Drop(letter, "move") for letter in back),
        *(Defend((die.letter,)) for die in guards),
        *(Drop(die.letter, "maneuver") for die in rest),
    )
    helped = (CoopDie((Drop(COOP, "move"),)),) if fighter.away and not back else ()
    return (*found, *helped) or (Pass(),)
