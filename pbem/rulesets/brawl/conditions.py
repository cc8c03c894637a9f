"""Conditions of order lines: read and written; what slower fighters declared is asked, never what faster ones will."""

from __future__ import annotations

import re

from pbem.ruleset import Refused, phrases, refuse
from pbem.rulesets.brawl.orders import Test
from pbem.rulesets.brawl.state import State
from pbem.rulesets.brawl.words import ACTIONS, DOES, written

KNOWN = (
    "NAME attacks me, NAME attacks NAME, attacked by 2, nobody attacks me, attack on me > 14, NAME drinks, "
    "NAME picks up, NAME drops advantage, NAME defends, NAME has item, NAME is down, NAME is up, my health < 5, "
    "health of NAME < 5, my endurance = 0, I am first, I am last, round >= 3, always"
)
ON_DECLARED = ("attacks", "attacked by", "attack on me", "drops", "defends")
"""Tests about what was declared this round."""
_SIMPLE = {
    r"always": Test("always"),
    r"(?:my init(?:iative)? (?:is )?first|i am (?:the )?(?:first|fastest))": Test("first"),
    r"(?:my init(?:iative)? (?:is )?last|i am (?:the )?(?:last|slowest))": Test("last"),
    r"(?:i am attacked|somebody attacks me|someone attacks me)": Test("attacked by", sign=">=", number=1),
    r"(?:nobody|no one|no-one) attacks me|i am not attacked": Test("attacked by", sign="=", number=0),
}


def read_test(state: State, seat: str, said: str) -> Test | Refused:
    """
    Read one test of a seat's.

    Errors: `unreadable` with the tests that exist; `illegal` where it is about what a faster fighter will declare, or
    about anything declared where all declare blindly. Rule: K5, M1.
    """
    said = re.sub(r"\s+", " ", said.strip())
    test = _read(state, seat, said)
    if isinstance(test, Refused) or test.kind not in ON_DECLARED:
        return test
    if state.house["declare"] == "blind":
        because = "In this game all declare blindly: no line can depend on what others declare."
        return Refused("illegal", because, "M1")
    about = test.seat
    if about and state.rank(about) >= state.rank(seat):
        name = state.fighter(about).name
        because = f"{name} is no slower than you. Only what slower fighters declare can be tested, before you do."
        return Refused("illegal", because, "K5")
    if not about and state.rank(seat) < 1:
        because = (
            "You declare first, so nobody has attacked you by then. Only what slower fighters declare can be tested."
        )
        return Refused("illegal", because, "K5")
    return test


def _read(state: State, seat: str, said: str) -> Test | Refused:
    for pattern, test in _SIMPLE.items():
        if re.fullmatch(pattern, said, re.IGNORECASE):
            return test
    if match := re.fullmatch(r"(?:i am )?attacked by ([0-9]+)(?: or more)?", said, re.IGNORECASE):
        return Test("attacked by", sign=">=", number=int(match[1][:6]))
    if match := re.fullmatch(r"(.+?) attacks (.+)", said, re.IGNORECASE):
        return _two(state, seat, match[1], match[2])
    if match := re.fullmatch(r"(.+?) (?:drops|uses) (.+)", said, re.IGNORECASE):
        action = ACTIONS.get(match[2].lower())
        if action is None:
            return Refused("unreadable", f'I know no drop die "{match[2]}". Known: {_actions()}.', "K7")
        return _one(state, "drops", match[1], what=action)
    for words, action in DOES.items():
        if match := re.fullmatch(rf"(.+?) {words}", said, re.IGNORECASE):
            return _one(state, "drops", match[1], what=action)
    if match := re.fullmatch(r"(.+?) defends(?: ([0-9]+)(?: times)?)?", said, re.IGNORECASE):
        return _one(state, "defends", match[1], sign=">=", number=int((match[2] or "1")[:6]))
    if match := re.fullmatch(r"(.+?) has (?:an? )?item", said, re.IGNORECASE):
        return _one(state, "has", match[1])
    if match := re.fullmatch(r"(.+?) is (down|up)", said, re.IGNORECASE):
        return _one(state, match[2].lower(), match[1])
    compared = phrases.comparison(said)
    return _compared(state, said, compared) if compared else _unknown(said)


def _compared(state: State, said: str, compared: phrases.Comparison) -> Test | Refused:
    thing = "attack on me" if compared.thing == "attack" else compared.thing
    if thing in ("my health", "my endurance", "round", "attack on me", "attacked by"):
        return Test(thing, sign=compared.sign, number=compared.number)
    if match := re.fullmatch(r"(health|endurance) of (.+)", thing):
        return _one(state, match[1], match[2], sign=compared.sign, number=compared.number)
    return _unknown(said)


def _unknown(said: str) -> Refused:
    return Refused("unreadable", f'I do not know the test "{said}". Known: {KNOWN}.', "M2")


def _actions() -> str:
    return ", ".join(dict.fromkeys(ACTIONS.values()))


def _one(state: State, kind: str, said: str, **more: object) -> Test | Refused:
    if said.lower() in ("i", "me"):
        because = "Of yourself you can test my health, my endurance, I am first, I am last."
        return Refused("unreadable", because, "M2")
    found = phrases.find(said, state.names, "fighter")
    return refuse(found, "M2") if isinstance(found, phrases.Unread) else Test(kind, found, **more)  # type: ignore[arg-type]


def _two(state: State, seat: str, said: str, other: str) -> Test | Refused:
    first = phrases.find(said, state.names, "fighter")
    second = seat if other.lower() == "me" else phrases.find(other, state.names, "fighter")
    for found in (first, second):
        if isinstance(found, phrases.Unread):
            return refuse(found, "M2")
    return Test("attacks", str(first), other="" if second == seat else str(second))


def write_test(state: State, test: Test) -> str:
    """Write a test as `read_test` reads it."""
    name = written(state, test.seat) if test.seat else ""
    compared = f"{test.sign} {test.number}"
    match test.kind:
        case "always":
            return "always"
        case "first" | "last":
            return f"I am {test.kind}"
        case "attacks":
            return f"{name} attacks {written(state, test.other) if test.other else 'me'}"
        case "drops":
            return f"{name} drops {test.what}"
        case "defends":
            return f"{name} defends {test.number}"
        case "has":
            return f"{name} has item"
        case "down" | "up":
            return f"{name} is {test.kind}"
        case "health" | "endurance":
            return f"{test.kind} of {name} {compared}"
        case _:
            return f"{test.kind} {compared}"
