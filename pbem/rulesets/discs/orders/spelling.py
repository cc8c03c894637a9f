"""What people and phones spell in many ways: numbers in words, primes, a # that is no comment."""

import re
from collections.abc import Callable

import msgspec

from pbem.ruleset import Parsed, bare_line
from pbem.rulesets.discs.model.order import Order
from pbem.rulesets.discs.model.state import State

SHARP = "\u266f"
"""What stands for a # that begins no comment, since comments are cut off before lines are read."""
_MARKS = str.maketrans({"\u00b4": "'", "`": "'", "\u2032": "'", "\u2033": '"'})
_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_ENDS = ("st", "nd", "rd", "th", "th")
NUMBERS = {word: str(number) for number, word in enumerate(_WORDS)} | {
    word: f"{number}{end}" for number, (word, end) in enumerate(zip(_ORDINALS, _ENDS, strict=True), 1)
}
"""Numbers as words, as far as they stand alone: `twenty four` would become two."""
_NUMBER_WORD = re.compile(rf"(?<![\w'-])({'|'.join(NUMBERS)})(?![\w'-])", re.IGNORECASE)


def straightened(state: State, text: str) -> str:
    """Return a line without bullets and courtesies, and with digits for numbers in words that are in nobody's name."""
    text = bare_line(text.translate(_MARKS))
    names = {
        word for one in state.programs for word in re.split(r"[\s.'!-]+", f"{one.name} {one.seat}".casefold()) if word
    }

    def digits(match: re.Match[str]) -> str:
        return match[0] if match[0].casefold() in names else NUMBERS[match[0].lower()]

    return _NUMBER_WORD.sub(digits, text)


def uncut(text: str, reads: Callable[[str], bool]) -> str:
    """
    Return a line in which nothing is cut off for a comment that may be meant: numbers behind a #, and what `reads`.

    Shape: such a # becomes another character, `SHARP`.
    """
    text = re.sub(r"[#\uff03](?=\s*\d)", SHARP, text)
    comment = re.search(r"(?:^|(?<=\s))#[#\s]*(.*)$", text)
    return text.replace("#", SHARP) if comment and reads(comment[1]) else text


def as_said(parsed: Parsed[Order]) -> Parsed[Order]:
    """Return what was read, with each # in its complaints again."""
    replace = msgspec.structs.replace
    sharp = (
        replace(one, text=one.text.replace(SHARP, "#"), because=one.because.replace(SHARP, "#"))
        for one in parsed.complaints
    )
    return replace(parsed, complaints=tuple(sharp))
