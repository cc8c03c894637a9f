"""Who comes, by which name and from where, as people say it who were invited; one name, said clearly, or none."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import msgspec

from pbem.ground.terms import OrderLine, Refused
from pbem.language import phrases
from pbem.language.beside import corrects
from pbem.language.parses import Language, Meaning, Parses
from pbem.language.sentences import MOST_TOKENS, Sentence, sentences
from pbem.language.shapes import Shapes
from pbem.language.tokens import Token, cut, written
from pbem.language.words import COMMON, TALK, WordClasses, table
from pbem.speech import chatter
from pbem.speech.courtesies import courtesy
from pbem.table.model import calendar

_GREETED = re.compile(r"(?:\S+ ){0,2}\S+,")
"""The line with which a mail begins to somebody: `Gwen,`."""
MOST_LINES = 40
"""The lines of the longest mail that is looked into; nobody says more who only comes."""
MOST_WORDS = 5
"""The most words of a name that is said in a sentence."""
_WORDS = WordClasses(table("pbem.table.model", "tables/coming.words"))
_LITTLE = frozenset[str]().union(*(TALK.single(kind) for kind in ("HARMLESS", "ENGLISH", "COMMON")))
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
    if not words or any(_WORDS.has("NOBODY", word) for word in plain) or chatter.is_harmless(said):
        return False
    if said.endswith(("'s", "s'")) or (len(words) == 1 and COMMON.has("CALENDAR", plain[0])):
        return False
    if any(courtesy(" ".join(words[place:])) for place in range(1, len(words))):
        return False
    if not all(letter.isalnum() or letter in " '.-" for letter in said):
        return False
    if _WORDS.has("LINK", plain[-1]) and words[-1][:1].islower():
        return False
    named = words[1:] if words[0] == "the" else words
    small = [word for word in named if not word[:1].isupper() and not _WORDS.has("LINK", word)]
    if not small and named[0][:1].isupper():
        return True
    return not is_title and all(word.islower() and word not in _LITTLE for word in named)


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


_NOTHING = ("around", "where", "calling", "being", "coming")
_LANGUAGE = Language(
    words=_WORDS,
    shapes=Shapes(table("pbem.table.model", "tables/coming.shapes")),
    nouns={
        "name": _Name(is_title=False),
        "title": _Name(is_title=True),
        "own": _Name(is_title=True, is_own=True),
        "place": _Place(),
    },
    acts={
        **{kind: _is(kind) for kind in ("named", "weak", "come", "bare", "place", "please")},
        **{kind: (lambda **_: True) for kind in _NOTHING},
    },
)


def called(lines: Sequence[OrderLine], own: str = "") -> str:
    """
    Find the one name that a mail says; "" where it is not clear.

    Shape: a mail that may say no, or that says two names, says none: a sentence does that by a word of doubt or one
    that turns, beside the name, in a few words, or about coming; a longer one tells of something else. A name by itself
    is one behind a yes, or where it is all that a mail says, but for the writer's `own`.
    """
    said = [line for line in lines if line.text.strip() and not courtesy(line.text, own)]
    if len(said) > MOST_LINES:
        return ""
    said = said[1:] if said and _GREETED.fullmatch(said[0].text.strip()) else said
    heard = [*map(_heard, sentences(_LANGUAGE, said))]
    if is_corrected(said) or any(map(_takes_back, heard)):
        return ""
    is_plain, asks = not any(one.turns for one in heard), any(one.asks for one in heard)
    told = [one for one in heard if not one.asks and (one.is_sure or not one.has("weak"))]
    parts = [part for one in told for part in one.parts]
    named = {name for one in told for name in one.names("weak", "named", "begun")}
    named |= _behind_a_yes(parts) if is_plain else set()
    if asks and named <= {name for one in told for name in one.names("weak")}:
        return ""
    if not named and is_plain:
        return _alone(said, parts)
    rivals = {name for one in told if one.has(*_NAMED) for name in one.names("bare")}
    names = {name for name in named | rivals if not courtesy(name, own)} or named
    return names.pop() if len(names) == 1 and names <= named else ""


_SURE = ("come", "named", "weak", "place")
"""What a sentence says that says nothing else, so that no word in it takes anything back."""
_NAMED = ("named", "weak", "begun")
SHORTEST_STORY = 5
"""The words of a sentence that tells of something of its own; a shorter one may take back what stands beside it."""


class _Heard(NamedTuple):
    """A sentence: its parts, each with the mark before it; whether it asks, and has a word that turns or doubts."""

    parts: tuple[tuple[str, Said], ...]
    words: tuple[str, ...]
    asks: bool
    turns: bool

    @property
    def is_sure(self) -> bool:
        """Whether it says nothing but who comes, as whom and from where."""
        return all(part.kind in _SURE for _, part in self.parts)

    def names(self, *kinds: str) -> list[str]:
        """Return what its parts of some kinds say."""
        return [part.what for _, part in self.parts if part.kind in kinds]

    def has(self, *kinds: str) -> bool:
        """Say whether it has a part of some kinds."""
        return bool(self.names(*kinds))


def _heard(sentence: Sentence) -> _Heard:
    words = tuple(token.text for token in sentence.tokens if token.kind != "mark")
    heard = _Heard(_parts(sentence), words, sentence.is_question, turns=False)
    turns = chatter.may_change(sentence.text) or _WORDS.any_in("DOUBT", words)
    return heard._replace(turns=turns and not heard.is_sure)


def _takes_back(one: _Heard) -> bool:
    """Say whether a sentence may take back that somebody comes, or under that name, or put a condition to it."""
    is_about = any(_WORDS.any_in(kind, one.words) for kind in ("ABOUT", "DOUBT"))
    is_near = one.has(*_NAMED) or len(one.words) < SHORTEST_STORY
    return one.turns and (is_about or is_near or _WORDS.has("TURN", one.words[0]))


def _behind_a_yes(parts: Sequence[tuple[str, Said]]) -> set[str]:
    """Return the names that stand by themselves behind a yes; behind a comma it may be whom one speaks to."""
    both = pairwise(parts)
    return {
        now.what for (_, before), (mark, now) in both if before.kind == "come" and now.kind == "bare" and mark != ","
    }


def _alone(said: Sequence[OrderLine], parts: Sequence[tuple[str, Said]]) -> str:
    """Return the name that is all that a mail says, or stands before a place or a please; "" for none."""
    first, *others = parts or [("", Said(""))]
    is_one = first[1].kind == "bare" and all(part.kind in ("place", "please") for _, part in others)
    return first[1].what if is_one and (others or _is_all(said, first[1].what)) else ""


def is_corrected(lines: Sequence[OrderLine]) -> bool:
    """Say whether a line below the first corrects what stands above it, or goes on with it as no form does: `...is`."""

    def is_correction(tokens: Sequence[Token]) -> bool:
        texts = [token.text for token in tokens]
        is_regret = any(True for _ in _WORDS.ends("REGRET", texts, 0))
        return texts[0] == "..." or (not is_regret and (corrects(tokens) or _WORDS.has("SLIP", texts[0])))

    cuts = (cut(line.text) for line in lines[1:])
    return any(is_correction(tokens) for tokens in cuts if tokens)


def _is_all(said: Sequence[OrderLine], name: str) -> bool:
    """Say whether a mail is a name and nothing else but marks."""
    return [phrases.clean(line.text).strip(" .!*_\"'") for line in said] == [name.strip(" .")]


def place(lines: Sequence[OrderLine]) -> str:
    """Return the zone of the one place where somebody says that they are, "" for none."""
    every = (part for sentence in sentences(_LANGUAGE, lines[:MOST_LINES]) for _, part in _parts(sentence))
    found = {part.what for part in every if part.kind == "place"}
    return found.pop() if len(found) == 1 else ""


def is_understood(text: str) -> bool:
    """Say whether all of a line says that somebody comes, as whom or from where."""
    cuts = sentences(_LANGUAGE, [OrderLine(1, text)])
    return bool(cuts) and all(part.kind for sentence in cuts for _, part in _parts(sentence))


def _parts(sentence: Sentence) -> tuple[tuple[str, Said], ...]:
    """Return what a sentence says, whole or part by part, each with the mark before it; of talk, nothing."""
    return _read(sentence.tokens)


@lru_cache(maxsize=256)
def _read(tokens: tuple[Token, ...]) -> tuple[tuple[str, Said], ...]:
    if len(tokens) > MOST_TOKENS:
        return (("", Said("")),)
    if whole := _meaning(tokens):
        return (("", whole),)
    found: list[tuple[str, Said]] = []
    begun, mark = 0, ""
    for at in [*(n for n, token in enumerate(tokens) if _WORDS.has("BREAK", token.text)), len(tokens)]:
        part = tokens[begun:at]
        if any(token.kind != "mark" for token in part):
            found.append((mark, _meaning(part) or _named_at_its_head(part) or Said("")))
        mark, begun = tokens[at].text if at < len(tokens) else "", at + 1
    return tuple(found)


def _named_at_its_head(tokens: Sequence[Token]) -> Said | None:
    """Return the name that a sentence begins by saying, where what goes on behind it is talk in small letters."""
    found = [(end, one) for end, one in Parses(_LANGUAGE, tokens).at("said", 0) if isinstance(one, Said)]
    ends = [(end, one) for end, one in found if one.kind == "named" and end < len(tokens)]
    if not ends:
        return None
    end, one = max(ends, key=lambda both: both[0])
    goes_on = tokens[end]
    is_talk = goes_on.line[goes_on.start : goes_on.start + 1].islower() and not _WORDS.has("DOUBT", goes_on.text)
    return Said("begun", one.what) if is_talk and one.what[:1].isupper() else None


def _meaning(tokens: Sequence[Token]) -> Said | None:
    """Return what tokens say: where they are before who they are, and a name behind a form before one by itself."""
    found: tuple[Meaning, ...] = Parses(_LANGUAGE, tokens).whole("said")
    said = [one for one in found if isinstance(one, Said)]
    for kind in ("place", "come", "please", "named", "weak", "bare"):
        of_kind = {one for one in said if one.kind == kind}
        if of_kind:
            return min(of_kind, key=lambda one: len(one.what))
    return None
