"""What rulesets keep in libraries of their own, shown in their own words for the terminal; opens no arena."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.hall.catalogue import rulesets_known
from pbem.letters import writing
from pbem.ruleset import LibraryRuleset
from pbem.terms import Facts
from pbem.world import settings


def offering(word: str) -> LibraryRuleset | None:
    """Return the ruleset that calls a piece of its library, or several, by this word."""
    for ruleset in rulesets_known().values():
        if isinstance(ruleset, LibraryRuleset) and word in ruleset.pieces:
            return ruleset
    return None


def holding(rows: Sequence[Facts], words: Sequence[str]) -> list[Facts]:
    """Return the pieces whose facts hold all of these words, in any case."""
    wanted = [word.casefold() for word in words]
    return [row for row in rows if all(word in "\n".join(map(str, row.values())).casefold() for word in wanted)]


def told(ruleset: LibraryRuleset, template: str, facts: Facts) -> str:
    """Render a template of the ruleset's folder."""
    return writing.render(writing.environment(settings.templates()), f"{ruleset.name}/{template}.j2", facts)
