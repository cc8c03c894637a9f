"""Reads `use` lines: power, target, what it takes and how often; powers are free text, so nothing is looked up."""

from __future__ import annotations

import re

import msgspec

from pbem.ruleset import phrases
from pbem.rulesets.rumble.orders import Use
from pbem.rulesets.rumble.powers.pricing import priced
from pbem.rulesets.rumble.state import Power, State
from pbem.rulesets.rumble.words import Refused, find_living, find_own_power, own_powers, refuse

_NUMBER = r"(-?[0-9][0-9.,]*)"
_ENDINGS = (
    ("x", re.compile(rf"[\s,]+x\s*=\s*{_NUMBER}$", re.IGNORECASE)),
    ("spend", re.compile(rf"[\s,]+(?:spend|spending|spends)\s+{_NUMBER}$", re.IGNORECASE)),
    ("burn", re.compile(rf"[\s,]+(?:burn|burning|burns)\s+{_NUMBER}$", re.IGNORECASE)),
    ("times", re.compile(rf"[\s,]+x\s*{_NUMBER}$", re.IGNORECASE)),
    ("times", re.compile(rf"[\s,]+{_NUMBER}\s*(?:x|times)$", re.IGNORECASE)),
)
MOST_TIMES = 100


class _Taken(msgspec.Struct, frozen=True):
    """What stood behind power and target, and what is left before it."""

    rest: str
    figures: dict[str, int]


def read_use(state: State, seat: str, rest: str) -> Use | Refused:
    """
    Read what stands after `use`.

    Rule: R12, R13 (any number of times), R14 (spend and burn), A29 (X alone is spent).
    """
    if not rest:
        return Refused("unreadable", "Say which power: use NAME on TARGET spend 10.", "R12")
    taken = _endings(state, seat, rest)
    if isinstance(taken, Refused):
        return taken
    aimed = _aimed(state, seat, taken.rest)
    if isinstance(aimed, Refused):
        return aimed
    power, target = aimed
    figures = taken.figures
    times = figures.get("times", 1)
    if not 1 <= times <= MOST_TIMES:
        return Refused("illegal", f"A power is used 1 to {MOST_TIMES} times in a round, such as x2.", "R13")
    bare = "spend" not in figures and "burn" not in figures
    spend = figures.get("x", 0) if bare else figures.get("spend", 0)
    use = Use(power.key, target, spend, figures.get("burn", 0), figures.get("x", -1), times)
    return priced(state, seat, power, use)


def _endings(state: State, seat: str, rest: str) -> _Taken | Refused:
    figures: dict[str, int] = {}
    names = [name.casefold() for name in own_powers(state, seat).values()]
    while rest.casefold() not in names:
        found = next(((thing, m) for thing, pattern in _ENDINGS if (m := pattern.search(rest))), None)
        if found is None:
            break
        thing, match = found
        if thing in figures:
            return Refused("ambiguous", f"Two figures for {_said(thing)} on one line. Write one.", "R12")
        figure = phrases.number(match[1])
        if isinstance(figure, phrases.Unread):
            return refuse(figure, "A2")
        figures[thing] = figure
        rest = rest[: match.start()].rstrip(" ,:")
    return _Taken(rest, figures)


def _said(thing: str) -> str:
    return {"x": "X", "times": "how often"}.get(thing, thing)


def _aimed(state: State, seat: str, rest: str) -> tuple[Power, str] | Refused:
    """Part power and target at the `on` that makes sense of both."""
    whole = find_own_power(state, seat, rest)
    if not isinstance(whole, Refused):
        return whole, ""
    wrong: Refused = whole
    for match in reversed(list(re.finditer(r"\s+(?:on|against|targeting)\s+", rest, re.IGNORECASE))):
        power = find_own_power(state, seat, rest[: match.start()])
        if isinstance(power, Refused):
            wrong = power
            continue
        said = rest[match.end() :]
        target = seat if said.lower() in ("me", "myself") else find_living(state, said)
        if not isinstance(target, Refused):
            return power, str(target)
        wrong = target
    return wrong
