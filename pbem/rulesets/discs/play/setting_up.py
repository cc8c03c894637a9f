"""How a battle begins: Programs on the Grid, a card held, the other cards in the deck."""

from collections.abc import Mapping

from pbem.ruleset import Dice, Seat
from pbem.rulesets.discs.grid.ring import ring
from pbem.rulesets.discs.model.options import DEFAULTS
from pbem.rulesets.discs.model.program import Program
from pbem.rulesets.discs.model.state import State


def begin(seats: Mapping[Seat, str], house: Mapping[str, str], dice: Dice) -> State:
    """
    Return the first state: places dealt to seats, or about to be chosen.

    Shape: where places are chosen, those that are dealt are for who sends none.
    Rule: D1, D3, T-ff, T-ww, T-yy.
    """
    chosen = {**DEFAULTS, **house}
    teams = int(chosen["teams"])
    places = ring(int(chosen["grid"]), len(seats))
    dealt = dict(zip(dice.shuffle("places", tuple(seats)), places, strict=True))
    programs = tuple(
        Program(seat=seat, name=name, at=dealt[seat], team=place % teams + 1 if teams else 0)
        for place, (seat, name) in enumerate(seats.items())
    )
    return State(phase="place" if chosen["setup"] == "choose" else "list", house=chosen, programs=programs)
