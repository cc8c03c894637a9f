"""
What a sentence comes to by the words in it that weigh, where no shape has the whole of it: offered, never taken.

People frame an order in more ways than any table has; what they frame is always the same few things: whom, how much,
and what for. So a game has a second, coarse table over these alone, and all other words are left out of a sentence
before it is read by that. What turns or binds a sentence weighs too, and no shape has it, so that no gist is found.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from pbem.language.beside import is_known, without_rounds
from pbem.language.nouns import Names, Numbers
from pbem.language.parses import SHORTEST_MENDED, Language, Meaning, Parses
from pbem.language.shapes import Shapes
from pbem.language.sounds import heard_as
from pbem.language.tokens import Token
from pbem.language.words import COMMON, TALK, WordClasses, table

WORDS = WordClasses(table("pbem.language", "tables/gist.words"))
"""The classes that weigh in every game; its own table adds its deeds."""
STRICT, LOOSE = "gist", "loose_gist"
"""The kinds of a game's coarse table: parts with their separators between them, and with none."""
GAP = "gap"
"""What a coarse table has between a name and a number where words stand between them that may say something else."""
SHARES = ("EVERYTHING", "FULL", "REST", "HALF", "QUARTER", "THIRD", "SPLIT")
"""The classes that say how much without a number."""
MOST_WEIGHTY = 40
"""The words that weigh in the longest sentence that is looked into."""
SHORTEST_CALL = 3
"""The letters of the shortest word that stands for a name here."""
_LIGHT = frozenset[str]().union(*map(TALK.single, ("HARMLESS", "EVERYDAY", "ENGLISH", "COMMON")))
_HINDERING = ("LIMIT", "CHOICE", "SAYS", "TOLD", "BYGONE", "CORRECTS", "ANOTHER_TIME", "TURN")
"""The common classes whose words no gist can have, unless the coarse table has them in another class."""
_WEIGHED_AS = {"TELLS": "HINDERS", "ASKS": "HINDERS", **dict.fromkeys(("TIGHT", "POLITE", "STATES", "INTENDS"), "")}
"""What a word of a class weighs as, where that is not its class; "" for nothing."""
_NO_DEEDS = frozenset(("name", "number", "SEP", "SELF", "NO"))
"""What weighs and says nothing of what is done."""
_NUMBERS = Numbers()


def coarse(language: Language, words: WordClasses, shapes: Shapes, **more: object) -> Language:
    """Return the coarse language of a game: its nouns and acts, with the words and shapes of its coarse table."""
    return msgspec.structs.replace(language, words=words, shapes=shapes, tiers=(STRICT, LOOSE), gist=None, **more)


def gist(language: Language, tokens: Sequence[Token], *, asks: bool = False) -> tuple[Meaning, ...] | None:
    """
    Return the orders to which the weighty words of a sentence come, none where it says that nothing is done.

    Shape: None where there is no such reading, or more than one. Whoever `asks` has to ask us to do it.
    """
    at = language.gist
    first = next((token.text for token in tokens if token.kind == "word"), "")
    if at is None or (asks and not at.words.has("POLITE", first)):
        return None
    weighty = _Weighty(language, at, _mended(language, at, without_rounds(tokens)))
    if not weighty.tokens or len(weighty.tokens) > MOST_WEIGHTY or weighty.hinders:
        return None
    parted = _trimmed(at, weighty.tokens)
    whole = [token for token in parted if not at.words.has("SEP", token.text)]
    ways = [(STRICT, parted), *([(LOOSE, whole)] if weighty.has_deed else [])]
    for kind, said in ways:
        parses = Parses(at, said)
        found = tuple(meaning for meaning in parses.whole(kind) if isinstance(meaning, tuple))
        if parses.is_over or len(found) > 1:
            return None
        if found:
            return found[0]
    return None


def may_have_gist(language: Language, tokens: Sequence[Token]) -> bool:
    """Say whether a sentence has a word of a coarse table that says what is done, or how much without a number."""
    at, texts = language.gist, [token.text for token in tokens]
    if at is None:
        return False
    return any(text in at.own_words for text in texts) or has_share(language, tokens)


def only_tells(language: Language, tokens: Sequence[Token]) -> bool:
    """Say whether a sentence tells of what was, or asks something: no order, whoever is in it, and bounds to none."""
    if language.gist is None:
        return False
    words, texts = language.gist.words, [token.text for token in tokens if token.kind == "word"]
    is_told = words.any_in("TELLS", texts) or any(words.has("ASKS", text) for text in texts[:1])
    binds = any(COMMON.any_in(kind, texts) for kind in ("LIMIT", "CHOICE"))
    acts = any(first in _WE and second in language.verbs | language.gist.own_words for first, second in pairwise(texts))
    return is_told and not binds and not acts and not words.any_in("INTENDS", texts)


_WE = frozenset(("i", "we"))


def has_share(language: Language, tokens: Sequence[Token]) -> bool:
    """Say whether words have a part of all there is, in a game with a coarse table."""
    texts = [token.text for token in tokens]
    return language.gist is not None and any(language.gist.words.any_in(kind, texts) for kind in SHARES)


