"""Amounts that are a share of what a hero has: the rest, all, half; reckoned once all other lines are read."""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal, TypeAlias

import msgspec

from pbem.ruleset import Complaint, Parsed, Placed
from pbem.rulesets.rumble.model.order import Attack, Command, Defend, Idle, If, Order
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.orders.allocation import allocate

Part: TypeAlias = Literal["rest", "all", "half"]


class Share(Placed, frozen=True, eq=False):
    """Energy for an attack on somebody, or for Defence where nobody is named, that is not yet a number."""

    depends: ClassVar[bool] = True

    share: Part
    on: str = ""

    def of(self, amount: int) -> Attack | Defend:
        """Return the order with its amount."""
        return Attack(self.on, amount, line=self.line) if self.on else Defend(amount, line=self.line)

    def text(self, state: State) -> str:
        """Write the order as people do."""
        return f"attack {state.names[self.on]} {self.share}" if self.on else f"defend {self.share}"


def reckoned(state: State, seat: str, found: Parsed[Order | Share]) -> Parsed[Order]:
    """
    Put numbers for shares.

    Shape: the rest is what no other line of the set takes or leaves idle, so that all others have to be read and sure;
    all is all there is, in a set that takes nothing else; half is half of that, beside another half or the rest.
    Rule: A1 (what is left idle).
    """
    if found.offered:
        whole = reckoned(state, seat, Parsed(found.offered, ()))
        found = msgspec.structs.replace(found, offered=() if whole.complaints else whole.orders)
    shares = [one for one in found.orders if isinstance(one, Share)]
    others = tuple(one for one in found.orders if not isinstance(one, Share))
    if not shares:
        return _with(found, others, found.complaints)
    amounts = _amounts(state, seat, shares, others, is_whole=not (found.complaints or found.doubts))
    if isinstance(amounts, str):
        complaints = (Complaint(one.line, one.text(state), "ambiguous", amounts, "R5") for one in shares)
        return _with(found, others, (*found.complaints, *complaints))
    left = iter(amounts)
    orders = tuple(one.of(next(left)) if isinstance(one, Share) else one for one in found.orders)
    return _with(found, orders, found.complaints)


def _with(found: Parsed[Any], orders: Sequence[Order], complaints: Sequence[Complaint]) -> Parsed[Order]:
    return msgspec.structs.replace(found, orders=tuple(orders), complaints=tuple(complaints))


def _amounts(
    state: State, seat: str, shares: Sequence[Share], others: Sequence[Order], *, is_whole: bool
) -> list[int] | str:
    """Return the amount of each share, or why it cannot be told."""
    if not is_whole:
        return "I cannot reckon this while another line is not read. Write a number."
    if any(isinstance(one, If) for one in others):
        return "What is left depends on an if of yours. Write a number."
    energy = max(0, state.hero(seat).energy)
    taken = allocate(state, seat, [one for one in others if not isinstance(one, Command)], obeying=False).taken
    kinds = sorted(one.share for one in shares)
    idle = [one.amount for one in others if isinstance(one, Idle)]
    if idle and (min(idle) < 0 or kinds == ["all"]) and kinds != ["half"]:
        return "Another line leaves Energy idle, so I cannot tell how much this is. Write a number."
    if kinds == ["all"] and not taken:
        return [energy]
    if kinds == ["rest"] and taken <= energy:
        return [max(0, energy - taken - sum(idle))]
    if kinds in (["half"], ["half", "half"], ["half", "rest"]) and not taken:
        half = energy // 2
        if energy % 2:
            return f"Half of {energy} is no whole number. Write {half} or {half + 1}."
        return [max(0, half - sum(idle)) if one.share == "rest" else half for one in shares]
    said = f"You have {energy}, of which your other lines take {taken}." if taken else f"You have {energy}."
    return f"{said} How much this is can be read in more than one way. Write a number."
