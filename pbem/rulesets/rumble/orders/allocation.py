"""What one set of a round's orders comes to: sums by purpose, and what of it can be paid; knows one seat only."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from pbem.ruleset import Dice
from pbem.rulesets.rumble.model.order import (
    Ask,
    Attack,
    Captions,
    Confirm,
    Defend,
    Discard,
    Hold,
    Idle,
    Move,
    Name,
    Never,
    Order,
    Packets,
    Plan,
    Resign,
    Step,
    Use,
)  # fmt: skip
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.orders import conditions
from pbem.rulesets.rumble.powers.engine.active_abilities import allocates_later
from pbem.rulesets.rumble.powers.engine.prices import discounted


class Allocation(msgspec.Struct, frozen=True, kw_only=True):
    """
    What a seat puts where this round.

    Shape: `attacks` maps each target to the Energy against it, lines on one target merged (A4); `dropped`
    are the parts that could not be paid; `steps` are the plans for Energy held back, as far as they run by themselves;
    `idle` is how much at most is to stay unallocated, -1 for all that does, None where nothing is said of it (A1);
    `raised` are the targets of Attacks that a power demands and the set has not, or not as large, each with that
    power's name (C28).
    """

    attacks: dict[str, int] = {}
    defence: int = 0
    uses: tuple[Use, ...] = ()
    holds: tuple[Hold, ...] = ()
    plans: tuple[Plan, ...] = ()
    discards: tuple[str, ...] = ()
    nevers: tuple[str, ...] = ()
    moves: tuple[Move, ...] = ()
    packets: tuple[str, ...] = ()
    captions: tuple[Captions, ...] = ()
    name: str = ""
    steps: tuple[Step, ...] = ()
    confirmed: bool = False
    asks: bool = False
    resigned: bool = False
    idle: int | None = None
    dropped: tuple[str, ...] = ()
    raised: dict[str, str] = {}

    @property
    def burnt(self) -> int:
        """Return the Energy that leaves for good (R14)."""
        return sum(use.burn * use.times for use in self.uses)

    @property
    def drained(self) -> int:
        """Return the Energy that leaves at the reveal (N12)."""
        return sum(use.drain * use.times for use in self.uses)

    @property
    def lost(self) -> int:
        """Return the Energy that leaves, by Burn or drained."""
        return self.burnt + self.drained

    @property
    def taken(self) -> int:
        """Return the Energy that is tied up or burnt, of which a hero has to have so much (R5)."""
        return self.tied_up + self.burnt

    @property
    def tied_up(self) -> int:
        """Return the Energy that comes back if it is not lost (R10)."""
        spent = sum(use.spend * use.times for use in self.uses)
        return sum(self.attacks.values()) + self.defence + spent + sum(hold.amount for hold in self.holds)


def allocate(state: State, seat: str, orders: Sequence[Order], *, obeying: bool = True) -> Allocation:
    """
    Sum up a set, conditions answered, with what powers make cheaper and, `obeying`, what they demand.

    Rule: R5, A4, C12, C28.
    """
    held: dict[type, list[Any]] = {}
    for order in conditions.in_force(state, seat, orders):
        held.setdefault(type(order), []).append(order)
    attacks: dict[str, int] = {}
    for order in held.get(Attack, ()):
        attacks[order.on] = attacks.get(order.on, 0) + order.amount
    names = [order.name for order in held.get(Name, ())]
    allocation = Allocation(
        attacks=attacks,
        defence=sum(order.amount for order in held.get(Defend, ())),
        uses=discounted(state, seat, held.get(Use, ())),
        holds=tuple(held.get(Hold, ())),
        plans=tuple(held.get(Plan, ())),
        discards=tuple(dict.fromkeys(order.power for order in held.get(Discard, ()))),
        nevers=tuple(order.power for order in held.get(Never, ())),
        packets=next((order.first for order in held.get(Packets, ())), ()),
        moves=tuple(held.get(Move, ())),
        captions=tuple(held.get(Captions, ())),
        name=names[-1] if names and state.round == 1 else "",
        steps=tuple(step for plan in _running(state, held.get(Plan, ())) for step in plan.steps),
        asks=Ask in held,
        confirmed=Confirm in held,
        resigned=Resign in held,
        idle=_kept_idle(held),
    )
    return _obeying(state, seat, allocation) if obeying else allocation


def _kept_idle(held: Mapping[type, Sequence[Any]]) -> int | None:
    """Return how much is to stay idle; who wants no Defence at all leaves the rest idle. Rule: A1."""
    if Defend in held and not any(order.amount for order in held[Defend]):
        return -1
    said = [order.amount for order in held.get(Idle, ())]
    return (-1 if min(said) < 0 else sum(said)) if said else None


def left_over(state: State, seat: str, orders: Sequence[Order]) -> int:
    """Return the Energy that a set neither allocates nor says to leave idle. Rule: A1."""
    whole = allocate(state, seat, orders, obeying=False)
    left = max(0, state.hero(seat).energy - whole.taken)
    if whole.resigned or whole.idle == -1:
        return 0
    return max(0, left - (whole.idle or 0))


def _running(state: State, plans: Sequence[Plan]) -> Sequence[Plan]:
    """Return the plans that run by themselves. Rule: R16."""
    return [plan for plan in plans if allocates_later(state.card(plan.power))]


def allocates(state: State, seat: str, orders: Sequence[Order]) -> bool:
    """
    Say whether a set puts Energy anywhere, if only 0 of it, leaves it idle by its own words, or resigns.

    Rule: A34.
    """
    return any(isinstance(order, _ALLOCATING) for order in conditions.in_force(state, seat, orders))


_ALLOCATING = (Attack, Defend, Use, Hold, Idle, Resign)


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


def moved(allocation: Allocation, amount: int, on: str = "", *, due: Mapping[str, int] | None = None) -> Allocation:
    """
    Return an allocation with Energy moved from Attacks to Defence, -1 for all of it.

    Shape: `on` is against whom the Attack was; without it the largest gives first. An Attack of nothing left is none;
    what is `due` on somebody stays.
    Rule: C26, C28.
    """
    attacks = dict(allocation.attacks)
    left = sum(attacks.values()) if amount < 0 else amount
    for target in [on] if on else sorted(attacks, key=lambda seat: -attacks[seat]):
        taken = min(left, max(0, attacks.get(target, 0) - (due or {}).get(target, 0)))
        left -= taken
        if taken:
            attacks[target] -= taken
    went = sum(allocation.attacks.values()) - sum(attacks.values())
    kept = {target: force for target, force in attacks.items() if force or not allocation.attacks[target]}
    return msgspec.structs.replace(allocation, attacks=kept, defence=allocation.defence + went)


def forbidden(state: State, seat: str) -> str:
    """Return the power that keeps a seat from attacking in this round, or ""."""
    due = [one.by for one in state.later if (one.what, one.on, one.round) == ("forbid", seat, state.round)]
    return due[0] if due else ""


def owed(state: State, seat: str) -> dict[str, tuple[int, str]]:
    """
    Return whom a seat must attack in this round, with how much at the least, and by which power.

    Rule: C28: the oldest first, as long as there is Energy; who cannot attack need not.
    """
    left = max(0, state.hero(seat).energy)
    found: dict[str, tuple[int, str]] = {}
    for one in state.later:
        due = (one.what, one.on, one.round) == ("require", seat, state.round) and one.source != seat
        if not due or forbidden(state, seat) or not state.hero(one.source).is_in:
            continue
        before = found.get(one.source, (0, one.by))[0]
        amount = min(max(one.amount, before), before + left)
        left -= amount - before
        if amount:
            found[one.source] = (amount, one.by)
    return found


def _obeying(state: State, seat: str, allocation: Allocation) -> Allocation:
    """Return an allocation with the Attacks that are owed, whatever else has to give way for them."""
    demands = owed(state, seat) if state.later else {}
    due = {on: amount for on, (amount, _) in demands.items()}
    by = {on: power for on, (amount, power) in demands.items() if allocation.attacks.get(on, 0) < amount}
    if not by or allocation.resigned:
        return allocation
    attacks = {**allocation.attacks, **{on: max(n, allocation.attacks.get(on, 0)) for on, n in due.items()}}
    raised = msgspec.structs.replace(allocation, attacks=attacks, raised=by)
    over = max(0, raised.taken - state.hero(seat).energy)
    defence = raised.defence - min(over, raised.defence)
    over -= raised.defence - defence
    for on, force in [*attacks.items()]:
        given = max(0, min(over, force - due.get(on, 0)))
        attacks[on] -= given
        over -= given
    holds = []
    for hold in raised.holds:
        given = max(0, min(over, hold.amount))
        holds.append(msgspec.structs.replace(hold, amount=hold.amount - given))
        over -= given
    uses: list[Use] = []
    for use in reversed(raised.uses):
        cost = (use.spend + use.burn) * use.times
        if over > 0 and cost:
            over -= cost
        else:
            uses.insert(0, use)
    defence += max(0, -over)  # a power gives way whole, and what that frees besides defends
    kept = {on: amount for on, amount in attacks.items() if amount or not allocation.attacks.get(on, 1)}
    return msgspec.structs.replace(raised, attacks=kept, defence=defence, holds=tuple(holds), uses=tuple(uses))


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
