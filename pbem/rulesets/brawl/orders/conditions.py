"""Reads the conditions of order lines; they can ask what slower fighters declared, never what faster ones will."""

import re

import msgspec

from pbem.ruleset import Refused, phrases, refuse
from pbem.rulesets.brawl.order import Test
from pbem.rulesets.brawl.state import State
from pbem.rulesets.brawl.words import ACTIONS, DOES

KNOWN = (
    "NAME attacks me, NAME attacks NAME, attacked by 2, nobody attacks me, attack on me > 14, NAME drinks, "
    "NAME picks up, NAME drops advantage, NAME defends, NAME has item, NAME is down, NAME is up, my health < 5, "
    "health of NAME < 5, my endurance = 0, I am first, I am last, round >= 3, always"
)
ON_DECLARED = ("attacks", "attacked by", "attack on me", "drops", "defends")
"""Tests about what was declared this round."""
_OF_NOBODY = {
    r"always": Test("always"),
    r"(?:my init(?:iative)? (?:is )?first|i am (?:the )?(?:first|fastest))": Test("first"),
    r"(?:my init(?:iative)? (?:is )?last|i am (?:the )?(?:last|slowest))": Test("last"),
    r"(?:i am attacked|somebody attacks me|someone attacks me)": Test("attacked by", sign=">=", number=1),
    r"(?:nobody|no one|no-one) attacks me|i am not attacked": Test("attacked by", sign="=", number=0),
    r"(?:i am )?attacked by (?P<number>[0-9]+)(?: or more)?": Test("attacked by", sign=">="),
}
"""Patterns of tests that name no fighter."""
_OF_ONE = {
    **{rf"(?P<name>.+?) {words}": Test("drops", what=action) for words, action in DOES.items()},
    r"(?P<name>.+?) defends(?: (?P<number>[0-9]+)(?: times)?)?": Test("defends", sign=">=", number=1),
    r"(?P<name>.+?) has (?:an? )?item": Test("has"),
    r"(?P<name>.+?) is down": Test("down"),
    r"(?P<name>.+?) is up": Test("up"),
}
"""Patterns of tests that name one fighter."""


def read_test(state: State, seat: str, text: str) -> Test | Refused:
    """
    Read one test of a seat's.

    Errors: `unreadable` with the tests that exist; `illegal` where it is about what a faster fighter will declare, or
    about anything declared where all declare blindly. Rule: K5, M1.
    """
    text = re.sub(r"\s+", " ", text.strip())
    test = _read(state, seat, text)
    return test if isinstance(test, Refused) else untestable(state, seat, test) or test


def untestable(state: State, seat: str, test: Test) -> Refused | None:
    """Refuse a test about what is not declared when a seat declares. Rule: K5, M1."""
    if test.kind not in ON_DECLARED:
        return None
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
    return None


def _read(state: State, seat: str, text: str) -> Test | Refused:
    for pattern, test in _OF_NOBODY.items():
        if match := re.fullmatch(pattern, text, re.IGNORECASE):
            return _numbered(test, match)
    if match := re.fullmatch(r"(.+?) attacks (.+)", text, re.IGNORECASE):
        return _two(state, seat, match[1], match[2])
    if match := re.fullmatch(r"(.+?) (?:drops|uses) (.+)", text, re.IGNORECASE):
        action = ACTIONS.get(match[2].lower())
        if action is None:
            known = ", ".join(dict.fromkeys(ACTIONS.values()))
            return Refused("unreadable", f'I know no drop die "{match[2]}". Known: {known}.', "K7")
        return _one(state, Test("drops", what=action), match[1])
    for pattern, test in _OF_ONE.items():
        if match := re.fullmatch(pattern, text, re.IGNORECASE):
            return _one(state, _numbered(test, match), match["name"])
    if compared := phrases.comparison(text):
        thing = "attack on me" if compared.thing == "attack" else compared.thing
        test = Test(thing, sign=compared.sign, number=compared.number)
        if thing in ("my health", "my endurance", "round", "attack on me", "attacked by"):
            return test
        if match := re.fullmatch(r"(health|endurance) of (.+)", thing):
            return _one(state, msgspec.structs.replace(test, kind=match[1]), match[2])
    return Refused("unreadable", f'I do not know the test "{text}". Known: {KNOWN}.', "M2")


def _numbered(test: Test, match: re.Match[str]) -> Test:
    """Return a test with the number that was named, where one was."""
    text = match.groupdict().get("number")
    return msgspec.structs.replace(test, number=int(text[:6])) if text else test


def _one(state: State, test: Test, text: str) -> Test | Refused:
    """Return a test about the fighter who was named."""
    if text.lower() in ("i", "me"):
        because = "Of yourself you can test my health, my endurance, I am first, I am last."
        return Refused("unreadable", because, "M2")
    found = phrases.find(text, state.names, "fighter")
    return refuse(found, "M2") if isinstance(found, phrases.Unread) else msgspec.structs.replace(test, seat=found)


def _two(state: State, seat: str, text: str, other: str) -> Test | Refused:
    first = phrases.find(text, state.names, "fighter")
    second = seat if other.lower() == "me" else phrases.find(other, state.names, "fighter")
    for found in (first, second):
        if isinstance(found, phrases.Unread):
            return refuse(found, "M2")
    return Test("attacks", str(first), other="" if second == seat else str(second))
