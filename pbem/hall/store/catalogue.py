"""Which rulesets there are: the folders of `pbem/rulesets`, and what other packages offer; names no game."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from pbem import rulesets
from pbem.ruleset import ExplainingRuleset, LibraryRuleset, Ruleset
from pbem.terms import CharterError
from pbem.world import settings

PARTS = ("opening", "asked", "hand", "report", "private", "final", "handbook")
"""The templates of which every ruleset's letters are made."""


@cache
def rulesets_known() -> dict[str, Ruleset[Any, Any]]:
    """
    Find every ruleset by its name.

    Shape: a folder offers `RULESET`; another package offers one in the entry-point group `pbem.rulesets`.
    Errors: CharterError where what another package offers cannot be loaded, or has the name of one that is here.
    """
    found: dict[str, Ruleset[Any, Any]] = {}
    for module in pkgutil.iter_modules(rulesets.__path__):
        ruleset = importlib.import_module(f"{rulesets.__name__}.{module.name}").RULESET
        found[ruleset.name] = ruleset
    for point in entry_points(group="pbem.rulesets"):
        try:
            ruleset = point.load()
        except Exception as error:
            said = f"The ruleset {point.name} cannot be loaded from {point.value}: {error!r}. Mend or uninstall it."
            raise CharterError(said) from error
        if ruleset.name in found:
            raise CharterError(f"There are two rulesets called {ruleset.name}. Uninstall what brings {point.value}.")
        found[ruleset.name] = ruleset
    return found


def words_of(known: Iterable[Ruleset[Any, Any]]) -> dict[str, str]:
    """Read every word that we say and that these rulesets do, as template names to their source."""
    found = settings.templates()
    for ruleset in known:
        found |= settings.templates_of(ruleset.package, ruleset.name) if ruleset.package else {}
    return found


def templates_needed(ruleset: Ruleset[Any, Any]) -> tuple[str, ...]:
    """Name the templates that a ruleset's letters are made of, and its library's pages."""
    library = ("manual", "archive", *ruleset.pieces) if isinstance(ruleset, LibraryRuleset) else ()
    explained = ("explained",) if isinstance(ruleset, ExplainingRuleset) else ()
    return tuple(f"{ruleset.name}/{part}.j2" for part in (*PARTS, *library, *explained))
