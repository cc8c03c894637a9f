"""Cuts a line into words, numbers and marks; what is a date, a price or a score is none of these. Knows no game."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Literal, TypeAlias

import msgspec

from pbem.language import phrases
from pbem.language.words import COMMON, WordClasses, table

Kind: TypeAlias = Literal["word", "number", "ordinal", "mark", "other"]


class Token(msgspec.Struct, frozen=True):
    """
    A word, a number or a mark of a line.

    Shape: `text` is in small letters, `value` what a number or an ordinal says; `line` is the line as `phrases.clean`
    leaves it, `start` and `end` are the places in it. Of the kind "other" are dates, times, prices, scores, addresses
    and ranges: no shape has them. `doubtful` is a number that a name may make a date: the 20 of `May 20`, where
    somebody is called May.
    """

    kind: Kind
    text: str
    value: int = 0
    line: str = ""
    start: int = 0
    end: int = 0
    doubtful: bool = False

    @property
    def ends_a_sentence(self) -> bool:
        """Whether a sentence may end with it."""
        return self.kind == "mark" and self.text in (".", "!", "?", "...")


_TOKEN = re.compile(
    r"""
      (?P<other>
          https?://\S+ | www\.\S+ | \S+@\S+\.\S+              # addresses
        # prices and the like
        | [$\u00a3\u20ac\u00a5]\s?[0-9][0-9.,]* | [0-9][0-9.,]*\s?[$\u00a3\u20ac\u00a5%\u00b0](?!\w)
        | [0-9]+(?:[:/.-][0-9]+)+(?![\w])                     # times, dates, ranges, scores, decimals
        | [0-9]+\s[-/]\s[0-9]+(?![\w])                        # ranges and scores with blanks
        | [0-9]+[+](?!\w) | (?<![\w.,])[+-][0-9]+(?![\w])     # at least so many; signed numbers
        | 0[0-9]{2,}                                          # telephone numbers
        | [0-9]+(?:am|pm|ish|kg|km|mb|gb|k|m|h|hrs|min|s)(?!\w)
      )
    | (?P<times> [0-9]+\s?x(?!\w|-\w|\s*=) | x\s?[0-9]+(?!\w) )        # so many times
    | (?P<ordinal> [0-9]+(?:st|nd|rd|th)(?!\w) )
    | (?P<number> [0-9]{1,3}(?:,[0-9]{3})+(?!\w) | [0-9]+(?![^\W_]) | [0-9]+(?=[^\W\d_]+\b) )
    | (?P<arrow> <=|>=|==|[-=]+>|<-+|\u2192|\.{2,} )
    | (?P<word> [^\W_](?:[\w']*\w)?(?:[-.](?=[^\W\d_])[^\W\d_][\w']*)* )
    | (?P<mark> \S )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_BULLET = re.compile(
    r"\s*(?:(?:[-=]+>|[*+\u2022\u00b7\u25aa\u25e6\u2023\u25cf\u25cb\u25a0\u25a1\u2192\u2713\u2714\u2611]+(?!\d)"
    r"|-+(?=\s|[^\W\d])|\(?\d{1,2}[.)](?=\s+\S|[^\d\s])|\d\s-\s(?=[^\d\s].*\d)"
    r"|#\d{1,2}[.):]?(?=\s+[^\s\d])|\[[xX]\]|\(?[a-h]\))\s*)+"
)
"""What a list puts before its lines: a dot, a dash, a number, a letter with a bracket, a box."""
_SMILE = re.compile(r"(?:(?<=\s)|^)(?:[:;=8][-'o^]?[()DPp\]\[/|*]+|<3|\^_?\^|xD|\\?o/)(?=\s|$|[.,!])")
_SHORT_TITLE = re.compile(
    rf"\b({'|'.join(phrases.TITLES)}|att|atk|def|vs|pts|n[or](?=\.\s?\d))\.(?=\s|\d)", re.IGNORECASE
)
_LEADER = re.compile(r"\.{4,}(?=\s*[0-9])")
"""The dots that lead from a name to its number."""
_EMPHASIS = re.compile(r"\*\*?|__|`|\"|(?<!\w)[_'](?=\w)|(?<=\w)[_'](?!\w)")
_UNTICKED = re.compile(r"^\s*\[\s?\]")
_KEYCAP = re.compile("([0-9])\ufe0f?\u20e3")
_NUMBERED = re.compile("^\\s*[0-9]\ufe0f?\u20e3\\s+(?=\\S)")
_GLUED = re.compile(r"\b(?:([^\W\d_]{2,})([0-9]+)|([a-z]{3,})([A-Z][a-z]+))\b")
"""What a haste leaves no blank in: Bob20, attackBob."""
WIDE = {0xFF01 + place: 0x21 + place for place in range(94)} | {0x2460 + n: f"({n + 1}) " for n in range(20)}
"""Letters of full width and numbers in circles, with the plain ones."""
_PICTURES = ("So", "Sk", "Mn", "Me", "Cf", "Cn")
"""Characters that say nothing by themselves, as unicodedata calls them."""
_JOINED = (("n't", "not"), ("'ll", "will"), ("'m", "am"), ("'d", "would"), ("'re", "are"), ("'ve", "have"))
_CONTRACTIONS = WordClasses(table("pbem.language", "tables/contractions.words"))
_WHOLE = {word: tuple(whole.split("_")) for whole in _CONTRACTIONS.classes for word in _CONTRACTIONS.single(whole)}
"""Words that are two, as they are written."""


