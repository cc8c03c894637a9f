"""What the shapes of a list mean: lines, standing orders, where to begin; what is asked about, and why."""

from collections.abc import Callable
from itertools import pairwise
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


class Otherwise(msgspec.Struct, frozen=True):
    """What is done where the line before it is not."""

    orders: tuple[Any, ...]


class SaysHim(msgspec.Struct, frozen=True):
    """A line that said him and names one alone; `whom` is that one, unless another was named before it."""

    line: Any
    whom: Any


UNNAMED = Place("seat", seat=HIM)
"""Him, where a sentence does not say yet who that is."""
NEARBY = Place("nearest", seat=HIM)
"""Whom an Attack is on that names nobody: who is named beside it, else whoever is nearest."""
ME = Refused("illegal", "That is you. Name another Program.", "M3")
HIMSELF = Refused("ambiguous", "Say who is meant by name: throw at NAME.", "M3")
UNSURE = Refused(
    "ambiguous",
    'What to do when it comes to it stands in a line such as "on disc: block, dodge", "on attack: dodge" or '
    '"on my disc: card".',
    "M8",
)
FALLS = Refused(
    "illegal", "You fall Prone by yourself when you hold no card, and cannot while you hold one. Leave it out.", "T-x"
)
UNBLOCKED = Refused("illegal", "One cannot Block an Attack. Write on attack: dodge, or on attack: never.", "T-g")
ONE_CARD = Refused("unreadable", "A line is for one card. Write a line for each.", "M2")
WALLS_APART = Refused(
    "unreadable", "A bank shot goes off one wall, or off two that meet: off north, off north and east.", "M3"
)
NOTHING_ELSE = Refused(
    "ambiguous", 'Where no line can be done the card is held. Leave "else nothing" out, or write pass on a line.', "M2"
)
REACTION_ELSE = Refused(
    "ambiguous",
    "What is done else stands on a line of its own: for another Disc on disc: block, for all cards hold.",
    "M8",
)
ONLY_HIS = Refused(
    "ambiguous",
    "Say on a line of its own what you do where another Disc comes: on disc of NAME: dodge, on disc: block.",
    "M8",
)
SOMEBODY = Refused("ambiguous", "Write nearest, or a name: it may be another who is meant.", "M5")
SHARED = Refused(
    "ambiguous",
    "The condition may be for the last of these or for all. Write a line for each, with the condition where it holds.",
    "M5",
)
NONE_AT_ALL = Refused("illegal", '"fewer than 0" can never be true: one holds 0 cards or more.', "M5")
WAIT = Refused("ambiguous", 'Write "hold" to keep the card, or "pass" to use it up for nothing.', "D4")
ONE = Refused("ambiguous", 'Write "hold" to keep the card, or "hold to 1" to keep it only while you hold none.', "D4")


def _which(to: int) -> Refused:
    because = f'Is this about your card {to}, or about how many to hold? Write "card {to}: hold" or "hold to {to}".'
    return Refused("ambiguous", because, "M2")


def _having(to: int) -> Refused:
    because = f'Is this how many cards you hold now? If it is an order, write "hold to {to}".'
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


def _place(one: Any) -> Any:
    """Return the place that an act or a test is about; None for none."""
    place = one.way.place if isinstance(one, Throw | Move) and isinstance(one.way, Way) else None
    return one.whom if isinstance(one, Attack) else one.place if isinstance(one, Test) else place


def _whom(one: Any) -> Any:
    """Return whom an act or a test is about, who may be meant by him further on; None for nobody."""
    place = _place(one)
    is_somebody = isinstance(place, Place) and place.kind in ("seat", "nearest", "weakest") and place.seat != HIM
    return place if is_somebody else None


def _bound(tests: tuple[Any, ...], acts: Any, card: int = 0) -> Meaning:
    """Return a line behind conditions: him is the one whom they name, and nobody who is named behind them."""
    acts = acts if isinstance(acts, tuple) else (acts,)
    him = _only(_whom_of(tests))
    if him is None and all(isinstance(test, Test) and test.kind in _OF_MY_DISC for test in tests):
        him = Place("my disc")
    return _lines(tests if _place(tests[0]) == UNNAMED else _in_tests(tests, him), acts, him, card)


