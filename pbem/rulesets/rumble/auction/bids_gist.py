"""What may be understood of bids by their weighty words alone, and is offered. Rule: R18."""

from collections.abc import Callable, Mapping
from functools import lru_cache

from pbem.ruleset import (
    Language,
    Meaning,
    Names,
    Noun,
    Spared,
    WordClasses,
    coarse,
    coarse_tables,
    once,
    with_forms,
)
from pbem.rulesets.rumble.genres.genre import Genre
from pbem.rulesets.rumble.language.words import SHORTEST_CALL, saying
from pbem.rulesets.rumble.model.order import Bid

WORDS, SHAPES = coarse_tables("pbem.rulesets.rumble.auction", "bids_gist", ("number", "power"))


def gist_of(language: Language, sale: Mapping[str, str], genre: Genre) -> Language:
    """Return the coarse language of an auction, of the powers that are for sale by their keys."""
    nouns: dict[str, Noun] = {
        "number": language.nouns["number"],
        "power": Names(sale, least=SHORTEST_CALL, thing="power"),
    }
    acts: dict[str, Callable[..., Meaning | None]] = {
        **language.acts,
        "acts": lambda more: once([order for acts in more for order in acts], _about),
        "alone": lambda order: (order,),
        "none": lambda: (),
        "spared": lambda power: (Spared(power),),
        "each": lambda power, amount: tuple(Bid(one, amount) for one in power),
        "bid": Bid,
    }
    return coarse(language, _words(genre), SHAPES, nouns, acts)


def _about(order: Meaning) -> str:
    return order.power if isinstance(order, Bid) else ""


@lru_cache(maxsize=64)
def _words(genre: Genre) -> WordClasses:
    return with_forms(saying(WORDS, {"BID": genre.orders.bid}), ("BID",))
