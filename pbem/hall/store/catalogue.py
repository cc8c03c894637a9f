"""Which rulesets there are: the folders of `pbem/rulesets`, and what other packages offer; names no game."""

import importlib
import pkgutil
from collections.abc import Iterable
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from pbem import rulesets
from pbem.ruleset import ExplainingRuleset, ForecastingRuleset, LibraryRuleset, OwningRuleset, Ruleset, TellingRuleset
from pbem.world import settings

PARTS = ("opening", "asked", "hand", "report", "private", "final", "handbook")
"""The templates of which every ruleset's letters are made."""


def rulesets_known() -> dict[str, Ruleset[Any, Any]]:
    """
    Find every ruleset by its name.

    Shape: a folder offers `RULESET`; another package offers one in the entry-point group `pbem.rulesets`.
    """
    return _loaded()[0]


def not_loaded() -> list[str]:
    """Say which rulesets of other packages cannot be loaded, and why; only their games stand still."""
    return _loaded()[1]


@cache
def _loaded() -> tuple[dict[str, Ruleset[Any, Any]], list[str]]:
    found: dict[str, Ruleset[Any, Any]] = {}
    wrong: list[str] = []
    for module in pkgutil.iter_modules(rulesets.__path__):
        ruleset = importlib.import_module(f"{rulesets.__name__}.{module.name}").RULESET
        found[ruleset.name] = ruleset
    for point in entry_points(group="pbem.rulesets"):
        try:
            ruleset = point.load()
        except Exception as error:  # noqa: BLE001  whatever is wrong with a package, the games of others go on
            wrong.append(
                f"The ruleset {point.name} cannot be loaded from {point.value}: {error!r}. Mend or uninstall it."
            )
            continue
        if ruleset.name in found:
            wrong.append(f"There are two rulesets called {ruleset.name}. Uninstall what brings {point.value}.")
        found.setdefault(ruleset.name, ruleset)
    return found, wrong


def words_of(known: Iterable[Ruleset[Any, Any]]) -> dict[str, str]:
    """Read our templates and those of these rulesets: names to sources."""
    found = settings.templates()
    for ruleset in known:
        found |= settings.templates_of(ruleset.package, ruleset.name) if ruleset.package else {}
    return found


def templates_needed(ruleset: Ruleset[Any, Any]) -> tuple[str, ...]:
    """Name the templates that a ruleset's letters are made of, and its library's pages."""
    library = ("manual", "archive", *ruleset.pieces) if isinstance(ruleset, LibraryRuleset) else ()
    explained = ("explained",) if isinstance(ruleset, ExplainingRuleset) else ()
    told = ("lead", "happened") if isinstance(ruleset, TellingRuleset) else ()
    forecast = ("forecast",) if isinstance(ruleset, ForecastingRuleset) else ()
    owned = ("owned",) if isinstance(ruleset, OwningRuleset) else ()
    return tuple(f"{ruleset.name}/{part}.j2" for part in (*PARTS, *told, *owned, *library, *explained, *forecast))
