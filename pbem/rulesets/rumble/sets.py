"""Complains of a set as a whole: over budget, twice the same, burnt to nothing; never cuts anything down."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.ruleset import Complaint, Dice, phrases
from pbem.rulesets.rumble import conditions
from pbem.rulesets.rumble.allocation import allocate, allocates, by_dice, forbidden
from pbem.rulesets.rumble.orders import (
    Attack,
    Bid,
    Defend,
    Hold,
    Invent,
    Name,
    Order,
    RoundOrder,
    Use,
)  # fmt: skip
from pbem.rulesets.rumble.powers.pricing import over_limit
from pbem.rulesets.rumble.state import MOST_BID, State
from pbem.rulesets.rumble.writing import show_line

POWERS_EACH = 2
"""How many powers each seat sends to the pool (R17)."""


def check(state: State, seat: str, orders: Sequence[Order]) -> tuple[Complaint, ...]:
    """Complain of what is wrong with a set as a whole, once for each kind of mistake."""
    match state.phase:
        case "powers":
            found = _too_many_powers(state, orders)
        case "auction" | "rebid":
            found = _bids_twice(state, orders)
        case _:
            found = _round(state, seat, orders)
    return tuple(found)


def _at(state: State, order: Order, because: str, rule: str) -> Complaint:
    return Complaint(order.line, show_line(state, order), "illegal", because, rule)


def _too_many_powers(state: State, orders: Sequence[Order]) -> list[Complaint]:
    extra = [order for order in orders if isinstance(order, Invent)][POWERS_EACH:]
    return [_at(state, extra[0], "Each hero sends two powers; this is one more. Take one out.", "R17")] if extra else []


def _bids_twice(state: State, orders: Sequence[Order]) -> list[Complaint]:
    seen: set[str] = set()
    found = []
    for order in orders:
        if isinstance(order, Bid):
            if order.power in seen:
                found.append(_at(state, order, "You bid on this power twice. Keep one of the lines.", "R18"))
            seen.add(order.power)
    return found


def _round(state: State, seat: str, orders: Sequence[Order]) -> list[Complaint]:
    found = [*_two_names(state, orders), *_forbidden(state, seat, orders)]
    over = _over_budget(state, seat, orders)
    if over:
        return [*found, over]
    burnt = _burnt_out(state, seat, orders)
    idle = _idle(state, seat, orders)
    often = _too_often(state, seat, orders)
    return [*found, *(complaint for complaint in (burnt, often, idle) if complaint)]


def _forbidden(state: State, seat: str, orders: Sequence[Order]) -> list[Complaint]:
    by = forbidden(state, seat)
    attacks = [whole for whole, order in _placed(state, seat, orders) if by and isinstance(order, Attack)]
    because = f"{by} keeps you from attacking in this round."
    return [_at(state, attacks[0], because, "R15")] if attacks else []


def _two_names(state: State, orders: Sequence[Order]) -> list[Complaint]:
    names = [order for order in orders if isinstance(order, Name)]
    others = [order for order in names if order.name != names[0].name]
    return [_at(state, others[0], "You gave two names. Keep one.", "B10")] if others else []


def _placed(state: State, seat: str, orders: Sequence[Order]) -> list[tuple[Order, RoundOrder]]:
    """Pair each order in force with the line it stands in, the whole `if` line where it is guarded."""
    pairs: list[tuple[Order, RoundOrder]] = []
    for order in orders:
        pairs += [(order, held) for held in conditions.in_force(state, seat, [order])]
    return pairs


def _over_budget(state: State, seat: str, orders: Sequence[Order]) -> Complaint | None:
    energy = state.hero(seat).energy
    sums = {"for attack": 0, "for Defence": 0, "for powers": 0, "burnt": 0, "held back": 0}
    for whole, order in _placed(state, seat, orders):
        before = dict(sums)
        match order:
            case Attack(_, amount):
                sums["for attack"] += amount
            case Defend(amount):
                sums["for Defence"] += amount
            case Hold(amount, _):
                sums["held back"] += amount
            case Use():
                sums["for powers"] += order.spend * order.times
                sums["burnt"] += order.burn * order.times
            case _:
                pass
        total = sum(sums.values())
        if total > energy:
            parts = [f"{amount} {what}" for what, amount in before.items() if amount]
            said = f"With {phrases.listed(parts, 'and')} this" if parts else "This"
            return _at(state, whole, f"{said} comes to {total}; you have {energy}.", "R5")
    return None


def _burnt_out(state: State, seat: str, orders: Sequence[Order]) -> Complaint | None:
    energy = state.hero(seat).energy
    if allocate(state, seat, orders).confirmed:
        return None
    burnt = 0
    for whole, order in _placed(state, seat, orders):
        if isinstance(order, Use):
            burnt += order.burn * order.times
            if order.burn and burnt >= energy:
                because = (
                    f"Burning {burnt} leaves you with {energy - burnt}, and you would be out before anything "
                    "else happens. If you mean it, add a line: confirm."
                )
                return _at(state, whole, because, "A9")
    return None


def _too_often(state: State, seat: str, orders: Sequence[Order]) -> Complaint | None:
    placed = [(whole, order) for whole, order in _placed(state, seat, orders) if isinstance(order, Use)]
    found = over_limit(state, seat, [use for _, use in placed])
    if found is None:
        return None
    use, because = found
    return _at(state, next(whole for whole, order in placed if order is use), because, "N9")


def _idle(state: State, seat: str, orders: Sequence[Order]) -> Complaint | None:
    filled = state.house["nmr"] != "hold" and not allocates(state, seat, orders)
    if state.house["must_allocate_all"] == "no" or filled:
        return None
    allocation = allocate(state, seat, orders)
    energy = state.hero(seat).energy
    idle = energy - allocation.tied_up - allocation.burnt
    if idle <= 0 or allocation.resigned:
        return None
    because = f"{idle} of your {energy} would stand idle. Here all Energy must be allocated: add {idle} somewhere."
    return Complaint(0, "", "illegal", because, "A1")


def lacks(state: State, seat: str, orders: Sequence[Order]) -> str:
    """Return "" when a set is complete, else what it lacks, as a clause."""
    match state.phase:
        case "powers":
            short = POWERS_EACH - sum(isinstance(order, Invent) for order in orders)
            return {0: "", 1: "one more power", 2: "two powers"}.get(max(0, short), "")
        case "rebid":
            bid = {order.power for order in orders if isinstance(order, Bid)}
            open_ties = [key for key, seats in state.ties.items() if seat in seats and key not in bid]
            names = {power.key: power.name for power in state.powers}
            return f"a bid on {phrases.listed([names[key] for key in open_ties], 'and')}" if open_ties else ""
        case "auction":
            return "" if any(isinstance(order, Bid) for order in orders) else "at least one bid"
        case _:
            return "" if any(not isinstance(order, Name) for order in orders) else "an order for the round"


def missing(state: State, seat: str, dice: Dice) -> tuple[Order, ...]:
    """
    Return the orders of a seat that sent nothing.

    Rule: A21, B9; B14 (in a rebid the bid stands); B13 (no powers: none are made up).
    """
    match state.phase:
        case "auction":
            amount = min(MOST_BID, int(state.house["nmr_bid"]))
            return tuple(Bid(power.key, amount) for power in state.pool()) if amount else ()
        case "round":
            return _absent(state, seat, dice)
        case _:
            return ()


def completed(state: State, seat: str, orders: Sequence[Order], dice: Dice) -> tuple[Order, ...]:
    """
    Return a set of a round with what an absent seat's would hold, where it allocates nothing itself.

    Rule: A34.
    """
    if allocates(state, seat, orders):
        return tuple(orders)
    return (*orders, *_absent(state, seat, dice))


def _absent(state: State, seat: str, dice: Dice) -> tuple[Order, ...]:
    match state.house["nmr"]:
        case "hold":
            return ()
        case "random":
            return by_dice(state, seat, dice)
        case _:
            return (Defend(max(0, state.hero(seat).energy)),)
