"""Which rulesets there are: the folders of `pbem/rulesets`, and what other packages offer; names no game."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from pbem import rulesets
from pbem.ruleset import Ruleset


@cache
def rulesets_known() -> dict[str, Ruleset[Any, Any]]:
    """
    Find every ruleset by its name.

    Shape: a folder offers `RULESET`; another package offers one in the entry-point group `pbem.rulesets`.
    """
    found: dict[str, Ruleset[Any, Any]] = {}
    for module in pkgutil.iter_modules(rulesets.__path__):
        ruleset = importlib.import_module(f"{rulesets.__name__}.{module.name}").RULESET
        found[ruleset.name] = ruleset
    for point in entry_points(group="pbem.rulesets"):
        ruleset = point.load()
        found[ruleset.name] = ruleset
    return found
