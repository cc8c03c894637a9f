"""Which rulesets there are: those of pbem, and those that other packages bring, with their words."""

import re
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.terms import CharterError, GameName
from pbem.hall.commands import opening
from pbem.hall.commands.founding import found_game
from pbem.hall.store import catalogue
from pbem.hall.store.arena import Doors
from pbem.hall.sweep.sweep import sweep
from pbem.ruleset import CONTRACT
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


class Newer(harbour.HarbourRules):
    """A harbour for a later pbem."""

    contract = CONTRACT + 1


class Older(harbour.HarbourRules):
    """A harbour for an earlier pbem."""

    contract = CONTRACT - 1


class Latin(harbour.HarbourRules):
    """A harbour whose words are not UTF-8."""

    package = "latin_words"


class Moody(harbour.HarbourRules):
    """A harbour that breaks as soon as it is asked anything."""

    @property
    def name(self) -> str:  # type: ignore[override]
        """Raise."""
        raise KeyError("moody")


class Odd:
    """A place that entry points can name, for objects of all kinds."""

    held: Any = None


FINE = harbour.HarbourRules()
MEMBERS = [*catalogue._MEMBERS, "name", "contract"]


def judged(offer: Any, ruleset: Any) -> str:
    """Offer an object; return what is said of it, "" where it is taken."""
    Odd.held = ruleset
    known = offer("tests.hall.test_catalogue:Odd.held")
    assert {"brawl", "discs", "rumble"} <= known.keys()
    catalogue.words_of(known.values())
    said = catalogue.not_loaded()
    assert len(known) + len(said) == 4 and all(str(Path(__file__).parent) in one for one in said)
    return "".join(said)


@pytest.mark.parametrize(
    ("ruleset", "because"),
    [
        (object(), "no object of a class that inherits from pbem.ruleset.Ruleset"),
        (harbour.HarbourRules, "no object of a class that inherits"),
        (None, "that is None"),
        (Newer(), f"written for contract {CONTRACT + 1}, and this pbem has {CONTRACT}: it takes a newer pbem"),
        (Older(), f"written for contract {CONTRACT - 1}, and this pbem has {CONTRACT}: it takes a newer release of it"),
        (FINE, ""),
    ],
)
def test_what_is_no_ruleset_of_ours_is_told_with_its_folder(offer: Any, ruleset: Any, because: str) -> None:
    """Each says what it is, what would have worked, and where it was found."""
    assert because in judged(offer, ruleset) if because else not judged(offer, ruleset)


@given(st.sampled_from(MEMBERS), st.sampled_from([None, 0, -1, "", "x/y", "Ää", b"x", object(), [], {}, (1,), int]))
def test_whatever_a_ruleset_says_of_itself_others_go_on(member: str, value: Any) -> None:
    """Each member of each kind: it is taken, or told, and never stops what has to do with other games."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            catalogue, "entry_points", lambda group: [EntryPoint("h", "tests.hall.test_catalogue:Odd.held", group)]
        )
        changed = type("Changed", (harbour.HarbourRules,), {member: value})()
        catalogue._loaded.cache_clear()
        Odd.held = changed
        known = catalogue.rulesets_known()
        catalogue.words_of(known.values())
        assert len(known) + len(catalogue.not_loaded()) == 4
        catalogue._loaded.cache_clear()


def test_whatever_a_package_does_as_it_is_asked_others_go_on(offer: Any, tmp_path: Path) -> None:
    """It raises, leaves, or has templates that are no text."""
    Odd.held = Moody()
    assert "harbour" not in offer("tests.hall.test_catalogue:Odd.held") and "moody" in catalogue.not_loaded()[0]
    (tmp_path / "latin_words" / "templates").mkdir(parents=True)
    (tmp_path / "latin_words" / "__init__.py").touch()
    (tmp_path / "latin_words" / "templates" / "asked.j2").write_bytes(b"caf\xe9")
    (tmp_path / "leaving_words.py").write_text("raise SystemExit(3)")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(tmp_path))
        assert "its templates cannot be read as UTF-8" in judged(offer, Latin())
        assert "harbour" not in offer("leaving_words:RULESET") and "SystemExit(3)" in catalogue.not_loaded()[0]


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
