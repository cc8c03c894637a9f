"""What the shapes of a list mean: lines, standing orders, where to begin; what is asked about, and why."""

from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec

from pbem.ruleset import REASON, Meaning, Refused
from pbem.rulesets.discs.language.words import GUARDS, HIM, RECALLS, WALLS
from pbem.rulesets.discs.model.order import (
    Attack,
    Begin,
    Hold,
    Line,
    Move,
    OnAttack,
    OnDisc,
    OnMyDisc,
    Pass,
    Place,
    Recall,
    Stand,
    Test,
    Throw,
    Wall,
    Way,
    With,
)  # fmt: skip
from pbem.rulesets.discs.model.program import FARTHEST

Acts: TypeAlias = dict[str, Callable[..., Meaning | None]]


class Several(msgspec.Struct, frozen=True):
    """
    Lines that may be for one card after the other, or be tried in this order at each card.

    Shape: `in_turn` where words of sequence stand between them.
    """

    lines: tuple[Any, ...]
    in_turn: bool = False


ME = Refused("illegal", "That is you. Name another Program.", "M3")
HIMSELF = Refused("ambiguous", "Say who is meant by name: throw at NAME.", "M3")
FALLS = Refused(
    "illegal", "You fall Prone by yourself when you hold no card, and cannot while you hold one. Leave it out.", "T-x"
)
UNBLOCKED = Refused("illegal", "One cannot Block an Attack. Write on attack: dodge, or on attack: never.", "T-g")
ONE_CARD = Refused("unreadable", "A line is for one card. Write a line for each.", "M2")
WALLS_APART = Refused(
    "unreadable", "A bank shot goes off one wall, or off two that meet: off north, off north and east.", "M3"
)
NO_CARDS = Refused(
    "illegal", "One can hold a card while fewer than 1 is held, or more: write hold, or hold to 1.", "T-a"
)
WAIT = Refused("ambiguous", 'Write "hold" to keep the card, or "pass" to use it up for nothing.', "D4")
ONE = Refused("ambiguous", 'Write "hold" to keep the card, or "hold to 1" to keep it only while you hold none.', "D4")


def _which(number: int) -> Refused:
    because = (
        f'Is this about your card {number}, or about how many to hold? Write "card {number}: hold" or '
        f'"hold to {number}".'
    )
    return Refused("ambiguous", because, "M2")


def _having(number: int) -> Refused:
    because = f'Is this how many cards you hold now? If it is an order, write "hold to {number}".'
    return Refused("ambiguous", because, "M2")


def _in_compass_order(walls: tuple[Wall, ...]) -> tuple[Wall, ...] | None:
    """Return the walls of a bank shot, one or two that meet; None for what are none. Rule: M3."""
    axes = {wall in ("north", "south") for wall in walls}
    return tuple(wall for wall in WALLS.values() if wall in walls) if len(axes) == len(walls) else None


def _aimed(place: Any, off: tuple[Wall, ...] = ()) -> Way | Refused:
    walls = _in_compass_order(off)
    return WALLS_APART if walls is None else place if isinstance(place, Refused) else Way("to", place, off=walls)


def _way(how: Any) -> Callable[[Any], Way | Refused]:
    return lambda place: place if isinstance(place, Refused) else Way(how, place)


def _about(place: Any, him: Any) -> Any:
    return him if isinstance(place, Place) and place.seat == HIM and him is not None else place


def _in_act(act: Any, him: Any) -> Any:
    """Return an act in which him is somebody."""
    match act:
        case Throw(Way() as way) | Move(Way() as way):
            return msgspec.structs.replace(act, way=msgspec.structs.replace(way, place=_about(way.place, him)))
        case Attack(place):
            return Attack(_about(place, him))
    return act


