"""The Grid as a picture (SVG), for the archive and beside a letter; draws what it is given and knows no rules."""

from collections.abc import Sequence
from itertools import pairwise
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from pbem.rulesets.discs.grid.plane import INCH, RADIUS, At
from pbem.rulesets.discs.grid.squares import COLUMNS, ROWS, square_of
from pbem.rulesets.discs.shown.drawing import Base, Drawing, Marker, Trail

BOARD, MARGIN, HEAD = 600, 48, 26
"""Pixels of the Grid's side, around it, and of the line with the title above all."""
TOP = HEAD + MARGIN
ROW = 30
"""Pixels of a row of the legend."""

INKS = ("#E69F00", "#56B4E9", "#F0E442", "#CC79A7", "#009E73", "#D55E00", "#9DA9FF", "#C0C7CE")
"""One a seat: Okabe and Ito's, which colour-blind eyes tell apart, and two more for the largest games."""
DASHES = ("", "10 5", "2 5", "14 4 2 4", "6 3", "2 3 8 3", "16 6", "4 8")
"""A seat's trails can be told apart without any colour."""

NIGHT, FLOOR, LINES, WALL, DIM, WHITE = "#06090d", "#0c1319", "#1b2a35", "#e8f1f8", "#8fa3b3", "#ffffff"
FONT = "DejaVu Sans, Verdana, sans-serif"


def picture(drawing: Drawing) -> str:
    """
    Draw the Grid as SVG, the same bytes for the same drawing.

    Shape: under the Grid a legend, a row a Program. What colours say is said by letters and dashes too, and the
    `<desc>` says where all stand in words.
    """
    return _Picture(drawing).text()


