"""What a list can name that is no Program: bearings, points of the compass, lengths, squares, points in inches."""

import re
from collections.abc import Callable, Iterator, Sequence

from pbem.ruleset import Numbers, Refused, Token
from pbem.rulesets.discs.grid.bearings import CORNERS, SIDES, read_bearing, read_point
from pbem.rulesets.discs.grid.plane import INCH, At
from pbem.rulesets.discs.grid.squares import COLUMNS, ROWS, read_inches, write_inches
from pbem.rulesets.discs.model.order import Place, Way

HOURS = 12
"""Numbers up to this one are asked about where they stand alone, since they could be hours, or inches of a Move."""
LONGEST_BEARING = 4
"""The words of the longest bearing: bearing 135 degrees, north north west."""


class _Shown:
    """What an example shows best."""

    def why_not(self, tokens: Sequence[Token]) -> None:
        """Leave it to the example."""


class Bearings(_Shown):
    """A bearing in whole degrees, by a point of the compass or by an hour; or why it can be none. Rule: M4, T-ll."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, Way | Refused]]:
        """Yield the way along the bearing that stands at a place; a number alone that may be an hour is asked about."""
        for end in range(place + 1, min(place + LONGEST_BEARING, len(tokens)) + 1):
            said = _words(tokens[place:end])
            if re.match(r"(?:to|towards?|at|the)\b", said):
                return
            bearing = read_bearing(said)
            if isinstance(bearing, Refused):
                yield end, bearing
            elif bearing is not None and said.isdigit() and 1 <= bearing <= HOURS:
                yield end, _hour_or_degrees(said)
            elif bearing is not None:
                yield end, Way("bearing", bearing=bearing)

    def write(self, way: object) -> str | None:
        """Write it in degrees, with the word where the number alone would be asked about."""
        if not isinstance(way, Way) or way.how != "bearing":
            return None
        return f"{way.bearing} degrees" if 1 <= way.bearing <= HOURS else str(way.bearing)


def _hour_or_degrees(said: str) -> Refused:
    because = (
        f'"{said}" by itself can be degrees, an hour or inches. Write {said} degrees, {said} o\'clock, or a '
        "direction and a length, such as move NE 3."
    )
    return Refused("ambiguous", because, "M4")


class Corners(_Shown):
    """A corner of the Grid, by the compass or as the map shows it, which has north at its top. Rule: D2."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, str]]:
        """Yield the corner that stands at a place."""
        for end in range(place + 1, min(place + 3, len(tokens)) + 1):
            said = re.sub("|".join(SIDES), lambda side: SIDES[side[0]], _words(tokens[place:end]))
            point = read_point(said)
            if point in CORNERS:
                yield end, point

    def write(self, corner: object) -> str | None:
        """Write it in two letters."""
        return corner if isinstance(corner, str) and corner in CORNERS else None


class Lengths(_Shown):
    """A length in inches, to whole hundredths."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, int]]:
        """Yield the length that stands at a place, in hundredths."""
        length = read_inches(_words(tokens[place : place + 1]))
        if length is not None:
            yield place + 1, length

    def write(self, length: object) -> str | None:
        """Write it in inches."""
        return write_inches(length) if isinstance(length, int) and not isinstance(length, bool) else None


class Squares(_Shown):
    """A square of the Grid: F4; `begun` says whether a name begins so."""

    def __init__(self, begun: Callable[[str], str]) -> None:
        """Take what knows the names."""
        self._begun = begun

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, str | Refused]]:
        """Yield the square that stands at a place, or that there is none such. Rule: D2."""
        for end in range(place + 1, min(place + 2, len(tokens)) + 1):
            match = re.fullmatch(r"([a-z]) ?(\d{1,3})", _words(tokens[place:end]))
            if match and match[1].upper() in COLUMNS and 1 <= int(match[2]) <= ROWS:
                yield end, f"{match[1].upper()}{int(match[2])}"
            elif match and end == place + 1 and not self._begun(tokens[place].text):
                because = (
                    f"There is no square {match[1].upper()}{match[2]}. They go from A1 in the south-west to L12 in the "
                    "north-east."
                )
                yield end, Refused("illegal", because, "D2")

    def write(self, square: object) -> str | None:
        """Write it, with the word where a name begins so."""
        if not isinstance(square, str):
            return None
        return f"square {square}" if self._begun(square) else square


class Points(_Shown):
    """A point of the Grid in inches: 13.5,7; `side` are the inches of a side. Rule: D2, T-ll."""

    def __init__(self, side: int) -> None:
        """Take the size of the Grid."""
        self._side = side

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, Place | Refused]]:
        """Yield the point that stands at a place."""
        texts = [token.text for token in tokens[place : place + 3]]
        number = r"\d{1,3}(?:\.\d+)?"
        if len(texts) == 3 and texts[1] == "," and re.fullmatch(number, texts[0]) and re.fullmatch(number, texts[2]):
            yield place + 3, self._point(texts[0], texts[2])

    def _point(self, east: str, north: str) -> Place | Refused:
        x, y = read_inches(east), read_inches(north)
        if x is None or y is None:
            return Refused("illegal", "Places are in inches and whole hundredths, such as 13.5,7 or 13.25,7.", "T-ll")
        if max(x, y) > self._side * INCH:
            because = f"{write_inches(x)},{write_inches(y)} is off the Grid, whose sides are {self._side} inches."
            return Refused("illegal", because, "D2")
        return Place("point", at=At(x, y))

    def write(self, place: object) -> str | None:
        """Write it in inches."""
        if not isinstance(place, Place) or place.kind != "point":
            return None
        return f"{write_inches(place.at.x)},{write_inches(place.at.y)}"


class Ordinals(_Shown):
    """Which of several: 2nd, second."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, int]]:
        """Yield its number."""
        if place < len(tokens) and tokens[place].kind == "ordinal":
            yield place + 1, tokens[place].value
        elif place < len(tokens) and tokens[place].text in ORDINALS:
            yield place + 1, ORDINALS.index(tokens[place].text) + 1

    def write(self, number: object) -> None:
        """Leave it to the number."""


class Short(_Shown):
    """Which of one's cards, as short as can be: c2. Before an act no square can stand."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, int]]:
        """Yield its number."""
        match = re.fullmatch(r"c(\d{1,2})", tokens[place].text) if place < len(tokens) else None
        if match and int(match[1]):
            yield place + 1, int(match[1])

    def write(self, number: object) -> None:
        """Leave it to the number."""


class Spans(_Shown):
    """From one number to another: 1-3."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield all numbers from the first to the last."""
        match = re.fullmatch(r"(\d{1,2}) ?- ?(\d{1,2})", tokens[place].text) if place < len(tokens) else None
        if match and int(match[1]) < int(match[2]):
            yield place + 1, tuple(range(int(match[1]), int(match[2]) + 1))

    def write(self, numbers: object) -> None:
        """Leave it to the numbers."""


ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def count_of(token: Token) -> int:
    """Return the number that a token says, in digits or words, or as the first of several; 0 for what says none."""
    if token.kind in ("number", "ordinal"):
        return token.value
    if token.text in ORDINALS:
        return ORDINALS.index(token.text) + 1
    return 1 if token.text == "one" else next((number for _, number in _NUMBERS.spans((token,), 0)), 0)


def _words(tokens: Sequence[Token]) -> str:
    """Return what tokens say, in small letters, with digits for numbers in words."""
    found = (next((str(number) for _, number in _NUMBERS.spans((token,), 0)), token.text) for token in tokens)
    return " ".join(found)


_NUMBERS = Numbers()
