"""What a seat is shown before a phase closes: what is asked, how things stand, the set on hand; decides nothing."""

import re
from collections.abc import Collection, Sequence
from itertools import accumulate

from pbem.ruleset import Facts
from pbem.rulesets.rumble.auction import amendments, second_thoughts, silent_bids
from pbem.rulesets.rumble.auction.wishes import choice_of, is_handed_on
from pbem.rulesets.rumble.genres import genre_of
from pbem.rulesets.rumble.model.names import written
from pbem.rulesets.rumble.model.order import (
    Amend,
    Bid,
    Block,
    Defend,
    Discard,
    Idle,
    If,
    Invent,
    Order,
    Plan,
    RoundOrder,
    Unsigned,
    Use,
    Wish,
)
from pbem.rulesets.rumble.model.state import START, IfWon, Power, State
from pbem.rulesets.rumble.orders import sets
from pbem.rulesets.rumble.orders.allocation import Allocation, allocate, allocates
from pbem.rulesets.rumble.orders.commands import orders_for
from pbem.rulesets.rumble.orders.conditions import Revealed, in_force, known_at_start, met, write_test
from pbem.rulesets.rumble.orders.writing import aim, show_line
from pbem.rulesets.rumble.powers.engine.active_abilities import ability_of, allocates_later, rides
from pbem.rulesets.rumble.powers.engine.prices import joints
from pbem.rulesets.rumble.powers.language.numbers import in_text
from pbem.rulesets.rumble.powers.language.runnable import runs
from pbem.rulesets.rumble.round import adjudication, question
from pbem.rulesets.rumble.round.as_it_lies import as_it_lies
from pbem.rulesets.rumble.shown import power_facts
from pbem.rulesets.rumble.shown.figures import FIGURES


def asked(state: State, seat: str) -> Facts:
    """
    Return the facts for `asked.j2`.

    Shape: `heroes` are all heroes with Energy and powers, `mine` the seat's powers, `pool` what can be bid on,
    `choices` bids that say what is to be done if they win, `ties` what the seat bids on again; `texts` says that
    nobody has read the pool yet; `sidekicks` are those that the seat plays, each as its form lines name it; what a
    phase does not need is empty. In a round `forms` are lines by which powers are used, `ruled` says whether one is
    ruled in words, `forbidden` and `owed` are what powers make of Attacks.
    """
    in_round = state.phase == "round"
    on_request = state.house.get("reveal_phase", "on_request") == "on_request"
    hero = state.hero(seat)
    full = max(START, *(h.energy for h in state.heroes))
    return {
        "kind": state.phase,
        "round": state.round,
        "me": hero.name,
        "energy": hero.energy,
        "is_in": hero.is_in,
        "full": full,
        "heroes": [_hero(state, held.seat, seat) for held in state.heroes],
        "mine": [_mine(state, seat, power) for power in state.owned(seat)] if hero.is_in else [],
        "forms": power_facts.form_lines(state, seat) if in_round and hero.is_in else [],
        "ruled": in_round and hero.is_in and any(power_facts.is_ruled(power) for power in state.owned(seat)),
        **power_facts.bound(state, seat),
        "sidekicks": _sidekicks(state, seat),
        "pool": [_power(power) for power in state.pool()] if state.phase == "auction" else [],
        "flaws": state.phase == "auction" and any(power.kind == "flaw" for power in state.pool()),
        "choices": _choices(state, seat) if state.phase in ("auction", "rebid") else [],
        "ties": _ties(state, seat),
        "may_ask": in_round and on_request and bool(question.powers_of(state, seat)),
        "may_name": in_round and state.round == 1,
        "opponents": [held.name for held in state.living if held.seat != seat],
        "figures": {**FIGURES, "powers_each": sets.powers_each(state.house)},
        "texts": state.phase == "auction" and state.house.get("pool") == "dealt",
        "house": dict(state.house),
        "own": [_power(power) for power in amendments.mine(state, seat)] if state.phase == "amend" else [],
        "perhaps": [_power(power) for power in second_thoughts.pending(state).get(seat, ())],
        "reveal": _reveal(state, seat) if isinstance(state, question.Asking) else {},
    }


