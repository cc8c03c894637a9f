"""Which lines a mail program wrapped, told by the mail's own width; knows no orders."""

from collections.abc import Sequence
from itertools import pairwise

from pbem.ground.terms import OrderLine

NARROWEST = 64
"""Columns of the narrowest mail in which a line can be said to be full; shorter lines are broken by hand."""
WIDEST = 100
"""Columns of the widest; where a longer line stands, the mail program wraps none, or has let us join them again."""
_ASKS_FOR_MORE = frozenset(
    (
        *("a", "an", "the", "his", "her", "their", "my", "your", "our", "its"),
        *("and", "or", "but", "nor", "that", "which", "who", "if", "as", "than", "because", "since", "while"),
        *("of", "to", "in", "on", "at", "by", "for", "from", "with", "into", "against", "between", "about"),
        *("is", "are", "was", "were", "be", "has", "have", "had", "will", "would", "can", "may"),
    )
)
"""Words at the end of a line behind which a sentence goes on, even with a capital."""


def wrapped_off(lines: Sequence[OrderLine]) -> frozenset[int]:
    """
    Return the numbers of the lines that a mail program visibly wrapped off the line before.

    A mail program breaks a line where one more word would go beyond its width, and only there. A line break behind
    which the word would have fitted was made by a person, who meant a new line; so is, in doubt, one behind which a
    sentence begins.
    """
    width = max((len(line.text.rstrip()) for line in lines), default=0)
    if not NARROWEST <= width <= WIDEST:
        return frozenset()
    return frozenset(
        line.number
        for above, line in pairwise(lines)
        if line.number == above.number + 1 and _is_full(above.text.rstrip(), line.text, width)
        if _goes_on(above.text, line.text)
    )


def _is_full(above: str, text: str, width: int) -> bool:
    first, *_ = text.split(maxsplit=1) or [""]
    return bool(first) and len(above) + 1 + len(first) > width and 4 * len(above) >= 3 * width


def _goes_on(above: str, text: str) -> bool:
    """Say whether a line goes on in the sentence of the one above: a capital, or a bullet, begins another."""
    *_, last = above.split()
    first = text.lstrip(" \t\"'(")
    if above.rstrip().endswith((".", "!", "?", ":")) or not first[:1].isalnum():
        return False
    return not first[:1].isupper() or last.endswith(",") or last.casefold() in _ASKS_FOR_MORE
