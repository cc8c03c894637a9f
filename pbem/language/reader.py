"""Who reads the mails of a kind of phase: by which tables, and which of what they mean can be ordered."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, Generic, Protocol, TypeVar

from pbem.ground.terms import OrderLine, Parsed, Placed, Refused
from pbem.language import forms, phrases
from pbem.language.hearing import UNREAD, Moment, heard, in_our_words, with_talk_refused
from pbem.language.hints import MOST_SHOWN
from pbem.language.parses import Language


class Named(Protocol):
    """A state that knows its seats."""

    @property
    def names(self) -> Mapping[Any, str]:
        """Map every seat to the name that reports show."""
        ...


N = TypeVar("N", bound=Named)
P = TypeVar("P", bound=Placed)


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


class Reader(Generic[N, P]):
    """
    Reads what seats send in a kind of phase. A game defines `language`, and `order` where not all can be ordered.

    Shape: `rule` is the rule of how orders are written, cited where no other is.
    """

    rule: str = ""

    def language(self, state: N, seat: str) -> Language:
        """Return what a seat may write now: words, shapes, what can be named as the game stands, what each means."""
        raise NotImplementedError

    def order(self, state: N, seat: str, meant: Any) -> P | Refused:
        """Return the order that is meant, or why it cannot be given."""
        return meant  # type: ignore[no-any-return]

    def write(self, state: N, order: P) -> str:
        """Write an order as the line that is kept, in the first shape that says it; `read` takes it."""
        return forms.write(self.tables(state), order.at(0))

    def show(self, state: N, order: P) -> str:
        """Write for a letter what somebody has ordered, or what is asked about."""
        return self.write(state, order)

    def worded(self, state: N, line: str) -> str:
        """Put a line of ours into the words of a game."""
        return line

    def unread(self, state: N, seat: str) -> str:
        """Return what is said of a line that is near no form; "" for what would have worked, if there are few forms."""
        return ""

    def hear(self, state: N, seat: str, lines: Sequence[OrderLine]) -> Parsed[P]:
        """Read a seat's mail, its talk apart from its orders."""
        return heard(self.at(state, seat), lines)

    def parse(self, state: N, seat: str, lines: Sequence[OrderLine]) -> Parsed[P]:
        """Read lines of which each is meant as an order."""
        return with_talk_refused(self.hear(state, seat, lines))

    def read(self, state: N, seat: str, text: str) -> P | Refused:
        """Read one order as we write it, by first shapes alone."""
        found: P | Refused = in_our_words(self.at(state, seat), text)
        return found

    def at(self, state: N, seat: str) -> Moment:
        """Return this reader for one seat and state, made once."""
        return _moment(Same(self), Same(state), seat)

    def tables(self, state: N) -> Language:
        """Return what the first of the seats may write, for whoever asks for words alone."""
        return self.at(state, next(iter(state.names), "")).language


@lru_cache(maxsize=128)
def _moment(reader: Same, state: Same, seat: str) -> Moment:
    by, at = reader.one, state.one
    order, show, worded = partial(by.order, at, seat), partial(by.show, at), partial(by.worded, at)
    language = by.language(at, seat)
    return Moment(language, order, show, worded, by.rule, by.unread(at, seat) or _unread(language, worded))


def _unread(language: Language, worded: Callable[[str], str]) -> str:
    shown = forms.examples(language, MOST_SHOWN)
    would = phrases.listed([f'"{worded(one)}"' for one in shown])
    return f"{UNREAD} What would work: {would}." if shown else UNREAD
