"""Conditions of lines: read and written; all of them are about what everybody can see."""

import re
from typing import Literal

from pbem.ruleset import Refused, phrases
from pbem.rulesets.discs.grid.squares import read_inches, write_inches
from pbem.rulesets.discs.model.order import Sign, Test
from pbem.rulesets.discs.model.state import State
from pbem.rulesets.discs.orders.names import find_program, written
from pbem.rulesets.discs.orders.places import read_place, write_place

KNOWN = (
    "NAME within 12, NAME beyond 12, I hold 0, NAME holds 1 or more, NAME is prone, I am prone, my disc is out, my "
    "disc is in hand, my disc is away, disc of NAME heading at me, any disc heading at me, clear shot at NAME, only 2 "
    "left; nearest or weakest may stand for NAME"
)
_MINE = {
    "out": "disc out", "flying": "disc out", "thrown": "disc out", "in flight": "disc out", "away": "disc away",
    "in hand": "disc in hand", "in my hand": "disc in hand", "here": "disc in hand",
}  # fmt: skip
_COUNTS = {"no": 0, "nothing": 0, "none": 0, "one": 1, "a": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_HOLDS = re.compile(
    r"(.+?)\s+(?:holds?|ha(?:s|ve))\s+(at least|at most|more than|fewer than|less than|exactly)?\s*(\w+)(?: cards?)?"
    r"(?:\s+(or (?:fewer|less|more)))?(?: cards?)?",
    re.IGNORECASE,
)
_SIGNS: dict[str, tuple[Sign, int]] = {
    "at least": (">=", 0), "or more": (">=", 0), "more than": (">=", 1), "at most": ("<=", 0), "or fewer": ("<=", 0),
    "or less": ("<=", 0), "fewer than": ("<=", -1), "less than": ("<=", -1), "exactly": ("=", 0), "": ("=", 0),
}  # fmt: skip


def read_test(state: State, seat: str, said: str) -> Test | Refused:
    """
    Read one test of a seat's.

    Errors: `unreadable` with the tests that there are; `illegal` for somebody who is De-Rezzed, or oneself. Rule: M5.
    """
    said = phrases.clean(said)
    if (match := re.fullmatch(r"my dis[ck] (?:is )?(.+)", said, re.IGNORECASE)) and match[1].lower() in _MINE:
        return Test(_MINE[match[1].lower()])  # type: ignore[arg-type]
    if match := re.fullmatch(r"i have (my|no) dis[ck]", said, re.IGNORECASE):
        return Test("disc in hand" if match[1].lower() == "my" else "disc out")
    if re.fullmatch(r"(?:an?y? |the )?dis[ck] (?:is )?(?:heading|coming) (?:at|for|towards?) me", said, re.IGNORECASE):
        return Test("heading")
    if match := re.fullmatch(
        r"(?:the )?dis[ck] of (.+?) (?:is )?(?:heading|coming) (?:at|for|towards?) me|"
        r"(.+?)'s? dis[ck] (?:is )?(?:heading|coming) (?:at|for|towards?) me",
        said, re.IGNORECASE,
    ):  # fmt: skip
        whose = find_program(state, seat, match[1] or match[2], "M5", flying=True)
        return whose if isinstance(whose, Refused) else Test("heading", seat=whose)
    if match := re.fullmatch(r"(?:i have )?(?:a )?clear shot (?:at|on) (.+)", said, re.IGNORECASE):
        return _about(state, seat, match[1], "clear")
    if match := re.fullmatch(r"only (\w+)(?: programs?)?(?: (?:are|is))? (?:left|standing)", said, re.IGNORECASE):
        count = _count(match[1])
        return (
            Refused("unreadable", "Write a number: only 2 left.", "M5") if count is None else Test("left", number=count)
        )
    if match := re.fullmatch(
        r"(.+?) (?:is )?(?:(within|(?:nearer|closer) than)|beyond|(?:farther|further)(?: away)? than) "
        r"(\S+?)(?:\"|''| ?in(?:ch(?:es)?)?)?(?: of me| away| from me)?",
        said, re.IGNORECASE,
    ):  # fmt: skip
        return _reach(state, seat, match[1], "within" if match[2] else "beyond", match[3])
    if re.fullmatch(r"i'?m prone", said, re.IGNORECASE):
        return Test("prone")
    if match := re.fullmatch(r"(.+?) (?:is|am) prone", said, re.IGNORECASE):
        return Test("prone") if match[1].lower() == "i" else _about(state, seat, match[1], "prone")
    if match := _HOLDS.fullmatch(said):
        return _holds(state, seat, match)
    return Refused("unreadable", f'I do not know the condition "{said}". Known: {KNOWN}.', "M5")


def _about(state: State, seat: str, said: str, kind: str, **more: object) -> Test | Refused:
    """Return a test about a Program: one that is named, the nearest or the weakest."""
    place = read_place(state, seat, said)
    if isinstance(place, Refused):
        return place
    if place.kind not in ("seat", "nearest", "weakest"):
        return Refused("unreadable", f'"{said}" is no Program. Write a name, nearest or weakest.', "M5")
    if said.casefold() in _ANYBODY:
        return Refused("ambiguous", "Write nearest, or a name: it may be another who is meant.", "M5")
    return Test(kind, place, **more)  # type: ignore[arg-type]


def _reach(state: State, seat: str, said: str, kind: Literal["within", "beyond"], inches: str) -> Test | Refused:
    place, length = read_place(state, seat, said), read_inches(inches)
    if isinstance(place, Refused):
        return place
    if length is None:
        return Refused("unreadable", f'"{inches}" is no length. Write inches, such as 12 or 3.5.', "M5")
    if kind == "beyond" and said.casefold() in _ANYBODY:
        return Refused("ambiguous", "Write nearest beyond 12 for everybody, or a name.", "M5")
    return Test(kind, place, number=length)


_ANYBODY = ("anyone", "anybody")
"""Who is the nearest where something comes near, and may be another where it does not."""


def _holds(state: State, seat: str, match: re.Match[str]) -> Test | Refused:
    count = _count(match[3])
    if count is None:
        return Refused(
            "unreadable", f'"{match[3]}" is no number of cards. Write I hold 0, or Ada holds 1 or more.', "M5"
        )
    if match[2] and match[4]:
        return Refused("unreadable", f"Write {match[2]} {count}, or {count} {match[4]}.", "M5")
    sign, more = _SIGNS[(match[2] or match[4] or ("at least" if match[3].lower() == "a" else "")).lower()]
    if match[1].lower() == "i":
        return Test("holds", sign=sign, number=count + more)
    return _about(state, seat, match[1], "holds", sign=sign, number=count + more)


def _count(said: str) -> int | None:
    """Read a small number in digits or as a word; None for what is none."""
    if re.fullmatch(r"[0-9]{1,3}", said):
        return int(said)
    return _COUNTS.get(said.lower())


def write_test(state: State, test: Test) -> str:
    """Write a test as `read_test` reads it."""
    whom = write_place(state, test.place) if test.place else ""
    match test.kind:
        case "within" | "beyond":
            return f"{whom} {test.kind} {write_inches(test.number)}"
        case "holds":
            many = {"=": "", "<=": " or fewer", ">=": " or more"}[test.sign]
            return f"{f'{whom} holds' if whom else 'I hold'} {test.number}{many}"
        case "prone":
            return f"{whom} is prone" if whom else "I am prone"
        case "heading":
            return f"{f'disc of {written(state, test.seat)}' if test.seat else 'any disc'} heading at me"
        case "clear":
            return f"clear shot at {whom}"
        case "left":
            return f"only {test.number} left"
        case _:
            return f"my disc is {test.kind.removeprefix('disc ')}"
