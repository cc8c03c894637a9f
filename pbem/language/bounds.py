"""Lines that are too long to be looked into, or hold what nobody can see: marked, and refused by the mark."""

import re
from collections.abc import Sequence

from pbem.ground.terms import OrderLine, Refused
from pbem.language import phrases

MARK = "\ufffd"
LONGEST = 500
"""Characters of an order as a person wrote it, and of one that is put together of several lines."""


def bounded(lines: Sequence[OrderLine], longest: int = LONGEST) -> tuple[OrderLine, ...]:
    """
    Replace most of each line that is too long for our patterns by a mark, of lines that a person wrote.

    Canonical lines are not bounded: they can be much longer than what was written, and have no tricks in them.
    """
    return tuple(OrderLine(line.number, _cut(line.text, longest)) for line in lines)


def _cut(text: str, longest: int) -> str:
    """Leave the first and the last word, so that joining wrapped lines works as if all were there."""
    if len(text) <= longest:
        return text
    first, last = text[:40].split() or [""], text[-40:].split() or [""]
    return f"{first[0]} {MARK}{len(text)}/{longest} ... {last[-1]}"


def marked_refusal(text: str) -> Refused | None:
    """Refuse a line that bears the mark."""
    if MARK not in text:
        return None
    match = re.search(rf"{MARK}([0-9]{{1,9}})/([0-9]{{1,9}})", text)
    if match:
        return too_long(int(match[1]), int(match[2]))
    return Refused(
        "illegal",
        "There is a character in this line that nobody can see. Type the line again by hand, without it.",
    )


def refusal(text: str) -> Refused | None:
    """Refuse a line that bears the mark, or holds what nobody can see."""
    return marked_refusal(text) or (marked_refusal(MARK) if phrases.unseen(text) else None)


def shown(text: str) -> str:
    """Return a line as it is shown to its writer, without the mark."""
    return re.sub(rf"{MARK}[0-9]+/[0-9]+ ", "", text)


def too_long(length: int, longest: int) -> Refused | None:
    """Refuse a line of so many characters, where that is more than the most."""
    if length <= longest:
        return None
    return Refused("illegal", f"This line has {length:,} characters; {longest:,} is the most. Say it in fewer words.")
