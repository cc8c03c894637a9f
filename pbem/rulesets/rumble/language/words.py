"""The words and shapes of a round, as its tables have them, and what a genre calls them. Rule: N14."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from pbem.ruleset import FRAME_WORDS, FRAMES, Language, Shapes, WordClasses, table
from pbem.rulesets.rumble.genres.genre import Genre
from pbem.rulesets.rumble.model.order import Sign

SAID = f"{table('pbem.rulesets.rumble.language', 'energy.words')}\n{FRAME_WORDS}"
"""What is said in the orders of every phase, and around them."""
SHAPES = Shapes(table("pbem.rulesets.rumble.language", "rounds.shapes"), FRAMES)
WORDS = WordClasses(table("pbem.rulesets.rumble.language", "rounds.words"), SAID)
SHORTEST_CALL = 3
"""The letters that somebody is called by where no word says that they are attacked."""
NOUNS = (
    "number", "foe", "hero", "power", "powers", "text", "caption", "times", "ex", "called", "mine", "owned", "prepared",
    "titled", "stranger", "title", "reason",
)  # fmt: skip
SIGNS: Mapping[str, Sign] = {"under": "<", "most": "<=", "is": "=", "least": ">=", "over": ">"}
TESTS = {
    "always": "always", "dies": "would die", "falls": "would be out", "targeted": "targeted by", "uses": "uses",
    "attacked": "attacked by", "out": "out", "stays": "in", "mine": "my energy", "left": "heroes left",
    "coming": "incoming", "damage": "damage", "energy": "energy", "from": "attack from",
}  # fmt: skip
"""The kinds of tests, by the acts of their shapes."""


FIGURES = ("x", "spend", "burn", "drain", "times")
JOINTS = {
    "on": "on", "against": "against", "aiming": "targeting", "price": "discarding", "to": "to", "then": "then",
}  # fmt: skip
"""The words between a power and what its use names, by the acts of their shapes."""


def saying(words: WordClasses, said: Mapping[str, Iterable[str]]) -> WordClasses:
    """Return words with what a genre says besides, by their classes; what it has no word for adds none."""
    rows = (f"{name} {'_'.join(one.split())}" for name, those in said.items() for one in those if one)
    return words | WordClasses("\n".join(rows))


@lru_cache(maxsize=64)
def words_of(genre: Genre, *, gives: bool = False) -> WordClasses:
    """Return what is said in a genre, and by whom: `20 to Bob` is no Attack where Energy can be given. Rule: N14."""
    orders, also = genre.orders, genre.also
    said = {
        "HIT": orders.attack,
        "ATTACK": (*orders.attack, genre.attack, genre.attacks, *also.attack),
        "DEFEND": (*orders.defend, genre.defence, genre.at_large(), *also.defence),
        "USE": orders.use,
        "HOLD": orders.hold,
        "PLAN": orders.plan,
        "BLOCK": orders.block,
        "DISCARD": orders.discard,
        "ENERGY": (genre.energy, genre.one_energy, *also.energy),
        "NAME": (genre.hero,),
        "FREE": (genre.hero,),
        "HEROES": (genre.heroes, *also.hero),
        "ATTACKS": (genre.attack,),
        "ATTACKED": (genre.attacked,),
    }
    words = saying(WORDS, said)
    SHAPES.check(words, NOUNS)
    return words.without({"ON": ("to", "for"), "GIVE": ("give", "gives", "giving")}) if gives else words


JOINING = frozenset(("WITH", "MY", "MORE", "ALSO"))
"""Classes of words that say nothing of an order by themselves."""


@lru_cache(maxsize=64)
def verbs(genre: Genre) -> frozenset[str]:
    """Return the words with which orders of a round begin in a genre, as we write them."""
    words = words_of(genre)
    ours = {words.canonical(name) for name in words.classes}
    return Language(words=words, shapes=SHAPES, joining=JOINING).verbs & ours
