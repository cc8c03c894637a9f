"""What a mail comes to before it is a set: its orders, its talk, and what of that may change them."""

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from pbem.ground.terms import Complaint, OrderLine, Parsed


class Heard(NamedTuple):
    """
    The lines of a mail that are orders, and its talk.

    Shape: `passed` are the lines that were taken for talk, `doubts` those of them that may change an order or be one;
    `beside` complains of each order that such a line only limits, which is no longer in `orders`;
    `parsed` is what the ruleset reads in `orders`, where that is known already.
    """

    orders: tuple[OrderLine, ...]
    passed: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    beside: tuple[Complaint, ...] = ()
    parsed: Parsed[Any] | None = None


def cut_off(lines: Sequence[OrderLine]) -> dict[int, OrderLine]:
    """Return the lines that would go on, by their last mark, but for a blank line behind them."""
    said = [line for line in lines if line.text.strip()]
    return {
        line.number: line
        for line, below in pairwise(said)
        if line.text.rstrip().endswith((",", ";", ":")) and below.number > line.number + 1
    }


def texts(lines: Mapping[int, OrderLine]) -> tuple[str, ...]:
    """Return the texts of lines by their numbers, in order."""
    return tuple(lines[number].text.strip() for number in sorted(lines))


def without(lines: Sequence[OrderLine], gone: Collection[int]) -> tuple[OrderLine, ...]:
    """Return lines with some of them left empty."""
    return tuple(OrderLine(line.number, "") if line.number in gone else line for line in lines)


def paragraphs(lines: Sequence[OrderLine], orders: frozenset[int]) -> frozenset[int]:
    """Return the numbers of the lines in whose paragraphs orders stand."""
    groups = groupby(lines, key=lambda line: bool(line.text.strip()))
    numbers = ([line.number for line in group] for is_said, group in groups if is_said)
    return frozenset(number for group in numbers if not orders.isdisjoint(group) for number in group)
