"""What a slot can hold by itself: a number, one of some names; each as people write it, and as we do."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Generic, Protocol, TypeVar

import msgspec

from pbem.ground.terms import Refused
from pbem.language import phrases
from pbem.language.tokens import Token, written
from pbem.language.words import COMMON, WordClasses, table

K = TypeVar("K", bound=str)

_NUMBERS = WordClasses(table("pbem.language", "tables/numbers.words"))
_IN_WORDS = {word: int(value) for value in _NUMBERS.classes for word in _NUMBERS.single(value)}
NUMBER_WORDS = frozenset(_IN_WORDS)
"""The words of which numbers are made."""
_TENS = tuple(word for word, value in _IN_WORDS.items() if 20 <= value < 100)
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
"""The words for places in a row."""
LONGEST_NAME = 6
"""The words of the longest name that is looked for."""


class Numbers(msgspec.Struct, frozen=True):
    """Whole numbers from `least` to `most`, in digits or in words."""

    least: int = 0
    most: int = phrases.MOST

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, int]]:
        """Yield the number that stands at a place, with the place behind it."""
        for end, value in _numbers(tokens, place):
            if self.least <= value <= self.most:
                yield end, value

    def why_not(self, tokens: Sequence[Token]) -> Refused | None:
        """Say why words are no number."""
        found = phrases.number(written(tokens))
        return Refused(found.fault, found.because) if isinstance(found, phrases.Unread) else None

    def write(self, value: object) -> str | None:
        """Write a number in digits; None where it is none of these."""
        is_number = isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most
        return str(value) if is_number else None


class Names(msgspec.Struct, Generic[K], frozen=True, dict=True):
    """
    Names of heroes, powers and the like, by key; any unique beginning of a name or of one of its words stands for it.

    Shape: where words may stand for several, each of them is a reading, so it is asked who is meant. Of the spans that
    may be one name the longest counts, so that nothing of a name is left over. `said` is how we write one whose name
    would be read as something else; `least` are the letters of the shortest word that stands for one, unless it is the
    name; where words may stand for several, those whom one would `rather` mean are meant; `thing` is what they are. The
    words that are `never` a name by themselves are those of the orders around it, unless a name is just that; nor is a
    word that stands for a name, as `her` does where somebody is called Hercules.
    """

    of: Mapping[K, str]
    said: Mapping[K, str] = {}
    least: int = 1
    rather: frozenset[K] = frozenset()
    thing: str = "name"
    never: frozenset[str] = frozenset()

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, K]]:
        """Yield who may be named from a place on, each with the place behind it."""
        longest: dict[K, int] = {}
        for end in range(place + 1, min(place + LONGEST_NAME, len(tokens)) + 1):
            if tokens[end - 1].kind == "mark" and tokens[end - 1].text not in ("-", "'"):
                break
            words = " ".join(token.text for token in tokens[place:end])
            every = phrases.meant(words, self._known)
            meant = tuple(key for key in every if key in self.rather) or every
            if not meant and tokens[end - 1].text != "the":
                break  # who is meant by more words is meant by the first of them too
            if tokens[end - 1].kind == "mark":
                continue  # a dash behind a name is none of it
            is_other = COMMON.has("CLAUSE", words) or COMMON.has("STANDS_IN", words) or words in self.never
            is_short = len(words) < self.least or is_other
            is_one = words.casefold()
            longest |= {key: end for key in meant if not is_short or is_one in (self.of[key].casefold(), key)}
        for key, end in longest.items():
            yield end, key

    def why_not(self, tokens: Sequence[Token]) -> Refused | None:
        """Say that nobody is called so, and whom one may have meant."""
        likely = {key: name for key, name in self.of.items() if key in self.rather} or self.of
        found = phrases.find(written(tokens), likely, self.thing)
        return Refused(found.fault, found.because) if isinstance(found, phrases.Unread) else None

    def write(self, key: object) -> str | None:
        """Write a name as letters show it; None where it is none of these."""
        return next((self.said.get(one, name) for one, name in self.of.items() if one == key), None)

    @cached_property
    def _known(self) -> tuple[tuple[K, str], ...]:
        return tuple(self.of.items())


class Nth(msgspec.Struct, frozen=True):
    """A place in a row, in a word or in figures: second, 2nd."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, int]]:
        """Yield the place in a row that stands here, with the place behind it."""
        token = tokens[place] if place < len(tokens) else None
        if token and token.kind == "ordinal":
            yield place + 1, token.value
        elif token and token.text in ORDINALS:
            yield place + 1, ORDINALS.index(token.text) + 1

    def write(self, value: object) -> str | None:
        """Write it as a word."""
        return ORDINALS[value - 1] if isinstance(value, int) and 0 < value <= len(ORDINALS) else None

    def why_not(self, tokens: Sequence[Token]) -> Refused | None:
        """Say nothing."""
        return None


