"""Random disc battles: house rules, Programs with names that mislead, Discs in the air, and lines that make sense."""

from collections.abc import Iterator, Sequence
from random import Random

import msgspec
from hypothesis import strategies as st

from pbem.ground.chance import Dice
from pbem.ground.terms import Given, Outcome, Refused, Seat
from pbem.rulesets.discs.game import Discs
from pbem.rulesets.discs.grid.plane import At, along, covers
from pbem.rulesets.discs.language.names import written
from pbem.rulesets.discs.language.reading import LISTS
from pbem.rulesets.discs.model.options import DEFAULTS, OPTIONS, clash
from pbem.rulesets.discs.model.order import Order
from pbem.rulesets.discs.model.program import CARDS, Disc, Program
from pbem.rulesets.discs.model.state import State, with_program
from pbem.table.model.seating import slug

RULESET = Discs()
NAMES = (
    "Ada", "Bo", "Bo Junior", "If Only", "Ünder Dög", "O'Brien", "Mr. Move", "Only Two Left", "Disc of Bo", "A", "Q.",
    "Jo Holds", "Then", "Clear Shot", "Wall Flower", "Off", "By By", "Prone", "My Own", "Is Prone", "To Bo", "Corner's",
    "Card", "Holdall", "Recall", "On Attack", "5 Or More", "Beginner", "Square Sam", "Lefty", "X-Ray", "Stands",
)  # fmt: skip
PLACES = (
    "nearest", "weakest", "my disc", "centre", "north wall", "east wall", "SW corner", "NE corner", "A1", "L12", "F4",
    "10.5,7", "2,2.25",
)  # fmt: skip


class World(msgspec.Struct, frozen=True):
    """A battle under way, with a seed for all that is random in what comes next."""

    state: State
    seed: int

    @property
    def dice(self) -> Dice:
        """Return the dice of the phase."""
        return Dice(self.seed.to_bytes(32, "big"))

    @property
    def rng(self) -> Random:
        """Return what lines are drawn with."""
        return Random(self.seed)


@st.composite
def worlds(draw: st.DrawFn, /, **house: str) -> World:
    """Draw a battle of two to six; `house` are rules that hold in any case."""
    count = draw(st.integers(2, 6))
    drawn = {
        option.name: draw(st.sampled_from((option.default, *option.choices))) for option in OPTIONS if option.choices
    }
    drawn |= {"setup": "even", "teams": draw(st.sampled_from(("0", "0", "2"))), "closing": draw(st.sampled_from("06"))}
    drawn |= {"grid": draw(st.sampled_from(("24", "24", "30", "12" if count == 2 else "27")))} | house
    if clash(drawn, count):
        drawn |= {"team_talk": "no", "teams_by": "seats"}
    seed = draw(st.integers(0, 2**32))
    return World(scattered({**DEFAULTS, **drawn}, count, Random(seed)), seed)


def scattered(house: dict[str, str], count: int, rng: Random) -> State:
    """Return a battle in which Programs stand, lie and have gone, and Discs fly, anyhow."""
    names = rng.sample(NAMES, count)
    teams, limit = int(house["teams"]), int(house["hold"])
    part = rng.choice((1, 2)) if house["pace"] == "half" else 1
    inset = rng.choice((0, 0, 100, 150)) if int(house["grid"]) >= 24 else 0
    state = State(house=house, turn=rng.randint(1, 8), part=part, inset=inset, quiet=rng.randint(0, 2))
    for place, name in enumerate(names):
        held = rng.randint(0, limit)
        deck = rng.randint(1, CARDS - held)
        program = Program(
            seat=Seat(slug(name)), name=name, held=held, deck=deck, used=CARDS - held - deck, prone=rng.random() < 0.2,
            team=place % teams + 1 if teams else 0,
        )  # fmt: skip
        state = msgspec.structs.replace(state, programs=(*state.programs, program))
        state = with_program(state, program.seat, at=_somewhere(state, program.seat, rng))
    for place, program in enumerate(state.programs):
        if rng.random() < 0.5:
            state = with_program(state, program.seat, disc=a_disc(state, rng))
        if place > 1 and rng.random() < 0.15:
            ghost = state.program(program.seat).disc is not None and house["ghost_cards"] == "move"
            cards = {} if ghost else {"deck": 0, "used": 0}
            state = with_program(state, program.seat, out=True, by=state.programs[0].seat, prone=False, held=0, **cards)
    for program in state.programs:
        if program.disc:
            state = with_program(state, program.seat, disc=state.settled(program.disc))
    return state


def _somewhere(state: State, seat: str, rng: Random) -> At:
    """Return a place where a Base fits; near to another Program rather often."""
    others, grid = state.others(seat), state.grid
    while True:
        at = At(*(rng.randint(grid.low + 200, grid.high - 200) for _ in "xy"))
        if others and rng.random() < 0.5:
            near = rng.choice(others).at
            at = At(near.x + rng.randint(-380, 380), near.y + rng.randint(-380, 380))
        if state.fits(seat, at):
            return at


