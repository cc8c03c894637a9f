"""All readings of a run of tokens by the shapes of a language: what covers it from end to end; knows no game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, Protocol, TypeAlias

import msgspec
from rapidfuzz import process
from rapidfuzz.distance import OSA

from pbem.ground.terms import Refused
from pbem.language.nouns import Names
from pbem.language.paths import Node, Paths, paths_of
from pbem.language.shapes import Choice, Class, Element, Literal, Repeat, Shape, Shapes
from pbem.language.tokens import Token, cut
from pbem.language.words import AROUND, COMMON, TALK, WordClasses

SHORTEST_MENDED = 5
"""The letters of the shortest word in which a slip is forgiven."""

SHORTEST_OWN = 3
"""The letters of the shortest word that can be of orders alone."""

Meaning: TypeAlias = Hashable
"""What a text means: an order, a seat, a number; equal ones are one."""


class Noun(Protocol):
    """What a slot can hold that depends on how the game stands: a hero, a number, a square."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterable[tuple[int, Meaning]]:
        """Yield what may be meant from a place on, each with the place behind it."""

    def write(self, meaning: Any) -> str | None:
        """Write one as we do; None where it is none of these."""

    def why_not(self, tokens: Sequence[Token]) -> Refused | None:
        """Say why words are none of these, where that can be said better than by showing one."""


class Elided(msgspec.Struct, frozen=True):
    """
    An order whose verb was left out: `Bob 20` below `attack Al 10`. It counts beside others of its paragraph.

    Shape: one that `is_bare` is but a number, and counts only as all that a mail says, without a full stop: `18`.
    """

    order: Meaning
    is_bare: bool = False


