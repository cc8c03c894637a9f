"""The words of expressions: what each stands for, of what kind it is, and whether a line uses them rightly."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec
from rapidfuzz import fuzz, process

from pbem.ruleset import phrases
from pbem.rulesets.rumble.powers.language.expressions import (
    COMPARISONS,
    Call,
    Expression,
    Join,
    Name,
    Not,
    Number,
    Quoted,
    Where,
    is_variable,
)

Kind: TypeAlias = Literal[
    "number", "test", "hero", "heroes", "power", "attack", "use", "span", "key", "text", "anybody", "whose"
]
"""What an expression stands for; `key` is a quantity of one hero, named without its brackets."""

SAID: Mapping[Kind, str] = {
    "number": "a number",
    "test": "a test",
    "hero": "a hero",
    "heroes": "heroes",
    "power": "a power",
    "attack": "an Attack",
    "use": "the use of a power",
    "span": "this_round, last_round or game",
    "key": "a quantity of one hero, such as energy",
    "text": "a name in quotes",
    "anybody": "a hero, or any",
    "whose": "a hero, or heroes such as opponents",
}
"""How complaints and the manual name the kinds."""


class Noun(msgspec.Struct, frozen=True):
    """A word of the language: its kind, the kinds of what stands in its brackets, and what it means."""

    kind: Kind
    says: str
    of: tuple[Kind, ...] = ()
    more: tuple[Kind, ...] = ()
    """What may stand in the brackets besides."""


NOUNS: Mapping[str, Noun] = {
    "X": Noun("number", "what you spend on this use, where its cost is X"),
    "amount": Noun("number", "the damage that is looked at, before this ability"),
    "round": Noun("number", "the number of the round"),
    "ties": Noun("number", "how many heroes share the first place in most(...) or least(...)"),
    "bids": Noun("number", "the winning bids on all powers, together (C11)"),
    "energy": Noun("number", "the Energy that a hero has at that moment, Burns taken off (A11)", ("hero",)),
    "attack": Noun(
        "number", "what a hero's Attacks are worth, all or on one hero, as powers changed them (C18)",
        ("anybody",), ("anybody",),
    ),
    "defence": Noun("number", "what a hero's Defence is worth, as powers changed it (C18)", ("hero",)),
    "allocated_attack": Noun(
        "number", "the Energy that a hero put into Attacks, all or on one hero (C18)", ("hero",), ("hero",)
    ),
    "allocated_defence": Noun("number", "the Energy that a hero put into Defence (C18)", ("hero",)),
    "strength": Noun("number", "the Power Strength of a power: its winning bid (R19, C8)", ("power",)),
    "powers": Noun("number", "how many powers a hero has", ("hero",)),
    "dealt": Noun("number", "the damage that heroes dealt to heroes", ("heroes", "heroes", "span")),
    "lost": Noun("number", "the Energy that a hero lost, gains not counted against it", ("hero", "span")),
    "spent": Noun("number", "the Energy that you really spent on a power", ("power", "span")),
    "uses": Noun("number", "how many other powers a hero used this round", ("hero",)),
    "rank": Noun("number", "a hero's place by a quantity: 1 for the greatest, equals share a place", ("key", "hero")),
    "count": Noun("number", "how many heroes", ("heroes",)),
    "floor": Noun("number", "a number, halves rounded down", ("number",)),
    "ceil": Noun("number", "a number, halves rounded up", ("number",)),
    "min": Noun("number", "the smaller of two numbers", ("number", "number")),
    "max": Noun("number", "the greater of two numbers", ("number", "number")),
    "attacked": Noun("test", "whether a hero attacked a hero, or any", ("anybody", "anybody", "span")),
    "has": Noun("test", "whether a hero has the power of that name", ("hero", "text")),
    "alive": Noun("test", "whether a hero is still in", ("hero",)),
    "me": Noun("hero", "the hero who has this power"),
    "source": Noun("hero", "who deals the damage, or attacks"),
    "victim": Noun("hero", "who is hit by the damage"),
    "any": Noun("anybody", "each hero, whoever it is"),
    "all": Noun("heroes", "every hero that is still in, you too"),
    "others": Noun("heroes", "every hero but you"),
    "players": Noun("heroes", "every hero, but a Sidekick only where the house says so (A17)"),
    "opponents": Noun("heroes", "every hero but you and those whom you control (A17)"),
    "attackers": Noun("heroes", "whoever attacked a hero", ("hero", "span")),
    "targets": Noun("heroes", "whom a hero attacked this round", ("hero",)),
    "most": Noun("heroes", "those of a set with the most of a quantity", ("key", "heroes")),
    "least": Noun("heroes", "those of a set with the least of a quantity", ("key", "heroes")),
    "this": Noun("power", "the power itself"),
    "this_round": Noun("span", "the round that is played"),
    "last_round": Noun("span", "the round before it"),
    "game": Noun("span", "the whole game"),
}  # fmt: skip

Known: TypeAlias = Mapping[str, Kind]
"""The kinds of the names that a power gives to something."""

_FITS: Mapping[Kind, tuple[Kind, ...]] = {
    "number": ("number", "attack"),
    "heroes": ("heroes", "hero"),
    "anybody": ("anybody", "hero"),
    "whose": ("heroes", "hero"),
}


def check(of: Expression, wanted: Kind, known: Known) -> str:
    """Return "" where an expression is of a kind, else a sentence that says what it is and what would fit."""
    if wanted == "key":
        return _check_key(of)
    found = kind(of, known)
    if isinstance(found, phrases.Unread):
        return found.because
    if found in _FITS.get(wanted, (wanted,)):
        return ""
    return f"I expected {SAID[wanted]} and saw {SAID[found]}."


def kind(of: Expression, known: Known) -> Kind | phrases.Unread:
    """Return what an expression stands for. Errors: `illegal`, with what would fit."""
    match of:
        case Number():
            return "number"
        case Quoted():
            return "text"
        case Name(word):
            return _of_name(word, known)
        case Call(word, parts):
            return _of_call(word, parts, known)
        case Not(inner):
            return _all_of("test", known, (inner, "test"))
        case Where(among, test):
            return _all_of("heroes", {**known, "it": "hero"}, (among, "heroes"), (test, "test"))
        case Join(sign, left, right):
            return _of_join(sign, left, right, known)


def _illegal(because: str) -> phrases.Unread:
    return phrases.Unread("illegal", because)


def _all_of(result: Kind, known: Known, *parts: tuple[Expression, Kind]) -> Kind | phrases.Unread:
    for part, wanted in parts:
        if wrong := check(part, wanted, known):
            return _illegal(wrong)
    return result


def _of_name(word: str, known: Known) -> Kind | phrases.Unread:
    if word in known:
        return known[word]
    if is_variable(word):
        return _illegal(f"{word} stands for nothing yet: no line says what it is.")
    noun = NOUNS.get(word)
    if noun is None:
        return _illegal(f"There is no {word} here. {_like(word)}")
    if noun.of:
        return _illegal(f"Say of what: {shape(word)}")
    return noun.kind


def _like(word: str) -> str:
    close = process.extractOne(word, tuple(NOUNS), scorer=fuzz.ratio, score_cutoff=70)
    if close:
        return f"Did you mean {shape(close[0])}?"
    return f"Known: {', '.join(shape(name) for name in NOUNS)}."


def shape(word: str) -> str:
    """Write a word with what stands in its brackets, such as `lost(HERO, SPAN)`."""
    noun = NOUNS[word]
    if not noun.of:
        return word
    parts = [one.upper() for one in noun.of] + [f"[{one.upper()}]" for one in noun.more]
    return f"{word}({', '.join(parts)})"


def _of_call(word: str, parts: tuple[Expression, ...], known: Known) -> Kind | phrases.Unread:
    noun = NOUNS.get(word)
    if noun is None or not noun.of:
        return _illegal(f"There is no {word}(...) here. {_like(word)}")
    wanted = noun.of + noun.more
    if not len(noun.of) <= len(parts) <= len(wanted):
        return _illegal(f"It is {shape(word)}.")
    return _all_of(noun.kind, known, *zip(parts, wanted, strict=False))


def _of_join(sign: str, left: Expression, right: Expression, known: Known) -> Kind | phrases.Unread:
    if sign in ("and", "or"):
        return _all_of("test", known, (left, "test"), (right, "test"))
    if sign in ("==", "!="):
        first = kind(left, known)
        if first in ("hero", "power"):
            return _all_of("test", known, (right, first))
    result: Kind = "test" if sign in COMPARISONS else "number"
    return _all_of(result, known, (left, "number"), (right, "number"))


def _check_key(of: Expression) -> str:
    keys = [word for word, noun in NOUNS.items() if noun.kind == "number" and noun.of[:1] in (("hero",), ("anybody",))]
    keys = [word for word in keys if len(NOUNS[word].of) == 1]
    if isinstance(of, Name) and of.word in keys:
        return ""
    return f"Name a quantity of one hero, without brackets: {phrases.listed(keys)}."
