"""The sums of one adjudication: each derived fact has a key, and a ruling's value where there is one; knows no game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from pbem.ground.terms import MODERATOR_ALONE, Event, Fact, Verdict

T = TypeVar("T", int, bool, str)


class Reckoning:
    """
    Collects verdicts; a pinned value takes the place of the derived one, so whatever uses it follows.

    Shape: ask with `number`, `claim` or `word` and go on with what they return.
    """

    def __init__(self, pinned: Mapping[str, Fact]) -> None:
        """Take the facts that rulings pinned."""
        self._pinned = dict(pinned)
        self._used: set[str] = set()
        self.verdicts: list[Verdict] = []

    def part(self) -> Reckoning:
        """Return an empty reckoning with the same rulings; `absorb` adds its verdicts to this one."""
        return Reckoning(self._pinned)

    def absorb(self, part: Reckoning) -> None:
        """Append the verdicts of a part to ours."""
        self.verdicts += part.verdicts
        self._used |= part._used

    def number(self, key: str, text: str, value: int, how: str = "", rule: str = "", least: int = 0) -> int:
        """Record a number and return the one to use: the pinned one, raised to `least`, or `value`."""
        ruled = self.ruled(key) if self._pinned else None
        if ruled is not None:
            value = max(least, ruled)
        self._put(key, text, value, how, rule, ruled is not None)
        return value

    def claim(self, key: str, text: str, value: bool, how: str = "", rule: str = "") -> bool:
        """Record a yes or no and return the one to use."""
        ruled = self.says(key) if self._pinned else None
        if ruled is not None:
            value = ruled
        self._put(key, text, value, how, rule, ruled is not None)
        return value

    def word(self, key: str, text: str, value: str, how: str = "", rule: str = "") -> str:
        """Record a place, a direction or another word, and return the one to use."""
        ruled = self._ruled(key, str) if self._pinned else None
        if ruled is not None:
            value = ruled
        self._put(key, text, value, how, rule, ruled is not None)
        return value

    def ruled(self, key: str) -> int | None:
        """Return the number that a ruling gave to a fact, or None."""
        return self._ruled(key, int)

    def says(self, key: str) -> bool | None:
        """Return the yes or no that a ruling gave to a fact, or None."""
        return self._ruled(key, bool)

    def pins(self, key: str) -> bool:
        """Say whether a ruling gave a value to a fact."""
        return key in self._pinned

    def all_pinned(self) -> tuple[str, ...]:
        """Return the key of every fact that a ruling gave a value to."""
        return tuple(self._pinned)

    def idle(self) -> tuple[Event, ...]:
        """Return an event for the moderator for each ruling that no fact of this adjudication used."""
        return tuple(
            Event(kind="ruling_idle", to=MODERATOR_ALONE, facts={"key": key})
            for key in self._pinned
            if key not in self._used
        )

    def _ruled(self, key: str, kind: type[T]) -> T | None:
        """Return the value that a ruling gave to a fact, if it is of the kind; yes and no are no numbers."""
        value = self._pinned.get(key)
        if type(value) is not kind:
            return None
        self._used.add(key)
        return value

    def _put(self, key: str, text: str, value: Fact, how: str, rule: str, pinned: bool) -> None:
        how = "as ruled" if pinned else how
        self.verdicts.append(Verdict(key=key, text=text, value=value, how=how, rule=rule, pinned=pinned))
