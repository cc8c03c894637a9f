"""Words that are shouted for damage, and why some cannot be; adds nothing to any damage."""

import re
import unicodedata

from pbem.rulesets.rumble.orders.hero_names import ORDER_WORDS

LONGEST = 30
_LETTERS = r"[^\W\d_]+"
_WORD = re.compile(rf"{_LETTERS}(?:[-']{_LETTERS})*")


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
