"""Complains of a set as a whole: over budget, twice the same, burnt to nothing; never cuts anything down."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

import msgspec

from pbem.ruleset import Complaint, Dice, phrases
from pbem.rulesets.rumble.model.order import (
    Amend,
    Ask,
    Attack,
    Bid,
    Captions,
    Command,
    Defend,
    Discard,
    Hold,
    If,
    Invent,
    Move,
    Name,
    Order,
    Plan,
    Use,
)  # fmt: skip
from pbem.rulesets.rumble.model.state import MOST_BID, Power, State
from pbem.rulesets.rumble.orders import conditions, no_effect_checks
from pbem.rulesets.rumble.orders.allocation import Allocation, allocate, allocates, by_dice, forbidden, left_over
from pbem.rulesets.rumble.orders.commands import orders_for
from pbem.rulesets.rumble.orders.no_effect_checks import Fault, Placed
from pbem.rulesets.rumble.orders.writing import show_line
from pbem.rulesets.rumble.powers.deck import dealt_each
from pbem.rulesets.rumble.powers.engine.active_abilities import answers, asks, does, keeps_in
from pbem.rulesets.rumble.powers.engine.prices import given_up, over_limit
from pbem.rulesets.rumble.powers.language.lines import Move as Moving

Kind = TypeVar("Kind", bound=Order)
OnPower = TypeVar("OnPower", Bid, Amend)
POWERS_EACH = 2
"""How many powers each seat sends to the pool (R17)."""


def powers_each(house: Mapping[str, str]) -> int:
    """Return how many powers each seat invents: those that are not dealt. Rule: R17, C16."""
    return POWERS_EACH - dealt_each(house)


def check(state: State, seat: str, orders: Sequence[Order]) -> tuple[Complaint, ...]:
    """Complain of what is wrong with a set as a whole, once for each kind of mistake."""
    found: list[Fault] = []
    match state.phase:
        case "powers":
            each = powers_each(state.house)
            sent = "two powers" if each == POWERS_EACH else "one power"
            because = f"Each hero sends {sent}; this is one more. Take one out."
            found = [(one, because, "R17") for one in _of_kind(orders, Invent)[each : each + 1]]
        case "auction" | "rebid":
            because = "You bid on this power twice. Keep one of the lines."
            found = [(one, because, "R18") for one in _again(_of_kind(orders, Bid))]
        case "amend":
            because = "This power has a new text in your set already. Keep one."
            found = [(one, because, "B18") for one in _again(_of_kind(orders, Amend))[:1]]
        case "round" | "reveal" | "over":
            mine = _round(state, seat, orders) if state.hero(seat).is_in else []
            return (*mine, *_of_sidekicks(state, orders))
    return tuple(complaint(state, *fault) for fault in found)


def complaint(state: State, order: Order | None, because: str, rule: str) -> Complaint:
    """Complain of an order, or of a whole set."""
    line, text = (order.line, show_line(state, order)) if order else (0, "")
    return Complaint(line, text, "illegal", because, rule)


def _of_kind(orders: Sequence[Order], kind: type[Kind]) -> list[Kind]:
    return [order for order in orders if isinstance(order, kind)]


def _again(sent: Sequence[OnPower]) -> list[OnPower]:
    """Return the orders on a power on which there is one before."""
    return [one for place, one in enumerate(sent) if any(before.power == one.power for before in sent[:place])]


def _round(state: State, seat: str, orders: Sequence[Order]) -> list[Complaint]:
    placed = _placed(state, seat, orders)
    found = [*_two_names(orders), *_forbidden(state, seat, placed), *_both_ways(state, seat, orders, placed)]
    found += _shouted_twice(placed)
    found += no_effect_checks.lines(state, seat, orders, placed)
    over = _over_budget(state, seat, orders)
    if over:
        found.append(over)
    else:
        lost = _burnt_out(state, seat, orders) or given_way(state, seat, orders)
        others = (_too_often(state, seat, placed), _idle(state, seat, orders))
        found += [fault for fault in (lost, *others) if fault]
    return [complaint(state, *fault) for fault in found]


def _placed(state: State, seat: str, orders: Sequence[Order]) -> Placed:
    """Pair each order in force with the line it stands in, the whole `if` line where it is guarded."""
    return [(order, held) for order in orders for held in conditions.in_force(state, seat, [order])]


def _of_sidekicks(state: State, orders: Sequence[Order]) -> list[Complaint]:
    """Complain of what is ordered for Sidekicks as of sets of their own. Rule: N11."""
    found: list[Complaint] = []
    lines = _of_kind(orders, Command)
    for sidekick in dict.fromkeys(line.seat for line in lines):
        whole = {line.line: show_line(state, line) for line in lines if line.seat == sidekick}
        for one in _round(state, sidekick, orders_for(lines, sidekick)):
            because = f"For {state.names[sidekick]}: {one.because}"
            found.append(msgspec.structs.replace(one, text=whole.get(one.line, one.text), because=because))
    return found


def _waiting(orders: Sequence[Order]) -> Placed:
    """Return what waits for the reveal, each with its line."""
    held = [order for order in orders if isinstance(order, If) and not conditions.known_at_start(order.tests)]
    return [(line, order) for line in held for order in (*line.then, *line.otherwise)]


def _powers_in(state: State, seat: str, order: Order) -> list[Power]:
    """Return the powers of its owner's of which each is needed for what an order does."""
    match order:
        case Use(power=key) | Hold(power=key) | Plan(power=key):
            return [state.card(key)]
        case Ask(power=key) if key:
            return [state.card(key)]
        case Move():
            return [power for power in state.owned(seat) if does(power, Moving)][:1]
        case Captions():
            return [power for power in state.owned(seat) if asks(power)][:1]
    return []


