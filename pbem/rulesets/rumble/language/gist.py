"""What may be understood of a round by its weighty words alone, and is offered. Rule: R5."""

from collections.abc import Callable
from functools import lru_cache

from pbem.ruleset import GIST_WORDS, Language, Meaning, Names, Noun, Shapes, WordClasses, coarse, table, with_forms
from pbem.rulesets.rumble.genres.genre import Genre
from pbem.rulesets.rumble.language.words import saying
from pbem.rulesets.rumble.model.order import Attack, Defend
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.orders.shares import Share

_PLACE = "pbem.rulesets.rumble.language"
SHAPES = Shapes(table(_PLACE, "gist.shapes"))
WORDS = GIST_WORDS | WordClasses(table(_PLACE, "gist.words"))
SHAPES.check(WORDS, ("number", "foe", "own"))


def gist_of(language: Language, state: State, seat: str, genre: Genre) -> Language:
    """Return the coarse language of a round: others are struck, and whoever writes may name their own hero."""
    others = {str(hero.seat): hero.name for hero in state.living if hero.seat != seat}
    own = {str(hero.seat): hero.name for hero in state.living if hero.seat == seat}
    nouns: dict[str, Noun] = {
        "number": language.nouns["number"],
        "foe": Names(others, thing="hero"),
        "own": Names(own, thing="hero"),
    }
    acts: dict[str, Callable[..., Meaning | None]] = {
        **language.acts,
        "none": lambda **said: (),
        "blow": lambda on, much: Attack(on, much) if isinstance(much, int) else Share(much, on),
        "shield": lambda much: Defend(much) if isinstance(much, int) else Share(much),
        "all": lambda n=0, but=(): tuple(one for one in others if one not in but) if n in (0, len(others)) else None,
        "every": lambda amount, on: tuple(Attack(other, amount) for other in on),
        "self": lambda: "self",
        "amount": lambda n: n,
    }
    return coarse(language, _words(genre), SHAPES, nouns=nouns, acts=acts)


@lru_cache(maxsize=64)
def _words(genre: Genre) -> WordClasses:
    attack = (*genre.orders.attack, genre.attack, genre.attacks, *genre.also.attack)
    defend = (*genre.orders.defend, genre.defence, *genre.also.defence)
    words = saying(WORDS, {"ATTACK": attack, "HIT": genre.orders.attack, "DEFEND": defend})
    return with_forms(words, ("ATTACK", "DEFEND"))
