"""How far the sweeps look: as deep as CI has time for, or PBEM_DEPTH times as far, as one does before a release."""

import os
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings

DEPTH = max(1, int(os.environ.get("PBEM_DEPTH", "1")))
"""A whole number; what takes half an hour at 1 takes about so many times as long."""


def shares(few: int) -> list[Any]:
    """Return the shares of its cases of which a law is tried: one of so many by `pytest`, all by a sweep."""
    return [few, pytest.param(1, marks=pytest.mark.sweep)]


def some(few: int, cases: Iterable[Any]) -> list[Any]:
    """Return cases that are alike: `pytest` tries one of so many, a sweep the others."""
    return [case if not place % few else _swept(case) for place, case in enumerate(cases)]


def _swept(case: Any) -> Any:
    if isinstance(case, type(pytest.param())):
        return pytest.param(*case.values, marks=[*case.marks, pytest.mark.sweep], id=case.id)
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.sweep)


def examples(most: int) -> int:
    """Return of how many examples a law is tried that needs more of them than others: by `pytest` of a quarter."""
    return most if settings().max_examples >= settings.get_profile("usual").max_examples else -(-most // 4)


def at_first(few: int) -> int:
    """Return of how many examples a law is tried of which each takes long: by `pytest` of so few, else as of all laws."""
    usual = settings.get_profile("usual").max_examples
    return few if settings().max_examples < usual else settings().max_examples


def every(step: int) -> int:
    """Return of how many cases one is tried, where CI tries one of so many."""
    return max(1, step // DEPTH)
