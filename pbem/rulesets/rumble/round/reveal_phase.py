"""The Reveal phase: held where somebody wrote to be asked once all orders lie open; strikes nobody."""

from collections.abc import Mapping, Sequence
from functools import partial

import msgspec

from pbem.ruleset import EVERYONE, Complaint, Event, Facts, Given, Outcome, Refused, read_again
from pbem.rulesets.rumble.effects import application
from pbem.rulesets.rumble.effects.power_rulings import Define, Manual, Reword
from pbem.rulesets.rumble.genres import genre_of
from pbem.rulesets.rumble.model.names import written
from pbem.rulesets.rumble.model.order import (
    Attack,
    Block,
    Confirm,
    Defend,
    If,
    Move,
    Never,
    Order,
    Orders,
    Packets,
    Pass,
    Plan,
    Use,
)  # fmt: skip
from pbem.rulesets.rumble.model.state import Power, State
from pbem.rulesets.rumble.orders import reading, sets
from pbem.rulesets.rumble.orders.allocation import Allocation, allocate
from pbem.rulesets.rumble.orders.no_effect_checks import Fault
from pbem.rulesets.rumble.orders.plans import parse
from pbem.rulesets.rumble.orders.writing import write, write_plan
from pbem.rulesets.rumble.powers.engine.active_abilities import (
    allocates_later,
    answers,
    does,
    is_for_reveal,
    is_sparing,
    rides,
    used_ability,
)  # fmt: skip
from pbem.rulesets.rumble.powers.engine.prices import joints, over_limit
from pbem.rulesets.rumble.powers.engine.scene import View, at_rest, choices
from pbem.rulesets.rumble.powers.language import lines
from pbem.rulesets.rumble.round.costs import ordered_events, rename

_FITTING = Define | Manual | Reword
NOW = "All orders lie open; now only powers that take no Spend and no Burn can be used"


def powers_of(state: State, seat: str) -> tuple[Power, ...]:
    """Return the powers for which a seat may be asked. Rule: C1."""
    return tuple(power for power in state.owned(seat) if answers(power))


def seats_to_ask(state: State, orders: Orders) -> tuple[str, ...]:
    """
    Return the seats that are asked when all orders lie open.

    Rule: C2.
    """
    how = state.house.get("reveal_phase", "on_request")
    if how == "never":
        return ()
    open_now = {str(hero.seat): allocate(state, hero.seat, orders.get(hero.seat, ())) for hero in state.living}
    found = []
    for seat, allocation in open_now.items():
        powers = powers_of(state, seat)
        if state.hero(seat).power or allocation.resigned or not powers:
            continue
        if allocation.asks or (how == "always" and any(_may_help(state, seat, one, open_now) for one in powers)):
            found.append(seat)
    return tuple(found)


def _may_help(state: State, seat: str, power: Power, open_now: Mapping[str, Allocation]) -> bool:
    """Say whether there is anything to say of a power for the reveal, as all orders lie open."""
    mine, others = open_now[seat], [one for other, one in open_now.items() if other != seat]
    is_used = any(use.power == power.key for use in mine.uses)
    if allocates_later(power):
        return any(hold.power == power.key and hold.amount for hold in mine.holds)
    if does(power, lines.Move):
        return is_used and bool(mine.attacks)
    ability = used_ability(power)
    if ability is None or (is_used and not ability.costs) or over_limit(state, seat, [*mine.uses, Use(power.key)]):
        return False
    if does(power, lines.Retarget):
        return any(use.on == seat for one in others for use in one.uses)
    if rides(ability):
        return bool(mine.attacks)
    if is_sparing(power):
        return any(seat in one.attacks for one in others)
    made = {(by, on): n for by, one in open_now.items() for on, n in one.attacks.items()}
    view = View(scene=msgspec.structs.replace(at_rest(state), made=made), me=seat, power=power)
    return all(choices(msgspec.structs.replace(choice, test=None), view) for choice in ability.choices[:1])


def show_and_ask(state: State, orders: Orders, seats: tuple[str, ...], given: Given) -> Outcome[State]:
    """
    Show all orders and ask those seats.

    Shape: nothing is paid yet, so of what the moderator says only new words for powers count now; what was ordered is
    kept in the state as canonical lines, in the names that heroes have by now.
    Rule: N1, N3, C2.
    """
    wanted = {str(hero.seat): allocate(state, hero.seat, orders.get(hero.seat, ())) for hero in state.living}
    after, named = rename(state, wanted)
    sealed = {seat: write(after, [_in_new_names(state, after, seat, o) for o in sent]) for seat, sent in orders.items()}
    every = (event for seat, one in wanted.items() for event in ordered_events(after, seat, one, EVERYONE))
    ordered = tuple(event for event in every if event.kind == "ordered")
    facts = {"heroes": [after.names[seat] for seat in seats], "round": state.round}
    effects, idle = application.gather(after, given.effects)
    fitting, odd = application.parted(effects, _FITTING, "No blow has fallen yet. Say it again now.")
    after, reworked = application.rework(after, fitting)
    after = msgspec.structs.replace(after, phase="reveal", sealed=sealed, asked=seats)
    open_now = Event(kind="revealed", to=EVERYONE, facts=facts, rule="N3")
    return Outcome(state=after, verdicts=(), events=(open_now, *named, *ordered, *reworked, *idle, *odd), result=None)


