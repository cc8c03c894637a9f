"""The shapes of orders, read from tables: which words, classes and slots stand behind one another; knows no game."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import TypeAlias

import msgspec

from pbem.language.words import WordClasses


class Literal(msgspec.Struct, frozen=True):
    """A word or a mark that stands there as it is; `written` is as the table has it, capitals and all."""

    text: str
    written: str = ""


class Class(msgspec.Struct, frozen=True):
    """Any word of a class."""

    name: str


class Slot(msgspec.Struct, frozen=True):
    """
    What is read by the shapes or the noun of a kind.

    Shape: `name` is the field that it fills; of `<kind>`, which has none, it is "".
    """

    name: str
    kind: str


class Choice(msgspec.Struct, frozen=True):
    """One of several sequences; `[so]` is a choice of nothing or so, and nothing comes first."""

    options: tuple[Sequence[Element], ...]


class Repeat(msgspec.Struct, frozen=True):
    """One of several sequences as often as it stands there, or never."""

    options: tuple[Sequence[Element], ...]


Element: TypeAlias = Literal | Class | Slot | Choice | Repeat


class Shape(msgspec.Struct, frozen=True):
    """
    A line of a table: what may be written for an act of a kind.

    Shape: `several` are the slots that stand in braces or more than once, whose values are tuples.
    """

    kind: str
    act: str
    elements: tuple[Element, ...]
    line: str
    several: frozenset[str] = frozenset()

    @property
    def is_other_kind(self) -> bool:
        """Whether it says nothing but that another kind may stand there: `guarded: <order>`."""
        return len(self.elements) == 1 and isinstance(self.elements[0], Slot) and not self.elements[0].name


class TableError(ValueError):
    """A table of shapes is wrong: the line, and what would be right. A fault of whoever wrote the table."""


_PIECE = re.compile(r"\w+:\w+|<\w+>|[\[\](){}|]|'[^']+'|[^\s\[\](){}|]+")
_BRACKETS = {"[": "]", "(": ")", "{": "}"}


class Shapes:
    """
    What may be written, by its kind.

    Shape: each line of a table is `kind.act: shape`, or `kind: shape` where an act needs no name. In a shape CAPITALS
    are a class of words, `slot:kind` and `<kind>` what another kind reads, `[...]` may be left out, `(a | b)` is one of
    several, `{...}` may stand there again and again, all else is itself. The first shape of an act is the one that we
    write.
    """

    def __init__(self, *tables: str) -> None:
        """
        Read tables.

        Errors: `TableError` for a line that is no shape.
        """
        self.of: dict[str, list[Shape]] = {}
        self._that_may_be: dict[str, tuple[Shape, ...]] = {}
        for line in "\n".join(tables).splitlines():
            if line.strip() and not line.startswith("#"):
                shape = _shape(line)
                self.of.setdefault(shape.kind, []).append(shape)

    @property
    def all(self) -> tuple[Shape, ...]:
        """All shapes, kind by kind."""
        return tuple(shape for shapes in self.of.values() for shape in shapes)

    @cached_property
    def literals(self) -> frozenset[str]:
        """Every word and mark that stands in a shape as it is."""
        every = (element for shape in self.all for element in _within(shape.elements))
        return frozenset(element.text for element in every if isinstance(element, Literal))

    def that_may_be(self, kind: str) -> tuple[Shape, ...]:
        """Return the shapes that a kind can have, those of the kinds that may stand for it too."""
        if kind not in self._that_may_be:
            kinds, own = [kind], list[Shape]()
            for one in kinds:  # grows as it goes
                for shape in self.of.get(one, ()):
                    slot = shape.elements[0]
                    if not shape.is_other_kind:
                        own.append(shape)
                    elif isinstance(slot, Slot) and slot.kind not in kinds:
                        kinds.append(slot.kind)
            self._that_may_be[kind] = tuple(own)
        return self._that_may_be[kind]

    @cached_property
    def canonical(self) -> Shapes:
        """The first shape of each act alone, as journals have them, and all that only name another kind."""
        found = Shapes()
        for kind, shapes in self.of.items():
            firsts = {shape.act: shape for shape in reversed(shapes)}
            found.of[kind] = [shape for shape in shapes if firsts[shape.act] is shape or shape.is_other_kind]
        return found

    def check(self, words: WordClasses, nouns: Collection[str]) -> None:
        """
        Look for what no parser could read.

        Errors: `TableError` for a class or a kind that there is not, a kind that begins with itself, and what may be
        empty where something has to stand.
        """
        empty = self._that_may_be_empty()
        for shape in self.all:
            for element in _within(shape.elements):
                match element:
                    case Class(name) if name not in words.classes:
                        raise TableError(f"{shape.line}: there is no class {name}.")
                    case Slot(_, kind) if kind not in self.of and kind not in nouns:
                        raise TableError(f"{shape.line}: there is no kind {kind}.")
                    case Repeat(options) if any(_may_be_empty(option, empty) for option in options):
                        raise TableError(f"{shape.line}: what is in braces can be empty, so it never ends.")
                    case _:
                        pass
        for kind in self.of:
            if kind in empty:
                raise TableError(f"{kind}: what can be empty is no kind; put it in brackets where it is used.")
            if kind in self._beginnings(kind, empty):
                raise TableError(f"{kind} begins with itself: {self.of[kind][0].line}")

    def _that_may_be_empty(self) -> set[str]:
        empty: set[str] = set()
        while True:
            more = {shape.kind for shape in self.all if _may_be_empty(shape.elements, empty)}
            if more == empty:
                return empty
            empty = more

    def _beginnings(self, kind: str, empty: Collection[str]) -> set[str]:
        """Return the kinds with which a kind may begin, itself only where it does."""
        found: set[str] = set()
        new = {kind}
        while new:
            shapes = (shape for one in new for shape in self.of.get(one, ()))
            new = {first for shape in shapes for first in _first_kinds(shape.elements, empty)} - found
            found |= new
        return found


def _shape(line: str) -> Shape:
    head, colon, body = line.partition(": ")
    kind, _, act = head.strip().partition(".")
    if not colon or not kind.isidentifier() or (act and not act.isidentifier()):
        raise TableError(f"{line}: a line is kind.act: shape.")
    pieces = _PIECE.findall(body)
    options = _options(pieces, "", line)
    elements = options[0] if len(options) == 1 else (Choice(options),)
    return Shape(kind, act, tuple(elements), line, frozenset(name for name, n in _times(elements).items() if n > 1))


def _times(elements: Sequence[Element]) -> dict[str, int]:
    """Return how often each slot can be filled at a time; 2 is any number above 1."""
    times: dict[str, int] = {}
    for element in elements:
        here: dict[str, int] = {}
        match element:
            case Slot(name, _) if name:
                here[name] = 1
            case Choice(options) | Repeat(options):
                for option in options:
                    for name, n in _times(option).items():
                        here[name] = max(here.get(name, 0), 2 if isinstance(element, Repeat) else n)
            case _:
                pass
        for name, n in here.items():
            times[name] = min(2, times.get(name, 0) + n)
    return times


def _options(pieces: list[str], close: str, line: str) -> tuple[tuple[Element, ...], ...]:
    """Take pieces until a bracket closes, and return the sequences between the bars."""
    options: list[list[Element]] = [[]]
    while pieces:
        piece = pieces.pop(0)
        if piece == close:
            return tuple(map(tuple, options))
        if piece == "|":
            options.append([])
        elif piece in _BRACKETS:
            inner = _options(pieces, _BRACKETS[piece], line)
            options[-1].append(Repeat(inner) if piece == "{" else Choice(((), *inner) if piece == "[" else inner))
        elif piece in _BRACKETS.values():
            raise TableError(f"{line}: {piece} closes nothing.")
        else:
            options[-1].append(_element(piece))
    if close:
        raise TableError(f"{line}: {close} is missing.")
    return tuple(map(tuple, options))


def _element(piece: str) -> Element:
    name, colon, kind = piece.partition(":")
    if colon and name and kind:
        return Slot(name, kind)
    if len(piece) > 2 and piece[0] == "<":
        return Slot("", piece[1:-1])
    if len(piece) > 2 and piece[0] == "'":
        return Literal(piece[1:-1].casefold(), piece[1:-1])
    return Class(piece) if piece.isupper() else Literal(piece.casefold(), piece)


def _within(elements: Sequence[Element]) -> Iterator[Element]:
    """Yield all elements, those in brackets too."""
    for element in elements:
        yield element
        if isinstance(element, Choice | Repeat):
            for option in element.options:
                yield from _within(option)


def _may_be_empty(elements: Sequence[Element], empty: Collection[str]) -> bool:
    for element in elements:
        match element:
            case Literal() | Class():
                return False
            case Slot(_, kind) if kind not in empty:
                return False
            case Choice(options) if not any(_may_be_empty(option, empty) for option in options):
                return False
            case _:
                pass
    return True


def _first_kinds(elements: Sequence[Element], empty: Collection[str]) -> Iterator[str]:
    """Yield the kinds that may stand first."""
    for element in elements:
        match element:
            case Slot(_, kind):
                yield kind
            case Choice(options) | Repeat(options):
                for option in options:
                    yield from _first_kinds(option, empty)
            case _:
                pass
        if not _may_be_empty((element,), empty) and not isinstance(element, Repeat):
            return