def _reveal(state: question.Asking, seat: str) -> Facts:
    """Return what a seat has to know that is asked, and what comes of the round if nobody answers. Rule: C2."""
    return question.facts(state, seat) | {"if_silent": as_it_lies(state, seat)}


def owned(state: State, seat: str) -> Facts:
    """Return the facts for `owned.j2`: the seat's powers, as `mine`, of which nothing can be ordered now."""
    held = state.owned(seat) if state.hero(seat).is_in else ()
    mine = [_mine(state, seat, power) | {"refusal": ""} for power in held]
    return {"mine": mine} if mine else {}


def _hero(state: State, seat: str, reader: str) -> Facts:
    hero = state.hero(seat)
    powers = [
        {"number": power.key, "name": power.name, "standing": power_facts.standing(state, power)}
        for power in state.owned(seat)
    ]
    return {
        "name": hero.name,
        "energy": hero.energy,
        "is_in": hero.is_in,
        "out": hero.out,
        "is_me": seat == reader,
        "powers": powers,
        "player": state.names[state.player(seat)] if hero.power else "",
        "is_mine": state.player(seat) == reader,
    }


def _sidekicks(state: State, seat: str) -> list[Facts]:
    """Return the Sidekicks that a seat plays; `said` is how a line names one, "" where there is only one. Rule: N11."""
    mine = state.sidekicks(seat)
    return [
        {
            "name": hero.name,
            "energy": hero.energy,
            "said": ""
            if len(mine) == 1
            else f" {written(hero.seat, state.names) if len(hero.name) < 20 else hero.seat}",
            "powers": [_power(power) for power in state.owned(hero.seat)],
        }
        for hero in mine
    ]


def _power(power: Power) -> Facts:
    return {
        "number": power.key,
        "name": power.name,
        "text": power.text,
        "kind": power.kind,
        "strength": power.strength,
    }


def _mine(state: State, seat: str, power: Power) -> Facts:
    """Return what its owner sees of a power in a round."""
    facts = _power(power) | {"standing": power_facts.standing(state, power)}
    return facts | {"notes": power_facts.notes(state, seat, power), "refusal": power_facts.refusal(state, power)}


def _choices(state: State, seat: str) -> list[Facts]:
    """Give an example of a bid for each kind of choice that a power of the pool asks for. Rule: B17."""
    pool = [power for power in state.pool() if state.phase == "auction" or seat in state.ties.get(power.key, ())]
    examples: dict[str, Facts] = {}
    for power in pool:
        choice, wish = choice_of(power), ""
        if choice == "give" and is_handed_on(state):
            others = [written(hero.seat, state.names) for hero in state.living if hero.seat != seat]
            wish = f"give to {others[0]}" if others else ""
        elif choice == "edit":
            other = next((one for one in pool if one != power and in_text(one.text)), None)
            wish = f"double {in_text(other.text)[0]} in {other.key}" if other else ""
        if wish:
            examples.setdefault(choice, {"number": power.key, "name": power.name, "said": wish})
    return list(examples.values())


def _ties(state: State, seat: str) -> list[Facts]:
    """
    List what a seat bids on again; against whom and how high only as the house shows it.

    Shape: `anew` says that its words have changed, and that all bid on it as if nobody had.
    Rule: B2, B4, B15.
    """
    blind = state.house["ties"] == "blind"
    result = []
    for power in state.pool():
        tied = state.ties.get(power.key, ()) if state.phase == "rebid" else ()
        if seat in tied:
            rivals = [] if blind else [state.names[other] for other in tied if other != seat]
            bid = state.bids.get(power.key, {}).get(seat, 0)
            wish = _wished(state, seat, power.key)
            anew = state.rebidders.get(power.key) == ()
            result.append({**_power(power), "rivals": rivals, "bid": bid, "discard": wish, "anew": anew})
    return result


