"""What people say who come, word by word: their names, places and the forms around these; knows no mail."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import msgspec

from pbem.ground.terms import Refused
from pbem.language.parses import Language, Meaning, Parses
from pbem.language.sentences import MOST_TOKENS, Sentence
from pbem.language.shapes import Shapes
from pbem.language.tokens import Token, written
from pbem.language.words import COMMON, TALK, WordClasses, table
from pbem.speech import chatter
from pbem.speech.courtesies import courtesy
from pbem.table.model import calendar

MOST_WORDS = 5
"""The most words of a name that is said in a sentence."""
SHORTEST = 3
"""The letters of the shortest name of one word in small letters."""
WORDS = WordClasses(table("pbem.table.model", "tables/coming.words"))
LITTLE = frozenset[str]().union(*(TALK.single(kind) for kind in ("HARMLESS", "ENGLISH", "COMMON")))
"""Words that are in no name in small letters."""


class Said(NamedTuple):
    """
    What a part of a sentence says.

    Shape: its writer does `come`; is `named` so, or was and the sentence goes on (`begun`); a `bare` name; a `place`,
    as its zone; `please`; "" for talk.
    """

    kind: str
    what: str = ""


class _Name(msgspec.Struct, frozen=True):
    """
    A name as it was written: each word begins with a capital, or none does; where it `is_title`, each.

    Shape: one that `is_own` is no single word that people talk with, by which they may mean something else: I'm German.
    """

    is_title: bool
    is_own: bool = False

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, str]]:
        """Yield the names that begin at a place, each with the place behind it."""
        words = 0
        for end in range(place, min(len(tokens), place + 2 * MOST_WORDS)):
            token = tokens[end]
            if token.kind == "mark" and token.text not in (".", "-", "'"):
                return
            if token.text == "." and len(tokens[end - 1].text) > 1:
                return
            words += token.kind != "mark"
            said = written(tokens[place : end + 1])
            if words > MOST_WORDS:
                return
            is_plain = words == 1 and token.text in TALK.known
            if token.kind != "mark" and not (self.is_own and is_plain) and _may_be_name(said, is_title=self.is_title):
                yield end + 1, said

    def write(self, meaning: str) -> str:
        """Write it as it is."""
        return meaning

    def why_not(self, tokens: Sequence[Token]) -> Refused | None:
        """Say nothing."""
        return None


def _may_be_name(said: str, *, is_title: bool) -> bool:
    words = said.split()
    plain = [word.casefold().strip(".'") for word in words]
    if not words or any(WORDS.has("NOBODY", word) for word in plain) or chatter.is_harmless(said):
        return False
    if said.endswith(("'s", "s'")) or (len(words) == 1 and COMMON.has("CALENDAR", plain[0])):
        return False
    if any(courtesy(" ".join(words[place:])) for place in range(1, len(words))):
        return False
    if not all(letter.isalnum() or letter in " '.-" for letter in said):
        return False
    if WORDS.has("LINK", plain[-1]) and words[-1][:1].islower():
        return False
    named = words[1:] if words[0] == "the" else words
    small = [word for word in named if not word[:1].isupper() and not WORDS.has("LINK", word)]
    if not small and named[0][:1].isupper():
        return True
    return not is_title and all(word.islower() and word not in LITTLE for word in named)


@lru_cache(maxsize=1024)
def _zone(said: str) -> object:
    """Return the zone of a place; finding out that there is none takes a while."""
    return calendar.known_zone(said)


class _Place(msgspec.Struct, frozen=True):
    """A big city or a zone, as its zone."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, str]]:
        """Yield the zones of the places that are named here, each with the place behind it."""
        for end in range(place + 1, min(len(tokens), place + 3) + 1):
            zone = _zone(written(tokens[place:end]))
            if isinstance(zone, str) and tokens[place].kind == "word":
                yield end, zone

    def write(self, meaning: str) -> str:
        """Write the zone."""
        return meaning

    def why_not(self, tokens: Sequence[Token]) -> Refused | None:
        """Say nothing."""
        return None


def _is(kind: str) -> Callable[..., Said]:
    return lambda name="", place="": Said(kind, name.removeprefix("the ") or place)


