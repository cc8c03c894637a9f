"""What a disc battle is between two phases: Programs on the Grid, turns, walls; knows nothing of orders, no secret."""

from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from pbem.ruleset import Seat
from pbem.rulesets.discs.grid.grid import Grid
from pbem.rulesets.discs.grid.plane import INCH, RADIUS, At, Strip, along, covers, far
from pbem.rulesets.discs.model.program import APART, AWAY, SIZES, Disc, Program, Sizes

PhaseKind = Literal["place", "list", "over"]


class State(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """
    A disc battle between two phases.

    Shape: `part` counts the phases of a turn. `inset` is by how many hundredths each wall has come in. `acted`, `met`
    and `lost` say whether the turn so far had an active action, a Base that was crossed by another's Disc or Attacked,
    and a Program that was De-Rezzed; `forced` that each card of it has to be used for an action. `quiet` counts whole
    turns in a row in which nobody was met, `lull` those in which nobody was De-Rezzed. All of it is public: which card
    comes next is drawn when it is turned.
    Rule: T-ab, T-hh, T-zz.
    """

    phase: PhaseKind = "list"
    house: dict[str, str] = {}
    programs: tuple[Program, ...] = ()
    turn: int = 1
    part: int = 1
    inset: int = 0
    acted: bool = False
    met: bool = False
    lost: bool = False
    forced: bool = False
    quiet: int = 0
    lull: int = 0

    @property
    def names(self) -> dict[Seat, str]:
        """Map seats to the names of their Programs."""
        return {program.seat: program.name for program in self.programs}

    @property
    def grid(self) -> Grid:
        """Return the Grid between its walls as they are now."""
        return Grid(self.inset, int(self.house["grid"]) * INCH - self.inset)

    @property
    def sizes(self) -> Sizes:
        """Return the sizes of Movement Bases and Markers."""
        return SIZES[self.house["sizes"]]

    @property
    def limit(self) -> int:
        """Return how many cards a Program may hold. Rule: T-a."""
        return int(self.house["hold"])

    @property
    def chooses_places(self) -> bool:
        """Say whether Programs choose where they begin, and have not yet. Rule: T-ff."""
        return self.phase == "place" and self.house["setup"] == "choose"

    @property
    def chooses_teams(self) -> bool:
        """Say whether Programs choose with whom they are on a team, and have not yet. Rule: T-yy."""
        return self.phase == "place" and not all(program.team for program in self.programs) and self.has_teams

    @property
    def has_teams(self) -> bool:
        """Say whether there are teams, which may have to be chosen yet. Rule: T-yy."""
        return self.house["teams"] != "0"

    @property
    def team_sizes(self) -> tuple[int, ...]:
        """Return how many Programs each team has as they are dealt: as even as can be. Rule: T-yy."""
        teams = int(self.house["teams"])
        return tuple(len(self.programs[place::teams]) for place in range(teams))

    @property
    def chosen(self) -> str:
        """Say what is chosen before the first card."""
        return " and ".join(["places"] * self.chooses_places + ["teams"] * self.chooses_teams)

    @property
    def deck(self) -> int:
        """Return how many cards are in the deck."""
        return sum(program.deck for program in self.programs)

    def program(self, seat: str) -> Program:
        """Return a seat's Program."""
        return next(program for program in self.programs if program.seat == seat)

    def standing(self) -> tuple[Program, ...]:
        """Return the Programs that are not De-Rezzed, Prone ones too."""
        return tuple(program for program in self.programs if not program.out)

    def others(self, seat: str) -> tuple[Program, ...]:
        """Return the other Programs that are not De-Rezzed."""
        return tuple(program for program in self.programs if not program.out and program.seat != seat)

    def foes(self, seat: str) -> tuple[Program, ...]:
        """Return the other sides' Programs that are not De-Rezzed."""
        return tuple(program for program in self.others(seat) if self.side(program.seat) != self.side(seat))

    def side(self, seat: str) -> str:
        """Return the side that a seat is on: its team, or itself. Rule: T-yy."""
        team = self.program(seat).team
        return f"team {team}" if team else seat

    def spares(self, seat: str, other: str) -> bool:
        """Say whether two are team mates in a game in which these do not strike each other. Rule: T-cc."""
        return self.house["friendly_fire"] == "no" and seat != other and self.side(seat) == self.side(other)

    def from_seat(self, seat: str) -> Iterator[Program]:
        """Yield all Programs clockwise around the table, beginning with a seat's. Rule: D5, T-ee."""
        place = next(place for place, program in enumerate(self.programs) if program.seat == seat)
        yield from (*self.programs[place:], *self.programs[:place])

    def marker(self, disc: Disc) -> Strip:
        """Return what the Marker of a Disc covers. Rule: D2."""
        marker = self.sizes.marker
        return Strip(along(disc.tip, disc.bearing, -marker), disc.bearing, marker)

    def settled(self, disc: Disc) -> Disc:
        """Return a Disc with those alone who let it by and whose Base its Marker lies on. Rule: T-oo."""
        marker, once = self.marker(disc), self.house["passage"] == "once"
        passed = tuple(
            program.seat
            for program in self.standing()
            if once and program.seat in disc.passed and covers(marker, program.at)
        )
        return msgspec.structs.replace(disc, passed=passed)

    def is_away(self, program: Program) -> bool:
        """Say whether a Program's Disc is so far from it that it can be recalled. Rule: D19, T-u."""
        return program.disc is not None and far(self.marker(program.disc), program.at, AWAY + RADIUS)

    def bases_to_avoid(self, seat: str) -> tuple[At, ...]:
        """Return the middles near which a Program may not move: all others', unless the house stacks. Rule: T-y."""
        return () if self.house["stack"] == "yes" else tuple(other.at for other in self.others(seat))

    def fits(self, seat: str, middle: At) -> bool:
        """Say whether a Program's Base may be put down with this middle. Rule: T-y."""
        others = self.bases_to_avoid(seat)
        return self.grid.has_room(middle) and all(middle.squared(other) >= APART**2 for other in others)


def with_program(state: State, seat: str, **changes: Any) -> State:
    """Return the state with something of one Program changed."""
    change = msgspec.structs.replace
    return change(
        state, programs=tuple(change(held, **changes) if held.seat == seat else held for held in state.programs)
    )
