"""What fills the slots of a round's first shapes, so that orders are written by the tables that read them."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import msgspec

from pbem.rulesets.brawl.language.meanings import GO_ON, ME
from pbem.rulesets.brawl.language.words import ACTIONS, HOW, ROLES, SIGNS, TESTS
from pbem.rulesets.brawl.order import Attack, Defend, Drop, If, Test
from pbem.rulesets.brawl.state import COOP

_Parts: TypeAlias = Callable[[Any], Mapping[str, Any] | None]
_NEVER_WRITTEN = (
    "elided", "strike", "struck", "lame", "whole", "pair", "only", "deed", "give", "faces", "twice", "torn", "own",
    "drops_each", "guards_each", "delays_each", "dangling", "torn_guard", "more", "both", "one", "two",
    "delayed", "words", "many", "some", "none",
)  # fmt: skip
"""The acts of what is written as something else, and of what is no order."""


def _only(value: Any) -> _Parts:
    return lambda meaning: {} if meaning == value and isinstance(meaning, type(value)) else None


def _never(meaning: Any) -> None:
    """Say that something is never written so."""


def _test(kind: str) -> _Parts:
    def parts(test: Any) -> Mapping[str, Any] | None:
        return msgspec.structs.asdict(test) if isinstance(test, Test) and test.kind == kind else None

    return parts


def _attacks(test: Any) -> Mapping[str, Any] | None:
    if not isinstance(test, Test) or test.kind != "attacks":
        return None
    return {"seat": test.seat, "other": test.other or ME}


def _guard(order: Any) -> Mapping[str, Any] | None:
    return msgspec.structs.asdict(order) if isinstance(order, If) else None


def _defend(order: Any) -> Mapping[str, Any] | None:
    return {"dice": (order.dice,), "vs": order.vs or None} if isinstance(order, Defend) else None


def _attack(order: Any) -> Mapping[str, Any] | None:
    is_own = isinstance(order, Attack) and COOP not in (*order.dice, *order.damage)
    return {"on": order.on, "dice": (order.dice,), "damage": (order.damage,)} if is_own else None


def _drop(order: Any) -> Mapping[str, Any] | None:
    return {"die": order.die, "deed": order} if isinstance(order, Drop) and order.die != COOP else None


def _given(use: Any) -> Mapping[str, Any] | None:
    return {"deed": use} if isinstance(use, Drop) and use.die == COOP else None


def _deed(*actions: str, is_on: bool = False, what: str = "") -> _Parts:
    """Return the slots of what a die is dropped for, where it is one of some actions, about somebody or not."""

    def parts(deed: Any) -> Mapping[str, Any] | None:
        is_this = isinstance(deed, Drop) and deed.action in actions and bool(deed.on) == is_on
        is_this = is_this and (deed.what == what or deed.action == "counter")
        if not is_this:
            return None
        return {"on": deed.on, "what": deed.what, "old": deed.old or None, "attack": deed.attack, "action": deed.action}

    return parts


def _hurts(use: Any) -> Mapping[str, Any] | None:
    return {"on": use.on, "damage": (use.damage,)} if isinstance(use, Attack) and use.dice == (COOP,) else None


def _hits(use: Any) -> Mapping[str, Any] | None:
    return {"on": use.on, "dice": (use.dice,)} if isinstance(use, Attack) and use.damage == (COOP,) else None


PARTS: dict[str, _Parts] = {
    **{name: _only(value) for name, value in {**SIGNS, **ROLES, **ACTIONS, **HOW, "old": True}.items()},
    **{act: _test(kind) for act, kind in TESTS.items()},
    "attacks": _attacks,
    "self": _only(ME),
    "guard": _guard,
    "go": lambda order: {} if order == GO_ON else None,
    "attack": _attack,
    "defend": _defend,
    "drop": _drop,
    "dice": lambda dice: {"die": dice} if isinstance(dice, tuple) else None,
    "given": _given,
    "guards": lambda use: {} if use == Defend((COOP,)) else None,
    "hurts": _hurts,
    "hits": _hits,
    "counter": _deed("counter", is_on=True),
    "coop": _deed("coop", is_on=True),
    "bind": _deed("bind", is_on=True),
    "charge": _deed("charge"),
    "group": _deed("move", is_on=True),
    "aside": _deed("move", what="aside"),
    "move": _deed("move"),
    "plain": _deed("advantage", "maneuver", "regain", "pickup", "drink"),
    **dict.fromkeys(_NEVER_WRITTEN, _never),
}
"""The slots of what each act means, where that is no record with the slots as its fields."""