def _whom(one: Any) -> Any:
    """Return whom an act or a test is about, who may be meant by him further on; None for nobody."""
    place = one.way.place if isinstance(one, Throw | Move) and isinstance(one.way, Way) else None
    place = one.whom if isinstance(one, Attack) else one.place if isinstance(one, Test) else place
    is_somebody = isinstance(place, Place) and place.kind in ("seat", "nearest", "weakest") and place.seat != HIM
    return place if is_somebody else None


def _bound(tests: tuple[Any, ...], acts: Any, card: int = 0) -> Meaning:
    """Return a line behind conditions, in which him is the one who is named; several acts are asked about."""
    acts = acts if isinstance(acts, tuple) else (acts,)
    about = {place for one in (*tests, *acts) if (place := _whom(one)) is not None}
    him = about.pop() if len(about) == 1 else None
    tests = tuple(
        msgspec.structs.replace(test, place=_about(test.place, him)) if isinstance(test, Test) else test
        for test in tests
    )
    lines = tuple(Line(_in_act(act, him), tests, card) for act in acts)
    return lines[0] if len(lines) == 1 else Several(lines)


def _cards(cards: tuple[int, ...], act: Any) -> tuple[Line, ...]:
    return tuple(Line(act, (), card) for card in dict.fromkeys(cards))


def _list(more: tuple[Any, ...] = (), first: tuple[Any, ...] = (), last: tuple[Any, ...] = ()) -> tuple[Any, ...]:
    """Return the orders of a sentence; lines of which a card may reach but the first are asked about. Rule: M2."""
    orders = (*first, *(order for orders in more for order in orders), *last)
    lines = tuple(order for order in orders if isinstance(order, Line))
    open_to_all = [line.act for line in lines if not line.tests]
    carded = sum(bool(line.card) for line in lines)
    is_sure = len(lines) < 2 or carded == len(lines) or (not carded and is_list(open_to_all))
    return orders if is_sure else _asked(orders, in_turn=False)


