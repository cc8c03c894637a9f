"""What has changed in the rules of the brawl, version by version, in sentences for players; carries nothing out."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pbem.ruleset import Change
from pbem.rulesets.brawl.state import State


class _Dated(NamedTuple):
    """A change, and in which games it can matter: `house` is a rule with the value that lets it, none for any game."""

    says: str
    rule: str
    house: tuple[str, ...] = ()


_PUB = ("game", "pub")
_IN_TURN = ("declare", "sequential")
_ASKING = (*_IN_TURN, "contingent")
_CHANGES: Mapping[int, Sequence[_Dated]] = {
    2: (
        _Dated("Only who is back in the fight counts as standing.", "K-z"),
        _Dated("Who is aside with nobody to fight does not stand.", "K-aa", ("groups", "on")),
        _Dated("Who sends nothing moves back into the fight first, with the worst die.", "M3", ("nmr", "defend")),
        _Dated("A chair that gives an attack a damage die is used in that attack or in none.", "K-ss", _PUB),
        _Dated(
            "A given die can hurt in a new attack, and who is up without dice can say what becomes of one.", "K18", _PUB
        ),
        _Dated("Of four alike, three in use are a double and a single die.", "K-l"),
        _Dated(
            "Each defense meets the strongest attack that it stops, unless you say whom it is for.", "K-i",
            ("match", "strong_strong"),
        ),
        _Dated("A given die that goes into no attack, defense or damage breaks nobody's triple.", "K-l", _PUB),
        _Dated("A Move joins only somebody who is in the fight.", "K-aa", ("groups", "on")),
        _Dated("Who kept a die for an attack or for damage has to attack with it.", "K-m"),
        _Dated("What stands behind an if depends on it, in orders sent ahead and in rulings too.", "M2"),
        _Dated("Who is down can resign.", "M5"),
    ),
    3: (
        _Dated("Who resigns when they are asked was still there for those who had declared before.", "M5", _ASKING),
    ),
    4: (
        _Dated("Who is asked in a round is asked alone; its report tells all others the whole of it.", "M2", _ASKING),
        _Dated("Who is down can resign as a round begins, and not while others are asked.", "M5", _ASKING),
        _Dated("Orders that stand count for who declares first; all others are asked anew.", "M1", _IN_TURN),
    ),

}  # fmt: skip
"""By the version with which they came."""


def changed(state: State, since: int) -> tuple[Change, ...]:
    """Return what has changed since a version, as far as it can matter in a game from here on."""
    later = [one for version, found in sorted(_CHANGES.items()) if version > since for one in found]
    return tuple(Change(one.says, one.rule) for one in later if _matters(one, state))


def _matters(one: _Dated, state: State) -> bool:
    return not one.house or state.house[one.house[0]] in one.house[1:]
