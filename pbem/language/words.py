"""Classes of words, read from tables: each line a class and what is said for it; knows no game."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib import resources


class WordClasses:
    """
    Classes of words: `ATTACK attack hit go_for` says that `hit` and `go for` stand for the class ATTACK.

    Shape: the first word of a class is the one that we write ourselves. A class may stand in several lines and tables;
    blanks within what is said are written `_`, and a line that begins with `#` is a comment.
    """

    def __init__(self, *tables: str) -> None:
        """Read tables, the later ones adding to the classes of the earlier."""
        self.classes: dict[str, dict[tuple[str, ...], None]] = {}
        for line in "\n".join(tables).splitlines():
            if line.strip() and not line.startswith("#"):
                name, *said = line.split()
                phrases = (tuple(one.casefold().split("_")) for one in said)
                self.classes.setdefault(name, {}).update(dict.fromkeys(phrases))

    def __or__(self, other: WordClasses) -> WordClasses:
        """Return the words of both, those of the first before those of the second."""
        both = WordClasses()
        for one in (self, other):
            for name, said in one.classes.items():
                both.classes.setdefault(name, {}).update(said)
        return both

    def without(self, gone: Mapping[str, Collection[str]]) -> WordClasses:
        """Return the classes without some single words of theirs; one that has no word left is gone."""
        fewer = WordClasses()
        for name, said in self.classes.items():
            if left := {one: None for one in said if " ".join(one) not in gone.get(name, ())}:
                fewer.classes[name] = left
        return fewer

    @cached_property
    def known(self) -> frozenset[str]:
        """Every word that stands in any class."""
        return frozenset(word for said in self.classes.values() for phrase in said for word in phrase)

    @cached_property
    def _by_first(self) -> dict[str, dict[str, tuple[tuple[str, ...], ...]]]:
        found: dict[str, dict[str, tuple[tuple[str, ...], ...]]] = {}
        for name, said in self.classes.items():
            firsts = found.setdefault(name, {})
            for phrase in said:
                firsts[phrase[0]] = (*firsts.get(phrase[0], ()), phrase)
        return found

    def firsts(self, name: str) -> Iterable[str]:
        """Return the words with which a class may begin."""
        return self._by_first.get(name, {})

    def ends(self, name: str, texts: Sequence[str], place: int) -> Iterator[int]:
        """Yield the places behind what stands for a class, where it begins at a place of a text in words."""
        if place < len(texts):
            for phrase in self._by_first.get(name, {}).get(texts[place], ()):
                if len(phrase) == 1 or tuple(texts[place : place + len(phrase)]) == phrase:
                    yield place + len(phrase)

    @cached_property
    def _starting(self) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
        found: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
        for name, said in self.classes.items():
            for phrase in said:
                found.setdefault(phrase[0], []).append((name, phrase))
        return found

    def at(self, texts: Sequence[str], place: int) -> Iterator[tuple[int, str]]:
        """Yield what stands for a class from a place on, in the order of the tables: its end and its class."""
        for name, phrase in self._starting.get(texts[place], ()):
            if len(phrase) == 1 or tuple(texts[place : place + len(phrase)]) == phrase:
                yield place + len(phrase), name

    def single(self, name: str) -> frozenset[str]:
        """Return what stands for a class and is a single word."""
        return frozenset(phrase[0] for phrase in self.classes[name] if len(phrase) == 1)

    def has(self, name: str, word: str) -> bool:
        """Say whether a single word stands for a class."""
        return (word,) in self.classes.get(name, ())

    def has_any(self, word: str) -> bool:
        """Say whether a single word stands for any class."""
        return any(len(phrase) == 1 for _, phrase in self._starting.get(word, ()))

    def any_in(self, name: str, texts: Sequence[str]) -> bool:
        """Say whether anything that stands for a class is in a text in words."""
        return any(True for place in range(len(texts)) for _ in self.ends(name, texts, place))

    def canonical(self, name: str) -> str:
        """Return what we write for a class."""
        return " ".join(next(iter(self.classes[name])))


def is_past_of(word: str, known: Collection[str]) -> bool:
    """Say whether a word is the past of one that is known, and so is no slip of it: punched, dodged, parried."""
    if not word.endswith("ed"):
        return word in _PASTS
    stems = [word[:-2], word[:-1]]
    stems += [f"{word[:-3]}y"] if word.endswith("ied") else []
    stems += [word[:-3]] if word[-4:-3] == word[-3:-2] else []
    return any(stem in known for stem in stems)


_PASTS = frozenset(
    (
        "drank", "threw", "took", "gave", "went", "ran", "fled", "held", "kept", "stood", "caught", "fought", "struck",
        "flung", "slung", "shot", "swung", "bought", "spent",
    )
)  # fmt: skip
"""Pasts that are told by no ending."""


def table(package: str, name: str) -> str:
    """Return the text of a table that lies in a package."""
    return resources.files(package).joinpath(name).read_text(encoding="utf-8")


COMMON = WordClasses(table("pbem.language", "tables/common.words"))
"""The classes that all languages of orders share."""
TALK = WordClasses(table("pbem.language", "tables/talk.words"))
"""The classes of words that people talk with, whatever they order."""
ENGLISH = frozenset[str]().union(*map(TALK.single, ("HARMLESS", "EVERYDAY", "ENGLISH", "COMMON")))
"""The words that people talk with, each by itself."""
FRAMES = table("pbem.language", "tables/frames.shapes")
"""The shapes of what is said around an order, whatever the game; a table of them is one of a language's."""
FRAME_WORDS = table("pbem.language", "tables/frames.words")
"""Their words, and what joins orders."""
_AROUND = WordClasses(FRAME_WORDS)
AROUND = _AROUND.known
"""All of them."""
ALONE_AROUND = frozenset[str]().union(*map(_AROUND.single, _AROUND.classes))
"""Those that are said by themselves: please, and not wish, which only says much in `wish to`."""
