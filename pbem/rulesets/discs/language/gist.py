"""What may be understood of a list by its weighty words alone, and is offered. Rule: M2."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from pbem.ruleset import (
    Language,
    Meaning,
    Names,
    Noun,
    Refused,
    Token,
    about_it,
    coarse,
    coarse_tables,
)
from pbem.rulesets.discs.language.nouns import Bearings
from pbem.rulesets.discs.model.order import Line, Recall, Way
from pbem.rulesets.discs.model.state import State

_DEEDS = ("THROW", "ATTACK", "MOVE", "FLEE", "HOLD", "PASS", "STAND", "BLOCK", "DODGE", "CATCH", "DIVE", "RECALL")
_NOUNS = ("number", "ordinal", "short", "bearing", "compass", "square", "inches")
_TABLES = coarse_tables("pbem.rulesets.discs.language", "gist", (*_NOUNS, "foe", "own"), forms=_DEEDS)
WORDS, SHAPES = _TABLES[0].without({"SEP": ("then",)}), _TABLES[1]  # which says one card after the other here
SHORTEST_CALL = 3
"""The letters by which somebody is called at least."""


class _Bearings(Bearings):
    """A bearing that is more than a letter, which may be short for a word: with a card, w a card."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, Way | Refused]]:
        """Yield the way along the bearing that stands at a place."""
        yield from super().spans(tokens, place) if len(tokens[place].text) > 1 else ()


def gist_of(language: Language, state: State, seat: str) -> Language:
    """Return the coarse language of a list: others are thrown at, and whoever writes may name themselves."""
    others = {str(one.seat): one.name for one in state.others(seat)}
    own = {str(one.seat): one.name for one in state.programs if one.seat == seat}
    nouns: dict[str, Noun] = {
        **{kind: language.nouns[kind] for kind in _NOUNS},
        "bearing": _Bearings(),
        "foe": Names(others, least=SHORTEST_CALL, thing="Program"),
        "own": Names(own, least=SHORTEST_CALL, thing="Program"),
    }
    acts: dict[str, Callable[..., Meaning | None]] = {
        **language.acts,
        "alone": _alone,
        "none": lambda: (),
        "topic": partial(about_it, whom),
        "first": lambda: 1,
        "led": lambda test, act: language.acts["bound"](tests=(test,), acts=act),
        "trailing": lambda test, act: language.acts["hanging"](tests=(test,), acts=act),
        "unrecalled": lambda: Recall("never"),
    }
    return coarse(language, WORDS, SHAPES, nouns, acts)


def _alone(order: Any = None, act: Any = None, card: Any = 0) -> Meaning | None:
    """Return one line, or what is done when it comes to it; None where its card can be none."""
    return (order or Line(act, (), card),) if isinstance(card, int) else None


def whom(order: Any) -> str:
    """Return on whom a line is, "" for nobody."""
    act = getattr(order, "act", None)
    place = getattr(getattr(act, "way", act), "place", None)
    return str(getattr(place, "seat", ""))
