"""
The dress that others are made from: what templates say, a paragraph a line, with marks of what each thing is.

The marks are controls, which nothing that we say has: `dresses.document` reads them. What people wrote passes through
these filters without its own; a mark that came in past them changes how a line looks, and never what it says.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pbem.letters import addressing
from pbem.letters.dresses import text
from pbem.letters.dresses.text import printable

CELL, FILLED, CITED, END = "\x01", "\x02", "\x03", "\x04"
"""A cell of a table, up to END; the end of a paragraph; what a line cites, up to END."""
_MARKS = re.compile(f"{CITED}[^{END}]*{END}|{CELL}[a-z]|[{FILLED}{END}]")


def unmarked(said: object) -> str:
    """Return what somebody says, without marks and what is unseen."""
    return printable(_MARKS.sub("", str(said)))


def _in_line(said: object) -> str:
    """Return what stands in a line: whatever it was made of, it ends none."""
    return unmarked(said).replace("\n", " ")


def bar(value: int, full: int, before: int | None = None) -> str:
    """Keep a value, what it was before and what it could be."""
    return f"{CELL}b{json.dumps([value, full, value if before is None else before])}{END}"


def fill(said: object, indent: int = 0, first: int | None = None, width: int = 0) -> str:
    """Set a paragraph on one line, however long; how deep it stands is its indent."""
    return " " * (indent if first is None else first) + " ".join(unmarked(said).split()) + FILLED


def left(said: object, columns: int) -> str:
    """Make a cell that is set flush left."""
    return f"{CELL}l{_in_line(said)}{END}"


def right(said: object, columns: int) -> str:
    """Make a cell that is set flush right."""
    return f"{CELL}r{_in_line(said)}{END}"


def head(said: object, columns: int) -> str:
    """Make the first cell of a row that says what stands below it."""
    return f"{CELL}h{_in_line(said)}{END}"


def heading(said: object) -> str:
    """Mark what stands above a part of a letter."""
    return f"{CELL}t{_in_line(said)}{END}"


def cite(said: str, rule: str, verdict: str = "", width: int = 0) -> str:
    """Say which verdict a line tells of, and by which rule."""
    return f"{said}{CITED}{''.join(_in_line(verdict).split())} {_in_line(rule)}{END}" if rule or verdict else said


def cut(said: str, columns: int) -> str:
    """Leave a text whole: where columns are not counted, nothing is too long."""
    return _in_line(said)


def chart(rows: Sequence[Mapping[str, Any]], heads: Sequence[object], nothing: object) -> str:
    """Keep all rows of numbers under their heads."""
    lines = [[unmarked(row["name"]), [None if one == nothing else one for one in row["amounts"]]] for row in rows]
    return f"{CELL}c{json.dumps([list(heads), lines])}{END}"


def drawn(row: str) -> str:
    """Keep a row of a drawing as it is."""
    return f"{CELL}d{_in_line(row)}{END}"


def excerpt(said: object, label: str = "") -> str:
    """Quote a line of somebody's whole, behind what it is called."""
    return f"{label}: {_in_line(addressing.masked(str(said)))}{FILLED}" if label else quoted(str(said), 2)


def quoted(said: str, indent: int = 0) -> str:
    """Set people's free text apart, `: ` before every line of theirs."""
    return "\n".join(f"{' ' * indent}: {unmarked(line)}" for line in addressing.masked(said).split("\n"))


FILTERS: dict[str, Callable[..., Any]] = text.FILTERS | {
    one.__name__: one for one in (bar, fill, left, right, head, heading, cite, cut, chart, drawn, excerpt, quoted)
}
"""The filters of templates, by name; what only words a thing is that of the text."""
