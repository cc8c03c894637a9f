"""Forms: how a line of the power language looks, said once; lines are read, written and explained by them."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any, ClassVar, TypeVar

import msgspec

from pbem.ruleset import phrases
from pbem.rulesets.rumble.powers.language import expressions
from pbem.rulesets.rumble.powers.language.expressions import Expression, Join, Name, Number, Reader, is_variable
from pbem.rulesets.rumble.powers.language.nouns import SAID, Kind

MOST = 1000
"""The greatest number of times or rounds that a line may name."""


class Formed(msgspec.Struct, frozen=True, kw_only=True):
    """
    Part of a line, whose look is its FORM.

    Shape: in a FORM, {amount:number} is a blank for the field `amount` and what stands there; {sign:+=|-=} one of
    those words; what is in [] may be left out, and sets the field of its name where it has no blank of its own.
    """

    FORM: ClassVar[str]


class Word(msgspec.Struct, frozen=True):
    """A word or sign that stands there as it is."""

    text: str


class Blank(msgspec.Struct, frozen=True):
    """A place for a field: for an expression of a kind, a new name, a count, or one of some words."""

    field: str
    what: str

    @property
    def words(self) -> tuple[str, ...]:
        """Return the words of which one stands there, if it is such a blank."""
        return tuple(self.what.split("|")) if "|" in self.what else ()


class Part(msgspec.Struct, frozen=True):
    """What stands together in a form; `perhaps` says that it may be left out, `field` is what it sets if it is not."""

    pieces: tuple[Word | Blank, ...]
    perhaps: bool = False
    field: str = ""

    @property
    def fields(self) -> tuple[str, ...]:
        """Return the fields that are filled where it stands."""
        return (self.field,) if self.field else tuple(one.field for one in self.pieces if isinstance(one, Blank))


F = TypeVar("F", bound=Formed)


class Stuck(msgspec.Struct, frozen=True):
    """How far a form could be read, what it lacked there, and which forms could be read as far."""

    place: int
    because: str
    near: tuple[type[Formed], ...]


TIMES, DIVIDED = "*=", "/="
"""A value is divided as a moderator's effects are, too: /= 2 is read, and written, as *= 1 / 2."""


@cache
def form(text: str) -> tuple[Part, ...]:
    """Take a FORM apart."""
    parts: list[Part] = []
    for match in re.finditer(r"\[(.*?)\](?!\})|(\S+)", text):
        pieces = _pieces(match[1] or match[2])
        bare = match[1] and not any(isinstance(piece, Blank) for piece in pieces)
        parts.append(Part(pieces, match[1] is not None, match[1].replace(" ", "_") if bare else ""))
    return tuple(parts)


def _pieces(text: str) -> tuple[Word | Blank, ...]:
    pieces = re.finditer(r"\{(\w+):([^}]+)\}|([A-Za-z]+|[<>=!+*-]?=|[(),]|\S)", text)
    return tuple(Blank(match[1], match[2]) if match[1] else Word(match[3]) for match in pieces)


def read(reader: Reader, kinds: Iterable[type[F]]) -> F | Stuck:
    """Read what comes next by the first form that fits; else say what lacked in the one that went furthest."""
    start = reader.place
    stuck: list[Stuck] = []
    for kind in kinds:
        reader.place = start
        found = _read(reader, kind)
        if not isinstance(found, Stuck):
            return found
        stuck.append(found)
    reader.place = start
    best = max(stuck, key=lambda one: one.place)
    near = tuple(kind for one in stuck if one.place == best.place for kind in one.near)
    return Stuck(best.place, best.because, near)


def _read(reader: Reader, kind: type[F]) -> F | Stuck:
    fields: dict[str, Any] = {}
    for part in form(kind.FORM):
        if part.perhaps and not _begins(reader, part.pieces[0]):
            continue
        if part.field:
            fields[part.field] = True
        for piece in part.pieces:
            if wrong := _piece(reader, piece, fields, perhaps=part.perhaps):
                return Stuck(reader.place, wrong, (kind,))
    if fields.get("sign") == DIVIDED:
        fields |= {"sign": TIMES, "amount": Join("/", Number(1), fields["amount"])}
    return kind(**fields)


def _begins(reader: Reader, part: Word | Blank) -> bool:
    """Say whether what may be left out stands here."""
    words = part.words if isinstance(part, Blank) else (part.text,)
    before = reader.place
    taken = reader.take(*words)
    reader.place = before
    return bool(taken)


