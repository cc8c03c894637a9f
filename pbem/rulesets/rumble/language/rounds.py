"""What may be written in a round: the tables, whom and what it can name, and the order that it means. Rule: R5."""

from pbem.ruleset import Language, Names, Noun
from pbem.rulesets.rumble.genres import genre_of
from pbem.rulesets.rumble.language.meanings import Meanings
from pbem.rulesets.rumble.language.nouns import NUMBERS, Caption, Ex, Text, Times
from pbem.rulesets.rumble.language.parts import parts_of
from pbem.rulesets.rumble.language.words import SHAPES, words_of
from pbem.rulesets.rumble.model.names import written
from pbem.rulesets.rumble.model.state import State

SHORTEST_CALL = 3
"""The letters that somebody is called by where no word says that they are attacked."""


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
        "foe": Names(heroes, called, rather=living),
        "called": Names(heroes, called, least=SHORTEST_CALL, rather=living - {seat}),
        "hero": Names(heroes, called),
        "power": Names(every, called, rather=frozenset(own)),
        "powers": Names(powers, called),
        "text": Text(),
        "caption": Caption(),
    }
    return Language(
        words=words_of(genre_of(state.house)),
        shapes=SHAPES,
        nouns=nouns,
        acts=Meanings(state, seat).all(),
        parts=parts_of(state),
        names=frozenset({*heroes.values(), *(power.name for power in state.powers)}),
    )