_Names: TypeAlias = dict[str, list[tuple[tuple[str, ...], str]]]
"""Names of several words by the first of these: the words, and the name in small letters."""


def cut(line: str, names: Collection[str] = (), *, is_first: bool = True) -> tuple[Token, ...]:
    """
    Cut one line.

    Shape: `names` are this game's. One of several words, or with marks in it, is one word where it is written out; a
    month that is a word of one may be no month. What a list puts before a line, bold marks and smiles are no tokens;
    `isn't` is two.
    """
    spelled, words = _spelled(frozenset(names))
    line = _KEYCAP.sub(r"\1", _NUMBERED.sub("", _UNTICKED.sub("\u2610", phrases.clean(line)))).translate(WIDE)
    bare = _SHORT_TITLE.sub(r"\1 ", _SMILE.sub(lambda smile: " " * len(smile[0]), line))
    bare = _LEADER.sub(lambda dots: ":".ljust(len(dots[0])), bare)
    bare = _EMPHASIS.sub(lambda mark: " " * len(mark[0]), bare)
    start = found.end() if is_first and (found := _BULLET.match(bare)) else 0
    tokens = [token for match in _matches(bare, start, words) for token in _of(match, line)]
    tokens = [
        one for place, token in enumerate(tokens) for one in _unrolled(token, tokens[place - 1] if place else None)
    ]
    tokens = [_drawn_in(token, words) for token in tokens]
    return _dated(_with_names(tokens, spelled), words)


@lru_cache(maxsize=256)
def _spelled(names: frozenset[str]) -> tuple[_Names, frozenset[str]]:
    """Return the names of several words by the first of them, the longest first, and the words of all names."""
    clean = [phrases.clean(name) for name in sorted(names)]
    texts = {one: tuple(token.text for match in _TOKEN.finditer(one) for token in _of(match, one)) for one in clean}
    longer: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for name, words in sorted(texts.items(), key=lambda both: -len(both[1])):
        if len(words) > 1:
            longer.setdefault(words[0], []).append((words, name.casefold()))
    return longer, frozenset(word for words in texts.values() for word in words)


def _with_names(tokens: Sequence[Token], longer: _Names) -> list[Token]:
    """Make one word of each name of several that is written out."""
    found: list[Token] = []
    place = 0
    while place < len(tokens):
        likely = longer.get(tokens[place].text, ())
        texts = tuple(token.text for token in tokens[place : place + LONGEST_NAME]) if likely else ()
        name, text = next((one for one in likely if texts[: len(one[0])] == one[0]), ((), ""))
        if not name:
            found.append(tokens[place])
            place += 1
        else:
            last = tokens[place + len(name) - 1]
            found.append(msgspec.structs.replace(tokens[place], kind="word", text=text, end=last.end))
            place += len(name)
    return found


LONGEST_NAME = 12
"""The most tokens of which a name is made."""


def to_the_end(tokens: Sequence[Token], place: int) -> str:
    """Return all that was written behind the token before a place, to the end of the last one's line."""
    first, last = tokens[place], tokens[-1]
    begins = tokens[place - 1].end if place and tokens[place - 1].line == first.line else first.start
    whole = [*tokens[place:-1], msgspec.structs.replace(last, end=len(last.line))]
    return written([msgspec.structs.replace(whole[0], start=begins), *whole[1:]]).strip()


def _matches(text: str, place: int, words: Collection[str]) -> Iterator[re.Match[str]]:
    """Yield the match of each token from a place on; what haste has joined is two, unless it is a word of a name."""
    while match := _TOKEN.search(text, place):
        both = _GLUED.search(text, match.start(), match.end()) if match.lastgroup == "word" else None
        if both and match[0].casefold() not in words and both[0].casefold() not in words:
            short = both[1] or both[3]
            if len(short) >= SHORTEST_GLUED or short.casefold() in words:
                match = _TOKEN.match(text, match.start(), both.start() + len(short)) or match
        yield match
        place = match.end()


