"""Charts as small panels, one name against all others: coordinates for the templates that draw them."""

from collections.abc import Sequence

import msgspec

from pbem.letters.dresses.document import Chart, Line

LEFT, RIGHT, TOP, BOTTOM = 24.0, 172.0, 10.0, 100.0
"""Units: those of the drawing, which is 200 by 118."""
TICKS = 8
"""How many heads stand below a panel at most."""


class Panel(msgspec.Struct, frozen=True, kw_only=True):
    """
    The panel of one name.

    Shape: paths are those of SVG; `fell` where its line ends in nothing, with the head `since` then; `last` is the
    number at the end, at `x` and `y`; `heads` are what stands below, each at its x; `zero` is the height of nothing.
    """

    name: str
    says: str
    line: str
    area: str
    others: tuple[str, ...]
    x: float
    y: float
    last: int
    fell: bool
    since: str
    heads: tuple[tuple[str, float], ...]
    zero: float
    low: int
    high: int


def panels(chart: Chart) -> tuple[Panel, ...]:
    """Return a panel for each name of a chart that has a number at all."""
    amounts = [one for line in chart.lines for one in line.amounts if one is not None]
    if not amounts or len(chart.heads) < 2:
        return ()
    low, high = min(0, *amounts), _rounded(max(1, *amounts))
    known = [line for line in chart.lines if any(one is not None for one in line.amounts)]
    return tuple(_panel(chart, line, known, low, high) for line in known)


def _rounded(most: int) -> int:
    """Return the next number up that ends in a nought, or in more of them where it is great."""
    step = 10
    while step * 10 < most:
        step *= 10
    return -(-most // step) * step


def _panel(chart: Chart, line: Line, lines: Sequence[Line], low: int, high: int) -> Panel:
    points = _points(line, len(chart.heads), low, high)
    (x, y), last = points[-1], next(one for one in reversed(line.amounts) if one is not None)
    zero = _height(0, low, high)
    path = _path(points)
    pairs = [(head, one) for head, one in zip(chart.heads, line.amounts, strict=True) if one is not None]
    fell = chart.ends and last <= 0 and (len(pairs) < len(chart.heads) or low == 0)
    step = -(-len(chart.heads) // TICKS)
    heads = tuple(
        (str(head), _place(at, len(chart.heads)))
        for at, head in enumerate(chart.heads)
        if (len(chart.heads) - 1 - at) % step == 0
    )
    return Panel(
        name=line.name,
        says=f"{line.name}: " + ", ".join(f"{head} {one}" for head, one in pairs),
        line=path,
        area=f"{path} L{x:.1f} {zero:.1f} L{points[0][0]:.1f} {zero:.1f}Z",
        others=tuple(_path(_points(one, len(chart.heads), low, high)) for one in lines if one is not line),
        x=x,
        y=y,
        last=last,
        fell=fell,
        since=str(pairs[-1][0]),
        heads=heads,
        zero=zero,
        low=low,
        high=high,
    )


def _points(line: Line, columns: int, low: int, high: int) -> list[tuple[float, float]]:
    return [(_place(at, columns), _height(one, low, high)) for at, one in enumerate(line.amounts) if one is not None]


def _place(at: int, columns: int) -> float:
    return LEFT + (RIGHT - LEFT) * at / (columns - 1)


def _height(amount: int, low: int, high: int) -> float:
    return BOTTOM - (BOTTOM - TOP) * (amount - low) / (high - low)


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in points)
