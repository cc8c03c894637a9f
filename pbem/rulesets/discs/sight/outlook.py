"""Whether conditions hold, and whom Discs are about to cross: facts that everybody can see; changes nothing."""

from pbem.rulesets.discs.grid.flight import Flight
from pbem.rulesets.discs.grid.plane import aim
from pbem.rulesets.discs.model.order import Test
from pbem.rulesets.discs.model.program import Disc, Program
from pbem.rulesets.discs.model.state import State
from pbem.rulesets.discs.sight.sight import Tie, find, flown, program, thrown


def holds(state: State, seat: str, test: Test, tie: Tie) -> bool:
    """Say whether a test is true at this moment, for a seat. Rule: M5."""
    me = state.program(seat)
    about = program(state, seat, test.place, tie) if test.place and test.kind not in ("within", "beyond") else me
    match test.kind:
        case "within" | "beyond":
            assert test.place
            at = find(state, seat, test.place, tie)
            return at is not None and (at.squared(me.at) <= test.number**2) is (test.kind == "within")
        case "holds":
            return about is not None and test.compares(about.held)
        case "prone":
            return about is not None and about.prone
        case "disc out":
            return me.disc is not None
        case "disc in hand":
            return me.is_armed
        case "disc away":
            return state.is_away(me)
        case "heading":
            whose = [state.program(test.seat)] if test.seat else [one for one in state.programs if one.seat != seat]
            return any(one.disc is not None and heads_for(state, one, me) for one in whose)
        case "clear":
            return about is not None and me.is_armed and _is_clear(state, me, about)
        case "left":
            return len(state.standing()) == test.number


def heads_for(state: State, owner: Program, me: Program) -> bool:
    """Say whether the next flight of a Disc would cross a Program. Rule: T-oo, M5."""
    assert owner.disc
    if me.seat in owner.disc.passed or state.spares(owner.seat, me.seat):
        return False
    return flown(state, owner.disc, stops=stops(state, owner)).meets(me.at) is not None


def stops(state: State, owner: Program) -> bool:
    """Say whether a Disc ends at the first wall. Rule: D20, T-q, T-s."""
    return owner.out or state.house["walls"] == "die"


def crossings(state: State, owner: str, flight: Flight, disc: Disc, *, is_throw: bool) -> dict[str, int]:
    """
    Return whom a flight crosses, in the order in which it comes to them, with where.

    Rule: T-m, T-n, T-nn, T-oo, T-cc.
    """
    found = {
        program.seat: met
        for program in state.from_seat(owner)
        if not program.out and program.seat not in disc.passed and not state.spares(owner, program.seat)
        and (met := flight.meets(program.at, behind=is_throw and program.seat == owner)) is not None
    }  # fmt: skip
    return dict(sorted(found.items(), key=lambda item: item[1]))


def _is_clear(state: State, me: Program, target: Program) -> bool:
    """Say whether a throw straight at a Program would cross it before any other. Rule: M5, T-nn."""
    degrees = aim(me.at, target.at)
    if degrees is None:
        return False
    flight = thrown(state, me.seat, degrees, stops=stops(state, me))
    met = crossings(state, me.seat, flight, Disc(flight.tip, flight.bearing), is_throw=True)
    return next(iter(met), None) == target.seat


def nobody_ahead(state: State, owner: Program) -> bool:
    """Say whether the next flight of a Disc would cross no other Program. Rule: D19, M8."""
    assert owner.disc
    return not any(heads_for(state, owner, other) for other in state.others(owner.seat))
