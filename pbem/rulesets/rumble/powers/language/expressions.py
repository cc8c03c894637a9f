"""Expressions of the power language: numbers, heroes, sets and tests as a tree; read, written, never run as Python."""

from __future__ import annotations

import re
from typing import TypeAlias

import msgspec

from pbem.ruleset import phrases
from pbem.rulesets.rumble.powers.spelling import spelled

DEEPEST = 12
"""How many brackets may stand inside each other."""
LONGEST = 120
"""Words, numbers and signs in one line."""


class Number(msgspec.Struct, frozen=True, tag="number"):
    """A whole number."""

    value: int


class Quoted(msgspec.Struct, frozen=True, tag="quoted"):
    """A name or a question in quotes."""

    text: str


class Name(msgspec.Struct, frozen=True, tag="name"):
    """A word that stands for a number, a hero, a set, a power or a span of time."""

    word: str


class Call(msgspec.Struct, frozen=True, tag="call"):
    """A quantity of something, such as `energy(me)`."""

    word: str
    of: tuple[Expression, ...]


class Join(msgspec.Struct, frozen=True, tag="join"):
    """Two expressions and what joins them: `+ - * /`, a comparison, `and`, `or`."""

    sign: str
    left: Expression
    right: Expression


class Not(msgspec.Struct, frozen=True, tag="not"):
    """The contrary of a test."""

    of: Expression


class Where(msgspec.Struct, frozen=True, tag="where"):
    """Those of a set for whom a test holds; in the test, `it` is the one that is looked at."""

    among: Expression
    test: Expression


Expression: TypeAlias = Number | Quoted | Name | Call | Join | Not | Where

COMPARISONS = ("==", "!=", ">=", "<=", ">", "<")
_LEVELS = (("or",), ("and",), COMPARISONS, ("+", "-"), ("*", "/"))
_NOT, _COMPARED, _SUM = 2, 2, 3
_TOKEN = re.compile(
    r'\s*(?:(?P<word>[A-Za-z][A-Za-z_]*[0-9]?)(?P<of>\()?|(?P<number>[0-9]+)|"(?P<quoted>[^"\n]*)"'
    r"|(?P<sign>>=|<=|==|!=|\+=|-=|\*=|/=|[-+*/=<>(),.:])|(?P<other>\S))"
)


class Token(msgspec.Struct, frozen=True):
    """A word, a number, a quoted text or a sign; `of` says that a bracket touches the word."""

    kind: str
    text: str
    of: bool = False


def tokens(text: str) -> tuple[Token, ...] | phrases.Unread:
    """Part a line into its tokens. Errors: `unreadable` for a character that stands for nothing."""
    found: list[Token] = []
    for match in _TOKEN.finditer(text.rstrip()):
        kind = "word" if match["word"] else str(match.lastgroup)
        if kind == "other":
            return phrases.Unread("unreadable", f'"{match[kind]}" means nothing here.')
        said = spelled(match[kind]) if kind == "word" else match[kind]
        found.append(Token(kind, said, of=match["of"] is not None))
        if match["of"]:
            found.append(Token("sign", "("))
        if len(found) > LONGEST:
            return phrases.Unread("unreadable", f"A line has at most {LONGEST} words and signs. Part it in two.")
    return tuple(found)


class Reader:
    """A cursor over the tokens of one line: a reader takes what fits and leaves the rest."""

    def __init__(self, line: tuple[Token, ...]) -> None:
        """Begin at the first token."""
        self._line = line
        self.place = 0

    def next(self, ahead: int = 0) -> Token:
        """Look at a token without taking it; behind the last there is an empty one."""
        place = self.place + ahead
        return self._line[place] if place < len(self._line) else Token("end", "")

    def take(self, *words: str) -> str:
        """Take the next token if it is one of these words or signs; return it, or ""."""
        token = self.next()
        said = token.text.lower() if token.kind == "word" else token.text
        if token.kind in ("word", "sign") and said in words:
            self.place += 1
            return said
        return ""

    def step(self) -> Token:
        """Take the next token, whatever it is."""
        token = self.next()
        self.place += 1
        return token

    def rest(self) -> str:
        """Return what comes next, to the end of the line."""
        return " ".join(token.text for token in self._line[self.place :])

    def quoted(self) -> str:
        """Quote the token that comes next."""
        token = self.next()
        return "the end of the line" if token.kind == "end" else f'"{token.text}"'


