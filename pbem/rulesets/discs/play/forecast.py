"""What a list comes to if nobody else acts: the Grid after one's own cards, for receipts; rolls no dice."""

from collections.abc import Sequence

import msgspec

from pbem.ruleset import Dice, Reckoning
from pbem.rulesets.discs.grid.plane import At, aim
from pbem.rulesets.discs.model.order import Order
from pbem.rulesets.discs.model.program import Program
from pbem.rulesets.discs.model.programme import programme
from pbem.rulesets.discs.model.state import State
from pbem.rulesets.discs.play.acting import turn_card
from pbem.rulesets.discs.play.play import Play
from pbem.rulesets.discs.sight.deck import cards_to_turn


class Forecast(msgspec.Struct, frozen=True):
    """How things stand after so many cards of one's own, and the flights that led there, each with its owner."""

    state: State
    cards: int
    trails: tuple[tuple[str, tuple[At, ...]], ...]


class _Untouched(Reckoning):
    """Sums in which Discs and Attacks go past everybody: who would be crossed, and what they would do, is not known."""

    def claim(self, key: str, text: str, value: bool, how: str = "", rule: str = "") -> bool:
        """Let a Disc cross its own Program alone."""
        owner, _, crossed = key.partition(" of ")[2].partition(" on ")
        return value and owner == crossed


class _Alone(Play):
    """A play in which no dice are rolled."""

    def tie(self, programs: Sequence[Program]) -> Program:
        """Choose the first of several that are equally near."""
        return programs[0]

    def roll(self, owner: Program, at: At) -> int:
        """Send a Disc back to its owner where a die would be rolled. Rule: D21."""
        return aim(at, owner.at) or 0


def forecast(state: State, seat: str, orders: Sequence[Order]) -> Forecast:
    """
    Return what a set comes to if no card but one's own is turned.

    Shape: Discs fly through everybody else, and those of others are recalled as if nothing was said of that.
    Rule: M2, M9.
    """
    me = state.program(seat)
    cards = min(me.deck, cards_to_turn(state))
    only_mine = tuple(msgspec.structs.replace(one, deck=one.deck if one.seat == seat else 0) for one in state.programs)
    start = msgspec.structs.replace(state, programs=only_mine)
    play = _Alone(start, {seat: programme(orders)}, _Untouched({}), Dice(bytes(32)))
    for _ in range(cards):
        turn_card(play)
    trails = tuple(
        (event.facts["owner"], tuple(At(*place) for place in event.facts["trail"]))
        for event in play.events
        if event.kind == "flight"
    )
    return Forecast(play.state, cards, trails)
