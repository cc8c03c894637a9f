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


def is_one_slip(word: str, other: str) -> bool:
    """Say whether one slip of the fingers makes a word of another: one letter more, less or other, or two turned."""
    if abs(len(word) - len(other)) > 1 or word == other:
        return False
    same = 0
    while same < min(len(word), len(other)) and word[same] == other[same]:
        same += 1
    mine, theirs = word[same:], other[same:]
    if len(mine) == len(theirs):
        return mine[1:] == theirs[1:] or (mine[:2] == theirs[1::-1] and mine[2:] == theirs[2:])
    return mine[1:] == theirs or mine == theirs[1:]


_SLACK = 1e-9
"""What floats may be off by: where it matters, the matcher decides."""


@lru_cache(maxsize=4096)
def _letters(word: str) -> int:
    """Return a word's letters as bits, of which several letters may share one."""
    bits = 0
    for letter in word:
        bits |= 1 << ord(letter) % 64
    return bits
