"""One flight of a Disc: straight in the plane in which the Grid is mirrored at its walls, then folded back."""

from typing import NamedTuple

from pbem.rulesets.discs.grid.grid import Grid
from pbem.rulesets.discs.grid.plane import UNITS, At, Strip, along, entry, rounded
from pbem.rulesets.discs.grid.sines import MILLION


class Flight(NamedTuple):
    """
    A flight that was worked out.

    Shape: `strip` is what the Movement Base and the Marker cover, in the plane in which the Grid is mirrored; `cells`
    are the walls gone through, by east and by north; `tip` and `bearing` are the Marker's on the Grid in the end.
    `walled` says that it was to stop at the first wall, and did.
    """

    grid: Grid
    strip: Strip
    cells: tuple[int, int]
    tip: At
    bearing: int
    walled: bool = False

    def meets(self, middle: At, *, behind: bool = False) -> int | None:
        """
        Return after which length an Action Base is crossed first, in millionths of a hundredth, or None.

        Shape: `behind` asks for what comes after the first wall alone, as of the Base that a Disc is thrown from.
        Rule: T-m, T-n, T-nn.
        """
        found = None
        for east in _passed(self.cells[0]):
            for north in _passed(self.cells[1]):
                if behind and not (east or north):
                    continue
                image = At(self.grid.image(middle.x, east), self.grid.image(middle.y, north))
                met = entry(self.strip, image)
                if met is not None and (found is None or met < found):
                    found = met
        return found

    def trail(self, until: int | None = None) -> tuple[At, ...]:
        """
        Return the places where the centre line begins, is turned by walls, and ends.

        Shape: `until` is where the flight was cut, as `meets` has it; without it all is drawn.
        Rule: T-vv.
        """
        start, bearing, length = self.strip
        last = length if until is None else min(length, until // MILLION)
        turns = sorted(
            turn
            for axis, cell in enumerate(self.cells)
            for wall in range(abs(cell))
            if (turn := _length_to(self.grid, self.strip, axis, cell, wall)) < last
        )
        lengths = dict.fromkeys((0, *turns, last))
        return tuple(self.grid.folded(along(start, bearing, length)) for length in lengths)


def fly(grid: Grid, start: At, bearing: int, reach: int, marker: int, *, stops: bool = False) -> Flight:
    """
    Fly a Disc from a place on the Grid.

    Units: hundredths; `reach` is the Movement Base with the Marker, `marker` the Marker alone.
    Shape: where a wall would lie across the Marker, the flight goes on to the first length at which none does. What
    `stops` ends where its centre line meets the first wall that it would go through.
    Rule: D15, D17, T-q, T-mm; D20, T-s of what stops.
    """
    if stops and (cut := _length_to_wall(grid, start, bearing, reach)) is not None:
        tip = along(start, bearing, cut)
        return Flight(grid, Strip(start, bearing, cut), (0, 0), tip, bearing, walled=True)
    length = reach
    while (longer := _clear_of_walls(grid, start, bearing, length, marker)) > length:
        length = longer
    tip = along(start, bearing, length)
    cells = grid.cell(tip.x), grid.cell(tip.y)
    return Flight(grid, Strip(start, bearing, length), cells, grid.folded(tip), turned(bearing, *cells))


def turned(bearing: int, east: int, north: int) -> int:
    """Return a bearing after so many walls east or west, and north or south. Rule: D17."""
    bearing = -bearing if east % 2 else bearing
    return (180 - bearing if north % 2 else bearing) % 360


def _passed(cell: int) -> range:
    """Return every mirror image of the Grid, along one axis, that a flight was in."""
    return range(min(cell, 0), max(cell, 0) + 1)


def _length_over(gap: int, step: int) -> int:
    """Return the first whole length after which a line has gone so far along an axis on which it leads by `step`."""
    return -(-(gap * MILLION - MILLION // 2) // abs(step)) if gap > 0 else 0


def _length_to(grid: Grid, strip: Strip, axis: int, cell: int, wall: int) -> int:
    """
    Return the length at which a flight meets a wall: the first of those that it goes through is number 0.

    Shape: its end is on the wall then, and a hundredth later the line is beyond it; at a small angle it is on the wall,
    as places are rounded, for many hundredths before.
    Rule: T-s, T-ll.
    """
    step = UNITS[strip.bearing][axis]
    gap = wall * grid.side + (grid.high - strip.start[axis] if cell > 0 else strip.start[axis] - grid.low)
    return max(_length_over(gap, step), gap * MILLION // abs(step))


def _length_to_wall(grid: Grid, start: At, bearing: int, reach: int) -> int | None:
    """Return the length at which the first wall is met that the flight would go through, or None. Rule: T-s."""
    strip = Strip(start, bearing, reach)
    cells = [grid.cell(line) for line in along(*strip)]
    return min((_length_to(grid, strip, axis, cell, 0) for axis, cell in enumerate(cells) if cell), default=None)


def _clear_of_walls(grid: Grid, start: At, bearing: int, length: int, marker: int) -> int:
    """Return a length at which the tail has come to the wall that lies across the Marker; the same where none does."""
    for begin, step in zip(start, UNITS[bearing], strict=True):
        tip, back = begin + rounded(length * step), rounded(marker * step)
        near, far = sorted((tip - back, tip))
        wall = grid.wall_below(far)
        if near < wall:
            return _length_over(abs(wall - begin) + abs(back), step)
    return length
