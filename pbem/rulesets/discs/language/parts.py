"""What fills the slots of a list's first shapes, so that lines are written by the tables that read them."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from pbem.rulesets.discs.language.words import GUARDS, RECALLS, WALLS
from pbem.rulesets.discs.model.order import Begin, Hold, Line, Move, OnAttack, OnDisc, OnMyDisc, Place, Test, Way
from pbem.rulesets.discs.model.program import FARTHEST

_Parts: TypeAlias = Callable[[Any], Mapping[str, Any] | None]
_NEVER_WRITTEN = (
    "unsure", "list", "rows", "no_line", "sequence", "alone", "cards", "both", "plain", "nth", "some", "span", "range",
    "banked", "nearby", "holding", "which", "having", "wait", "one", "two", "him", "me", "more", "fewer", "none",
    "single", "flat", "unblocked", "begun", "why", "led_by", "spaced", "hit", "somebody",
    "shared", "instead", "fetch", "hanging", "kept",
)  # fmt: skip
"""The acts of what is written as something else, and of what is no order."""


def _only(value: Any) -> _Parts:
    return lambda meaning: {} if meaning == value and isinstance(meaning, type(value)) else None


def _never(meaning: Any) -> None:
    """Say that something is never written so."""


def _place(kind: str) -> _Parts:
    def parts(place: Any) -> Mapping[str, Any] | None:
        is_this = isinstance(place, Place) and place.kind == kind
        return dict.fromkeys(("wall", "corner", "square"), place.name) | {"seat": place.seat} if is_this else None

    return parts


def _way(how: str) -> _Parts:
    def parts(way: Any) -> Mapping[str, Any] | None:
        return {"place": way.place, "off": way.off} if isinstance(way, Way) and way.how == how else None

    return parts


def _test(kind: str, *, of: bool | None = None) -> _Parts:
    """Return the slots of a test of a kind; `of` says whether it is about somebody."""

    def parts(test: Any) -> Mapping[str, Any] | None:
        if not isinstance(test, Test) or test.kind != kind or of not in (None, bool(test.place or test.seat)):
            return None
        return {"place": test.place, "seat": test.seat, "number": test.number, "count": ((test.sign, test.number),)}

    return parts


def _count(sign: str) -> _Parts:
    return lambda count: {"n": count[1]} if isinstance(count, tuple) and count[0] == sign else None


def _on_disc(order: Any) -> Mapping[str, Any] | None:
    if not isinstance(order, OnDisc) or not order.guards:
        return None
    return {"seat": order.seat or None, "only": order.only or None, "guards": order.guards}


def _on_my_disc(order: Any) -> Mapping[str, Any] | None:
    if not isinstance(order, OnMyDisc) or not order.card:
        return None
    return {"least": order.least if order.least > 1 else None, "dive": order.dive or None}


def _line(line: Line) -> Mapping[str, Any]:
    return {"card": line.card, "tests": line.tests, "act": line.act, "acts": line.act}


PARTS: dict[str, _Parts] = {
    **{name: _only(value) for name, value in {**WALLS, **GUARDS, **RECALLS, "yes": True}.items()},
    **dict.fromkeys(_NEVER_WRITTEN, _never),
    "carded": lambda line: _line(line) if isinstance(line, Line) and line.card else None,
    "bound": lambda line: _line(line) if isinstance(line, Line) and not line.card and line.tests else None,
    "bare": lambda line: _line(line) if isinstance(line, Line) and not line.card and not line.tests else None,
    "move": lambda act: (
        {"way": act.way, "by": None if act.by == FARTHEST else act.by} if isinstance(act, Move) else None
    ),
    "hold": lambda act: {"to": act.to or None} if isinstance(act, Hold) else None,
    "aimed": _way("to"),
    "towards": _way("to"),
    "from": _way("from"),
    "left_of": _way("left"),
    "right_of": _way("right"),
    "seat": _place("seat"),
    "nearest": _place("nearest"),
    "weakest": _place("weakest"),
    "mine": _place("my disc"),
    "disc": _place("disc"),
    "centre": _place("centre"),
    "wall": _place("wall"),
    "corner": _place("corner"),
    "square": _place("square"),
    "within": _test("within"),
    "beyond": _test("beyond"),
    "holds": _test("holds", of=True),
    "counting": _test("holds", of=False),
    "exactly": _count("="),
    "least": _count(">="),
    "most": _count("<="),
    "prone": _test("prone", of=True),
    "fallen": _test("prone", of=False),
    "out": _test("disc out"),
    "hand": _test("disc in hand"),
    "gone": _test("disc away"),
    "any_heading": _test("heading", of=False),
    "heading": _test("heading", of=True),
    "clear": _test("clear"),
    "left": _test("left"),
    "on_disc": _on_disc,
    "take": lambda order: {"seat": order.seat or None} if isinstance(order, OnDisc) and not order.guards else None,
    "on_attack": _only(OnAttack(dodges=True)),
    "stay": _only(OnAttack(dodges=False)),
    "catch": _on_my_disc,
    "dive": _only(OnMyDisc(card=False, dive=True)),
    "lie": _only(OnMyDisc(card=False, dive=False)),
    "begin": lambda order: {"place": order.place} if isinstance(order, Begin) else None,
}
"""The slots of what each act means, where that is no record with the slots as its fields."""
