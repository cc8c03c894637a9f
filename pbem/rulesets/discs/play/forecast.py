"""What a list comes to if nobody else acts: the Grid after one's own cards, for receipts; rolls no dice."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from pbem.ruleset import Dice, Reckoning
from pbem.rulesets.discs.grid.plane import At, aim
from pbem.rulesets.discs.model.order import Order
from pbem.rulesets.discs.model.program import Program
from pbem.rulesets.discs.model.programme import Programme, programme
from pbem.rulesets.discs.model.state import State
from pbem.rulesets.discs.play.acting import turn_card
from pbem.rulesets.discs.play.flying import move_discs, throw
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


FOLLOWED = 8
"""After so many flights a throw is followed no further."""


class Shot(msgspec.Struct, frozen=True):
    """
    What a throw comes to while nobody moves: its flights, each as the squares where it begins, is turned and ends.

    Shape: `ends` says how the last of them ended: "meets" the seats in `met`, "recalled" where a Recall takes the
    place of the next one, "die" where the direction die turns it at a wall, "" where it flies on after FOLLOWED.
    """

    flights: tuple[tuple[str, ...], ...]
    ends: Literal["meets", "recalled", "die", ""]
    met: tuple[str, ...] = ()


class _Watched(Reckoning):
    """Sums in which a Disc goes past everybody, its owner too, and which note whom its flight came to."""

    def __init__(self) -> None:
        """Begin with nobody."""
        super().__init__({})
        self.met: list[str] = []
        self.is_turned = False

    def claim(self, key: str, text: str, value: bool, how: str = "", rule: str = "") -> bool:
        """Note who would be crossed, until the die has turned the Disc."""
        if not self.is_turned:
            self.met.append(key.rpartition(" on ")[2])
        return False


class _Followed(_Alone):
    """A play in which one throw is followed."""

    sums: _Watched

    def roll(self, owner: Program, at: At) -> int:
        """Note that the die turns the Disc: where to, nobody knows."""
        self.sums.is_turned = True
        return super().roll(owner, at)


def follow(state: State, seat: str, whole: Programme, bearing: int) -> Shot:
    """
    Follow a throw along a bearing, flight by flight, to the first that meets somebody where all stand now.

    Shape: `whole` is all that its Program was told, for when it recalls.
    Rule: D14, D15, D17, D19, T-n, T-oo.
    """
    mine_alone = tuple(one if one.seat == seat else msgspec.structs.replace(one, disc=None) for one in state.programs)
    sums = _Watched()
    play = _Followed(msgspec.structs.replace(state, programs=mine_alone), {seat: whole}, sums, Dice(bytes(32)))
    throw(play, seat, bearing)
    flights: list[tuple[str, ...]] = []
    while True:
        flights += [tuple(event.facts["squares"]) for event in play.events if event.kind == "flight"]
        if sums.met:
            return Shot(tuple(flights), "meets", tuple(sums.met))
        if sums.is_turned:
            return Shot(tuple(flights), "die")
        if any(event.kind == "recalled" for event in play.events):
            return Shot(tuple(flights), "recalled")
        if len(flights) == FOLLOWED:
            return Shot(tuple(flights), "")
        play.events.clear()
        move_discs(play, seat)


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
