"""Programs that play fast, in the players' own language: some go after others, and some wait for who comes near."""

from collections.abc import Mapping

from pbem.ruleset import Bot, Dice, Refused, Result, Seat
from pbem.rulesets.discs.grid.bearings import CORNERS
from pbem.rulesets.discs.language.reading import LISTS
from pbem.rulesets.discs.model.order import Order
from pbem.rulesets.discs.model.state import State

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

_HIT = (
    "attack nearest",
    "hold to 1",
    "if nearest within 10 and clear shot at nearest: throw at nearest",
)
STANDER = (*_HIT, "hold")
CORNER = (*_HIT, *(f"if {corner} corner within 14: move to {corner} corner" for corner in CORNERS), "hold")
FINISHER = (
    "attack weakest",
    "attack nearest",
    "hold to 1",
    "if weakest is prone and weakest within 14: throw at weakest",
    "if weakest holds 0 and clear shot at weakest: throw at weakest",
    "move to my disc",
    "if weakest beyond 8: move to weakest",
    "if clear shot at weakest: throw at weakest",
    "move to weakest",
    "hold",
    "throw at weakest",
    "recall: if nobody ahead",
)


def play(lines: tuple[str, ...], state: State, seat: Seat, dice: Dice) -> tuple[Order, ...]:
    """Return a list of lines as a set; places are left to the dice."""
    if state.phase == "place":
        return ()
    orders = ((LISTS.read(state, seat, text), number) for number, text in enumerate(lines, 1))
    return tuple(order.at(number) for order, number in orders if not isinstance(order, Refused))


def hunter(state: State, seat: Seat, dice: Dice) -> tuple[Order, ...]:
    """Go after whoever is nearest."""
    return play(HUNTER, state, seat, dice)


def keeper(state: State, seat: Seat, dice: Dice) -> tuple[Order, ...]:
    """
    Keep one's cards and stay away, until the walls come in or one foe of several is left: then hunt.

    Two who keep their cards to the end never meet, and there is nothing to be won by waiting for longer.
    """
    return play(HUNTER if state.inset or _is_last(state, seat) else KEEPER, state, seat, dice)


def stander(state: State, seat: Seat, dice: Dice) -> tuple[Order, ...]:
    """Stand where one is and hit who comes near, until one foe of several is left: then hunt."""
    return play(HUNTER if _is_last(state, seat) else STANDER, state, seat, dice)


def corner(state: State, seat: Seat, dice: Dice) -> tuple[Order, ...]:
    """Walk into a corner and hit who comes near, until one foe of several is left: then hunt."""
    return play(HUNTER if _is_last(state, seat) else CORNER, state, seat, dice)


def finisher(state: State, seat: Seat, dice: Dice) -> tuple[Order, ...]:
    """Go after whoever is weakest, and strike who lies on the floor or holds nothing."""
    return play(FINISHER, state, seat, dice)


def _is_last(state: State, seat: str) -> bool:
    """Say whether one foe of several is left."""
    return len(state.programs) > 2 and len(state.foes(seat)) == 1


TEMPERS = (hunter, keeper)


def mixed(state: State, seat: Seat, dice: Dice) -> tuple[Order, ...]:
    """Hunt, or keep one's cards, as a coin says each time: tempers of all sorts, and no seat has its own."""
    return dice.pick("temper", TEMPERS)(state, seat, dice)


def seated(state: State, seat: Seat, dice: Dice) -> tuple[Order, ...]:
    """Have a temper of one's own: who sits in the first seat hunts, the next keeps, and so on around the table."""
    place = list(state.names).index(seat)
    return TEMPERS[place % len(TEMPERS)](state, seat, dice)


STYLES: Mapping[str, Bot[State, Order]] = {
    "hunter": hunter,
    "keeper": keeper,
    "stander": stander,
    "corner": corner,
    "finisher": finisher,
}
"""Styles of play, each by itself."""
BOTS: Mapping[str, Bot[State, Order]] = {"mixed": mixed, **STYLES, "seated": seated}


def ending(result: Result) -> str:
    """Say how a battle ended, without names."""
    if not result.winners:
        return "a lull" if "De-Rezzed" in result.how else "three quiet turns"
    return "the last Program" if len(result.winners) == 1 else "the last team"
