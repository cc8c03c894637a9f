"""What every small game repeats: the members of a ruleset that most have no need of, with sound defaults."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from pbem import phrases
from pbem.chance import Dice
from pbem.lines import P, Refused, read_lines
from pbem.phrases import Unread
from pbem.terms import Change, Complaint, Fact, Facts, Option, OrderLine, Parsed, Result, Seat


class Named(Protocol):
    """A state that knows its seats."""

    @property
    def names(self) -> Mapping[Any, str]:
        """Map every seat to the name that reports show."""
        ...


N = TypeVar("N", bound=Named)


class Game(Generic[N, P]):
    """
    A ruleset to begin with: a game inherits from it, and defines anew what it has otherwise.

    It says at least `name`, `title`, `version`, `seats`, `event_kinds`, `phase_kinds` and `state_type`, and defines
    `setup`, `phase`, `read`, `write` and `adjudicate`. There are no house rules then, nobody's proof is waited for, and
    silence is no order.
    """

    state_type: type[N]
    """The class of its states: a frozen record that msgspec can write and read."""
    settable: tuple[str, ...] = ()
    """Fields of the state that rulings can set: "wind", or one that maps seats, "coins" of `set coins of Ada = 3`."""
    derived: tuple[str, ...] = ()
    """What rulings can overrule in an adjudication: "wind", or of each seat, "bid" of a verdict's key `bid of ada`."""
    values: Mapping[str, Sequence[str]] = {}
    """The values of those facts that are words, such as places or directions: {"wind": ("east", "west")}."""

    title: str
    package = ""
    options: tuple[Option, ...] = ()
    reviewed: tuple[str, ...] = ()
    reserved = frozenset[str]()
    figures: Mapping[str, int] = {}

    def setup(self, seats: Mapping[Seat, str], house: Mapping[str, str], dice: Dice) -> N:
        """Return the first state."""
        raise NotImplementedError

    def changed(self, state: N, since: int) -> tuple[Change, ...]:
        """Return nothing: the rules are as they were."""
        return ()

    def view(self, state: N, seat: Seat) -> N:
        """Return all of the state: nothing is hidden."""
        return state

    def label(self, state: N, seat: Seat) -> str:
        """Return the name that the state has for a seat."""
        return state.names[seat]

    def read(self, state: N, seat: Seat, text: str) -> P | Refused:
        """Read one order of a seat's."""
        raise NotImplementedError

    def write(self, state: N, order: P) -> str:
        """Write an order as a line that `read` takes."""
        raise NotImplementedError

    def parse(self, state: N, seat: Seat, lines: Sequence[OrderLine]) -> Parsed[P]:
        """Read a seat's lines, each by itself."""
        return read_lines(lines, lambda text: self.read(state, seat, text), self.parts)

    def format(self, state: N, orders: Sequence[P]) -> tuple[str, ...]:
        """Write orders as canonical lines."""
        return tuple(self.write(state, order) for order in orders)

    def parts(self, text: str) -> tuple[str, ...]:
        """Cut a line at its semicolons, as far as the first `if` or colon."""
        return phrases.parts(text)

    def in_block(self, state: N, text: str) -> bool:
        """Say that no line begins free text."""
        return False

    def check(self, state: N, seat: Seat, orders: Sequence[P]) -> tuple[Complaint, ...]:
        """Find nothing wrong with a set whose lines can be read."""
        return ()

    def lacks(self, state: N, seat: Seat, orders: Sequence[P]) -> str:
        """Say that any order at all makes a complete set."""
        return "" if orders else "an order"

    def stands(self, state: N, seat: Seat, orders: Sequence[P]) -> bool:
        """Say that any set can stand."""
        return True

    def missing(self, state: N, seat: Seat, dice: Dice) -> tuple[P, ...]:
        """Return no orders for a seat that sent none."""
        return ()

    def asked(self, state: N, seat: Seat) -> Facts:
        """Return nothing that depends on how things stand."""
        return {}

    def hand(self, state: N, seat: Seat, orders: Sequence[P]) -> Facts:
        """Return the orders on hand."""
        return {"orders": list(self.format(state, orders))}

    def standing(self, state: N) -> Mapping[str, Fact]:
        """Return the facts that can be set."""
        found: dict[str, Fact] = {}
        for kind in self.settable:
            held = getattr(state, kind)
            found |= (
                {f"{kind} of {seat}": held[seat] for seat in state.names} if isinstance(held, Mapping) else {kind: held}
            )
        return found

    def name_fact(self, state: N, said: str) -> str | Unread:
        """Find the key of a fact that was called `wind`, `coins Ada` or `coins of Ada`."""
        kinds = tuple(dict.fromkeys((*self.settable, *self.derived)))
        single = [kind for kind in kinds if not isinstance(getattr(state, kind, {}), Mapping)]
        if phrases.clean(said).lower() in single:
            return phrases.clean(said).lower()
        if not kinds:
            return Unread("illegal", f"{self.title} has no facts that a ruling can name.")
        match = re.fullmatch(rf"({'|'.join(kinds)})\s+(?:of\s+)?(.+)", phrases.clean(said), re.IGNORECASE)
        if not match:
            known = [kind if kind in single else f"{kind} NAME" for kind in kinds]
            return Unread("unreadable", f"Name {phrases.listed(known)}.")
        seat = phrases.find(match[2], state.names, "player")
        return seat if isinstance(seat, Unread) else f"{match[1].lower()} of {seat}"

    def read_value(self, state: N, key: str, said: str) -> Fact | Unread:
        """Read one of the words of a fact that has some, else a number, or yes or no."""
        kind = key.partition(" of ")[0]
        known = {word: word for word in self.values.get(kind, ())}
        return phrases.find(said, known, kind) if known else phrases.value(said)

    def amend(self, state: N, key: str, value: Fact) -> N | Unread:
        """Set a fact."""
        kind, of, seat = key.partition(" of ")
        held = self.standing(state).get(key)
        if held is None:
            return Unread("illegal", f"Only {phrases.listed(self.settable, 'and')} can be set.")
        if type(held) is not type(value):
            return Unread("illegal", f"Write {'yes or no' if isinstance(held, bool) else 'a number'} for {key}.")
        record: Any = state
        changed: N = msgspec.structs.replace(record, **{kind: {**getattr(state, kind), seat: value} if of else value})
        return changed

    def effect(self, state: N, said: str) -> str | Unread:
        """Read no effect."""
        return Unread("illegal", f"{self.title} has no effects.")

    def lapsed(self, state: N, effect: str) -> bool:
        """Say that an effect for each round goes on."""
        return False

    def dealable(self) -> tuple[str, ...]:
        """Return no pieces that a simulated game could begin with."""
        return ()

    def begin(self, seats: Mapping[Seat, str], house: Mapping[str, str], dealt: Mapping[str, Seat], dice: Dice) -> N:
        """Return the state in which simulated play begins: that of any game."""
        return self.setup(seats, house, dice)

    def ending(self, result: Result) -> str:
        """Say how many won."""
        return ("nobody won", "one won")[len(result.winners)] if len(result.winners) < 2 else "several won"

    def dump(self, state: N) -> dict[str, Any]:
        """Return the state as plain TOML values."""
        plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(state))
        return plain

    def load(self, data: Mapping[str, Any]) -> N:
        """Return the state that `dump` wrote."""
        return msgspec.convert(data, self.state_type)
