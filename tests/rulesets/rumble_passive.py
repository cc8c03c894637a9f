"""Those who only sit there in Rumble: no player of sense, and none of them may win more than their share."""

from collections.abc import Mapping

from pbem.ruleset import Bot, Dice, Seat
from pbem.rulesets.rumble.model.order import Defend, Idle, Order
from pbem.rulesets.rumble.model.state import State

LONG_QUIET = 10
"""Rounds in a row in which nobody loses any Energy, behind which programs never will."""


def defends(state: State, seat: Seat, dice: Dice) -> tuple[Order, ...]:
    """Put all Energy into Defence."""
    return (Defend(max(0, state.hero(seat).energy)),)


def hoards(state: State, seat: Seat, dice: Dice) -> tuple[Order, ...]:
    """Keep all Energy idle."""
    return (Defend(0),)


def halves(state: State, seat: Seat, dice: Dice) -> tuple[Order, ...]:
    """Defend with half, keep the rest."""
    return (Defend(max(0, state.hero(seat).energy) // 2), Idle())


BOTS: Mapping[str, Bot[State, Order]] = {"defends": defends, "hoards": hoards, "halves": halves}


def stands_still(state: State) -> bool:
    """Say whether a game goes on for ever, as far as programs are concerned."""
    return state.quiet >= LONG_QUIET


_WASTE = {"stalemate": "unused_defence_burn"}
CURED = {"silent": _WASTE, "defends": _WASTE}
"""Of the last two, nobody hurts whoever puts more Energy into Defence than the other has; unless Defence costs."""
