"""A small game to read orders of: boats that throw fish at one another, dive, and anchor."""

from typing import TypeAlias

import msgspec

from pbem.language.gist import coarse
from pbem.language.nouns import Names, Numbers
from pbem.language.parses import Elided, Language, Noun
from pbem.language.shapes import Shapes
from pbem.language.weighing import WORDS as GIST_WORDS
from pbem.language.words import WordClasses

WORDS = """
THROW throw hurl lob go_for
ON at on against
DIVE dive go_under
ANCHOR anchor stay moor
NOBODY nobody no_one none
FISH fish fishes
ALSO also
IF if when in_case
SEP , ; and then plus
EACH each apiece
I i
WILL will would shall
ALL everyone everybody all
BUT but except
LET let's let_us
"""
SHAPES = """
sentence: <acts>
sentence.if: IF test:test (, | : | then) {, | : | then} then:acts
loose: first:order {more:order}
clause: <acts>
acts.all: first:order {SEP {SEP} more:order}
acts.first: first:order {SEP {SEP} rest:elided}
acts.alone: v:elided
acts.none: THROW NOBODY
acts.none: THROW FISH ON NOBODY
order.throw: THROW amount:number [FISH] ON on:boat
order.throw: <mine> THROW amount:number [FISH] ON on:boat
order.throw: [<mine>] THROW [ON] on:boat [with] amount:number [FISH]
order.throw: [<mine>] amount:number [FISH] ON on:boat
order.dive: DIVE [depth:number]
order.anchor: ANCHOR
order.anchor: <mine> ANCHOR
elided: on:boat [with | :] amount:number
mine: I [WILL]
test.dives: boat:boat ( dives | DIVE )
"""


COARSE_SHAPES = """
gist.acts: more:part {SEP more:part}
loose_gist.acts: more:part {more:part}
part.throw: THROW amount:number on:boat
part.throw: THROW on:boat amount:number
part.throw: amount:number on:boat
"""


class Throw(msgspec.Struct, frozen=True):
    """So many fish at a boat."""

    on: str
    amount: int


class Dive(msgspec.Struct, frozen=True):
    """A boat that goes under, as deep as it says."""

    depth: int = 1


class Anchor(msgspec.Struct, frozen=True):
    """A boat that stays."""


class Dives(msgspec.Struct, frozen=True):
    """Whether a boat dives."""

    boat: str


class If(msgspec.Struct, frozen=True):
    """Orders that hang on what a boat does."""

    test: Dives
    then: tuple["Act", ...]


Act: TypeAlias = Throw | Dive | Anchor | If | Elided


def language(names: dict[str, str]) -> Language:
    """Return what may be written where these boats are at sea, by their keys."""
    boats = Names(names)
    words = WordClasses(WORDS)
    shapes = Shapes(SHAPES)
    nouns: dict[str, Noun] = {"number": Numbers(most=99), "boat": boats}
    shapes.check(words, nouns)
    found = Language(
        words=words,
        shapes=shapes,
        nouns=nouns,
        names=frozenset(names.values()),
        acts={
            "throw": Throw,
            "dive": lambda depth=1: Dive(depth),
            "anchor": Anchor,
            "dives": Dives,
            "if": lambda test, then: (If(test, then),),
            "all": lambda first, more: (first, *more),
            "loose": lambda first, more: (first, *more),
            "first": lambda first, rest: (first, *rest) if rest else None,
            "alone": lambda v: (v,),
            "elided": lambda on, amount: Elided(Throw(on, amount)),
            "none": tuple,
        },
        parts={"dive": lambda dive: {"depth": dive.depth} if isinstance(dive, Dive) else None},
    )
    return msgspec.structs.replace(found, gist=_gist_of(found))


def _gist_of(found: Language) -> Language:
    """Return the coarse language: who is thrown at, and how much."""
    acts = {**found.acts, "acts": lambda more: more}
    return coarse(found, GIST_WORDS | WordClasses("THROW throw hurl lob"), Shapes(COARSE_SHAPES), found.nouns, acts)


SEA = {"al": "Albatross", "may": "May", "bo": "Black Oyster", "bb": "Blue Bell", "a47": "Agent 47"}
