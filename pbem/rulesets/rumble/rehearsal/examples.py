"""Plays one round of three heroes with a power and without it, and says what differs; decides nothing."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec

from pbem.ruleset import Dice, Given, Outcome, Seat, phrases
from pbem.rulesets.rumble.language.reading import ROUNDS
from pbem.rulesets.rumble.model.order import Attack, Captions, Defend, RoundOrder, Use
from pbem.rulesets.rumble.model.state import START, Hero, Power, State
from pbem.rulesets.rumble.orders import sets
from pbem.rulesets.rumble.powers.engine.active_abilities import asks
from pbem.rulesets.rumble.round import adjudication

NAMES = {"ann": "Ann", "bo": "Bo", "cy": "Cy"}
"""Ann has the power."""
STRENGTH = 30
X = 10
CAPTIONS = Captions(("KRAK", "ZOWIE", "THWIP"))
_DICE = Dice(bytes(32), "example")


class Stock(msgspec.Struct, frozen=True):
    """What everybody orders, Attacks before Defence; what Ann has, and what went into the power before."""

    orders: Mapping[str, tuple[RoundOrder, ...]]
    energy: int = START
    spent: int = 0


def _orders(**allocated: tuple[Mapping[str, int], int]) -> dict[str, tuple[RoundOrder, ...]]:
    return {
        seat: (*(Attack(on, amount) for on, amount in attacks.items()), Defend(defence))
        for seat, (attacks, defence) in allocated.items()
    }


_BLOWS = _orders(ann=({"bo": 20, "cy": 10}, 20), bo=({"ann": 40}, 5), cy=({"ann": 25, "bo": 5}, 5))
_STOCK = (
    Stock(_BLOWS),
    Stock(_orders(ann=({"bo": 30}, 30), bo=({"ann": 40}, 5), cy=({"bo": 15}, 5))),
    Stock(_orders(ann=({}, 40), bo=({}, 40), cy=({}, 40))),
    Stock(_orders(ann=({"bo": 10}, 10), bo=({"ann": 40}, 5), cy=({"ann": 25}, 5)), energy=30),
    Stock(_orders(ann=({}, 4), bo=({"cy": 10}, 5), cy=({"bo": 15}, 5)), energy=5),
    Stock(_BLOWS, spent=60),
)
"""Scenes, the plainest first; a power is shown in the first in which it makes a difference."""


class Example(msgspec.Struct, frozen=True):
    """A scene in words, and a sentence for each thing that the power changes in it; none if it changes nothing."""

    scene: str
    differences: tuple[str, ...] = ()


def example_of(lines: str, house: Mapping[str, str]) -> Example:
    """
    Work out a round with the power and without it, by these house rules.

    Shape: the lines run by themselves.
    """
    return _example(lines, tuple(sorted(house.items())))


@lru_cache(maxsize=256)
def _example(lines: str, house: tuple[tuple[str, str], ...]) -> Example:
    first: Example | None = None
    for stock in _STOCK:
        state = _state(lines, dict(house), stock)
        orders = _with_use(state, stock.orders)
        example = Example(_scene(state, orders, stock), tuple(_differences(state, orders)))
        if example.differences:
            return example
        first = first or example
    assert first is not None
    return first


def _state(lines: str, house: dict[str, str], stock: Stock) -> State:
    heroes = tuple(Hero(Seat(seat), name, stock.energy if seat == "ann" else START) for seat, name in NAMES.items())
    power = Power(1, "Example", "", owner="ann", strength=STRENGTH, lines=lines, spent=stock.spent)
    cape = Power(2, "Cape", "", owner="bo", strength=X)
    shown = {**house, "left_over": "idle"}  # so that a set is all that the example says of it
    return State(phase="round", round=2, house=shown, heroes=heroes, powers=(power, cape))


def _with_use(state: State, orders: Mapping[str, tuple[RoundOrder, ...]]) -> Mapping[str, tuple[RoundOrder, ...]]:
    """Let Ann use the power, if it is used, and give up of the rest what she cannot pay then."""
    used = use_of(state, "ann", "Bo", X)
    rest = list(orders["ann"])
    while used:
        whole = (used, *rest)
        if not sets.check(state, "ann", whole):
            return {**orders, "ann": whole}
        if not rest:
            break
        rest.pop(-2 if len(rest) > 1 else 0)
    return orders


def use_of(state: State, seat: str, on: str, x: int) -> Use | Captions | None:
    """Return the order to use power P01, on somebody, something, and with an X, as its lines ask; None if none fits."""
    if asks(state.powers[0]):
        return CAPTIONS
    others = [hero.name for hero in state.living if hero.name != on and hero.seat != seat]
    cards = sorted(state.powers, key=lambda power: power.owner == seat)
    targets = [on, "", *(power.key for power in cards), *(f"{on} against {other}" for other in others)]
    for use in [f"{f' on {one}' if one else ''}{end}" for end in (f" X={x}", "") for one in targets]:
        found = ROUNDS.read(state, seat, f"use P01{use}")
        if isinstance(found, Use):
            return found
    return None


def _differences(state: State, orders: Mapping[str, Sequence[RoundOrder]]) -> Iterator[str]:
    without = msgspec.structs.replace(state, powers=state.powers[1:])
    plain = {seat: tuple(order for order in sent if not isinstance(order, Use)) for seat, sent in orders.items()}
    yes = adjudication.adjudicate(state, orders, Given(), _DICE)
    no = adjudication.adjudicate(without, plain, Given(), _DICE)
    for seat, name in NAMES.items():
        before = state.hero(seat).energy
        with_it, without_it = (_fate(outcome.state.hero(seat), before) for outcome in (yes, no))
        if with_it != without_it:
            alike = with_it.split()[0] == without_it.split()[0]
            yield f"With it {name} {with_it}, without it {without_it.split()[1] if alike else f'{name} {without_it}'}."
    yield from _news(yes, no)


def _fate(hero: Hero, before: int) -> str:
    change = hero.energy - before
    if not hero.is_in:
        return "is out"
    return f"gains {change}" if change > 0 else f"loses {-change or 'nothing'}"


def _news(yes: Outcome[State], no: Outcome[State]) -> Iterator[str]:
    """Tell what came of the power besides Energy: a win, powers that moved, what waits for later rounds."""
    if yes.result and not no.result:
        won = [yes.state.names[seat] for seat in yes.result.winners]
        yield f"With it {phrases.listed(won, 'and')} {'wins' if len(won) == 1 else 'win'} the game."
    for event in yes.events:
        facts = event.facts
        if event.kind == "power_discarded" and facts["number"] == "P02":
            yield f"{facts['hero']} is rid of a power of Power Strength {X}."
        elif event.kind == "power_discarded":
            yield "The power is discarded."
        elif event.kind == "power_given":
            yield f"{'The power' if facts['number'] == 'P01' else 'A power'} passes to {facts['to']}."
    ahead: dict[tuple[str, str], list[str]] = {}
    for one in yes.state.later:
        waiting = _ahead(one.what, one.amount, yes.state.names.get(one.source, ""))
        ahead.setdefault((yes.state.names[one.on], waiting), []).append(str(one.round - yes.state.round + 1))
    for (name, waiting), when in ahead.items():
        yield f"{name} {waiting}{' next round' if when == ['1'] else f' in each of the next {len(when)} rounds'}."


def _ahead(what: str, amount: int, source: str) -> str:
    known = {"forbid": "cannot attack", "eliminate": "will be out at the end of the", "deal": f"is to take {amount}"}
    known |= {"require": f"must attack {source} with {amount}"}
    sign = what.removeprefix("defence ")
    more = {"+=": f"{amount} more Defence", "-=": f"{amount} less Defence"}.get(
        sign, f"Defence changed by {sign} {amount}"
    )
    return known.get(what) or f"has {more}"


def _scene(state: State, orders: Mapping[str, Sequence[RoundOrder]], stock: Stock) -> str:
    """Describe a scene: who has what, who orders what."""
    had = (
        f"All have {START} Energy"
        if stock.energy == START
        else f"Bo and Cy have {START} Energy, Ann has {stock.energy}"
    )
    sentences = [f"{had}."]
    for seat, sent in orders.items():
        parts = [f"{order.amount} on {NAMES[order.on]}" for order in sent if isinstance(order, Attack) if order.amount]
        parts += [f"Defence {order.amount}" for order in sent if isinstance(order, Defend) if order.amount]
        sentences.append(f"{NAMES[seat]}: {', '.join(parts) or 'nothing'}.")
    used = next((order for order in orders["ann"] if isinstance(order, Use)), None)
    spent = f", after {stock.spent} went into it in earlier rounds" if stock.spent else ""
    shouts = f" and shouts {', '.join(CAPTIONS.words)}" if CAPTIONS in orders["ann"] else ""
    sentences.append(f"Ann has the power{_used(used)}{shouts}{spent}.")
    return " ".join(sentences)


def _used(use: Use | None) -> str:
    if use is None:
        return ""
    aimed = [NAMES.get(one, "itself" if one == use.power else "a power") for one in (use.on, *use.then) if one]
    on = f" on {' against '.join(aimed)}" if aimed else ""
    return f" and uses it{on}{f' with X={use.x}' if use.x >= 0 else ''}"