def is_beyond(language: Language, tokens: Sequence[Token]) -> bool:
    """Say whether a sentence has a word of orders that a coarse table leaves out, or there is no such table."""
    at = language.gist
    words = language.own_words | language.name_words
    return at is None or any(token.text in words and not is_known(at, token.text) for token in tokens)


def _mended(language: Language, at: Language, tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Return tokens in which a word that nobody knows is the name that sounds so, or the deed that is one slip away."""
    known = language.known | at.known | _LIGHT
    heard = heard_as(tokens, language.name_words, known)
    strange = {one.text for one in heard if len(one.text) >= SHORTEST_MENDED and not is_known(at, one.text)}
    meant = {text: near[0] for text in strange if len(near := at.near(text)) == 1}
    return tuple(msgspec.structs.replace(token, text=meant.get(token.text, token.text)) for token in heard)


def with_forms(words: WordClasses, deeds: Sequence[str]) -> WordClasses:
    """Return words with the forms in which people use the single ones of some classes: he punches, punching."""
    rows = (
        f"{name} {' '.join(_of_word(word))}" for name in deeds for word in sorted(words.single(name)) if len(word) > 2
    )
    return words | WordClasses("\n".join(rows))


def _of_word(word: str) -> Iterator[str]:
    yield f"{word}es" if word.endswith(("s", "h", "x", "z")) else f"{word}s"
    stem = word.removesuffix("e")
    yield from (f"{stem}ing", f"{stem}{stem[-1]}ing")


class _Weighty:
    """
    The words of a sentence that weigh.

    Shape: it `has_deed` where one of them says what is done; it `hinders` where one may turn, bind or tell the others.
    """

    def __init__(self, language: Language, at: Language, tokens: Sequence[Token]) -> None:
        self._language, self._at, self._tokens = language, at, tokens
        self._texts = [token.text for token in tokens]
        self.tokens: list[Token] = []
        self.hinders, self.has_deed = False, False
        self._read()

    def _read(self) -> None:
        place, last = 0, ""
        dropped: list[str] = []
        while place < len(self._tokens) and not self.hinders:
            end, kind = self._weigh(place)
            if kind == "BECAUSE":
                end = self._end_of_reason(place)
            elif kind == "LIGHT":
                pass
            elif kind == "":
                dropped += self._texts[place:end]
            else:
                states = bool(dropped) and self._at.words.has("STATES", dropped[-1])
                self.hinders = kind == "HINDERS" or (states and (last, kind) == ("name", "number"))
                is_pair = "number" in (last, kind) and not {last, kind}.isdisjoint(("name", "SELF"))
                if is_pair and not all(len(text) == 1 or self._at.words.has("TIGHT", text) for text in dropped):
                    self.tokens.append(msgspec.structs.replace(self._tokens[place], kind="mark", text=GAP))
                self.has_deed |= kind not in _NO_DEEDS
                if kind == "SEP" and end > place + 1:
                    self.tokens.append(msgspec.structs.replace(self._tokens[place], kind="mark", text=","))
                else:
                    self.tokens += self._tokens[place:end]
                last, dropped = kind, []
            place = end

    def _end_of_reason(self, place: int) -> int:
        """Return where a reason ends that begins at a place: before what joins; with an amount in it it may bind."""
        end = place + 1
        while end < len(self._tokens) and not self._at.words.has("SEP", self._texts[end]):
            self.hinders |= self._weigh(end)[1] in ("number", *SHARES) or COMMON.has("LIMIT", self._texts[end])
            end += 1
        return end

    def _weigh(self, place: int) -> tuple[int, str]:
        """Return what weighs from a place on: its end, and its class; "" for a word that does not."""
        token = self._tokens[place]
        if token.kind in ("ordinal", "other"):
            return place + 1, "HINDERS"
        if ends := [end for end, _ in _NUMBERS.spans(self._tokens, place)]:
            return max(ends), "number"
        names = [end for noun in self._nouns() for end, _ in noun.spans(self._tokens, place) if self._is_name(place)]
        found = [(end, name) for name in self._at.words.classes for end in self._ends(name, place)]
        end, name = max(found, default=(place, ""))
        if names and max(names) >= end:
            return max(names), "name"
        if name:
            return end, _WEIGHED_AS.get(name, name)
        is_hindrance = any(True for kind in _HINDERING for _ in COMMON.ends(kind, self._texts, place))
        is_other_thing = token.text in self._language.name_words
        return place + 1, "HINDERS" if is_hindrance or is_other_thing else ""

    def _ends(self, name: str, place: int) -> Iterator[int]:
        return self._at.words.ends(name, self._texts, place)

    def _nouns(self) -> Iterator[Names[str]]:
        return (noun for noun in self._at.nouns.values() if isinstance(noun, Names))

    def _is_name(self, place: int) -> bool:
        text = self._texts[place]
        return text in self._language.name_words or (len(text) >= SHORTEST_CALL and text not in _LIGHT)


def _trimmed(at: Language, tokens: Sequence[Token]) -> list[Token]:
    """Leave out separators at both ends, and beside others."""
    kept: list[Token] = []
    for token in tokens:
        if not at.words.has("SEP", token.text) or (kept and not at.words.has("SEP", kept[-1].text)):
            kept.append(token)
    return kept[:-1] if kept and at.words.has("SEP", kept[-1].text) else kept
