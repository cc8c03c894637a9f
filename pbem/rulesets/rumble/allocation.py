"""What one set of a round's orders comes to: sums by purpose, and what of it can be paid; knows one seat only."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from pbem.ruleset import Dice
from pbem.rulesets.rumble import conditions
from pbem.rulesets.rumble.orders import (
    Attack,
    Confirm,
    Defend,
    Discard,
    Hold,
    Name,
    Order,
    Plan,
    Resign,
    Use,
)  # fmt: skip
from pbem.rulesets.rumble.state import State


class Allocation(msgspec.Struct, frozen=True, kw_only=True):
    """
    What a seat puts where this round.

    Shape: `attacks` maps each target to the Energy against it, lines on one target merged (A4); `dropped`
    are the parts that could not be paid.
    """

    attacks: dict[str, int] = {}
    defence: int = 0
    uses: tuple[Use, ...] = ()
    holds: tuple[Hold, ...] = ()
    plans: tuple[Plan, ...] = ()
    discards: tuple[str, ...] = ()
    name: str = ""
    confirmed: bool = False
    resigned: bool = False
    dropped: tuple[str, ...] = ()

    @property
    def burnt(self) -> int:
        """Return the Energy that leaves for good (R14)."""
        return sum(use.burn * use.times for use in self.uses)

    @property
    def tied_up(self) -> int:
        """Return the Energy that comes back if it is not lost (R10)."""
        spent = sum(use.spend * use.times for use in self.uses)
        return sum(self.attacks.values()) + self.defence + spent + sum(hold.amount for hold in self.holds)


def allocate(state: State, seat: str, orders: Sequence[Order]) -> Allocation:
    """
    Sum up a set, conditions answered.

    Rule: R5, A4.
    """
    held = conditions.in_force(state, seat, orders)
    attacks: dict[str, int] = {}
    for order in held:
        if isinstance(order, Attack):
            attacks[order.on] = attacks.get(order.on, 0) + order.amount
    names = [order.name for order in held if isinstance(order, Name)]
    return Allocation(
        attacks=attacks,
        defence=sum(order.amount for order in held if isinstance(order, Defend)),
        uses=tuple(order for order in held if isinstance(order, Use)),
        holds=tuple(order for order in held if isinstance(order, Hold)),
        plans=tuple(order for order in held if isinstance(order, Plan)),
        discards=tuple(dict.fromkeys(order.power for order in held if isinstance(order, Discard))),
        name=names[-1] if names and state.round == 1 else "",
        confirmed=any(isinstance(order, Confirm) for order in held),
        resigned=any(isinstance(order, Resign) for order in held),
    )


def allocates(state: State, seat: str, orders: Sequence[Order]) -> bool:
    """
    Say whether a set puts Energy anywhere, if only 0 of it; whoever resigns has no use for any.

    Rule: A34.
    """
    held = conditions.in_force(state, seat, orders)
    return any(isinstance(order, Attack | Defend | Use | Hold | Resign) for order in held)


def limited(state: State, allocation: Allocation, budget: int) -> Allocation:
    """
    Cut an allocation down to what can be paid, Burn aside.

    Shape: powers first, then Energy held back, then Attacks, then Defence; a power is paid whole or not at
    all, the rest as far as it goes.
    Rule: A26.
    """
    if allocation.tied_up <= budget:
        return allocation
    left, dropped = budget, list[str]()

    def pay(wanted: int, whole: bool, what: str) -> int:
        nonlocal left
        paid = wanted if wanted <= left else 0 if whole else left
        left -= paid
        if paid < wanted:
            dropped.append(f"{wanted - paid} of {wanted} {what}" if paid else f"{wanted} {what}")
        return paid

    names = state.names
    powers = {power.key: power.name for power in state.powers}
    uses = tuple(
        use
        for use in allocation.uses
        if pay(use.spend * use.times, True, f"for {powers[use.power]}") == use.spend * use.times
    )
    holds = tuple(
        msgspec.structs.replace(hold, amount=pay(hold.amount, False, f"for {powers[hold.power]}"))
        for hold in allocation.holds
    )
    attacks = {on: pay(amount, False, f"against {names[on]}") for on, amount in allocation.attacks.items()}
    defence = pay(allocation.defence, False, "for Defence")
    kept = {on: paid for on, paid in attacks.items() if paid or not allocation.attacks[on]}
    return msgspec.structs.replace(
        allocation, uses=uses, holds=holds, attacks=kept, defence=defence, dropped=tuple(dropped)
    )


def forbidden(state: State, seat: str) -> str:
    """Return the power that keeps a seat from attacking in this round, or ""."""
    due = [one.by for one in state.later if (one.what, one.on, one.round) == ("forbid", seat, state.round)]
    return due[0] if due else ""


def by_dice(state: State, seat: str, dice: Dice) -> tuple[Order, ...]:
    """
    Make up orders for an absent seat: one attack, the rest Defence.

    Rule: A21 (nmr=random).
    """
    energy = max(0, state.hero(seat).energy)
    others = [hero.seat for hero in state.living if hero.seat != seat]
    if not others or not energy or forbidden(state, seat):
        return (Defend(energy),)
    force = dice.face("how much", energy + 1) - 1
    return (Attack(str(dice.pick("whom", others)), force), Defend(energy - force))
