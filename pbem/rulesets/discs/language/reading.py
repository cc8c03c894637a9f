"""Reads the mails of the discs by their tables: lines that can be given, complaints, and talk."""

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from pbem.ruleset import Complaint, Language, OrderLine, Parsed, Reader, Refused
from pbem.rulesets.discs.language.legality import settled
from pbem.rulesets.discs.language.lists import language
from pbem.rulesets.discs.language.numbered import asked_about, between_cards, without_numbers
from pbem.rulesets.discs.language.writing import write_order
from pbem.rulesets.discs.model.order import Line, Order
from pbem.rulesets.discs.model.state import State

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


class Lists(Reader[State, Order]):
    """What Programs send for their cards, and where they begin. Rule: M2."""

    rule = "M2"

    def language(self, state: State, seat: str) -> Language:
        """Return what a seat may write."""
        return language(state, seat)

    def order(self, state: State, seat: str, meant: Any) -> Order | Refused:
        """Return the line that is meant, or why it cannot be given."""
        return settled(state, seat, meant)

    def write(self, state: State, order: Order) -> str:
        """Write a line."""
        return write_order(state, order)

    def hear(self, state: State, seat: str, lines: Sequence[OrderLine]) -> Parsed[Order]:
        """Read a seat's mail; what numbers before lines mean is asked about, where they do not say it."""
        moment = self.at(state, seat)

        def is_for_a_card(text: str) -> bool:
            orders = super(Lists, self).hear(state, seat, [OrderLine(1, text)]).orders
            return not orders or any(isinstance(order, Line) for order in orders)

        numbered = without_numbers(moment.language, [*map(_plain, lines)], is_for_a_card)
        found = asked_about(super().hear(state, seat, numbered.lines), lines, numbered, moment.show)
        return _as_written(between_cards(found, lines, moment.show), lines)


LISTS = Lists()
