"""Programs that play fast, in the players' own language: one that hunts, and one that keeps its cards."""

from collections.abc import Mapping
from functools import partial

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


def play(lines: tuple[str, ...], state: State, seat: Seat, dice: Dice) -> tuple[Order, ...]:
    """Return a list of lines as a set; places are left to the dice."""
    if state.phase == "place":
        return ()
    return read_set(state, seat, [OrderLine(number, text) for number, text in enumerate(lines, 1)]).orders


def mixed(state: State, seat: Seat, dice: Dice) -> tuple[Order, ...]:
    """Hunt, or keep one's cards, as a coin says each time: tempers of all sorts, and no seat has its own."""
    return play(dice.pick("temper", (HUNTER, KEEPER)), state, seat, dice)


BOTS: Mapping[str, Bot[State, Order]] = {
    "mixed": mixed, "hunter": partial(play, HUNTER), "keeper": partial(play, KEEPER)
}  # fmt: skip


def ending(result: Result) -> str:
    """Say how a battle ended, without names."""
    if not result.winners:
        return "a lull" if "De-Rezzed" in result.how else "three quiet turns"
    return "the last Program" if len(result.winners) == 1 else "the last team"
