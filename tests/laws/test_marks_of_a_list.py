"""Law: what stands before a line of a list says nothing: the order behind it is read as without, in every game."""

from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.depth import some
from tests.hall.test_talk import ORDERS, taken

POOLS = {
    "brawl": (*ORDERS["brawl"], "ask me"),
    "discs": (*ORDERS["discs"], "pass"),
    "rumble": (*ORDERS["rumble"], "idle", "ask me"),
}
MARKS = ("* {}", "- {}", "+ {}", "\u2022 {}", "-> {}", "\u2192 {}", "**{}**", "_{}_", "* **{}**", "\u2713 {}", "[x] {}")  # fmt: skip
NUMBERS = ("1. {}", "2) {}", "(3) {}", "#4 {}")
"""What may also be the number of a card in Disc Battle, where it is asked."""
ENDS = ("{}", "{}.", "{}!")


@pytest.mark.parametrize(("name", "order"), some(3, [(name, order) for name, pool in POOLS.items() for order in pool]))
def test_each_order_is_read_behind_each_mark(name: str, order: str) -> None:
    """In capitals or not, with a mark at its end or none."""
    wanted = taken(name, order)[0]
    for mark, end, said in product(MARKS[:5], ENDS, (order, order[0].upper() + order[1:])):
        entry = taken(name, mark.format(end.format(said)))[0]
        found, told = ((one.orders, [wrong.because for wrong in one.complaints]) for one in (entry, wanted))
        assert found == told, mark.format(end.format(said))


@given(st.sampled_from(sorted(POOLS)).flatmap(lambda name: st.tuples(st.just(name), st.permutations(POOLS[name]))), st.sampled_from((*MARKS, *NUMBERS)), st.sampled_from(ENDS))  # fmt: skip
def test_a_list_is_a_set(drawn: tuple[str, list[str]], mark: str, end: str) -> None:
    """Of all orders that stand in it."""
    name, lines = drawn
    assume(name != "discs" or mark not in NUMBERS)
    wanted = taken(name, *lines)[0]
    entry = taken(name, *(mark.format(end.format(line)) for line in lines))[0]
    assert (entry.orders, len(entry.complaints)) == (wanted.orders, len(wanted.complaints))
