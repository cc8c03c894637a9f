"""The Grid as a picture (SVG), for the archive and beside a letter; draws what it is given and knows no rules."""

from collections.abc import Sequence
from itertools import pairwise
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from pbem.rulesets.discs.grid.plane import INCH, RADIUS, At
from pbem.rulesets.discs.grid.squares import COLUMNS, ROWS, square_of
from pbem.rulesets.discs.shown.drawing import Base, Drawing, Marker, Trail
from pbem.rulesets.discs.shown.svg import (
    DIM,
    FONT,
    GLOW,
    NIGHT,
    WHITE,
    Spot,
    beside,
    box,
    circle,
    gap,
    glowing,
    gradient,
    line,
    path,
    tenths,
    words,
)

BOARD, MARGIN, HEAD = 6000, 420, 760
"""Tenths of a pixel of the Grid's side, around it, and of the block with the title above all."""
TOP = HEAD + MARGIN
WIDE = BOARD + 2 * MARGIN
ROW = 340
"""Of a row of the legend."""

INKS = ("#E69F00", "#56B4E9", "#F0E442", "#CC79A7", "#009E73", "#D55E00", "#9DA9FF", "#C0C7CE")
"""One a seat: Okabe and Ito's, which colour-blind eyes tell apart, and two more for the largest games."""
DASHES = ("", "12 5", "3 5", "16 4 3 4", "7 4", "3 3 9 3", "20 6", "5 9")
"""A seat's trails can be told apart without any colour."""
FEW = 6
"""With more seats than these fewer flights of each are drawn whole."""
RAYS = (
    (10, 0, 13), (7, 7, 17), (0, 10, 13), (-7, 7, 17), (-10, 0, 13), (-7, -7, 17), (0, -10, 13), (7, -7, 17),
)  # fmt: skip
"""Directions of the rays of a burst, and how long they are."""
FADES = ("1", ".85", ".72", ".6")
"""How bright the last flight of a Disc is, the one before it, and so on."""


def picture(drawing: Drawing) -> str:
    """
    Draw the Grid as SVG, the same bytes for the same drawing.

    Shape: above the Grid the title, under it a legend. What colours say is said by letters and dashes too, and the
    `<desc>` says where all stand in words. All lengths are whole tenths of a pixel.
    """
    return _Picture(drawing).text()


