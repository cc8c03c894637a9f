"""What a line says of a power, as people write them down: its name, its text, its type; knows no other line."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import Any, Literal, NamedTuple, TypeAlias

from pbem.ruleset import (
    COMMON,
    HARMLESS,
    Language,
    Parses,
    Refused,
    Shapes,
    Token,
    WordClasses,
    courtesy,
    cut,
    is_harmless,
    is_heading,
    phrases,
    small_talk,
    table,
    to_the_end,
    written,
)
from pbem.rulesets.rumble.genres import NEUTRAL, Genre
from pbem.rulesets.rumble.language.words import saying
from pbem.rulesets.rumble.model.state import PowerKind

What: TypeAlias = Literal["named", "whole", "listed", "told", "untitled", "announced", "text", "kind", "unsigned"]


class Piece(NamedTuple):
    """
    What a line says.

    Shape: `rest` is all behind the word that opens a power, of which `name` may be a part; what is `listed` has no such
    word, and what is `told` has it in a sentence. `kind` is "" where the line says none, and `joint` is the mark
    between name and text. What is `of_name` says how the power is called whose text stands above it.
    """

    what: What
    name: str = ""
    text: str = ""
    kind: PowerKind | Literal[""] = ""
    rest: str = ""
    joint: str = ""
    of_name: bool = False


SHAPES = Shapes(table("pbem.rulesets.rumble.auction", "powers.shapes"))
WORDS = WordClasses(table("pbem.rulesets.rumble.auction", "powers.words"))
SHAPES.check(WORDS, ("title", "called", "text"))
MOST_OF_A_NAME = 8
"""The most words and marks of a name that stands before its text."""
LONGEST_ASIDE = 3
"""The words with which an aside begins."""
_JOINTS = (":", "-", "=", "->", ".", ",", "/", "(", ";", "[", "?", "...")
"""The marks that end a name."""
_MARKS = ("colon", "dash", "equals", "arrow", "stop", "comma", "slash")
"""The acts of their shapes, of those that may stand before a text."""
_KINDS: tuple[PowerKind, ...] = ("power", "flaw", "curse")


class _Title:
    """A name: words up to a mark that ends it, or to the end."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, str]]:
        """Yield the name that begins at a place."""
        end = next((at for at in range(place, len(tokens)) if _ends_name(tokens[at])), len(tokens))
        if place < end <= place + MOST_OF_A_NAME and not _is_frame(tokens[place:end]):
            yield end, written(tokens[place:end])

    def why_not(self, tokens: Sequence[Token]) -> Refused | None:
        """Say nothing."""
        return None

    def write(self, name: object) -> str | None:
        """Write it as it is."""
        return name if isinstance(name, str) else None


class _Called(_Title):
    """A name behind the word that opens a power: whatever stands before the colon, but for a number of it."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, str]]:
        """Yield the name that begins at a place."""
        end = next((at for at in range(place, len(tokens)) if tokens[at].text == ":"), len(tokens))
        is_number = _is_number(tokens[place - 1], tokens[place : place + 2]) if place < end else True
        if place < end < len(tokens) and not is_number:
            yield end, written(tokens[place:end])


class FreeText(_Title):
    """Whatever stands there to the end of the line."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, str]]:
        """Yield all that is left, as it was written."""
        if place < len(tokens):
            yield len(tokens), to_the_end(tokens, place)


def _is_number(power: Token, said: Sequence[Token]) -> bool:
    """Say whether `power 1`, `power two:` or `power number two` numbers a power; `power Two:` calls it so."""
    number, *behind = said
    is_capital = number.line[number.start].isupper() and power.line[power.start].islower()
    is_alone = not behind or behind[0].kind == "mark" or number.text == "number"
    is_word = WORDS.has("NTH", number.text) or number.text == "number"
    return is_word and is_alone and not is_capital


def _is_frame(tokens: Sequence[Token]) -> bool:
    """Say whether words stand before a name, and are none: `is`, `called`, a number alone."""
    first = tokens[0]
    is_small = first.line[first.start : first.start + 1].islower()
    is_number = all(WORDS.has("NTH", one.text) or WORDS.has("ONE", one.text) for one in tokens)
    return is_number or (is_small and (WORDS.has("IS", first.text) or WORDS.has("CALLED", first.text)))


