"""Orders of a brawl as canonical lines, which read back to the same orders."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rulesets.brawl.conditions import write_test
from pbem.rulesets.brawl.orders import (
    COOP,
    Add,
    Ask,
    Attack,
    CoopDie,
    DamageOrder,
    Defend,
    Delay,
    Drop,
    GiftUse,
    If,
    Order,
    Pass,
    Resign,
)
from pbem.rulesets.brawl.state import State
from pbem.rulesets.brawl.words import written


def write(state: State, orders: Sequence[Order]) -> tuple[str, ...]:
    """Write a set."""
    return tuple(write_order(state, order) for order in orders)


def write_order(state: State, order: Order) -> str:
    """Write one order."""
    match order:
        case Attack():
            on = written(state, order.on)
            return f"attack {on} with {' '.join(order.dice)} damage {' '.join(order.damage)}"
        case Defend():
            return f"defend with {' '.join(order.dice)}" + (f" vs {written(state, order.vs)}" if order.vs else "")
        case Delay():
            return f"delay {order.die} {order.use}"
        case Drop():
            return f"drop {order.die} {action(state, order)}"
        case CoopDie():
            return "coop die: " + " else ".join(_use(state, use) for use in order.uses)
        case DamageOrder():
            return f"damage order: {order.how}"
        case If():
            return _guarded(state, order)
        case Ask():
            return "ask me"
        case Pass():
            return "pass"
        case Resign():
            return "resign"


def action(state: State, drop: Drop) -> str:
    """Write what a die is dropped for."""
    on = written(state, drop.on) if drop.on else ""
    match drop.action:
        case "counter":
            return f"counter {on} {'old ' if drop.old else ''}{drop.what}"
        case "coop" | "bind":
            return f"{drop.action} {on}"
        case "charge":
            return f"move charge {drop.attack}"
        case "move":
            return f"move to {on}" if on else f"move {drop.what}".strip()
        case _:
            return drop.action


def _use(state: State, use: GiftUse) -> str:
    match use:
        case Add():
            return f"add to {use.to} {use.number}"
        case Attack():
            dice = f"with {' '.join(use.dice)}" if COOP in use.damage else f"damage {' '.join(use.damage)}"
            return f"attack {written(state, use.on)} {dice}"
        case Defend():
            return "defend"
        case Drop():
            assert use.die == COOP
            return action(state, use)


def _guarded(state: State, order: If) -> str:
    tests = " and ".join(write_test(state, test) for test in order.tests)
    then = "; ".join(write_order(state, one) for one in order.then)
    otherwise = "; ".join(write_order(state, one) for one in order.otherwise)
    return f"if {tests}: {then}" + (f" else {otherwise}" if otherwise else "")
