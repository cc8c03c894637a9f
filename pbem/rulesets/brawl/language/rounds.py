"""What may be written in a round: the tables, whom and what it can name, and the order that it means. Rule: M1, M2."""

from pbem.ruleset import Language, Names, Noun, Numbers
from pbem.rulesets.brawl.language.meanings import acts_of
from pbem.rulesets.brawl.language.nouns import Fighters, Somebody, Whose, dice_nouns
from pbem.rulesets.brawl.language.parts import PARTS
from pbem.rulesets.brawl.language.words import SHAPES, WORDS
from pbem.rulesets.brawl.state import State
from pbem.rulesets.brawl.words import written

SHORTEST_CALL = 2
"""The letters that somebody is called by where no word says that they are attacked."""


def language(state: State, seat: str) -> Language:
    """Return what a seat may write in a round as it stands, or in answer to a question in its middle."""
    names = {str(key): name for key, name in state.names.items()}
    said = {key: written(state, key) for key in names}
    others = frozenset(str(one.seat) for one in state.fighters if one.seat != seat and not one.gone)
    foes = Names(names, said, rather=others)
    nouns: dict[str, Noun] = {
        **dice_nouns(frozenset(die.letter for die in state.fighter(seat).dice)),
        "number": Numbers(),
        "nth": Numbers(1, 2),
        "foe": Fighters(foes, seat),
        "whose": Whose(foes),
        "fellow": Fighters(Names(names, said, least=SHORTEST_CALL, rather=others)),
        "hero": Fighters(Names(names, said)),
        "somebody": Somebody(),
    }
    return Language(
        words=WORDS,
        shapes=SHAPES,
        nouns=nouns,
        acts=acts_of(state, seat),
        parts=PARTS,
        names=frozenset(names.values()),
    )
