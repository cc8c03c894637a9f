"""The end of a phase and of a turn: cards shuffled in, walls that come in, who is left, and when nobody wins."""

from pbem.ruleset import Facts, Result, phrases
from pbem.rulesets.discs.grid.grid import Grid
from pbem.rulesets.discs.grid.plane import INCH, RADIUS, At, along
from pbem.rulesets.discs.grid.squares import square_of, write_inches
from pbem.rulesets.discs.model.program import NARROWEST, Disc, Program
from pbem.rulesets.discs.model.state import State
from pbem.rulesets.discs.play.play import Play

QUIET = 3
"""After so many whole turns in a row in which nobody was met it is a draw (T-hh)."""


def end_phase(play: Play) -> Result | None:
    """End a phase, and the turn if its last card was turned; return how the game ended, if it did. Rule: D6, M1."""
    if found := _last_standing(play.state):
        return found
    if play.state.deck:
        play.note(part=play.state.part + 1)
        return None
    return _end_turn(play)


def _last_standing(state: State) -> Result | None:
    """Return the end of a game in which one side at most is left. Rule: D1, T-dd, T-xx, T-yy."""
    left = state.standing()
    sides = {state.side(program.seat) for program in left}
    if len(sides) > 1:
        return None
    if not left:
        return Result((), "The last Programs De-Rezzed one another.")
    side = sides.pop()
    winners = tuple(program.seat for program in state.programs if state.side(program.seat) == side)
    if state.program(left[0].seat).team:
        names = phrases.listed([state.names[seat] for seat in winners], "and")
        return Result(winners, f"Of all teams that of {names} is left.")
    return Result(winners, f"{left[0].name} is the last Program standing.")


def _end_turn(play: Play) -> Result | None:
    """Shuffle the used cards in and begin the next turn, unless it has come to nothing. Rule: D6, T-ab, T-hh."""
    state = play.state
    quiet, lull = 0 if state.met else state.quiet + 1, 0 if state.lost else state.lull + 1
    if quiet >= QUIET:
        return Result((), f"In {QUIET} whole turns nobody was met by a Disc or an Attack.")
    if lull >= (int(state.house["lull"]) or lull + 1):
        return Result((), f"In {lull} whole turns nobody was De-Rezzed.")
    forced = not state.acted and state.house["stall"] == "force"
    for program in state.programs:
        play.change(program.seat, deck=program.used, used=0)
    play.note(turn=state.turn + 1, part=1, acted=False, met=False, lost=False, forced=forced, quiet=quiet, lull=lull)
    closing = int(state.house["closing"])
    if closing and play.state.turn >= closing:
        _close_in(play)
    play.tell(
        "turn", "T-hh" if forced or quiet else "D6", turn=play.state.turn, forced=forced, quiet=quiet, lull=lull,
        most=QUIET,
    )  # fmt: skip
    return None


def _close_in(play: Play) -> None:
    """Bring all walls in by an inch, and push what is beyond them onto the Grid. Rule: T-hh."""
    step = min(INCH, (play.state.grid.side - NARROWEST) // 2)
    if step <= 0:
        return
    play.note(inset=play.state.inset + step)
    grid, before = play.state.grid, play.state
    room = Grid(grid.low + RADIUS, grid.high - RADIUS)
    for program in before.standing():
        play.change(program.seat, at=room.clamped(program.at))
    for program in before.programs:
        if program.disc:
            play.put(program.seat, pushed_onto(grid, program.disc, before.sizes.marker))
    pushed: list[Facts] = []
    side = int(before.house["grid"])
    for was, program in zip(before.programs, play.state.programs, strict=True):
        if was.at != program.at:
            pushed.append(_pushed_to(side, was, "base", program.at))
        if was.disc and program.disc and was.disc.tip != program.disc.tip:
            pushed.append(_pushed_to(side, was, "disc", program.disc.tip))
    play.tell("walls", "T-hh", by=write_inches(step), side=write_inches(grid.side), pushed=pushed)


def _pushed_to(side: int, who: Program, what: str, at: At) -> Facts:
    return {"seat": str(who.seat), "who": who.name, "what": what, "at": list(at), "square": square_of(side, at)}


def pushed_onto(grid: Grid, disc: Disc, marker: int) -> Disc:
    """Return a Disc that a wall has pushed: both ends of its Marker on the Grid, pointing as before. Rule: T-hh."""
    tail = along(disc.tip, disc.bearing, -marker)
    tip = At(*(_pushed(grid, one, other) for one, other in zip(disc.tip, tail, strict=True)))
    return Disc(tip, disc.bearing, disc.passed)


def _pushed(grid: Grid, tip: int, tail: int) -> int:
    return tip + max(0, grid.low - min(tip, tail)) + min(0, grid.high - max(tip, tail))