SHORTEST_GLUED = 3
"""The letters of the shortest word behind which no blank is needed, unless it is of a name."""


def written(tokens: Sequence[Token]) -> str:
    """Return what was written, from the first of some tokens to the last."""
    pieces: list[str] = []
    for line, run in groupby(tokens, key=lambda token: token.line):
        those = list(run)
        pieces.append(line[those[0].start : those[-1].end])
    return " ".join(pieces)


def _of(match: re.Match[str], line: str) -> Iterator[Token]:
    """Yield the tokens of one match in a line, which are two where a word is two: isn't, 3x."""
    text, where = match[0].casefold(), (line, match.start(), match.end())
    match match.lastgroup:
        case "number":
            value = _value(text.replace(",", ""))
            is_one = text.isascii() and value <= phrases.MOST
            yield Token("number" if is_one else "other", text, value, *where)
        case "ordinal":
            yield Token("ordinal", text, _value(text[:-2]), *where)
        case "times":
            yield Token("word", "times", 0, *where)
            yield Token("number", text, _value(text.strip("x ")), *where)
        case "arrow":
            yield Token("mark", "..." if text[0] == "." else text if text in ("<=", ">=", "==") else "->", 0, *where)
        case "word":
            yield from (Token("word", word, 0, *where) for word in _parted(text))
        case "other":
            yield Token("other", text, 0, *where)
        case _ if COMMON.has("TURN", text):
            yield Token("word", text, 0, *where)
        case _ if unicodedata.category(text) not in _PICTURES:
            yield Token("mark", text, 0, *where)


def _value(digits: str) -> int:
    """Return what digits say; of more than any order has, only that they say more than that."""
    return int(digits) if len(digits) <= LONGEST_NUMBER else phrases.MOST + 1


LONGEST_NUMBER = 20
"""The digits of the longest number that is worth reckoning with."""


def _drawn_in(token: Token, words: Collection[str]) -> Token:
    """Write a word as it is that somebody drew out, pleeease, unless it is of a name, or one letter."""
    short = _DRAWN_OUT.sub(r"\1", token.text)
    is_drawn = short != token.text and token.text not in words and len(short) > 1
    return msgspec.structs.replace(token, text=short) if is_drawn else token


_DRAWN_OUT = re.compile(r"([^\W\d_])\1{2,}")


def _unrolled(token: Token, before: Token | None) -> Iterator[Token]:
    """Yield a number, a dash and a number behind a word that numbers something, `Power 6 - 13`, which is no range."""
    both = _RANGE.fullmatch(token.text) if token.kind == "other" else None
    if not (both and before and COMMON.has("NUMBERED", before.text)):
        yield token
        return
    for kind, place in (("number", 1), ("mark", 2), ("number", 3)):
        text, start = both[place], token.start + both.start(place)
        value = int(text) if kind == "number" else 0
        yield msgspec.structs.replace(token, kind=kind, text=text, value=value, start=start, end=start + len(text))


_RANGE = re.compile(r"([0-9]+)\s([-/])\s([0-9]+)")


def _parted(word: str) -> tuple[str, ...]:
    if word in _WHOLE:
        return _WHOLE[word]
    tail = next((one for one in _JOINED if word.endswith(one[0]) and len(word) > len(one[0])), None)
    return (word.removesuffix(tail[0]), tail[1]) if tail else (word,)


def _dated(tokens: Sequence[Token], names: frozenset[str]) -> tuple[Token, ...]:
    """Take out of the numbers what is part of a date or a time, or an amount of something that no game has."""

    def has(place: int, kind: str) -> bool:
        return 0 <= place < len(tokens) and COMMON.has(kind, tokens[place].text)

    found = list(tokens)
    for place, token in enumerate(tokens):
        if token.kind not in ("number", "ordinal"):
            continue
        last = place - 2 if place and tokens[place - 1].text in (".", ",", "the", "-") else place - 1
        following = place + 2 if place + 1 < len(tokens) and tokens[place + 1].text in (".", "of") else place + 1
        by = [near for near in (last, following) if has(near, "CALENDAR")]
        if by and all(tokens[near].text in names for near in by):
            found[place] = msgspec.structs.replace(token, doubtful=True)
        elif (
            by or (has(last, "ROUND") and tokens[place - 1].text != ",") or has(place + 1, "MEASURE") or _is_year(token)
        ):
            found[place] = msgspec.structs.replace(token, kind="other")
    return tuple(found)


def _is_year(token: Token) -> bool:
    return token.kind == "number" and 1900 <= token.value <= 2100
