"""Presets: many terms of a new game, chosen by one name; what the founder says of a single term overrides it."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from pbem.ground import records
from pbem.ground.terms import CharterError
from pbem.hall.store.catalogue import rulesets_known
from pbem.ruleset import Preset, PresetRuleset, Ruleset
from pbem.table.model.charter import Calendar, usual_second_thought

USUAL = "usual"
"""What a founder says of a second thought who leaves its length to us."""
NONE = Preset(name="", says="")


def preset(ruleset: Ruleset[Any, Any], name: str) -> Preset:
    """Find a preset of a ruleset; "" is one that sets nothing. Errors: CharterError with the known ones."""
    if not name:
        return NONE
    known = {one.name: one for one in ruleset.presets} if isinstance(ruleset, PresetRuleset) else {}
    if not known:
        raise CharterError(f"On the command line, --preset: {ruleset.title} has no presets. Leave it out")
    if name not in known:
        listed = f"Known: {', '.join(known)}"
        raise CharterError(f'On the command line, --preset: there is no preset "{name}". {listed}')
    return known[name]


def calendar(chosen: Preset, wanted: Mapping[str, Any]) -> Calendar:
    """
    Return a game's calendar: what the founder said overrides the preset, which overrides the defaults.

    Shape: a `second_thought` that is `USUAL` is as long as the pace of the game asks for.
    """
    usual = records.plain(Calendar())
    rules = {**usual["rules"], **chosen.rules, **wanted.get("rules", {})}
    fields = {**usual, **wanted, "rules": rules}
    if fields["second_thought"] == USUAL:
        fields["second_thought"] = usual_second_thought(rules.values())
    return msgspec.convert(fields, Calendar)


def all_presets() -> Iterator[tuple[str, Preset]]:
    """Yield every preset with its ruleset's name."""
    for name, ruleset in rulesets_known().items():
        for one in ruleset.presets if isinstance(ruleset, PresetRuleset) else ():
            yield name, one
