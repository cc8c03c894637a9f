"""Elements of a picture, and places in it as whole tenths of a pixel; knows neither Programs nor rules."""

from collections.abc import Sequence
from math import isqrt
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement

FONT = "Eurostile, 'Avenir Next', 'Segoe UI', 'DejaVu Sans', Verdana, sans-serif"
NIGHT, WHITE, DIM, GLOW = "#04070a", "#ffffff", "#8fa9b8", "#7fe3ff"
"""What lies behind all, what is brightest, words that stand back, and the light of the Grid itself."""


class Spot(NamedTuple):
    """A place in a picture, in tenths of a pixel from its upper left corner."""

    x: int
    y: int

    def moved(self, x: int, y: int) -> "Spot":
        """Return the place so far to the right and below."""
        return Spot(self.x + x, self.y + y)


def tenths(number: int) -> str:
    """Write tenths of a pixel."""
    whole, part = divmod(abs(number), 10)
    return f"{'-' if number < 0 else ''}{whole}{f'.{part}' if part else ''}"


def path(spots: Sequence[Spot], *, closed: bool = False) -> str:
    """Return the data of a path through places."""
    return "M" + "L".join(f"{tenths(x)} {tenths(y)}" for x, y in spots) + ("z" if closed else "")


def beside(start: Spot, end: Spot, ahead: int, aside: int) -> Spot:
    """Return the place so far ahead of a start on the way to an end, and so far to the right of that way."""
    x, y = end.x - start.x, end.y - start.y
    long = max(isqrt(x * x + y * y), 1)
    return Spot(start.x + (x * ahead - y * aside) // long, start.y + (y * ahead + x * aside) // long)


def gap(start: Spot, end: Spot) -> int:
    """Return how far two places are apart."""
    return isqrt((end.x - start.x) ** 2 + (end.y - start.y) ** 2)


def line(onto: Element, data: str, ink: str, width: int, opacity: str = "1", dash: str = "") -> None:
    """Draw a line; `width` is in tenths of a pixel."""
    found = {"d": data, "stroke": ink, "stroke-width": tenths(width), "fill": "none"}
    if opacity != "1":
        found["stroke-opacity"] = opacity
    SubElement(onto, "path", found | ({"stroke-dasharray": dash, "stroke-linecap": "butt"} if dash else {}))


def glowing(onto: Element, data: str, ink: str, width: int, dash: str = "") -> None:
    """Draw a line of light: wide and faint below, narrow and bright above; no filter, which some programs lack."""
    for more, opacity in ((120, ".07"), (55, ".17")):
        line(onto, data, ink, width + more, opacity)
    line(onto, data, ink, width, "1", dash)


def circle(onto: Element, at: Spot, radius: int, **more: str) -> Element:
    """Draw a circle."""
    found = {"cx": tenths(at.x), "cy": tenths(at.y), "r": tenths(radius)}
    return SubElement(onto, "circle", found | {name.replace("_", "-"): value for name, value in more.items()})


def box(onto: Element, at: Spot, wide: int, high: int, **more: str) -> Element:
    """Draw a rectangle from its upper left corner."""
    found = {"x": tenths(at.x), "y": tenths(at.y), "width": tenths(wide), "height": tenths(high)}
    return SubElement(onto, "rect", found | {name.replace("_", "-"): value for name, value in more.items()})


def words(
    onto: Element, at: Spot, said: str, ink: str, size: int, *, anchor: str = "middle", bold: bool = False,
    spaced: int = 0, edged: bool = False,
) -> Element:  # fmt: skip
    """Write words; `edged` with an edge of night, so that they can be read over whatever lies there."""
    found = {"x": tenths(at.x), "y": tenths(at.y), "fill": ink, "font-size": str(size), "text-anchor": anchor}
    if bold:
        found["font-weight"] = "bold"
    if spaced:
        found["letter-spacing"] = str(spaced)
    if edged:
        found |= {"stroke": NIGHT, "stroke-width": "3", "paint-order": "stroke"}
    element = SubElement(onto, "text", found)
    element.text = said
    return element


def gradient(onto: Element, name: str, at: Spot | None, radius: int, stops: Sequence[tuple[str, str, str]]) -> None:
    """Define light that fades from a middle; around each thing that is painted with it where no place is given."""
    found = {"id": name}
    if at:
        found |= {"gradientUnits": "userSpaceOnUse", "cx": tenths(at.x), "cy": tenths(at.y), "r": tenths(radius)}
    made = SubElement(onto, "radialGradient", found)
    for offset, ink, opacity in stops:
        SubElement(made, "stop", {"offset": offset, "stop-color": ink, "stop-opacity": opacity})
