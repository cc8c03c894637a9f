"""The Grid: a square between four walls, with all its mirror images, its squares and its sides."""

from typing import NamedTuple

from pbem.rulesets.discs.grid.plane import RADIUS, At


class Grid(NamedTuple):
    """The square on which all is played, by the lines of its walls: `low` south and west, `high` north and east."""

    low: int
    high: int

    @property
    def side(self) -> int:
        """Return how long a wall is."""
        return self.high - self.low

    @property
    def centre(self) -> At:
        """Return the middle of the Grid."""
        middle = (self.low + self.high) // 2
        return At(middle, middle)

    def holds(self, place: At) -> bool:
        """Say whether a place is on the Grid; a wall is."""
        return self.low <= place.x <= self.high and self.low <= place.y <= self.high

    def has_room(self, middle: At) -> bool:
        """Say whether an Action Base with this middle lies wholly on the Grid. Rule: T-y."""
        return Grid(self.low + RADIUS, self.high - RADIUS).holds(middle)

    def clamped(self, place: At) -> At:
        """Return the nearest place on the Grid."""
        return At(min(max(place.x, self.low), self.high), min(max(place.y, self.low), self.high))

    def cell(self, line: int) -> int:
        """
        Return how many walls a straight line went through to get to a coordinate.

        Shape: above 0 for walls north or east, below 0 for walls south or west; a wall that is only reached is none.
        Rule: T-s, T-mm.
        """
        if line > self.high:
            return -((self.low - line) // self.side) - 1
        return min(0, (line - self.low) // self.side)

    def image(self, line: int, cell: int) -> int:
        """Return where a coordinate of the Grid is in the mirror image behind so many walls. Rule: T-nn."""
        return 2 * self.low + (cell + 1) * self.side - line if cell % 2 else line + cell * self.side

    def folded(self, place: At) -> At:
        """Return where a place of the plane of mirror images is on the Grid. Rule: T-mm."""
        return At(self._fold(place.x), self._fold(place.y))

    def wall_below(self, line: int) -> int:
        """Return the nearest wall, of the Grid or of a mirror image, below a coordinate."""
        return self.low + (line - 1 - self.low) // self.side * self.side

    def _fold(self, line: int) -> int:
        cell = self.cell(line)
        return self.image(line, cell) if cell % 2 else line - cell * self.side