def _both_ways(state: State, seat: str, orders: Sequence[Order], placed: Placed) -> Iterator[Fault]:
    """Find the first power that is discarded and needed besides, by a Sidekick too, or given up twice."""
    gone = {order.power for _, order in placed if isinstance(order, Discard)}
    given: set[str] = set()
    for whole, order in (*placed, *_waiting(orders)):
        price = given_up(state, order) if isinstance(order, Use) else None
        twice = [price] if price and price.key in given else []
        wanted = twice or [power for power in (*_powers_in(state, seat, order), price) if power and power.key in gone]
        answering = [power for power in state.owned(seat) if answers(power)] if order == Ask() else []
        wanted = wanted or (answering if all(power.key in gone for power in answering) else [])
        if wanted:
            because = f"You discard {wanted[0].name} in this set, so it is gone by then. Take one of the lines out."
            yield whole, because, "B6"
            return
        given |= {price.key} if price else set()
    for line in _of_kind(orders, Command):
        if state.hero(line.seat).power in gone | given:
            name, power = state.names[line.seat], state.card(state.hero(line.seat).power).name
            yield line, f"{name} is gone by then: you discard {power} in this set. Take one of the lines out.", "B6"
            return


def _shouted_twice(placed: Placed) -> Iterator[Fault]:
    """Find the first word that is shouted for the second time."""
    seen: set[str] = set()
    for whole, order in placed:
        for word in order.words if isinstance(order, Captions) else ():
            if word in seen:
                yield whole, f"{word} stands there twice. Each word is shouted once in a game.", "C31"
                return
            seen.add(word)


def _forbidden(state: State, seat: str, placed: Placed) -> Sequence[Fault]:
    by = forbidden(state, seat)
    because = f"{by} keeps you from attacking in this round."
    return [(whole, because, "R15") for whole, order in placed if by and isinstance(order, Attack)][:1]


def _two_names(orders: Sequence[Order]) -> Sequence[Fault]:
    names = _of_kind(orders, Name)
    return [(order, "You gave two names. Keep one.", "B10") for order in names if order.name != names[0].name][:1]


def _over_budget(state: State, seat: str, orders: Sequence[Order]) -> Fault | None:
    """Find the first line with which a set comes to more than there is; what is cheaper by then counts as such."""
    energy = state.hero(seat).energy
    before = ""
    whole = allocate(state, seat, orders, obeying=False)
    for place, order in enumerate(orders if whole.taken > energy else (), 1):
        allocation = allocate(state, seat, orders[:place], obeying=False)
        if allocation.taken > energy:
            what = f"With {before} this" if before else "This"
            return order, f"{what} comes to {allocation.taken}; you have {energy}.", "R5"
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


