"""Random brawls: house rules, fighters with names that mislead, and sets of lines of which some can never be done."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from random import Random

import msgspec
from hypothesis import strategies as st

from pbem.ground.chance import Dice
from pbem.ground.terms import Given, Outcome, Refused, Seat
from pbem.rulesets.brawl import RULESET
from pbem.rulesets.brawl.language.reading import ROUNDS
from pbem.rulesets.brawl.options import OPTIONS
from pbem.rulesets.brawl.order import Order
from pbem.rulesets.brawl.round.asking import Asked
from pbem.rulesets.brawl.round.old_turn import OldTurn
from pbem.rulesets.brawl.state import State
from pbem.rulesets.brawl.words import written

SEATS = ("ada", "bo", "cy", "di", "eve", "fay")
NAMES = (
    "Bud", "Big Item", "Bud Junior", "Terence", "Pick Up", "If Only", "Ünder Dög", "20 on Ada", "O'Brien", "Mr. Move",
    "Drop Dead", "Smith, Jr", "The Drink!", "Uses Force", "Old Counter", "Jo Picks Up", "A", "With Love", "Round",
    "Is Down", "Bob Drinks", "Health of Bud", "First", "Damage: Low", "Defend", "Jo Has Item",
)  # fmt: skip
SIMPLE = ("advantage", "maneuver", "regain", "drink", "pickup", "move", "move charge 1", "move charge 2", "move aside")
ACTIONS = ("counter", "advantage", "maneuver", "regain", "coop", "move", "charge", "bind", "pickup", "drink")
EFFECTS = ("hurt {} 4", "heal {} 6", "tire {} 5", "rest {} 3")


class World(msgspec.Struct, frozen=True):
    """A brawl that is still to be fought: house rules, names by seat, and a seed for all that is random in it."""

    house: dict[str, str]
    names: dict[Seat, str]
    seed: int

    @property
    def dice(self) -> Dice:
        """Return the game's dice."""
        return Dice(self.seed.to_bytes(32, "big"))

    def begun(self) -> State:
        """Return its first round."""
        return RULESET.setup(self.names, self.house, self.dice)


@st.composite
def worlds(draw: st.DrawFn, /, **house: str) -> World:
    """Draw a brawl of two to six; `house` are rules that hold in any case."""
    drawn = {}
    for option in OPTIONS:
        drawn[option.name] = draw(st.sampled_from((option.default, *option.choices))) if option.choices else "0"
    drawn |= {
        "police": draw(st.sampled_from(("0", "0", "4"))),
        "police_from": draw(st.sampled_from(("0", "0", "2"))),
        "stall": draw(st.sampled_from(("10", "2"))),
        "teams": draw(st.sampled_from(("0", "2", "3"))),
        "extra_endurance": draw(st.sampled_from(("10", "0"))),
    }
    count = draw(st.integers(2, 6))
    names = draw(st.permutations(NAMES))[:count]
    seats = {Seat(seat): name for seat, name in zip(SEATS, names, strict=False)}
    return World({**drawn, **house}, seats, draw(st.integers(0, 2**32)))


class Turn(msgspec.Struct, frozen=True):
    """One round of a brawl that was fought: what went in, where it stopped to ask somebody, and what came out."""

    state: State
    orders: dict[Seat, tuple[Order, ...]]
    given: Given
    dice: Dice
    outcome: Outcome[State]
    stops: tuple[Asked, ...]


Answer = Callable[[State, Seat], Sequence[Order]]
"""Says what a seat sends that is asked something, in the state in which it is."""


def closed(
    state: State, orders: Mapping[Seat, Sequence[Order]], given: Given, dice: Dice, answer: Answer
) -> tuple[Outcome[State], Given, tuple[Asked, ...]]:
    """Close a round, with the answers of all who are asked; return them in what is given, and where it stopped."""
    stops: list[Asked] = []
    while (outcome := RULESET.adjudicate(state, orders, given, dice)).asks:
        assert isinstance(outcome.state, Asked)
        stops.append(outcome.state)
        answers = {seat: tuple(answer(stops[-1], seat)) for seat in RULESET.phase(stops[-1]).owing}
        given = msgspec.structs.replace(given, answers=(*given.answers, answers))
    return outcome, given, tuple(stops)


