"""The eight symmetries of the square, for places and bearings on a Grid."""

import msgspec

from pbem.rulesets.discs.grid.grid import Grid
from pbem.rulesets.discs.grid.plane import At


class Symmetry(msgspec.Struct, frozen=True):
    """A symmetry of the square: perhaps mirrored east and west, then some quarter turns clockwise."""

    mirrors: bool
    quarters: int

    def place(self, grid: Grid, place: At) -> At:
        """Return where a place goes."""
        x, y = place
        total = grid.low + grid.high
        if self.mirrors:
            x = total - x
        for _ in range(self.quarters):
            x, y = y, total - x
        return At(x, y)

    def bearing(self, bearing: int) -> int:
        """Return where a bearing goes."""
        return ((-bearing if self.mirrors else bearing) + 90 * self.quarters) % 360


SYMMETRIES = tuple(Symmetry(mirrors, quarters) for mirrors in (False, True) for quarters in range(4))
