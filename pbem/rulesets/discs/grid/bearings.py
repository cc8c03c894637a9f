"""Bearings as people say them: degrees, points of the compass, hours of a clock face; and back into words."""

import re

from pbem.ruleset import Refused

POINTS = ("N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW")
"""The sixteen points of the compass, clockwise from north."""
BEARINGS = {point: place * 45 // 2 for place, point in enumerate(POINTS)}
"""Their bearings: 22.5 degrees each, rounded down."""
WALLS = {"N": "north", "E": "east", "S": "south", "W": "west"}
CORNERS = ("NE", "SE", "SW", "NW")
SIDES = {"top": "north", "upper": "north", "bottom": "south", "lower": "south", "left": "west", "right": "east"}
"""Sides of the map, as people call them, by the wall that is there."""
_DEGREES = re.compile(r"(?:(?:bearing|heading|course)\s+)?(\d+)([.]\d+)?\s*(?:°|deg\.?|degrees?)?", re.IGNORECASE)
_HOUR = re.compile(r"(\d{1,2})(?::(\d\d))?\s*o\s*'?\s*clock|(\d{1,2}):(\d\d)", re.IGNORECASE)
HELP = "Write degrees from 0 to 359, a point of the compass (NNE), or an hour (4 o'clock)."


def read_point(said: str) -> str:
    """Return the point of the compass that was said, such as `north-east`, or ""."""
    short = re.sub(r"north|east|south|west", lambda match: match[0][0], said.lower())
    point = re.sub(r"[\s-]+", "", short).upper()
    spelt = re.fullmatch(r"[nesw]+|(?:(?:north|east|south|west)[\s-]*)+", said.strip(), re.IGNORECASE)
    return point if spelt and point in BEARINGS else ""


def read_bearing(said: str) -> int | Refused | None:
    """
    Read a bearing in whole degrees; None for what looks like none.

    Errors: `illegal` for degrees that are no whole number of a circle, and for hours that no clock shows.
    Rule: T-ll, M4.
    """
    said = re.sub(r"^(?:to |towards? |at )?(?:the )?", "", said.strip(), flags=re.IGNORECASE)
    if point := read_point(said):
        return BEARINGS[point]
    if match := _HOUR.fullmatch(said):
        hour, minutes = int(match[1] or match[3]), int(match[2] or match[4] or 0)
        if not 0 <= hour <= 12 or minutes > 59:
            return Refused("illegal", f"No clock shows {said}. {HELP}", "M4")
        return (30 * hour + minutes // 2) % 360
    if match := _DEGREES.fullmatch(said):
        if match[2]:
            return Refused("illegal", f"Bearings are whole degrees, such as {match[1][:6]}.", "T-ll")
        if len(match[1]) > 6 or int(match[1]) > 360:
            return Refused("illegal", f"There is no bearing {match[1][:9]}. {HELP}", "T-ll")
        return int(match[1]) % 360
    return None


def point_of(bearing: int) -> str:
    """Return the point of the compass nearest to a bearing."""
    return POINTS[(bearing * 4 + 45) // 90 % 16]


def hour_of(bearing: int) -> str:
    """Return a bearing as an hour of a clock face, to the nearest quarter: 1:30."""
    quarters = (bearing * 4 + 15) // 30 * 15
    return f"{quarters // 60 % 12 or 12}:{quarters % 60:02}"


def word_of(bearing: int) -> str:
    """Return a bearing as rulings and reports say it: the point of the compass that it is exactly, else degrees."""
    return next((point for point, degrees in BEARINGS.items() if degrees == bearing), str(bearing))
