"""What a Program can be told, as frozen values; knows neither how they are written nor what comes of them."""

from typing import Literal, TypeAlias

import msgspec

from pbem.ruleset import Placed
from pbem.rulesets.discs.grid.plane import At
from pbem.rulesets.discs.model.program import FARTHEST

Wall = Literal["north", "east", "south", "west"]
PlaceKind = Literal["seat", "nearest", "weakest", "my disc", "disc", "centre", "wall", "corner", "square", "point"]
Sign = Literal["=", "<=", ">="]
Guard = Literal["block", "dodge"]


class Place(msgspec.Struct, frozen=True):
    """
    A place in words, to be looked up when it is needed.

    Shape: `seat` is whose Program or Disc; `name` is that of a wall ("north"), a corner ("NE") or a square ("F4");
    `at` is a point in hundredths.
    """

    kind: PlaceKind
    seat: str = ""
    name: str = ""
    at: At = At(0, 0)


class Way(msgspec.Struct, frozen=True):
    """
    A direction: a bearing, or one that is taken from a place when it is needed.

    Shape: `how` is "to" a place, "from" it, or to the "left" or "right" of it as one faces it; `off` are the walls in
    whose mirror image the place is aimed at, for a bank shot.
    """

    how: Literal["bearing", "to", "from", "left", "right"]
    place: Place = Place("centre")
    bearing: int = 0
    off: tuple[Wall, ...] = ()


class Throw(msgspec.Struct, frozen=True):
    """Throw the Disc (D14)."""

    way: Way


class Attack(msgspec.Struct, frozen=True):
    """Attack a Program nearby: one that is named, the nearest or the weakest (D8)."""

    whom: Place


class Move(msgspec.Struct, frozen=True):
    """Move so many hundredths, or less where that is too far (D12, T-tt)."""

    way: Way
    by: int = FARTHEST


class Hold(msgspec.Struct, frozen=True):
    """Hold the card while fewer than so many are held; 0 is as many as the house allows (D4)."""

    to: int = 0


class Pass(msgspec.Struct, frozen=True):
    """Use the card up for nothing (T-c)."""


class Stand(msgspec.Struct, frozen=True):
    """Stand up (D13)."""


Act: TypeAlias = Throw | Attack | Move | Hold | Pass | Stand


class Test(msgspec.Struct, frozen=True):
    """
    One test of a condition.

    Shape: `kind` is "within" or "beyond" (a place, in hundredths), "holds" (so many cards), "prone", "disc out",
    "disc in hand", "disc away", "heading" (the Disc of `seat`, or of anybody, at me), "clear" (a shot at somebody),
    "left" (so many Programs). Who holds cards or is Prone is the Program at `place`; without one it is whoever asks.
    """

    kind: Literal[
        "within", "beyond", "holds", "prone", "disc out", "disc in hand", "disc away", "heading", "clear", "left"
    ]
    place: Place | None = None
    seat: str = ""
    sign: Sign = "="
    number: int = 0

    def compares(self, value: int) -> bool:
        """Compare a value with the test's number."""
        return {"=": value == self.number, "<=": value <= self.number, ">=": value >= self.number}[self.sign]


class Line(Placed, frozen=True, eq=False):
    """A line of the list: what to do at a card, if every test holds, and perhaps at one card of the phase alone."""

    act: Act
    tests: tuple[Test, ...] = ()
    card: int = 0


class OnDisc(Placed, frozen=True, eq=False):
    """
    What to do when another's Disc crosses, of one Program or of any (D9, D11).

    Shape: where none of `guards` can be done the Program Dodges; with `only`, or without any, it takes the Disc.
    """

    guards: tuple[Guard, ...]
    seat: str = ""
    only: bool = False

    @property
    def may_take_it(self) -> bool:
        """Say whether it can leave a Program with cards in hand to be De-Rezzed. Rule: T-j, M8."""
        return self.only or not self.guards


class OnAttack(Placed, frozen=True, eq=False):
    """Whether to Dodge an Attack (D8)."""

    dodges: bool


class OnMyDisc(Placed, frozen=True, eq=False):
    """Whether to Catch one's own Disc with a card, if at least `least` are held, and whether to dive for it (D10)."""

    card: bool
    dive: bool
    least: int = 1


class Recall(Placed, frozen=True, eq=False):
    """When to Recall one's Disc (D19)."""

    when: Literal["away", "never", "nobody ahead"]


class Begin(Placed, frozen=True, eq=False):
    """A place to begin at, before the first card (T-ff)."""

    place: Place


class With(Placed, frozen=True, eq=False):
    """A seat with whom one wants to be on a team, before the first card (T-yy)."""

    seat: str


Standing: TypeAlias = OnDisc | OnAttack | OnMyDisc | Recall
"""What to do when it comes to it."""
Order: TypeAlias = Line | OnDisc | OnAttack | OnMyDisc | Recall | Begin | With
