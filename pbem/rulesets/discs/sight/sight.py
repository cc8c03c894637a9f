"""What can be seen on the Grid: places in words looked up, bearings taken, flights and Moves to come."""

from collections.abc import Callable, Sequence

from pbem.rulesets.discs.grid.flight import Flight, fly
from pbem.rulesets.discs.grid.plane import RADIUS, At, aim, along, distance
from pbem.rulesets.discs.grid.squares import square_middle
from pbem.rulesets.discs.model.order import Move, Place, Wall, Way
from pbem.rulesets.discs.model.program import APART, Disc, Program
from pbem.rulesets.discs.model.state import State

Tie = Callable[[Sequence[Program]], Program]
"""How one of several Programs is chosen that are equally near."""


def first(programs: Sequence[Program]) -> Program:
    """Choose the first in seat order: for forecasts, in which no dice are rolled."""
    return programs[0]


def find(state: State, seat: str, place: Place, tie: Tie) -> At | None:
    """Return where a place is, for a seat; None where there is no such thing now. Rule: M3."""
    me = state.program(seat)
    grid = state.grid
    match place.kind:
        case "seat" | "nearest" | "weakest":
            found = program(state, seat, place, tie)
            return found.at if found else None
        case "my disc" | "disc":
            disc = state.program(place.seat or seat).disc
            return along(disc.tip, disc.bearing, -state.sizes.marker // 2) if disc else None
        case "centre":
            return grid.centre
        case "wall":
            lines = {"north": (me.at.x, grid.high), "east": (grid.high, me.at.y), "south": (me.at.x, grid.low)}
            return At(*lines.get(place.name, (grid.low, me.at.y)))
        case "corner":
            return At(grid.high if "E" in place.name else grid.low, grid.high if "N" in place.name else grid.low)
        case "square":
            return square_middle(int(state.house["grid"]), place.name)
        case "point":
            return place.at


def program(state: State, seat: str, place: Place, tie: Tie) -> Program | None:
    """Return the Program that a place names, as long as it is not De-Rezzed. Rule: M3."""
    if place.kind == "seat":
        found = state.program(place.seat)
        return None if found.out else found
    foes = state.foes(seat)
    if not foes:
        return None
    me = state.program(seat)
    by_weakness = place.kind == "weakest"
    rank = {foe.seat: (by_weakness and (not foe.prone, foe.held), foe.at.squared(me.at)) for foe in foes}
    best = [foe for foe in foes if rank[foe.seat] == min(rank.values())]
    return best[0] if len(best) == 1 else tie(best)


def bearing(state: State, seat: str, way: Way, tie: Tie) -> int | None:
    """Return the bearing of a way for a seat; None where there is none. Rule: M3, M4, T-ll."""
    if way.how == "bearing":
        return way.bearing
    goal = find(state, seat, way.place, tie)
    if goal is None:
        return None
    taken = aim(state.program(seat).at, _image(state, goal, way.off))
    return None if taken is None else (taken + {"to": 0, "from": 180, "left": -90, "right": 90}[way.how]) % 360


def _image(state: State, goal: At, off: Sequence[Wall]) -> At:
    """Return the mirror image of a place in walls. Rule: T-mm, M3."""
    grid = state.grid
    east = (1 if "east" in off else 0) - (1 if "west" in off else 0)
    north = (1 if "north" in off else 0) - (1 if "south" in off else 0)
    return At(grid.image(goal.x, east), grid.image(goal.y, north))


def thrown(state: State, seat: str, degrees: int, *, stops: bool = False) -> Flight:
    """Return the flight of a Disc that a Program throws along a bearing. Rule: D14, T-n, T-r."""
    start = along(state.program(seat).at, degrees, RADIUS)
    return fly(state.grid, start, degrees, state.sizes.reach, state.sizes.marker, stops=stops)


def flown(state: State, disc: Disc, *, stops: bool = False) -> Flight:
    """Return the next flight of a Disc. Rule: D15."""
    return fly(state.grid, disc.tip, disc.bearing, state.sizes.reach, state.sizes.marker, stops=stops)


def step(state: State, seat: str, move: Move, tie: Tie) -> tuple[int, int] | None:
    """
    Return the bearing of a Move and the most that it may be long, in hundredths; None where it leads nowhere.

    Shape: a Move to a place goes no farther than that place. Rule: D12, M3.
    """
    taken = bearing(state, seat, move.way, tie)
    if taken is None:
        return None
    goal = find(state, seat, move.way.place, tie) if move.way.how == "to" else None
    return taken, min(move.by, distance(state.program(seat).at, goal)) if goal else move.by


def longest_move(state: State, seat: str, degrees: int, most: int) -> int:
    """
    Return the longest Move of so many hundredths at most at whose end the Base fits, or 0.

    Shape: up to some length the Grid has room, and beyond it none, so that length is found by halvings.
    Rule: T-tt.
    """
    start, grid = state.program(seat).at, state.grid
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if grid.has_room(along(start, degrees, middle)) else (low, middle - 1)
    others = state.bases_to_avoid(seat)
    for length in range(low, 0, -1):
        goal = along(start, degrees, length)
        if goal != start and all(goal.squared(other) >= APART**2 for other in others):
            return length
    return 0
