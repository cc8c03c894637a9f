"""The question at the reveal: who is asked once all orders lie open, what they see and may answer; plays nothing."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from pbem.ruleset import Complaint, Fact, Facts, Seat
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
    Use,
)  # fmt: skip
from pbem.rulesets.rumble.model.state import Power, State
from pbem.rulesets.rumble.orders import hero_names, sets
from pbem.rulesets.rumble.orders.allocation import Allocation, allocate
from pbem.rulesets.rumble.orders.no_effect_checks import Fault
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
from pbem.rulesets.rumble.round.costs import ordered

NOW = "All orders lie open; now only powers that take no Spend and no Burn can be used"


def powers_of(state: State, seat: str) -> tuple[Power, ...]:
    """Return the powers for which a seat may be asked. Rule: C1."""
    gone = _discarded(state, seat)
    return tuple(power for power in state.owned(seat) if answers(power) and power.key not in gone)


def _discarded(state: State, seat: str) -> tuple[str, ...]:
    """Return the powers that a seat's set discards, which are gone when it is asked. Rule: B6."""
    sent = state.orders.get(seat, ()) if isinstance(state, Asking) else ()
    return allocate(state, seat, sent).discards


def seats_to_ask(state: State, orders: Orders) -> tuple[str, ...]:
    """
    Return the seats that are asked when all orders lie open.

    Rule: C2.
    """
    how = state.house.get("reveal_phase", "on_request")
    askable = {hero.seat: powers_of(state, hero.seat) for hero in state.living if not hero.power}
    if how == "never" or not any(askable.values()):
        return ()
    open_now = {
        str(hero.seat): allocate(state, hero.seat, orders.get(hero.seat, ()))
        for hero in state.living
        if how == "always" or askable.get(hero.seat)
    }
    found = []
    for seat, mine in askable.items():
        powers = [power for power in mine if power.key not in open_now[seat].discards] if mine else []
        if not powers or open_now[seat].resigned:
            continue
        if open_now[seat].asks or (how == "always" and any(_may_help(state, seat, one, open_now) for one in powers)):
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


class Asking(State, frozen=True, kw_only=True):
    """
    A round whose orders lie open, as those see it who are asked; nothing has happened yet, and no file keeps it.

    Shape: `orders` are the complete sets of all heroes, `asked` the seats that may answer them. `paid` is what of each
    set the costs will leave, and `pinned` are facts that the moderator has decided, so far as the round is played.
    """

    orders: Orders
    asked: tuple[Seat, ...]
    paid: Mapping[str, Allocation] = {}
    pinned: Mapping[str, Fact] = {}

    @property
    def begun(self) -> State:
        """Return the round as it was before it stopped to ask."""
        return State(**{name: getattr(self, name) for name in State.__struct_fields__} | {"phase": "round"})


def asking(
    state: State,
    orders: Orders,
    seats: Iterable[str],
    *,
    paid: Mapping[str, Allocation],
    pinned: Mapping[str, Fact],
) -> Asking:
    """Return a round with its orders open, and those who are asked."""
    before = {**msgspec.structs.asdict(state), "phase": "reveal"}
    return Asking(**before, orders=orders, asked=tuple(map(Seat, seats)), paid=paid, pinned=pinned)


def held(state: Asking, seat: str) -> int:
    """Return the Energy that a seat may still allocate, once costs are paid. Rule: R16, A26."""
    powers = {power.key for power in powers_of(state, seat) if allocates_later(power)}
    return sum(hold.amount for hold in _paid(state, seat).holds if hold.power in powers)


def _paid(state: Asking, seat: str) -> Allocation:
    return state.paid.get(seat, Allocation())


def check(state: Asking, seat: str, orders: Sequence[Order]) -> list[Complaint]:
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
    sent = state.orders.get(seat, ())
    over = over_limit(state, seat, [*_paid(state, seat).uses, *(order for order in orders if isinstance(order, Use))])
    found += [(*over, "N9")] if over else []
    falls = sets.given_way(state, seat, [*sent, *orders])
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


def facts(state: Asking, seat: str) -> Facts:
    """
    Return what a seat that is asked has to know.

    Shape: `ordered` are rows as in the report, with what is discarded besides, and what the costs will leave unpaid;
    `coming` and `defence` are what the costs leave, or what the moderator said; `names` those that come with the round.
    Rule: R7, A26.
    """
    open_now = {str(hero.seat): allocate(state, hero.seat, state.orders.get(hero.seat, ())) for hero in state.living}
    names, mine = state.names, open_now.get(seat, Allocation())
    named = hero_names.named(state, {one: a.name for one, a in open_now.items() if a.name})
    return {
        "asked_itself": mine.asks,
        "ordered": [_row(state, one, allocation) for one, allocation in open_now.items()],
        "names": [{"was": names[one], "now": now} for one, now in named.items() if now != names[one]],
        "cut": [{"hero": names[one], "dropped": [*a.dropped]} for one, a in state.paid.items() if a.dropped],
        "coming": [{"by": names[one]} | row for one in open_now if (row := _coming(state, one, seat))],
        "defence": _worth(state, f"defence of {seat}", _paid(state, seat).defence),
        "held": held(state, seat),
        "late": [
            {"number": power.key, "name": power.name, "text": power.text, "form": form}
            for power in powers_of(state, seat)
            if (form := _form(state, power))
        ],
    }


def _coming(state: Asking, by: str, on: str) -> Facts:
    """Return with how much a hero attacks another once costs are paid, or as the moderator said; {} for no Attack."""
    attacks = _paid(state, by).attacks
    worth = _worth(state, f"attack of {by} on {on}", attacks.get(on, 0))
    return worth if on in attacks or worth["amount"] else {}


def _worth(state: Asking, key: str, allocated: int) -> Facts:
    """Return what was put into an Attack or a Defence, or what the moderator has decided that it is worth."""
    said = state.pinned.get(key)
    return {"amount": allocated if said is None else said, "ruled": said is not None}


def _row(state: State, seat: str, allocation: Allocation) -> Facts:
    """Return what lies open of a set: conditions and plans do not. Rule: R7, B6, A27."""
    return ordered(state, seat, allocation) | {"discards": [state.card(key).name for key in allocation.discards]}


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
