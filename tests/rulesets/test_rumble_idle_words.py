"""No idle word: whatever is left out of a power's lines, some round comes out otherwise, or the lines are refused."""

from collections.abc import Iterable
from itertools import chain, islice

import pytest

from pbem.rulesets.rumble.powers.archive import archive
from pbem.rulesets.rumble.powers.language import reading
from pbem.rulesets.rumble.powers.language.runnable import abilities, runs
from tests.rulesets.rumble_shapes import MOMENTS, ONE_IN, Shape, cells, guarded, shapes
from tests.rulesets.rumble_shortened import shortened
from tests.rulesets.rumble_stock import differ


def running(found: Iterable[Shape]) -> list[str]:
    """Return the shapes that run, as they are written."""
    return list(dict.fromkeys(reading.write(abilities(one.text)) for one in found if runs(one.text)))


def idle(texts: Iterable[str]) -> list[tuple[str, str]]:
    """Return lines of which a word says nothing, each with what they are without it."""
    return [(text, less) for text in texts for less in shortened(text) if not differ(text, less)]


def test_no_word_of_some_shapes_is_idle() -> None:
    """Of each part of the grammar some."""
    assert idle(running(islice(cells(), 0, None, 67))) == []


@pytest.mark.sweep
@pytest.mark.parametrize("moment", MOMENTS)
def test_no_word_of_any_shape_is_idle(moment: str) -> None:
    """Each moment with effects that are done then, parts of either, and lines beside them: of these one in many."""
    every = [one for one in chain(shapes(), guarded()) if one.moment == moment]
    assert idle(running(every[::ONE_IN])) == []


@pytest.mark.sweep
def test_no_word_of_the_archive_is_idle() -> None:
    """Nor is any that the printed set is written with."""
    assert idle(one.lines for one in archive()) == []


@pytest.mark.parametrize(
    ("text", "less"),
    [
        ("do: attack(me, any) += 5 final", "do: attack(me, any) += 5"),
        ("cost: drain 5\nat: reveal\ndo: gain me 5", "cost: drain 5\ndo: gain me 5"),
        ("when: after damage\ndo: gain me 5", "do: gain me 5"),
        ("when: damage by me to H\ndo: gain me 5", "when: damage by me\ndo: gain me 5"),
        ("when: damage to me\nnth: 1 each round\ndo: discard this", "when: damage to me\ndo: discard this"),
        ("cost: spend 5\ndo: ignore defence(me) for attack(me, me)", "cost: spend 5"),
        ("cost: activate 1, exhaust 1\ndo: gain me 5", "cost: exhaust 1\ndo: gain me 5"),
        ("each: H in opponents\ndo: shield me all", "do: shield me all"),
    ],
)
def test_what_would_be_idle_is_refused(text: str, less: str) -> None:
    """Its owner would think that it does something; without it the lines run."""
    assert abilities(text) and not runs(text) and runs(less)


def test_damage_to_any_is_damage() -> None:
    """It is read, and written back without the word that says nothing."""
    assert reading.write(abilities("when: damage by me to any\ndo: gain me 5")) == "when: damage by me\ndo: gain me 5"
