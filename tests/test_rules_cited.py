"""The numbers of rules: whatever cites one names a rule that there is, and the index of a ruleset's law has them all."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.ground import rulebook
from pbem.hall.store.catalogue import rulesets_known

ROOT = Path(__file__).parent.parent
FOLDERS = ("pbem/rulesets/{}", "templates/{}", "tests/cases/{}")


def _cited(name: str, numbers: list[str]) -> Iterator[tuple[str, str]]:
    """Yield each number of the form that a ruleset's rules have, with the file that cites it."""
    letters = "|".join({re.sub(r"[^A-Z].*", "", number) for number in numbers})
    cited = re.compile(rf"(?<![\w-])(?:{letters})(?:\d{{1,2}}|-[a-z]{{1,2}})(?![\w-])")
    for folder in FOLDERS:
        for path in sorted((ROOT / folder.format(name)).rglob("*")):
            if path.suffix in (".py", ".j2", ".md", ".case", ".toml"):
                yield from ((number, path.name) for number in cited.findall(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", ["brawl", "discs", "rumble"])
def test_each_rule_that_is_cited_exists(name: str) -> None:
    """In code, in letters, in cases, and in the law itself."""
    numbers = list(rulebook.rules(rulesets_known()[name]))
    found = list(_cited(name, numbers))
    assert len({number for number, _ in found}) > len(numbers) // 2
    assert [one for one in found if one[0] not in numbers] == []


@pytest.mark.parametrize("name", ["brawl", "discs", "rumble"])
def test_the_index_leads_to_each_rule_and_to_no_other(name: str) -> None:
    """It names each rule where it is looked for."""
    _, _, rest = _law(name).partition("## Index")
    rows = re.findall(r"^\| .+ \| (.+) \|$", rest.partition("\n## ")[0], re.MULTILINE)[1:]
    listed = [number for row in rows for number in row.split(", ")]
    assert set(listed) == set(rulebook.rules(rulesets_known()[name]))


@pytest.mark.parametrize("name", ["brawl", "discs", "rumble"])
def test_the_law_explains_its_letters(name: str) -> None:
    """At its head, each kind that there is: "D with a number is play"."""
    head = _law(name).partition("\n## ")[0]
    kinds = {re.sub(r"[^A-Z].*", "", number) for number in rulebook.rules(rulesets_known()[name])}
    assert {letter for letter in kinds if re.search(rf"\b{letter}\s+(?:with|is|a|how)\b", head)} == kinds


def _law(name: str) -> str:
    return (ROOT / f"pbem/rulesets/{name}/RULES.md").read_text(encoding="utf-8")
