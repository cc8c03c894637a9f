"""The power archive: every power that the sources print, with our rulings on it; knows no game in play."""

from functools import cache
from importlib.resources import files
from typing import Literal, get_args

import msgspec
import tomli
from rapidfuzz.distance import OSA

from pbem.ruleset import phrases
from pbem.rulesets.rumble.powers.spelling import spelled

Tier = Literal["unsorted", "intermediate", "advanced", "examples"]


class Archived(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A power as its source prints it, and how we rule on it."""

    name: str
    number: int
    """The number by which cases and letters cite it, 1 to 57."""
    author: str
    """As the source has it; "" where it names none. The same holds for `aspect`."""
    aspect: str
    type: Literal["normal", "curse", "sidekick"]
    tier: Tier
    text: str
    """Exactly the source's wording, slips of the pen and all."""
    lines: str
    """What it does, in formal lines."""
    rulings: tuple[str, ...]
    """What the text leaves open, a sentence each, with the keys of the rules."""
    order: str
    """The line that its owner writes; "" where there is nothing to write. NAME is a hero, POWER a power."""
    default: str
    """What happens if the owner writes nothing; "" where there is no choice."""
    note: str = ""
    """Where a text comes from that no list prints."""
    formerly: tuple[str, ...] = ()
    """The lines that older releases had for it, of which games that are going on may hold one."""


@cache
def archive() -> tuple[Archived, ...]:
    """Return all powers in order of number."""
    powers = [power for tier in get_args(Tier) for power in _tier(tier)]
    return tuple(sorted(powers, key=lambda power: power.number))


def find(said: str) -> Archived | phrases.Unread:
    """
    Find the power that a person named, in any case, by any unique beginning, or with a slip in the name.

    Errors: `ambiguous` with the candidates; `unreadable` with a did-you-mean or all names.
    """
    named = {power.name: power for power in archive()}
    key = phrases.find(said, {name: name for name in named}, "power")
    if not isinstance(key, phrases.Unread):
        return named[key]
    meant = [name for name in named if key.fault == "unreadable" and _is_slip(said, name)]
    if len(meant) > 1:
        return phrases.Unread("ambiguous", f'"{said}" could be {phrases.listed(meant)}. Write the name in full.')
    return named[meant[0]] if meant else key


def named(said: str) -> Archived | None:
    """Return the power of the archive that has this name, in any case, or None."""
    return next((one for one in archive() if one.name.casefold() == said.casefold()), None)


def lines_of(name: str, text: str) -> str:
    """Return the formal lines of a power that somebody sent in the very words of the archive, or ""."""
    return next((one.lines for one in archive() if _plain(one.name, one.text) == _plain(name, text)), "")


def renewed(lines: str) -> str:
    """Return today's lines of a power that runs by those that an older release had for it; any others as they are."""
    return _superseded().get(" ".join(lines.split()), lines)


@cache
def _superseded() -> dict[str, str]:
    return {" ".join(old.split()): one.lines for one in archive() for old in one.formerly}


def _plain(name: str, text: str) -> tuple[str, str]:
    """Leave out what nobody would call another wording: case, blanks, a full stop, American or English spelling."""
    name, text = (spelled(" ".join(phrases.clean(part).casefold().split())).rstrip(".") for part in (name, text))
    return name, text


def _tier(tier: Tier) -> list[Archived]:
    data = tomli.loads(files(__name__).joinpath(f"{tier}.toml").read_text(encoding="utf-8"))
    return [
        msgspec.convert(power | {"tier": tier, "lines": power["lines"].strip()}, Archived) for power in data["power"]
    ]


def _is_slip(said: str, name: str) -> bool:
    """Say whether a name was meant: one slip, or one in eight letters of a long name; two letters swapped are one."""
    slips = OSA.distance(phrases.clean(said).casefold(), name.casefold())
    return slips <= max(1, len(name) // 8)
