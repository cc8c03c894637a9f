"""Reads the mails of a round by its tables: orders that can be given, complaints, and talk."""

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any

from pbem.ruleset import Game, OrderLine, Parsed, Refused, Same, heard, in_our_words, with_talk_refused
from pbem.rulesets.brawl.language.legality import settled
from pbem.rulesets.brawl.language.rounds import language
from pbem.rulesets.brawl.order import Order
from pbem.rulesets.brawl.state import State


def read(state: State, seat: str, lines: Sequence[OrderLine]) -> Parsed[Order]:
    """Read a seat's mail."""
    return heard(_game(Same(state), seat), lines)


def parse(state: State, seat: str, lines: Sequence[OrderLine]) -> Parsed[Order]:
    """Read lines of which each is meant as an order."""
    return with_talk_refused(read(state, seat, lines))


def read_line(state: State, seat: str, text: str) -> Order | Refused:
    """Read one order as we write it."""
    order: Order | Refused = in_our_words(_game(Same(state), seat), text)
    return order


@lru_cache(maxsize=64)
def _game(state: Same, seat: str) -> Game:
    one: State = state.one
    return Game(language(one, seat), partial(settled, one, seat), partial(_shown, one), rule="M2")


def _shown(state: State, order: Any) -> str:
    text: str = order.write(state)
    return text
