"""The ways along shapes, by the word that stands next: what a parser looks up instead of trying all; knows no game."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from pbem.language.shapes import Choice, Class, Element, Literal, Repeat, Shape, Shapes, Slot
from pbem.language.words import WordClasses

T = TypeVar("T")
Firsts: TypeAlias = frozenset[str] | None
"""The words with which something can begin; None where a noun can stand first, which any word may be."""


class Step(NamedTuple):
    """What can stand next: some words, or what a slot holds; and the node behind it."""

    words: tuple[str, ...]
    slot: Slot | None
    then: Node


class ByWord(Generic[T]):
    """Things by the words with which they can begin, in their order."""

    def __init__(self, firsts: Mapping[T, Firsts]) -> None:
        """Sort them."""
        words = {word for one in firsts.values() for word in one or ()}
        self._otherwise = tuple(thing for thing, one in firsts.items() if one is None)
        self._by_word = {
            word: tuple(thing for thing, one in firsts.items() if one is None or word in one) for word in words
        }

    def that_begin_with(self, word: str) -> tuple[T, ...]:
        """Return those that can begin with a word."""
        return self._by_word.get(word, self._otherwise)


class Node:
    """
    A place in a shape, known by what stands behind it: some elements, and then the rest of what they are a part of.

    Shape: `ways` are the steps in the order in which the shape has them, with None for its end. What may be left out
    has been left out, so each step takes a word at least.
    """

    def __init__(self, paths: Paths, elements: tuple[Element, ...], behind: Node | None) -> None:
        """Stand before some elements."""
        self._paths, self._elements, self._behind = paths, elements, behind

    @cached_property
    def is_end(self) -> bool:
        """Whether the shape can end here."""
        return None in self.ways

    @cached_property
    def steps(self) -> ByWord[Step]:
        """The steps, by the word that stands there."""
        return ByWord({step: self._paths.firsts_of(step) for step in self.ways if step})

    @cached_property
    def firsts(self) -> Firsts:
        """The words that can stand next."""
        found = [self._paths.firsts_of(step) for step in self.ways if step]
        return None if None in found else frozenset().union(*(one for one in found if one))

    @cached_property
    def own_words(self) -> Firsts:
        """The words that can stand next; None also where a slot can."""
        return None if any(step.slot for step in self.ways if step) else self.firsts

    @cached_property
    def ways(self) -> tuple[Step | None, ...]:
        """The steps, and None where nothing need follow."""
        return tuple(dict.fromkeys(self._along(self._elements, self._behind)))

    def _along(self, elements: tuple[Element, ...], behind: Node | None) -> Iterator[Step | None]:
        if not elements:
            yield from behind.ways if behind else (None,)
            return
        first, then = elements[0], self._paths.node(elements[1:], behind)
        match first:
            case Literal(text):
                yield Step((text,), None, then)
            case Class(name):
                yield from (Step(phrase, None, then) for phrase in self._paths.words.classes.get(name, ()))
            case Slot():
                yield Step((), first, then)
            case Choice(options):
                for option in options:
                    yield from self._along(tuple(option), then)
            case Repeat(options):
                yield from then.ways
                again = self._paths.node(elements, behind)
                for option in options:
                    yield from self._along(tuple(option), again)


class Paths:
    """
    The nodes of all shapes of some tables; each is made when it is asked for, and kept.

    Shape: `nouns` are the kinds that hold what depends on how a game stands.
    """

    def __init__(self, shapes: Shapes, words: WordClasses, nouns: Collection[str]) -> None:
        """Make none yet."""
        self.words, self.shapes, self._nouns = words, shapes, nouns
        self._nodes: dict[tuple[tuple[Element, ...], Node | None], Node] = {}
        self._firsts: dict[str, Firsts] = {}
        self._needed: dict[Shape, Firsts] = {}
        self._beginnings: dict[str, ByWord[tuple[Shape, Node]]] = {}

    def node(self, elements: tuple[Element, ...], behind: Node | None = None) -> Node:
        """Return the node before some elements, behind which it goes on at another, or ends."""
        if (elements, behind) not in self._nodes:
            self._nodes[elements, behind] = Node(self, elements, behind)
        return self._nodes[elements, behind]

    def beginnings(self, kind: str) -> ByWord[tuple[Shape, Node]]:
        """Return the shapes of a kind with their first nodes, by the word that stands there."""
        if kind not in self._beginnings:
            nodes = ((shape, self.node(shape.elements)) for shape in self.shapes.of.get(kind, ()))
            self._beginnings[kind] = ByWord({(shape, node): node.firsts for shape, node in nodes})
        return self._beginnings[kind]

    def needed(self, shape: Shape) -> Firsts:
        """Return the words of which one has to be in a shape, the first that it has of its own; None where none has."""
        if shape not in self._needed:
            first = next((one for one in shape.elements if isinstance(one, Literal | Class)), None)
            self._needed[shape] = self.node((first,)).firsts if first else None
        return self._needed[shape]

    def firsts_of(self, step: Step) -> Firsts:
        """Return the words with which a step can begin."""
        return self._firsts_of_kind(step.slot.kind) if step.slot else frozenset(step.words[:1])

    def _firsts_of_kind(self, kind: str) -> Firsts:
        if kind not in self._firsts:
            firsts = [self.node(shape.elements).firsts for shape in self.shapes.of.get(kind, ())]
            is_any = kind in self._nouns or None in firsts
            self._firsts[kind] = None if is_any else frozenset().union(*(one for one in firsts if one))
        return self._firsts[kind]


@lru_cache(maxsize=64)
def paths_of(shapes: Shapes, words: WordClasses, nouns: frozenset[str]) -> Paths:
    """Return the paths of some tables; the same for the same."""
    return Paths(shapes, words, nouns)
