"""What a letter says, as blocks: headings, paragraphs, people's words, tables, bars, charts and drawings."""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Literal, TypeAlias

import msgspec

from pbem.letters.dresses.marked import CELL, CITED, END, FILLED, unmarked


class Heading(msgspec.Struct, frozen=True):
    """What stands above a part of a letter."""

    text: str


class Paragraph(msgspec.Struct, frozen=True):
    """A paragraph, or a line of a list: how deep it stands, 0 at the edge; the rule and the verdict that it cites."""

    text: str
    depth: int = 0
    rule: str = ""
    verdict: str = ""


class Quote(msgspec.Struct, frozen=True):
    """What people wrote, line for line."""

    lines: tuple[str, ...]
    depth: int = 0


class Example(msgspec.Struct, frozen=True):
    """Lines to be copied into a reply, `|`, or to be filled in, `~`: the `mark` stands before each."""

    lines: tuple[str, ...]
    mark: str = "|"


class Cell(msgspec.Struct, frozen=True):
    """A cell of a table; `is_number` where it is set flush right."""

    text: str
    is_number: bool = False


class Bar(msgspec.Struct, frozen=True):
    """A value out of what it could be, and what it was before."""

    value: int
    full: int
    before: int


Row: TypeAlias = tuple[Cell | Bar, ...]


class Table(msgspec.Struct, frozen=True):
    """
    Rows of cells; a row of one cell, in a table of more, is a note on the row above.

    Shape: where it `has_bars`, each row has one bar among its cells; where it `has_head`, the first row says what
    stands below each of its cells.
    """

    rows: tuple[Row, ...]
    has_bars: bool = False
    has_head: bool = False


class Line(msgspec.Struct, frozen=True):
    """What a chart has of one name: a number under each head, None where there is none."""

    name: str
    amounts: tuple[int | None, ...]


class Chart(msgspec.Struct, frozen=True):
    """Numbers of several names, round by round; `ends` where who has nothing left is out."""

    heads: tuple[int | str, ...]
    lines: tuple[Line, ...]
    ends: bool = True


class Drawing(msgspec.Struct, frozen=True):
    """A drawing made of letters, row for row."""

    rows: tuple[str, ...]


Block: TypeAlias = Heading | Paragraph | Quote | Example | Table | Chart | Drawing
Kind: TypeAlias = Literal["blank", "heading", "raw", "filled", "quote", "example", "row", "chart", "drawing"]

_CITED = re.compile(f"{CITED}([^ {END}]*) ([^{END}]*){END}")
_CELL = re.compile(f"{CELL}([a-z])([^{END}]*){END}")
_WHOLE: dict[str, Kind] = {"c": "chart", "d": "drawing", "t": "heading"}
_SENTENCE = re.compile(r"[.,:;?!]$")


def read(marked: str) -> tuple[Block, ...]:
    """Return the blocks of a text with marks."""
    lines = marked.split("\n")
    kinds = [_kind(line) for line in lines]
    blocks: list[Block] = []
    at = 0
    for kind, group in groupby(kinds):
        count = len(list(group))
        here = lines[at : at + count]
        at += count
        blocks += _blocks(kind, here)
    return tuple(_with_notes([*_with_names(blocks)]))


def _kind(line: str) -> Kind:
    inside = line.lstrip(" ")
    if not inside.strip():
        return "blank"
    if inside[0] == CELL and inside[1] in _WHOLE:
        return _WHOLE[inside[1]]
    if inside.startswith(":") and FILLED not in inside:
        return "quote"
    if inside.startswith(("| ", "~ ")) or inside in ("|", "~"):
        return "example"
    if CELL in inside:
        return "row"
    return "filled" if FILLED in inside else "raw"


def _blocks(kind: Kind, lines: Sequence[str]) -> Iterator[Block]:
    match kind:
        case "blank":
            return
        case "heading":
            yield from (Heading(_CELL.sub(r"\2", line).strip()) for line in lines)
        case "raw":
            yield from _raw(lines)
        case "filled":
            yield from map(_paragraph, lines)
        case "quote":
            depth = _depth(lines[0])
            yield Quote(tuple(unmarked(line.strip()[1:].removeprefix(" ")) for line in lines), depth)
        case "example":
            for mark, alike in groupby(lines, key=lambda line: line.strip()[0]):
                yield Example(tuple(unmarked(line.strip()[2:]) for line in alike), mark)
        case "row":
            rows = [_row(line) for line in lines]
            has_head = f"{CELL}h" in lines[0]
            for has_bars, some in groupby(rows, key=lambda row: any(isinstance(cell, Bar) for cell in row)):
                yield Table(tuple(some), has_bars=has_bars, has_head=has_head and not has_bars)
        case "chart":
            yield from map(_chart, lines)
        case "drawing":
            yield Drawing(tuple(_CELL.sub(r"\2", line) for line in lines))