def _sequence(more: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the orders of a sentence with words of sequence, which may be for one card after the other. Rule: M2."""
    orders = tuple(order for orders in more for order in orders)
    lines = [order for order in orders if isinstance(order, Line)]
    is_sure = all(line.card for line in lines) if lines else True
    return orders if is_sure else _asked(orders, in_turn=True)


def _asked(orders: tuple[Any, ...], *, in_turn: bool) -> tuple[Any, ...]:
    lines = tuple(order for order in orders if isinstance(order, Line))
    return (*(order for order in orders if not isinstance(order, Line)), Several(lines, in_turn))


_STAYS = ("square", "point", "wall", "corner", "centre", "my disc")
"""Places that a Move comes to in the end."""


def is_list(acts: list[Any]) -> bool:
    """Say whether acts can only be a list: each but the last comes to an end, and no two are of a kind. Rule: M2."""
    kinds = {type(act) for act in acts}
    return len(kinds) == len(acts) and all(_comes_to_an_end(act) for act in acts[:-1])


def _comes_to_an_end(act: Any) -> bool:
    if isinstance(act, Move) and isinstance(act.way, Way):
        return act.way.how == "to" and act.way.place.kind in _STAYS
    return isinstance(act, Throw | Attack | Stand)


def _holding(to: int) -> Any:
    return ONE if to == 1 else Hold(to)


def _on_disc(guards: Any, seat: str = "", only: bool = False) -> OnDisc | None:
    guards = guards if isinstance(guards, tuple) else (guards,)
    is_only = only and guards == ("block",)
    return OnDisc(guards, seat, only=is_only) if len(set(guards)) == len(guards) else None


def _said(value: Meaning) -> Callable[[], Meaning]:
    return lambda: value


def _test(kind: Any) -> Callable[..., Meaning]:
    return lambda place=None, seat="", number=0: Test(kind, place, seat, number=number)


def _holds(count: tuple[Any, int], place: Any = None) -> Test:
    return Test("holds", place, sign=count[0], number=count[1])


def _count(sign: str, more: int = 0) -> Callable[[int], Meaning]:
    return lambda n: (sign, n + more)


ACTS: Acts = {
    **{name: _said(value) for name, value in {**WALLS, **GUARDS, **RECALLS, "yes": True}.items()},
    "list": _list,
    "sequence": _sequence,
    "alone": lambda order, why=REASON: (order,),
    "cards": _cards,
    "both": lambda: (OnDisc(("dodge",)), OnAttack(dodges=True)),
    "carded": lambda card, act, tests=(): Line(act, tests, card),
    "bare": lambda act: None,
    "plain": lambda act, card=0, behind=0: ONE_CARD if card and behind else Line(act, (), card or behind),
    "bound": _bound,
    "why": lambda why: REASON,
    "nth": lambda n: n or Refused("illegal", "Your cards of this phase are counted from 1.", "M2"),
    "some": lambda n: n,
    "range": lambda first, last: tuple(range(first, last + 1)) if first < last <= first + 20 else None,
    "throw": Throw,
    "attack": Attack,
    "move": lambda way, by=FARTHEST: Move(way, by),
    "led_by": lambda by, way: Move(way, by) if by <= FARTHEST else None,
    "hold": lambda to=None: Hold() if to is None else Hold(to) if to else NO_CARDS,
    "pass": Pass,
    "stand": Stand,
    "aimed": _aimed,
    "towards": _way("to"),
    "from": _way("from"),
    "left_of": _way("left"),
    "right_of": _way("right"),
    "banked": lambda off, place: Throw(_aimed(place, off)),  # type: ignore[arg-type]
    "hit": lambda place: Throw(Way("to", place)),
    "nearby": lambda: Attack(Place("nearest")),
    "holding": _holding,
    "which": _which,
    "having": _having,
    "wait": _said(WAIT),
    "one": lambda off: (off,),
    "two": lambda off: off,
    "seat": lambda seat: Place("seat", seat=seat),
    "nearest": _said(Place("nearest")),
    "weakest": _said(Place("weakest")),
    "mine": _said(Place("my disc")),
    "disc": lambda seat: Place("disc", seat=seat),
    "centre": _said(Place("centre")),
    "wall": lambda wall: Place("wall", name=wall),
    "corner": lambda corner: Place("corner", name=corner),
    "square": lambda square: square if isinstance(square, Refused) else Place("square", name=square),
    "him": _said(Place("seat", seat=HIM)),
    "me": _said(ME),
    "within": _test("within"),
    "beyond": _test("beyond"),
    "holds": _holds,
    "counting": _holds,
    "exactly": _count("="),
    "least": _count(">="),
    "more": _count(">=", 1),
    "most": _count("<="),
    "fewer": _count("<=", -1),
    "none": _said(0),
    "single": _said(1),
    "prone": _test("prone"),
    "fallen": _test("prone"),
    "out": _test("disc out"),
    "hand": _test("disc in hand"),
    "gone": _test("disc away"),
    "any_heading": _test("heading"),
    "heading": _test("heading"),
    "clear": _test("clear"),
    "left": _test("left"),
    "on_disc": _on_disc,
    "take": lambda seat="": OnDisc((), seat),
    "flat": lambda seat="": FALLS,
    "on_attack": lambda: OnAttack(dodges=True),
    "stay": lambda: OnAttack(dodges=False),
    "unblocked": _said(UNBLOCKED),
    "catch": lambda least=1, dive=False: OnMyDisc(card=True, dive=dive, least=least),
    "dive": lambda: OnMyDisc(card=False, dive=True),
    "lie": lambda: OnMyDisc(card=False, dive=False),
    "recall": Recall,
    "begin": lambda place: place if isinstance(place, Refused) else Begin(place),
    "begun": lambda place: place if isinstance(place, Refused) else Begin(place),
    "with": With,
}
"""What each act means, where that is no record with the slots as its fields."""
