"""Two amounts for one thing are asked about, the first standing until the answer; what is said to add adds (A4)."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.ground.terms import OrderLine
from pbem.hall.store.catalogue import rulesets_known
from pbem.rulesets.rumble.model.order import Attack, Command, Defend, Hold
from pbem.rulesets.rumble.orders.said_twice import told_apart
from tests.depth import examples
from tests.hall.test_changes import on_hand, sent, with_set
from tests.hall.test_talk import SEAT, table_of

ASKED = (
    (("defend 40", "", "defend 12"), ("defend 40",), ("defend 12",)),
    (("attack Bo 20", "attack Bo 20"), ("attack Bo 20",), ("attack Bo 20",)),
    (("attack Bo 20, defend 40", "defend 12"), ("attack Bo 20", "defend 40"), ("defend 12",)),
    (("defend 5, attack Bo 3, defend 6",), ("defend 5", "attack Bo 3"), ("defend 6",)),
    (("40 on Bo", "20 Cy", "Bo 30"), ("attack Bo 40", "attack Cy 20"), ("Bo 30",)),
)
ADD = (
    (("attack Bo 20", "and another 5"), ("attack Bo 20", "also attack Bo 5")),
    (("attack Bo 20 and another 5",), ("attack Bo 20", "also attack Bo 5")),
    (("attack Bo 20 and another 5 and another 6.",), ("attack Bo 20", "also attack Bo 5", "also attack Bo 6")),
    (("defend 4, also attack Cy 16", "and another 8"), ("defend 4", "attack Cy 16", "also attack Cy 8")),
    (("idle 30, attack Bo 20 and another 5, defend 3",), ("idle 30", "attack Bo 20", "also attack Bo 5", "defend 3")),
    (("defend 20, plus 5 more",), ("defend 20", "also defend 5")),
    (("attack Bo 20", "another 5 on Bo"), ("attack Bo 20", "also attack Bo 5")),
    (("attack Bo 20", "also attack Bo 5", "also 6 on Bo"), ("attack Bo 20", "also attack Bo 5", "also attack Bo 6")),
    (("also defend 12", "attack Bo 5"), ("defend 12", "attack Bo 5")),
    (("if my energy > 40: attack Bo 5", "attack Bo 20"), ("if my energy > 40: attack Bo 5", "attack Bo 20")),
)


@pytest.mark.parametrize(("said", "wanted", "asked"), ASKED)
def test_a_second_amount_is_asked_about(said: Sequence[str], wanted: Sequence[str], asked: Sequence[str]) -> None:
    """With nothing on hand or a set that it replaces: the first counts, and the seat is waited for until a yes."""
    for table in (table_of("rumble"), with_set("rumble", "attack Cy 2", "defend 9")):
        entry, after = sent(table, *said, hours=2)
        assert entry.taken and not entry.complaints
        assert (on_hand(after), entry.doubts) == (wanted, asked)
        assert not after.moved(SEAT)
        settled = sent(after, "yes", hours=3)[1]
        assert on_hand(settled) == wanted and settled.moved(SEAT)


@pytest.mark.parametrize(("said", "wanted"), ADD)
def test_what_is_said_to_add_adds(said: Sequence[str], wanted: Sequence[str]) -> None:
    """Its canonical line says so, and sent back as it stands it is read the same."""
    entry, after = sent(table_of("rumble"), *said)
    assert (on_hand(after), entry.doubts, entry.complaints) == (wanted, (), ())
    assert after.moved(SEAT)
    again, table = sent(table_of("rumble"), *on_hand(after))
    assert (on_hand(table), again.doubts) == (wanted, ())


@pytest.mark.parametrize(
    "said", ["attack Bo 20, block largest first and another 5", "attack Bo 20, idle and another 5"]
)
def test_what_adds_to_no_amount_is_asked_about(said: str) -> None:
    """The order right before has none; none before that one gets it."""
    entry, after = sent(table_of("rumble"), said)
    assert entry.complaints and not on_hand(after)


def test_a_row_of_the_receipt_that_is_a_sum_goes_whole() -> None:
    """`drop 1` takes out all that the row adds up."""
    table = with_set("rumble", "attack Bo 20", "also attack Bo 5", "defend 30")
    assert on_hand(sent(table, "drop 1", hours=2)[1]) == ("defend 30",)
    assert on_hand(sent(table, "line 1: attack Bo 7", hours=2)[1]) == ("attack Bo 7", "defend 30")


FIRST = {"defend": "defend {}", "attack Bo": "attack Bo {}", "attack Cy": "attack Cy {}"}
CHOSEN = {
    "defend": ("defend {} instead", "make the defence {}", "change the defence to {}"),
    "attack Bo": ("attack Bo {} instead of {first}", "make it {} on Bo", "change the attack on Bo to {}"),
    "attack Cy": ("make that {} on Cy", "make the attack on Cy {}", "swap attack Cy {first} for attack Cy {}"),
}
BESIDE = ("also block largest first", "also idle 3", "and block evenly")


@settings(max_examples=examples(20))
@given(
    st.permutations(sorted(FIRST)), st.lists(st.integers(4, 20), min_size=4, max_size=4, unique=True),
    st.integers(0, 2), st.booleans(), st.sampled_from(BESIDE),
)  # fmt: skip
def test_an_exact_answer_settles_it(
    things: Sequence[str], amounts: Sequence[int], which: int, is_at_once: bool, beside: str
) -> None:
    """The second amount, both or a third are the answer, for good; all that is said of other things is none."""
    first, second, third, other = amounts
    thing, another = things[:2]
    said = (FIRST[another].format(other), FIRST[thing].format(first), FIRST[thing].format(second))
    asked = sent(table_of("rumble"), *said)[1]
    entry, later = sent(asked, beside, hours=2)
    assert entry.doubts == entry.again == (said[2],) and not later.moved(SEAT)
    form = CHOSEN[thing][which]
    for answer, wanted in (
        (form.format(second, first=first), (said[0], said[2])),
        (form.format(third, first=first), (said[0], FIRST[thing].format(third))),
        (f"also {said[2]}", (*said[:2], f"also {said[2]}")),
    ):
        before = asked if is_at_once else later
        entry, after = sent(before, answer, hours=3)
        assert not entry.doubts and after.moved(SEAT), answer
        assert on_hand(after) == (*wanted[:2], *on_hand(before)[2:], *wanted[2:])
        assert not sent(after, "also idle 1", hours=4)[0].doubts
        back = sent(after, "back", hours=4)[1]
        assert on_hand(back) == on_hand(before) and not back.moved(SEAT)


def test_who_says_the_first_amount_again_has_chosen_it() -> None:
    """That alone; where it can also be put elsewhere, it is asked about."""
    asked = sent(table_of("rumble"), "attack Bo 20", "defend 40", "", "defend 12")[1]
    for said in ("defend 40 instead", "make the defence 40"):
        entry, after = sent(asked, said, hours=2)
        assert entry.taken and not entry.doubts and on_hand(after) == on_hand(asked) and after.moved(SEAT)
    for said in ("make it 40", "40 instead", "make it 20 on Bo", "make the defence 40\nalso block largest first"):
        entry, after = sent(asked, *said.split("\n"), hours=2)
        assert on_hand(after)[:2] == on_hand(asked) and not after.moved(SEAT)
    settled = sent(asked, "yes", hours=2)[1]
    assert on_hand(sent(settled, "make it 40", hours=3)[1]) == ("attack Bo 40", "defend 40")
    assert not sent(settled, "defend 40 instead", hours=3)[0].taken


def test_what_chooses_no_amount_settles_nothing() -> None:
    """A little more, another amount or none of it: the one that was asked about stays in doubt."""
    asked = sent(table_of("rumble"), "attack Bo 20", "defend 40", "", "defend 12")[1]
    for said in ("5 more on defence", "also defend 5", "no defence", "make it 12 on Bo", "also attack Cy 12"):
        entry, after = sent(asked, said, hours=2)
        assert entry.taken and entry.doubts == ("defend 12",) and not after.moved(SEAT)
        assert sent(after, "also idle 1", hours=3)[0].doubts == ("defend 12",)


one_amount = st.one_of(
    st.builds(Attack, st.sampled_from(("bo", "cy")), st.integers(0, 9), st.booleans()),
    st.builds(Defend, st.integers(0, 9), st.booleans()),
)
held = st.builds(Hold, st.integers(0, 9), st.just("P01"), st.booleans())


@given(st.lists(one_amount, max_size=7), st.booleans())
def test_canonical_lines_read_back_equal_and_ask_nothing(orders: list[Attack | Defend], adds: bool) -> None:
    """Whatever a set is, what is kept of it is read again as the same orders, and nothing in it is said twice."""
    ruleset, table = rulesets_known()["rumble"], table_of("rumble")
    kept, again = told_apart(orders, adds=adds)
    lines = ruleset.format(table.state, kept)
    read = ruleset.parse(table.state, SEAT, [OrderLine(number, line) for number, line in enumerate(lines, 1)])
    assert (read.orders, read.complaints) == (kept, ())
    assert told_apart(read.orders, adds=False) == (kept, ())
    assert len(kept) + len(again) == len(orders) and not (adds and again)
    assert [one.amount for one in kept if isinstance(one, Attack | Defend) and not one.also] == [
        next(one.amount for one in orders if _what(one) == what) for what in dict.fromkeys(map(_what, orders))
    ]


def _what(order: Attack | Defend) -> tuple[type, str]:
    return type(order), getattr(order, "on", "")


@given(st.lists(st.tuples(st.sampled_from(("", "P01", "P02")), st.one_of(one_amount, held)), max_size=7))
def test_each_sidekick_has_amounts_of_its_own(said: list[tuple[str, Attack | Defend | Hold]]) -> None:
    """What is ordered for one hero says nothing twice of another's."""
    orders = [Command(seat, (order,)) if seat else order for seat, order in said]
    kept, again = told_apart(orders, adds=False)
    for whose in ("", "P01", "P02"):
        mine = [order for seat, order in said if seat == whose]
        alone = told_apart(mine, adds=False)
        for part, part_alone in zip((kept, again), alone, strict=True):
            inner = [
                one
                for order in part
                for one in (order.orders if isinstance(order, Command) else [order])
                if (order.seat if isinstance(order, Command) else "") == whose
            ]
            assert inner == list(part_alone)