def _piece(reader: Reader, piece: Word | Blank, fields: dict[str, Any], *, perhaps: bool) -> str:
    if isinstance(piece, Word):
        return "" if reader.take(piece.text) else f"I expected {piece.text} and saw {reader.quoted()}."
    said = _filled(reader, piece)
    if isinstance(said, phrases.Unread):
        return said.because
    if piece.what == "party" and piece.field == "to" and perhaps and said == Name("any"):
        return ""  # as good as not said, and written so
    fields[piece.field] = said
    return ""


def _filled(reader: Reader, blank: Blank) -> Any | phrases.Unread:
    saw = reader.quoted()
    if TIMES in blank.words and reader.take(DIVIDED):
        return DIVIDED
    if blank.words:
        return reader.take(*blank.words) or _unread(f"I expected {phrases.listed(blank.words)} and saw {saw}.")
    match blank.what:
        case "new":
            word = reader.step().text
            return word if is_variable(word) else _unread(f"I expected a name of one capital letter and saw {saw}.")
        case "count":
            read = expressions.read(reader)
            fits = isinstance(read, Number) and 1 <= read.value <= MOST
            return read.value if isinstance(read, Number) and fits else _unread(f"I expected 1 to {MOST}, saw {saw}.")
        case "party":
            return _party(reader)
        case "most" if reader.take("all"):
            return None
    return expressions.read(reader, blank.what)


def _party(reader: Reader) -> Expression | phrases.Unread:
    """Read who takes part in something that happens: a hero, a set, any, or `H in SET`."""
    found = expressions.read(reader, "heroes")
    if isinstance(found, Name) and is_variable(found.word) and reader.take("in"):
        among = expressions.read(reader, "heroes")
        return among if isinstance(among, phrases.Unread) else Join("in", found, among)
    return found


def _unread(because: str) -> phrases.Unread:
    return phrases.Unread("unreadable", because)


def write(one: Formed) -> str:
    """Write a part of a line by its form."""
    parts = [
        part
        for part in form(one.FORM)
        if not part.perhaps or all(getattr(one, field) not in (None, False, "") for field in part.fields)
    ]
    return _spaced(_written(one, piece) for part in parts for piece in part.pieces)


def _written(one: Formed, piece: Word | Blank) -> str:
    if isinstance(piece, Word):
        return piece.text
    value = getattr(one, piece.field)
    if value is None:
        return "all"
    if isinstance(value, Join) and value.sign == "in":
        return f"{expressions.write(value.left)} in {expressions.write(value.right)}"
    return str(value) if isinstance(value, str | int) else expressions.write(value)


def _spaced(words: Iterable[str]) -> str:
    return re.sub(r"(?<=\() | (?=[),])|(?<=attack) (?=\()|(?<=defence) (?=\()|(?<=energy) (?=\()|(?<=costs) (?=\()", "",
                  " ".join(words))  # fmt: skip


def spelled_out(kind: type[Formed]) -> str:
    """Write a form for people: blanks in capitals, what may be left out in brackets."""
    parts = [(part, _spaced(map(_named, part.pieces))) for part in form(kind.FORM)]
    return _spaced(f"[{said}]" if part.perhaps else said for part, said in parts)


def _named(piece: Word | Blank) -> str:
    if isinstance(piece, Word):
        return piece.text
    if piece.words:
        return "|".join(piece.words)
    names = {"new": "NAME", "count": "NUMBER", "party": "HEROES", "most": "NUMBER|all"}
    return names.get(piece.what, piece.what.upper())


def blanks(one: Formed) -> list[tuple[Blank, Any]]:
    """Return the blanks of a part that are filled, each with what stands there."""
    pieces = [piece for part in form(one.FORM) for piece in part.pieces]
    filled = [(piece, getattr(one, piece.field)) for piece in pieces if isinstance(piece, Blank)]
    return [(blank, value) for blank, value in filled if value is not None]


KINDS: frozenset[str] = frozenset(SAID)
"""What a blank may hold that is an expression with a kind."""


def kind_of(blank: Blank) -> Kind | None:
    """Return the kind of expression that a blank holds, or None where it holds something else."""
    if blank.what == "most":
        return "number"
    return blank.what if blank.what in KINDS else None  # type: ignore[return-value]
