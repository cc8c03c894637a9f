"""What may be written in an auction or a tie: the tables, what they can name, which bids they mean. Rule: R18."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

import msgspec

from pbem.ruleset import (
    FRAMES,
    REASON,
    Elided,
    Language,
    Meaning,
    Names,
    Noun,
    Numbers,
    Reason,
    Shapes,
    Stranger,
    Token,
    WordClasses,
    one_word_names,
    table,
)
from pbem.rulesets.rumble.auction.bids_gist import gist_of
from pbem.rulesets.rumble.auction.said_of_bids import Added, AsMuch, Instead, Others, added, on_sale
from pbem.rulesets.rumble.genres import Genre, genre_of
from pbem.rulesets.rumble.language.words import SAID, SHORTEST_CALL, saying
from pbem.rulesets.rumble.model import names
from pbem.rulesets.rumble.model.names import pool_number
from pbem.rulesets.rumble.model.order import Bid
from pbem.rulesets.rumble.model.state import Edit, IfWon, State
from pbem.rulesets.rumble.powers.language import numbers

SHAPES = Shapes(table("pbem.rulesets.rumble.auction", "bids.shapes"), FRAMES)
WORDS = WordClasses(table("pbem.rulesets.rumble.auction", "bids.words"), SAID)
NOUNS = ("number", "power", "powers", "rival", "figure", "reason", "stranger")
SAMPLES = {
    "number": "20", "amount": "20", "figure": "20", "power": "NAME", "item": "NAME", "powers": "NAME", "rival": "NAME",
}  # fmt: skip
"""What examples have in a slot."""
RULES = {"number": "B1", "amount": "B1", "power": "R18", "item": "R18", "wins": "B17", "rival": "C7", "powers": "C13"}
"""The rules that are cited for what could not be read."""
JOINING = frozenset(("TAKE", "SHIFT", "ON", "WITH", "UP", "ONLY", "ALSO", "SIGN", "AWAY"))
"""Classes of words that say nothing of a bid by themselves."""
NEVER_WRITTEN = frozenset(
    (
        "elided", "bare", "again", "same", "instead", "others", "nothing", "added", "thrown", "numbered", "zero",
        "then", "tied", "by", "each", "all", "why", "heading", "head", "win",
    )
)  # fmt: skip
"""The acts of what is written as something else."""


class Cards(Names[str], frozen=True, dict=True):
    """Powers of the pool, by their names and their numbers: P3, p03."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, str]]:
        """Yield which power may stand at a place."""
        key = pool_number(tokens[place].text) if place < len(tokens) else None
        return iter([(place + 1, key)]) if key and key in self.of else super().spans(tokens, place)