class _Picture:
    """One picture in the making: the tree of its elements, and how inches become pixels."""

    def __init__(self, drawing: Drawing) -> None:
        self.drawing = drawing
        self.seats = {letter: place for place, letter in enumerate(drawing.letters)}
        high = TOP + BOARD + MARGIN + 300 + ROW * ((len(drawing.bases) + 1) // 2)
        self.svg = Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "viewBox": f"0 0 {WIDE // 10} {high // 10}",
                "role": "img",
                "aria-labelledby": "title desc",
                "font-family": FONT,
                "stroke-linejoin": "round",
                "stroke-linecap": "round",
            },
        )
        SubElement(self.svg, "title", id="title").text = drawing.title
        SubElement(self.svg, "desc", id="desc").text = described(drawing)
        middle = Spot(MARGIN + BOARD // 2, TOP + BOARD // 2)
        lights = SubElement(self.svg, "defs")
        gradient(lights, "floor", middle, BOARD * 3 // 4, (("0", "#123a4a", "1"), ("1", "#05090d", "1")))
        fading = (("0", GLOW, ".36"), (".6", GLOW, ".17"), ("1", GLOW, ".06"))
        gradient(lights, "lines", middle, BOARD * 7 // 10, fading)
        for base in drawing.bases:
            ink = self.ink(base.letter)
            rising = ((".2", ink, ".12"), (".85", ink, ".34"), ("1", ink, ".6"))
            gradient(lights, f"seat-{base.letter}", None, 0, rising)
        box(self.svg, Spot(0, 0), WIDE, high, fill=NIGHT)
        self.numbers, self.labels = Element("g"), Element("g")
        """Cards at which Discs got where they are, and what goes over them and everything else."""
        self.numbered: list[Spot] = []
        """Where cards' numbers stand."""

    def text(self) -> str:
        self._title()
        self._grid()
        for base in self.drawing.bases:
            self._way(base)
        for base in self.drawing.bases:
            if base.fell:
                self._voxels(base)
        self._trails()
        for base in self.drawing.bases:
            if not base.fell:
                self._base(base)
        for marker in self.drawing.markers:
            self._marker(marker)
        self._happenings()
        self.svg.extend((self.numbers, self.labels))
        self._legend()
        indent(self.svg, space="")
        return tostring(self.svg, encoding="unicode") + "\n"

    def spot(self, at: At) -> Spot:
        side = self.drawing.side
        return Spot(MARGIN + at.x * BOARD // side, TOP + BOARD - at.y * BOARD // side)

    def long(self, hundredths: int) -> int:
        return hundredths * BOARD // self.drawing.side

    def path(self, points: Sequence[At]) -> str:
        return path([self.spot(point) for point in points])

    def ink(self, letter: str) -> str:
        return INKS[self.seats[letter] % len(INKS)]

    def dash(self, letter: str) -> str:
        return DASHES[self.seats[letter] % len(DASHES)]

    # The block above, and the Grid

    def _title(self) -> None:
        """Write the turn in large letters, which part of it this is, and the game; below runs a conductor of light."""
        turn, _, part = self.drawing.title.partition(", ")
        size, spaced = (34, 6) if len(turn) <= 12 else (20, 1)
        words(self.svg, Spot(MARGIN, 560), turn.upper(), WHITE, size, anchor="start", bold=True, spaced=spaced)
        right = MARGIN + BOARD
        words(self.svg, Spot(right, 290), "DISC BATTLE", DIM, 13, anchor="end", spaced=5)
        words(self.svg, Spot(right, 510), part.upper(), GLOW, 17, anchor="end", spaced=3)
        low, half = 730, MARGIN + BOARD // 2
        way = [Spot(MARGIN, low), Spot(half - 500, low), Spot(half - 380, low - 120), Spot(right, low - 120)]
        glowing(self.svg, path(way), GLOW, 12)
        for end in (way[0], way[-1]):
            circle(self.svg, end, 40, fill=NIGHT, stroke=GLOW, stroke_width="1.5")

    def _grid(self) -> None:
        step, corner = BOARD // ROWS, Spot(MARGIN, TOP)
        box(self.svg, corner, BOARD, BOARD, fill="url(#floor)")
        for parts, width in ((ROWS * 2, 4), (ROWS, 12)):
            inner = [BOARD * number // parts for number in range(1, parts)]
            lines = "".join(
                f"M{tenths(MARGIN + at)} {tenths(TOP)}v{BOARD // 10}M{tenths(MARGIN)} {tenths(TOP + at)}h{BOARD // 10}"
                for at in inner
            )
            SubElement(self.svg, "path", {"d": lines, "stroke": "url(#lines)", "stroke-width": tenths(width)})
        if self.drawing.inset:
            self._closed_off()
        self._wall(corner, BOARD, is_outer=True)
        for number in range(ROWS):
            middle = step * number + step // 2
            for y in (TOP - 170, TOP + BOARD + 270):
                words(self.svg, Spot(MARGIN + middle, y), COLUMNS[number], DIM, 14)
            for x in (MARGIN - 230, MARGIN + BOARD + 230):
                words(self.svg, Spot(x, TOP + middle + 50), str(ROWS - number), DIM, 14)

    def _wall(self, corner: Spot, long: int, *, is_outer: bool) -> None:
        """Draw four walls of light, and the brackets of their corners."""
        ends = [corner, corner.moved(long, 0), corner.moved(long, long), corner.moved(0, long)]
        is_bright = is_outer is not bool(self.drawing.inset)
        if is_bright:
            glowing(self.svg, path(ends, closed=True), GLOW, 26)
            line(self.svg, path(ends, closed=True), WHITE, 12)
        else:
            line(self.svg, path(ends, closed=True), GLOW, 8, ".4")
        for end, x, y in zip(ends, (1, -1, -1, 1), (1, 1, -1, -1), strict=True):
            if is_bright:
                line(self.svg, path([end.moved(x * 260, 0), end, end.moved(0, y * 260)]), WHITE, 44)

    def _closed_off(self) -> None:
        """Darken and hatch what lies behind walls that have come in, and point to where they go."""
        side, inset = self.drawing.side, self.drawing.inset
        corner, long = self.spot(At(inset, side - inset)), self.long(side - 2 * inset)
        edge = self.long(inset)
        whole = Spot(MARGIN, TOP)
        outer = path([whole, whole.moved(BOARD, 0), whole.moved(BOARD, BOARD), whole.moved(0, BOARD)], closed=True)
        inner = path([corner, corner.moved(0, long), corner.moved(long, long), corner.moved(long, 0)], closed=True)
        SubElement(self.svg, "path", {"d": outer + inner, "fill": NIGHT, "fill-opacity": ".82"})
        hatch = []
        for off in range(200, BOARD, 200):
            up, down = Spot(MARGIN + off, TOP), Spot(MARGIN + off, TOP + BOARD)
            hatch += [path([up, up.moved(-edge, edge)])] if off > edge else []
            hatch += [path([down, down.moved(edge, -edge)])] if off < BOARD - edge else []
            left, right = Spot(MARGIN, TOP + off), Spot(MARGIN + BOARD, TOP + off)
            hatch += [path([left, left.moved(edge, -edge)])] if off > edge else []
            hatch += [path([right, right.moved(-edge, edge)])] if off < BOARD - edge else []
        line(self.svg, "".join(hatch), GLOW, 10, ".22")
        self._wall(corner, long, is_outer=False)

    # What lies on the Grid

    def _way(self, base: Base) -> None:
        """Draw where a base began and the band along which it moved."""
        if not base.moves:
            return
        ink = self.ink(base.letter)
        ring = {"fill": "none", "stroke": ink, "stroke_width": "1.5", "stroke_dasharray": "2 6", "stroke_opacity": ".7"}
        circle(self.svg, self.spot(base.was), self.long(RADIUS), **ring)
        way = self.path((base.was, *base.moves))
        line(self.svg, way, ink, self.long(90), ".10")
        line(self.svg, way, ink, self.long(50), ".14")

    def _trails(self) -> None:
        """Draw the last flights of each Disc, and those that hit, one by one; older ones thin, as they hide less so."""
        most = len(FADES) if len(self.drawing.letters) <= FEW else 2
        old: dict[str, list[Trail]] = {}
        late: list[tuple[Trail, str]] = []
        for place, trail in enumerate(self.drawing.trails):
            later = sum(other.letter == trail.letter for other in self.drawing.trails[place + 1 :])
            if later < most or trail.ending == "hit":
                late.append((trail, FADES[min(later, len(FADES) - 1)]))
            else:
                old.setdefault(trail.letter, []).append(trail)
        for letter, trails in old.items():
            data = "".join(self.path(trail.points) for trail in trails)
            line(self.svg, data, self.ink(letter), 20, ".5", self.dash(letter))
        for trail, fade in late:
            self._trail(trail, fade)

    def _trail(self, trail: Trail, fade: str) -> None:
        """Draw a flight as a line of light with arrows, and at its end the card at which the disc got there."""
        ink, dash = self.ink(trail.letter), self.dash(trail.letter)
        spots = [self.spot(point) for point in trail.points]
        group = SubElement(self.svg, "g", {} if fade == "1" else {"opacity": fade})
        if trail.recalled:
            line(group, path(spots), ink, 15, ".8", "1 4")
        else:
            glowing(group, path(spots), ink, 48, dash)
            line(group, path(spots), WHITE, 14, ".8", dash)
            for start, end in pairwise(spots):
                self._arrow(group, start, end, ink)
            for turn in spots[1:-1]:
                self._bounce(group, turn, ink)
        self._end(trail, ink, spots)

    def _arrow(self, onto: Element, start: Spot, end: Spot, ink: str) -> None:
        """Point along a straight part of a flight, from its middle."""
        long = gap(start, end)
        if long > 260:
            corners = ((90, 0), (-70, 75), (-30, 0), (-70, -75))
            data = path([beside(start, end, long // 2 + ahead, aside) for ahead, aside in corners], closed=True)
            SubElement(onto, "path", {"d": data, "fill": WHITE, "stroke": ink, "stroke-width": "2"})

    def _bounce(self, onto: Element, at: Spot, ink: str) -> None:
        """Mark where a disc met a wall: a diamond, since a spark's rays would hide the line."""
        data = path([at.moved(-75, 0), at.moved(0, -75), at.moved(75, 0), at.moved(0, 75)], closed=True)
        SubElement(onto, "path", {"d": data, "fill": WHITE, "stroke": ink, "stroke-width": "2.5"})

    def _end(self, trail: Trail, ink: str, spots: Sequence[Spot]) -> None:
        """Draw what ended a flight: a shield, a hand's ring, the burst of a hit or a wall; else the card's number."""
        at = spots[-1]
        before = spots[-2] if len(spots) > 1 else at  # a Disc that was stopped where it lay flew nowhere
        other = self.ink(trail.by) if trail.by in self.seats else ink
        if trail.ending in ("hit", "gone"):
            rays = "".join(path([at.moved(x * 5, y * 5), at.moved(x * long, y * long)]) for x, y, long in RAYS)
            line(self.labels, rays, other, 50, ".5")
            line(self.labels, rays, WHITE, 22)
        elif trail.ending == "blocked":
            start = before if gap(before, at) else at.moved(10, 0)
            shield = path([beside(at, start, -20, 150), beside(at, start, 30, 0), beside(at, start, -20, -150)])
            line(self.labels, shield, NIGHT, 110)
            line(self.labels, shield, other, 80)
            line(self.labels, shield, WHITE, 24)
        elif trail.ending == "caught":
            circle(self.labels, at, 80, fill=NIGHT, stroke=other, stroke_width="4")
            circle(self.labels, at, 35, fill=WHITE)
        elif not trail.recalled and not any(gap(self.spot(one.arrow), at) < 200 for one in self.drawing.markers):
            at = self._free(before, at)
            self.numbered.append(at)
            circle(self.numbers, at, 92, fill=NIGHT, stroke=ink, stroke_width="1.5")
            words(self.numbers, at.moved(0, 40), str(trail.card), WHITE, 11, bold=True)

    def _free(self, start: Spot, end: Spot) -> Spot:
        """Return the last place of a flight at which a number lies on no letter and no other number."""
        letters = [self.spot(base.at) for base in self.drawing.bases]
        for back in range(0, gap(start, end), 60):
            at = beside(end, start, back, 0)
            if all(gap(at, one) > 330 for one in letters) and all(gap(at, one) > 200 for one in self.numbered):
                return at
        return end

    def _base(self, base: Base) -> None:
        """Draw a Program as a disc of light with its letter, and the cards that it holds."""
        ink, at, radius = self.ink(base.letter), self.spot(base.at), self.long(RADIUS)
        circle(self.svg, at, radius, fill=NIGHT, fill_opacity=".55")
        circle(self.svg, at, radius, fill=f"url(#seat-{base.letter})")
        for width, opacity in (("16", ".06"), ("10", ".12"), ("6", ".25"), ("3.5", "1")):
            circle(self.svg, at, radius, fill="none", stroke=ink, stroke_width=width, stroke_opacity=opacity)
        circle(self.svg, at, radius, fill="none", stroke=WHITE, stroke_width="1", stroke_opacity=".9")
        inner = {"stroke_width": "3", "stroke_opacity": ".8", "stroke_dasharray": "1.5 6", "stroke_linecap": "butt"}
        circle(self.svg, at, radius - 75, fill="none", stroke=ink, **inner)
        size = min(30, radius // 13)
        words(self.labels, at.moved(0, size * 36 // 10), base.letter, WHITE, size, bold=True, edged=True)
        left = at.x - 65 * base.held + 10
        for card in range(base.held):
            cell = Spot(left + 130 * card, at.y - size * 36 // 10 - 160)
            box(self.labels, cell, 110, 130, rx="2", fill=WHITE, stroke=ink, stroke_width="1.5")
        if base.prone:
            box(self.labels, at.moved(-270, size * 48 // 10), 540, 150, rx="3", fill=ink, stroke=NIGHT)
            words(self.labels, at.moved(0, size * 48 // 10 + 115), "PRONE", NIGHT, 11, bold=True, spaced=1)

    def _voxels(self, base: Base) -> None:
        """Draw a De-Rezzed Program: its Base in pieces that drift apart, the farther from its middle the wider."""
        ink, at, radius = self.ink(base.letter), self.spot(base.at), self.long(RADIUS)
        circle(self.svg, at, radius, fill="none", stroke=ink, stroke_dasharray="2 8", stroke_opacity=".6")
        size, seed = radius // 5, at.x + at.y
        pieces: tuple[list[str], list[str], list[str]] = ([], [], [])
        edges: list[str] = []
        for x in range(-5, 6):
            for y in range(-5, 6):
                seed = (seed * 1103515245 + 12345) % 2**31
                far = x * x + y * y
                if far > 30 or far < 4 or seed // 2**16 % 5 == 0:
                    continue
                long = size * (9 - far // 6) // 9
                drift = size * (10 + far // 3 + seed // 2**10 % 5) // 10
                cell = at.moved(x * drift - long // 2, y * drift - far * size // 40 - long // 2)
                box = f"M{tenths(cell.x)} {tenths(cell.y)}h{tenths(long)}v{tenths(long)}h-{tenths(long)}z"
                pieces[min(far // 9, 2)].append(box)
                edges.append(path([cell.moved(0, long), cell, cell.moved(long, 0)]))
        for boxes, opacity in zip(pieces, (".85", ".6", ".35"), strict=True):
            SubElement(self.svg, "path", {"d": "".join(boxes), "fill": ink, "fill-opacity": opacity})
        line(self.svg, "".join(edges), WHITE, 7, ".6")
        words(self.labels, at.moved(0, 100), base.letter, WHITE, 28, bold=True, edged=True)

    def _marker(self, marker: Marker) -> None:
        """Draw a disc: as long as it is, with a tip that points its way, a ring and its owner's letter."""
        ink, half = self.ink(marker.letter), 50 * BOARD // self.drawing.side
        start, end = self.spot(marker.tail), self.spot(marker.arrow)
        long = max(gap(start, end), 1)
        half = max(half, 90)
        corners = ((0, -half), (long - half, -half), (long, 0), (long - half, half), (0, half))
        body = path([beside(start, end, ahead, aside) for ahead, aside in corners], closed=True)
        for width, opacity in ((140, ".10"), (80, ".2")):
            line(self.labels, body, ink, width, opacity)
        SubElement(self.labels, "path", {"d": body, "fill": ink, "stroke": WHITE, "stroke-width": "2"})
        middle = beside(start, end, (long - half // 2) // 2, 0)
        circle(self.labels, middle, half - 8, fill=NIGHT, stroke=WHITE, stroke_width="1")
        words(self.labels, middle.moved(0, 45), marker.letter, WHITE, 12, bold=True)

    def _happenings(self) -> None:
        """Write beside each base what happened there, on the side where it hides least."""
        taken = [self.spot(point) for one in self.drawing.markers for point in (one.tail, one.arrow)]
        taken += [self.spot(point) for trail in self.drawing.trails for point in _along(trail.points)]
        taken += [self.spot(base.at) for base in self.drawing.bases]
        for base in self.drawing.bases:
            if not base.happened:
                continue
            wide, high = max(map(len, base.happened)) * 95, 160 * len(base.happened)
            at = self.spot(base.at)
            off = self.long(RADIUS) + 90
            corners = (
                at.moved(off, -high // 2), at.moved(-off - wide, -high // 2), at.moved(-wide // 2, off),
                at.moved(-wide // 2, -off - high), at.moved(off * 7 // 10, off * 7 // 10),
                at.moved(-off * 7 // 10 - wide, -off * 7 // 10 - high),
            )  # fmt: skip
            corner = min(corners, key=lambda one: _hidden(one, wide, high, taken))
            for place, said in enumerate(base.happened):
                spot = corner.moved(wide // 2, 160 * place + 120)
                words(self.labels, spot, said, self.ink(base.letter), 14, bold=True, edged=True)
                taken += [corner.moved(step * wide // 4, 160 * place + 70) for step in range(5)]

    # Below the Grid

    def _legend(self) -> None:
        """Write a plate a Program, two beside each other: its letter, its line, its name, where it is, its cards."""
        top = TOP + BOARD + MARGIN + 120
        for place, base in enumerate(self.drawing.bases):
            at = Spot(MARGIN + place % 2 * (BOARD // 2 + 60), top + ROW * (place // 2))
            ink = self.ink(base.letter)
            circle(self.svg, at.moved(110, 0), 115, fill=ink, fill_opacity=".25", stroke=ink, stroke_width="2")
            words(self.svg, at.moved(110, 48), base.letter, WHITE, 13, bold=True)
            glowing(self.svg, path([at.moved(290, 0), at.moved(680, 0)]), ink, 32, self.dash(base.letter))
            name = base.name if len(base.name) <= 14 else f"{base.name[:13]}\u2026"
            words(self.svg, at.moved(790, -10), name, WHITE, 15, anchor="start", bold=True)
            words(self.svg, at.moved(790, 145), _stand(base, self.drawing.side), DIM, 13, anchor="start")
        low = top + ROW * ((len(self.drawing.bases) + 1) // 2) + 30
        said = "Circled: the card at which a disc got there. Dotted: where a Program was. White: cards held."
        words(self.svg, Spot(MARGIN, low), said, DIM, 12, anchor="start")


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


def _hidden(corner: Spot, wide: int, high: int, taken: Sequence[Spot]) -> int:
    """Count what words in a box would hide; beyond the Grid they would hide its edge and the squares' names."""
    left, top = corner
    met = sum(left - 80 < x < left + wide + 80 and top - 80 < y < top + high + 80 for x, y in taken)
    is_inside = left > MARGIN and left + wide < MARGIN + BOARD and top > TOP and top + high < TOP + BOARD
    return met if is_inside else met + len(taken)
