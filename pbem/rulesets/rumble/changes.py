"""What has changed in the rules of Rumble, version by version, in sentences for players; carries nothing out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from pbem.ruleset import Change
from pbem.rulesets.rumble.state import PhaseKind, State, unnumbered


class _Dated(msgspec.Struct, frozen=True, kw_only=True):
    """
    A change, and in which games it can matter.

    Shape: `powers` are the names of the powers of which one must be in play, none for any game; likewise `house`, a
    rule with its value; `phases` are those in which the change can be felt at once or later, none for all.
    """

    says: str
    rule: str
    powers: tuple[str, ...] = ()
    house: tuple[str, str] = ("", "")
    phases: tuple[PhaseKind, ...] = ()


_CHANGES: Mapping[int, Sequence[_Dated]] = {
    4: (
        _Dated(
            says="What a text discards is gone at once, and Psuedonite counts it no more.",
            rule="C32",
            powers=("Psuedonite",),
        ),
    ),
}
"""By the version with which they came."""


def changed(state: State, since: int) -> tuple[Change, ...]:
    """Return what has changed since a version, as far as it can matter in a game from here on."""
    later = [one for version, found in sorted(_CHANGES.items()) if version > since for one in found]
    return tuple(Change(one.says, one.rule) for one in later if _matters(one, state))


def _matters(one: _Dated, state: State) -> bool:
    there = {unnumbered(power.name) for power in state.powers if power.in_play}
    name, value = one.house
    fits = not name or state.house.get(name) == value
    invented = state.phase == "powers"  # whose powers nobody knows yet
    played = not one.powers or invented or bool(there & {*one.powers})
    return fits and played and (not one.phases or state.phase in one.phases)
