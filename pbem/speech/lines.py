"""How a ruleset takes order lines: each read by itself, refused with a rule, or kept with its place; knows no game."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from pbem.ground.terms import CharterError, Complaint, OrderLine, Parsed, Placed, Refused
from pbem.language import phrases
from pbem.language.bounds import LONGEST, MARK, marked_refusal, shown, too_long

P = TypeVar("P", bound=Placed)
T = TypeVar("T")


def _whole(text: str) -> tuple[str, ...]:
    return (text,)


def read_lines(
    lines: Sequence[OrderLine],
    read_line: Callable[[str], P | Refused],
    split: Callable[[str], tuple[str, ...]] = _whole,
) -> Parsed[P]:
    """
    Read lines, each by itself, once wrapped ones are joined.

    Shape: `read_line` is given a line without the mark of a form; what it refuses is tried without the full stop
    behind it. `split` parts a line that holds several orders.
    """
    orders: list[P] = []
    complaints: list[Complaint] = []
    longest = max((LONGEST, *(len(line.text) for line in lines)))
    for line in phrases.joined(hidden_marked(lines)):
        text_of_line = line.text.removeprefix("~ ")
        for text in split(text_of_line) or (text_of_line,):
            found = marked_refusal(text) or too_long(len(line.text), longest) or _read(text, read_line)
            if isinstance(found, Refused):
                complaints.append(complain(OrderLine(line.number, text), found))
            else:
                orders.append(found.at(line.number))
    return Parsed(tuple(orders), tuple(complaints))


class Same:
    """Something frozen, such as a state, as a key: equal to itself alone, since it may hold what cannot be hashed."""

    __slots__ = ("one",)

    def __init__(self, one: Any) -> None:
        """Hold it, so that nothing else can take its place."""
        self.one = one

    def __hash__(self) -> int:
        """Hash which one it is."""
        return id(self.one)

    def __eq__(self, other: object) -> bool:
        """Say whether it is the very same."""
        return isinstance(other, Same) and other.one is self.one


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


def _read(text: str, read_line: Callable[[str], P | Refused]) -> P | Refused:
    found = read_line(text)
    bare = phrases.without_stop(text)
    return read_line(bare) if isinstance(found, Refused) and bare not in (text, "") else found


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
