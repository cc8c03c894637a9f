"""Where Programs begin, in a game in which that is chosen: wishes granted in the order that the dice draw."""

from collections.abc import Sequence

from pbem.rulesets.discs.grid.plane import At
from pbem.rulesets.discs.grid.ring import APART, ring
from pbem.rulesets.discs.grid.squares import COLUMNS, ROWS, square_middle, square_of
from pbem.rulesets.discs.play.play import Play
from pbem.rulesets.discs.sight.sight import find


def choose(play: Play) -> None:
    """
    Let everybody begin at the first place of their wishes that is on the Grid and leaves room for a Base.

    Shape: who has no such wish begins where the dice dealt them a place, or where there is most room.
    Rule: D3, T-ff.
    """
    state = play.state
    side = int(state.house["grid"])
    squares = tuple(square_middle(side, f"{column}{row}") for column in COLUMNS for row in range(1, ROWS + 1))
    taken: list[At] = []
    for seat in play.dice.shuffle("order", tuple(state.names)):
        me = state.program(seat)
        wishes = [find(state, seat, place, play.tie) for place in play.programme(seat).begins]
        free = [at for at in wishes if at and _is_free(play, at, taken)]
        spare = [at for at in (me.at, *ring(side, len(state.programs))) if _is_free(play, at, taken)]
        inside = [at for at in squares if state.grid.has_room(at)]
        at = free[0] if free else spare[0] if spare else max(inside, key=lambda at: _room(at, taken))
        taken.append(at)
        play.change(seat, at=at)
        play.tell(
            "begins", "T-ff", seat=str(seat), who=me.name, square=square_of(side, at), at=list(at), wished=bool(free)
        )
    play.note(phase="list")


def _is_free(play: Play, at: At, taken: Sequence[At]) -> bool:
    return play.state.grid.has_room(at) and _room(at, taken) >= APART**2


def _room(at: At, taken: Sequence[At]) -> int:
    """Return the square of the distance to the nearest place that is taken."""
    return min((at.squared(other) for other in taken), default=APART**2)
