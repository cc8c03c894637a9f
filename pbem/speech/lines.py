"""How a ruleset takes order lines: each read by itself, refused with a rule, or kept with its place; knows no game."""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Generic, TypeVar

import msgspec

from pbem.ground.terms import CharterError, Complaint, OrderLine, Parsed, Placed, Refused, Slip
from pbem.language import phrases
from pbem.language.bounds import LONGEST, MARK, marked_refusal, shown, too_long
from pbem.language.sentences import is_table_row
from pbem.speech import figures, typed

MOST_KNOWN = 1000
"""Of how many lines of a seat we remember what they were read as."""
MOST_IN_VAIN, MOST_GUESSED = 30, 100
"""After so many lines that nobody can read, in a row and in all, nothing is guessed; what reads as it stands counts."""


P = TypeVar("P", bound=Placed)
T = TypeVar("T")


def _whole(text: str) -> tuple[str, ...]:
    return (text,)


def read_lines(
    lines: Sequence[OrderLine],
    read_line: Callable[[str], P | Refused],
    split: Callable[[str], tuple[str, ...]] = _whole,
    speech: typed.Speech | None = None,
    *,
    as_of: Hashable = None,
) -> Parsed[P]:
    """
    Read lines, each by itself, once wrapped ones are joined.

    Shape: `read_line` is given a line without the mark of a form; what it refuses is tried without the full stop
    behind it. `split` parts a line that holds several orders. What cannot be read so is read as people type, where
    `speech` says how that is; but not a line with blanks in it as the rows of our own tables have them. `as_of` is all
    that a reading depends on besides its line, such as the state and the seat. With it each line is read once, though a
    mail comes here several times until its talk is told from its orders. After many lines that nobody can read, the
    rest are read in their forms alone.
    """
    known: dict[tuple[str, bool], _Read[P] | Refused] = _known(as_of) if as_of else {}
    if len(known) > MOST_KNOWN:
        known.clear()
    orders: list[P] = []
    complaints: list[Complaint] = []
    slips: dict[Slip, None] = {}
    may_guess, in_a_row, guessed = True, 0, 0
    longest = max((LONGEST, *(len(line.text) for line in lines)))
    rows = {line.number for line in lines if is_table_row(line.text)}
    for line in phrases.joined(hidden_marked(lines)):
        text_of_line = line.text.removeprefix("~ ")
        how = speech if may_guess and line.number not in rows else None
        is_read = False
        for text in split(text_of_line) or (text_of_line,):
            found = marked_refusal(text) or too_long(len(line.text), longest) or known.get((text, how is None))
            if found is None:
                found = known[text, how is None] = _said(text, read_line, how)
            if isinstance(found, Refused):
                complaints.append(complain(OrderLine(line.number, text), found))
            else:
                orders += (order.at(line.number) for order in found.orders)
                slips |= dict.fromkeys(found.slips)
            is_read |= not isinstance(found, Refused) or found.fault != "unreadable"
        in_a_row = 0 if is_read else in_a_row + bool(text_of_line.strip())
        guessed += how is not None and not is_read
        may_guess = may_guess and in_a_row < MOST_IN_VAIN and guessed < MOST_GUESSED
    return Parsed(tuple(orders), tuple(complaints), tuple(slips))


class _Read(msgspec.Struct, Generic[P], frozen=True):
    """What a line was read as, and the slips that were mended in it."""

    orders: tuple[P, ...]
    slips: tuple[Slip, ...] = ()


@lru_cache(maxsize=16)
def _known(_as_of: Hashable) -> dict[Any, Any]:
    """Return what lines were read as before."""
    return {}


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


def _said(text: str, read_line: Callable[[str], P | Refused], speech: typed.Speech | None) -> _Read[P] | Refused:
    """Read a line as it stands, or without the marks of a list; else as people type, where that is only one thing."""
    found = _read(text, read_line)
    if not isinstance(found, Refused):
        return _Read((found,))
    if found.fault != "unreadable" or speech is None:
        return found
    if not speech.numbered and (bare := typed.without_marks(text)) != text:
        found = _read(bare, read_line)
    if not isinstance(found, Refused):
        return _Read((found,))
    if found.fault != "unreadable" or not speech.may_be(text):
        return found
    words = speech.words()
    tidy = typed.tidied(text, words, numbered=speech.numbered)
    again = _typed(tidy, read_line, speech)
    if not isinstance(again, Refused):
        return _Read(again)
    if again.fault != "unreadable":
        return again
    mends = dict(typed.mended(tidy, words))
    readings = {one: _typed(one, read_line, speech) for one in mends}
    meant = _one_of(readings)
    if meant is None or isinstance(meant, Refused):
        return meant or found
    same = [one for one, orders in readings.items() if orders == meant]
    shown = next((one for one in same if not isinstance(_read(one, read_line), Refused)), same[0])
    return _Read(meant, tuple(Slip(*one) for one in mends[shown]))


def _typed(text: str, read_line: Callable[[str], P | Refused], speech: typed.Speech) -> tuple[P, ...] | Refused:
    """Read a text, or its pieces, each in the game's words or in others that are known for it."""
    whole = _in_any_words(text, read_line, speech)
    pieces = speech.pieces(text)
    if not isinstance(whole, Refused) or whole.fault != "unreadable" or not 1 < len(pieces) <= typed.MOST_PIECES:
        return whole
    read = all_read(_typed(piece, read_line, speech) for piece in pieces)
    return read if isinstance(read, Refused) else tuple(order for orders in read for order in orders)


def _in_any_words(text: str, read_line: Callable[[str], P | Refused], speech: typed.Speech) -> tuple[P, ...] | Refused:
    found = _read(text, read_line)
    if not isinstance(found, Refused):
        return (found,)
    if found.fault != "unreadable" or figures.is_other(text):
        return found
    ways = {
        "; ".join(way): all_read(_read(line, read_line) for line in way)
        for way in speech.ways(phrases.without_stop(text))
    }
    return _one_of(ways) or found


def _one_of(readings: Mapping[str, tuple[P, ...] | Refused]) -> tuple[P, ...] | Refused | None:
    """Return what the wordings of a line mean, if that is one thing; what is wrong with it, if none can be read."""
    meant = {orders: text for text, orders in readings.items() if not isinstance(orders, Refused)}
    if len(meant) == 1:
        return next(iter(meant))
    if meant:
        both = phrases.listed([f'"{text}"' for text in sorted(meant.values())])
        return Refused("ambiguous", f"This can be read in more than one way. Write {both}.")
    wrong = (one for one in readings.values() if isinstance(one, Refused) and one.fault != "unreadable")
    return next(wrong, None)


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
