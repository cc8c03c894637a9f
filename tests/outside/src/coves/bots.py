"""A program that hunts for the treasure, for `pbem simulate` and for tests."""

from collections.abc import Mapping, Sequence

from coves.coast import COVES, WINDS, Order, Sea
from pbem.ruleset import Bot, Dice, Seat


def hunter(state: Sea, seat: Seat, dice: Dice) -> Sequence[Order]:
    """Go where the treasure can be, for all that this ship has learnt, and dig where it must be."""
    here, clues = COVES.index(state.place[seat]), state.clues[seat].items()
    possible = [
        place for place in range(len(COVES)) if all(abs(COVES.index(cove) - place) == far for cove, far in clues)
    ]
    if possible == [here]:
        return (Order(digs=True),)
    nearest = min((place for place in possible if place != here), key=lambda place: abs(place - here))
    way = 1 if nearest > here else -1
    return (Order(coves=way * (2 if abs(nearest - here) > 1 and WINDS[state.wind] == way else 1)),)


BOTS: Mapping[str, Bot[Sea, Order]] = {"hunter": hunter}
