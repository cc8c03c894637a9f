"""Arbitrary states and orders of Rumble, with names that try to mislead the order language."""

import string

from hypothesis import strategies as st

from pbem.ground.terms import Seat
from pbem.rulesets.rumble.house.options import DEFAULTS, OPTIONS
from pbem.rulesets.rumble.model.order import (
    Attack,
    Bid,
    Block,
    Confirm,
    Defend,
    Discard,
    Hold,
    If,
    Invent,
    Name,
    Order,
    Plan,
    Resign,
    RoundOrder,
    Test,
    Use,
)
from pbem.rulesets.rumble.model.state import Hero, Power, State

SEATS = ("ada", "bo", "cy", "di", "eve")
HEROES = (
    "Mantisman", "Doctor Cuttlefish", "Plastiquegirl", "Plastiqueman", "Pride and Joy", "Agent 47", "O'Brien",
    "Smith, Jr", "Ünder Dög", "If Only", "The Breeze", "x2", "Twenty-20 Vision", "Block", "Ada", "Mr. P03", "Is In",
)  # fmt: skip
POWERS = (
    "Tough Skin", "Tough Hide", "Slow Burn", "Foot on Neck", "X, Y and Z", "Ray x2", "Flight", "Flight (2)",
    "Precognition", "Attack Dog", "Spend 10", "A: B", "Then Discard", "Düsentrieb", "#1", "Block Party",
)  # fmt: skip


@st.composite
def states(draw: st.DrawFn, *, phase: str = "round", living: bool = False) -> State:
    """Draw a state in which everybody owns some powers."""
    count = draw(st.integers(2, 5))
    names = draw(st.permutations(HEROES))[:count]
    names = [f"{name} (2)" if name.casefold() in SEATS else name for name in names]
    heroes: list[Hero] = []
    for seat, name in zip(SEATS, names, strict=False):
        out = -1 if living or len(heroes) < 2 else draw(st.sampled_from((-1, -1, 1)))
        heroes.append(Hero(Seat(seat), name, draw(st.integers(1, 120)), out))
    cards = draw(st.permutations(POWERS))[: draw(st.integers(1, 8))]
    owners = list(SEATS[:count])
    powers = tuple(
        Power(number, name, "Spend 10: 5 damage.", owner=draw(st.sampled_from(owners)) if phase == "round" else "")
        for number, name in enumerate(cards, 1)
    )
    house = dict(DEFAULTS)
    for option in OPTIONS:
        if option.choices:
            house[option.name] = draw(st.sampled_from((option.default, *option.choices)))
    house |= {"resign": "yes", "late_discard": "yes", "must_allocate_all": "no", "ties": "rebid_once"}
    where = {"round": 1 if draw(st.booleans()) else 4} if phase == "round" else {}
    quiet = draw(st.integers(0, 4)) if phase == "round" else 0
    return State(phase=phase, house=house, heroes=tuple(heroes), powers=powers, quiet=quiet, **where)  # type: ignore[arg-type]


amounts = st.integers(0, 60)


def round_orders(state: State, seat: str) -> st.SearchStrategy[RoundOrder]:
    """Draw one order of a round without a condition."""
    others = [hero.seat for hero in state.living if hero.seat != seat]
    everyone = [hero.seat for hero in state.living]
    owned = [power.key for power in state.owned(seat)]
    kinds: list[st.SearchStrategy[RoundOrder]] = [
        st.builds(Attack, st.sampled_from(others), amounts),
        st.builds(Defend, amounts),
        st.just(Confirm()),
        blocks(others),
    ]
    if owned:
        power = st.sampled_from(owned)
        kinds += [
            st.builds(Hold, amounts, power),
            st.builds(Discard, power),
            st.builds(
                _use, power, st.sampled_from(["", *everyone]), amounts, amounts, st.integers(-1, 30), st.integers(1, 5)
            ),
        ]
    return st.one_of(kinds)


def _use(power: str, on: str, spend: int, burn: int, x: int, times: int) -> Use:
    """Make a use as it can be written: X alone is spent."""
    return Use(power, on, spend, burn, x, times)