class Figure:
    """A number of a text that is to change, in digits or in the word half or double. Rule: C13."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, str]]:
        """Yield the number that stands at a place."""
        said = numbers.named(tokens[place].text) if place < len(tokens) else ""
        return iter([(place + 1, said)] if said else ())

    def why_not(self, tokens: Sequence[Token]) -> None:
        """Leave it to the example."""

    def write(self, what: Any) -> str | None:
        """Write it as it is."""
        return what if isinstance(what, str) else None


@lru_cache(maxsize=64)
def words_of(genre: Genre) -> WordClasses:
    """Return what is said for bids in a genre. Rule: N14."""
    said = {
        "BID": genre.orders.bid,
        "DISCARD": genre.orders.discard,
        "ENERGY": (genre.energy, genre.one_energy, *genre.also.energy),
        "THING": (genre.power, *genre.also.power),
        "NUMBER": (genre.power,),
    }
    words = saying(WORDS, said)
    SHAPES.check(words, NOUNS)
    return words


def language(state: State, seat: str) -> Language:
    """Return what a seat may bid as the game stands."""
    pool = {power.key: power.name for power in state.pool()}
    mine = {power.key: power.name for power in state.powers if power.in_play and power.owner in ("", seat)}
    heroes = {str(hero.seat): hero.name for hero in state.heroes}
    living = frozenset(str(hero.seat) for hero in state.living)
    every = {power.key: power.name for power in state.powers}
    called = {key: names.written(key, heroes) for key in heroes} | {key: names.written(key, every) for key in every}
    now = frozenset(power.key for power in on_sale(state, seat))
    words = words_of(genre_of(state.house))
    nouns: dict[str, Noun] = {
        "number": Numbers(),
        "power": Cards(pool, called, least=SHORTEST_CALL, rather=now, thing="power", never=words.known),
        "powers": Cards(mine, called, least=SHORTEST_CALL, thing="power"),
        "rival": Names(heroes, called, rather=living - {seat}, thing="hero"),
        "figure": Figure(),
    }
    found = Language(
        words=words,
        shapes=SHAPES,
        nouns=nouns,
        acts=_acts(state, seat),
        parts=_parts(),
        names=one_word_names(frozenset((*pool.values(), *mine.values(), *heroes.values())), words, SHAPES),
        samples=SAMPLES,
        unshown=NEVER_WRITTEN,
        rules=RULES,
        joining=JOINING,
        things=frozenset(("power",)),
        is_listed=True,
    )
    sale = {key: name for key, name in pool.items() if key in now}
    found = msgspec.structs.replace(found, gist=gist_of(found, sale, genre_of(state.house)))
    nouns |= {
        "stranger": Stranger(lambda: found.known),
        "reason": Reason(lambda: found),
    }
    return found


def _acts(state: State, seat: str) -> dict[str, Callable[..., Meaning | None]]:
    """Return what each act means."""
    sale = on_sale(state, seat)
    alone = sale[0].key if state.phase == "rebid" and len(sale) == 1 else ""
    pool = {power.key for power in state.pool()}

    def again(amount: int, **tails: Any) -> Bid | None:
        return _bid(alone, amount, **tails) if alone else None

    def elided(power: str, amount: int, *, is_bare: bool = False, **tails: Any) -> Elided | None:
        bid = _bid(power, amount, **tails) if power else None
        return Elided(bid, is_bare) if bid else None

    return {
        "acts": lambda more: _together(order for acts in more for order in acts),
        "glued": lambda more: _glued([order for acts in more for order in acts]),
        "heading": lambda: (),
        "head": lambda: "head",
        "alone": lambda order, why=None: (order,),
        "each": _each,
        "all": lambda amount, why=None: tuple(Bid(one.key, amount) for one in sale),
        "bid": _bid,
        "elided": elided,
        "again": again,
        "bare": partial(elided, alone, is_bare=True),
        "same": AsMuch,
        "instead": Instead,
        "others": lambda amount=0: Others(amount),
        "nothing": lambda: Others(0),
        "added": lambda then, on="": Added(on, (then,)),
        "thrown": lambda on="": Added(on, discard="yes"),
        "numbered": lambda number: key if (key := f"P{number:02}") in pool else None,
        "zero": lambda: 0,
        "then": lambda n: n if isinstance(n, tuple) else (n,),
        "tied": lambda who="": "tied",
        "by": lambda who: "tied",
        "yes": lambda: "yes",
        "maybe": lambda: "maybe",
        "no": lambda: "no",
        "give": lambda on: IfWon(give=on),
        "edits": lambda edits: IfWon(edits=edits),
        "double": lambda what, power: Edit(power, "double", what),
        "halve": lambda what, power: Edit(power, "halve", what),
        "why": lambda why: REASON,
    }


def _glued(orders: Sequence[Any]) -> tuple[Meaning, ...] | None:
    """Return orders with nothing between them; a word that bids nothing may be about the power behind it."""
    return None if any(isinstance(order, Others) for order in orders[:-1]) else _together(orders)


def _together(orders: Iterable[Any]) -> tuple[Meaning, ...]:
    """Return orders one behind another, what is said of a bid put into the one right before it."""
    found: list[Any] = []
    for order in orders:
        last = found[-1].order if found and isinstance(found[-1], Elided) else found[-1] if found else None
        if isinstance(order, Added | Instead) and isinstance(last, Bid) and (together := added(last, order)):
            found[-1] = msgspec.structs.replace(found[-1], order=together) if last is not found[-1] else together
        else:
            found.append(order)
    return tuple(found)


def _bid(power: str, amount: int, then: Any = (), wish: Any = (), won: Any = ()) -> Bid | None:
    """Return a bid with what is said behind it, each thing once."""
    ties = tuple(one for part in then for one in (part if isinstance(part, tuple) else (part,)))
    wishes, wins = wish if isinstance(wish, tuple) else (wish,), won if isinstance(won, tuple) else (won,)
    if len(wishes) > 1 or len(wins) > 1:
        return None
    return Bid(power, amount, ties, *wishes or ("",), *wins or (IfWon(),))


def _each(power: tuple[str, ...], amount: int, why: str = "", **tails: Any) -> tuple[Meaning, ...] | None:
    """Return the same bid on each of several."""
    bids = tuple(bid for one in power if (bid := _bid(one, amount, **tails)))
    return bids if len(bids) == len(power) else None


def _parts() -> dict[str, Callable[[Any], Mapping[str, Any] | None]]:
    """Return the slots of what is written in a first shape."""
    return {
        "bid": lambda bid: _slots(bid) if isinstance(bid, Bid) else None,
        "yes": _only("yes"),
        "maybe": _only("maybe"),
        "no": _only("no"),
        "give": lambda won: {"on": won.give} if isinstance(won, IfWon) and won.give else None,
        "edits": lambda won: {"edits": won.edits} if isinstance(won, IfWon) and won.edits else None,
        "double": lambda edit: _changing(edit, "double"),
        "halve": lambda edit: _changing(edit, "halve"),
        **dict.fromkeys(NEVER_WRITTEN, lambda meaning: None),
    }


def _slots(bid: Bid) -> Mapping[str, Any]:
    won = None if bid.won == IfWon() else bid.won
    return {"power": bid.power, "amount": bid.amount, "then": bid.then, "wish": bid.discard or None, "won": won}


def _only(value: Any) -> Callable[[Any], Mapping[str, Any] | None]:
    return lambda meaning: {} if meaning == value else None


def _changing(edit: Any, how: str) -> Mapping[str, Any] | None:
    return {"what": edit.what, "power": edit.power} if isinstance(edit, Edit) and edit.how == how else None
