"""Reads amounts of Energy in order lines."""

import re

from pbem.ruleset import Refused, phrases, refuse


def amount_of(text: str, rule: str = "A2") -> int | Refused:
    """Read an amount of Energy."""
    number = phrases.number(without_unit(text.strip()))
    return refuse(number, rule) if isinstance(number, phrases.Unread) else number


def without_unit(text: str) -> str:
    """Cut the word Energy, or points, from behind an amount."""
    return re.sub(r"\s+(?:energy|points?)$", "", text, flags=re.IGNORECASE)
