"""What a round can hold that is no name: texts to the end of their line, captions, X, how often."""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any

from pbem.ruleset import Names, Numbers, Token, to_the_end, written
from pbem.rulesets.rumble.language.words import WORDS
from pbem.rulesets.rumble.orders.captions import plain_word

NUMBERS = Numbers()


class _Shown:
    """What an example shows best."""

    def why_not(self, tokens: Sequence[Token]) -> None:
        """Leave it to the example."""


class Titles(Names[str], frozen=True, dict=True):
    """Names of powers as they are called, not by their numbers in the pool, since those stand before bids."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, str]]:
        """Yield whose name may stand at a place."""
        is_number = place < len(tokens) and tokens[place].text in {key.casefold() for key in self.of}
        return iter(()) if is_number else super().spans(tokens, place)


class Text(_Shown):
    """Whatever stands there to the end of its line."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, str]]:
        """Yield all that is left, as it was written."""
        if place < len(tokens):
            yield len(tokens), to_the_end(tokens, place)

    def write(self, text: Any) -> str | None:
        """Write a text as it is."""
        return text if isinstance(text, str) else None


class Title(Text):
    """The name that a hero is given, to the end of its line or of its order."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, str]]:
        """Yield all that is left before a semicolon, as it was written."""
        end = next((at for at in range(place, len(tokens)) if tokens[at].text == ";"), len(tokens))
        if place < end:
            yield end, to_the_end(tokens[:end], place) if end == len(tokens) else written(tokens[place:end])


class Caption(_Shown):
    """A word that is shouted (C31), which no other word of such a line can be."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, str]]:
        """Yield a word as it is remembered, with the noise behind it."""
        if place < len(tokens) and tokens[place].kind == "word" and not WORDS.has("ON", tokens[place].text):
            noise = sum(1 for _ in takewhile(lambda token: token.text in ("!", "."), tokens[place + 1 :]))
            yield place + 1 + noise, plain_word(written(tokens[place : place + 1]))

    def write(self, word: Any) -> str | None:
        """Write a word as it is."""
        return word if isinstance(word, str) else None


class Ex(_Shown):
    """What X is: X=20 (A29)."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, int]]:
        """Yield the number behind the sign."""
        if [token.text for token in tokens[place : place + 2]] == ["x", "="]:
            yield from NUMBERS.spans(tokens, place + 2)

    def write(self, number: Any) -> str | None:
        """Write it as X=20."""
        return f"X={number}" if isinstance(number, int) else None


class Times(_Shown):
    """How often a power is used: x2, 2x, twice, three times (R13)."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, int]]:
        """Yield how often, where it stands before a number, behind it, or in a word."""
        texts = [token.text for token in tokens[place : place + 2]]
        for name, many in (("ONCE", 1), ("TWICE", 2), ("THRICE", 3)):
            if texts and WORDS.has(name, texts[0]):
                yield place + 1, many
        if texts and WORDS.has("TIMES", texts[0]):
            yield from NUMBERS.spans(tokens, place + 1)
        for end, many in NUMBERS.spans(tokens, place):
            if end < len(tokens) and WORDS.has("TIMES", tokens[end].text):
                yield end + 1, many

    def write(self, many: Any) -> str | None:
        """Write it as x2."""
        return f"x{many}" if isinstance(many, int) else None
