"""The squares of a Grid and lengths in inches, as people write them; knows no Program."""

import re

from pbem.rulesets.discs.grid.plane import INCH, At

COLUMNS = "ABCDEFGHIJKL"
ROWS = 12
"""Every Grid has twelve squares by twelve: A to L from the west, 1 to 12 from the south."""


def square_middle(side: int, square: str) -> At:
    """Return the middle of a square of a Grid with a side of so many inches."""
    column, row = COLUMNS.index(square[0]), int(square[1:]) - 1
    return At(*((side * INCH * (2 * line + 1) + ROWS) // (2 * ROWS) for line in (column, row)))


def square_of(side: int, at: At) -> str:
    """Return the square in which a place is; a line between two counts to the one north or east of it."""
    column, row = (min(max(line * ROWS // (side * INCH), 0), ROWS - 1) for line in at)
    return f"{COLUMNS[column]}{row + 1}"


def read_inches(said: str) -> int | None:
    """Read a length of inches as hundredths; None where it is none, or finer than that."""
    match = re.fullmatch(r"(\d{1,3})(?:\.(\d{1,2}))?", said)
    return int(match[1]) * INCH + int((match[2] or "0").ljust(2, "0")) if match else None


def write_inches(length: int) -> str:
    """Write hundredths as inches: 3, 3.5 or 3.25."""
    return f"{length // INCH}.{length % INCH:02}".rstrip("0").rstrip(".")
