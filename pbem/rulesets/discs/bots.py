"""Programs that play fast, in the players' own language: they hunt, keep their cards, finish others off, or wait."""

from collections.abc import Mapping

from pbem.ruleset import Bot, Dice, OrderLine, Result, Seat
from pbem.rulesets.discs.model.order import Order
from pbem.rulesets.discs.model.state import State
from pbem.rulesets.discs.orders.reading import read_set

HUNTER = (
    "attack nearest",
    "hold to 1",
    "if nearest within 12: throw at weakest",
    "move to my disc",
    "hold",
    "move to nearest",
    "throw at nearest",
    "move to centre",
    "recall: if nobody ahead",
)
KEEPER = (
    "hold",
    "attack nearest",
    "throw at weakest",
    "move from nearest",
    "move to centre",
)
FINISHER = (
    "attack weakest",
    "attack nearest",
    "hold to 1",
    "if weakest within 10: throw at weakest",
    "if nearest within 6: throw at nearest",
    "move to my disc",
    "move to weakest",
    "throw at weakest",
    "recall: if nobody ahead",
)
STANDER = (
    "attack nearest",
    "if nearest within 9: throw at nearest",
    "hold",
    "move to my disc",
    "pass",
)
CORNER = (
    "attack nearest",
    "if nearest within 9: throw at nearest",
    "hold to 1",
    "move to NE corner",
    "hold",
    "move to my disc",
    "pass",
)


def play(lines: tuple[str, ...], state: State, seat: Seat, dice: Dice) -> tuple[Order, ...]:
    """Return a list of lines as a set; places are left to the dice."""
    if state.phase == "place":
        return ()
    return read_set(state, seat, [OrderLine(number, text) for number, text in enumerate(lines, 1)]).orders


def hunter(state: State, seat: Seat, dice: Dice) -> tuple[Order, ...]:
    """Go after whoever is nearest."""
    return play(HUNTER, state, seat, dice)


def keeper(state: State, seat: Seat, dice: Dice) -> tuple[Order, ...]:
    """
    Keep one's cards and stay away, until the walls come in or one foe of several is left: then hunt.

    Two who keep their cards to the end never meet, and there is nothing to be won by waiting for longer.
    """
    is_last = len(state.programs) > 2 and len(state.foes(seat)) == 1
    return play(HUNTER if state.inset or is_last else KEEPER, state, seat, dice)


TEMPERS = (hunter, keeper)


def mixed(state: State, seat: Seat, dice: Dice) -> tuple[Order, ...]:
    """Hunt, or keep one's cards, as a coin says each time: tempers of all sorts, and no seat has its own."""
    return dice.pick("temper", TEMPERS)(state, seat, dice)


def seated(state: State, seat: Seat, dice: Dice) -> tuple[Order, ...]:
    """Have a temper of one's own: who sits in the first seat hunts, the next keeps, and so on around the table."""
    place = list(state.names).index(seat)
    return TEMPERS[place % len(TEMPERS)](state, seat, dice)


def finisher(state: State, seat: Seat, dice: Dice) -> tuple[Order, ...]:
    """Go after whoever is weakest."""
    return play(FINISHER, state, seat, dice)


def stander(state: State, seat: Seat, dice: Dice) -> tuple[Order, ...]:
    """Stand, keep one's cards, and hit whoever comes near."""
    return play(STANDER, state, seat, dice)


def corner(state: State, seat: Seat, dice: Dice) -> tuple[Order, ...]:
    """Go into a corner, and hit whoever comes near."""
    return play(CORNER, state, seat, dice)


STYLES = (hunter, finisher, stander, corner)
"""Two that attack and two that wait: `pbem simulate` shows whether waiting pays."""


def styles(state: State, seat: Seat, dice: Dice) -> tuple[Order, ...]:
    """Have a style of one's own: the first seat hunts, the second finishes off, the third stands, the fourth hides."""
    return STYLES[list(state.names).index(seat) % len(STYLES)](state, seat, dice)


def _one_among(one: Bot[State, Order], others: Bot[State, Order]) -> Bot[State, Order]:
    """Let the first seat play in one way, and all others in another."""

    def bot(state: State, seat: Seat, dice: Dice) -> tuple[Order, ...]:
        return tuple((others if list(state.names).index(seat) else one)(state, seat, dice))

    return bot


BOTS: Mapping[str, Bot[State, Order]] = {
    "mixed": mixed,
    "hunter": hunter,
    "keeper": keeper,
    "seated": seated,
    "styles": styles,
    **{
        f"{one.__name__}-among-{other.__name__}s": _one_among(one, other)
        for one in STYLES
        for other in STYLES
        if one != other
    },
}
"""By name; in `stander-among-hunters` and the like the first seat alone stands."""


def ending(result: Result) -> str:
    """Say how a battle ended, without names."""
    if not result.winners:
        return "a lull" if "De-Rezzed" in result.how else "three quiet turns"
    return "the last Program" if len(result.winners) == 1 else "the last team"