def _ends_name(token: Token) -> bool:
    """Say whether a mark ends a name; a dash does with a blank on both sides of it."""
    is_dash = token.text in ("-", "/") and token.line[token.start - 1 : token.end + 1] != f" {token.text} "
    return token.kind == "mark" and token.text in _JOINTS and not is_dash


def _named(name: str, of: Any = "", tag: Any = "") -> Piece:
    return Piece("named", name, kind=tag or (of if of != "power" else ""))


def _whole(name: str, text: str, of: Any = "", tag: Any = "", joint: str = ":") -> Piece:
    return Piece("whole", name, text, tag or (of if of != "power" else ""), joint=joint)


def _boxed(name: str, text: str) -> Piece | None:
    is_boxed = text.endswith(")") and "(" not in text and ")" not in text[:-1]
    return Piece("listed", name, text[:-1], joint="(") if is_boxed else None


_ACTS: dict[str, Any] = {
    "named": _named,
    "nameless": lambda: Piece("named"),
    "whole": _whole,
    "told": lambda name, of="", tag="": _named(name, of, tag)._replace(what="told"),
    "called": lambda name: Piece("told", name, of_name=True),
    "untitled": lambda text, of="": Piece("untitled", text=text, kind=of if of != "power" else ""),
    "announced": lambda name: Piece("announced", name),
    "tale": lambda name, text, joint, of="", tag="": _whole(name, text, of, tag, joint)._replace(what="told"),
    "listed": lambda name, text, joint, tag="": Piece("listed", name, text, tag, joint=joint),
    "boxed": _boxed,
    "text": lambda text="": Piece("text", text=text),
    "odd": lambda text: Piece("kind", text=text),
    "kind": lambda kind: Piece("kind", kind=kind),
    "unsigned": lambda: Piece("unsigned"),
    **{kind: partial(str, kind) for kind in _KINDS},
    **{act: partial(str, mark) for act, mark in zip(_MARKS, _JOINTS, strict=False)},
}


@lru_cache(maxsize=64)
def language(genre: Genre) -> Language:
    """Return what is said around the texts of powers, which are free, in the words of a genre."""
    words = saying(WORDS, {"POWER": (genre.power, *genre.also.power)})
    nouns = {"title": _Title(), "called": _Called(), "text": FreeText()}
    return Language(words=words, shapes=SHAPES, nouns=nouns, acts=_ACTS, is_free=True)


@lru_cache(maxsize=2048)
def said(text: str, genre: Genre = NEUTRAL) -> Piece | None:
    """
    Return what a line says of a power, None where it says nothing.

    Shape: of several readings the one that says most plainly what it is, as `_RANKS` has them; of two alike the one
    that says a type, then the one whose text is the longest, so that a name ends with the first mark behind it.
    """
    text = unmarked(text)
    known = language(genre)
    tokens = cut(text, is_first=False)[:MOST_TOKENS]
    bare = tokens[:-1] if tokens and tokens[-1].ends_a_sentence else tokens
    ways = (Parses(known, some).whole("piece") for some in (tokens, bare))
    pieces = [one for some in ways for one in some if isinstance(one, Piece)]
    found = [one for one in pieces if '"' not in one.name]  # what quotes our form is none
    if not found:
        return None
    best = max(found, key=lambda one: (_RANKS.index(one.what), one.kind != "", len(one.text)))
    head, colon, rest = text.partition(":")
    is_opened = best.what in ("named", "whole") and colon and all(map(_opens, cut(head, is_first=False)))
    return best._replace(rest=rest.strip()) if is_opened else best


def _opens(token: Token) -> bool:
    return WORDS.has("POWER", token.text) or WORDS.has("NTH", token.text)


_RANKS: tuple[What, ...] = ("listed", "untitled", "told", "announced", "named", "whole", "text", "kind", "unsigned")
"""Of several readings of a line the one that is said most plainly counts."""
MOST_TOKENS = 40
"""The most words of a line that are looked at; of a longer one the text alone is longer."""
_BOLD = re.compile(
    r"[\s>]*(?P<mark>\*{1,2}|_{1,2}|[\"\u201c\u201e])(?P<name>[^*_:\"\u201c\u201d]{1,40}?)[:.]?"
    r"(?:(?P=mark)|[\"\u201d])\s*(?P<tag>[(\[][^)\]]*[)\]])?\s*(?P<joint>[-:=\u2013\u2014]*)\s*(?P<text>.*)"
)
"""A name between marks, of those that a program shows in bold or of a quotation."""


