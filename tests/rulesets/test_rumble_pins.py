"""What rulings of games in play name: the keys of verdicts, and effects in every spelling that was ever noted."""

from tests.rulesets.rumble_pins import EFFECTS, VERDICTS, verdicts_and_effects


def test_verdicts_and_effects_are_named_as_before() -> None:
    """Every case has the same verdict keys in the same order, and every effect reads as it did."""
    verdicts, effects = verdicts_and_effects()
    assert verdicts.split("\n") == VERDICTS.read_text().split("\n")
    assert effects.split("\n") == EFFECTS.read_text().split("\n")
