"""Which rulesets there are: the folders of `pbem/rulesets`, and what other packages offer; names no game."""

import importlib
import pkgutil
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pbem import rulesets
from pbem.ruleset import (
    CONTRACT,
    ExplainingRuleset,
    ForecastingRuleset,
    LibraryRuleset,
    Option,
    OwningRuleset,
    Ruleset,
    TellingRuleset,
)
from pbem.world import settings

PARTS = ("opening", "asked", "hand", "report", "private", "final", "handbook")
"""The templates of which every ruleset's letters are made."""


_MEMBERS: Mapping[str, type] = {
    "title": str, "package": str, "version": int, "grammar": int, "options": Sequence, "seats": Sequence,
    "event_kinds": Collection, "phase_kinds": Sequence, "questions": Sequence, "reviewed": Sequence,
    "reserved": Collection, "openings": Collection, "figures": Mapping, "state_type": type, "settable": Sequence,
    "derived": Sequence, "values": Mapping,
}  # fmt: skip
"""What each member that is no function has to be."""
_NAME = r"[a-z][a-z0-9-]*"


class UnfitError(Exception):
    """What a package offers cannot be played, and why."""


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
            ruleset = _offered(point)
        except (Exception, SystemExit) as error:  # noqa: BLE001  whatever a package does, the games of others go on
            why = str(error) if isinstance(error, UnfitError) else repr(error)
            wrong.append(f"The ruleset {point.name} cannot be loaded from {point.value}: {why}. Mend or uninstall it.")
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


def _offered(point: EntryPoint) -> Ruleset[Any, Any]:
    """Load what an entry point offers. Errors: UnfitError where that is no ruleset for us, and whatever it raises."""
    found = point.load()
    if because := _why_not(found):
        raise UnfitError(f"in {_folder(point)}: {because}")
    try:
        words_of([found])
    except (OSError, UnicodeError) as error:
        raise UnfitError(f"in {_folder(point)}: its templates cannot be read as UTF-8, {error}") from error
    ruleset: Ruleset[Any, Any] = found
    return ruleset


def _why_not(offered: Any) -> str:
    """Say what keeps an object from being a ruleset, or ""."""
    if Ruleset not in type(offered).__mro__:
        return f"that is {offered!r:.60}, and no object of a class that inherits from pbem.ruleset.Ruleset"
    contract = getattr(offered, "contract", 1)
    if contract != CONTRACT:
        todo = "a newer release of it" if isinstance(contract, int) and contract < CONTRACT else "a newer pbem"
        return f"it was written for contract {contract!r:.60}, and this pbem has {CONTRACT}: it takes {todo}"
    name = getattr(offered, "name", None)
    if not isinstance(name, str) or not re.fullmatch(_NAME, name):
        return f"its name is {name!r:.60}, and should be small letters, digits and hyphens"
    for member, kind in _MEMBERS.items():
        held = getattr(offered, member, None)
        if not isinstance(held, kind) or (kind is not str and isinstance(held, str)):
            return f"its {member} is {held!r:.60}, and should be a {kind.__name__.lower()}"
    if not all(isinstance(option, Option) for option in offered.options):
        return "its options are not all of the class pbem.ruleset.Option"
    if not offered.seats or not all(isinstance(count, int) for count in offered.seats):
        return f"its seats are {offered.seats!r:.60}, and should be a range, such as range(2, 9)"
    kind = type(offered)
    lacks = [one for one in ("setup", "phase", "adjudicate") if getattr(kind, one) is getattr(Ruleset, one)]
    return f"it does not define {lacks[0]}" if lacks else ""


def _folder(point: EntryPoint) -> str:
    """Return where an entry point's module lies, so that people see which of several copies was looked at."""
    spec = find_spec(point.module)
    return str(Path(spec.origin).parent) if spec and spec.origin else point.module