def hand(state: State, seat: str, orders: Sequence[Order]) -> Facts:
    """
    Return the facts for `hand.j2`: rows with amounts and notes, sums, and what comes if nobody else acts.

    Shape: rows are dictionaries with `what` (which names the kind of row for the template), `number` where the
    row stands for an order, and what that kind needs. `heroes` are, in a round, all whom the seat plays, each with such
    facts of its own, and how many rows stand `before` them; the first is the seat's own hero, who may be out.
    """
    hero = state.hero(seat)
    facts: Facts = {"kind": state.phase, "me": hero.name, "energy": hero.energy, "name": "", "plans": []}
    facts |= dict.fromkeys(("allocated", "burnt", "drained", "idle", "bids"), 0)
    facts |= {"forecast": hero.energy, "forecast_out": False, "filled": ""}
    match state.phase:
        case "powers":
            return facts | {"rows": _invented(orders), "unsigned": any(isinstance(one, Unsigned) for one in orders)}
        case "amend":
            return facts | {"rows": _amended(state, orders)}
        case "keep":
            gone = [order.power for order in orders if isinstance(order, Discard)]
            return facts | {"rows": [{"what": "discard", "power": state.card(key).name} for key in gone]}
        case "auction" | "rebid":
            return facts | _bids(state, seat, orders, hero.energy)
        case "reveal":  # no forecast, for others' conditions are theirs to know
            heroes = [_round(state, seat, orders, state)]
        case _:
            after = adjudication.forecast(state, seat, orders)
            sets = {seat: orders} | {one.seat: orders_for(orders, one.seat) for one in state.sidekicks(seat)}
            heroes = [_round(state, one, ordered, after) for one, ordered in sets.items()]
    counts = accumulate((len(one["rows"]) for one in heroes), initial=0)
    heroes = [one | {"before": before} for one, before in zip(heroes, counts, strict=False)]
    return facts | heroes[0] | {"heroes": heroes}


def _invented(orders: Sequence[Order]) -> list[Facts]:
    return [
        {"what": "power", "name": order.name, "text": order.text, "kind": order.kind}
        for order in orders
        if isinstance(order, Invent)
    ]


def _amended(state: State, orders: Sequence[Order]) -> list[Facts]:
    sent = [order for order in orders if isinstance(order, Amend)]
    return [{"number": one.power, "name": state.card(one.power).name, "text": one.text} for one in sent]


def _bids(state: State, seat: str, orders: Sequence[Order], energy: int) -> Facts:
    """
    Show bids and what is left if all are won; Flaws cost whoever does not get them (N10).

    Shape: where bids are asked for again, those that stand are among them (B14), and wishes that hold (N8); `unsaid` is
    what silence bids on each Flaw that the set does not name, or on each power without a set (B9).
    """
    sent = [order for order in orders if isinstance(order, Bid)]
    named = {bid.power for bid in sent}
    stood = [
        Bid(key, state.bids.get(key, {}).get(seat, 0))
        for key, tied in state.ties.items()
        if seat in tied and key not in named
    ]
    rows = [_bid(state, seat, bid) | {"stands": False} for bid in sent]
    rows += [_bid(state, seat, bid) | {"stands": bool(bid.amount)} for bid in stood]
    total = sum(bid.amount for bid in (*sent, *stood))
    silent = [bid.amount for bid in silent_bids.unsaid(state, seat, sent)]
    left = energy - total - sum(silent)
    return {
        "rows": rows,
        "bids": total,
        "unsaid": max(silent, default=0),
        "forecast": left,
        "forecast_out": left <= 0,
    }


def _bid(state: State, seat: str, bid: Bid) -> Facts:
    power = state.card(bid.power)
    wish = bid.discard or ("" if bid.won != IfWon() else _wished(state, seat, power.key))
    row: Facts = {"what": "bid", "number": power.key, "name": power.name, "amount": bid.amount, "then": list(bid.then)}
    edits = [{"how": one.how, "what": one.what, "name": state.card(one.power).name} for one in bid.won.edits]
    row |= {"discard": wish, "flaw": power.kind == "flaw", "give": state.names.get(bid.won.give, ""), "edits": edits}
    return row


