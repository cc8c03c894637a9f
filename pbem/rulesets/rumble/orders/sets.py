"""Complains of a set as a whole: over budget, twice the same, burnt to nothing; never cuts anything down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from pbem.ruleset import Complaint, Dice, phrases
from pbem.rulesets.rumble.model.order import (
    Amend,
    Attack,
    Bid,
    Captions,
    Command,
    Defend,
    Discard,
    Invent,
    Name,
    Order,
    RoundOrder,
    Use,
)  # fmt: skip
from pbem.rulesets.rumble.model.state import MOST_BID, State
from pbem.rulesets.rumble.orders import conditions, no_effect_checks
from pbem.rulesets.rumble.orders.allocation import Allocation, allocate, allocates, by_dice, forbidden, owed
from pbem.rulesets.rumble.orders.captions import repeated
from pbem.rulesets.rumble.orders.commands import orders_for
from pbem.rulesets.rumble.orders.writing import show_line
from pbem.rulesets.rumble.powers.deck import dealt_each
from pbem.rulesets.rumble.powers.engine.active_abilities import keeps_in
from pbem.rulesets.rumble.powers.engine.prices import given_up, over_limit

POWERS_EACH = 2
"""How many powers each seat sends to the pool (R17)."""


def powers_each(house: Mapping[str, str]) -> int:
    """Return how many powers each seat invents: those that are not dealt. Rule: R17, C16."""
    return POWERS_EACH - dealt_each(house)


def check(state: State, seat: str, orders: Sequence[Order]) -> tuple[Complaint, ...]:
    """Complain of what is wrong with a set as a whole, once for each kind of mistake."""
    match state.phase:
        case "powers":
            found = _too_many_powers(state, orders)
        case "auction" | "rebid":
            found = _bids_twice(state, orders)
        case "amend":
            found = _amended_twice(state, orders)
        case "keep":
            found = []
        case _:
            mine = _round(state, seat, orders) if state.hero(seat).is_in else []
            found = [*mine, *_of_sidekicks(state, orders)]
    return tuple(found)


def _at(state: State, order: Order, because: str, rule: str) -> Complaint:
    return Complaint(order.line, show_line(state, order), "illegal", because, rule)


def _amended_twice(state: State, orders: Sequence[Order]) -> list[Complaint]:
    sent = [order for order in orders if isinstance(order, Amend)]
    again = [one for place, one in enumerate(sent) if any(before.power == one.power for before in sent[:place])]
    return [_at(state, one, "This power has a new text in your set already. Keep one.", "B18") for one in again[:1]]


def _too_many_powers(state: State, orders: Sequence[Order]) -> list[Complaint]:
    each = powers_each(state.house)
    extra = [order for order in orders if isinstance(order, Invent)][each:]
    said = "two powers" if each == POWERS_EACH else "one power"
    return [_at(state, extra[0], f"Each hero sends {said}; this is one more. Take one out.", "R17")] if extra else []


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
    found = [*_two_names(state, orders), *_forbidden(state, seat, orders), *_both_ways(state, seat, orders)]
    found += [*_shouted_twice(state, seat, orders)]
    found += [_at(state, *one) for one in no_effect_checks.lines(state, seat, orders, _placed(state, seat, orders))]
    over = _over_budget(state, seat, orders)
    if over:
        return [*found, over]
    burnt = _burnt_out(state, seat, orders) or given_way(state, seat, orders)
    idle = _idle(state, seat, orders)
    often = _too_often(state, seat, orders)
    due = _disobeying(state, seat, orders)
    return [*found, *(complaint for complaint in (burnt, often, due, idle) if complaint)]


def _of_sidekicks(state: State, orders: Sequence[Order]) -> list[Complaint]:
    """Complain of what is ordered for Sidekicks as of sets of their own. Rule: N11."""
    found: list[Complaint] = []
    lines = [order for order in orders if isinstance(order, Command)]
    for sidekick in dict.fromkeys(line.seat for line in lines):
        whole = {line.line: show_line(state, line) for line in lines if line.seat == sidekick}
        for one in _round(state, sidekick, orders_for(lines, sidekick)):
            because = f"For {state.names[sidekick]}: {one.because}"
            found.append(msgspec.structs.replace(one, text=whole.get(one.line, one.text), because=because))
    return found


def _both_ways(state: State, seat: str, orders: Sequence[Order]) -> list[Complaint]:
    """Complain of a power that is discarded, and used or given up besides, or given up twice."""
    gone = {order.power for _, order in _placed(state, seat, orders) if isinstance(order, Discard)}
    given: set[str] = set()
    for whole, order in _placed(state, seat, orders):
        if isinstance(order, Use):
            price = given_up(state, order)
            twice = [price] if price and price.key in given else []
            wanted = twice or [power for power in (state.power(order.power), price) if power and power.key in gone]
            if wanted:
                because = f"You discard {wanted[0].name} in this set, so it is gone by then. Take one of the lines out."
                return [_at(state, whole, because, "B6")]
            given |= {price.key} if price else set()
    return []


def _shouted_twice(state: State, seat: str, orders: Sequence[Order]) -> list[Complaint]:
    placed = [(whole, order) for whole, order in _placed(state, seat, orders) if isinstance(order, Captions)]
    found = repeated([order for _, order in placed])
    if found is None:
        return []
    whole = next(whole for whole, order in placed if order is found[0])
    return [_at(state, whole, f"{found[1]} stands there twice. Each word is shouted once in a game.", "C31")]


def _disobeying(state: State, seat: str, orders: Sequence[Order]) -> Complaint | None:
    """Complain of an Attack that is owed and not there; a set that allocates nothing obeys by itself."""
    allocation = allocate(state, seat, orders, obeying=False)
    if allocation.resigned or not allocates(state, seat, orders):
        return None
    for on, (amount, by) in owed(state, seat).items():
        if allocation.attacks.get(on, 0) < amount:
            name = state.names[on]
            because = (
                f"{by} makes you attack {name} with {amount} at least. Write attack {name} {amount}, and the rest anew."
            )
            return Complaint(0, "", "illegal", because, "C28")
    return None


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
    """Name the first line with which a set comes to more than there is; what is cheaper by then counts as such."""
    energy = state.hero(seat).energy
    whole = allocate(state, seat, orders, obeying=False)
    if whole.tied_up + whole.burnt <= energy:
        return None
    before = ""
    for place, order in enumerate(orders, 1):
        allocation = allocate(state, seat, orders[:place], obeying=False)
        total = allocation.tied_up + allocation.burnt
        if total > energy:
            said = f"With {before} this" if before else "This"
            return _at(state, order, f"{said} comes to {total}; you have {energy}.", "R5")
        before = _sums(allocation)
    return None


def _sums(allocation: Allocation) -> str:
    sums = {
        "for attack": sum(allocation.attacks.values()),
        "for Defence": allocation.defence,
        "for powers": sum(use.spend * use.times for use in allocation.uses),
        "burnt": allocation.burnt,
        "held back": sum(hold.amount for hold in allocation.holds),
    }
    return phrases.listed([f"{amount} {what}" for what, amount in sums.items() if amount], "and")


def _burnt_out(state: State, seat: str, orders: Sequence[Order]) -> Complaint | None:
    energy = state.hero(seat).energy
    whole = allocate(state, seat, orders)
    if whole.confirmed or whole.burnt + whole.drained < energy or not (whole.burnt or whole.drained):
        return None
    if _keeping(state, seat, orders):
        return None
    for place, order in enumerate(orders, 1):
        allocation = allocate(state, seat, orders[:place])
        lost = allocation.burnt + allocation.drained
        if lost and lost >= energy:
            how = "Burning" if not allocation.drained else "Burning and draining" if allocation.burnt else "Draining"
            because = (
                f"{how} {lost} leaves you with {energy - lost}, and you would fall before anything "
                "else happens. If you mean it, add a line: confirm."
            )
            return _at(state, order, because, "A9" if allocation.burnt else "C4")
    return None


def given_way(state: State, seat: str, orders: Sequence[Order]) -> Complaint | None:
    """Complain of a power that goes, though without it its owner is out at once. Rule: A9, C15."""
    whole = allocate(state, seat, orders)
    left = state.hero(seat).energy - whole.burnt - whole.drained
    keeping = _keeping(state, seat, orders[:0])
    if whole.confirmed or left > 0 or not keeping or _keeping(state, seat, orders):
        return None
    line, last = next((line, key) for line, key in reversed(_going(state, seat, orders)) if key in keeping)
    because = (
        f"On {left} Energy {keeping[last]} alone keeps you in: without it you would fall before anything else "
        "happens. If you mean it, add a line: confirm."
    )
    return _at(state, line, because, "A9")


def _keeping(state: State, seat: str, orders: Sequence[Order]) -> dict[str, str]:
    """Return the powers, by number with their names, that keep a seat from losing and do not go. Rule: C15."""
    gone = {key for _, key in _going(state, seat, orders)}
    return {power.key: power.name for power in state.owned(seat) if keeps_in(power) and power.key not in gone}


def _going(state: State, seat: str, orders: Sequence[Order]) -> list[tuple[Order, str]]:
    """List the powers that a set discards or gives up, each with its line."""
    found = []
    for line, order in _placed(state, seat, orders):
        if isinstance(order, Discard):
            found.append((line, order.power))
        elif isinstance(order, Use) and (price := given_up(state, order)):
            found.append((line, price.key))
    return found


def _too_often(state: State, seat: str, orders: Sequence[Order]) -> Complaint | None:
    placed = [(whole, order) for whole, order in _placed(state, seat, orders) if isinstance(order, Use)]
    found = over_limit(state, seat, [use for _, use in placed])
    if found is None:
        return None
    use, because = found
    return _at(state, next(whole for whole, order in placed if order is use), because, "N9")


def _idle(state: State, seat: str, orders: Sequence[Order]) -> Complaint | None:
    filled = (state.house["nmr"] != "hold" or state.hero(seat).power) and not allocates(state, seat, orders)
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
            short = powers_each(state.house) - sum(isinstance(order, Invent) for order in orders)
            return {0: "", 1: "one more power", 2: "two powers"}.get(max(0, short), "")
        case "rebid":
            bid = {order.power for order in orders if isinstance(order, Bid)}
            open_ties = [key for key, seats in state.ties.items() if seat in seats and key not in bid]
            names = {power.key: power.name for power in state.powers}
            return f"a bid on {phrases.listed([names[key] for key in open_ties], 'and')}" if open_ties else ""
        case "auction":
            return "" if any(isinstance(order, Bid) for order in orders) else "at least one bid"
        case "reveal" | "keep" | "amend":
            return "" if orders else "an answer"
        case _:
            said = [one for order in orders for one in (order.orders if isinstance(order, Command) else [order])]
            return "" if any(not isinstance(order, Name) for order in said) else "an order for the round"


def missing(state: State, seat: str, dice: Dice) -> tuple[Order, ...]:
    """
    Return the orders of a seat that sent nothing.

    Rule: A21, B9; B14 (in a rebid the bid stands); B13 (no powers: none are made up).
    """
    match state.phase:
        case "auction":
            amount = min(MOST_BID, int(state.house["nmr_bid"]))
            return tuple(Bid(power.key, amount) for power in state.pool()) if amount else ()
        case "rebid":  # of what all bid on anew, since its text was changed (B15)
            amount = min(MOST_BID, int(state.house["nmr_bid"]))
            return tuple(Bid(key, amount) for key, seats in state.rebidders.items() if not seats) if amount else ()
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
    """Return what stands for no orders; a Sidekick defends, whatever its owner does. Rule: A21, N11."""
    hero = state.hero(seat)
    match "defend" if hero.power else state.house["nmr"] if hero.is_in else "hold":
        case "hold":
            return ()
        case "random":
            return by_dice(state, seat, dice)
        case _:
            return (Defend(max(0, hero.energy)),)
