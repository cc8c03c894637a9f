"""Law: of orders that `also` joins on however many lines, each is on hand as it was said, in every game."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.depth import examples
from tests.hall.test_changes import POOLS, on_hand, sent, with_set
from tests.hall.test_talk import SEAT, table_of

BEFORE = {"brawl": "pass", "discs": "hold", "rumble": "attack Cy 3"}
JOINTS = ("\n", "; ", "\nalso ", "; also ", "; and also ", "\nand also ")


@settings(max_examples=examples(100))
@given(
    st.sampled_from(sorted(POOLS)).flatmap(lambda name: st.tuples(st.just(name), st.permutations(POOLS[name]))),
    st.lists(st.sampled_from(JOINTS), min_size=1, max_size=4),
    st.booleans(),
)
def test_none_is_lost(drawn: tuple[str, Sequence[str]], joints: Sequence[str], has_set: bool) -> None:
    """With nothing on hand, or a set that it replaces, since the first order joins nothing."""
    name, pool = drawn
    orders = pool[: len(joints) + 1]
    text = orders[0]
    for before, joint, order in zip(orders, joints, orders[1:], strict=False):
        text += (joint.replace("; ", "\n") if ":" in before + order else joint) + order  # conditions have a line alone
    table = with_set(name, BEFORE[name]) if has_set else table_of(name)
    entry, after = sent(table, *text.split("\n"), hours=2)
    assert (on_hand(after), entry.complaints, entry.doubts) == (tuple(orders), (), ()), text
    assert after.moved(SEAT)


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("rumble", ("attack Bo 20; also defend 5", "another 3 on Cy")), ("brawl", ("defend with a; also pass", "also drop b maneuver")),
        ("discs", ("throw at Bo; also hold", "also pass")), ("discs", ("throw at Bo; also hold",)),
    ],
)  # fmt: skip
def test_the_first_of_a_line_stays(name: str, lines: Sequence[str]) -> None:
    """Also where only what stands behind it on the line adds."""
    entry, after = sent(table_of(name), *lines)
    said = [part.removeprefix("also ").replace("another 3 on", "attack") for one in lines for part in one.split("; ")]
    assert [one.removesuffix(" 3") for one in on_hand(after)] == said and not entry.complaints
