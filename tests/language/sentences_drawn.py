"""Draws sentences from the shapes of a language, each with what it means."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from pbem.language.parses import Language, Meaning
from pbem.language.shapes import Choice, Class, Element, Literal, Repeat, Shape, Slot

DEEPEST = 12


class Drawing:
    """
    Sentences of a language, drawn by chance.

    Shape: `values` gives for each noun the values that are drawn, which its noun writes; none where nothing can stand there.
    """

    def __init__(self, language: Language, values: Mapping[str, Sequence[Any]], chance: Random) -> None:
        """Draw nothing yet."""
        self.language, self.values, self.chance = language, values, chance

    def sentence(self, kind: str, depth: int = 0) -> tuple[str, Meaning] | None:
        """Return what may be written for a kind, and what it means; None where the draw means nothing."""
        if kind in self.language.nouns and not self.values[kind]:
            return None
        if kind in self.language.nouns:
            value = self.chance.choice(self.values[kind])
            written = self.language.nouns[kind].write(value)
            assert written is not None
            return written, value
        if depth > DEEPEST:
            return None
        shape = self.chance.choice(self.language.shapes.of[kind])
        filled: list[tuple[str, Meaning]] = []
        words = self._sequence(shape.elements, filled, depth)
        meaning = None if words is None else self.language.meaning(shape, _slots(shape, filled))
        return None if words is None or meaning is None else (" ".join(words), meaning)

    def _sequence(self, elements: Sequence[Element], filled: list[tuple[str, Meaning]], depth: int) -> list[str] | None:
        words: list[str] = []
        for element in elements:
            match element:
                case Literal(text):
                    words.append(text)
                case Class(name):
                    words.append(" ".join(self.chance.choice([*self.language.words.classes[name]])))
                case Slot(name, kind):
                    drawn = self.sentence(kind, depth + 1)
                    if drawn is None:
                        return None
                    words.append(drawn[0])
                    filled.append((name, drawn[1]))
                case Choice(options) | Repeat(options):
                    times = self.chance.choice([0, 0, 1, 2]) if isinstance(element, Repeat) else 1
                    for _ in range(times):
                        inner = self._sequence(self.chance.choice(options), filled, depth)
                        if inner is None:
                            return None
                        words += inner
        return words


def _slots(shape: Shape, filled: Sequence[tuple[str, Meaning]]) -> dict[str, Meaning]:
    several = {name: tuple(value for slot, value in filled if slot == name) for name in shape.several}
    return dict(filled) | several
