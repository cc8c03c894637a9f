"""The set on hand as changes find it: its orders by their numbers in letters and by words; knows no game."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any, TypeAlias

from pbem.ground.terms import OrderLine, Seat
from pbem.language import bounds
from pbem.speech import change_forms
from pbem.table.model.table import Table

MOST_ORDERS = 40
"""Of a longer set no part is changed by such words."""
MOST_READ = 15_000
"""Characters of the lines that are put together, read and compared for one mail; what takes more is asked about."""
LONGEST = 1_000
"""Characters of an order that is put together."""
A_LETTER = 500
"""To how many characters it comes to show a set as a letter does."""
SPAN = 3
"""The most words of a line on hand that others are put in place of."""

Unit: TypeAlias = tuple[str, ...]
"""The canonical lines of one order; none for one that is taken out."""
Slots: TypeAlias = tuple[Unit, ...]
"""The orders on hand, each in its place, and behind them what is added."""

ARTICLE = re.compile(r"^(?:(?:the|my|that|this|your|about) )+", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]+")
_JOINING = frozenset(("on", "at", "to", "for", "of", "with", "against", "the", "my", "in", "from", "by", "upon"))
"""Words that say nothing by themselves of which order is meant."""


class TooMuchError(Exception):
    """A mail that would have more read than it is worth."""


class Reader:
    """The set on hand, and what the ruleset makes of other lines: each read once, and no more than a mail is worth."""

    def __init__(self, table: Table, seat: Seat, orders: Sequence[Any], *, is_asked: bool = False) -> None:
        """Take the orders of a seat that are on hand; who `is_asked` which they meant may say that they stand."""
        self.table, self.seat, self.orders, self.is_asked = table, seat, tuple(orders), is_asked
        self.has_added = False
        self._left = MOST_READ
        self._known: dict[str, Slots] = {}
        self._named: dict[tuple[str, Unit], bool] = {}
        self._shown: dict[tuple[int, ...], tuple[list[Any], bool]] = {}
        units = self._units(orders)
        held = table.sets.hand[seat].orders if orders else ()
        lines = tuple(line for unit in units for line in unit)
        self.slots: Slots | None = units if lines == held and len(units) <= MOST_ORDERS else None

    def _units(self, orders: Sequence[Any]) -> Slots:
        return tuple(self.table.ruleset.format(self.table.state, (order,)) for order in orders)

    def read(self, text: str) -> Slots:
        """Return the orders that a text is, none if the ruleset does not read all of it."""
        if text not in self._known:
            self._spend(len(text))
            said = [OrderLine(number, one) for number, one in enumerate(text.split("\n"), 1)]
            parsed = self.table.ruleset.parse(self.table.state, self.seat, bounds.bounded(said, LONGEST))
            self._known[text] = () if parsed.complaints else self._units(parsed.orders)
        return self._known[text]

    def adding(self, text: str) -> str:
        """
        Return a text that is to be added, "" if it is no order; with `also` before it where the orders keep that.

        Shape: what may be a day, `5 on Mo`, is an order behind `also`.
        """
        more = f"also {text}"
        units = self.read(more)
        is_form = bool(units) and all(line.startswith("also ") for unit in units for line in unit)
        return more if is_form else text if self.read(text) else ""

    def worded(self, unit: Unit) -> str:
        """Return an order in the words of the game."""
        return self.table.worded(" ".join(unit), self.table.labels().values())

    def read_behind(self, slots: Slots, text: str) -> Slots:
        """Return the orders that a text is at the end of a set, none if the ruleset does not read all of both."""
        before = [line for unit in slots for line in unit]
        said = [OrderLine(number, one) for number, one in enumerate((*before, *text.split("\n")), 1)]
        self._spend(sum(len(line.text) for line in said))
        parsed = self.table.ruleset.parse(self.table.state, self.seat, bounds.bounded(said, LONGEST))
        count = sum(map(bool, slots))
        units = self._units(parsed.orders)
        is_behind = not parsed.complaints and units[:count] == tuple(unit for unit in slots if unit)
        return units[count:] if is_behind else ()

    def _spend(self, cost: int) -> None:
        self._left -= cost
        if self._left < 0:
            raise TooMuchError

    def shown(self, *without: int) -> tuple[list[Any], bool]:
        """Return the rows by which a letter would show the set on hand, or what is left of it without some orders."""
        if without not in self._shown:
            self._spend(A_LETTER)
            self._shown[without] = _rows(self, [one for place, one in enumerate(self.orders) if place not in without])
        return self._shown[without]

    def names(self, what: str, unit: Unit) -> bool:
        """Say whether words name an order: each begins a word of it, or they are read as a part of it."""
        key = (what, unit)
        if key not in self._named:
            self._spend(len(what))
            self._named[key] = self._is_named(what, unit)
        return self._named[key]

    def _is_named(self, what: str, unit: Unit) -> bool:
        said = change_forms.words(ARTICLE.sub("", what))
        text = " ".join(unit)
        shown = dict.fromkeys((text, self.table.worded(text)))
        return any(word not in _JOINING and word not in change_forms.IT for word in said) and any(
            self._names(said, unit, one) for one in shown
        )

    def _names(self, said: Sequence[str], unit: Unit, text: str) -> bool:
        tokens = text.split()
        places = [
            place
            for place, word in enumerate(said)
            if word not in _JOINING and not any(self._is_like(word, token, unit) for token in tokens)
        ]
        if not places:
            return True
        is_in_one = places[-1] - places[0] == len(places) - 1
        return is_in_one and bool(self.spans(" ".join(said[place] for place in places), unit))

    def _is_like(self, word: str, token: str, unit: Unit) -> bool:
        """Say whether a word is another, or a form of it, and would not be read as something else in its place."""
        bare = token.strip(",;:.").casefold()
        if word == bare:
            return True
        if len(word) < 2 or not (word.isalpha() and bare.isalpha()):
            return False
        shorter = min(len(word), len(bare))
        same = next((at for at in range(shorter) if word[at] != bare[at]), shorter)
        if not bare.startswith(word) and same < max(3, shorter - 2):
            return False
        other = " ".join(word if one == token else one for one in " ".join(unit).split())
        return len(unit) > 1 or self.read(other) in ((), (unit,))

    def says_deed(self, what: str, unit: Unit) -> bool:
        """Say whether words name what an order does, and not only on whom."""
        deed = unit[0].split(maxsplit=1)[0]
        return any(self._is_like(word, deed, unit) for word in change_forms.words(what))

    def begins(self, said: Sequence[str], tokens: Sequence[str], unit: Unit) -> bool:
        """Say whether words stand among others, in their order."""
        left = iter(tokens)
        bare = (word for word in change_forms.words(" ".join(said)) if word not in _JOINING)
        return all(any(self._is_like(word, token, unit) for token in left) for word in bare)

    def _is_read(self, *parts: Sequence[str], unit: Unit) -> bool:
        return self.read(" ".join(word for part in parts for word in part)) == (unit,)

    def spans(self, what: str, unit: Unit) -> list[tuple[int, int]]:
        """
        Return the parts of an order that words name: they are the same words, or are read as the same.

        Shape: words that say nothing name nothing: without them the order would be the same.
        """
        if len(unit) != 1:
            return []
        tokens = unit[0].split()
        said = [word for word in change_forms.words(ARTICLE.sub("", what)) if word not in _JOINING]
        if not said or set(said) <= change_forms.IT:
            return []
        is_same: Callable[[str, str], bool] = lambda word, token: self._is_like(word, token, unit)  # noqa: E731
        found = []
        for start, end in parts(len(tokens)):
            is_said = end - start == len(said) and all(map(is_same, said, tokens[start:end]))
            rest = (tokens[:start], tokens[end:])
            if is_said or (self._is_read(rest[0], [what], rest[1], unit=unit) and not self._is_read(*rest, unit=unit)):
                found.append((start, end))
        return found


def places_of(reader: Reader, number: int) -> tuple[int, ...]:
    """
    Find the orders that a letter shows under a number; none where that cannot be told.

    Shape: letters may sum orders up, and list them in an order of their own. The number is that of a row; the orders
    are those without which all rows but that one would be there: one, or all that the row sums up.
    """
    rows, is_last = reader.shown()
    if not (1 <= number <= len(rows) or (number == 0 and rows and is_last)):
        return ()
    at = (number or len(rows)) - 1
    wanted = [*rows[:at], *rows[at + 1 :]]
    if at < len(reader.orders) and reader.shown(at)[0] == wanted:
        return (at,)
    less = {place: reader.shown(place)[0] for place in range(len(reader.orders))}
    found = [place for place, left in less.items() if left == wanted]
    if found:
        return (found[0],) if len(found) == 1 else ()
    summed = tuple(place for place, left in less.items() if left != rows and [*left[:at], *left[at + 1 :]] == wanted)
    return summed if summed and reader.shown(*summed)[0] == wanted else ()


def _rows(reader: Reader, orders: Sequence[Any]) -> tuple[list[Any], bool]:
    """
    Return the rows by which a letter would show a set, and whether no other rows come behind them.

    Shape: of a seat with several heroes those of one after the other, as they are numbered, each with whose it is.
    """
    table = reader.table
    facts = table.ruleset.hand(table.seen_by(reader.seat), reader.seat, tuple(orders))
    first: list[Any] = facts.get("rows") or facts.get("orders") or []
    others = [one for value in facts.values() if isinstance(value, list) and value is not first for one in value]
    inner = [one for one in others if isinstance(one, dict)]
    rows = [(place, row) for place, one in enumerate(inner) for row in one.get("rows", ())]
    rows = rows or [(0, row) for row in first]
    lines = [(whose, row.get("line", row) if isinstance(row, dict) else row) for whose, row in rows]
    return lines, not any("line" in one for one in inner)


def has_no_other_number(made: Slots, said: Sequence[str]) -> bool:
    """Say whether all numbers stand in what was said: half of what an order has may be half of all that there is."""
    numbers = {number for unit in made for line in unit for number in _NUMBER.findall(line)}
    return numbers <= set(_NUMBER.findall(" ".join(said)))


def parts(count: int) -> Iterator[tuple[int, int]]:
    """Return the beginnings and ends of all parts of so many words, of a few words each."""
    return ((start, end) for start, end in combinations(range(count + 1), 2) if end - start <= SPAN)