@st.composite
def blocks(draw: st.DrawFn, others: list[Seat]) -> Block:
    """Draw a block line."""
    how = draw(st.sampled_from(("first", "points", "largest", "smallest", "evenly")))
    if how in ("largest", "smallest", "evenly"):
        return Block(how)  # type: ignore[arg-type]
    heroes = tuple(draw(st.lists(st.sampled_from(others), min_size=1, max_size=len(others), unique=True)))
    points = tuple(draw(amounts) for _ in heroes) if how == "points" else ()
    return Block(how, heroes, points)  # type: ignore[arg-type]


@st.composite
def tests(draw: st.DrawFn, state: State, *, late: bool) -> Test:
    """Draw a test, of what is known at the start or, `late`, at the reveal too."""
    kinds = ["always", "my energy", "energy", "heroes left", "out", "in"]
    kind = draw(st.sampled_from(kinds + (["attacked by", "attack from", "incoming"] if late else [])))
    seat = (
        draw(st.sampled_from(list(state.names)))
        if kind in ("energy", "out", "in", "attacked by", "attack from")
        else ""
    )
    if kind in ("always", "out", "in", "attacked by"):
        return Test(kind, seat)
    return Test(kind, seat, draw(st.sampled_from(("<", "<=", "=", ">=", ">"))), draw(amounts))


@st.composite
def ifs(draw: st.DrawFn, state: State, seat: str) -> If:
    """Draw a conditional line."""
    late: bool = draw(st.booleans())
    others = [hero.seat for hero in state.living if hero.seat != seat]
    guarded: st.SearchStrategy[RoundOrder] = blocks(others) if late else round_orders(state, seat)
    asked = st.lists(tests(state, late=late), min_size=1, max_size=3)
    return If(
        tuple(draw(asked)),
        tuple(draw(st.lists(guarded, min_size=1, max_size=3))),
        tuple(draw(st.lists(guarded, max_size=2))),
    )


plan_texts = st.text(alphabet=string.ascii_letters + string.digits + " .:,!?'-äé", min_size=1, max_size=80)


@st.composite
def sets(draw: st.DrawFn, state: State, seat: str) -> tuple[Order, ...]:
    """Draw a set of orders for a round, over budget or not."""
    orders: list[Order] = draw(st.lists(st.one_of(round_orders(state, seat), ifs(state, seat)), max_size=6))
    owned = [power.key for power in state.owned(seat)]
    if bool(owned) and draw(st.booleans()):
        text = " ".join(draw(plan_texts).split()).rstrip(" ,;:").replace(" #", "")
        if text and text.lower().rsplit(maxsplit=1)[-1] not in ("else", "and", "or"):
            orders.append(Plan(draw(st.sampled_from(owned)), text))
    if state.round == 1 and draw(st.booleans()):
        orders.insert(0, Name(draw(st.sampled_from(("Bolt", "Volt", "El Niño", "Mr. Fish!")))))
    if draw(st.integers(0, 9)) == 0:
        orders.append(Resign())
    return tuple(orders)


def bids(state: State) -> st.SearchStrategy[tuple[Bid, ...]]:
    """Draw bids, at most one a power."""
    keys = [power.key for power in state.pool()]
    one = st.builds(
        Bid,
        st.sampled_from(keys),
        st.integers(0, 60),
        st.lists(st.integers(0, 60), max_size=3).map(tuple),
        st.sampled_from(("", "yes", "maybe")),
    )
    return st.lists(one, max_size=6, unique_by=lambda bid: bid.power).map(tuple)


free_texts = st.text(
    alphabet=st.characters(blacklist_categories=("Cs", "Cc", "Cf", "Zl", "Zp", "Co", "Cn")), min_size=1, max_size=60
)


def inventions() -> st.SearchStrategy[Invent]:
    """Draw powers with names and texts of any characters that people can see."""
    return st.builds(Invent, free_texts, free_texts, st.sampled_from(("power", "flaw", "curse")))
