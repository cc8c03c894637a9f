"""Rounds what is no whole number, as the house rules say; nothing else of this game does."""

from collections.abc import Mapping
from fractions import Fraction


def rounded(house: Mapping[str, str], value: int | Fraction, over: int = 1) -> int:
    """
    Return a number, divided by another, as a whole one.

    Rule: A2 (down, unless the house rounds up).
    """
    return -(-value // over) if house.get("round") == "up" else value // over
