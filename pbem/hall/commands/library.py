"""What rulesets keep in libraries of their own, shown in their own words for the terminal; opens no arena."""

from pbem.ground.terms import Facts
from pbem.hall.store.catalogue import rulesets_known, words_of
from pbem.letters import rendering
from pbem.ruleset import LibraryRuleset


def rulesets_with_library() -> list[LibraryRuleset]:
    """Return the rulesets that keep a library."""
    return [ruleset for ruleset in rulesets_known().values() if isinstance(ruleset, LibraryRuleset)]


def ruleset_with(word: str) -> LibraryRuleset | None:
    """Return the ruleset that calls a piece of its library, or several, by this word."""
    return next((ruleset for ruleset in rulesets_with_library() if word in ruleset.pieces), None)


def render(ruleset: LibraryRuleset, template: str, facts: Facts) -> str:
    """Render a template of the ruleset's folder."""
    words = rendering.environment(words_of(rulesets_known().values()))
    return rendering.render(words, f"{ruleset.name}/{template}.j2", facts)
