"""What is done at a card, read from words and written: throw, attack, move, hold, pass, stand."""

import re

from pbem.ruleset import Refused
from pbem.rulesets.discs.grid.plane import INCH
from pbem.rulesets.discs.grid.squares import read_inches, write_inches
from pbem.rulesets.discs.model.order import Act, Attack, Hold, Move, Pass, Stand, Throw, Way
from pbem.rulesets.discs.model.program import FARTHEST
from pbem.rulesets.discs.model.state import State
from pbem.rulesets.discs.orders.places import read_place, write_place
from pbem.rulesets.discs.orders.ways import read_way, write_way

VERBS = "throw|attack|strike|move|go|step|walk|run|hold|keep|pass|stand|get up|do nothing|nothing|skip|wait"
"""The words that an act begins with."""
_LENGTH = r"(-?\d+(?:\.\d+)?)\s*(?:\"|''|in(?:ch(?:es)?)?\.?)?"
_BY = re.compile(rf"(.+?)\s+(by\s+)?{_LENGTH}", re.IGNORECASE)
_FIRST = re.compile(rf"{_LENGTH}\s+(.+)", re.IGNORECASE)
_THROW = re.compile(r"throw(?:\s+(?:(?:my |the )?dis[ck]|it))?(?:\s+(?:straight|directly))?(?:\s+(.+))?", re.IGNORECASE)
_ATTACK = re.compile(r"(?:attack|strike)(?:\s+(.+))?", re.IGNORECASE)
_MOVE = re.compile(r"(?:move|go|step|walk|run)(?:\s+(.+))?", re.IGNORECASE)
_HOLD = re.compile(
    r"(?:hold|keep)(?: (?:the |my |this |a )?cards?)?(?:\s+((?:up )?to )?(\d{1,3})(?: cards?)?)?", re.IGNORECASE
)

_WAIT = re.compile(r"wait(?: (?:a|1|this) (?:card|turn))?|stay(?: put| here)?|do not (?:act|move)", re.IGNORECASE)


def read_act(state: State, seat: str, said: str) -> Act | Refused | None:
    """Read an act; None for what is none. Rule: D4, D8, D12-D14, M2-M4."""
    if re.fullmatch(r"pass|do nothing|nothing|skip", said, re.IGNORECASE):
        return Pass()
    if re.fullmatch(r"stand(?: up)?|get up", said, re.IGNORECASE):
        return Stand()
    if match := re.fullmatch(r"(?:hold|keep) (?:the |my |this )?card (\d{1,3})", said, re.IGNORECASE):
        because = (
            f'Is this about your card {match[1]}, or about how many to hold? Write "card {match[1]}: hold" or '
            f'"hold to {match[1]}".'
        )
        return Refused("ambiguous", because, "M2")
    if match := re.fullmatch(r"i (?:hold|have) (\d{1,3})(?: cards?)?", said, re.IGNORECASE):
        because = f'Is this how many cards you hold now? If it is an order, write "hold to {match[1]}".'
        return Refused("ambiguous", because, "M2")
    if _WAIT.fullmatch(said):
        because = 'Write "hold" to keep the card, or "pass" to use it up for nothing.'
        return Refused("ambiguous", because, "D4")
    if match := _HOLD.fullmatch(said):
        return _hold(state, match[2], is_most=bool(match[1]))
    if match := _THROW.fullmatch(said):
        if not match[1]:
            return Refused("unreadable", "Throw where? throw at NAME, throw 135, throw 4 o'clock, throw NNE.", "D14")
        return _throw(state, seat, match[1])
    if match := _ATTACK.fullmatch(said):
        return _attack(state, seat, match[1] or "anyone")
    if match := _MOVE.fullmatch(said):
        if not match[1]:
            return Refused("unreadable", "Move where? move to F4, move from NAME, move NE 3, move left of NAME.", "D12")
        return _move(state, seat, match[1])
    return None


