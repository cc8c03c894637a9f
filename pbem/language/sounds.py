"""Names that are spelt by ear, as children and dictation write them: `lazer eyes`, `regenerashun`; knows no game."""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

import jellyfish
import msgspec

from pbem.language.tokens import Token

SHORTEST = 4
"""The letters of the shortest word that is heard as another; what two or three letters sound like is anything."""


@lru_cache(maxsize=64)
def _by_sound(words: frozenset[str]) -> Mapping[str, frozenset[str]]:
    """Return words by what they sound like."""
    found: dict[str, set[str]] = {}
    for word in words:
        if len(word) >= SHORTEST and word.isalpha():
            found.setdefault(jellyfish.metaphone(word), set()).add(word)
    return {sound: frozenset(those) for sound, those in found.items()}


def heard_as(tokens: Sequence[Token], words: frozenset[str], known: Collection[str]) -> tuple[Token, ...]:
    """Return tokens in which a word that nobody knows is the one of some words that sounds so, if just one does."""
    return tuple(_heard(token, words, known) for token in tokens)


def _heard(token: Token, words: frozenset[str], known: Collection[str]) -> Token:
    is_strange = token.kind == "word" and token.text.isalpha() and token.text not in known
    if not is_strange or len(token.text) < SHORTEST:
        return token
    sound = jellyfish.metaphone(token.text)
    likely = _by_sound(words).get(sound, frozenset())
    return msgspec.structs.replace(token, text=next(iter(likely))) if sound and len(likely) == 1 else token
