"""What may be written in a round: the tables, whom and what it can name, and the order that it means. Rule: M1, M2."""

import msgspec

from pbem.ruleset import Language, Names, Noun, Numbers, Stranger, Whose, one_word_names
from pbem.rulesets.brawl.language.gist import gist_of
from pbem.rulesets.brawl.language.meanings import acts_of
from pbem.rulesets.brawl.language.nouns import Fighters, dice_nouns
from pbem.rulesets.brawl.language.parts import PARTS
from pbem.rulesets.brawl.language.words import SHAPES, WORDS
from pbem.rulesets.brawl.state import State
from pbem.rulesets.brawl.words import pool, written

SHORTEST_CALL = 2
"""The letters that somebody is called by where no word says that they are attacked."""


SAMPLES = {
    "number": "20", "nth": "1", "foe": "NAME", "hero": "NAME", "fellow": "NAME", "whose": "NAME's", "die": "a",
    "own_die": "a", "leading": "b", "face": "six", "what": "advantage", "dice": "a", "hurt": "damage b",
    "strike": "attack NAME with a", "aimed": "attack NAME with a", "called": "NAME with a",
}  # fmt: skip
"""What examples have in a slot."""
RULES = {
    "attack": "K9", "struck": "K9", "defend": "K7", "delay": "K13", "drop": "K7", "deed": "K7", "dropped": "K7",
    "counter": "K14", "bind": "K20", "coop": "K18", "gift": "K18", "given": "K18", "die": "K4", "dice": "K4",
    "foe": "K9", "hero": "K9", "guard": "M2", "test": "M2",
}  # fmt: skip
"""The rules that are cited for what could not be read."""
UNSHOWN = frozenset(
    (
        "lame", "only", "deed", "words", "whole", "dangling", "twice", "torn", "own", "elided", "thing", "strike",
        "torn_guard", "faces",
    )
)  # fmt: skip
"""The acts that are no examples."""


def language(state: State, seat: str) -> Language:
    """Return what a seat may write in a round as it stands, or in answer to a question in its middle."""
    fighter = state.fighter(seat)
    names = {str(key): name for key, name in state.names.items()}
    said = {key: written(state, key) for key in names}
    others = frozenset(str(one.seat) for one in state.fighters if one.seat != seat and not one.gone)
    foes = Names(names, said, rather=others, thing="fighter")
    nouns: dict[str, Noun] = {
        **dice_nouns(frozenset(die.letter for die in fighter.dice), pool(fighter)),
        "number": Numbers(),
        "nth": Numbers(1, 2),
        "foe": Fighters(foes, seat),
        "whose": Whose(foes),
        "fellow": Fighters(Names(names, said, least=SHORTEST_CALL, rather=others, thing="fighter")),
        "hero": Fighters(Names(names, said, thing="fighter")),
    }
    found = Language(
        words=WORDS,
        shapes=SHAPES,
        nouns=nouns,
        acts=acts_of(state, seat),
        parts=PARTS,
        names=one_word_names(frozenset((*names.values(), *said.values())), WORDS, SHAPES),
        samples=SAMPLES,
        unshown=UNSHOWN,
        rules=RULES,
        things=frozenset(("die", "foe")),
    )
    found = msgspec.structs.replace(found, gist=gist_of(found, state, seat), has_amounts=False)
    nouns["somebody"] = Stranger(lambda: found.known)
    return found
