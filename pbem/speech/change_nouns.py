"""What stands in the forms by which people change a set: any words, so much more, the numbers of lines."""

from collections.abc import Iterator, Sequence

import msgspec

from pbem.ground.terms import Refused
from pbem.language.nouns import Numbers
from pbem.language.tokens import Token, written
from pbem.language.words import WordClasses, table

MOST_TOKENS = 40
"""The words and marks of the longest line that changes others."""
MOST_LINES = 99
"""The highest number of a line."""
WORDS = WordClasses(table("pbem.speech", "tables/changes.words"))
"""The words with which people change a set, by class."""
_JOINTS = frozenset((",", ":", ";", ".", "!", "?"))


class Text(msgspec.Struct, frozen=True):
    """
    Any words, as they were written; they neither begin nor end with a mark, and are of one sentence.

    Shape: none of `but` is in them, nor does a word of the class `not_first` begin them. What `is_definite` begins as
    an order on hand is called: with an article, a number, a deed.
    """

    most: int = MOST_TOKENS
    but: frozenset[str] = frozenset()
    not_first: str = ""
    is_definite: bool = False

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, str]]:
        """Yield the texts that begin at a place, each with the place behind it."""
        first = tokens[place].text if place < len(tokens) else ","
        is_definite = WORDS.has("DEFINITE", first) or first.isdecimal() or first.endswith("ing")
        if first in _JOINTS or WORDS.has(self.not_first, first) or (self.is_definite and not is_definite):
            return
        for end in range(place + 1, min(len(tokens), place + self.most) + 1):
            if tokens[end - 1].text in self.but or tokens[end - 1].ends_a_sentence or tokens[end - 1].text == ";":
                return
            if tokens[end - 1].text not in _JOINTS and not WORDS.has("HANGING", tokens[end - 1].text):
                yield end, written(tokens[place:end])

    def write(self, value: object) -> str | None:
        """Write it as it is."""
        return value if isinstance(value, str) else None

    def why_not(self, tokens: Sequence[Token]) -> Refused | None:
        """Say nothing."""
        return None


class Amount(Numbers, frozen=True):
    """A number; one is one here, where it is so many more."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, int]]:
        """Yield the number that stands at a place, with the place behind it."""
        if place < len(tokens) and tokens[place].text == "one":
            yield place + 1, 1
        yield from super().spans(tokens, place)


class Digits(msgspec.Struct, frozen=True):
    """The number of a line, in figures, with or without a # before it."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, int]]:
        """Yield the number that stands at a place, with the place behind it."""
        at = place + 1 if place < len(tokens) and tokens[place].text == "#" else place
        if at < len(tokens) and tokens[at].kind == "number" and 0 < tokens[at].value < 1000:
            yield at + 1, tokens[at].value
        elif at < len(tokens) and tokens[at].text[:1] == "p" and tokens[at].text[1:].isdecimal():
            yield at + 1, int(tokens[at].text[1:])

    def write(self, value: object) -> str | None:
        """Write it in figures."""
        return str(value)

    def why_not(self, tokens: Sequence[Token]) -> Refused | None:
        """Say nothing."""
        return None


class Range(msgspec.Struct, frozen=True):
    """The numbers of several lines in a row: 2-4."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield the numbers that are said, with the place behind them."""
        first, dash, last = tokens[place].text.partition("-") if place < len(tokens) else ("", "", "")
        if dash and first.isdecimal() and last.isdecimal() and 0 < int(first) < int(last) <= MOST_LINES:
            yield place + 1, tuple(range(int(first), int(last) + 1))

    def write(self, value: object) -> str | None:
        """Write them one by one."""
        return ", ".join(map(str, value)) if isinstance(value, tuple) else None

    def why_not(self, tokens: Sequence[Token]) -> Refused | None:
        """Say nothing."""
        return None


class OfClass(msgspec.Struct, frozen=True):
    """A word of a class, as it was written."""

    name: str

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, str]]:
        """Yield what stands for the class at a place, with the place behind it."""
        for end in WORDS.ends(self.name, [token.text for token in tokens], place):
            yield end, written(tokens[place:end]).casefold()

    def write(self, value: object) -> str | None:
        """Write it as it is."""
        return value if isinstance(value, str) else None

    def why_not(self, tokens: Sequence[Token]) -> Refused | None:
        """Say nothing."""
        return None
