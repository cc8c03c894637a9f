"""Lays out the scenes of the discs' cases: from `given` lines to a state, from `expect` lines to claims."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from pbem.ground.chance import Dice
from pbem.ground.terms import Outcome, Seat
from pbem.language.phrases import Unread, find
from pbem.rulesets.discs.grid.bearings import read_bearing, word_of
from pbem.rulesets.discs.grid.plane import At, along
from pbem.rulesets.discs.grid.squares import read_inches, square_of, write_inches
from pbem.rulesets.discs.model.options import DEFAULTS
from pbem.rulesets.discs.model.program import CARDS, Disc, Program
from pbem.rulesets.discs.model.state import State, with_program
from pbem.rulesets.discs.play.setting_up import begin

PLACE = r"(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)"
COUNTS = ("held", "deck", "used", "team")


def lay(given: Sequence[str], house: Mapping[str, str], dice: Dice) -> State:
    """
    Build a state.

    Shape: `ada at 12,12` is a Program with one card held and four used; `held 2`, `deck 1`, `team 1`, `prone` and
    `out by bo` may follow. `disc of ada at 20,10 going E` has flown, `let by bo` may follow. `turn 3`, `part 2`,
    `quiet 2`, `lull 2`, `walls 1` (inches), `acted`, `met`, `forced`. `made Ada, Bo` are those of a game that begins.
    """
    chosen = {**DEFAULTS, **house}
    state = State(house=chosen)
    for line in (line for line in given if line.strip()):
        if match := re.fullmatch(r"made (.+)", line):
            return begin({Seat(name.lower()): name for name in match[1].split(", ")}, house, dice)
        if match := re.fullmatch(rf"disc of (\w+) at {PLACE} going (\w+)(?: let by (.+))?", line):
            passed = tuple(Seat(seat) for seat in (match[5] or "").split())
            state = with_program(state, match[1], disc=Disc(_at(match[2], match[3]), _bearing(match[4]), passed))
        elif match := re.fullmatch(rf"(\w+) at {PLACE}(.*)", line):
            made = _program(match[1], _at(match[2], match[3]), match[4])
            state = msgspec.structs.replace(state, programs=(*state.programs, made))
        elif match := re.fullmatch(r"(turn|part|quiet|lull) (\d+)", line):
            state = msgspec.structs.replace(state, **{match[1]: int(match[2])})
        elif match := re.fullmatch(r"walls (\S+)", line):
            state = msgspec.structs.replace(state, inset=_length(match[1]))
        elif line in ("acted", "met", "forced"):
            state = msgspec.structs.replace(state, **{line: True})
        else:
            raise AssertionError(f'a scene cannot be given "{line}"')
    return state


def _program(seat: str, at: At, rest: str) -> Program:
    counts = {name: int(number) for name, number in re.findall(rf"({'|'.join(COUNTS)}) (\d+)", rest)}
    by = re.search(r"out by (\w+)", rest)
    if by:
        counts = {"held": 0, "deck": 0, "used": 0} | counts
    else:
        counts = {"held": 1, "deck": 0} | counts
        counts["used"] = CARDS - counts["held"] - counts["deck"]
    return Program(
        seat=Seat(seat), name=seat.capitalize(), at=at, held=counts["held"], deck=counts["deck"], used=counts["used"],
        prone="prone" in rest, out=bool(by), by=by[1] if by else "", team=counts.get("team", 0),
    )  # fmt: skip


def _length(said: str) -> int:
    length = read_inches(said)
    assert length is not None, said
    return length


def _at(east: str, north: str) -> At:
    return At(_length(east), _length(north))


def _bearing(said: str) -> int:
    bearing = read_bearing(said)
    assert isinstance(bearing, int), said
    return bearing


def claims(line: str, state: State, outcome: Outcome[Any] | None) -> str | None:
    """
    Hold a claim of this game against a state: "" if it is true, what is so if not, None if it is no such claim.

    Shape: `Ada at 12,12`, `Ada in F4`, `Ada held 2` (deck, used, team), `Ada prone`, `Ada stands`, `Ada out`, `Ada is
    in`; `disc of Ada at 20,10 going E`, `disc of Ada in hand`, `disc of Ada gone`, `marker of Ada x 18-20 y 9.5-10.5`,
    `disc of Ada let by Bo, Cy`; `turn 4`, `part 2`, `quiet 1`, `lull 1`, `walls 1`, `forced`, `free`, `deck 12`, `nobody wins`,
    `somebody wins`.
    """
    if match := re.fullmatch(r"(turn|part|quiet|lull|deck) (\d+)", line):
        found = getattr(state, match[1])
        return "" if found == int(match[2]) else f"{match[1]} is {found}"
    if match := re.fullmatch(r"walls (\S+)", line):
        return "" if state.inset == _length(match[1]) else f"the walls came in by {write_inches(state.inset)}"
    if line in ("forced", "free"):
        return "" if state.forced is (line == "forced") else f"forced is {state.forced}"
    if line in ("nobody wins", "somebody wins"):
        result = outcome.result if outcome else None
        return "" if result and bool(result.winners) is (line == "somebody wins") else f"the end is {result}"
    if match := re.fullmatch(r"(disc|marker) of (\w+) (.+)", line):
        return _of_disc(state, _named(state, match[2]), match[1], match[3])
    if match := re.fullmatch(rf"(\w+) at {PLACE}", line):
        at = _named(state, match[1]).at
        return "" if at == _at(match[2], match[3]) else f"it is at {_shown(at)}"
    if match := re.fullmatch(r"(\w+) in ([A-L]\d+)", line):
        square = square_of(int(state.house["grid"]), _named(state, match[1]).at)
        return "" if square == match[2] else f"it is in {square}"
    if match := re.fullmatch(rf"(\w+) ({'|'.join(COUNTS)}) (\d+)", line):
        found = getattr(_named(state, match[1]), match[2])
        return "" if found == int(match[3]) else f"{match[2]} is {found}"
    if match := re.fullmatch(r"(\w+) (prone|stands|out|is in)", line):
        one = _named(state, match[1])
        so = {"prone": one.prone, "stands": not one.prone and not one.out, "out": one.out, "is in": not one.out}
        return "" if so[match[2]] else f"prone is {one.prone}, out is {one.out}"
    return None


def _of_disc(state: State, program: Program, what: str, said: str) -> str:
    disc = program.disc
    if said in ("in hand", "gone"):
        right = program.is_armed if said == "in hand" else program.out and not disc
        return "" if right else f"it is {disc}"
    if not disc:
        return f"it is {'gone' if program.out else 'in hand'}"
    if what == "marker":
        tail = along(disc.tip, disc.bearing, -state.sizes.marker)
        assert disc.bearing % 90 == 0
        wide = (0, 50) if disc.bearing % 180 == 90 else (50, 0)
        spans = [
            f"{name} {write_inches(min(pair) - more)}-{write_inches(max(pair) + more)}"
            for name, more, pair in (("x", wide[0], (disc.tip.x, tail.x)), ("y", wide[1], (disc.tip.y, tail.y)))
        ]
        return "" if " ".join(spans) == said else f"it is {' '.join(spans)}"
    if match := re.fullmatch(r"let by (.+)", said):
        found = ", ".join(state.names[seat] for seat in disc.passed) or "nobody"
        return "" if found == match[1] else f"it was let by {found}"
    shown = f"at {_shown(disc.tip)} going {word_of(disc.bearing)}"
    return "" if shown == said else f"it is {shown}"


def _shown(at: At) -> str:
    return f"{write_inches(at.x)},{write_inches(at.y)}"


def _named(state: State, said: str) -> Program:
    seat = find(said, state.names, "Program")
    assert not isinstance(seat, Unread), f"{said}: {seat}"
    return state.program(seat)
