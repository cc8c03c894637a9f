"""Reads the mails of the discs by their tables: lines that can be given, complaints, and talk."""

import re
from collections.abc import Callable, Sequence
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
    cut,
    heard,
    in_our_words,
    phrases,
    with_talk_refused,
)
from pbem.rulesets.discs.language.legality import settled
from pbem.rulesets.discs.language.lists import language
from pbem.rulesets.discs.language.numbered import asked_about, without_numbers
from pbem.rulesets.discs.language.writing import write_order
from pbem.rulesets.discs.model.order import Line, Order
from pbem.rulesets.discs.model.state import State


def read(state: State, seat: str, lines: Sequence[OrderLine]) -> Parsed[Order]:
    """Read a seat's mail; what numbers before lines mean is asked about, where they do not say it."""
    game = _game(Same(state), seat)

    def is_for_a_card(text: str) -> bool:
        orders = heard(game, [OrderLine(1, text)]).orders
        return not orders or any(isinstance(order, Line) for order in orders)

    def may_be_meant(text: str) -> bool:
        found = heard(game, [OrderLine(1, text)])
        return bool(found.orders or (found.complaints and cut(text)[0].text in game.language.verbs))

    plain, commented = without_comments(lines, may_be_meant)
    numbered = without_numbers(game.language, plain, is_for_a_card)
    found = asked_about(heard(game, numbered.lines), lines, numbered, game.show)
    complaints = sorted((*found.complaints, *commented), key=lambda one: one.line)
    return msgspec.structs.replace(found, complaints=tuple(complaints)) if commented else found


_NUMBER = re.compile(r"#\s+(?=[0-9])")
"""A # before a number, behind which no comment begins."""
_KEYCAP = re.compile("([0-9])\ufe0f?\u20e3")
_INCHES = re.compile('(?<=[0-9])(?:\u2033|["\u201d](?=[,:]?\\s))')
"""A mark that measures; at a line's end a straight one may end a quotation of ours."""


def _plain(line: OrderLine) -> OrderLine:
    text = _KEYCAP.sub(r"\1. ", _NUMBER.sub("#", line.text))
    return msgspec.structs.replace(line, text=_INCHES.sub(" inches", text))


def without_comments(
    lines: Sequence[OrderLine], reads: Callable[[str], bool]
) -> tuple[tuple[OrderLine, ...], tuple[Complaint, ...]]:
    """Leave out lines whose comments may be meant as orders, and ask about them. Rule: M2."""
    kept, asked = list[OrderLine](), list[Complaint]()
    for line in map(_plain, lines):
        comment = line.text[len(phrases.without_comment(line.text)) :].strip().lstrip("#").strip()
        if comment and reads(comment):
            because = f'All behind a # is a comment, and is not read. If "{comment}" is meant, write it without the #.'
            asked.append(Complaint(line.number, line.text.strip(), "ambiguous", because, "M2"))
        else:
            kept.append(line)
    return tuple(kept), tuple(asked)


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
