"""Whether what a seat says can be done by its Program, each line by itself; reads no words, and `sets` sums up."""

from collections.abc import Iterator
from typing import Any

import msgspec

from pbem.ruleset import Refused, phrases
from pbem.rulesets.discs.grid.plane import INCH, RADIUS
from pbem.rulesets.discs.language.meanings import HIMSELF, ME, Several
from pbem.rulesets.discs.language.possible import never
from pbem.rulesets.discs.language.words import HIM
from pbem.rulesets.discs.language.writing import write_order
from pbem.rulesets.discs.model.order import (
    Attack,
    Begin,
    Hold,
    Line,
    Move,
    OnMyDisc,
    Order,
    Pass,
    Place,
    Stand,
    Test,
    Throw,
    With,
)  # fmt: skip
from pbem.rulesets.discs.model.program import FARTHEST
from pbem.rulesets.discs.model.state import State
from pbem.rulesets.discs.sight.sight import find, first


def settled(state: State, seat: str, meant: Any) -> Order | Refused:
    """Return the order that is meant, or why it cannot be given. Rule: D8, M2, M5, M8, T-ff, T-yy."""
    refused = next((one for one in _within(meant) if isinstance(one, Refused)), None) or _nobody(state, seat, meant)
    if refused:
        return refused
    match meant:
        case Several():
            return _several(state, seat, meant)
        case Begin(place):
            return _begin(state, seat, place) or meant
        case With():
            return _with(state, seat) or meant
        case Line():
            return _line(state, seat, meant) or meant
        case Throw() | Attack() | Move() | Hold() | Pass() | Stand():
            return settled(state, seat, Line(meant))
        case OnMyDisc(least=least) if not 1 <= least <= state.limit:
            because = f"One holds 1 to {state.limit} cards in this game. Write card if I hold {state.limit}."
            return Refused("illegal", because, "T-a")
    return meant  # type: ignore[no-any-return]


def _within(value: Any) -> Iterator[Any]:
    """Yield what is meant, with all its parts."""
    yield value
    if isinstance(value, tuple):
        parts: Any = value
    elif isinstance(value, msgspec.Struct) and not isinstance(value, Refused):
        parts = (getattr(value, name) for name in value.__struct_fields__)
    else:
        return
    for part in parts:
        yield from _within(part)


def _nobody(state: State, seat: str, meant: Any) -> Refused | None:
    """Refuse to name oneself, or who is De-Rezzed; the Disc of who has just left may still fly. Rule: D8, M3."""
    for one in _within(meant):
        named = one.seat if isinstance(one, Place | Test | With) or hasattr(one, "guards") else ""
        if not named:
            continue
        if named == HIM:
            return HIMSELF
        if named == seat:
            return msgspec.structs.replace(ME, rule="T-yy") if isinstance(one, With) else ME
        may_fly = not (isinstance(one, Place) and one.kind == "seat") and not isinstance(one, With)
        if state.program(named).out and not (may_fly and state.program(named).is_ghost):
            return Refused(
                "illegal", f"{state.names[state.program(named).seat]} is De-Rezzed. Name a Program that is not.", "M3"
            )
    return None


def _line(state: State, seat: str, line: Line) -> Refused | None:
    if state.phase == "place":
        chosen = [
            *(["where you begin: begin F4, and other squares if that is taken"] if state.chooses_places else []),
            *(["with whom you are on a team: team of NAME"] if state.chooses_teams else []),
        ]
        rule = "T-ff" if state.chooses_places else "T-yy"
        return Refused("illegal", f"First you choose {'; and '.join(chosen)}.", rule)
    match line.act:
        case Attack(place):
            wrong = _attack(state, seat, place)
        case Hold(to) if to and not 1 <= to <= state.limit:
            because = f"One can hold 1 to {state.limit} cards in this game. Write hold, or hold to {state.limit}."
            wrong = Refused("illegal", because, "T-a")
        case Move(by=by) if not 1 <= by <= FARTHEST:
            because = f"A Move is 0.01 to {FARTHEST // INCH} inches, such as 3 or 3.5."
            wrong = Refused("illegal", because, "T-y")
        case _:
            wrong = None
    about = next((test for test in line.tests if test.kind in ("holds", "prone", "clear") and test.place), None)
    if wrong is None and about and about.place and about.place.kind not in _SOMEBODY:
        wrong = Refused("unreadable", "That is no Program. Write a name, nearest or weakest.", "M5")
    return wrong or never(state, seat, line.act, line.tests, line.card)


_SOMEBODY = ("seat", "nearest", "weakest")


def _attack(state: State, seat: str, place: Place) -> Refused | None:
    if place.kind not in _SOMEBODY:
        return Refused("unreadable", "Attack a Program: attack NAME, attack nearest, attack weakest.", "D8")
    if place.kind == "seat" and state.spares(seat, place.seat):
        because = f"{state.names[state.program(place.seat).seat]} is of your team, and you do not strike each other."
        return Refused("illegal", because, "T-cc")
    return None


def _begin(state: State, seat: str, place: Place) -> Refused | None:
    """Say why one cannot begin at a place. Rule: T-ff."""
    if not state.chooses_places:
        now = "with whom you want to be: team of NAME" if state.chooses_teams else "what to do at your cards"
        return Refused("illegal", f"Where you begin is settled already. Write {now}.", "T-ff")
    if place.kind not in ("square", "point", "centre"):
        return Refused("unreadable", "Begin at a square, such as begin F4, or at a point in inches.", "T-ff")
    at = find(state, seat, place, first)
    if at is None or not state.grid.has_room(at):
        because = (
            f"A Base there would not lie wholly on the Grid: its middle is {RADIUS // INCH} inches or more inside."
        )
        return Refused("illegal", because, "T-y")
    return None


def _with(state: State, seat: str) -> Refused | None:
    """Say whose team a seat is on, and who can change that, where nobody chooses one now. Rule: T-yy, M10."""
    if state.chooses_teams:
        return None
    if state.house["teams"] == "0":
        because = "Everyone is alone in this game: whether there are teams is said when a game is founded."
        return Refused("unreadable", because, "T-yy")
    mates = [one.name for one in state.programs if one.seat != seat and state.side(one.seat) == state.side(seat)]
    yours = f"You are on a team with {phrases.listed(mates, 'and')}" if mates else "You are alone on your team"
    dealt = _DEALT[state.house.get("teams_by", "seats")]
    because = f"{yours}. {dealt}; the moderator can change that. Ask with a line gm: YOUR WORDS."
    return Refused("unreadable", because, "T-yy")


_DEALT = {
    "seats": "Seats were dealt into teams",
    "dice": "The dice have dealt seats into teams",
    "choice": "Teams were chosen before the first card",
}
"""How teams were made, by the house rule teams_by."""


def _several(state: State, seat: str, meant: Several) -> Refused:
    """Ask whether lines are for one card after the other, or tried in this order at each card. Rule: M2."""
    orders = [settled(state, seat, line) for line in meant.lines]
    if refused := next((order for order in orders if isinstance(order, Refused)), None):
        return refused
    said = [write_order(state, order) for order in orders]  # type: ignore[arg-type]
    listed = " / ".join(f'"{line}"' for line in said)
    bare = all(not line.card for line in meant.lines)
    by_card = " / ".join(f'"card {number}: {line}"' for number, line in enumerate(said, 1))
    ways = [f"write {listed}, of which the first that can be done is done at each card"]
    ways += [f"for one card after the other write {by_card}"] if bare else []
    return Refused("ambiguous", f"A line has one act. For a list {phrases.listed(ways)}.", "M2")
