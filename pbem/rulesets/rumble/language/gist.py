"""What may be understood of a round by its weighty words alone, and is offered. Rule: R5."""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial

from pbem.ruleset import (
    Language,
    Meaning,
    Names,
    Noun,
    Spared,
    WordClasses,
    about_it,
    coarse,
    coarse_tables,
    once,
    with_forms,
)
from pbem.rulesets.rumble.genres.genre import Genre
from pbem.rulesets.rumble.language.words import SHORTEST_CALL, saying
from pbem.rulesets.rumble.model.order import Attack, Defend
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.orders.shares import Part, Share

WORDS, SHAPES = coarse_tables("pbem.rulesets.rumble.language", "gist", ("number", "foe", "own"))


def gist_of(language: Language, state: State, seat: str, genre: Genre) -> Language:
    """Return the coarse language of a round: others are struck, and whoever writes may name their own hero."""
    others = {str(hero.seat): hero.name for hero in state.living if hero.seat != seat}
    own = {str(hero.seat): hero.name for hero in state.living if hero.seat == seat}
    nouns: dict[str, Noun] = {
        "number": language.nouns["number"],
        "foe": Names(others, least=SHORTEST_CALL, thing="hero"),
        "own": Names(own, least=SHORTEST_CALL, thing="hero"),
    }
    energy = max(0, state.hero(seat).energy)
    acts: dict[str, Callable[..., Meaning | None]] = {
        **language.acts,
        "acts": lambda more: once([order for acts in more for order in acts], _about),
        "topic": partial(about_it, _about),
        "none": lambda **said: (),
        "of": lambda orders: orders,
        "spared": lambda on: (Spared(on),),
        "open": lambda: (Defend(0),),
        "alone": lambda order: () if isinstance(order, Attack) and order.amount == 0 else (order,),
        "blow": _blow,
        "shield": _shield,
        "all": lambda n=0, but=(): tuple(one for one in others if one not in but) if n in (0, len(others)) else None,
        "every": lambda amount, on: tuple(Attack(other, amount) for other in on),
        "self": lambda: "self",
        "amount": lambda n: n,
        "of_all": lambda n: n if n == energy else None,
        "half": lambda: _part(energy, 2) or "half",
        "parts": lambda n=1: _part(energy * n, 4),
        "thirds": lambda n=1: _part(energy * n, 3),
        "struck": lambda on: (on,),
        "several": lambda on: on,
        "strong": lambda on, much: Attack(on, much) if much == energy else None,
        "split": lambda to, amount=energy: _split(amount, [one for those in to for one in those]),
    }
    return coarse(language, _words(genre), SHAPES, nouns, acts)


def _about(order: Meaning) -> str:
    return str(getattr(order, "on", ""))


def _blow(on: str, much: int | Part) -> Attack | Share:
    return Attack(on, much) if isinstance(much, int) else Share(much, on)


def _shield(much: int | Part | None = None) -> Defend | Share | tuple[str, ...]:
    """Return Defence of so much; one of several targets where it is not said how much."""
    if much is None:
        return ("",)
    return Defend(much) if isinstance(much, int) else Share(much)


def _part(number: int, of: int) -> int | None:
    whole, left = divmod(number, of)
    return None if left else whole


def _split(amount: int, targets: Sequence[str]) -> tuple[Attack | Defend, ...] | None:
    """Return as much for each target, "" being Defence, where that comes out even."""
    each = _part(amount, len(targets)) if len(set(targets)) == len(targets) > 1 else None
    return tuple(Attack(on, each) if on else Defend(each) for on in targets) if each else None


@lru_cache(maxsize=64)
def _words(genre: Genre) -> WordClasses:
    attack = (*genre.orders.attack, genre.attack, genre.attacks, *genre.also.attack)
    defend = (*genre.orders.defend, genre.defence, *genre.also.defence)
    words = saying(WORDS, {"ATTACK": attack, "HIT": genre.orders.attack, "DEFEND": defend})
    return with_forms(words, ("ATTACK", "DEFEND"))
