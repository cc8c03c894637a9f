"""What stands beside orders, or above them, in a small game of its own: it is heard with them, asked about, or waits."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pbem.language import forms
from pbem.language.parses import Meaning
from pbem.language.words import COMMON, TALK
from tests.language.boats import Anchor, Dive, Dives, If, Throw
from tests.language.test_reading import BOATS, ORDERS, said, verdicts

EVERYDAY = sorted(TALK.single("EVERYDAY") | TALK.single("ENGLISH"))
_SAYS = COMMON.known | BOATS.known | TALK.single("CHANGING")
HARMLESS = sorted(word for word in TALK.single("HARMLESS") - _SAYS if word.isalpha())
POINTS = st.sampled_from(["", "- ", "* ", "  ", "1. "])


def orders(text: str) -> list[Meaning]:
    """Return all that counts of a mail."""
    return [order for one in said(text) for order in one.orders]


@given(
    st.lists(ORDERS, min_size=2, max_size=4, unique=True), POINTS, st.sampled_from(["If May dives:", "when Al dives :"])
)
def test_no_order_below_a_condition_counts_without_it(below: list[Meaning], point: str, head: str) -> None:
    """Above several lines it is asked for which it is; what stands apart from them counts by itself."""
    lines = "\n".join(f"{point}{forms.write(BOATS, order)}" for order in below)
    assert orders(f"{head}\n{lines}") == []
    assert {one.verdict for one in said(f"{head}\n{lines}")} == {"asked"}
    assert orders(f"{head}\n{lines}\n\nanchor") == [Anchor()]


@given(ORDERS, POINTS)
def test_a_condition_above_one_line_is_for_that_one(order: Any, point: str) -> None:
    """As somebody types who has a narrow screen; the next condition is one of its own."""
    line = f"{point}{forms.write(BOATS, order)}"
    assert orders(f"if May dives:\n{line}") == [If(Dives("may"), (order,))]
    both = [If(Dives("may"), (order,)), If(Dives("al"), (order,))]
    assert orders(f"if May dives:\n{line}\nif Al dives:\n{line}") == both


@given(
    st.lists(st.sampled_from(EVERYDAY), min_size=1, max_size=4), st.lists(ORDERS, min_size=1, max_size=3, unique=True)
)
def test_a_heading_that_says_more_than_that_orders_follow_makes_them_wait(
    head: list[str], below: list[Meaning]
) -> None:
    """`my old list:`, `what I expect:`; no order is read otherwise for it, and none is lost."""
    assume(not any(word in BOATS.known or word in COMMON.known for word in head))
    assume(not all(word in TALK.single("HARMLESS") | TALK.single("HEADING") | TALK.single("COMMON") for word in head))
    lines = "\n".join(forms.write(BOATS, order) for order in below)
    first, *rest = said(f"{' '.join(head)}:\n{lines}")
    assert first.verdict == "unread" and first.because
    assert [order for one in rest for order in one.orders] == below


@given(st.lists(st.sampled_from(HARMLESS), min_size=1, max_size=4), ORDERS)
def test_a_heading_of_harmless_words_is_passed_over(head: list[str], order: Meaning) -> None:
    """`Here we go:`."""
    found = said(f"{' '.join(head)}:\n{forms.write(BOATS, order)}")
    assert [one.verdict for one in found][1:] == ["taken"] and found[0].verdict == "passed"


@pytest.mark.parametrize(
    "figure", ["1-3", "2.5", "1/2", "20-30", "8:30", "$5", "(1-3)", "(2.5 fish)", "(first)", "the second time"]
)
@given(order=ORDERS, comma=st.booleans())
def test_no_figure_beside_an_order_is_passed_over(figure: str, order: Meaning, comma: bool) -> None:
    """It may be a part of it, in the same sentence."""
    assert not orders(f"{forms.write(BOATS, order)}{',' if comma else ''} {figure}")


@pytest.mark.parametrize("join", ["but", "because", "although", "that is,", "or", "no wait,", "which"])
@given(one=ORDERS, two=ORDERS)
def test_what_hangs_on_an_order_does_not_count_by_itself(join: str, one: Meaning, two: Meaning) -> None:
    """Neither of two orders does with such a word between them."""
    assert not orders(f"{forms.write(BOATS, one)}, {join} {forms.write(BOATS, two)}")


@given(ORDERS, st.sampled_from(["{} (?)", "{}\n???", "?? {}", "(?) {}", "{} (??)"]))
def test_a_question_mark_anywhere_asks(order: Meaning, form: str) -> None:
    """In brackets, before the order, on a line of its own."""
    found = said(form.format(forms.write(BOATS, order)))
    assert [(one.verdict, one.readings) for one in found] == [("asked", ((order,),))]


def test_a_question_may_be_a_condition_of_what_stands_behind_it() -> None:
    """Where it reads so; small talk is none, and what cannot be read is asked about with the order."""
    assert orders("May dives? throw 3 at Al") == [If(Dives("may"), (Throw("al", 3),))]
    assert orders("How are you? throw 3 at Al") == [Throw("al", 3)]
    assert verdicts("Is May still there? throw 3 at Al") == ["asked"]
    assert orders("Is May still there?\nthrow 3 at Al") == [Throw("al", 3)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("throw:\n- 3 at May\n- 4 at Al", [Throw("may", 3), Throw("al", 4)]),
        ("dont throw 3 at May", []),
        ("dive. That was the old plan.", [Dive()]),
        ("his orders: throw 3 at May", []),
        ("throw 3 at May, the old oyster", [Throw("may", 3)]),
    ],
)
def test_what_is_said_above_and_behind(text: str, expected: list[Meaning]) -> None:
    """A verb above names, what is denied without its mark, another time, somebody else's, and talk."""
    assert orders(text) == expected


@pytest.mark.parametrize(
    "talk", ["That was the old plan.", "Mine is for 2-3 of those.", "a bit more", "2-3", "this is for later"]
)
def test_what_speaks_of_the_orders_beside_it_says_so(talk: str) -> None:
    """The seat waits, whatever its words are."""
    found = said(f"dive\n{talk}")
    assert [one.verdict for one in found] == ["taken", "unread"] and found[1].because