def a_disc(state: State, rng: Random) -> Disc:
    """Return a Disc somewhere on the Grid, let by by some of those on whose Base its Marker lies."""
    while True:
        tip = At(rng.randint(state.grid.low, state.grid.high), rng.randint(state.grid.low, state.grid.high))
        disc = Disc(tip, rng.randint(0, 359))
        if state.grid.holds(along(tip, disc.bearing, -state.sizes.marker)):
            under = [one.seat for one in state.programs if not one.out and covers(state.marker(disc), one.at)]
            passed = tuple(seat for seat in under if rng.random() < 0.7)
            return state.settled(msgspec.structs.replace(disc, passed=passed))


class Turned(msgspec.Struct, frozen=True):
    """One phase of a battle that was played: what went in and what came out."""

    state: State
    orders: dict[Seat, tuple[Order, ...]]
    dice: Dice
    outcome: Outcome[State]


def played(world: World, most: int = 4) -> Iterator[Turned]:
    """Play some phases with random sets."""
    state, rng = world.state, world.rng
    if len({state.side(one.seat) for one in state.standing()}) < 2:
        return
    for number in range(most):
        dice = world.dice.at(str(number))
        orders = {seat: some_set(state, seat, rng) for seat in RULESET.phase(state).owing}
        outcome = RULESET.adjudicate(state, orders, Given(), dice)
        yield Turned(state, orders, dice, outcome)
        if outcome.result:
            return
        state = outcome.state


def some_set(state: State, seat: str, rng: Random) -> tuple[Order, ...]:
    """Return what could be read of random lines, which are as we write them."""
    said = [LISTS.read(state, seat, text) for text in lines(state, seat, rng)]
    return tuple(order.at(number) for number, order in enumerate(said, 1) if not isinstance(order, Refused))


def lines(state: State, seat: str, rng: Random) -> list[str]:
    """Return random lines of a seat, most of which can be read."""
    found = [line(state, seat, rng) for _ in range(rng.randint(1, 6))]
    return found + rng.sample(_standing(state, seat, rng), rng.randint(0, 3))


def line(state: State, seat: str, rng: Random) -> str:
    """Return a random line of the list."""
    head = f"card {rng.randint(1, 4)}: " if rng.random() < 0.2 else ""
    if rng.random() < 0.4:
        head += f"if {' and '.join(_test(state, seat, rng) for _ in range(rng.choice((1, 1, 2))))}: "
    return head + _act(state, seat, rng)


def _names(state: State, seat: str) -> list[str]:
    return [written(state, other.seat) for other in state.others(seat)]


def _pick(rng: Random, among: Sequence[str]) -> str:
    return rng.choice(list(among))


def _place(state: State, seat: str, rng: Random) -> str:
    names = _names(state, seat)
    return _pick(rng, (*PLACES, *names, *names, *(f"disc of {name}" for name in names)))


def _whom(state: State, seat: str, rng: Random) -> str:
    return _pick(rng, ("nearest", "weakest", *_names(state, seat)))


def _act(state: State, seat: str, rng: Random) -> str:
    kind = rng.random()
    if kind < 0.35:
        off = _pick(rng, ("", "", "", " off north", " off west", " off south and east"))
        return _pick(rng, (f"throw {rng.randint(0, 359)}", f"throw at {_place(state, seat, rng)}{off}", "throw NNE"))
    if kind < 0.5:
        return f"attack {_whom(state, seat, rng)}"
    if kind < 0.8:
        way = _pick(rng, ("to", "to", "from", "left of", "right of"))
        by = _pick(rng, ("", "", " by 3", " by 0.5", " by 2.25"))
        return _pick(rng, (f"move {way} {_place(state, seat, rng)}{by}", f"move {rng.randint(0, 359)}{by}"))
    return _pick(rng, ("hold", "hold", "hold to 1", "pass", "stand"))


def _test(state: State, seat: str, rng: Random) -> str:
    whom = _whom(state, seat, rng)
    number = rng.randint(0, int(state.house["hold"]))
    return _pick(rng, (
        f"{_place(state, seat, rng)} {_pick(rng, ('within', 'beyond'))} {_pick(rng, ('3', '8', '12.5'))}", f"I hold {number}",
        f"{whom} holds {number}{_pick(rng, ('', ' or more', ' or fewer'))}", f"{whom} is prone", "I am prone",
        "my disc is out", "my disc is in hand", "my disc is away", "any disc heading at me", f"clear shot at {whom}",
        f"only {rng.randint(2, 6)} left", *(f"disc of {name} heading at me" for name in _names(state, seat)),
    ))  # fmt: skip


def _standing(state: State, seat: str, rng: Random) -> list[str]:
    guards = ("block, dodge", "dodge, block", "block", "only block", "dodge", "never")
    return [
        f"on disc: {_pick(rng, guards)}",
        *(f"on disc of {name}: {_pick(rng, guards)}" for name in _names(state, seat)),
        f"on attack: {_pick(rng, ('dodge', 'never'))}",
        f"on my disc: {_pick(rng, ('card, dive', 'card', 'dive', 'never', 'card if I hold 1, dive'))}",
        f"recall: {_pick(rng, ('when away', 'never', 'if nobody ahead'))}",
    ]