def _in_new_names(before: State, after: State, seat: str, order: Order) -> Order:
    """Write the names in a plan anew, since a plan is kept as words."""
    if not isinstance(order, Plan) or not allocates_later(after.card(order.power)):
        return order
    steps = parse(before, seat, order.text, reading.read_order)
    assert not isinstance(steps, Refused), steps
    return Plan(order.power, write_plan(after, steps))


def ready_to_play(state: State) -> State:
    """Return the state in which what was ordered before all lay open is played."""
    return msgspec.structs.replace(state, phase="round", sealed={}, asked=())


def sealed_orders(state: State) -> dict[str, tuple[Order, ...]]:
    """Return what everybody ordered before all lay open. Errors: CharterError where another release took it."""
    before = msgspec.structs.replace(state, phase="round")
    return {
        seat: read_again(canonical, partial(reading.read_line, before, seat), state.hero(seat).name)
        for seat, canonical in state.sealed.items()
    }


def held(state: State, seat: str) -> int:
    """Return the Energy that a seat may still allocate. Rule: R16."""
    allocation = allocate(state, seat, sealed_orders(state).get(seat, ()))
    powers = {power.key for power in powers_of(state, seat) if allocates_later(power)}
    return sum(hold.amount for hold in allocation.holds if hold.power in powers)


def check(state: State, seat: str, orders: Sequence[Order]) -> list[Complaint]:
    """Complain of what cannot be done any more, or not yet."""
    found: list[Fault] = [(order, *why) for order in orders if (why := _late(state, order))]
    left, total = held(state, seat), 0
    for order in orders:
        if isinstance(order, Attack | Defend):
            total += order.amount
            if total > left:
                because = f"This comes to {total}; you held {left} back." if left else "You held no Energy back."
                found.append((order, because, "R16"))
                break
    sealed = sealed_orders(state).get(seat, ())
    before = allocate(state, seat, sealed).uses
    over = over_limit(state, seat, [*before, *(order for order in orders if isinstance(order, Use))])
    found += [(*over, "N9")] if over else []
    falls = sets.given_way(state, seat, [*sealed, *orders])
    found += [falls] if falls and orders else []
    return [sets.complaint(state, *fault) for fault in found]


def _late(state: State, order: Order) -> tuple[str, str] | None:
    """Say why an order comes too late, with the rule, or None."""
    match order:
        case Use(power=key):
            return None if is_for_reveal(state.card(key)) else (f"{NOW}.", "C1")
        case If():
            return "All orders lie open, so you can see for yourself. Write the order without if.", "A28"
        case Attack() | Defend() | Block() | Move() | Never() | Packets() | Confirm() | Pass():
            return None
    return f"{NOW}, and Energy that was held back can be allocated.", "N3"


def facts(state: State, seat: str) -> Facts:
    """Return what a seat that is asked has to know."""
    orders = sealed_orders(state)
    allocations = {str(hero.seat): allocate(state, hero.seat, orders.get(hero.seat, ())) for hero in state.living}
    names = state.names
    coming = [{"by": names[s], "amount": a.attacks[seat]} for s, a in allocations.items() if seat in a.attacks]
    return {
        "is_asked": seat in state.asked,
        "asked_itself": seat in allocations and allocations[seat].asks,
        "asked": [names[one] for one in state.asked],
        "coming": coming,
        "defence": allocations[seat].defence if seat in allocations else 0,
        "held": held(state, seat) if seat in allocations else 0,
        "late": [{"form": form} for power in powers_of(state, seat) if (form := _form(state, power))],
    }


def _form(state: State, power: Power) -> str:
    """Return the line by which a power is used now, with blanks; "" where it is not used by a line of its own."""
    words = genre_of(state.house)
    if does(power, lines.Move):
        return "move ____ attack to defence"
    ability = used_ability(power)
    if ability is None:
        return ""
    first, between = joints(state, Use(power.key))
    blanks = f" {between} ".join(["____"] * len(ability.choices))
    named = written(power.key, {one.key: one.name for one in state.powers})
    return f"{words.verb('use')} {named}{f' {first} {blanks}' if blanks else ''}"
