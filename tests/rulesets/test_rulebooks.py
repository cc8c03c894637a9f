"""RULES.md of each ruleset as a book: every number that it cites is a rule, and its index has them all."""

import re
from importlib import resources

import pytest

from pbem import rulebook
from pbem.hall.store.catalogue import rulesets_known

KNOWN = rulesets_known()
WITH_INDEX = ("rumble",)
CITED = re.compile(r"(?<![\w`*])([A-Z][0-9]{1,2})(?!\w)")


def text(name: str) -> str:
    """Return the text of a rulebook."""
    return (resources.files(f"pbem.rulesets.{name}") / "RULES.md").read_text(encoding="utf-8")


def letters(numbers: set[str]) -> set[str]:
    """Return what numbers begin with."""
    return {number[0] for number in numbers}


@pytest.mark.parametrize("name", ["rumble", "brawl"])
def test_each_number_that_is_cited_is_a_rule(name: str) -> None:
    """`rules A16` finds what a text calls A16."""
    known = {*rulebook.rules(KNOWN[name])}
    cited = {number for number in CITED.findall(text(name)) if number[0] in letters(known)}
    assert cited <= known, sorted(cited - known)


@pytest.mark.parametrize("name", WITH_INDEX)
def test_the_index_has_each_rule_and_no_other_and_the_head_each_letter(name: str) -> None:
    """So that nobody has to know a number to find a rule."""
    known = {*rulebook.rules(KNOWN[name])}
    head, _, rest = text(name).partition("\n## ")
    index = rest.partition("\n## Index\n")[2]
    assert {*CITED.findall(index)} == known
    rows = re.findall(r"^\| (.+?) \| ", index, re.MULTILINE)[1:]
    assert rows == sorted(rows, key=str.casefold) and len(rows) > 20
    assert all(re.search(rf"\b{letter}\b", head) for letter in letters(known))