class _Picture:
    """One picture in the making: the tree of its elements, and how inches become pixels."""

    def __init__(self, drawing: Drawing) -> None:
        self.drawing = drawing
        self.seats = {letter: place for place, letter in enumerate(drawing.letters)}
        wide = BOARD + 2 * MARGIN
        high = HEAD + wide + 12 + ROW * ((len(drawing.bases) + 1) // 2)
        self.svg = Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "viewBox": f"0 0 {wide} {high}",
                "role": "img",
                "aria-labelledby": "title desc",
                "font-family": FONT,
            },
        )
        SubElement(self.svg, "title", id="title").text = drawing.title
        SubElement(self.svg, "desc", id="desc").text = described(drawing)
        SubElement(self.svg, "rect", width="100%", height="100%", fill=NIGHT)
        self.numbers, self.labels = Element("g"), Element("g")
        """Cards at which Discs got where they are, and what goes over them and everything else."""

    def text(self) -> str:
        self._grid()
        for base in self.drawing.bases:
            self._way(base)
        for trail in self.drawing.trails:
            self._trail(trail)
        for base in self.drawing.bases:
            self._base(base)
        for marker in self.drawing.markers:
            self._marker(marker)
        self._happenings()
        self.svg.extend((self.numbers, self.labels))
        self._legend()
        indent(self.svg, space=" ")
        return tostring(self.svg, encoding="unicode") + "\n"

    # Places

    def x(self, at: At) -> str:
        return _tenths(MARGIN * 10 + at.x * BOARD * 10 // self.drawing.side)

    def y(self, at: At) -> str:
        return _tenths((TOP + BOARD) * 10 - at.y * BOARD * 10 // self.drawing.side)

    def long(self, hundredths: int) -> str:
        return _tenths(hundredths * BOARD * 10 // self.drawing.side)

    def path(self, points: Sequence[At]) -> str:
        return "M" + "L".join(f"{self.x(point)} {self.y(point)}" for point in points)

    # What lies on the Grid

    def _grid(self) -> None:
        step = BOARD // ROWS
        SubElement(
            self.svg, "rect",
            x=str(MARGIN), y=str(TOP), width=str(BOARD), height=str(BOARD), fill=FLOOR,
        )  # fmt: skip
        inner = [step * number for number in range(1, ROWS)]
        lines = "".join(f"M{MARGIN + at} {TOP}v{BOARD}M{MARGIN} {TOP + at}h{BOARD}" for at in inner)
        SubElement(self.svg, "path", d=lines, stroke=LINES, fill="none")
        for width, opacity in ((14, "0.06"), (8, "0.12"), (3, "1")):
            SubElement(
                self.svg, "rect",
                {"x": str(MARGIN), "y": str(TOP), "width": str(BOARD), "height": str(BOARD), "fill": "none",
                 "stroke": WALL, "stroke-width": str(width), "stroke-opacity": opacity},
            )  # fmt: skip
        if self.drawing.inset:
            self._walls()
        for number in range(ROWS):
            middle = step * number + step // 2
            for y in (TOP - 16, TOP + BOARD + 26):
                self._words(self.svg, str(MARGIN + middle), str(y), COLUMNS[number], DIM, 14)
            for x in (MARGIN - 24, MARGIN + BOARD + 24):
                self._words(self.svg, str(x), str(TOP + middle + 5), str(ROWS - number), DIM, 14)
        self._words(self.svg, str(MARGIN), str(HEAD), self.drawing.title, WHITE, 16, anchor="start")

    def _walls(self) -> None:
        """Draw walls that have come in, and darken what lies behind them."""
        low, high = At(self.drawing.inset, self.drawing.inset), self.drawing.side - self.drawing.inset
        x, y, long = self.x(low), self.y(At(low.x, high)), self.long(high - low.x)
        outer = f"M{MARGIN} {TOP}h{BOARD}v{BOARD}h-{BOARD}z"
        SubElement(self.svg, "path", {"d": f"{outer}M{x} {y}v{long}h{long}v-{long}z", "fill": NIGHT,
                                      "fill-opacity": "0.85"})  # fmt: skip
        SubElement(self.svg, "rect", {"x": x, "y": y, "width": long, "height": long, "fill": "none", "stroke": WALL,
                                      "stroke-width": "3"})  # fmt: skip

    def _way(self, base: Base) -> None:
        """Draw where a base began and the band along which it moved."""
        if not base.moves:
            return
        ink = self.ink(base.letter)
        SubElement(
            self.svg, "circle",
            {"cx": self.x(base.was), "cy": self.y(base.was), "r": self.long(RADIUS), "fill": "none", "stroke": ink,
             "stroke-width": "1.5", "stroke-dasharray": "2 6", "stroke-opacity": "0.7"},
        )  # fmt: skip
        SubElement(
            self.svg, "path",
            {"d": self.path((base.was, *base.moves)), "stroke": ink, "stroke-width": self.long(70), "fill": "none",
             "stroke-opacity": "0.16", "stroke-linejoin": "round", "stroke-linecap": "round"},
        )  # fmt: skip

    def _trail(self, trail: Trail) -> None:
        """Draw a flight as a line that glows, and at its end the card at which the disc got there."""
        ink, dash = self.ink(trail.letter), self.dash(trail.letter)
        if trail.recalled:
            self._line(trail.points, ink, 1.5, "0.8", "1 4")
        else:
            for width, opacity in ((11.0, "0.10"), (7.0, "0.16")):
                self._line(trail.points, ink, width, opacity, "")
            self._line(trail.points, ink, 3, "1", dash)
            for turn in trail.points[1:-1]:
                self._bounce(turn, ink)
        self._end(trail, ink)

    def _line(self, points: Sequence[At], ink: str, width: float, opacity: str, dash: str) -> None:
        found = {
            "d": self.path(points), "stroke": ink, "stroke-width": f"{width:g}", "fill": "none",
            "stroke-opacity": opacity, "stroke-linejoin": "round",
        }  # fmt: skip
        SubElement(self.svg, "path", found | ({"stroke-dasharray": dash} if dash else {}))

    def _bounce(self, at: At, ink: str) -> None:
        """Mark where a disc met a wall: a spark of three rays would hide the line, so a small diamond."""
        x, y = self.x(at), self.y(at)
        SubElement(self.svg, "path", d=f"M{x} {y}m-6 0l6 -6l6 6l-6 6z", fill=FLOOR, stroke=ink)

    def _end(self, trail: Trail, ink: str) -> None:
        at = trail.points[-1]
        if trail.recalled or any(at.squared(marker.arrow) < INCH**2 for marker in self.drawing.markers):
            return
        x, y = self.x(at), self.y(at)
        other = self.ink(trail.by) if trail.by in self.seats else ink
        if trail.ending == "hit":
            for colour, width in ((WHITE, "8"), (other, "5")):
                self.labels.append(_element("path", {"d": f"M{x} {y}m-9 -9l18 18m0 -18l-18 18", "stroke": colour,
                                                     "stroke-width": width, "stroke-linecap": "round"}))  # fmt: skip
            return
        if trail.ending in ("blocked", "caught"):
            self.labels.append(_element("circle", {"cx": x, "cy": y, "r": "6", "fill": other, "stroke": WHITE}))
            return
        circle = {"cx": x, "cy": y, "r": "9", "fill": NIGHT, "stroke": ink, "stroke-width": "1.5"}
        self.numbers.append(_element("circle", circle))
        self._words(self.numbers, x, _below(y, 4), str(trail.card), WHITE, 11)

    def _base(self, base: Base) -> None:
        ink, x, y = self.ink(base.letter), self.x(base.at), self.y(base.at)
        if base.fell:
            self._ring(base, ink, dash="3 7", fill="0.04")
            SubElement(self.svg, "path", {"d": f"M{x} {y}m-14 -14l28 28m0 -28l-28 28", "stroke": ink,
                                          "stroke-width": "5", "stroke-linecap": "round"})  # fmt: skip
        else:
            self._ring(base, ink, dash="", fill="0.22")
            self._words(self.labels, x, _below(y, 11), base.letter, WHITE, 32, bold=True)
            self._cards(base)
        if base.prone and not base.fell:
            at = {"x": f"{float(x) - 24:.1f}", "y": f"{float(y) + 16:.1f}", "width": "48", "height": "15", "rx": "3"}
            self.labels.append(_element("rect", at | {"fill": ink}))
            self._words(self.labels, x, _below(y, 27.5), "PRONE", NIGHT, 11, bold=True)

    def _ring(self, base: Base, ink: str, *, dash: str, fill: str) -> None:
        at = {"cx": self.x(base.at), "cy": self.y(base.at), "r": self.long(RADIUS)}
        SubElement(self.svg, "circle", at | {"fill": FLOOR, "fill-opacity": "0.4"})
        SubElement(self.svg, "circle", at | {"fill": ink, "fill-opacity": fill})
        for width, opacity in (("12", "0.08"), ("8", "0.14"), ("3.5", "1")):
            ring = {"fill": "none", "stroke": ink, "stroke-width": width, "stroke-opacity": opacity}
            SubElement(self.svg, "circle", at | ring | ({"stroke-dasharray": dash} if dash else {}))

    def _cards(self, base: Base) -> None:
        """Draw the cards that a Program holds."""
        left = float(self.x(base.at)) - 6.5 * base.held + 1
        top = float(self.y(base.at)) - 33
        for card in range(base.held):
            at = {"x": f"{left + 13 * card:.1f}", "y": f"{top:.1f}", "width": "11", "height": "15", "rx": "2"}
            self.labels.append(_element("rect", at | {"fill": WHITE, "stroke": NIGHT}))

    def _marker(self, marker: Marker) -> None:
        """Draw a disc: a pentagon as long as it is, which points its way, with its owner's letter."""
        ink, half = self.ink(marker.letter), 50 * BOARD // self.drawing.side
        (x1, y1), (x2, y2) = ((float(self.x(at)), float(self.y(at))) for at in (marker.tail, marker.arrow))
        long = max(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5, 1)
        ahead, aside = ((x2 - x1) / long, (y2 - y1) / long), ((y1 - y2) / long, (x2 - x1) / long)
        corners = [(0, -half), (long - half, -half), (long, 0), (long - half, half), (0, half)]
        points = " ".join(
            f"{x1 + ahead[0] * far + aside[0] * off:.1f},{y1 + ahead[1] * far + aside[1] * off:.1f}"
            for far, off in corners
        )
        for width, opacity in (("10", "0.15"), ("2", "1")):
            found = {"points": points, "fill": ink, "stroke": WHITE if width == "2" else ink, "stroke-width": width,
                     "stroke-opacity": opacity, "stroke-linejoin": "round"}  # fmt: skip
            self.labels.append(_element("polygon", found))
        middle = f"{(x1 + x2) / 2 - ahead[0] * 3:.1f}", f"{(y1 + y2) / 2 - ahead[1] * 3 + 4.5:.1f}"
        self._words(self.labels, *middle, marker.letter, NIGHT, 13, bold=True)

    def _happenings(self) -> None:
        """Write beside each base what happened there, on the side where it hides least."""
        taken = [self._spot(point) for one in self.drawing.markers for point in (one.tail, one.arrow)]
        taken += [self._spot(point) for trail in self.drawing.trails for point in _along(trail.points)]
        taken += [self._spot(base.at) for base in self.drawing.bases]
        for base in self.drawing.bases:
            if not base.happened:
                continue
            wide, high = max(map(len, base.happened)) * 8, 15 * len(base.happened)
            x, y = self._spot(base.at)
            off = float(self.long(RADIUS)) + 8
            corners = [(x + off, y - high / 2), (x - off - wide, y - high / 2), (x - wide / 2, y + off)]
            corners.append((x - wide / 2, y - off - high))
            left, top = min(corners, key=lambda corner: _hidden(corner, wide, high, taken))
            for place, words in enumerate(base.happened):
                line = f"{left + wide / 2:.1f}", f"{top + 15 * place + 11:.1f}"
                self._words(self.labels, *line, words, self.ink(base.letter), 13)
                taken += [(left + step * wide / 4, top + 15 * place + 7) for step in range(5)]

    def _spot(self, at: At) -> tuple[float, float]:
        return float(self.x(at)), float(self.y(at))

    # Below the Grid

    def _legend(self) -> None:
        """Write a row a Program, two beside each other: its letter, its line, its name, where it is, what it holds."""
        top = TOP + BOARD + MARGIN + 6
        for place, base in enumerate(self.drawing.bases):
            x, y = MARGIN + place % 2 * (BOARD // 2), top + ROW * (place // 2)
            ink, dash = self.ink(base.letter), self.dash(base.letter)
            at = {"cx": str(x + 11), "cy": str(y), "r": "11", "stroke": ink, "stroke-width": "2", "fill": ink}
            SubElement(self.svg, "circle", at | {"fill-opacity": "0.25"})
            self._words(self.svg, str(x + 11), str(y + 5), base.letter, WHITE, 13, bold=True)
            line = {"d": f"M{x + 30} {y}h34", "stroke": ink, "stroke-width": "3"}
            SubElement(self.svg, "path", line | ({"stroke-dasharray": dash} if dash else {}))
            name = self._words(self.svg, str(x + 74), str(y + 5), "", WHITE, 14, anchor="start")
            name.text = f"{base.name}  "
            SubElement(name, "tspan", fill=DIM).text = _stand(base, self.drawing.side)

    def ink(self, letter: str) -> str:
        return INKS[self.seats[letter] % len(INKS)]

    def dash(self, letter: str) -> str:
        return DASHES[self.seats[letter] % len(DASHES)]

    def _words(
        self, onto: Element, x: str, y: str, words: str, ink: str, size: int, *, bold: bool = False,
        anchor: str = "middle",
    ) -> Element:  # fmt: skip
        """Write words; over other things they have an edge of night, so that they can be read there."""
        found = {"x": x, "y": y, "fill": ink, "font-size": str(size), "text-anchor": anchor}
        if bold:
            found["font-weight"] = "bold"
        if onto is self.labels and ink != NIGHT:
            found |= {"stroke": NIGHT, "stroke-width": "3", "paint-order": "stroke", "stroke-linejoin": "round"}
        element = SubElement(onto, "text", found)
        element.text = words
        return element


def described(drawing: Drawing) -> str:
    """Say in a sentence for each Program and each disc what the picture shows."""
    stands = [f"{base.letter}, {base.name}: {_stand(base, drawing.side)}." for base in drawing.bases]
    side = drawing.side // INCH
    discs = [f"The disc of {one.letter} is at {square_of(side, one.arrow)}." for one in drawing.markers]
    return " ".join((*stands, *discs))


def _stand(base: Base, side: int) -> str:
    if base.fell:
        return f"out, {base.fell}"
    return f"{square_of(side // INCH, base.at)}, {base.held} held{', Prone' if base.prone else ''}"


def _along(points: Sequence[At]) -> list[At]:
    """Return points along a line, eight for each straight part of it."""
    return [
        At(start.x + (end.x - start.x) * step // 8, start.y + (end.y - start.y) * step // 8)
        for start, end in pairwise(points)
        for step in range(9)
    ]


def _hidden(corner: tuple[float, float], wide: float, high: float, taken: Sequence[tuple[float, float]]) -> int:
    """Count what words in a box would hide; beyond the Grid they would hide its edge and the squares' names."""
    left, top = corner
    met = sum(left - 8 < x < left + wide + 8 and top - 8 < y < top + high + 8 for x, y in taken)
    is_inside = left > MARGIN and left + wide < MARGIN + BOARD and top > TOP and top + high < TOP + BOARD
    return met if is_inside else met + len(taken)


def _element(tag: str, found: dict[str, str]) -> Element:
    return Element(tag, found)


def _tenths(number: int) -> str:
    return f"{number // 10}.{number % 10}"


def _below(y: str, more: float) -> str:
    return f"{float(y) + more:.1f}"
