"""Finds in the archive the formal lines by which a power of the pool is to run; carries nothing out."""

from __future__ import annotations

from pbem.ruleset import phrases
from pbem.rulesets.rumble.effects.power_rulings import Define
from pbem.rulesets.rumble.powers.archive import Archived, archive, find
from pbem.rulesets.rumble.powers.language import reading
from pbem.rulesets.rumble.powers.language.runnable import abilities, runs
from pbem.rulesets.rumble.state import unnumbered


def definition(key: str, called: str, said: str) -> Define | phrases.Unread:
    """
    Let a power run by the lines of one of the archive: of the one that is named, else of its own name.

    Shape: `called` is its name, "" while there is no pool; `said` may be "".
    Rule: B16.
    Errors: `illegal` where the archive has no such power, or its lines cannot run yet.
    """
    found = _named(key, said) if said else _of_its_name(key, called)
    if isinstance(found, phrases.Unread):
        return found
    if not runs(found.lines):
        because = f"{found.name} of the archive cannot run by itself yet. Say with do what {key} does."
        return phrases.Unread("illegal", because)
    return Define(key, reading.on_one_line(abilities(found.lines)))


def _named(key: str, said: str) -> Archived | phrases.Unread:
    found = find(said)
    if not isinstance(found, phrases.Unread):
        return found
    because, _, known = found.because.partition(" Known:")  # all their names would fill a letter
    return phrases.Unread(
        "illegal", f"{because} Write a name of the archive: use {key} as Flight." if known else because
    )


def _of_its_name(key: str, called: str) -> Archived | phrases.Unread:
    if not called:
        return phrases.Unread("illegal", f"Say by which power's lines it is to run: use {key} as Flight.")
    name = unnumbered(called)
    same = [one for one in archive() if one.name.casefold() == name.casefold()]
    if same:
        return same[0]
    return phrases.Unread(
        "illegal", f"The archive has no {name}. Name one that it is to run like: use {key} as Flight."
    )