def _bold(text: str) -> re.Match[str] | None:
    bold = _BOLD.fullmatch(text)
    is_quoted = bold is not None and bold["mark"][0] not in "*_" and bold["name"][:1].islower()
    return None if is_quoted else bold


def unmarked(text: str) -> str:
    """Return a line whose name stands between marks with a colon behind that."""
    bold = _bold(text)
    if not bold or bold["text"].startswith("("):
        return text
    if not bold["text"]:
        return f"{bold['name']} {bold['tag'] or ''}".strip()
    tag = f" {bold['tag']}" if bold["tag"] else ""
    return f"{bold['name']}{tag}: {bold['text']}"


@lru_cache(maxsize=1024)
def _tokens(text: str) -> tuple[Token, ...]:
    """Cut a line, as far as it is looked at to tell what it speaks of."""
    return cut(text[:MOST_CHARACTERS], is_first=False)


MOST_CHARACTERS = 300
"""The characters of a line by which it is told whether it is talk."""


def is_bold(text: str) -> bool:
    """Say whether a line begins with a name between marks; a word in small letters may be quoted, as in our letters."""
    return _bold(text) is not None


def is_rule(text: str) -> bool:
    """Say whether a text is about the game."""
    said = [token.text for token in _tokens(text)]
    return any(WORDS.has(kind, one) for kind in ("RULE", "SOFT", "WEAK") for one in said)


def is_strict_rule(text: str) -> bool:
    """Say whether a text has a word that only the game has."""
    return WORDS.any_in("RULE", [token.text for token in _tokens(text)])


def is_title(name: str) -> bool:
    """Say whether a text is written as names of powers are, and is no small talk."""
    first, *rest = name.split() or [""]
    is_capital = all(word[:1].isupper() or len(word) < SHORTEST_CAPITAL for word in rest) and first[:1].isupper()
    is_name = not name.isupper() and "," not in name and not WORDS.has("NO_NAME", first.casefold().strip("."))
    return is_capital and is_name and not _is_said(name)


def is_plain_name(name: str) -> bool:
    """Say whether a text in small letters may be a name: few words, and none of those that all talk has."""
    words = name.casefold().split()
    is_talk = any(word in HARMLESS or word in small_talk.REFERRING for word in words)
    is_first = not words or any(WORDS.has(kind, words[0]) for kind in ("NO_NAME", "RULE", "SOFT"))
    return 0 < len(words) <= MOST_OF_A_PLAIN_NAME and not is_first and not is_talk and not _is_said(name)


SHORTEST_CAPITAL = 4
"""The letters of the shortest word that has a capital in every name: `Ray of Doom`."""
MOST_OF_A_PLAIN_NAME = 4
MOST_OF_A_HEAD = 8


def _is_said(name: str) -> bool:
    return bool(is_harmless(name) or courtesy(name) or is_head(name))


def is_head(text: str) -> bool:
    """Say whether a line only says that powers stand below it, or parts them."""
    words = [token.text for token in _tokens(text) if token.kind != "mark"]
    is_of_heads = all(WORDS.has("HEAD", one) or one.isdigit() for one in words)
    is_short = len(words) <= MOST_OF_A_HEAD and not is_strict_rule(text)
    return is_of_heads or (text.endswith(":") and (is_short or is_heading(text, WORDS.single("HEAD"))))


def is_aside(sentence: str) -> bool:
    """Say whether a sentence speaks to people, and is no part of a power's text."""
    text = phrases.clean(sentence)
    if len(text) > MOST_CHARACTERS:  # nobody says so much in one
        return text.endswith("?")
    words = [token.text for token in _tokens(text) if token.kind == "word"]
    starts = [tuple(words[:n]) for n in range(1, LONGEST_ASIDE + 1)]
    opens = any(one in WORDS.classes["ASIDE"] for one in starts)
    opens = opens or (not is_rule(text) and any(one in WORDS.classes["POLITE"] for one in starts))
    is_kind = is_harmless(text) or courtesy(text)
    is_other = not is_rule(text) and not any(map(str.isdigit, text)) and small_talk.is_small_talk(text)
    return text.endswith("?") or opens or is_kind or (is_other and small_talk.is_whole(text))


def is_around_names(word: str) -> bool:
    """Say whether a word may stand around the names of powers of the archive that somebody takes."""
    return any(WORDS.has(name, word) for name in _AROUND) or is_harmless(word)