TITLE = _Name(is_title=True)
"""A name each word of which begins with a capital, but for the little ones."""
PLACE = _Place()
_NOTHING = ("around", "where", "calling", "being", "coming")
LANGUAGE = Language(
    words=WORDS,
    shapes=Shapes(table("pbem.table.model", "tables/coming.shapes")),
    nouns={
        "name": _Name(is_title=False),
        "title": TITLE,
        "own": _Name(is_title=True, is_own=True),
        "place": PLACE,
    },
    acts={
        **{kind: _is(kind) for kind in ("named", "weak", "come", "bare", "place", "please")},
        **{kind: (lambda **_: True) for kind in _NOTHING},
    },
)


class _LooseName(_Name, frozen=True):
    """A name as it is offered: in small letters too, where no word of it is one that says how somebody is."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, str]]:
        """Yield the names that begin at a place, each with the place behind it."""
        for end, name in super().spans(tokens, place):
            goes_on = end < len(tokens) and tokens[end].kind == "word" and not self._ends(tokens[end].text)
            is_known = name in TALK.known or name in WORDS.known
            is_word = " " not in name and (is_known or name.endswith(("ing", "ed")))
            if not (name.islower() and (goes_on or is_word)) and not WORDS.has("ALSO", name.split()[-1].casefold()):
                yield end, name

    @staticmethod
    def _ends(word: str) -> bool:
        return any(WORDS.has(kind, word) for kind in ("BREAK", "ALSO", "HERE")) or COMMON.has("CLAUSE", word)


LOOSE = msgspec.structs.replace(
    LANGUAGE, nouns={**LANGUAGE.nouns, "name": _LooseName(is_title=False), "title": _LooseName(is_title=False)}
)
"""The same, where names may be in small letters behind every form."""


def parts_of(sentence: Sentence) -> tuple[tuple[str, Said], ...]:
    """Return what a sentence says, whole or part by part, each with the mark before it; of talk, nothing."""
    return read_parts(sentence.tokens)


@lru_cache(maxsize=256)
def read_parts(tokens: tuple[Token, ...], *, is_loose: bool = False) -> tuple[tuple[str, Said], ...]:
    """Return the same of its tokens; where it `is_loose`, names may be in small letters."""
    language = LOOSE if is_loose else LANGUAGE
    if len(tokens) > MOST_TOKENS:
        return (("", Said("")),)
    if whole := _meaning(tokens, language):
        return (("", whole),)
    found: list[tuple[str, Said]] = []
    begun, mark = 0, ""
    for at in [*(n for n, token in enumerate(tokens) if WORDS.has("BREAK", token.text)), len(tokens)]:
        part = tokens[begun:at]
        if any(token.kind != "mark" for token in part):
            found.append((mark, _meaning(part, language) or _named_at_its_head(part) or Said("")))
        mark, begun = tokens[at].text if at < len(tokens) else "", at + 1
    return tuple(found)


def _named_at_its_head(tokens: Sequence[Token]) -> Said | None:
    """Return the name that a sentence begins by saying, where what goes on behind it is talk in small letters."""
    found = [(end, one) for end, one in Parses(LANGUAGE, tokens).at("said", 0) if isinstance(one, Said)]
    ends = [(end, one) for end, one in found if one.kind == "named" and end < len(tokens)]
    if not ends:
        return None
    end, one = max(ends, key=lambda both: both[0])
    goes_on = tokens[end]
    is_talk = goes_on.line[goes_on.start : goes_on.start + 1].islower() and not WORDS.has("DOUBT", goes_on.text)
    return Said("begun", one.what) if is_talk and one.what[:1].isupper() else None


def _meaning(tokens: Sequence[Token], language: Language) -> Said | None:
    """Return what tokens say: where they are before who they are, and a name behind a form before one by itself."""
    found: tuple[Meaning, ...] = Parses(language, tokens).whole("said")
    said = [one for one in found if isinstance(one, Said)]
    for kind in ("place", "come", "please", "named", "weak", "bare"):
        of_kind = {one for one in said if one.kind == kind}
        if of_kind:
            return min(of_kind, key=lambda one: len(one.what))
    return None


Placed: TypeAlias = tuple[int, str]
"""A name, behind its place among the tokens of a sentence."""


def behind_forms(tokens: Sequence[Token], *kinds: str) -> Iterator[Placed]:
    """Yield the names that stand behind forms of some kinds anywhere in a sentence, each as long as it can be."""
    parses, place = Parses(LOOSE, tokens), 0
    while place < len(tokens):
        found = [(end, one) for end, one in parses.at("said", place) if isinstance(one, Said) and one.kind in kinds]
        end, said = max(found, key=lambda both: (both[0], len(both[1].what))) if found else (place + 1, None)
        if said:
            yield place, said.what
        place = end
