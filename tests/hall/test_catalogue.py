"""Which rulesets there are: those of pbem, and those that other packages bring, with their words."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint
from typing import Any

import pytest

from pbem.hall.store import catalogue
from pbem.terms import CharterError
from tests import harbour


@pytest.fixture
def offer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Let another package offer rulesets, each by the place of its object."""

    def offered(*values: str) -> dict[str, Any]:
        points = [EntryPoint("harbour", value, "pbem.rulesets") for value in values]
        monkeypatch.setattr(catalogue, "entry_points", lambda group: points)
        catalogue.rulesets_known.cache_clear()
        return catalogue.rulesets_known()

    yield offered
    catalogue.rulesets_known.cache_clear()


def test_a_ruleset_of_another_package_is_known_with_its_words(offer: Any) -> None:
    """Its entry point brings its code, and its package its templates, under the name of the ruleset."""
    known = offer("tests.harbour:RULESET")
    assert known["harbour"] is harbour.RULESET
    words = catalogue.words_of(known.values())
    assert set(catalogue.templates_needed(harbour.RULESET)) <= words.keys()
    assert {"report.j2", "rumble/report.j2", "brawl/report.j2"} <= words.keys()


def test_a_package_that_cannot_be_loaded_is_named(offer: Any) -> None:
    """Whoever installed it hears which it is, and why."""
    with pytest.raises(CharterError, match=r"The ruleset harbour cannot be loaded from tests\.nowhere:RULESET: Module"):
        offer("tests.nowhere:RULESET")


def test_two_rulesets_of_one_name_are_refused(offer: Any) -> None:
    """A package cannot put its game in the place of another."""
    with pytest.raises(CharterError, match=r"two rulesets called harbour\. Uninstall what brings tests\.harbour:RULE"):
        offer("tests.harbour:RULESET", "tests.harbour:RULESET")


def test_a_package_without_words_has_none(offer: Any) -> None:
    """What is missing is said when a game is founded."""
    from pbem.world.settings import templates_of

    assert templates_of("tests.letters", "letters") == {}
