"""What rulings of games in play name: the keys of verdicts, and effects in every spelling that was ever noted."""

import pytest

from tests.rulesets.rumble_pins import EFFECTS, VERDICTS, verdicts_and_effects


def test_some_verdicts_and_effects_are_named_as_before() -> None:
    """A quarter of the files of cases have the same verdict keys in the same order, and their effects read as they did."""
    for found, kept in zip(verdicts_and_effects(4), (VERDICTS, EFFECTS), strict=True):
        assert set(found.split("\n")) <= set(kept.read_text().split("\n"))


@pytest.mark.sweep
def test_verdicts_and_effects_are_named_as_before() -> None:
    """Every case has the same verdict keys in the same order, and every effect reads as it did."""
    verdicts, effects = verdicts_and_effects()
    assert verdicts.split("\n") == VERDICTS.read_text().split("\n")
    assert effects.split("\n") == EFFECTS.read_text().split("\n")
