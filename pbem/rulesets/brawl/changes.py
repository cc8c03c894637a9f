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
    2: (
        _Dated(says="Only who is back in the fight counts as standing.", rule="K-z"),
        _Dated(says="Who is aside with nobody to fight does not stand.", rule="K-aa", house=("groups", "on")),
        _Dated(
            says="Who sends nothing moves back into the fight first, with the worst die.",
            rule="M3",
            house=("nmr", "defend"),
        ),
        _Dated(
            says="A chair that gives an attack a damage die is used in that attack or in none.",
            rule="K-ss",
            house=("game", "pub"),
        ),
        _Dated(
            says="A given die can hurt in a new attack, and who is up without dice can say what becomes of one.",
            rule="K18",
            house=("game", "pub"),
        ),
        _Dated(says="Of four alike, three in use are a double and a single die.", rule="K-l"),
        _Dated(
            says="Each defense meets the strongest attack that it stops, unless you say whom it is for.",
            rule="K-i",
            house=("match", "strong_strong"),
        ),
        _Dated(
            says="A given die that goes into no attack, defense or damage breaks nobody's triple.",
            rule="K-l",
            house=("game", "pub"),
        ),
        _Dated(says="A Move joins only somebody who is in the fight.", rule="K-aa", house=("groups", "on")),
        _Dated(says="Who kept a die for an attack or for damage has to attack with it.", rule="K-m"),
        _Dated(says="What stands behind an if depends on it, in orders sent ahead and in rulings too.", rule="M2"),
        _Dated(says="Who is down can resign.", rule="M5"),
    ),
}
"""By the version with which they came."""


def changed(state: State, since: int) -> tuple[Change, ...]:
    """Return what has changed since a version, as far as it can matter in a game from here on."""
    later = [one for version, found in sorted(_CHANGES.items()) if version > since for one in found]
    return tuple(Change(one.says, one.rule) for one in later if _matters(one, state))


def _matters(one: _Dated, state: State) -> bool:
    return not one.house or state.house[one.house[0]] in one.house[1:]
