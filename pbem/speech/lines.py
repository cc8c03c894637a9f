"""What a ruleset says of order lines: that one was refused, by which rule, or cannot be read again; knows no game."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from pbem.ground.terms import CharterError, Complaint, OrderLine, Refused
from pbem.language import phrases
from pbem.language.bounds import MARK, shown
from pbem.language.reader import P

T = TypeVar("T")


def read_again(lines: Iterable[str], read_line: Callable[[str], P | Refused], whose: str) -> tuple[P, ...]:
    """
    Read canonical lines again that were taken in a phase before, and whose they are.

    Errors: CharterError, without a word of them, where they were taken by a release that wrote other lines.
    """
    orders: list[P] = []
    for line in lines:
        found = read_line(line)
        if isinstance(found, Refused):
            raise CharterError(
                f"The orders of {whose}, from the phase before, were taken by another version of pbem, and this one "
                "cannot read them. Go on with that version until the next round."
            )
        orders.append(found)
    return tuple(orders)


def all_read(found: Iterable[T | Refused]) -> tuple[T, ...] | Refused:
    """Return all that was read, or the first refusal; nothing behind that is read any more."""
    read: list[T] = []
    for one in found:
        if isinstance(one, Refused):
            return one
        read.append(one)
    return tuple(read)


def refuse(unread: phrases.Unread, rule: str) -> Refused:
    """Turn what the phrases say into a refusal that cites a rule."""
    return Refused(unread.fault, unread.because, rule)


def complain(line: OrderLine, refused: Refused) -> Complaint:
    """Put a refusal beside the line it is about."""
    return Complaint(line.number, shown(line.text), refused.fault, refused.because, refused.rule)


def hidden_marked(lines: Sequence[OrderLine]) -> tuple[OrderLine, ...]:
    """
    Replace characters that nobody can see by a mark, in every line that has some.

    The mark goes behind the first word, so that joining wrapped lines works as if nothing had been there.
    """
    return tuple(OrderLine(line.number, _marked(line.text)) for line in lines)


def _marked(text: str) -> str:
    if not phrases.unseen(text):
        return text
    kept = "".join(character for character in text.rstrip("\r") if not phrases.unseen(f"{character}."))
    return re.sub(r"\S+", rf"\g<0> {MARK}", kept, count=1) if kept.strip() else MARK