def nobody_writes(state: State, seat: Seat) -> Sequence[Order]:
    """Return what the rules give to a seat that sends nothing."""
    return RULESET.missing(state, seat, Dice(bytes(32)))


def fought(world: World, most: int = 8, *, resigning: bool = True, ruling: bool = True) -> Iterator[Turn]:
    """Fight a brawl with random sets and, where there is `ruling`, a moderator who hurts, heals and knocks down."""
    rng, state = Random(world.seed), world.begun()
    for number in range(most):
        if ruling:
            state = amended(state, rng)
        dice = world.dice.at(str(number))
        orders = {seat: some_set(state, seat, rng, resigning=resigning) for seat in RULESET.phase(state).owing}
        given = Given({}, effects(state, rng)) if ruling else Given()
        drawn = partial(some_set, rng=rng, resigning=resigning)
        outcome, given, stops = closed(state, orders, given, dice, drawn)
        yield Turn(state, orders, given, dice, outcome, stops)
        if outcome.result:
            return
        state = outcome.state


def of_version_3(turn: Turn, place: int) -> OldTurn:
    """Return the state in which version 3 of the rules kept a round that stopped, for the how manieth time from 0."""
    sent: dict[Seat, Sequence[Order]] = {**turn.orders}
    answered = {turn.state.turn} - {""}
    for answer in turn.given.answers[:place]:
        sent |= answer
        answered |= {str(seat) for seat in answer}
    kept = {name: getattr(turn.state, name) for name in State.__struct_fields__}
    return OldTurn(
        **{**kept, "phase": "turn", "turn": turn.stops[place].turn},
        sealed={str(seat): RULESET.format(turn.state, plan) for seat, plan in sent.items()},
        answered=tuple(sorted(answered)),
        effects=turn.given.effects,
    )


def some_set(state: State, seat: str, rng: Random, *, resigning: bool = True) -> tuple[Order, ...]:
    """Return what could be read of random lines, whether or not they go together; at times what the absent have."""
    if rng.random() < 0.1:
        return tuple(nobody_writes(state, Seat(seat)))
    return read(state, seat, lines(state, seat, rng, resigning=resigning))


def read(state: State, seat: str, texts: list[str]) -> tuple[Order, ...]:
    """Return the orders that lines of ours hold."""
    found = ((number, ROUNDS.read(state, seat, text)) for number, text in enumerate(texts, 1))
    return tuple(order.at(number) for number, order in found if not isinstance(order, Refused))


def amended(state: State, rng: Random) -> State:
    """Return the state as a moderator may set it, now and then: somebody down, away, on top, or with a chair."""
    if rng.random() < 0.6:
        return state
    seat = rng.choice(list(state.names))
    key, value = rng.choice((("down", 2), ("away", True), ("advantage", 3), ("item", 2), ("health", -4), ("dizzy", 2)))
    after = RULESET.amend(state, f"{key} of {seat}", value)
    return after if isinstance(after, State) else state


def effects(state: State, rng: Random) -> tuple[str, ...]:
    """Return what a moderator does to fighters, now and then."""
    drawn = [rng.choice(EFFECTS).format(rng.choice(list(state.names))) for _ in range(rng.choice((0, 0, 1, 2)))]
    return tuple(text for text in drawn if not RULESET.lapsed(state, text))


def lines(state: State, seat: str, rng: Random, *, resigning: bool = True) -> list[str]:
    """Return random lines of a seat: with dice that it has, for the most part, and each of them used once or more."""
    pen = _Pen(state, seat, rng)
    found = [pen.line() for _ in range(rng.randint(1, 6))]
    if rng.random() < 0.2:
        found.append("ask me")
    if resigning and rng.random() < 0.03:
        found.append("resign")
    return found


