"""What has changed in the rules of Rumble, version by version, in sentences for players; carries nothing out."""

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files

import msgspec
import tomli

from pbem.ruleset import Change
from pbem.rulesets.rumble.house.options import DEFAULTS
from pbem.rulesets.rumble.model.state import PhaseKind, Power, State
from pbem.rulesets.rumble.powers.language.runnable import abilities, runs


class _Dated(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """
    A change, and in which games it can matter.

    Shape: `lines` is a bit of the formal lines that a power in play must have, "" for any game; `house` a rule with the
    value that it must have, none for any; `phases` those in which it can be felt then or later, none for all.
    """

    says: str
    rule: str
    lines: str = ""
    house: tuple[str, str] = ("", "")
    phases: tuple[PhaseKind, ...] = ()


_FILE = files(__package__).joinpath("changes.toml")
_CHANGES: Mapping[int, Sequence[_Dated]] = {
    int(version): msgspec.convert(found, list[_Dated])
    for version, found in tomli.loads(_FILE.read_text(encoding="utf-8")).items()
}
"""By the version with which they came."""


def changed(state: State, since: int) -> tuple[Change, ...]:
    """Return what has changed since a version, as far as it can matter in a game from here on."""
    later = [one for version, found in sorted(_CHANGES.items()) if version > since for one in found]
    found = [Change(one.says, one.rule) for one in later if _matters(one, state)]
    return (*found, *_stopped(state))


def _stopped(state: State) -> Iterator[Change]:
    """Tell of each power that ran by lines which are taken no more, while orders can still reckon with it."""
    for power in _known(state):
        if power.lines and abilities(power.lines) and not runs(power.lines):
            says = f'{power.key} "{power.name}" no longer runs by itself; the moderator says what it does.'
            yield Change(says, "B16")


def _matters(one: _Dated, state: State) -> bool:
    name, value = one.house
    fits = not name or state.house.get(name, DEFAULTS[name]) == value
    runs = not one.lines or any(one.lines in power.lines for power in _known(state))
    return fits and runs and (not one.phases or state.phase in one.phases)


def _known(state: State) -> list[Power]:
    """Return the powers that everybody knows: none before the pool is shown, though some may be dealt already."""
    return [power for power in state.powers if power.in_play and state.phase != "powers"]
