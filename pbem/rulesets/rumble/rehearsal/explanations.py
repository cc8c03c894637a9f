"""What a power's formal lines come to, as facts for letters: slots, an example, what a trial showed."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.ruleset import Facts, phrases
from pbem.rulesets.rumble.effects import do_lines
from pbem.rulesets.rumble.effects.power_rulings import Define
from pbem.rulesets.rumble.genres import translation
from pbem.rulesets.rumble.options import DEFAULTS
from pbem.rulesets.rumble.powers.language.runnable import abilities
from pbem.rulesets.rumble.powers.wording import descriptions
from pbem.rulesets.rumble.rehearsal import examples, trials
from pbem.rulesets.rumble.state import State


def of_lines(lines: str, house: Mapping[str, str] = DEFAULTS) -> Facts:
    """
    Return what lines that run by themselves mean.

    Shape: `abilities` are slots; `scene` and `differences` an example, `warnings` what a trial showed.
    """
    shown = examples.example_of(lines, house)
    return {
        "abilities": descriptions.describe(abilities(lines), house),
        "scene": shown.scene,
        "differences": list(shown.differences),
        "warnings": list(trials.tried(lines).warnings),
    }


def of_effect(state: State, said: str) -> Facts:
    """Return what a ruling means by which a power runs from now on, in the words of the game; of another, nothing."""
    effect = do_lines.read(state, said)
    if isinstance(effect, phrases.Unread) or not isinstance(effect, Define):
        return {}
    power = state.power(effect.power)
    facts = translation.fact(state, of_lines(do_lines.in_lines(effect), state.house))
    return {"number": effect.power, "name": power.name if power else "", **facts}
