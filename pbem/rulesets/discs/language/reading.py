"""Reads the mails of the discs by their tables: lines that can be given, complaints, and talk."""

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any

from pbem.ruleset import Game, OrderLine, Parsed, Refused, Same, heard, in_our_words, with_talk_refused
from pbem.rulesets.discs.language.legality import settled
from pbem.rulesets.discs.language.lists import language
from pbem.rulesets.discs.language.numbered import asked_about, without_numbers
from pbem.rulesets.discs.model.order import Order
from pbem.rulesets.discs.model.state import State
from pbem.rulesets.discs.orders.writing import write_order


def read(state: State, seat: str, lines: Sequence[OrderLine]) -> Parsed[Order]:
    """Read a seat's mail; what numbers before lines mean is asked about, where they do not say it."""
    game = _game(Same(state), seat)
    numbered = without_numbers(game.language, lines)
    return asked_about(heard(game, numbered.lines), lines, numbered)


def parse(state: State, seat: str, lines: Sequence[OrderLine]) -> Parsed[Order]:
    """Read lines of which each is meant as an order."""
    return with_talk_refused(read(state, seat, lines))


def read_line(state: State, seat: str, text: str) -> Order | Refused:
    """Read one line as we write it."""
    order: Order | Refused = in_our_words(_game(Same(state), seat), text)
    return order


@lru_cache(maxsize=64)
def _game(state: Same, seat: str) -> Game:
    one: State = state.one
    return Game(language(one, seat), partial(settled, one, seat), partial(_shown, one), rule="M2")


def _shown(state: State, order: Any) -> str:
    return write_order(state, order)
