"""The order of a round: one list in the rules and in the code."""

import re
from pathlib import Path

from pbem.rulesets import rumble
from pbem.rulesets.rumble.round.stages import STAGES

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
