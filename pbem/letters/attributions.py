"""Lines such as "On Tuesday Ada wrote:" that mail clients write above a quotation; knows no letter of ours."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

import msgspec

from pbem.letters.blocks import Kind
from pbem.letters.client_phrases import WROTE, WROTE_LINE
from pbem.letters.heads import ADDRESS, CLOCK, DAY, NARROWEST, IsSaid

MOST_LONG = 300
"""The longest attribution in characters; the library's expressions take quadratic time."""
MOST = 50
"""The most lines that are looked at so, for the same reason; an ordinary reply has one or two."""

_DATE = re.compile(
    r"\b[0-9]{1,2}[:.h][0-9]{2}\b(?![^<>]*>)|\b20[0-9]{2}\b(?![^<>]*>)|20[0-9]{2}[年년]|[\u0660-\u0669]{4}"
)
FAR = 10
"""How many lines below an attribution its quotation begins, at most."""
_HOLDS_ON = re.compile(r"(?:if|else|and|or|for|press|~|\|)(?!\w)|.*\belse\W*$", re.IGNORECASE)
"""Lines that end in a colon and are no attribution; without a wrapped condition, what follows would be an order."""
_RUN_ON = re.compile(r"(\S.{6,200}<\S{3,90}@\S{3,90}> ?[^<>:]{3,25}[:\uff1a])\s{2,}\S")
"""An attribution with the quotation on the same line, as Yahoo's telephones write it; it needs two blanks between."""
_OPEN = re.compile(r"<\S*$")
"""A line that was wrapped inside an address."""


class Attribution(msgspec.Struct, frozen=True):
    """
    The first and the last line of an attribution; `is_sure` if it holds an address, or both a day and a time of day.

    Programs write that; a person who tells in press what Ada wrote on Tuesday does not.
    """

    first: int
    last: int
    is_sure: bool


def attributions(
    texts: Sequence[str], kinds: Sequence[Kind], raw: Sequence[str], is_said: IsSaid = lambda text: False
) -> Iterator[Attribution]:
    """
    Find "On Tuesday Ada wrote:", also wrapped over two or three lines, and other introductions of quoted text.

    Above quoted text one hint is enough ("The Ember Arena wrote:"), and directly above the first such text none is
    needed, unless the line begins as those do that hold the lines below them together. None holds a line that is said.
    """
    first_quoted = next((place for place, kind in enumerate(kinds) if kind in ("quoted", "ours")), len(kinds))
    ends = (place for place, text in enumerate(texts) if kinds[place] == "loose" and _is_end(text, raw[place]))
    for last in islice(ends, MOST):
        if is_said(texts[last]):
            continue
        first = _first(texts, kinds, last, is_said)
        below = next((kind for kind in kinds[last + 1 : last + 1 + FAR] if kind != "blank"), "")
        if first is not None:
            is_sure = _is_sure(" ".join(texts[first : last + 1]))
            if is_sure or below != "loose":
                yield Attribution(first, last, is_sure)
            continue
        is_likely = below in ("quoted", "ours") and (_hints(texts[last]) or last + 1 == first_quoted)
        if is_likely and not _HOLDS_ON.match(texts[last]):
            yield Attribution(last, last, False)


def _first(texts: Sequence[str], kinds: Sequence[Kind], last: int, is_said: IsSaid) -> int | None:
    """Return the first line of the shortest attribution that ends at a line, and of what was surely wrapped off it."""
    found: int | None = None
    for first, window in _windows(texts, kinds, last, is_said):
        if found is None:
            found = first if _is_one(window, texts[first : last + 1]) else None
        elif first == found - 1 and _OPEN.search(texts[first]):
            found = first
        elif _is_dated(texts[first : last + 1]):
            found = found if WROTE_LINE.match(" ".join(texts[found : last + 1])) else first
    return found


def _is_sure(window: str) -> bool:
    return bool(ADDRESS.search(window) or (CLOCK.search(window) and DAY.search(window)))


def _is_end(text: str, raw: str) -> bool:
    return text.endswith((":", "\uff1a")) or ("@" in text and ":" in text and _run_on(raw))


def _run_on(raw: str) -> bool:
    match = _RUN_ON.match(raw.lstrip()[:MOST_LONG])
    return match is not None and bool(_DATE.search(match[1]))


def _windows(texts: Sequence[str], kinds: Sequence[Kind], last: int, is_said: IsSaid) -> Iterator[tuple[int, str]]:
    """Join a line with none, one and two lines above it."""
    window = ""
    for first in range(last, max(last - 3, -1), -1):
        window = f"{texts[first]} {window}".rstrip()
        if kinds[first] != "loose" or len(window) > MOST_LONG or (first != last and is_said(texts[first])):
            return
        yield first, window


def _is_one(window: str, lines: Sequence[str]) -> bool:
    """
    Say whether lines are an attribution: the library says so, or they hold two of address, date and verb.

    More than one line must look wrapped, by its length or by a bracket left open, or the library must say so and
    a day or a time stand above: an order above an attribution is none of it.
    """
    if _HOLDS_ON.match(lines[0]):
        return False
    if len(lines) > 1 and not (all(_goes_on(*pair) for pair in pairwise(lines)) or _is_dated(lines)):
        return False
    hints = _hints(window)
    return hints >= 2 or (hints > 0 and bool(WROTE_LINE.match(window)))


def _is_dated(lines: Sequence[str]) -> bool:
    return bool(_DATE.search(" ".join(lines[:-1])) and WROTE_LINE.match(" ".join(lines)))


def _goes_on(above: str, below: str) -> bool:
    return len(above) + 1 + len(below.split(" ", maxsplit=1)[0]) >= NARROWEST or bool(_OPEN.search(above))


def _hints(window: str) -> int:
    """Count the hints, up to two."""
    count = bool(ADDRESS.search(window)) + bool(_DATE.search(window))
    return count if count == 2 else count + bool(WROTE.search(window))
