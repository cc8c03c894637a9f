"""Places and bearings in whole numbers: where a length leads, which way somebody lies, what a strip covers."""

from __future__ import annotations

from math import isqrt
from typing import NamedTuple

from pbem.rulesets.discs.grid.sines import MILLION, cosine, sine

INCH = 100
"""Hundredths of an inch: the unit of every length and place."""
RADIUS = 2 * INCH
"""From the middle of an Action Base to its edge (T-jj)."""
HALF_WIDTH = INCH // 2
"""From the centre line of a Disc Marker or Disc Movement Base to its long side (D2)."""

UNITS = tuple((sine(bearing), cosine(bearing)) for bearing in range(360))
"""How far east and how far north a length of one leads along each bearing, in millionths."""
_BISECTORS = tuple((sine(degree) + sine(degree + 1), cosine(degree) + cosine(degree + 1)) for degree in range(90))
"""The direction halfway between each whole degree of the first quarter and the next one."""
_REACH = (RADIUS * MILLION) ** 2


class At(NamedTuple):
    """A place: hundredths of an inch east and north of the south-west corner of the Grid as it was laid out."""

    x: int
    y: int

    def squared(self, other: At) -> int:
        """Return the square of the distance to another place."""
        return (self.x - other.x) ** 2 + (self.y - other.y) ** 2


def rounded(millionths: int) -> int:
    """Return the nearest whole number of so many millionths, halves away from zero. Rule: T-ll."""
    whole = (abs(millionths) + MILLION // 2) // MILLION
    return whole if millionths >= 0 else -whole


def along(start: At, bearing: int, length: int) -> At:
    """Return where a length in hundredths leads along a bearing, or against it if it is negative. Rule: T-ll."""
    east, north = UNITS[bearing]
    return At(start.x + rounded(length * east), start.y + rounded(length * north))


def distance(one: At, other: At) -> int:
    """Return the distance between two places, to the nearest hundredth."""
    return (isqrt(4 * one.squared(other)) + 1) // 2


def aim(start: At, goal: At) -> int | None:
    """
    Return the bearing from one place to another, to the nearest whole degree; None where they are the same.

    Shape: seven halvings of a quarter turn, each by the side of a bisector on which the goal lies. No two places on
    a Grid are exactly halfway between two degrees, so the mirror image of an aim is the aim at the mirror image.
    Rule: T-ll.
    """
    if start == goal:
        return None
    east, north = abs(goal.x - start.x), abs(goal.y - start.y)
    low, high = 0, 90
    while low < high:
        middle = (low + high) // 2
        bisector = _BISECTORS[middle]
        if east * bisector[1] <= north * bisector[0]:
            high = middle
        else:
            low = middle + 1
    southward = 180 - low if goal.y < start.y else low
    return -southward % 360 if goal.x < start.x else southward


class Strip(NamedTuple):
    """A rectangle one inch wide, by the middle of its near end, its bearing, and its length in hundredths."""

    start: At
    bearing: int
    length: int


def _gap(strip: Strip, middle: At) -> tuple[int, int, int]:
    """Return how far along a strip a place is, how far beyond its ends and how far beside it, in millionths."""
    east, north = UNITS[strip.bearing]
    x, y = middle.x - strip.start.x, middle.y - strip.start.y
    ahead = x * east + y * north
    beyond = max(-ahead, ahead - strip.length * MILLION, 0)
    beside = max(abs(x * north - y * east) - HALF_WIDTH * MILLION, 0)
    return ahead, beyond, beside


def near(strip: Strip, middle: At, reach: int) -> bool:
    """Say whether a place is nearer to a strip than so many hundredths."""
    _, beyond, beside = _gap(strip, middle)
    return beyond * beyond + beside * beside < (reach * MILLION) ** 2


def far(strip: Strip, middle: At, reach: int) -> bool:
    """Say whether a place is farther from a strip than so many hundredths."""
    _, beyond, beside = _gap(strip, middle)
    return beyond * beyond + beside * beside > (reach * MILLION) ** 2


def covers(strip: Strip, middle: At) -> bool:
    """Say whether a strip and an Action Base overlap; to touch is not enough. Rule: T-l."""
    return near(strip, middle, RADIUS)


def entry(strip: Strip, middle: At) -> int | None:
    """
    Return after which length a strip that is laid from its near end first overlaps an Action Base, or None.

    Units: millionths of a hundredth, so that what comes first can be told apart.
    Rule: T-l, T-m.
    """
    ahead, beyond, beside = _gap(strip, middle)
    if beyond * beyond + beside * beside >= _REACH:
        return None
    return max(0, ahead - isqrt(_REACH - beside * beside))
