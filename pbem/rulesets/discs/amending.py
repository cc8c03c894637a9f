"""Sets one fact of a battle, as a moderator may; what comes of it is a state that the rules could have made."""

import msgspec

from pbem.ruleset import Fact, phrases
from pbem.rulesets.discs.facts import GONE, IN_HAND, SETTABLE, SINGLE, standing
from pbem.rulesets.discs.grid.bearings import read_bearing
from pbem.rulesets.discs.grid.plane import INCH, At
from pbem.rulesets.discs.model.program import CARDS, Disc
from pbem.rulesets.discs.model.state import State, with_program


def amend(state: State, key: str, value: Fact) -> State | phrases.Unread:
    """Return the state with one fact set. Rule: M10."""
    held = standing(state).get(key)
    if held is None and key.startswith("team of ") and state.has_teams:
        return phrases.Unread("illegal", "Teams are being chosen. Set them once they are.")
    if held is None and key.startswith("team of "):
        return phrases.Unread("illegal", "Everyone is alone in this game. Teams are founded: --house teams=2.")
    if held is None:
        listed = phrases.listed([*(f"{kind} of NAME" for kind in SETTABLE), *SINGLE], "and")
        return phrases.Unread("illegal", f"Only {listed} can be set.")
    if type(held) is not type(value):
        return phrases.Unread("illegal", f"Write {'yes or no' if isinstance(held, bool) else 'a number'} for {key}.")
    kind, _, seat = key.partition(" of ")
    match kind, value:
        case _, int() if key in SINGLE:
            return msgspec.structs.replace(state, **{kind: value})
        case "place", str():
            at = At(*(_hundredths(line) for line in value.split(",")))
            if not state.fits(seat, at):
                return phrases.Unread("illegal", "The Base would not lie wholly on the Grid, or too near to another.")
            return with_program(state, seat, at=at)
        case "disc", str():
            return _with_disc(state, seat, value)
        case "held", int():
            return _with_held(state, seat, value)
        case "team", int():
            return _with_team(state, seat, value)
        case "prone", bool():
            return with_program(state, seat, prone=value and not state.program(seat).out)
        case _:
            return _with_out(state, seat, out=bool(value))


def _hundredths(said: str) -> int:
    """Return the hundredths of a length in inches as tables show it."""
    whole, _, part = said.partition(".")
    return int(whole) * INCH + int(part)


def _with_disc(state: State, seat: str, value: str) -> State | phrases.Unread:
    is_out = state.program(seat).out
    if value in (IN_HAND, GONE):
        if (value == GONE) is not is_out:
            return phrases.Unread(
                "illegal", "The Disc of a Program is in hand or flies; a De-Rezzed one's flies or is gone."
            )
        cards = {"deck": 0, "used": 0} if is_out else {}
        return with_program(state, seat, disc=None, **cards)
    at, _, way = value.partition(" going ")
    bearing = read_bearing(way)
    assert isinstance(bearing, int)
    return with_program(state, seat, disc=Disc(At(*(_hundredths(line) for line in at.split(","))), bearing))


def _with_held(state: State, seat: str, count: int) -> State | phrases.Unread:
    """Give or take held cards: they come from those that are used, then from the deck, and go to the used ones."""
    me = state.program(seat)
    if me.out or not 0 <= count <= state.limit:
        return phrases.Unread("illegal", f"A Program that is not De-Rezzed holds 0 to {state.limit} cards.")
    more = count - me.held
    used = max(0, me.used - more)
    return with_program(state, seat, held=count, used=used, deck=CARDS - count - used)


def _with_team(state: State, seat: str, team: int) -> State | phrases.Unread:
    """Put a Program on a team, of those that there are; those who stand stay on two sides or more. Rule: T-yy."""
    teams = int(state.house["teams"])
    if not 1 <= team <= teams:
        return phrases.Unread("illegal", f"There are teams 1 to {teams} in this game. Write one, or who is on it.")
    after = with_program(state, seat, team=team)
    if len({after.side(one.seat) for one in after.standing()}) < 2:
        return phrases.Unread("illegal", "All who stand would be on one team, and nobody left to fight.")
    return after


def _with_out(state: State, seat: str, *, out: bool) -> State | phrases.Unread:
    me = state.program(seat)
    if out is me.out:
        return state
    if out:
        return with_program(state, seat, out=True, prone=False, disc=None, held=0, deck=0, used=0)
    if not state.fits(seat, me.at):
        return phrases.Unread("illegal", "Somebody stands where the Program was. Set its place first.")
    return with_program(state, seat, out=False, by="", disc=None, held=1, deck=0, used=CARDS - 1)
