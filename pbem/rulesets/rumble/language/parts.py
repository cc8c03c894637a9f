"""What fills the slots of a round's first shapes, so that orders are written by the tables that read them."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from pbem.rulesets.rumble.language.words import FIGURES, JOINTS, SIGNS, TESTS
from pbem.rulesets.rumble.model.order import (
    Ask,
    Block,
    Captions,
    Idle,
    If,
    Move,
    Packets,
    Plan,
    Test,
    Use,
)  # fmt: skip
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.powers.engine.prices import joints

NEVER_WRITTEN = frozenset(
    (
        "again", "why", "further", "guarding", "used", "besides", "either", "divided", "nobodys",
        "unnamed", "past", "called", "given", "ignored", "disarmed", "second", "planned",
        "precog", "turned", "me", "elided", "share", "rest", "half", "all",
    )
)  # fmt: skip
"""The acts of what is written as something else."""
_Parts = Callable[[Any], Mapping[str, Any] | None]


def parts_of(state: State) -> dict[str, _Parts]:
    """Return the slots of what each act means, where that is no record with the slots as its fields."""
    signs = {name: _only(sign) for name, sign in SIGNS.items()}
    between = {name: _only(word) for name, word in JOINTS.items()}
    tests = {act: _test(kind) for act, kind in TESTS.items()}
    figures = {name: _pair(name, "n") for name in FIGURES}
    return {
        **signs,
        **between,
        **tests,
        **figures,
        "also": lambda order: {"order": _alone(order)} if getattr(order, "also", False) else None,
        "idle": lambda order: {"amount": _some(order.amount)} if isinstance(order, Idle) else None,
        "block": lambda order: {"how": order.how} if _is_block(order, "largest", "smallest") else None,
        "largest": _only("largest"),
        "smallest": _only("smallest"),
        "evenly": lambda order: {} if _is_block(order, "evenly") else None,
        "first": lambda order: {"first": order.first} if _is_block(order, "first") else None,
        "points": lambda order: _block_parts(order) if _is_block(order, "points") else None,
        "use": lambda order: _use_parts(state, order) if isinstance(order, Use) else None,
        "move": lambda order: _move_parts(order) if isinstance(order, Move) else None,
        "whole": _only("all"),
        "packets": lambda order: {"first": order.first} if isinstance(order, Packets) else None,
        "ask": lambda order: {"power": order.power or None} if isinstance(order, Ask) else None,
        "plan": lambda order: {"power": order.power, "text": order.text} if isinstance(order, Plan) else None,
        "captions": lambda order: (
            {"words": order.words, "on": order.on or None} if isinstance(order, Captions) else None
        ),
        "guard": lambda order: _guard_parts(order) if isinstance(order, If) else None,
        "hero": _pair("hero", "on"),
        "power": _pair("power", "power"),
        "command": _never,
        **dict.fromkeys(NEVER_WRITTEN, _never),
    }


def _only(value: Any) -> _Parts:
    return lambda meaning: {} if meaning == value else None


def _pair(name: str, slot: str) -> _Parts:
    return lambda meaning: {slot: meaning[1]} if isinstance(meaning, tuple) and meaning[:1] == (name,) else None


def _never(meaning: Any) -> None:
    """Say that something is never written so."""


def _alone(order: Any) -> Any:
    return msgspec.structs.replace(order, also=False)


def _some(amount: int) -> int | None:
    return amount if amount >= 0 else None


def _is_block(order: Any, *how: str) -> bool:
    return isinstance(order, Block) and order.how in how


def _block_parts(order: Block) -> Mapping[str, Any]:
    return {"points": order.points, "first": order.first}


def _move_parts(order: Move) -> Mapping[str, Any]:
    return {"amount": "all" if order.amount < 0 else order.amount, "on": order.on or None}


def _guard_parts(order: If) -> Mapping[str, Any]:
    return {"tests": order.tests, "then": order.then, "otherwise": order.otherwise}


def _test(kind: str) -> _Parts:
    def parts(test: Any) -> Mapping[str, Any] | None:
        if not isinstance(test, Test) or test.kind != kind:
            return None
        return {"seat": test.seat, "power": test.power, "sign": test.sign, "number": test.number}

    return parts


def _use_parts(state: State, use: Use) -> Mapping[str, Any]:
    """Return the slots of a use: whom and what it names, and what is said of its cost."""
    named = [one for one in (use.on, *use.then) if one]
    first, after = joints(state, use) if named else ("", "")
    figures = {"x": use.x, "spend": use.spend, "burn": use.burn, "times": use.times}
    is_said = {
        "x": use.x >= 0,
        "spend": bool(use.spend) or (use.x >= 0 and not use.burn),
        "burn": bool(use.burn),
        "times": use.times > 1,
    }
    return {
        "power": use.power,
        "joint": tuple([first, *[after] * (len(named) - 1)][: len(named)]),
        "named": tuple(("hero" if one in state.names else "power", one) for one in named),
        "figures": tuple((name, n) for name, n in figures.items() if is_said[name]),
    }
