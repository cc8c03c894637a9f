"""Reads the words that are shouted for damage, and complains of those that cannot be; adds nothing to any damage."""

import re
import unicodedata

from pbem.ruleset import Refused
from pbem.rulesets.rumble.model.names import find_living
from pbem.rulesets.rumble.model.order import Captions
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.orders.hero_names import ORDER_WORDS
from pbem.rulesets.rumble.powers.engine.active_abilities import asks

LONGEST = 30
_LETTERS = r"[^\W\d_]+"
_WORD = re.compile(rf"{_LETTERS}(?:[-']{_LETTERS})*")


def read_captions(state: State, seat: str, rest: str) -> Captions | Refused:
    """
    Read what stands after `captions`: words, and perhaps before them `on` whom the damage is to be.

    Rule: C31; capitals make no difference, so a word is kept in capitals.
    """
    if not any(asks(power) for power in state.owned(seat)):
        return Refused("illegal", "You have no power that goes with captions.", "R12")
    match = re.fullmatch(r"(?:on|against)\s+(.+?)\s*:\s*(.*)", rest, re.IGNORECASE)
    on = (seat if match[1].lower() in ("me", "myself") else find_living(state, match[1])) if match else ""
    if isinstance(on, Refused):
        return on
    words: list[str] = []
    for written in re.split(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+", match[2] if match else rest):
        word = plain_word(written)
        because = wrong(written, word) if written else ""
        if because:
            return Refused("unreadable", because, "C31")
        if word in state.shouted:
            return Refused("illegal", f"{word} has been shouted in this game. Think of another word.", "C31")
        words += [word] if written else []
    if not words:
        return Refused("unreadable", "Say what you shout: captions: KRAK, THWIP.", "C31")
    return Captions(tuple(words), on)


def plain_word(text: str) -> str:
    """Return a word as it is remembered: in capitals, without quotes and the noise behind it."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).upper()).strip("'\"!. ")


def wrong(text: str, word: str) -> str:
    """Say why a word cannot be shouted, or ""; `text` is as it was written. Rule: C31."""
    if not _WORD.fullmatch(word):
        if all(map(_WORD.fullmatch, parts := word.split())) and len(parts) > 1:
            return f'"{text}" is more than one word. Part captions by commas: captions: {", ".join(parts)}.'
        return f'"{text}" is no word. A caption is one word of letters, such as KRAK or KER-POW.'
    if len(word) > LONGEST:
        return f"{word} has {len(word)} letters; {LONGEST} is the most."
    return f"{word} begins an order. Shout something else." if word.casefold() in ORDER_WORDS else ""
