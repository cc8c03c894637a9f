"""The single numbers that stand in a power: found in its text and in its formal lines, doubled and halved."""

import re
from collections.abc import Mapping

from pbem.ruleset import phrases
from pbem.rulesets.rumble.model.rounding import rounded
from pbem.rulesets.rumble.powers.language.runnable import runs

_NUMERAL = r"(?<!\w)(?<!/)(?<![0-9][.,])[0-9]{1,6}(?![\w/]|[.,][0-9])"
_IN_TEXT = re.compile(rf"{_NUMERAL}|\b(?:half|double)\b", re.IGNORECASE)
_IN_LINES = re.compile(r'"[^"]*"|^nth:.*$|\b[0-9]+\b', re.MULTILINE)
_WORDS = {
    ("half", "double"): "all",
    ("half", "halve"): "a quarter",
    ("double", "double"): "quadruple",
    ("double", "halve"): "single",
}
_COUNTS = {
    "one": 1, "once": 1, "single": 1, "two": 2, "twice": 2, "both": 2, "three": 3, "four": 4, "five": 5, "six": 6,
    "seven": 7, "eight": 8, "nine": 9, "ten": 10, "half": 2, "halve": 2, "halved": 2, "double": 2, "doubled": 2,
}  # fmt: skip
"""Words that may stand in a text for a number of its lines."""


def named(said: str) -> str:
    """Read which number is meant, as digits or one of two words; "" where it is none."""
    word = said.casefold()
    return str(int(word)) if re.fullmatch("[0-9]{1,6}", word) else word if word in ("half", "double") else ""


def in_text(text: str) -> list[str]:
    """List the numbers of a text that can be changed, each once. Rule: C13."""
    return list(dict.fromkeys(named(match[0]) for match in _IN_TEXT.finditer(text)))


def changed_text(text: str, what: str, how: str, house: Mapping[str, str]) -> str:
    """Return a text with a number changed where it first stands, and rounded as the house says."""
    place = next(match for match in _IN_TEXT.finditer(text) if named(match[0]) == what)
    new = _WORDS[what, how] if what in ("half", "double") else str(_changed(int(what), how, house))
    if place[0][0].isupper():
        new = new[0].upper() + new[1:]
    after = text[place.end() :]
    of = " of" if what == "half" and not re.match(r"\s+of\b", after) else ""
    return f"{text[: place.start()]}{new}{of}{after}"


def _changed(number: int, how: str, house: Mapping[str, str]) -> int:
    """Rule: C13, A2: a half is rounded as the house says, but not below 1."""
    return number * 2 if how == "double" else max(1, rounded(house, number, 2))


def changed_lines(text: str, formal: str, what: str, how: str, house: Mapping[str, str]) -> str | phrases.Unread:
    """
    Return a power's formal lines with a number changed; `text` is the text as it was.

    Errors: why it is not clear that the number of the text is that of the lines. Rule: C13.
    """
    value = 2 if what in ("half", "double") else int(what)
    in_text = sum(_COUNTS.get(word.casefold()) == value for word in re.findall(r"[A-Za-z]+", text))
    in_text += sum(named(match[0]) == str(value) for match in _IN_TEXT.finditer(text))
    places = [match for match in _IN_LINES.finditer(formal) if match[0].isdigit() and int(match[0]) == value]
    for where, count in (("text", in_text), ("formal lines", len(places))):
        if count != 1:
            times = "not at all" if not count else f"{count} times"
            return phrases.Unread("ambiguous", f"{value} stands {times} in its {where}")
    new = _changed(value, {"double": "halve", "halve": "double"}[how] if what == "half" else how, house)
    lines = f"{formal[: places[0].start()]}{new}{formal[places[0].end() :]}"
    if not runs(lines):
        return phrases.Unread("illegal", "its formal lines would not run with the new number")
    return lines
