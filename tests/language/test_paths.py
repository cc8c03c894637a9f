"""What is looked up along the ways of shapes, against trying every shape and all that may be left out of it."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.language.parses import Language, Parses
from pbem.language.shapes import Choice, Class, Element, Literal, Repeat, Slot
from pbem.language.tokens import Token, cut
from tests.language.boats import SEA, language
from tests.language.sentences_drawn import Drawing

BOATS = language(SEA)
VALUES = {"number": (0, 3, 20, 99), "boat": (*SEA,)}
WORDS = sorted(BOATS.words.known | {"al", "may", "agent", "47", "3", "(", ")", "with", "dives", "is", "what"})
KINDS = (*BOATS.tiers, BOATS.clause, BOATS.order)

Filled = tuple[tuple[str, Any], ...]


class Tried:
    """The readings of some tokens, found by trying everything in turn."""

    def __init__(self, tables: Language, tokens: Sequence[Token]) -> None:
        """Try nothing yet."""
        self.tables, self.tokens, self.texts = tables, tokens, [token.text for token in tokens]

    def at(self, kind: str, place: int) -> Iterator[tuple[int, Any]]:
        """Yield what a kind can mean from a place on, with the place behind it."""
        if noun := self.tables.nouns.get(kind):
            yield from noun.spans(self.tokens, place)
        for shape in self.tables.shapes.of.get(kind, ()):
            for end, filled in self.run(shape.elements, place):
                several = {name: tuple(one for slot, one in filled if slot == name) for name in shape.several}
                meaning = self.tables.meaning(shape, dict(filled) | several)
                if meaning is not None:
                    yield end, meaning

    def run(self, elements: Sequence[Element], place: int) -> Iterator[tuple[int, Filled]]:
        """Yield the ways through some elements."""
        if not elements:
            yield place, ()
            return
        for end, filled in self.one(elements[0], place):
            for last, more in self.run(elements[1:], end):
                yield last, (*filled, *more)

    def one(self, element: Element, place: int) -> Iterator[tuple[int, Filled]]:
        """Yield the ways through one of them."""
        match element:
            case Literal(text):
                if self.texts[place : place + 1] == [text]:
                    yield place + 1, ()
            case Class(name):
                for phrase in self.tables.words.classes[name]:
                    if tuple(self.texts[place : place + len(phrase)]) == phrase:
                        yield place + len(phrase), ()
            case Slot(name, kind):
                for end, meaning in self.at(kind, place):
                    yield end, ((name, meaning),)
            case Choice(options):
                for option in options:
                    yield from self.run(option, place)
            case Repeat(options):
                yield place, ()
                for option in options:
                    for end, filled in self.run(option, place):
                        for last, more in self.one(element, end):
                            yield last, (*filled, *more)


@pytest.mark.parametrize("tables", [BOATS, BOATS.in_first_shapes], ids=["all shapes", "first shapes"])
@given(st.integers(0, 2**32), st.lists(st.sampled_from(WORDS), max_size=8), st.booleans())
def test_what_is_looked_up_is_what_trying_everything_finds(
    tables: Language, seed: int, words: list[str], is_drawn: bool
) -> None:
    """From every place on, each meaning with its end, in the order of the table; in sentences and in a heap of words."""
    drawn = Drawing(BOATS, VALUES, Random(seed)).sentence("sentence") if is_drawn else None
    tokens = cut(drawn[0] if drawn else " ".join(words), tables.names)[:12]
    parses, tried = Parses(tables, tokens), Tried(tables, tokens)
    for place in range(len(tokens) + 1):
        for kind in KINDS:
            assert list(parses.at(kind, place)) == list(dict.fromkeys(tried.at(kind, place)))
    assert not parses.is_over


def test_drawn_sentences_are_read() -> None:
    """Of a hundred seeds most make a sentence of which something is found, so the law above is not empty."""
    drawn = (Drawing(BOATS, VALUES, Random(seed)).sentence("sentence") for seed in range(100))
    assert sum(bool(one and list(Tried(BOATS, cut(one[0], BOATS.names)).at("sentence", 0))) for one in drawn) > 50
