"""Finds in the archive the formal lines by which a power of the pool is to run; carries nothing out."""

from pbem.ruleset import phrases
from pbem.rulesets.rumble.effects.power_rulings import Define
from pbem.rulesets.rumble.model.state import Power, unnumbered
from pbem.rulesets.rumble.powers.archive import Archived, find, named
from pbem.rulesets.rumble.powers.language import reading
from pbem.rulesets.rumble.powers.language.runnable import abilities, runs


def define_as(power: str, text: str) -> Define | phrases.Unread:
    """
    Let a power run by the lines of one of the archive, which is named.

    Rule: B16.
    Errors: `illegal` where the archive has no such power, or its lines cannot run yet.
    """
    found = find(text)
    if isinstance(found, phrases.Unread):
        because, _, known = found.because.partition(" Known:")  # all their names would fill a letter
        because = f"{because} Write a name of the archive: use {power} as Flight." if known else because
        return phrases.Unread("illegal", because)
    return _defined(power, found)


def define_by_name(card: Power) -> Define | phrases.Unread:
    """
    Let a power run by the lines of that of its name in the archive; it has none while there is no pool.

    Rule: B16.
    Errors: as `define_as`.
    """
    if not card.name:
        because = f"Say by which power's lines it is to run: use {card.key} as Flight."
        return phrases.Unread("illegal", because)
    found = named(unnumbered(card.name))
    because = f"The archive has no {unnumbered(card.name)}. Name one that it is to run like: use {card.key} as Flight."
    return _defined(card.key, found) if found else phrases.Unread("illegal", because)


def _defined(key: str, found: Archived) -> Define | phrases.Unread:
    if not runs(found.lines):
        because = f"{found.name} of the archive cannot run by itself yet. Say with do what {key} does."
        return phrases.Unread("illegal", because)
    return Define(key, reading.on_one_line(abilities(found.lines)))
