"""Reads the mails of the discs by their tables: lines that can be given, complaints, and talk."""

import re
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any

import msgspec

from pbem.ruleset import (
    Complaint,
    Game,
    OrderLine,
    Parsed,
    Refused,
    Same,
    heard,
    in_our_words,
    with_talk_refused,
)
from pbem.rulesets.discs.language.legality import settled
from pbem.rulesets.discs.language.lists import language
from pbem.rulesets.discs.language.numbered import asked_about, between_cards, without_numbers
from pbem.rulesets.discs.language.writing import write_order
from pbem.rulesets.discs.model.order import Line, Order
from pbem.rulesets.discs.model.state import State


def read(state: State, seat: str, lines: Sequence[OrderLine]) -> Parsed[Order]:
    """Read a seat's mail; what numbers before lines mean is asked about, where they do not say it."""
    game = _game(Same(state), seat)

    def is_for_a_card(text: str) -> bool:
        orders = heard(game, [OrderLine(1, text)]).orders
        return not orders or any(isinstance(order, Line) for order in orders)

    numbered = without_numbers(game.language, [*map(_plain, lines)], is_for_a_card)
    found = asked_about(heard(game, numbered.lines), lines, numbered, game.show)
    return _as_written(between_cards(found, lines, game.show), lines)


_NUMBER = re.compile(r"#\s+(?=[0-9])")
"""A # before a number, behind which no comment begins."""
_KEYCAP = re.compile("([0-9])\ufe0f?\u20e3")
_INCHES = re.compile('(?<=[0-9])(?:\u2033|["\u201d](?=[,:]?\\s))')
"""A mark that measures; at a line's end a straight one may end a quotation of ours."""


def _plain(line: OrderLine) -> OrderLine:
    text = _KEYCAP.sub(r"\1. ", _NUMBER.sub("#", line.text))
    return msgspec.structs.replace(line, text=_INCHES.sub(" inches", text))


def _as_written(found: Parsed[Order], lines: Sequence[OrderLine]) -> Parsed[Order]:
    """Return what was read with the marks in what is told of it that were written."""
    marked = {line.number for line in lines if line.text != _plain(line).text}

    def as_written(complaint: Complaint) -> Complaint:
        text = complaint.text.replace(" inches", '"') if complaint.line in marked else complaint.text
        return msgspec.structs.replace(complaint, text=text)

    told = [tuple(map(as_written, some)) for some in (found.complaints, found.passed, found.doubts)]
    return msgspec.structs.replace(found, complaints=told[0], passed=told[1], doubts=told[2])


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
