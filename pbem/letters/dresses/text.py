"""The dress of plain text: what templates say, set in lines of 56 columns; a filter a kind of thing."""

import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from pbem.letters import addressing

WIDTH = 56
"""Columns of every line of ours, so that a client that quotes with `> ` need not wrap it."""

_ENDS = re.compile("[\r\x0b\x0c\x1c-\x1f\x85\u2028\u2029]")
"""What other programs take for the end of a line, and we do not."""
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u061c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Controls, marks of direction, tags and halves of characters; what joins emoji and letters is none of these."""
BAR = 20
CHARTED = 9
"""How many numbers of a chart stand beside each other."""
NAMED = 19
"""Columns of the names before them."""
LABEL = 9
"""Columns of what stands before a line of somebody's that a letter is about: "line 12"."""


def bar(value: int, full: int, before: int | None = None) -> str:
    """Draw a value as a bar of 20 columns, whatever it was before; anything above zero shows at least one mark."""
    marks = 0 if value <= 0 or full <= 0 else min(BAR, max(1, round(BAR * value / full)))
    return "#" * marks + "." * (BAR - marks)


def fill(text: object, indent: int = 0, first: int | None = None, width: int = WIDTH) -> str:
    """Wrap a paragraph to the letter's width; `first` is the indent of its first line where it differs."""
    return _filled(str(text), indent, indent if first is None else first, width)


_TIE = "\u00a0"
_GAP = re.compile(f"[^\\S{_TIE}]+")


@lru_cache(maxsize=4096)  # what everybody is told is filled for each, and most of what we say, we say again
def _filled(text: str, indent: int, first: int, width: int) -> str:
    found = textwrap.fill(
        " ".join(filter(None, _GAP.split(text))),
        width=width,
        initial_indent=" " * first,
        subsequent_indent=" " * indent,
        break_on_hyphens=False,
    )
    return found.replace(_TIE, " ")


def tied(name: str) -> str:
    """Keep a name on one line of what is filled, since a part of it alone may read as an order."""
    return name.replace(" ", _TIE)


def left(text: object, columns: int) -> str:
    """Pad on the right."""
    return str(text).ljust(columns)


def right(text: object, columns: int) -> str:
    """Pad on the left."""
    return str(text).rjust(columns)


def head(text: object, columns: int) -> str:
    """Pad the first word of a row that says what stands below it."""
    return left(text, columns)


def heading(text: object) -> str:
    """Wrap what stands above a part of a letter, where it is made of values; elsewhere it stands as it is."""
    return fill(text)


def listed(names: Sequence[object], last: str = "and") -> str:
    """Write names as people do: `A, B and C`."""
    words = [str(name) for name in names]
    return "".join(words) if len(words) < 2 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def spelled(count: int) -> str:
    """Write a count as people do: up to `twelve` in letters, `no` for none."""
    return _COUNTS[count] if count < len(_COUNTS) else str(count)


_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def cite(text: str, rule: str, verdict: str = "", width: int = WIDTH) -> str:
    """Set a rule's number, and a verdict's, flush right behind the last line, or below it where there is no room."""
    mark = " ".join(f"[{one}]" for one in (verdict, rule) if one)
    if not mark:
        return text
    before, newline, last = text.rpartition("\n")
    room = width - len(last) - len(mark)
    ending = f"{last}{' ' * room}{mark}" if room >= 1 else f"{last}\n{mark.rjust(width)}"
    return f"{before}{newline}{ending}"


def cut(text: str, columns: int) -> str:
    """Cut what is too long for its column, and show that it was cut."""
    return text if len(text) <= columns else f"{text[: columns - 3]}..."


def chart(rows: Sequence[Mapping[str, object]], heads: Sequence[object], nothing: object) -> str:
    """
    Write rows of numbers under their heads, nine of them beside each other, so that they read on a phone.

    Shape: a row is a `name` and its `amounts`; where one of these is `nothing`, a dash stands.
    """
    lines: list[str] = []
    for start in range(0, len(heads), CHARTED):
        beside = slice(start, start + CHARTED)
        lines.append(" " * NAMED + "".join(right(head, 4) for head in heads[beside]))
        for row in rows:
            amounts = row["amounts"]
            assert isinstance(amounts, Sequence)
            shown = ("-" if one == nothing else one for one in amounts[beside])
            lines.append(f"  {cut(str(row['name']), NAMED - 2)}".ljust(NAMED) + "".join(right(one, 4) for one in shown))
    return "\n".join(lines)


def drawn(row: str) -> str:
    """Leave a row of a drawing as it is."""
    return row


def excerpt(text: object, label: str = "") -> str:
    """
    Quote a line of somebody's on two lines at most, behind a label or a colon.

    What does not fit on the first line stands behind a colon below, so that it can never pass for a line of ours; of
    what does not fit there either the end stays, since an order stands there as often as at the beginning.
    """
    indent = LABEL if label else 2
    first, *rest = textwrap.wrap(addressing.masked(str(text)), WIDTH - indent - 2, break_on_hyphens=False) or [""]
    opening = label.ljust(indent) if label else f"{' ' * indent}: "
    below = [f"{' ' * indent}: {_end_of(' '.join(rest), WIDTH - indent - 2)}"] if rest else []
    return "\n".join([f"{opening}{first}", *below])


def _end_of(text: str, width: int) -> str:
    """Leave out the beginning of what is too long, at a word where one begins early enough."""
    if len(text) <= width:
        return text
    end = text[3 - width :]
    begun = end.partition(" ")[2]
    return f"...{begun if 2 * len(begun) > width else end}"


def quoted(text: str, indent: int = 0) -> str:
    """
    Set people's free text apart, `: ` before every line, so that it can never pass for a line of ours.

    A token in it, as where somebody pastes a letter of ours, is cut short: others read this.
    """
    lines = [
        part for line in addressing.masked(text).split("\n") for part in textwrap.wrap(line, WIDTH - 2 - indent) or [""]
    ]
    return "\n".join(f"{' ' * indent}: {line}" for line in lines)


_ALL = (bar, fill, left, right, head, heading, listed, spelled, tied, cite, cut, chart, drawn, excerpt, quoted)
FILTERS: dict[str, Callable[..., Any]] = {one.__name__: one for one in _ALL}
"""The filters of templates, by name. Each dress has the same ones."""


def printable(text: str) -> str:
    """Remove from a text what could end a line, reverse its direction, or hide something in it."""
    return _UNSEEN.sub("", _ENDS.sub(" ", text))


def tidy(text: str) -> str:
    """Close up runs of blank lines, cut blanks at line ends, and end with one newline; nothing unseen stays."""
    lines: list[str] = []
    for line in map(str.rstrip, printable(text).split("\n")):
        if line or (lines and lines[-1]):
            lines.append(line)
    return "\n".join(lines).rstrip("\n") + "\n"