class _StuckError(Exception):
    """What comes next is no expression."""


def read(reader: Reader, what: str = "") -> Expression | phrases.Unread:
    """
    Read an expression as far as it goes; what follows it is left to the caller.

    Shape: a `test` may hold comparisons, `and`, `or`, `not`, and `heroes` a where; all else is a sum, or one word.
    Errors: `unreadable` with what stood where an expression had to go on.
    """
    try:
        if what == "heroes":
            return _where(reader, 0, _SUM)
        return _joined(reader, 0 if what == "test" else _SUM, 0)
    except _StuckError as stuck:
        return phrases.Unread("unreadable", str(stuck))


def _where(reader: Reader, depth: int, level: int = 0) -> Expression:
    found = _joined(reader, level, depth)
    while reader.take("where"):
        found = Where(found, _joined(reader, 0, depth))
    return found


def _joined(reader: Reader, level: int, depth: int) -> Expression:
    if level == len(_LEVELS):
        return _single(reader, depth)
    if level == _NOT and reader.take("not"):
        return Not(_joined(reader, level, depth))
    left = _joined(reader, level + 1, depth)
    while sign := reader.take(*_LEVELS[level]):
        left = Join(sign, left, _joined(reader, level + 1, depth))
        if level == _COMPARED:
            break
    return left


def _single(reader: Reader, depth: int) -> Expression:
    if depth > DEEPEST:
        raise _StuckError(f"More than {DEEPEST} brackets stand inside each other.")
    token = reader.next()
    if token.kind == "number":
        number = phrases.number(reader.step().text)
        if isinstance(number, phrases.Unread):
            raise _StuckError(number.because)
        return Number(number)
    if token.kind == "quoted":
        return Quoted(reader.step().text)
    if token.kind == "word" and token.text.lower() not in _KEPT:
        return _word(reader, depth)
    if reader.take("("):
        found = _where(reader, depth + 1)
        if not reader.take(")"):
            raise _StuckError(f"I expected ) and saw {reader.quoted()}.")
        return found
    raise _StuckError(f"I expected a number, a hero or a quantity, and saw {reader.quoted()}.")


_KEPT = ("and", "or", "not", "where", "if")


def _word(reader: Reader, depth: int) -> Expression:
    token = reader.step()
    word = spelt(token.text)
    if not token.of:
        return Name(word)
    reader.step()
    parts: list[Expression] = []
    while not reader.take(")"):
        parts.append(_where(reader, depth + 1))
        if not reader.take(",") and reader.next().text != ")":
            raise _StuckError(f"I expected , or ) and saw {reader.quoted()}.")
    return Call(word, tuple(parts))


def is_variable(word: str) -> bool:
    """Say whether a word is a name that a power gives to something: a capital letter, perhaps with a digit."""
    return re.fullmatch(r"[A-WYZ][0-9]?", word) is not None


def spelt(word: str) -> str:
    """Write a word as the language does: X and names of one capital letter stay, all else is small."""
    return word if is_variable(word) or word == "X" else word.lower()


def write(of: Expression, level: int = 0) -> str:
    """Write an expression so that `read` gives the same again; brackets only where they are needed."""
    match of:
        case Number(value):
            return str(value)
        case Quoted(text):
            return f'"{text}"'
        case Name(word):
            return word
        case Call(word, parts):
            return f"{word}({', '.join(write(part) for part in parts)})"
        case Not(inner):
            return _bracketed(f"not {write(inner, _NOT)}", level > _NOT)
        case Where(among, test):
            return _bracketed(f"{write(among, _SUM)} where {write(test)}", level > 0)
        case Join(sign, left, right):
            own = next(place for place, signs in enumerate(_LEVELS) if sign in signs)
            first = write(left, own + (own == _COMPARED))
            return _bracketed(f"{first} {sign} {write(right, own + 1)}", level > own)


def _bracketed(text: str, yes: bool) -> str:
    return f"({text})" if yes else text
