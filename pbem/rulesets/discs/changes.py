"""What has changed in the rules of the discs, version by version, in sentences for players; carries nothing out."""

from collections.abc import Mapping, Sequence

from pbem.ruleset import Change
from pbem.rulesets.discs.model.state import State

_CHANGES: Mapping[int, Sequence[Change]] = {
    2: (
        Change(
            "Who is told on disc: block, and has no Disc in hand, Dodges; to take it then, write on disc: only block.",
            "M8",
        ),
        Change(
            "A De-Rezzed Program's Disc comes to its wall where its centre line does, at a small angle later than "
            "before, and meets who stands there.",
            "T-s",
        ),
        Change("Of two whom a throw comes to at once, a shot at the first is clear.", "M5"),
    ),
}
"""By the version with which they came."""


def changed(state: State, since: int) -> tuple[Change, ...]:
    """Return what has changed since a version; all of it can matter in any game."""
    return tuple(one for version, found in sorted(_CHANGES.items()) if version > since for one in found)