def _hanging(tests: tuple[Any, ...], acts: Any, card: int = 0) -> Meaning:
    """Return a line with conditions behind it, where him is the one who is named in it."""
    acts = acts if isinstance(acts, tuple) else (acts,)
    him = _only(_whom_of((*acts, *tests)))
    return _lines(_in_tests(tests, him), acts, him, card, said_him=UNNAMED in map(_place, tests))


def _lines(tests: tuple[Any, ...], acts: tuple[Any, ...], him: Any, card: int, *, said_him: bool = False) -> Meaning:
    """Return the lines of acts with conditions, in which him is somebody; several are asked about."""
    near = tuple(test for test in tests if not (isinstance(test, Test) and test.kind == "beyond"))
    is_open = not _whom_of(near) and UNNAMED not in map(_place, tests)
    said_him = said_him or UNNAMED in map(_place, acts)
    done = tuple(_in_act(_on_somebody(act) if is_open else act, him) for act in acts)
    lines = tuple(Line(act, tests, card) for act in done)
    if len(lines) > 1:
        return Several(lines)
    return SaysHim(lines[0], him) if said_him and him is not None else lines[0]


def _whom_of(ones: tuple[Any, ...]) -> set[Any]:
    return {whom for one in ones if (whom := _whom(one)) is not None}


def _only(named: set[Any]) -> Any:
    return next(iter(named)) if len(named) == 1 else None


_OF_MY_DISC = ("disc out", "disc in hand", "disc away")


def _on_somebody(act: Any) -> Any:
    """Return an act on whoever is nearest, if it is on nobody who was named."""
    return Attack(Place("nearest")) if act == Attack(NEARBY) else act


def _cards(cards: tuple[int, ...], act: Any) -> tuple[Line, ...]:
    return tuple(Line(_on_somebody(act), (), card) for card in dict.fromkeys(cards))


def _list(more: tuple[Any, ...] = (), first: tuple[Any, ...] = (), last: tuple[Any, ...] = ()) -> tuple[Any, ...]:
    """Return the orders of a sentence; lines of which a card may reach but the first are asked about. Rule: M2."""
    said = (*first, *(order for orders in more for order in orders), *last)
    behind = [before for before, one in pairwise(said) if isinstance(one, Otherwise)]
    if not all(isinstance(before, Line | SaysHim | Otherwise) for before in behind):
        return (REACTION_ELSE,)
    orders = tuple(order for one in said for order in (one.orders if isinstance(one, Otherwise) else (one,)))
    orders = _with_him_named(orders)
    lines = tuple(order for order in orders if isinstance(order, Line))
    open_to_all = [line.act for line in lines if not line.tests]
    carded = sum(bool(line.card) for line in lines)
    is_sure = len(lines) < 2 or carded == len(lines) or (not carded and is_list(open_to_all))
    return orders if is_sure else _asked(orders, in_turn=False)


def _with_him_named(said: tuple[Any, ...]) -> tuple[Any, ...]:
    """
    Return the orders of a sentence, in which him is the one who was named before it, if that is one alone.

    Shape: a line that names somebody itself means that one, unless another was named before it.
    """
    orders: list[Any] = []
    named: set[Any] = set()
    for one in said:
        if isinstance(one, SaysHim) and named - {one.whom}:
            return (HIMSELF,)
        order = one.line if isinstance(one, SaysHim) else one
        if isinstance(order, Line):
            him = _only(named)
            order = msgspec.structs.replace(order, act=_in_act(order.act, him), tests=_in_tests(order.tests, him))
            named |= _named(order)
        orders.append(order)
    return tuple(orders)


def _named(line: Line) -> set[Any]:
    return _whom_of((line.act, *line.tests))


def _in_tests(tests: tuple[Any, ...], him: Any) -> tuple[Any, ...]:
    return tuple(
        msgspec.structs.replace(test, place=_about(test.place, him)) if isinstance(test, Test) else test
        for test in tests
    )


