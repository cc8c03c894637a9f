"""A Program with its cards, its Disc and the lengths that the rules fix."""

import msgspec

from pbem.ruleset import Seat
from pbem.rulesets.discs.grid.plane import INCH, At

CARDS = 5
"""The Action Cards that a Program has (D1)."""
HELD = 1
"""The cards that a Program holds as it begins; the rest are in the deck (D3)."""
FARTHEST = 4 * INCH
"""The longest Move, and the distance of two middles within which an Attack reaches (T-y, T-qq)."""
AWAY = 12 * INCH
"""A Marker that is farther than this from the Base of its owner can be recalled (D19, T-u)."""
APART = 2 * INCH
"""The middles of two Programs are not nearer than this (T-y)."""
NARROWEST = 12 * INCH
"""The walls come in no farther (T-hh)."""


class Sizes(msgspec.Struct, frozen=True):
    """The lengths of a Disc Movement Base and of a Disc Marker, in hundredths. Rule: D2, T-b."""

    movement: int
    marker: int

    @property
    def reach(self) -> int:
        """Return how far a Disc goes in a step. Rule: D15."""
        return self.movement + self.marker


SIZES = {"2x6": Sizes(6 * INCH, 2 * INCH), "4x8": Sizes(8 * INCH, 4 * INCH)}


class Disc(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    A thrown Disc: the middle of its Marker's arrow end, where it points, and who let it by.

    Shape: `passed` are those whose Base the Marker still lies on, and who are not crossed by it until it has left.
    Rule: D2, T-oo.
    """

    tip: At
    bearing: int
    passed: tuple[Seat, ...] = ()


class Program(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """
    One seat's Program.

    Shape: `disc` is its thrown Disc; without one it is in hand, or gone with a Program that is out. `held`, `deck` and
    `used` count its cards. `out` says that it is De-Rezzed, `by` whose Disc or Attack it was, and in which turn it
    `fell`. `team` is 0 for who is alone. `kept` are standing orders that last, as lines, known to their seat alone.
    """

    seat: Seat
    name: str
    at: At = At(0, 0)
    disc: Disc | None = None
    held: int = HELD
    deck: int = CARDS - HELD
    used: int = 0
    prone: bool = False
    out: bool = False
    by: str = ""
    fell: int = 0
    team: int = 0
    kept: tuple[str, ...] = ()

    @property
    def is_armed(self) -> bool:
        """Say whether the Program has its Disc in hand."""
        return not self.out and self.disc is None

    @property
    def is_ghost(self) -> bool:
        """Say whether the Program is De-Rezzed while its Disc still flies. Rule: D20."""
        return self.out and self.disc is not None
