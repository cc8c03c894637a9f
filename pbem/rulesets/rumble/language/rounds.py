"""What may be written in a round: the tables, whom and what it can name, and the order that it means. Rule: R5."""

import re
from collections.abc import Mapping

import msgspec

from pbem.ruleset import ENGLISH, Language, Names, Noun, Reason, Stranger, one_word_names
from pbem.rulesets.rumble.genres import genre_of
from pbem.rulesets.rumble.language.gist import gist_of
from pbem.rulesets.rumble.language.meanings import Meanings
from pbem.rulesets.rumble.language.nouns import NUMBERS, Caption, Ex, Text, Times, Title, Titles
from pbem.rulesets.rumble.language.parts import NEVER_WRITTEN, parts_of
from pbem.rulesets.rumble.language.words import JOINING, SHAPES, SHORTEST_CALL, words_of
from pbem.rulesets.rumble.model.names import written
from pbem.rulesets.rumble.model.state import State

_GIVING = re.compile(r"\b(?:gives?|gifts?|gain|gains|lend|heals?|transfers?)\b", re.IGNORECASE)
"""What the texts of powers say by which one may give something to others."""
SAMPLES = {
    "number": "20", "foe": "NAME", "hero": "NAME", "anybody": "NAME", "named": "NAME", "power": "POWER",
    "powers": "POWER", "text": "...", "title": "Mantisman", "caption": "KRAK", "times": "x2", "ex": "X=20",
    "mine": "NAME", "owned": "POWER", "prepared": "POWER", "titled": "POWER",
}  # fmt: skip
"""What examples have in a slot."""
RULES = {
    "number": "A2", "amount": "A2", "foe": "R6", "hero": "R6", "attack": "R6", "power": "R12", "powers": "R12",
    "use": "R12", "order": "R12", "hold": "R16", "plan": "R16", "block": "R9", "points": "R9", "discard": "B6",
    "confirm": "A9", "guard": "A28", "test": "A28", "captions": "C31", "command": "N11", "mine": "N11",
}  # fmt: skip
"""The rules that are cited for what could not be read."""


def _words_of_talk(heroes: Mapping[str, str]) -> frozenset[str]:
    """Return the words of talk that are none of a name, though one may begin so: `cut 10` strikes no Cuttlefish."""
    return ENGLISH - {word for name in heroes.values() for word in name.casefold().split()}


def language(state: State, seat: str) -> Language:
    """Return what a seat may write in a round as the game stands."""
    heroes = {str(hero.seat): hero.name for hero in state.heroes}
    living = frozenset(str(hero.seat) for hero in state.living)
    every = {power.key: power.name for power in state.powers}
    powers = {power.key: power.name for power in state.powers if power.in_play and power.owner}
    own = {power.key: power.name for power in state.owned(seat)}
    called = {key: written(key, heroes) for key in heroes} | {key: written(key, every) for key in every}
    nouns: dict[str, Noun] = {
        "number": NUMBERS,
        "times": Times(),
        "ex": Ex(),
        "foe": Names(heroes, called, rather=living, thing="hero"),
        "called": Names(
            heroes, called, least=SHORTEST_CALL, rather=living - {seat}, thing="hero", never=_words_of_talk(heroes)
        ),
        "hero": Names(heroes, called, thing="hero"),
        "mine": Names({str(hero.seat): hero.name for hero in state.sidekicks(seat)}, thing="Sidekick of yours"),
        "power": Names(every, called, rather=frozenset(own), thing="power"),
        "prepared": Names(every, called, least=SHORTEST_CALL, rather=frozenset(own), thing="power"),
        "owned": Names(own, called, least=SHORTEST_CALL, thing="power"),
        "titled": Titles(own, called, least=SHORTEST_CALL, thing="power"),
        "powers": Names(powers, called, thing="power"),
        "text": Text(),
        "title": Title(),
        "caption": Caption(),
    }
    gives = any(_GIVING.search(power.text) for power in state.owned(seat))
    genre = genre_of(state.house)
    words = words_of(genre, gives=gives)
    found = Language(
        words=words,
        shapes=SHAPES,
        nouns=nouns,
        acts=Meanings(state, seat).all(),
        parts=parts_of(state),
        names=one_word_names(frozenset((*called.values(), *heroes.values(), *every.values())), words, SHAPES),
        samples=SAMPLES,
        unshown=NEVER_WRITTEN,
        rules=RULES,
        joining=JOINING,
        things=frozenset(("hero", "power")),
    )
    found = msgspec.structs.replace(found, gist=gist_of(found, state, seat, genre))
    nouns |= {
        "stranger": Stranger(lambda: found.known),
        "reason": Reason(lambda: found),
    }
    return found
