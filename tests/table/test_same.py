"""`same as last round` and `same as round 2`: the set with which the last phase closed, or a reason."""

import re

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.ground.terms import OrderLine
from pbem.table.incoming import same
from pbem.table.model.sets import Kept
from pbem.table.model.table import Table
from tests.hall.test_talk import SEAT, table_of

HELD = ("attack Bo 20", "defend 30")


def table_at(number: int) -> Table:
    """Return a table in a round, whose last one closed with two orders of the seat."""
    table = table_of("rumble")
    assert table.phase is not None
    phase = msgspec.structs.replace(table.phase, title=f"Round {number}")
    last = (Kept(kind=phase.kind, orders=HELD),)
    return msgspec.structs.replace(table.with_sets(SEAT, last=last), phase=phase)


@pytest.mark.parametrize(
    "said", ["same as last round", "Ditto, same as round 2", "the same orders as in round 2", "ditto"]
)
def test_the_last_set_stands_in_its_place(said: str) -> None:
    """Whether the round is called the last one, or by its number."""
    lines, wrong = same.repeated(table_at(3), SEAT, [OrderLine(1, said)])
    assert (tuple(line.text for line in lines), wrong) == (HELD, ())


@pytest.mark.parametrize("said", ["same as round 1", "same as round 3", "ditto, same as round 12"])
def test_another_round_is_asked_about(said: str) -> None:
    """Only the last set is kept."""
    lines, wrong = same.repeated(table_at(3), SEAT, [OrderLine(1, said)])
    assert not any(line.text for line in lines)
    assert [one.because for one in wrong] == ["I can repeat the last round only. Write your orders out."]


def test_it_stands_alone() -> None:
    """Beside other orders it is not known what is meant."""
    lines, wrong = same.repeated(table_at(3), SEAT, [OrderLine(1, "same as last round"), OrderLine(2, "defend 5")])
    assert [line.text for line in lines] == ["", "defend 5"] and len(wrong) == 1


SAID = st.lists(
    st.sampled_from(
        ("same", "ditto", "as", "before", "last", "round", "2", "the", "my", "repeat", "that", "previous", "orders", "do", "again",
         "please", "**", "*", "_", "- ", "1. ", "(", ")", "!", ".", ",", "in", "like", "thing", ":)", "ok", "I will", "\u00e9"),
    ),
    max_size=7,
)  # fmt: skip


@given(SAID, st.sampled_from(["", " "]))
@example(["repeat", "that"], " ")
@example(["like", "before"], " ")
@example(["as", "previous"], " ")
@example(["just", "like", "last", "round"], " ")
@example(["ditto"], "")
@example(["sa", "**", "me", "**"], "")
def test_the_quick_look_passes_over_nothing(words: list[str], gap: str) -> None:
    """Whatever repeats the last set, in whatever marks, is found with it as without it."""
    text = gap.join(words)
    with pytest.MonkeyPatch.context() as patch:
        quick = same._same(text) is not None
        patch.setattr(same, "_HINT", re.compile(""))
        assert quick == (same._same(text) is not None)
