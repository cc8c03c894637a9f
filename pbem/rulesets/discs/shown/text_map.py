"""The Grid as text of 54 columns: Bases, Discs with their trails, walls; for letters that are shown in one width."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from pbem.rulesets.discs.grid.plane import INCH, RADIUS, At
from pbem.rulesets.discs.grid.squares import COLUMNS, ROWS
from pbem.rulesets.discs.model.program import Program
from pbem.rulesets.discs.model.state import State
from pbem.rulesets.discs.shown.initials import initials, trail_signs

WIDE, HIGH = 4, 2
"""Characters of a square, across and down."""
ARROWS = "↑↗→↘↓↙←↖"
PLAIN_ARROWS = "^/>\\v/<\\"
"""The same in ASCII, where north-east and south-west look alike."""
WALL = "#"
"""What has been closed off by walls that came in; no trail is drawn across it."""
LONGEST = 12
"""Letters of a name below a map."""

_ACROSS, _DOWN = WIDE * len(COLUMNS), HIGH * ROWS


def text_map(state: State, trails: Sequence[tuple[str, Sequence[At]]] = (), *, plain: bool = False) -> tuple[str, ...]:
    """
    Draw the Grid, a line for each row of characters.

    Shape: each line begins and ends with a sign of the frame, so that it is never read as an order and no blank at
    its end is lost. A Base is drawn with its Program's letter, the capital is its middle, with _ behind it where it is
    Prone; a Disc is an arrow with its owner's letter. `trails` are the flights to show, each with its owner. `plain`
    draws in ASCII alone.
    """
    canvas = _Canvas(state)
    letters, signs = initials(state), trail_signs(state)
    canvas.close_off()
    for owner, trail in trails:
        for one, other in pairwise(trail):
            for cell in canvas.line(one, other):
                if not canvas.is_closed(cell):
                    canvas.put(cell, signs[owner])
    for program in state.standing():
        for cell in canvas.base(program):
            canvas.put(cell, letters[program.seat].lower())
    middles = {program.seat: canvas.cell(program.at) for program in state.standing()}
    for program in state.standing():
        if program.prone:
            column, row = middles[program.seat]
            canvas.put((column + 1, row), "_")
    for seat, cell in middles.items():
        canvas.put(cell, letters[seat])
    for program in state.programs:
        if program.disc:
            column, row = canvas.cell(program.disc.tip)
            beside = column + 1 if column + 1 < _ACROSS else column - 1
            canvas.put((beside, row), letters[program.seat].lower())
            arrows = PLAIN_ARROWS if plain else ARROWS
            canvas.put((column, row), arrows[(program.disc.bearing * 2 + 45) // 90 % 8])
    return (*canvas.framed(), *_caption(state, [owner for owner, _ in trails]))


def _caption(state: State, owners: Sequence[str]) -> Iterator[str]:
    """Yield rows that say whose flight each trail is."""
    signs = trail_signs(state)
    row, first = "", "Flights: "
    for program in state.programs:
        if program.seat in owners:
            name = program.name if len(program.name) <= LONGEST else f"{program.name[: LONGEST - 2]}.."
            said = f"{name} {3 * signs[program.seat]}"
            if len(first) + len(row) + len(said) + 2 > _ACROSS:
                yield _captioned(first, row)
                row, first = "", " " * len(first)
            row += f"{'  ' if row else ''}{said}"
    if row:
        yield _captioned(first, row)


def _captioned(first: str, row: str) -> str:
    return f"|    {first + row:<{_ACROSS}}|"


class _Canvas:
    """Characters of the squares, from the north-west."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.side = int(state.house["grid"]) * INCH
        self.rows = [[" "] * _ACROSS for _ in range(_DOWN)]

    def put(self, cell: tuple[int, int], sign: str) -> None:
        self.rows[cell[1]][cell[0]] = sign

    def cell(self, at: At) -> tuple[int, int]:
        """Return the column and the row, from the north, in which a place is."""
        column = min(at.x * _ACROSS // self.side, _ACROSS - 1)
        return column, _DOWN - 1 - min(at.y * _DOWN // self.side, _DOWN - 1)

    def middle(self, cell: tuple[int, int]) -> At:
        """Return the place in the middle of a character."""
        column, row = cell
        return At((2 * column + 1) * self.side // (2 * _ACROSS), (2 * (_DOWN - row) - 1) * self.side // (2 * _DOWN))

    def cells(self) -> Iterator[tuple[int, int]]:
        """Yield every character's place."""
        yield from ((column, row) for row in range(_DOWN) for column in range(_ACROSS))

    def base(self, program: Program) -> Iterator[tuple[int, int]]:
        """Yield the characters whose middle is on a Base."""
        yield from (cell for cell in self.cells() if self.middle(cell).squared(program.at) < RADIUS**2)

    def close_off(self) -> None:
        """Mark what lies beyond walls that have come in."""
        for cell in self.cells():
            if self.is_closed(cell):
                self.put(cell, WALL)

    def is_closed(self, cell: tuple[int, int]) -> bool:
        """Say whether a character lies beyond walls that have come in."""
        return not self.state.grid.holds(self.middle(cell))

    def line(self, one: At, other: At) -> Iterator[tuple[int, int]]:
        """Yield the characters on the straight line between two places."""
        first, last = self.cell(one), self.cell(other)
        steps = max(abs(last[0] - first[0]), abs(last[1] - first[1]), 1)
        for step in range(steps + 1):
            x = one.x + (other.x - one.x) * step // steps
            y = one.y + (other.y - one.y) * step // steps
            yield self.cell(At(x, y))

    def framed(self) -> Iterator[str]:
        """Yield the rows with their numbers, between the frame."""
        yield f"|    {(' ' * (WIDE - 1)).join(COLUMNS)}"
        yield f"|   +{'-' * _ACROSS}+"
        for row, signs in enumerate(self.rows):
            number = "" if row % HIGH else str(ROWS - row // HIGH)
            yield f"|{number:>2} |{''.join(signs)}|"
        yield f"|   +{'-' * _ACROSS}+"
