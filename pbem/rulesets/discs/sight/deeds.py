"""What a line comes to as things stand: whom it is for, where it leads; or why it cannot be done."""

from typing import TypeAlias

import msgspec

from pbem.rulesets.discs.grid.plane import aim, distance
from pbem.rulesets.discs.grid.squares import write_inches
from pbem.rulesets.discs.model.order import Act, Attack, Hold, Line, Move, Pass, Place, Stand, Throw
from pbem.rulesets.discs.model.program import FARTHEST, Program
from pbem.rulesets.discs.model.programme import Programme
from pbem.rulesets.discs.model.state import State
from pbem.rulesets.discs.sight.outlook import holds
from pbem.rulesets.discs.sight.sight import Tie, bearing, find, longest_move, program, step


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


class Cannot(msgspec.Struct, frozen=True):
    """That an act cannot be done at this moment, and why, to its writer: "your Disc is out"."""

    because: str


def deed(state: State, seat: str, act: Act, tie: Tie) -> Deed | Cannot:
    """Return what an act comes to at this moment, or why it cannot be done. Rule: D4, D8, D12-D14, M2."""
    me = state.program(seat)
    match act:
        case Hold() | Pass() if state.forced:
            return Cannot("each card has to be used this turn")
        case Hold():
            most = min(act.to or state.limit, state.limit)
            return act if me.held < most else Cannot(f"you hold {_cards(me.held)}")
        case Pass():
            return act
        case Stand():
            return act if me.prone else Cannot("you are not Prone")
    if me.prone:
        return Cannot("you are Prone")
    if isinstance(act, Throw | Attack) and not me.is_armed:
        return Cannot("your Disc is out")
    match act:
        case Throw():
            way = bearing(state, seat, act.way, tie)
            return Cannot(_nowhere(state, seat, act.way.place, tie)) if way is None else Throws(way)
        case Attack():
            return _attack(state, seat, program(state, seat, act.whom, tie), act.whom)
        case Move():
            taken = step(state, seat, act, tie)
            if not taken:
                return Cannot(_nowhere(state, seat, act.way.place, tie))
            if length := longest_move(state, seat, *taken):
                return Moves(taken[0], length)
            return Cannot(f'your Base fits nowhere within {write_inches(taken[1])}" along bearing {taken[0]}')


def _attack(state: State, seat: str, target: Program | None, whom: Place) -> Attacks | Cannot:
    """Return an Attack on a Program, or why it does not reach. Rule: D8, T-cc, T-qq."""
    if target is None:
        return Cannot(_nobody(state, whom))
    if state.spares(seat, target.seat):
        return Cannot(f"{target.name} is of your team")
    if target.at.squared(state.program(seat).at) >= FARTHEST**2:
        away = write_inches(distance(state.program(seat).at, target.at))
        return Cannot(f'{target.name} is {away}" away, and an Attack reaches less than {write_inches(FARTHEST)}"')
    return Attacks(target.seat)


def _nowhere(state: State, seat: str, place: Place, tie: Tie) -> str:
    """Say why there is no way to a place: nothing is there, or who asks is. Rule: M3."""
    if find(state, seat, place, tie):
        return "you are at that very place"
    match place.kind:
        case "my disc":
            return "your Disc is in hand"
        case "disc":
            owner = state.program(place.seat)
            return f"the Disc of {owner.name} is {'gone' if owner.out else 'in hand'}"
        case _:
            return _nobody(state, place)


def _nobody(state: State, place: Place) -> str:
    return f"{state.program(place.seat).name} is De-Rezzed" if place.kind == "seat" else "no foe is left"


def _cards(count: int) -> str:
    return f"{count} card{'' if count == 1 else 's'} already"


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
            if not isinstance(found, Cannot):
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