def _hold(state: State, said: str | None, *, is_most: bool) -> Hold | Refused:
    if said is None:
        return Hold()
    if said == "1" and not is_most:
        because = 'Write "hold" to keep the card, or "hold to 1" to keep it only while you hold none.'
        return Refused("ambiguous", because, "D4")
    if not 1 <= int(said) <= state.limit:
        because = f"One can hold 1 to {state.limit} cards in this game. Write hold, or hold to {state.limit}."
        return Refused("illegal", because, "T-a")
    return Hold(int(said))


def _throw(state: State, seat: str, said: str) -> Throw | Refused:
    way = read_way(state, seat, said)
    if isinstance(way, Refused):
        return way
    if way.how not in ("to", "bearing"):
        return Refused("unreadable", "Throw at a place or along a bearing: throw at NAME, throw 135.", "M3")
    return Throw(way)


def _attack(state: State, seat: str, said: str) -> Attack | Refused:
    place = read_place(state, seat, said)
    if isinstance(place, Refused):
        return place
    if place.kind not in ("seat", "nearest", "weakest"):
        return Refused("unreadable", "Attack a Program: attack NAME, attack nearest, attack weakest.", "D8")
    if place.kind == "seat" and state.spares(seat, place.seat):
        because = f"{state.names[state.program(place.seat).seat]} is of your team, and you do not strike each other."
        return Refused("illegal", because, "T-cc")
    return Attack(place)


def _move(state: State, seat: str, said: str) -> Move | Refused:
    """
    Read a Move; a number at its end or its head is a length, where what is beside it is a direction by itself.

    Errors: `ambiguous` where all of it is a place too, such as E 3.
    """
    way = read_way(state, seat, said)
    parted = _with_length(state, seat, said)
    if not parted:
        return _within_reach(way, FARTHEST)
    direction, inches, has_by = parted
    length = read_inches(inches)
    fits = length is not None and 1 <= length <= FARTHEST
    if isinstance(way, Way) and not has_by:
        if fits and isinstance(direction, Refused) and direction.fault == "ambiguous":
            because = f'This can be "move to {write_way(state, way)}" too, or with a length. {direction.because}'
            return Refused("ambiguous", because, "M3")
        if not fits or isinstance(direction, Refused):
            return _within_reach(way, FARTHEST)
        whole, part = (f"{'' if one.how == 'bearing' else 'to '}{write_way(state, one)}" for one in (way, direction))
        return Refused("ambiguous", f'This can be two things. Write "move {whole}" or "move {part} by {inches}".', "M3")
    if not isinstance(direction, Refused) and not fits:
        because = f"A Move is 0.01 to {FARTHEST // INCH} inches, such as 3 or 3.5; {inches[:9]} is not."
        return Refused("illegal", because, "T-y")
    return _within_reach(direction, length or 0)


def _with_length(state: State, seat: str, said: str) -> tuple[Way | Refused, str, bool] | None:
    """Part a direction from a length; say whether the word "by" stands between them. None where no length is said."""
    if match := _BY.fullmatch(said):
        direction = read_way(state, seat, match[1])
        if match[2] or isinstance(direction, Way) or direction.fault == "ambiguous":
            return direction, match[3], bool(match[2])
    if match := _FIRST.fullmatch(said):
        direction = read_way(state, seat, match[2])
        if isinstance(direction, Way):
            return direction, match[1], False
    return None


def _within_reach(way: Way | Refused, length: int) -> Move | Refused:
    """Return a Move, which comes off no wall."""
    if isinstance(way, Refused):
        return way
    if way.off:
        return Refused("unreadable", "A Disc comes off walls, a Program does not. Write move to PLACE.", "D12")
    return Move(way, length)


def write_act(state: State, act: Act) -> str:
    """Write an act as `read_act` reads it."""
    match act:
        case Throw():
            return f"throw {'' if act.way.how == 'bearing' else 'at '}{write_way(state, act.way)}"
        case Attack():
            return f"attack {write_place(state, act.whom)}"
        case Move():
            by = f" by {write_inches(act.by)}" if act.by != FARTHEST else ""
            return f"move {'to ' if act.way.how == 'to' else ''}{write_way(state, act.way)}{by}"
        case Hold():
            return f"hold to {act.to}" if act.to else "hold"
        case Pass():
            return "pass"
        case Stand():
            return "stand"
