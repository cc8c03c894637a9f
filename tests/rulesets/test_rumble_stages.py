"""The order of a round: one list in the rules and in the code."""

import re
from pathlib import Path

import pytest

from pbem.ground.chance import Dice
from pbem.ground.terms import Given, Seat
from pbem.rulesets import rumble
from pbem.rulesets.rumble.model.order import Ask, Use
from pbem.rulesets.rumble.round import adjudication
from pbem.rulesets.rumble.round.stages import STAGES
from tests.rulesets import rumble_scene

RULES = (Path(rumble.__file__).parent / "RULES.md").read_text(encoding="utf-8")


def test_the_rules_name_the_stages_of_a_round_in_their_order() -> None:
    """What RULES.md lists as the order of a round are the stages that it passes."""
    section = RULES.partition("## The order of a round\n")[2].partition("\n## ")[0]
    assert re.findall(r"^[0-9]+\. ([\w ]+):", section, re.MULTILINE) == list(STAGES)


def test_every_rule_that_is_cited_in_the_rules_exists() -> None:
    """Each number in brackets behind a stage is that of a rule."""
    section = RULES.partition("## The order of a round\n")[2].partition("\n## ")[0]
    numbers = set(re.findall(r"^- \*\*(\w+)\*\*", RULES, re.MULTILINE))
    assert {number for found in re.findall(r"\(([^)]*)\)", section) for number in re.split(r",\s+", found)} <= numbers


@pytest.mark.parametrize(
    ("whose", "is_given_up"),
    [
        ("ada: power", True),
        ("bo: power", False),
        ("pool: power", False),
        ("ada: flaw", False),
        ("ada: handed curse", False),
    ],
)
def test_what_its_owner_has_no_more_when_all_lies_open_is_not_given_up(whose: str, is_given_up: bool) -> None:
    """An answer that was read while the power was there: it may have become another's, nobody's, or one that sticks."""
    given = (
        "ada: Ada 100",
        "bo: Bo 100",
        "ada: power Barter With Fate 10: archive",
        f"{whose} Tough Hide 10: It is tough.",
    )
    state = rumble_scene.lay(given, {}, Dice(bytes(32)))
    answers = {Seat("ada"): (Use("P01", on="P02"),)}
    outcome = adjudication.adjudicate(state, {"ada": (Ask(),), "bo": ()}, Given(answers=(answers,)), Dice(bytes(32)))
    kinds = {event.kind for event in outcome.events} & {"power_discarded", "not_done"}
    assert kinds == {"power_discarded" if is_given_up else "not_done"}
    assert outcome.state.card("P02").in_play is not is_given_up
