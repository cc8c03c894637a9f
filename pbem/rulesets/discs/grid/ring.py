"""Where Programs begin: evenly around the middle of the Grid, with room for a Base between neighbours."""

from itertools import combinations

from pbem.rulesets.discs.grid.plane import INCH, RADIUS, At, along

APART = 4 * RADIUS
"""From middle to middle with room for one Action Base between two (D3)."""
INNER, OUTER = 2 * RADIUS, RADIUS
"""How far from the walls a ring may run: a Base's breadth, or so that the Bases of the ring can touch the walls."""


def ring(side: int, count: int) -> tuple[At, ...]:
    """
    Return as many places on a Grid with a side of so many inches.

    Shape: they stand around the middle, the first in the north-east, the next ones clockwise; on the inner ring where
    it has room for them, else on the outer one.
    Rule: D3, T-ww.
    """
    inner = _around(side, count, INNER)
    return inner if _are_apart(inner) else _around(side, count, OUTER)


def fits(side: int, count: int) -> bool:
    """Say whether so many Programs have room on a Grid, with a Base between neighbours. Rule: D3, T-ww."""
    return _are_apart(ring(side, count))


def _around(side: int, count: int, margin: int) -> tuple[At, ...]:
    middle = side * INCH // 2
    return tuple(along(At(middle, middle), (45 + 360 * i // count) % 360, middle - margin) for i in range(count))


def _are_apart(places: tuple[At, ...]) -> bool:
    return all(one.squared(other) >= APART**2 for one, other in combinations(places, 2))
