"""A round whose orders lie open, on its way through the reveal; what is done with it is others' affair."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import msgspec

from pbem.ruleset import Event
from pbem.rulesets.rumble.order import Order
from pbem.rulesets.rumble.orders.allocation import Allocation
from pbem.rulesets.rumble.orders.conditions import Foreseen
from pbem.rulesets.rumble.round.checkpoints import Toll
from pbem.rulesets.rumble.state import State


class Opened(msgspec.Struct, frozen=True):
    """
    A round whose orders lie open and whose Burn is paid.

    Shape: `given_up` are powers that were the price of a use, already out of play in `state`; `by_rule` are those that
    the rules use for whoever said nothing (C25).
    """

    state: State
    tolls: Mapping[str, Toll]
    allocations: Mapping[str, Allocation]
    given_up: frozenset[str] = frozenset()
    by_rule: frozenset[str] = frozenset()
    events: tuple[Event, ...] = ()

    @property
    def fighting(self) -> tuple[str, ...]:
        """Return the seats that are still in."""
        return tuple(seat for seat, toll in self.tolls.items() if not toll.out_step)

    def changed(self, seat: str, allocation: Allocation, *events: Event) -> Opened:
        """Return the round with one allocation changed."""
        allocations = {**self.allocations, seat: allocation}
        return msgspec.structs.replace(self, allocations=allocations, events=(*self.events, *events))


Foresight: TypeAlias = Callable[[Opened], Mapping[str, Foreseen]]
"""Says what a round would come to."""
Orders: TypeAlias = Mapping[str, Sequence[Order]]
