"""Which rulesets there are: those of pbem, and those that other packages bring, with their words."""

import re
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from pbem.hall.commands import opening
from pbem.hall.commands.founding import found_game
from pbem.hall.store import catalogue
from pbem.hall.store.arena import Doors
from pbem.hall.sweep.sweep import sweep
from pbem.terms import CharterError, GameName
from pbem.testing.room import NOON, MemoryMailbox, MemoryOutbox
from pbem.world.clock import FastClock
from tests import harbour

OTHER = harbour.HarbourRules()


@pytest.fixture
def offer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Let another package offer rulesets, each by the place of its object."""

    def offered(*values: str) -> dict[str, Any]:
        points = [EntryPoint("harbour", value, "pbem.rulesets") for value in values]
        monkeypatch.setattr(catalogue, "entry_points", lambda group: points)
        catalogue._loaded.cache_clear()
        return catalogue.rulesets_known()

    yield offered
    catalogue._loaded.cache_clear()


def test_a_ruleset_of_another_package_is_known_with_its_words(offer: Any) -> None:
    """Its entry point brings its code, and its package its templates, under the name of the ruleset."""
    known = offer("tests.harbour:RULESET")
    assert known["harbour"] is harbour.RULESET
    words = catalogue.words_of(known.values())
    assert set(catalogue.templates_needed(harbour.RULESET)) <= words.keys()
    assert {"report.j2", "rumble/report.j2", "brawl/report.j2"} <= words.keys()


def test_a_package_that_cannot_be_loaded_stops_no_other_game(offer: Any, tmp_path: Path) -> None:
    """Whoever runs the arena hears in each sweep which it is, and why; so does who wants to found a game of it."""
    assert set(offer("tests.nowhere:RULESET")) == {"brawl", "discs", "rumble"}
    said = (
        "The ruleset harbour cannot be loaded from tests.nowhere:RULESET: "
        "ModuleNotFoundError(\"No module named 'tests.nowhere'\"). Mend or uninstall it."
    )
    assert catalogue.not_loaded() == [said]
    (tmp_path / "settings.toml").write_text('[arena]\naddress = "arena@example.org"\n[mailbox]\npath = "mail"\n')
    arena = opening.arena(tmp_path)
    doors = Doors(FastClock(NOON), MemoryMailbox(), MemoryOutbox())
    assert sweep(arena, doors).troubles == [said]
    with pytest.raises(CharterError, match=re.escape(said)):
        found_game(arena, GameName("x"), "harbour", moderator="a@example.org", invited=[], seats=2, now=NOON)
    arena.close()


def test_of_two_rulesets_of_one_name_the_first_stays(offer: Any) -> None:
    """A package cannot put its game in the place of another."""
    known = offer("tests.harbour:RULESET", "tests.hall.test_catalogue:OTHER")
    assert known["harbour"] is harbour.RULESET
    said = "There are two rulesets called harbour. Uninstall what brings tests.hall.test_catalogue:OTHER."
    assert catalogue.not_loaded() == [said]


def test_a_package_without_words_has_none(offer: Any) -> None:
    """What is missing is said when a game is founded."""
    from pbem.world.settings import templates_of

    assert templates_of("tests.letters", "letters") == {}


ODD = {
    "no ruleset": "RULESET = object()",
    "a class": "class RULESET: pass",
    "nothing": "RULESET = None",
    "a later contract": "from tests.harbour import HarbourRules\nclass Later(HarbourRules):\n    contract = 99\nRULESET = Later()",
    "no number": "from tests.harbour import HarbourRules\nclass Odd(HarbourRules):\n    contract = 'two'\nRULESET = Odd()",
    "a name that is none": "from tests.harbour import HarbourRules\nclass Odd(HarbourRules):\n    name = None\nRULESET = Odd()",
    "a name that leads elsewhere": "from tests.harbour import HarbourRules\nclass Odd(HarbourRules):\n    name = '../x'\nRULESET = Odd()",
    "a name that raises": "class Odd:\n    @property\n    def name(self):\n        raise ValueError('x')\nRULESET = Odd()",
    "words that are no UTF-8": "from tests.harbour import HarbourRules\nclass Odd(HarbourRules):\n    package = __name__\nRULESET = Odd()",
}


@pytest.mark.parametrize("how", ODD)
def test_an_odd_ruleset_of_a_package_stops_no_command(
    how: str, offer: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is left out with a sentence that says where it lies, and what is wrong; all other games are there."""
    package = tmp_path / f"odd_{how.replace(' ', '_').replace('-', '_').casefold()}"
    (package / "templates").mkdir(parents=True)
    (package / "__init__.py").write_text(ODD[how])
    (package / "templates" / "report.j2").write_bytes(b"caf\xe9")
    monkeypatch.syspath_prepend(tmp_path)
    known = offer(f"{package.name}:RULESET")
    assert set(known) == {"brawl", "discs", "rumble"}
    (said,) = catalogue.not_loaded()
    assert str(package) in said or package.name in said
    assert "UTF-8" in said or "contract" in said or "lacks" in said or "name" in said
    assert catalogue.words_of(known.values())


def test_what_says_nothing_of_its_contract_was_written_for_the_first(offer: Any) -> None:
    """And the first is ours."""
    assert harbour.RULESET.contract == 1
    assert "harbour" in offer("tests.harbour:RULESET")
