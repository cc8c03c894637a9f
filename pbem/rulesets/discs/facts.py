"""Facts of a battle that rulings name: from people's words to keys and to values; sets none."""

import re
from collections.abc import Mapping

from pbem.ruleset import Fact, Refused, phrases
from pbem.rulesets.discs.grid.bearings import read_bearing, word_of
from pbem.rulesets.discs.grid.plane import At, along
from pbem.rulesets.discs.grid.squares import square_middle
from pbem.rulesets.discs.language.places import read_place
from pbem.rulesets.discs.model.program import Program
from pbem.rulesets.discs.model.state import State
from pbem.rulesets.discs.sight.telling import point

SETTABLE = ("place", "disc", "held", "prone", "out", "team")
"""Facts of each Program that `set` can change (M10); its team where there are some."""
SINGLE = ("turn", "quiet", "lull")
KNOWN = (
    "place of NAME, disc of NAME, held of NAME, prone of NAME, out of NAME, team of NAME, turn, quiet, lull; of an "
    "adjudication card 3, die 3, crossing 3 of NAME on NAME, attack 3 of NAME on NAME"
)
IN_HAND, GONE = "in hand", "gone"


def standing(state: State) -> Mapping[str, Fact]:
    """Return every fact that `set` may change. Rule: M10."""
    found: dict[str, Fact] = {"turn": state.turn, "quiet": state.quiet, "lull": state.lull}
    for one in state.programs:
        found |= {
            f"place of {one.seat}": point(one.at), f"disc of {one.seat}": _disc_word(one),
            f"held of {one.seat}": one.held, f"prone of {one.seat}": one.prone, f"out of {one.seat}": one.out,
        }  # fmt: skip
        found |= {f"team of {one.seat}": one.team} if one.team else {}
    return found


def _disc_word(program: Program) -> str:
    if not program.disc:
        return GONE if program.out else IN_HAND
    return f"{point(program.disc.tip)} going {word_of(program.disc.bearing)}"


def name_fact(state: State, said: str) -> str | phrases.Unread:
    """Find the key of a fact that a person named in words."""
    said = phrases.clean(said)
    if said.lower() in SINGLE:
        return said.lower()
    if match := re.fullmatch(r"(card|die) (\d{1,3}(?:-\d{1,2})?)", said, re.IGNORECASE):
        return f"{match[1].lower()} {match[2]}"
    if match := re.fullmatch(r"(crossing|attack) (\d{1,3}(?:-\d{1,2})?) of (.+?) on (.+)", said, re.IGNORECASE):
        pair = [phrases.find(name, state.names, "Program") for name in (match[3], match[4])]
        unread = next((one for one in pair if isinstance(one, phrases.Unread)), None)
        return unread or f"{match[1].lower()} {match[2]} of {pair[0]} on {pair[1]}"
    if match := re.fullmatch(rf"({'|'.join(SETTABLE)})\s+(?:of\s+)?(.+)", said, re.IGNORECASE):
        seat = phrases.find(match[2], state.names, "Program")
        return seat if isinstance(seat, phrases.Unread) else f"{match[1].lower()} of {seat}"
    return phrases.Unread("unreadable", f"Name {KNOWN}.")


def read_value(state: State, key: str, said: str) -> Fact | phrases.Unread:
    """Read the value that a person gave to a fact; places and Discs come back as they are shown."""
    said = phrases.clean(said)
    match key.split(maxsplit=1)[0]:
        case "place":
            at = _place(state, said)
            return at if isinstance(at, phrases.Unread) else point(at)
        case "disc":
            return _disc(state, said)
        case "team" if not said.isdecimal():
            return _team(state, said)
        case "card":
            return phrases.find(said, state.names, "Program")
        case "die":
            way = read_bearing(said)
            return word_of(way) if isinstance(way, int) else phrases.Unread("unreadable", "Write NE, or degrees.")
    return phrases.value(said)


def _team(state: State, said: str) -> int | phrases.Unread:
    """Read a team that is named by one who is on it."""
    name = re.sub(r"^(?:(?:the )?team of|(?:that|the one) of|with)\s+", "", said, flags=re.IGNORECASE)
    seat = phrases.find(name, state.names, "Program")
    return seat if isinstance(seat, phrases.Unread) else state.program(seat).team


def _place(state: State, said: str) -> At | phrases.Unread:
    """Read a square or a point."""
    found = read_place(state, said)
    if isinstance(found, Refused):
        return phrases.Unread(found.fault, found.because)
    if found.kind == "square":
        return square_middle(int(state.house["grid"]), found.name)
    return (
        found.at if found.kind == "point" else phrases.Unread("unreadable", "Write a square (F4), or inches (13.5,7).")
    )


def _disc(state: State, said: str) -> str | phrases.Unread:
    if said.lower() in (IN_HAND, GONE):
        return said.lower()
    match = re.fullmatch(r"(\S+?)(?:\s*,\s*|\s+)(?:going |pointing |bearing )?(\D+|\d+)", said)
    at = _place(state, match[1]) if match else None
    way = read_bearing(match[2]) if match else None
    if not isinstance(at, At) or not isinstance(way, int):
        return phrases.Unread(
            "unreadable", "Write in hand, gone, or where the arrow end is and where it points: D1 SW."
        )
    if not state.grid.holds(at) or not state.grid.holds(along(at, way, -state.sizes.marker)):
        return phrases.Unread("illegal", "The Marker would not lie wholly on the Grid.")
    return f"{point(at)} going {word_of(way)}"
