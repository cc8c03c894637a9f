"""Reads the mails of those who may discard after all what they have won, by their tables; decides nothing. Rule: N8."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from pbem.ruleset import (
    FRAMES,
    REASON,
    Complaint,
    Language,
    Meaning,
    Names,
    Noun,
    OrderLine,
    Parsed,
    Placed,
    Reader,
    Reason,
    Shapes,
    Stranger,
    WordClasses,
    one_word_names,
    phrases,
    table,
)
from pbem.rulesets.rumble.auction.second_thoughts import pending
from pbem.rulesets.rumble.genres import Genre, genre_of
from pbem.rulesets.rumble.language.words import SAID, saying
from pbem.rulesets.rumble.model import names
from pbem.rulesets.rumble.model.order import Discard, Order, Pass
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.orders.writing import show_line, write_line

SHAPES = Shapes(table("pbem.rulesets.rumble.auction", "keeps.shapes"), FRAMES)
WORDS = WordClasses(table("pbem.rulesets.rumble.auction", "keeps.words"), SAID)
NEVER_WRITTEN = frozenset(("discarded", "kept", "all", "none", "but", "why"))
"""The acts of what is written as something else."""


class Keep(Placed, frozen=True, eq=False):
    """A power that is not discarded after all; it needs no order, and may stand beside what is discarded."""

    power: str


class Keeps(Reader[State, Order]):
    """What is sent by those who may discard after all what they have won. Rule: N8."""

    rule = "N8"

    def language(self, state: State, seat: str) -> Language:
        """Return what a seat may say of what it has won."""
        return language(state, seat)

    def write(self, state: State, order: Order) -> str:
        """Write an order in neutral words."""
        return write_line(state, order)

    def show(self, state: State, order: Any) -> str:
        """Write an order, or that a power is kept, in the words of the game."""
        return f"keep {state.card(order.power).name}" if isinstance(order, Keep) else show_line(state, order)

    def worded(self, state: State, line: str) -> str:
        """Put a line of ours into the words of the game. Rule: N14."""
        return genre_of(state.house).say(line, [hero.name for hero in state.heroes])

    def unread(self, state: State, seat: str) -> str:
        """Say what may be discarded."""
        mine = [self.worded(state, f"discard {power.name}") for power in pending(state).get(seat, ())]
        return f"Now it is only asked what you discard after all: {phrases.listed(mine)}. Else pass."

    def hear(self, state: State, seat: str, lines: Sequence[OrderLine]) -> Parsed[Order]:
        """Read a seat's mail; a power that one line keeps and another discards is asked about."""
        found = super().hear(state, seat, lines)
        both = _both(found.orders)
        because = "Another line keeps it. Say which you mean."
        wrong = (Complaint(one.line, show_line(state, one), "ambiguous", because, "N8") for one in both)
        return msgspec.structs.replace(
            found,
            orders=tuple(one for one in _settled(found.orders) if one not in both),
            complaints=(*found.complaints, *wrong),
            offered=() if _both(found.offered) else _settled(found.offered),
        )


KEEPS = Keeps()


def _both(said: Sequence[Any]) -> list[Discard]:
    """Return what is discarded and kept too."""
    kept = {one.power for one in said if isinstance(one, Keep)}
    return [one for one in said if isinstance(one, Discard) and one.power in kept]


def _settled(said: Sequence[Any]) -> tuple[Order, ...]:
    """Return what is ordered, each thing once; who keeps all that is named passes."""
    discards = tuple(dict.fromkeys(one for one in said if isinstance(one, Discard)))
    return discards or tuple(Pass().at(one.line) for one in said[:1])


@lru_cache(maxsize=64)
def _words(genre: Genre) -> WordClasses:
    said = {"DISCARD": genre.orders.discard, "THING": (genre.power, *genre.also.power)}
    words = saying(WORDS, said)
    SHAPES.check(words, ("power", "stranger", "reason"))
    return words


def language(state: State, seat: str) -> Language:
    """Return what a seat may say of what it has won."""
    mine = {power.key: power.name for power in pending(state).get(seat, ())}
    words = _words(genre_of(state.house))
    called = {key: names.written(key, mine) for key in mine}
    nouns: dict[str, Noun] = {"power": Names(mine, called, thing="power", never=words.known)}
    found = Language(
        words=words,
        shapes=SHAPES,
        nouns=nouns,
        acts=_acts(tuple(mine)),
        parts=dict.fromkeys(NEVER_WRITTEN, lambda meaning: None),
        names=one_word_names(frozenset(mine.values()), words, SHAPES),
        samples=dict.fromkeys(("power", "card"), next(iter(mine.values()), "NAME")),
        unshown=NEVER_WRITTEN,
        rules=dict.fromkeys(("power", "card", "order"), "N8"),
        things=frozenset(("power",)),
    )
    nouns |= {
        "stranger": Stranger(lambda: found.known),
        "reason": Reason(lambda: found),
    }
    return found


def _acts(mine: Sequence[str]) -> Mapping[str, Callable[..., Meaning | None]]:
    return {
        "acts": lambda more: tuple(order for acts in more for order in acts),
        "alone": lambda order, why="": (order,),
        "why": lambda why: REASON,
        "discarded": lambda power, why="": tuple(map(Discard, power)),
        "kept": lambda power, why="": tuple(map(Keep, power)),
        "all": Pass,
        "but": lambda power, why="": tuple(map(Discard, power)),
        "none": lambda why="": tuple(map(Discard, mine)),
        "discard": Discard,
        "pass": Pass,
    }
