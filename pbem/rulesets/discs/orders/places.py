"""Places in words: a Program, a Disc, a wall, a corner, a square, a point; read and written, never looked up."""

import re

from pbem.ruleset import Refused
from pbem.rulesets.discs.grid.bearings import CORNERS, SIDES, WALLS, read_point
from pbem.rulesets.discs.grid.plane import INCH, At
from pbem.rulesets.discs.grid.squares import COLUMNS, ROWS, read_inches, write_inches
from pbem.rulesets.discs.model.order import Place
from pbem.rulesets.discs.model.state import State
from pbem.rulesets.discs.orders.names import PLAIN, begun, find_program, written

KNOWN = "a name, nearest, weakest, my disc, disc of NAME, centre, north wall, NE corner, a square (F4), inches (13.5,7)"


def read_place(state: State, seat: str, said: str) -> Place | Refused:
    """
    Read a place.

    Errors: with the places that there are; for a point or square that the Grid has not. Rule: D2, M3.
    """
    said = re.sub(r"^the\s+", "", said.strip(" ()"), flags=re.IGNORECASE)
    plain = PLAIN.get(re.sub(r"^the ", "", said.lower()))
    if plain:
        return Place(plain)  # type: ignore[arg-type]
    if match := re.fullmatch(r"(\S+(?:[\s-]\S+)?)\s+(wall|corner)|(corner|wall)\s+(\S+)", said, re.IGNORECASE):
        return _edge(match[1] or match[4], (match[2] or match[3]).lower())
    is_name = said.casefold() in (name.casefold() for name in state.names.values())
    if (match := re.fullmatch(r"(?:square\s+)?([a-z])\s?(\d{1,3})", said, re.IGNORECASE)) and not is_name:
        if " " not in said and (named := begun(state, seat, said)):
            because = f'Is "{said}" the square, or {named}? Write square {match[1]}{match[2]}, or more of the name.'
            return Refused("ambiguous", because, "M3")
        return _square(match[1].upper(), int(match[2]))
    if match := re.fullmatch(r"(\d{1,3}(?:\.\d+)?)\s*,\s*(\d{1,3}(?:\.\d+)?)", said):
        return _point(state, match[1], match[2])
    if match := re.fullmatch(r"(?:the )?dis[ck] of (.+)|(.+)'s? dis[ck]", said, re.IGNORECASE):
        whose = find_program(state, seat, match[1] or match[2], "M3", flying=True)
        return whose if isinstance(whose, Refused) else Place("disc", seat=whose)
    found = find_program(state, seat, said, "M3")
    if isinstance(found, Refused) and found.fault == "unreadable" and "Did you mean" not in found.because:
        return Refused("unreadable", f'"{said}" is no place that I know. Places are {KNOWN}.', "M3")
    return found if isinstance(found, Refused) else Place("seat", seat=found)


def _edge(said: str, kind: str) -> Place | Refused:
    """Read a wall or a corner, by the compass or as the map shows it, which has north at its top."""
    point = read_point(re.sub("|".join(SIDES), lambda match: SIDES[match[0].lower()], said, flags=re.IGNORECASE))
    if kind == "wall" and point in WALLS:
        return Place("wall", name=WALLS[point])
    if kind == "corner" and point in CORNERS:
        return Place("corner", name=point)
    because = "The walls are north, east, south and west; the corners NE, SE, SW and NW."
    return Refused("unreadable", f'There is no "{said} {kind}". {because}', "D2")


def _square(column: str, row: int) -> Place | Refused:
    if column in COLUMNS and 1 <= row <= ROWS:
        return Place("square", name=f"{column}{row}")
    because = f"There is no square {column}{row}. They go from A1 in the south-west to L12 in the north-east."
    return Refused("illegal", because, "D2")


def _point(state: State, east: str, north: str) -> Place | Refused:
    places = [read_inches(line) for line in (east, north)]
    if None in places:
        return Refused("illegal", "Places are in inches and whole hundredths, such as 13.5,7 or 13.25,7.", "T-ll")
    at = At(*places)  # type: ignore[arg-type]
    side = int(state.house["grid"])
    if max(at) > side * INCH:
        because = f"{write_inches(at.x)},{write_inches(at.y)} is off the Grid, whose sides are {side} inches."
        return Refused("illegal", because, "D2")
    return Place("point", at=at)


def write_place(state: State, place: Place) -> str:
    """Write a place as `read_place` reads it."""
    match place.kind:
        case "seat":
            return written(state, place.seat)
        case "disc":
            return f"disc of {written(state, place.seat)}"
        case "wall" | "corner":
            return f"{place.name} {place.kind}"
        case "square":
            return f"square {place.name}" if begun(state, "", place.name) else place.name
        case "point":
            return f"{write_inches(place.at.x)},{write_inches(place.at.y)}"
        case _:
            return place.kind