def _wished(state: State, seat: str, key: str) -> Wish:
    """Return what was wished with an earlier bid and still holds."""
    if seat in state.discards.get(key, ()):
        return "yes"
    return "maybe" if seat in state.maybes.get(key, ()) else ""


def _round(state: State, seat: str, orders: Sequence[Order], forecast: State) -> Facts:
    hero, after = state.hero(seat), forecast.hero(seat)
    energy = hero.energy
    empty = not allocates(state, seat, orders)
    filled = sets.silence(state, seat) if empty else ""
    left = 0 if empty or state.phase == "reveal" else sets.unsaid(state, seat, orders)
    allocation = allocate(state, seat, orders, obeying=False)
    kinds = frozenset(type(one) for one in in_force(state, seat, orders))
    allocated = _allocated(state, seat, allocation, kinds)
    return {
        "me": hero.name,
        "energy": energy,
        "is_in": hero.is_in,
        "sidekick": bool(hero.power),
        "rows": [*allocated, *_conditions(state, seat, orders)],
        "name": allocation.name,
        "plans": [_plan(state, plan) for plan in allocation.plans],
        "allocated": allocation.tied_up,
        "burnt": allocation.burnt,
        "drained": allocation.drained,
        "idle": energy - allocation.tied_up - allocation.burnt - left,
        "filled": filled,
        "left": left,
        "may_idle": state.house["must_allocate_all"] == "no",
        "demands": _demands(state, seat, [*orders, Defend(energy if filled == "defend" else left)]),
        "forecast": after.energy,
        "forecast_out": not after.is_in,
    }


def _demands(state: State, seat: str, orders: Sequence[Order]) -> Facts:
    """
    Return what powers demand that a set has not, and what of the set goes into it.

    Rule: C28.
    """
    said, made = (allocate(state, seat, orders, obeying=obeying) for obeying in (False, True))
    names, words = state.names, genre_of(state.house)
    less = [(words.defence, said.defence - made.defence)]
    less += [(f"{words.attack} on {names[on]}", n - made.attacks.get(on, 0)) for on, n in said.attacks.items()]
    less += [
        (f"what is held back for {state.card(one.power).name}", one.amount - kept.amount)
        for one, kept in zip(said.holds, made.holds, strict=True)
    ]
    less += [("what stays idle", max(0, _idle(state, seat, said)) - max(0, _idle(state, seat, made)))]
    unused = [*said.uses]
    for use in made.uses:
        if not (_rides(state, use) and use.on in said.attacks and use.on not in made.attacks):
            unused.remove(use)
    return {
        "attacks": [{"on": names[on], "amount": made.attacks[on], "by": by} for on, by in made.raised.items()],
        "gave": [f"{amount} of {what}" for what, amount in less if amount > 0],
        "unused": [" on ".join(filter(None, (state.card(use.power).name, aim(state, use)))) for use in unused],
        "back": max(0, made.defence - said.defence),
    }


def _idle(state: State, seat: str, allocation: Allocation) -> int:
    return state.hero(seat).energy - allocation.taken


def _rides(state: State, use: Use) -> bool:
    ability = ability_of(state, use)
    return ability is not None and rides(ability)


def _plan(state: State, plan: Plan) -> Facts:
    power = state.card(plan.power)
    return {"power": power.name, "text": plan.text, "runs": allocates_later(power)}