class _Pen:
    """Writes lines for one seat; takes dice in turn, so that most of them are used once."""

    def __init__(self, state: State, seat: str, rng: Random) -> None:
        self.rng, self.state = rng, state
        self.letters = [die.letter for die in state.fighter(seat).dice]
        rng.shuffle(self.letters)
        self.names = [written(state, other) for other in state.names if other != seat or rng.random() < 0.05]
        self.next = 0

    def die(self) -> str:
        """Return the next die; one that there is not, now and then."""
        if not self.letters or self.rng.random() < 0.02:
            return "q"
        self.next += 1
        return self.letters[self.next % len(self.letters)]

    def some_dice(self) -> str:
        """Return one die or two."""
        return " ".join(self.die() for _ in range(self.rng.choice((1, 1, 1, 2))))

    def name(self) -> str:
        """Return another fighter's name, or one's own now and then."""
        return self.rng.choice(self.names)

    def line(self) -> str:
        """Return a line of any kind."""
        kind = self.rng.random()
        if kind < 0.12:
            uses = " else ".join(self.coop_use() for _ in range(self.rng.choice((1, 2))))
            return f"coop die: {uses}"
        if kind < 0.15:
            return f"damage order: {self.rng.choice(('listed', 'high', 'low'))}"
        if kind < 0.4:
            tests = " and ".join(self.test() for _ in range(self.rng.choice((1, 1, 2))))
            otherwise = f" else {self.order()}" if self.rng.random() < 0.5 else ""
            return f"if {tests}: {'; '.join(self.order() for _ in range(self.rng.choice((1, 1, 2))))}{otherwise}"
        return self.order()

    def order(self) -> str:
        """Return an order that can stand behind an if."""
        kind = self.rng.random()
        if kind < 0.35:
            return f"attack {self.name()} with {self.some_dice()} damage {self.some_dice()}"
        if kind < 0.5:
            return f"defend with {self.some_dice()}" + (f" vs {self.name()}" if self.rng.random() < 0.3 else "")
        if kind < 0.6:
            return f"delay {self.die()} {self.rng.choice(('attack', 'defense', 'damage'))}"
        return "pass" if kind < 0.62 else f"drop {self.die()} {self.action()}"

    def action(self) -> str:
        """Return what a die is dropped for."""
        kind = self.rng.random()
        if kind < 0.3:
            return f"counter {self.name()} {self.rng.choice(('', '', 'old '))}{self.rng.choice(ACTIONS)}"
        if kind < 0.55:
            return f"{self.rng.choice(('coop', 'coop', 'bind', 'move to'))} {self.name()}"
        return self.rng.choice(SIMPLE)

    def coop_use(self) -> str:
        """Return what to do with a given die."""
        kind = self.rng.random()
        if kind < 0.4:
            return f"add to {self.rng.choice(('attack', 'damage', 'defense'))} {self.rng.choice('12')}"
        if kind < 0.6:
            how = "damage" if kind < 0.55 else "with"
            return "defend" if kind < 0.5 else f"attack {self.name()} {how} {self.die()}"
        return self.action()

    def test(self) -> str:
        """Return a test."""
        name, number = self.name(), self.rng.randint(0, 12)
        return self.rng.choice((
            "always", "I am first", "I am last", f"{name} attacks me", f"{name} attacks {self.name()}",
            f"attacked by {number % 3}", f"attack on me > {number}", f"{name} drops {self.rng.choice(ACTIONS)}",
            f"{name} defends {number % 3}", f"{name} has item", f"{name} is down", f"{name} is up",
            f"health of {name} < {number}", f"endurance of {name} >= {number}", f"my health < {number}",
            f"my endurance = {number}", f"round >= {number % 4}", "nobody attacks me", f"{name} drinks",
        ))  # fmt: skip


def by_seat(state: State) -> Mapping[str, object]:
    """Return the fighters by seat, in whatever order they are listed."""
    return {fighter.seat: fighter for fighter in state.fighters}
