"""One adjudication under way: the state as it is now, the programmes, the dice, and what has been told so far."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from pbem.ruleset import EVERYONE, Dice, Event, Reckoning, Seat
from pbem.rulesets.discs.grid.bearings import BEARINGS, read_bearing, word_of
from pbem.rulesets.discs.grid.plane import At, aim
from pbem.rulesets.discs.model.program import Disc, Program
from pbem.rulesets.discs.model.programme import Programme
from pbem.rulesets.discs.model.state import State, with_program

DIRECTIONS: dict[str, tuple[int, ...]] = {
    "6": tuple(range(0, 360, 60)),
    "8": tuple(range(0, 360, 45)),
    "16": tuple(BEARINGS.values()),
    "any": tuple(range(360)),
}
"""The sides of the direction die (T-p)."""


class Play:
    """
    What the stages of an adjudication hand on.

    Shape: `state` is replaced, never changed. `card` counts the cards of the phase that were turned, `own` those of
    each seat.
    """

    def __init__(self, state: State, programmes: Mapping[str, Programme], sums: Reckoning, dice: Dice) -> None:
        """Begin with the state that the phase opened with."""
        self.state = state
        self.programmes = programmes
        self.sums = sums
        self.dice = dice
        self.events: list[Event] = []
        self.card = 0
        self.own: dict[str, int] = {}
        self._counts: dict[str, int] = {}

    @property
    def is_over(self) -> bool:
        """Say whether one side at most is left. Rule: D1, T-xx."""
        return len({self.state.side(program.seat) for program in self.state.standing()}) < 2

    def program(self, seat: str) -> Program:
        """Return a Program as it is now."""
        return self.state.program(seat)

    def programme(self, seat: str) -> Programme:
        """Return what a seat told its Program; a seat that owed nothing has said nothing."""
        return self.programmes.get(seat, Programme())

    def change(self, seat: str, **changes: Any) -> None:
        """Change something of a Program."""
        self.state = with_program(self.state, seat, **changes)

    def note(self, **changes: Any) -> None:
        """Change something of the state besides Programs."""
        self.state = msgspec.structs.replace(self.state, **changes)

    def put(self, owner: str, disc: Disc) -> None:
        """Put down a Disc; who let it by is noted as long as its Marker lies on their Base. Rule: T-oo."""
        self.change(owner, disc=self.state.settled(disc))

    def tell(self, kind: str, rule: str, **facts: Any) -> None:
        """Tell everybody of something that happened at this card."""
        self.events.append(Event(kind=kind, to=EVERYONE, facts={"card": self.card, **facts}, rule=rule))

    def named(self, what: str) -> str:
        """Return a name of its own for a fact of this card: `die 3`, and `die 3-2` for the second one."""
        key = what.format(self.card)
        self._counts[key] = self._counts.get(key, 0) + 1
        again = self._counts[key]
        return key if again == 1 else what.format(f"{self.card}-{again}")

    def tie(self, programs: Sequence[Program]) -> Program:
        """Choose one of several Programs that are equally near: the same one throughout a card."""
        return self.dice.pick(f"tie {self.card}", programs)

    def roll(self, owner: Program, at: At) -> int:
        """
        Roll the direction die at a place, for the Disc of a Program.

        Rule: T-p, D21.
        """
        key = self.named("die {}")
        sides = DIRECTIONS.get(self.state.house["dirs"])
        rolled = self.dice.pick(key, sides) if sides else aim(at, owner.at) or 0
        how = f"a die of {len(sides)}" if sides else f"back to {owner.name}"
        text = f"the direction of {owner.name}'s Disc"
        found = read_bearing(self.sums.word(key, text, word_of(rolled), how, "T-p"))
        return found if isinstance(found, int) else rolled

    def draw(self) -> Seat:
        """Draw the next card from the bag. Rule: D4, T-zz."""
        key = f"card {self.card}"
        bag = [program.seat for program in self.state.programs for _ in range(program.deck)]
        drawn = self.dice.pick(key, bag)
        left = {program.name: program.deck for program in self.state.programs if program.deck}
        how = f"of {len(bag)}: {', '.join(f'{name} {count}' for name, count in left.items())}"
        found = Seat(self.sums.word(key, f"card {self.card}", drawn, how, "T-zz"))
        return found if found in bag else drawn
