"""Sealed dice: a secret seed and a label give a face, so nothing is ever re-rolled; knows no game."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeVar

T = TypeVar("T")

BLOCK = 64
"""Bytes that SHA-256 takes at a time."""


def seal(seed: bytes) -> str:
    """Return the SHA-256 of a seed in hex: what the charter shows from the first day."""
    return hashlib.sha256(seed).hexdigest()


@lru_cache(maxsize=64)
def _keyed(seed: bytes) -> tuple[hashlib._Hash, hashlib._Hash]:
    """
    Return the inner and outer hash of a HMAC with what depends on the key alone done, which is most of it.

    Rule: RFC 2104.
    """
    key = (seed if len(seed) <= BLOCK else hashlib.sha256(seed).digest()).ljust(BLOCK, b"\0")
    inner, outer = (hashlib.sha256(bytes(byte ^ pad for byte in key)) for pad in (0x36, 0x5C))
    return inner, outer


class Dice:
    """
    The dice of one scope of one game.

    Shape: a face is HMAC-SHA256(seed, scope/label/try), cut to the sides by rejection, so every face is
    equally likely and the same for ever; no library's generator is asked.
    """

    def __init__(self, seed: bytes, scope: str = "") -> None:
        """Take a seed of 32 bytes; `scope` stands before every label."""
        self._seed = seed
        self._inner, self._outer = _keyed(seed)
        self.scope = scope

    def at(self, scope: str) -> Dice:
        """Return the dice of a narrower scope, such as one phase."""
        return Dice(self._seed, f"{self.scope}/{scope}" if self.scope else scope)

    def face(self, label: str, sides: int) -> int:
        """Roll one die: 1..sides. The same label gives the same face, so each roll needs a label of its own."""
        limit = (1 << 64) - (1 << 64) % sides
        for attempt in range(1000):
            inner, outer = self._inner.copy(), self._outer.copy()
            inner.update(f"{self.scope}/{label}/{attempt}".encode())
            outer.update(inner.digest())
            draw = int.from_bytes(outer.digest()[:8], "big")
            if draw < limit:
                return draw % sides + 1
        raise AssertionError("a thousand rejected draws: not chance")

    def pick(self, label: str, among: Sequence[T]) -> T:
        """Pick one of a non-empty sequence."""
        return among[self.face(label, len(among)) - 1]

    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in a drawn order (Fisher and Yates, from the end)."""
        drawn = list(items)
        for last in range(len(drawn) - 1, 0, -1):
            other = self.face(f"{label}/{last}", last + 1) - 1
            drawn[last], drawn[other] = drawn[other], drawn[last]
        return tuple(drawn)
