"""How everybody stands, in plain values for letters: squares, places, cards, Discs; tells no more than all can see."""

from pbem.ruleset import Facts
from pbem.rulesets.discs.grid.bearings import point_of
from pbem.rulesets.discs.grid.plane import INCH, At
from pbem.rulesets.discs.grid.squares import square_of
from pbem.rulesets.discs.model.program import Program
from pbem.rulesets.discs.model.state import State


def point(at: At) -> str:
    """Return a place in inches, as tables show it: 19.35,4.65."""
    return ",".join(f"{line // INCH}.{line % INCH:02}" for line in at)


def rows(state: State) -> list[Facts]:
    """Return a row of the table for every Program."""
    return [row(state, program) for program in state.programs]


def row(state: State, program: Program) -> Facts:
    """Return how a Program stands: where it is, its cards, its Disc."""
    side = int(state.house["grid"])
    disc = program.disc
    flies: Facts = {}
    if disc:
        flies = {
            "square": square_of(side, disc.tip), "at": point(disc.tip), "bearing": disc.bearing,
            "points": point_of(disc.bearing),
        }  # fmt: skip
    return {
        "seat": str(program.seat),
        "name": program.name,
        "team": program.team,
        "square": square_of(side, program.at),
        "at": point(program.at),
        "held": program.held,
        "deck": program.deck,
        "prone": program.prone,
        "out": program.out,
        "by": state.program(program.by).name if program.by else "",
        "fell": program.fell,
        "in_hand": program.is_armed,
        "disc": flies,
    }