def _raw(lines: Sequence[str]) -> Iterator[Block]:
    """Read lines as they stand in a template: one at the edge, and no sentence, is a heading."""
    for depth, some in groupby(lines, key=_depth):
        said = [unmarked(line.strip()) for line in some]
        if not depth and len(said) == 1 and not _SENTENCE.search(said[0]):
            yield Heading(said[0])
        elif depth:
            yield from (Paragraph(one, depth) for one in said)
        else:
            yield Paragraph(" ".join(said))


def _depth(line: str) -> int:
    return (len(line) - len(line.lstrip(" ")) + 1) // 2


def _paragraph(line: str) -> Paragraph:
    cited = _CITED.search(line)
    verdict, rule = cited.groups() if cited else ("", "")
    return Paragraph(unmarked(line).strip(), _depth(line), rule, verdict)


def _row(line: str) -> Row:
    """Cut a row into its cells; what stands loose behind a number belongs to it, and is a cell of its own elsewhere."""
    cells: list[Cell | Bar] = []
    at = 0
    for found in [*_CELL.finditer(line), None]:
        loose = " ".join(unmarked(line[at : found.start() if found else None]).split())
        if loose:
            last = cells[-1] if cells else None
            if isinstance(last, Cell) and last.is_number:
                cells[-1] = Cell(f"{last.text} {loose}", is_number=True)
            else:
                cells.append(Cell(loose, isinstance(last, Bar)))
        if found:
            cells.append(_cell(found[1], found[2]))
            at = found.end()
    return tuple(cells)


def _cell(kind: str, inside: str) -> Cell | Bar:
    if kind == "b":
        return Bar(*msgspec.json.decode(inside, type=tuple[int, int, int]))
    return Cell(" ".join(inside.split()), kind == "r")


def _chart(line: str) -> Chart:
    heads, lines = json.loads(_CELL.sub(r"\2", line.strip()))
    return Chart(tuple(heads), tuple(Line(name, tuple(amounts)) for name, amounts in lines))


def _with_names(blocks: Sequence[Block]) -> Iterator[Block]:
    """Put a long name, which stands above its row in a letter, back into the row's first cell."""
    waiting: Paragraph | None = None
    for block in blocks:
        if waiting:
            first = block.rows[0][0] if isinstance(block, Table) and block.rows[0] else None
            if isinstance(block, Table) and isinstance(first, Cell) and not first.text:
                yield Table(((Cell(waiting.text), *block.rows[0][1:]), *block.rows[1:]), has_bars=block.has_bars)
                waiting = None
                continue
            yield waiting
            waiting = None
        if isinstance(block, Paragraph) and block.depth and not block.rule and not _SENTENCE.search(block.text):
            waiting = block
        else:
            yield block
    if waiting:
        yield waiting


def _with_notes(blocks: Sequence[Block]) -> Iterator[Block]:
    """Join tables of one shape between which a note on a row stands."""
    held: Table | None = None
    for at, block in enumerate(blocks):
        if held is None:
            held = block if isinstance(block, Table) and not block.has_bars else None
            if held is None:
                yield block
        elif isinstance(block, Table) and not block.has_bars and not block.has_head:
            held = Table((*held.rows, *block.rows), has_head=held.has_head)
        elif isinstance(block, Paragraph) and block.depth > 1 and _are_alike(held, blocks[at + 1 : at + 2]):
            held = Table((*held.rows, (Cell(block.text),)), has_head=held.has_head)
        else:
            yield held
            held = None
            yield block
    if held is not None:
        yield held


def _are_alike(table: Table, following: Sequence[Block]) -> bool:
    columns = len(table.rows[0])
    return columns > 2 and all(isinstance(one, Table) and not one.has_bars for one in following)
