"""Which rulesets there are: the folders of `pbem/rulesets`, and what other packages offer; names no game."""

import importlib
import pkgutil
import sys
from collections.abc import Iterable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from pbem import rulesets
from pbem.game import CONTRACT
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
            name, fault = _judged(ruleset, point)
        except Exception as error:  # noqa: BLE001  whatever is wrong with a package, the games of others go on
            fault = f"The ruleset {point.name} cannot be loaded from {point.value}: {error!r}. Mend or uninstall it."
        if not fault and name in found:
            fault = f"There are two rulesets called {name}. Uninstall what brings {point.value}."
        if fault:
            wrong.append(fault)
        else:
            found[name] = ruleset
    return found, wrong


def _judged(ruleset: Any, point: EntryPoint) -> tuple[str, str]:
    """Return the name of what a package offers, and what is wrong with it, or ""; its words are read for that."""
    folder = Path(sys.modules[point.module].__file__ or "").parent
    contract = getattr(ruleset, "contract", 1)
    lacking = [one for one in _owed() if not hasattr(ruleset, one)]
    if contract != CONTRACT:
        what = f"was written for contract {contract!r} of pbem's rulesets, and this pbem has contract {CONTRACT}"
    elif lacking:
        what = f"lacks {', '.join(lacking)}, which each ruleset has"
    elif not (isinstance(ruleset.name, str) and ruleset.name.isidentifier()):
        what = "has no name in letters"
    else:
        settings.templates_of(ruleset.package, ruleset.name) if ruleset.package else {}
        return ruleset.name, ""
    return "", f"The ruleset {point.name} in {folder} {what}. Install another release of it, or uninstall it."


def _owed() -> list[str]:
    """Name what each ruleset has, by its contract."""
    return sorted(one for one in {*dir(Ruleset), *Ruleset.__annotations__} if not one.startswith("_"))


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
