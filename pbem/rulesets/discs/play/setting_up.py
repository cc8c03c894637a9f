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

    Shape: where places are chosen, those that are dealt are for who sends none; where teams are, nobody is on one yet.
    Rule: D1, D3, T-ff, T-ww, T-yy.
    """
    chosen = {**DEFAULTS, **house}
    teams = int(chosen["teams"])
    places = ring(int(chosen["grid"]), len(seats))
    dealt = dict(zip(dice.shuffle("places", tuple(seats)), places, strict=True))
    in_turn = dice.shuffle("teams", tuple(seats)) if chosen["teams_by"] == "dice" else tuple(seats)
    has_teams = teams and chosen["teams_by"] != "choice"
    programs = tuple(
        Program(seat=seat, name=name, at=dealt[seat], team=in_turn.index(seat) % teams + 1 if has_teams else 0)
        for seat, name in seats.items()
    )
    is_chosen = chosen["setup"] == "choose" or (teams and not has_teams)
    return State(phase="place" if is_chosen else "list", house=chosen, programs=programs)