class Whose(msgspec.Struct, frozen=True):
    """Somebody of whom something is: Maria's."""

    names: Names[str]

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, str]]:
        """Yield who it is, where the last word of the name says so."""
        for end, token in enumerate(tokens[place : place + 6], place + 1):
            bare = re.sub(r"'s?$", "", token.text)
            if bare != token.text:
                name = (*tokens[place : end - 1], msgspec.structs.replace(token, text=bare))
                yield from ((place + n, key) for n, key in self.names.spans(name, 0) if place + n == end)
                return

    def write(self, key: object) -> str | None:
        """Write it as Maria's."""
        name = self.names.write(key)
        return None if name is None else f"{name}'s"

    def why_not(self, tokens: Sequence[Token]) -> None:
        """Leave it to the name."""


class Stranger:
    """Who is greeted or thanked: a word that no order has."""

    def __init__(self, known: Callable[[], frozenset[str]]) -> None:
        """Take the words that orders have, asked for once they are known."""
        self.known = known

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, str]]:
        """Yield a word that stands there."""
        token = tokens[place] if place < len(tokens) else None
        if token and token.kind == "word" and token.text.isalpha() and token.text not in self.known():
            yield place + 1, token.text

    def write(self, name: object) -> str | None:
        """Write nobody: no order of ours speaks to anybody."""
        return name if isinstance(name, str) else None

    def why_not(self, tokens: Sequence[Token]) -> None:
        """Leave it to the example."""


REASON = "a reason"
"""What every reason comes to, since none changes an order."""


class OrderWords(Protocol):
    """A language, as far as a reason must have none of its words."""

    @property
    def verbs(self) -> frozenset[str]:
        """The words with which orders begin."""
        ...

    @property
    def name_words(self) -> frozenset[str]:
        """The words of names, which begin no further clause of a reason."""
        ...


class Reason:
    """
    Why somebody orders something: words to the end of their clause, which order nothing and change nothing.

    Shape: there is no number in them, nothing that may bind the order to something else, and no word with which one
    begins, which are asked for once they are known.
    """

    def __init__(self, language: Callable[[], OrderWords]) -> None:
        """Take the language whose words none is, asked for once it is made."""
        self._language = language

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, str]]:
        """Yield the words from a place on to each end of a clause."""
        is_further = False
        for end in range(place, len(tokens) + 1):
            is_end = end == len(tokens) or COMMON.has("CLAUSE", tokens[end].text)
            if is_end and end > place:
                yield end, REASON
            text = tokens[end].text if end < len(tokens) else ""
            is_further = is_further or is_end
            if is_further and (text in _DENYING or text in self._language().name_words):
                return
            if text and (_is_number(tokens, end) or text in _BINDING or text in self._language().verbs):
                return

    def why_not(self, tokens: Sequence[Token]) -> None:
        """Leave it to the example."""

    def write(self, reason: object) -> str | None:
        """Write it as it is."""
        return reason if isinstance(reason, str) else None


def _is_number(tokens: Sequence[Token], place: int) -> bool:
    return tokens[place].kind in ("number", "ordinal", "other") or any(n > 1 for _, n in _numbers(tokens, place))


_DENYING = frozenset(("not", "no", "never"))
_BINDING = (COMMON.single("LIMIT") | COMMON.single("TURN") | COMMON.single("CHOICE") | {"but"}) - {
    "should", "not", "no", "never", "nothing", "nobody", "none", "without",
}  # fmt: skip
"""The words that may bind the order to something or take it back, also within its reason; to deny is a reason."""


def _numbers(tokens: Sequence[Token], place: int) -> Iterator[tuple[int, int]]:
    """Yield what a number says that stands at a place; in words it goes on as far as it can."""
    if place >= len(tokens):
        return
    token = tokens[place]
    said = _parted(token.text) if token.kind == "word" else None
    if token.kind == "number":
        yield place + 1, token.value
    elif said is not None and said != 1:  # with one may be with a die, or a hand
        yield from _further(tokens, place + 1, said)


def _parted(word: str) -> int | None:
    """Return what a word says as a number, `twenty-five` and `twentyfive` too; else None."""
    if word in _IN_WORDS:
        return _IN_WORDS[word]
    tens = next((one for one in _TENS if word.startswith(one)), "")
    first, second = _IN_WORDS.get(tens), _IN_WORDS.get(word[len(tens) :].removeprefix("-"), 0)
    if first is None:
        return None
    return first + second if 20 <= first < 100 and 0 < second < 10 else None


def _further(tokens: Sequence[Token], place: int, said: int) -> Iterator[tuple[int, int]]:
    """Yield what a number in words comes to, with the words behind it that belong to it."""
    following = _IN_WORDS.get(tokens[place].text, 0) if place < len(tokens) else 0
    if 0 < said < 10 and following == 100:
        yield from _further(tokens, place + 1, said * 100)
    elif 20 <= said < 100 and said % 10 == 0 and 0 < following < 10:
        yield place + 1, said + following
    elif said >= 100 and place < len(tokens) and tokens[place].text == "and":
        yield from ((end, said + more) for end, more in _numbers(tokens, place + 1) if more < 100)
        yield place, said
    elif said >= 100 and 0 < following < 100:
        yield from ((end, said + more) for end, more in _numbers(tokens, place))
    else:
        yield place, said
