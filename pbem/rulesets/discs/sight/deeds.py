"""What a line comes to as things stand: whom it is for, where it leads; None where it cannot be done."""

from typing import TypeAlias

import msgspec

from pbem.rulesets.discs.grid.plane import aim
from pbem.rulesets.discs.model.order import Act, Attack, Hold, Line, Move, Pass, Stand, Throw
from pbem.rulesets.discs.model.program import FARTHEST
from pbem.rulesets.discs.model.programme import Programme
from pbem.rulesets.discs.model.state import State
from pbem.rulesets.discs.sight.outlook import holds
from pbem.rulesets.discs.sight.sight import Tie, bearing, longest_move, program, step


class Throws(msgspec.Struct, frozen=True):
    """A throw along a bearing."""

    bearing: int


class Attacks(msgspec.Struct, frozen=True):
    """An Attack on a seat."""

    on: str


class Moves(msgspec.Struct, frozen=True):
    """A Move along a bearing, of so many hundredths; `forced` where no line led to it."""

    bearing: int
    length: int
    forced: bool = False


Deed: TypeAlias = Throws | Attacks | Moves | Hold | Pass | Stand


def deed(state: State, seat: str, act: Act, tie: Tie) -> Deed | None:
    """Return what an act comes to at this moment, or None where it cannot be done. Rule: D4, D8, D12-D14, M2."""
    me = state.program(seat)
    match act:
        case Hold():
            may = not state.forced and me.held < min(act.to or state.limit, state.limit)
            return act if may else None
        case Pass():
            return None if state.forced else act
        case Stand():
            return act if me.prone else None
    if me.prone:
        return None
    match act:
        case Throw():
            way = bearing(state, seat, act.way, tie) if me.is_armed else None
            return None if way is None else Throws(way)
        case Attack():
            target = program(state, seat, act.whom, tie)
            may = me.is_armed and target is not None and target.at.squared(me.at) < FARTHEST**2
            return Attacks(target.seat) if target and may and not state.spares(seat, target.seat) else None
        case Move():
            taken = step(state, seat, act, tie)
            length = longest_move(state, seat, *taken) if taken else 0
            return Moves(taken[0], length) if taken and length else None


def chosen(state: State, seat: str, programme: Programme, card: int, tie: Tie) -> tuple[Deed, Line | None]:
    """
    Return what a Program does at its next card, which is so many of its own in this phase, and the line that says so.

    Shape: a line counts if it is for this card, its tests hold, and it can be done. Who is Prone looks at `stand` and
    at lines that ask whether they are, and else stands.
    Rule: D13, M2, M9.
    """
    for line in programme.lines:
        if line.card not in (0, card) or (state.program(seat).prone and not is_for_the_prone(line)):
            continue
        if all(holds(state, seat, test, tie) for test in line.tests):
            found = deed(state, seat, line.act, tie)
            if found is not None:
                return found, line
    return _otherwise(state, seat), None


def is_for_the_prone(line: Line) -> bool:
    """Say whether a line is looked at while its Program is Prone. Rule: M2."""
    return isinstance(line.act, Stand) or any(test.kind == "prone" and not test.place for test in line.tests)


def _otherwise(state: State, seat: str) -> Deed:
    """Return what is done where no line can be: stand, or else hold, or at the limit pass. Rule: M2, T-hh."""
    me = state.program(seat)
    if me.prone:
        return Stand()
    if state.forced and (found := _forced(state, seat)):
        return found
    return Hold() if me.held < state.limit else Pass()


def _forced(state: State, seat: str) -> Moves | None:
    """Return a whole Move towards the middle of the Grid, or as near to that as a Base fits. Rule: T-hh."""
    inwards = aim(state.program(seat).at, state.grid.centre) or 0
    for turn in sorted(range(-179, 181), key=lambda degrees: (abs(degrees), -degrees)):
        way = (inwards + turn) % 360
        if longest_move(state, seat, way, FARTHEST) == FARTHEST:
            return Moves(way, FARTHEST, forced=True)
    return None
