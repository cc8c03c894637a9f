"""The scenes of `tests/cases/<ruleset>/`: each comes out as its rules say, and every rule has one."""

import importlib
from pathlib import Path

from pbem.hall.store.catalogue import rulesets_known
from pbem.testing import Casebook, Cases

CASES = Path(__file__).parent / "cases"


def book(name: str) -> Casebook:
    """Return the cases of one of our rulesets."""
    scene = importlib.import_module(f"tests.rulesets.{name}_scene")
    return Casebook(rulesets_known()[name], CASES / name, scene.lay, scene.claims, worked=("RC", "PP", "BK", "TR", "N"))


class TestCases(Cases):
    """Every ruleset that has a folder of cases."""

    books = tuple(book(folder.name) for folder in sorted(CASES.iterdir()))
