"""What has changed in the rules of the brawl, version by version, in sentences for players; carries nothing out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from pbem.ruleset import Change
from pbem.rulesets.brawl.state import State


class _Dated(msgspec.Struct, frozen=True, kw_only=True):
    """A change, and in which games it can matter: `house` is a rule with the values that let it, none for any game."""

    says: str
    rule: str
    house: tuple[str, ...] = ()


_CHANGES: Mapping[int, Sequence[_Dated]] = {
    2: (),
}
"""By the version with which they came."""


def changed(state: State, since: int) -> tuple[Change, ...]:
    """Return what has changed since a version, as far as it can matter in a game from here on."""
    later = [one for version, found in sorted(_CHANGES.items()) if version > since for one in found]
    return tuple(Change(one.says, one.rule) for one in later if _matters(one, state))


def _matters(one: _Dated, state: State) -> bool:
    return not one.house or state.house[one.house[0]] in one.house[1:]
