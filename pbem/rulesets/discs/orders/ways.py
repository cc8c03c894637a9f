"""Directions in words: to a place, from it, left or right of it, off a wall, or a bearing; read and written."""

import re

from pbem.ruleset import Refused
from pbem.rulesets.discs.grid.bearings import SIDES, WALLS, read_bearing, read_point
from pbem.rulesets.discs.model.order import Wall, Way
from pbem.rulesets.discs.model.state import State
from pbem.rulesets.discs.orders.names import begun
from pbem.rulesets.discs.orders.places import KNOWN, read_place, write_place

_HOURS = 12
"""Numbers up to this one are asked about where they stand alone, since they could be hours, or inches of a Move."""


def read_way(state: State, seat: str, said: str) -> Way | Refused:
    """Read a direction: a bearing, or to, from, left of or right of a place, perhaps off walls. Rule: M3, M4."""
    bearing = read_bearing(said)
    if isinstance(bearing, Refused):
        return bearing
    if bearing is not None:
        return _ambiguous(state, seat, said, bearing) or Way("bearing", bearing=bearing)
    if match := re.fullmatch(r"off\s+(.+?)\s+((?:at|to|towards?)\s.+)", said, re.IGNORECASE):
        said = f"{match[2]} off {match[1]}"
    match = re.fullmatch(
        r"(?:((?:to )?(?:the )?(?:left|right) of|at|to|towards?|from|away from)\s+)?(.+?)"
        r"(?:\s+(?:off|via)\s+(.+))?",
        said, re.IGNORECASE,
    )  # fmt: skip
    if not match:
        return Refused("unreadable", f"Say where: {KNOWN}; or a bearing.", "M3")
    off = _off(match[3]) if match[3] else ()
    place = read_place(state, seat, match[2])
    if isinstance(off, Refused):
        return off
    if isinstance(place, Refused):
        return place
    head = (match[1] or "").lower()
    how = next((word for word in ("from", "left", "right") if word in head), "to")
    if off and how != "to":
        return Refused("unreadable", "Off a wall one goes at a place: throw at NAME off north.", "M3")
    return Way(how, place, off=off)  # type: ignore[arg-type]


def _ambiguous(state: State, seat: str, said: str, bearing: int) -> Refused | None:
    """Ask about a number that could be an hour or inches, and about a point that could be the head of a name."""
    bare = re.sub(r"^(?:at|to|towards?)\s+", "", said, flags=re.IGNORECASE)
    if re.fullmatch(r"\d+", bare) and 1 <= bearing <= _HOURS:
        because = (
            f'"{bare}" by itself can be degrees, an hour or inches. Write {bearing} degrees, {bearing} o\'clock, or a '
            "direction and a length, such as move NE 3."
        )
        return Refused("ambiguous", because, "M4")
    if named := begun(state, seat, bare):
        because = f'Is "{bare}" the bearing, or {named}? Write {bearing} degrees, or more of the name.'
        return Refused("ambiguous", because, "M4")
    return None


def _off(said: str) -> tuple[Wall, ...] | Refused:
    """Read the walls of a bank shot: one, or two that meet in a corner; written in the order of the compass."""
    words = re.split(r"\s*,\s*|\s+and\s+|\s+", re.sub(r"\b(?:the|walls?)\b", "", said, flags=re.IGNORECASE).strip())
    found = [WALLS.get(read_point(SIDES.get(word.lower(), word)), "") for word in words]
    axes = {("north", "south").count(wall) for wall in found}
    if not all(found) or len(found) > 2 or len(axes) < len(found):
        because = "A bank shot goes off one wall, or off two that meet: off north, off north and east."
        return Refused("unreadable", because, "M3")
    return tuple(wall for wall in WALLS.values() if wall in found)  # type: ignore[misc]


def write_way(state: State, way: Way) -> str:
    """Write a direction behind the word `at` or `to`, as `read_way` reads it."""
    if way.how == "bearing":
        return f"{way.bearing} degrees" if 1 <= way.bearing <= _HOURS else str(way.bearing)
    head = {"to": "", "from": "from ", "left": "left of ", "right": "right of "}[way.how]
    off = f" off {' and '.join(way.off)}" if way.off else ""
    return f"{head}{write_place(state, way.place)}{off}"
