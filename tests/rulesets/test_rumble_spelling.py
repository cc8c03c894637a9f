"""American spelling is read wherever a person's words are: each line of ours, spelt so, comes to the same."""

import re
from pathlib import Path

import pytest

from pbem.ground.chance import Dice
from pbem.ground.terms import OrderLine, Seat
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.house.options import OPTIONS, american
from pbem.rulesets.rumble.powers import archive
from pbem.rulesets.rumble.powers.language import reading
from pbem.rulesets.rumble.powers.spelling import spelled
from pbem.rulesets.rumble.rehearsal import power_library
from pbem.table.model.charter import chosen, house_mistake
from pbem.testing.scenes import scenes
from tests.depth import some
from tests.rulesets import rumble_scene

CASES = Path(__file__).parent.parent / "cases" / "rumble"
SPELT = [one for one in scenes(CASES) if re.search("defence|civilisation", one.text, re.IGNORECASE)]


def theirs(text: str) -> str:
    """Spell a text as Americans do, capitals kept."""
    return re.sub("efence", "efense", re.sub("ivilisation", "ivilization", text))


@pytest.mark.parametrize("scene", some(3, SPELT), ids=lambda one: one.name)
def test_orders_and_rulings_are_read_in_either_spelling(scene: object) -> None:
    """Every line of the scenes that has such a word, as players and the moderator write it."""
    state = rumble_scene.lay(scene.given, scene.house, Dice(b"a seed for every scene of ours!!!"))  # type: ignore[attr-defined]
    for step in scene.steps[:1]:  # type: ignore[attr-defined]
        for seat, lines in step.orders.items():
            one, other = (
                RULESET.parse(state, Seat(seat), [OrderLine(n, line) for n, line in enumerate(said, 1)])
                for said in (lines, [_keeping_texts(line) for line in lines])
            )
            assert RULESET.format(state, one.orders) == RULESET.format(state, other.orders)
        for line in step.rulings:
            verb, _, rest = line.strip().partition(" ")
            if verb == "do" and "reword" not in rest:
                assert RULESET.effect(state, rest) == RULESET.effect(state, theirs(rest)), rest
            elif " = " in rest:
                fact = rest.rpartition(" = ")[0]
                assert RULESET.name_fact(state, fact) == RULESET.name_fact(state, theirs(fact)), fact


def _keeping_texts(line: str) -> str:
    return line if re.match(r"\s*(?:power|text|reword|plan)\b", line, re.IGNORECASE) else theirs(line)


@pytest.mark.parametrize("power", archive.archive(), ids=lambda power: power.name)
def test_lines_and_texts_of_powers_are_read_in_either_spelling(power: archive.Archived) -> None:
    """Formal lines, names in quotes left alone; and a text of the archive in the other spelling is its text."""
    found = reading.read(theirs(power.lines))
    assert reading.write(found) == power.lines  # type: ignore[arg-type]
    assert archive.lines_of(power.name, theirs(power.text)) == archive.lines_of(power.name, power.text) == power.lines
    assert archive.lines_of(power.name, re.sub("efense", "efence", power.text)) == power.lines


def test_the_archive_is_searched_in_either_spelling() -> None:
    """What it holds is found whichever way it is written there."""
    assert power_library.search("defense") == power_library.search("DEFENCE") != power_library.search("")
    assert [row["name"] for row in power_library.search("defensive discard")] == [
        row["name"] for row in power_library.search("defencive discard")
    ]


def test_house_rules_are_chosen_in_either_spelling() -> None:
    """The charter may have the one, the game has the other."""
    options = {option.name: option for option in OPTIONS}
    for name, said, held in (
        ("stalemate", "unused_defense_burn", "unused_defence_burn"),
        ("genre", "civilization", "civilisation"),
    ):
        assert house_mistake(OPTIONS, name, said) == "" and chosen(options[name], said) == held


def test_no_other_word_is_touched() -> None:
    """Capitals stay, and so does what only looks like it."""
    assert (
        spelled("Defense DEFENSE defenses Civilization defensible")
        == "Defence DEFENCE defences Civilisation defensible"
    )
    assert american("unused_defence_burn") == "unused_defense_burn"
