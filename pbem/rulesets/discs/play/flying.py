"""Discs that move: thrown, flying on after an action, recalled; one flight from its start to where it ends."""

from pbem.rulesets.discs.grid.bearings import point_of
from pbem.rulesets.discs.grid.flight import Flight
from pbem.rulesets.discs.grid.plane import aim, along
from pbem.rulesets.discs.grid.sines import MILLION
from pbem.rulesets.discs.grid.squares import square_of, write_inches
from pbem.rulesets.discs.model.program import Disc, Program
from pbem.rulesets.discs.play.crossing import cross, put_down
from pbem.rulesets.discs.play.losing import lose_disc
from pbem.rulesets.discs.play.play import Play
from pbem.rulesets.discs.sight.outlook import crossings, nobody_ahead, stops
from pbem.rulesets.discs.sight.sight import flown, thrown


def throw(play: Play, seat: str, bearing: int) -> None:
    """Throw a Disc: what it crosses is crossed at once, the thrower's Base behind a wall alone. Rule: D14, T-n, T-o."""
    flight = thrown(play.state, seat, bearing, stops=stops(play.state, play.program(seat)))
    _fly(play, seat, flight, Disc(flight.tip, flight.bearing), is_throw=True)


def move_discs(play: Play, seat: str, *, threw: bool = False) -> None:
    """
    Move every thrown Disc once, clockwise from who acted, but for one that was thrown by this action.

    Shape: it ends where one side at most is left.
    Rule: D5, D15, T-xx.
    """
    for owner in play.state.from_seat(seat):
        program = play.program(owner.seat)
        if play.is_over or not program.disc or (threw and owner.seat == seat):
            continue
        if _recalls(play, program, program.disc):
            _recall(play, program, program.disc)
        else:
            flight = flown(play.state, program.disc, stops=stops(play.state, program))
            _fly(play, program.seat, flight, Disc(flight.tip, flight.bearing, program.disc.passed))


def _recalls(play: Play, owner: Program, disc: Disc) -> bool:
    """Say whether a Disc is recalled in place of a flight. Rule: D19, T-rr, T-ss, M8."""
    when = play.programme(owner.seat).recall.when
    if owner.out or when == "never" or not play.state.is_away(owner) or aim(disc.tip, owner.at) == disc.bearing:
        return False
    return when == "away" or nobody_ahead(play.state, owner)


def _recall(play: Play, owner: Program, disc: Disc) -> None:
    """Turn a Marker about its arrow end, so that it points at its owner. Rule: D19, T-t, T-ss."""
    bearing = aim(disc.tip, owner.at)
    assert bearing is not None
    tip = along(disc.tip, bearing, play.state.sizes.marker)
    play.put(owner.seat, Disc(tip, bearing, disc.passed))
    play.tell(
        "recalled", "D19", owner=str(owner.seat), disc=owner.name, bearing=bearing, points=point_of(bearing),
        trail=[list(disc.tip), list(tip)], square=square_of(int(play.state.house["grid"]), tip),
    )  # fmt: skip


def _fly(play: Play, owner: str, flight: Flight, disc: Disc, *, is_throw: bool = False) -> None:
    """
    Let a Disc fly: each Base that it crosses is crossed at its first entry, unless its Program let the Disc by before.

    Shape: what the flight came to is told before what became of those whom it crossed.
    Rule: D16, T-m, T-nn, T-oo, T-vv.
    """
    mark, met = len(play.events), crossings(play.state, owner, flight, disc, is_throw=is_throw)
    passed = list(disc.passed)
    play.put(owner, disc)
    cut, whole = None, flight.strip.length
    for seat, at in met.items():
        if not cross(play, owner, seat, f"after {write_inches(at // MILLION)} of {write_inches(whole)} inches"):
            cut = at
            break
        passed.append(play.program(seat).seat)
    trail = flight.trail(cut)
    side = int(play.state.house["grid"])
    facts = {
        "owner": owner, "disc": play.program(owner).name, "trail": [list(place) for place in trail],
        "squares": [square_of(side, place) for place in trail], "throws": is_throw, "cut": cut is not None,
        "bearing": flight.bearing, "points": point_of(flight.bearing),
        "ghost": play.program(owner).out,
    }  # fmt: skip
    told, play.events[mark:] = play.events[mark:], []
    play.tell("flight", "D14" if is_throw else "D15", **facts)
    play.events += told
    if cut is not None:
        return
    if not flight.walled:
        play.put(owner, Disc(disc.tip, disc.bearing, tuple(passed)))
    elif play.program(owner).out:
        lose_disc(play, owner, "at the wall")
    else:
        put_down(play, owner, flight.tip, 0, passed=passed)