def _burnt_out(state: State, seat: str, orders: Sequence[Order]) -> Fault | None:
    energy = state.hero(seat).energy
    whole = allocate(state, seat, orders)
    if whole.confirmed or whole.lost < max(1, energy) or _keeping(state, seat, orders):
        return None
    for place, order in enumerate(orders, 1):
        allocation = allocate(state, seat, orders[:place])
        if allocation.lost >= max(1, energy):
            how = "Burning" if not allocation.drained else "Burning and draining" if allocation.burnt else "Draining"
            because = (
                f"{how} {allocation.lost} leaves you with {energy - allocation.lost}, and you would fall before "
                "anything else happens. If you mean it, add a line: confirm."
            )
            return order, because, "A9" if allocation.burnt else "C4"
    return None


def given_way(state: State, seat: str, orders: Sequence[Order]) -> Fault | None:
    """Find a power that a set gives up though its owner is out at once without it. Rule: A9, C15."""
    keeping = _keeping(state, seat, ())
    if not keeping or _keeping(state, seat, orders):
        return None
    whole = allocate(state, seat, orders)
    left = state.hero(seat).energy - whole.lost
    if whole.confirmed or left > 0:
        return None
    line, last = next((line, key) for line, key in reversed(_going(state, seat, orders)) if key in keeping)
    because = (
        f"On {left} Energy {keeping[last]} alone keeps you in: without it you would fall before anything else "
        "happens. If you mean it, add a line: confirm."
    )
    return line, because, "A9"


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


def _too_often(state: State, seat: str, placed: Placed) -> Fault | None:
    found = over_limit(state, seat, [order for _, order in placed if isinstance(order, Use)])
    return (next(whole for whole, order in placed if order is found[0]), found[1], "N9") if found else None


def _idle(state: State, seat: str, orders: Sequence[Order]) -> Fault | None:
    if state.house["must_allocate_all"] == "no":
        return None
    if (state.house["nmr"] != "hold" or state.hero(seat).power) and not allocates(state, seat, orders):
        return None
    allocation = allocate(state, seat, orders)
    energy = state.hero(seat).energy
    idle = energy - allocation.taken - unsaid(state, seat, orders)
    if idle <= 0 or allocation.resigned:
        return None
    because = f"{idle} of your {energy} would stand idle. Here all Energy must be allocated: add {idle} somewhere."
    return None, because, "A1"


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
            ordered = [one for order in orders for one in (order.orders if isinstance(order, Command) else [order])]
            return "" if any(not isinstance(order, Name) for order in ordered) else "an order for the round"


def missing(state: State, seat: str, dice: Dice) -> tuple[Order, ...]:
    """
    Return the orders of a seat that sent nothing.

    Rule: A21, B9; B14 (in a rebid the bid stands); B13 (no powers: none are made up).
    """
    match state.phase:
        case "auction" | "rebid":
            amount = min(MOST_BID, int(state.house["nmr_bid"]))
            anew = [key for key, seats in state.rebidders.items() if not seats]  # since its text was changed (B15)
            keys = [power.key for power in state.pool()] if state.phase == "auction" else anew
            return tuple(Bid(key, amount) for key in keys) if amount else ()
        case "round":
            return _absent(state, seat, dice)
        case _:
            return ()


def completed(state: State, seat: str, orders: Sequence[Order], dice: Dice) -> tuple[Order, ...]:
    """
    Return a set of a round with what it leaves open put where silence would have put it.

    Rule: A1 (what is left over, where an absent seat defends), A34 (a set that allocates nothing).
    """
    if not allocates(state, seat, orders):
        return (*orders, *_absent(state, seat, dice))
    left = unsaid(state, seat, orders)
    return (*orders, Defend(left)) if left else tuple(orders)


def unsaid(state: State, seat: str, orders: Sequence[Order]) -> int:
    """Return the Energy that a set leaves over and that goes into Defence for it. Rule: A1."""
    goes = state.house.get("left_over", "idle") == "defends" and silence(state, seat) == "defend"
    return left_over(state, seat, orders) if goes else 0


def _absent(state: State, seat: str, dice: Dice) -> tuple[Order, ...]:
    """Return what stands for no orders; a Sidekick defends, whatever its owner does. Rule: A21, N11."""
    match silence(state, seat):
        case "hold":
            return ()
        case "random":
            return by_dice(state, seat, dice)
        case _:
            return (Defend(max(0, state.hero(seat).energy)),)


def silence(state: State, seat: str) -> str:
    """Return what stands for no orders: "defend", "hold" or "random"; a Sidekick defends. Rule: A21, N11."""
    hero = state.hero(seat)
    return "defend" if hero.power else state.house["nmr"] if hero.is_in else "hold"