_AROUND = ("ARCHIVE", "POWER", "MY", "NTH", "TAKE", "I", "WILL", "PLEASE", "LIST", "ONLY", "HEAD", "IS")


def is_taken(text: str) -> bool:
    """Say whether a line says that somebody takes what it names."""
    said = [token.text for token in _tokens(text)]
    return WORDS.any_in("TAKE", said) or "archive" in said


def asks(text: str) -> bool:
    """Say whether a line is the word for a request alone."""
    return WORDS.has("REQUEST", (phrases.without_stop(text).casefold().split() or [""])[0]) and len(text.split()) <= 3


def begins_clause(text: str) -> bool:
    """Say whether a text stands by itself, and is no verb of what stands before it."""
    return WORDS.has("SUBJECT", (text.split() or [""])[0].casefold())


def is_speech(text: str) -> bool:
    """Say whether a text speaks of its writer and to somebody: `if you send that again I am leaving`."""
    said = {token.text for token in _tokens(text)}
    return not said.isdisjoint(("i", "am")) and not said.isdisjoint(("you", "your"))


def says_kind(text: str) -> bool:
    """Say whether a sentence begins by saying of which type the power is: `this is a curse, for an enemy`."""
    said = [token.text for token in _tokens(text)][: LONGEST_ASIDE + 1]
    is_said = any(WORDS.has("FLAW", one) or WORDS.has("CURSE", one) for one in said)
    return is_said and bool(said) and (WORDS.has("IT", said[0]) or WORDS.has("ITS", said[0]))


def is_sure_talk(text: str) -> bool:
    """Say whether a line is talk that speaks of no power beside it: kind words, or of other things."""
    clean = phrases.clean(text)
    if len(clean) > MOST_CHARACTERS:
        return False
    if is_harmless(clean) or courtesy(clean) or asks(clean):
        return True
    refers = WORDS.any_in("REFERS", [token.text for token in _tokens(clean)])
    is_other = is_aside(clean) or is_head(clean) or small_talk.is_small_talk(clean)
    return is_other and not refers and not is_strict_rule(clean)


def is_placeholder(text: str) -> bool:
    """Say whether a text is the word that stands for one in a form, or says that there is none yet."""
    return tuple(text.casefold().strip(" .").split()) in WORDS.classes["PLACEHOLDER"]


def leads_aside(text: str) -> bool:
    """Say whether a line begins as what speaks of the lines above it may: `forget this one`."""
    return is_aside(text) or WORDS.has("LEADS", (text.casefold().split() or [""])[0].strip(",.!"))


def is_no_name(name: str) -> bool:
    """Say whether a word before a mark calls no power: `Question: ...`, `PS - ...`."""
    return WORDS.has("NO_NAME", (name.casefold().split() or [""])[0].strip("."))


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text, in small letters, without what is drawn together behind them."""
    return frozenset(token.text for token in _tokens(text) if token.kind != "mark")


def opens(text: str) -> bool:
    """Say whether a line begins with a word that opens a power."""
    return text.lstrip(" ~*_").casefold().startswith(("power", "name"))


def may_be_of_the_name(text: str) -> bool:
    """Say whether the word that opens a power may be its name's first: `Power Punch: +10`, or a phone's capital."""
    return text.startswith("Power ") and text[6:7].isupper()


def hangs(text: str) -> bool:
    """Say whether a line ends with what goes on."""
    last = (text.casefold().split() or [""])[-1]
    return (
        last.endswith(",")
        or last in ("is", "are", "your")
        or COMMON.has("HANGING", last)
        or COMMON.has("GOES_ON", last)
    )


def names_kind(text: str) -> bool:
    """Say whether a text has the word for a type."""
    return not words_of(text).isdisjoint(("flaw", "flaws", "curse", "curses"))


def is_elsewhere(text: str) -> bool:
    """Say whether a text only says that it stands somewhere else: `as in your list`."""
    said = text.casefold().strip(" .!()").split()
    is_like = tuple(said[:2]) in WORDS.classes["ELSEWHERE"] or tuple(said[:3]) in WORDS.classes["ELSEWHERE"]
    return said == ["stock"] or (is_like and len(said) <= MOST_OF_A_HEAD)


def parted(names: str) -> list[str]:
    """Part names that are listed."""
    parts = names.replace("&", ",").replace(" and ", ",").split(",")
    return [part.strip() for part in parts if part.strip()]
