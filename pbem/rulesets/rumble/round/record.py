"""A round in progress, as one record that each stage takes and returns; decides nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Literal, TypeAlias, get_args

import msgspec

from pbem.ruleset import Dice, Event, Result
from pbem.rulesets.rumble.effect import Effect, EnergyChange, without
from pbem.rulesets.rumble.effects.power_rulings import Said
from pbem.rulesets.rumble.model.order import Orders
from pbem.rulesets.rumble.model.state import Power, State, discarded
from pbem.rulesets.rumble.orders.allocation import Allocation
from pbem.rulesets.rumble.orders.conditions import Foreseen, Revealed
from pbem.rulesets.rumble.powers.engine.active_abilities import ActiveAbility
from pbem.rulesets.rumble.powers.engine.reactions import Reactions
from pbem.rulesets.rumble.powers.engine.scene import Pair, Scene
from pbem.rulesets.rumble.round.checkpoints import Toll

Part = Literal["news", "names", "orders", "reveal", "shouts", "blows", "powers", "standings", "next", "idle"]
PARTS: tuple[Part, ...] = get_args(Part)
"""The parts of the report on a round, in their order."""


class Blows(msgspec.Struct, frozen=True, kw_only=True):
    """
    What the blows did.

    Shape: damage by victim, the same by dealer ("" where nobody dealt it), of that what came by Attacks, who
    attacked whom, Defence that blocked nothing, and what powers gave and took meanwhile. `late` is the damage after
    the first hero had burst (C27), `left` the Defence that is left, `shielded` whom nothing hurts any more, `carried`
    the Attacks that bore what rode on them.
    """

    damage: dict[str, int] = {}
    by: dict[str, dict[str, int]] = {}
    landed: dict[str, dict[str, int]] = {}
    attacked: dict[str, tuple[str, ...]] = {}
    unused: dict[str, int] = {}
    shares: tuple[EnergyChange, ...] = ()
    late: dict[str, int] = {}
    left: dict[str, int] = {}
    shielded: frozenset[str] = frozenset()
    carried: frozenset[Pair] = frozenset()


class Round(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """
    A round between its orders and its outcome.

    Shape: `before` is the state when all orders lay open and the heroes had their names, `state` as it is by now;
    `wanted` is what was allocated, `paid` what of it could be paid, `allocations` what counts by now. `said` is what
    the moderator says; `effects` hold in the blows, or are left for rounds to come, those of powers too once they act;
    `left` hold when the blows are over (C32). `given_up` are powers that were the price of a use, out of play already;
    `by_rule` are those that the rules use for owners who said nothing (C25); `rescuers` have saved somebody before the
    blows. `scene` is that in which the powers that are `running` began to act. `burnt` is the Energy that heroes burnt
    where that is damage (A10). `tolls` are each hero's Energy by now, `struck` as the blows left it. `is_told` says
    that somebody reads the report. The dice alone are no value.
    """

    before: State
    state: State
    names: Mapping[str, str]
    orders: Orders
    answers: Orders
    dice: Dice
    wanted: Mapping[str, Allocation]
    paid: Mapping[str, Allocation] = {}
    allocations: Mapping[str, Allocation] = {}
    said: tuple[Said, ...] = ()
    effects: tuple[Effect, ...]
    left: tuple[Effect, ...] = ()
    seen: Revealed = Revealed()
    given_up: frozenset[str] = frozenset()
    by_rule: frozenset[str] = frozenset()
    rescuers: frozenset[str] = frozenset()
    tolls: Mapping[str, Toll] = {}
    struck: Mapping[str, Toll] = {}
    scene: Scene
    running: tuple[ActiveAbility, ...] = ()
    burnt: Mapping[str, int] = {}
    reactions: Reactions
    blows: Blows = Blows()
    events: Mapping[Part, tuple[Event, ...]] = {}
    result: Result | None = None
    is_told: bool = True

    @cached_property
    def fighting(self) -> tuple[str, ...]:
        """Return the seats that are still in."""
        return tuple(seat for seat, toll in self.tolls.items() if not toll.out_step)

    def with_events(self, part: Part, *events: Event) -> Round:
        """Return the round with more events in one part of its report."""
        if not events:
            return self
        return msgspec.structs.replace(self, events={**self.events, part: (*self.events.get(part, ()), *events)})

    def with_allocation(self, seat: str, allocation: Allocation) -> Round:
        """Return the round with one allocation changed."""
        return msgspec.structs.replace(self, allocations={**self.allocations, seat: allocation})

    def with_toll(self, seat: str, toll: Toll) -> Round:
        """Return the round with one hero's Energy changed."""
        return msgspec.structs.replace(self, tolls={**self.tolls, seat: toll})

    def giving_up(self, powers: Sequence[Power]) -> Round:
        """Return the round without powers that are the price of a use."""
        given_up = self.given_up | {power.key for power in powers}
        return msgspec.structs.replace(
            self,
            state=discarded(self.state, [power.key for power in powers]),
            given_up=given_up,
            effects=without(self.effects, given_up),
        )


Foresight: TypeAlias = Callable[[Round], Mapping[str, Foreseen]]
"""Says what a round would come to."""
