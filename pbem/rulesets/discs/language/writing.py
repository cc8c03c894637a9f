"""Lines of the discs as we write them, by the first shapes of the tables, which read them back."""

from functools import lru_cache

from pbem.ruleset import Language, Meaning, Same, said_as
from pbem.rulesets.discs.language.lists import language
from pbem.rulesets.discs.model.order import Order, Test
from pbem.rulesets.discs.model.state import State


def write_order(state: State, order: Order) -> str:
    """Write one order."""
    return _written(state, "order", order.at(0))


def write_test(state: State, test: Test) -> str:
    """Write a condition."""
    return _written(state, "test", test)


def _written(state: State, kind: str, meaning: Meaning) -> str:
    text = said_as(_language(Same(state)), kind, meaning)
    assert text is not None, meaning
    return text


@lru_cache(maxsize=64)
def _language(state: Same) -> Language:
    return language(state.one, "")
