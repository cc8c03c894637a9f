"""What a power's formal lines mean, as facts for letters: slots, an example, what a trial showed."""

from collections.abc import Mapping

from pbem.ruleset import Facts, phrases
from pbem.rulesets.rumble.effects import do_lines
from pbem.rulesets.rumble.effects.power_rulings import Define
from pbem.rulesets.rumble.genres import translation
from pbem.rulesets.rumble.house.options import DEFAULTS
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.powers.language.runnable import abilities
from pbem.rulesets.rumble.powers.wording import descriptions
from pbem.rulesets.rumble.rehearsal import examples, trials


def of_lines(lines: str, house: Mapping[str, str] = DEFAULTS) -> Facts:
    """
    Return what lines that run by themselves mean.

    Shape: `abilities` are slots; `scene` and `differences` an example, `warnings` what a trial showed.
    """
    example = examples.example_of(lines, house)
    return {
        "abilities": descriptions.describe(abilities(lines), house),
        "scene": example.scene,
        "differences": list(example.differences),
        "warnings": list(trials.tried(lines).warnings),
    }


def of_effect(state: State, text: str) -> Facts:
    """
    Return what a ruling by which a power runs means, in the words of the game; nothing for any other.

    Rule: B16; B19 for lines that new words may end.
    """
    effect = do_lines.read(state, text)
    if isinstance(effect, phrases.Unread) or not isinstance(effect, Define):
        return {}
    power = state.power(effect.power)
    facts = translation.fact(state, of_lines(do_lines.in_lines(effect), state.house))
    if state.phase == "amend":
        facts |= {"warnings": [*facts["warnings"], "if its author changes its words in this phase, these lines end."]}
    return {"number": effect.power, "name": power.name if power else "", **facts}