def _rows(more: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the orders of rows with semicolons between; a card or a condition before the first may be for all."""
    orders = _with_him_named(tuple(order for orders in more for order in orders))
    lines = [order for order in orders if isinstance(order, Line)]
    is_led = len(lines) > 1 and (lines[0].card or lines[0].tests) and not all(line.card for line in lines)
    return _asked(orders, in_turn=False) if is_led and len(more) > 1 else orders


def _sequence(more: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the orders of a sentence with words of sequence, which may be for one card after the other. Rule: M2."""
    orders = _with_him_named(tuple(order for orders in more for order in orders))
    lines = [order for order in orders if isinstance(order, Line)]
    is_sure = all(line.card for line in lines) if lines else True
    return orders if is_sure else _asked(orders, in_turn=True)


def _asked(orders: tuple[Any, ...], *, in_turn: bool) -> tuple[Any, ...]:
    lines = tuple(order for order in orders if isinstance(order, Line))
    head = lines[0]
    rest = (
        one if one.card or one.tests else msgspec.structs.replace(one, card=head.card, tests=head.tests)
        for one in lines[1:]
    )
    return (*(order for order in orders if not isinstance(order, Line)), Several((head, *rest), in_turn))


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


def _on_disc(guards: Any, seat: str = "", only: bool = False) -> OnDisc | Refused | None:
    guards = guards if isinstance(guards, tuple) else (guards,)
    is_only = only and guards == ("block",)
    if only and seat and not is_only:
        return ONLY_HIS
    return OnDisc(guards, seat, only=is_only) if len(set(guards)) == len(guards) else None


def _said(value: Meaning) -> Callable[[], Meaning]:
    return lambda: value


def _test(kind: Any) -> Callable[..., Meaning]:
    return lambda place=None, seat="", number=0: Test(kind, place, seat, number=number)


def _holds(count: Any, place: Any = None) -> Test | Refused:
    return count if isinstance(count, Refused) else Test("holds", place, sign=count[0], number=count[1])


def _count(sign: str, more: int = 0) -> Callable[[int], Meaning]:
    return lambda n: (sign, n + more)


ACTS: Acts = {
    **{name: _said(value) for name, value in {**WALLS, **GUARDS, **RECALLS, "yes": True}.items()},
    "list": _list,
    "rows": _rows,
    "no_line": lambda: (NOTHING_ELSE,),
    "sequence": _sequence,
    "alone": lambda order=None, card=0, act=None, why=REASON: (order or Line(_on_somebody(act), (), card),),
    "cards": _cards,
    "both": lambda: (OnDisc(("dodge",)), OnAttack(dodges=True)),
    "carded": lambda card, act, tests=(): Line(act, tests, card),
    "bare": lambda act: None,
    "plain": lambda act, card=0, behind=0: ONE_CARD if card and behind else Line(_on_somebody(act), (), card or behind),
    "bound": _bound,
    "hanging": _hanging,
    "why": lambda why: REASON,
    "nth": lambda n: n or Refused("illegal", "Your cards of this phase are counted from 1.", "M2"),
    "some": lambda n: n,
    "span": lambda of: of,
    "range": lambda first, last: tuple(range(first, last + 1)) if first < last <= first + 20 else None,
    "throw": Throw,
    "attack": Attack,
    "move": lambda way, by=FARTHEST: Move(way, by),
    "spaced": lambda way, by: None if by > FARTHEST and isinstance(way, Way) and way.how == "to" else Move(way, by),
    "led_by": lambda by, way: Move(way, by) if by <= FARTHEST else None,
    "kept": lambda card: Line(Hold(), (), card),
    "fetch": lambda: Move(Way("to", Place("my disc"))),
    "hold": lambda to=None: Hold() if to is None else Hold(to) if to else Hold(-1),
    "pass": Pass,
    "stand": Stand,
    "aimed": _aimed,
    "towards": _way("to"),
    "from": _way("from"),
    "left_of": _way("left"),
    "right_of": _way("right"),
    "banked": lambda off, place: Throw(_aimed(place, off)),  # type: ignore[arg-type]
    "hit": lambda place: Throw(Way("to", place)),
    "nearby": lambda: Attack(NEARBY),
    "somebody": _said(SOMEBODY),
    "shared": lambda more, last: (SHARED,),
    "instead": lambda order: (Otherwise(order),),
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
    "him": _said(UNNAMED),
    "me": _said(ME),
    "within": _test("within"),
    "beyond": _test("beyond"),
    "holds": _holds,
    "counting": _holds,
    "exactly": _count("="),
    "least": _count(">="),
    "more": _count(">=", 1),
    "most": _count("<="),
    "fewer": lambda n: ("<=", n - 1) if n else NONE_AT_ALL,
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
    "unsure": lambda: (UNSURE,),
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
