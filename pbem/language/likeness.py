"""Words that are nearly others, as difflib judges; those that cannot be near are told by their letters alone."""

from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache


def is_like_any(word: str, others: Iterable[str], least: float) -> bool:
    """Say whether a word is so like one of some others, from 0 to 1."""
    mine = _letters(word)
    matcher = SequenceMatcher(None, "", word)
    for other in others:
        theirs = _letters(other)
        # A letter that the other word has not is matched by nothing in it.
        most = min(len(word) - (mine & ~theirs).bit_count(), len(other) - (theirs & ~mine).bit_count())
        if 2.0 * most >= least * (len(word) + len(other)) - _SLACK:
            matcher.set_seq1(other)
            if matcher.ratio() >= least:
                return True
    return False


_SLACK = 1e-9
"""What floats may be off by: where it matters, the matcher decides."""


@lru_cache(maxsize=4096)
def _letters(word: str) -> int:
    """Return a word's letters as bits, of which several letters may share one."""
    bits = 0
    for letter in word:
        bits |= 1 << ord(letter) % 64
    return bits