def _allocated(state: State, seat: str, allocation: Allocation, kinds: Collection[type]) -> list[Facts]:
    """Return a row for each purpose of a set with orders of these kinds."""
    names = state.names
    rows: list[Facts] = [
        {"what": "attack", "on": names[on], "amount": n, "own": _own(state, seat, on)}
        for on, n in allocation.attacks.items()
    ]
    if Defend in kinds:
        rows.append({"what": "defence", "amount": allocation.defence})
    for use in allocation.uses:
        power = state.card(use.power)
        row: Facts = {"what": "use", "power": power.name, "on": aim(state, use), "joint": joints(state, use)[0]}
        row |= {"spend": use.spend * use.times, "burn": use.burn * use.times, "times": use.times, "x": use.x}
        row |= {"drain": use.drain * use.times, "runs": runs(power.lines)}
        rows.append(row | {"amount": (use.spend + use.burn) * use.times})
    rows += [{"what": "hold", "power": state.card(one.power).name, "amount": one.amount} for one in allocation.holds]
    rows += _chosen(state, allocation)
    rows += [{"what": "discard", "power": state.card(key).name} for key in allocation.discards]
    if allocation.idle is not None and Idle in kinds:
        left = max(0, state.hero(seat).energy - allocation.taken)
        kept = left if allocation.idle < 0 else min(left, allocation.idle)
        rows.append({"what": "idle", "amount": kept, "short": max(0, allocation.idle - kept)})
    marks = {"ask": allocation.asks, "resign": allocation.resigned, "confirm": allocation.confirmed}
    return rows + [{"what": what} for what, is_so in marks.items() if is_so]


def _chosen(state: State, allocation: Allocation) -> list[Facts]:
    """List what takes no Energy and says how powers are to go."""
    names = {"": "", **state.names}
    rows: list[Facts] = [{"what": "move", "amount": one.amount, "on": names[one.on]} for one in allocation.moves]
    if allocation.packets:
        rows.append({"what": "packets", "names": [names[seat] for seat in allocation.packets]})
    rows += [{"what": "captions", "words": list(one.words), "on": names[one.on]} for one in allocation.captions]
    return rows + [{"what": "never", "power": state.card(key).name} for key in allocation.nevers]


def _own(state: State, seat: str, on: str) -> str:
    """Say what somebody attacks who is of their own side, or "". Rule: A3."""
    mine = state.player(on) == state.player(seat)
    return "" if not mine else "Sidekick" if state.hero(on).power else "hero"


def _conditions(state: State, seat: str, orders: Sequence[Order]) -> list[Facts]:
    """Show block lines, guarded or not, and how guarded lines stand now."""
    rows: list[Facts] = []
    words = genre_of(state.house)
    names = {"": "", **state.names, **{power.key: power.name for power in state.powers}}
    for order in orders:
        if isinstance(order, Block):
            rows.append(_block(state, order))
        elif isinstance(order, If):
            tests = [_asking(write_test(one, names[one.seat], words, names[one.power])) for one in order.tests]
            now = _now(state, seat, order)
            late = order if now == "later" else If(order.tests, ())
            rows.append({"what": "if", "tests": tests, "now": now, "then": _waiting(state, late.then)})
            rows[-1]["otherwise"] = _waiting(state, late.otherwise)
            both = (*order.then, *order.otherwise)
            rows += [_block(state, guarded) for guarded in both if isinstance(guarded, Block)]
    return rows


def _asking(test: str) -> str:
    """Put a test so that it can stand behind `whether`."""
    return re.sub(r"^would", "you would", re.sub(r"^(targeted|attacked) by ", r"you are \1 by ", test))


def _waiting(state: State, orders: Sequence[RoundOrder]) -> list[str]:
    """Write the orders that wait for the reveal, but those that have rows of their own."""
    lines = []
    for order in orders:
        if not isinstance(order, Block):
            drained = order.drain * order.times if isinstance(order, Use) else 0
            lines.append(f"{show_line(state, order)}{f' (draining {drained})' if drained else ''}")
    return lines


def _block(state: State, block: Block) -> Facts:
    names = [state.names[seat] for seat in block.first]
    pairs = [f"{points} of {name}" for points, name in zip(block.points, names, strict=False)]
    return {"what": "block", "how": block.how, "names": names, "pairs": pairs}


def _now(state: State, seat: str, order: If) -> str:
    """Say how a condition stands before the reveal: met, unmet, or known only later."""
    if not known_at_start(order.tests):
        return "later"
    return "met" if met(state, seat, order.tests, Revealed()) else "unmet"