class Language(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """
    What may be written at a moment of a game.

    Shape: `acts` makes a meaning of the slots of a shape, by the act's name; a record does where the slots are its
    fields. One that returns None says that the shape means nothing so. Where there is none, a shape means its one slot.
    `parts` is the way back, which a record knows by itself: the slots of a meaning, or None where it is another act's.
    `names` are those of this game that are one word where they are written out, as `one_word_names` has them. The
    `tiers` are the kinds that a whole sentence can be, the strict ones first; their meanings are tuples of orders, as
    that of a `clause` is. `order` is the kind of one, `line` that of one as it stands alone on a line of ours.
    `samples` are what examples have in a slot, by its kind; the acts that are `unshown` are no examples. `rules` has
    the rule that is cited for what could not be read, by kind or act; `joining` are classes of words that say nothing
    of an order by themselves. `things` are the kinds of what orders are about; where they are mostly a list without
    verbs, it `is_listed`, and one without its verb needs no other beside it. The `deeds` are the kinds of what an order
    does, where it begins with something else: their words begin one too. It `is_free` where orders may begin with any
    word, as texts do that people invent. By its `gist` is read what no shape has the whole of; `has_amounts` where each
    order has an amount, so that a sentence without any is none.
    """

    words: WordClasses
    shapes: Shapes
    nouns: Mapping[str, Noun] = {}
    acts: Mapping[str, Callable[..., Meaning | None]] = {}
    parts: Mapping[str, Callable[[Any], Mapping[str, Any] | None]] = {}
    names: frozenset[str] = frozenset()
    tiers: tuple[str, ...] = ("sentence", "loose")
    clause: str = "clause"
    order: str = "order"
    line: str = "line"
    samples: Mapping[str, str] = {}
    unshown: frozenset[str] = frozenset()
    rules: Mapping[str, str] = {}
    joining: frozenset[str] = frozenset()
    things: frozenset[str] = frozenset()
    is_listed: bool = False
    is_free: bool = False
    deeds: tuple[str, ...] = ()
    gist: Language | None = None
    has_amounts: bool = True

    @cached_property
    def in_first_shapes(self) -> Language:
        """The same, with the first shape of each act alone: what journals and hands are read by."""
        return msgspec.structs.replace(self, shapes=self.shapes.canonical)

    @cached_property
    def name_words(self) -> frozenset[str]:
        """The words of which the names are made of what orders are about, and those names that are one word."""
        things = self._named(self.things or self.nouns)
        return self._words_of(things | (self._all_names - self._named(self.nouns)))

    @cached_property
    def places(self) -> tuple[Noun, ...]:
        """What orders are about and has no name: squares and the like, which by themselves may be an order."""
        nouns = (self.nouns[kind] for kind in self.things)
        return tuple(noun for noun in nouns if not isinstance(noun, Names))

    def _words_of(self, names: Iterable[str]) -> frozenset[str]:
        texts = {token.text for name in names for token in cut(name, self.names, is_first=False)}
        return frozenset(texts | {word for text in texts for word in text.split()})

    def _named(self, kinds: Collection[str]) -> frozenset[str]:
        nouns = (noun for kind, noun in self.nouns.items() if kind in kinds and isinstance(noun, Names))
        return frozenset[str]().union(*(noun.of.values() for noun in nouns))

    @cached_property
    def _all_names(self) -> frozenset[str]:
        return self.names | self._named(self.nouns)

    def has_side_by_side(self, first: str, second: str) -> bool:
        """Say whether a name has these words one behind the other."""
        return (first, second) in self._pairs

    @cached_property
    def _pairs(self) -> frozenset[tuple[str, str]]:
        cuts = ([token.text for token in cut(name, is_first=False)] for name in self._all_names)
        return frozenset(pair for texts in cuts for pair in pairwise(texts))

    @cached_property
    def long_names(self) -> frozenset[tuple[str, ...]]:
        """The names of several words, each word by word: alone such a name orders nothing, whatever its words may."""
        cuts = (cut(name, self.names, is_first=False) for name in self._all_names)
        return frozenset(tuple(token.text for token in tokens) for tokens in cuts if len(tokens) > 1)

    @cached_property
    def known(self) -> frozenset[str]:
        """Every word that may stand in an order."""
        return self.order_words | self._words_of(self._all_names)

    @cached_property
    def order_words(self) -> frozenset[str]:
        """Every word that may stand in an order and is of no name."""
        return self.words.known | self.shapes.literals

    @cached_property
    def own_words(self) -> frozenset[str]:
        """The words that orders have, and neither what is said around them nor talk."""
        return _own_words(self.words.known, self.shapes.literals)

    @cached_property
    def verbs(self) -> frozenset[str]:
        """The words with which an order has to begin, but for those that join."""
        kinds = (self.order, *self.deeds)
        return frozenset[str]().union(*(_verbs(self.paths, kind, self.joining) for kind in kinds))

    @cached_property
    def telling(self) -> frozenset[str]:
        """
        The words by which an order is told from talk: ours, and others for them that talk has not.

        Shape: none where orders may begin with any word.
        """
        if self.is_free:
            return frozenset()
        kinds = (self.line, *self.deeds)
        shapes = (shape for kind in kinds for shape in self.shapes.canonical.that_may_be(kind))
        shown = (shape for shape in shapes if (shape.act or shape.kind) not in self.unshown)
        firsts = [next(one for one in shape.elements if not is_optional(one)) for shape in shown]
        ours = {self.words.canonical(one.name) for one in firsts if isinstance(one, Class)}
        ours |= {one.text for one in firsts if isinstance(one, Literal)}
        said = (self.words.single(name) for name in self.words.classes if self.words.canonical(name) in ours)
        return frozenset(ours | (self.own_words & frozenset().union(*said)))

    @cached_property
    def begins(self) -> frozenset[str]:
        """The words that tell an order, and any other with which we begin one, such as `put` in `put 20 on NAME`."""
        return self.telling | (frozenset() if self.is_free else self.verbs & self._ours)

    @cached_property
    def plain(self) -> frozenset[str]:
        """The own words that we write ourselves: they speak of orders, though talk may have them too."""
        return self.own_words & (self._ours | self.shapes.literals)

    @cached_property
    def openings(self) -> frozenset[str]:
        """The words with which a line of ours can begin."""
        return self.verbs | _openings(self.paths, self.line)

    def near(self, word: str) -> tuple[str, ...]:
        """
        Return the words of orders that one slip of the fingers makes of a word; short ones are none.

        Shape: `hold` is no slip of holds, but the same word, which is left out where it orders nothing.
        """
        if word not in self._near:
            found = process.extract(word, self._long, scorer=OSA.distance, score_cutoff=1, limit=None)
            slips = (one for one, _, _ in found if one not in (word, word + "s"))
            self._near[word] = tuple(sorted(slips, key=lambda one: one not in self._ours))
        return self._near[word]

    @cached_property
    def said(self) -> dict[Any, Any]:
        """What was decided on sentences before, so that one is read once, though a mail is looked at several times."""
        return {}

    @cached_property
    def _ours(self) -> frozenset[str]:
        """The words that we write ourselves."""
        return self.name_words.union(self.words.canonical(name) for name in self.words.classes)

    @cached_property
    def _near(self) -> dict[str, tuple[str, ...]]:
        """What was found before."""
        return {}

    @cached_property
    def _long(self) -> tuple[str, ...]:
        return tuple(sorted(word for word in self.known if len(word) >= SHORTEST_MENDED and word.isalpha()))

    @cached_property
    def paths(self) -> Paths:
        """The ways along the shapes."""
        return paths_of(self.shapes, self.words, frozenset(self.nouns))

    def meaning(self, shape: Shape, slots: Mapping[str, Meaning]) -> Meaning | None:
        """Return what a shape means with its slots filled."""
        act = self.acts.get(shape.act or shape.kind)
        if act is not None:
            return act(**{name: meaning for name, meaning in slots.items() if name})
        meanings = tuple(slots.values())
        return meanings[0] if len(meanings) == 1 else (shape.act or shape.kind, *meanings)


@lru_cache(maxsize=64)
def _own_words(*kinds: frozenset[str]) -> frozenset[str]:
    long = frozenset(word for kind in kinds for word in kind if len(word) >= SHORTEST_OWN)
    return long - AROUND - TALK.single("HARMLESS") - COMMON.known


@lru_cache(maxsize=64)
def _verbs(paths: Paths, kind: str, joining: frozenset[str]) -> frozenset[str]:
    found: set[str] = set()
    for shape in paths.shapes.of.get(kind, ()):
        first = next((one for one in shape.elements if not is_optional(one)), None)
        if first and not (isinstance(first, Class) and first.name in joining):
            found.update(paths.node((first,)).own_words or ())
    return frozenset(word for word in found if word.isalpha()) - COMMON.single("CLAUSE") - COMMON.single("DETERMINERS")


@lru_cache(maxsize=64)
def _openings(paths: Paths, kind: str) -> frozenset[str]:
    firsts = (paths.node(shape.elements).own_words for shape in paths.shapes.that_may_be(kind))
    return frozenset(word for words in firsts if words for word in words if word.isalpha())


@lru_cache(maxsize=64)
def one_word_names(names: frozenset[str], words: WordClasses, shapes: Shapes) -> frozenset[str]:
    """
    Return the names that can be one word where they are written out.

    Shape: each has a word that stands in no order and no other name, or a mark, as Flare (2) has. Is In has neither,
    and would hide what is asked of Ada in `if Ada is in`; it is read word by word.
    """
    cuts = {name: cut(name, is_first=False) for name in names}
    texts = {name: {token.text for token in one if token.kind == "word"} for name, one in cuts.items()}
    known = Counter([*words.known, *shapes.literals, *(text for one in texts.values() for text in one)])
    alone = {name for name in names if len(cuts[name]) == 1 or any(known[one] == 1 for one in texts[name])}
    return frozenset(alone | {name for name in names if any(token.kind == "mark" for token in cuts[name])})


Filled: TypeAlias = tuple[tuple[str, Meaning], ...]


class Parses:
    """
    The readings of some tokens.

    Shape: what is found is kept by kind and place, so each is looked for once. Whoever reads asks `is_over` when all is
    done: where the steps ran out, what was found is not all, and nothing of it may be taken.
    """

    MOST = 20_000
    """The steps after which a text is given up; a long order takes some hundreds."""

    def __init__(self, language: Language, tokens: Sequence[Token]) -> None:
        """Read nothing yet."""
        self.language, self.tokens, self.steps = language, tokens, 0
        self.texts = [token.text for token in tokens]
        self._found: dict[tuple[str, int], tuple[tuple[int, Meaning], ...]] = {}

    @property
    def is_over(self) -> bool:
        """Whether the steps ran out."""
        return self.steps > self.MOST

    def whole(self, kind: str) -> tuple[Meaning, ...]:
        """Return the meanings of a kind that cover all tokens."""
        return tuple(meaning for end, meaning in self.at(kind, 0) if end == len(self.tokens))

    def at(self, kind: str, place: int) -> tuple[tuple[int, Meaning], ...]:
        """Return what a kind can mean from a place on, each with the place behind it."""
        if (found := self._found.get((kind, place))) is not None:
            return found
        readings: dict[tuple[int, Meaning], None] = {}
        if noun := self.language.nouns.get(kind):
            readings.update(dict.fromkeys(noun.spans(self.tokens, place)))
        word = self.texts[place] if place < len(self.texts) else ""
        for shape, node in self.language.paths.beginnings(kind).that_begin_with(word):
            for end, filled in self._along(node, place, ()):
                meaning = self.language.meaning(shape, _slots(shape, filled))
                if meaning is not None:
                    readings[end, meaning] = None
        self._found[kind, place] = tuple(readings)
        return tuple(readings)

    def _along(self, node: Node, place: int, filled: Filled) -> Iterator[tuple[int, Filled]]:
        """Yield the ways to the end of a shape, each with what fills the slots."""
        self.steps += 1
        if self.is_over:
            return
        if node.is_end:
            yield place, filled
        for words, slot, then in node.steps.that_begin_with(self.texts[place]) if place < len(self.texts) else ():
            if slot:
                for end, meaning in self.at(slot.kind, place):
                    yield from self._along(then, end, (*filled, (slot.name, meaning)))
            elif len(words) == 1 or tuple(self.texts[place : place + len(words)]) == words:
                yield from self._along(then, place + len(words), filled)


def is_optional(element: Element) -> bool:
    """Say whether nothing need stand for it."""
    return isinstance(element, Repeat) or (isinstance(element, Choice) and () in element.options)


def _slots(shape: Shape, filled: Filled) -> dict[str, Meaning]:
    """Put what was read into the slots, what can stand there several times into tuples."""
    several = {name: tuple(meaning for slot, meaning in filled if slot == name) for name in shape.several}
    return dict(filled) | several
