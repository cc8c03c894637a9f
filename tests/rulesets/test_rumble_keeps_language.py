"""What is discarded after all, as the tables read and write it. Rule: N8."""

from collections.abc import Sequence
from random import Random
from typing import Any, cast

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pbem.ground.terms import OrderLine
from pbem.language import forms
from pbem.language.nouns import REASON
from pbem.language.parses import Parses
from pbem.language.tokens import cut
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.auction import keeps
from pbem.rulesets.rumble.model.order import Discard, Pass
from pbem.rulesets.rumble.orders.writing import write_line
from tests.language.sentences_drawn import Drawing
from tests.rulesets.test_rumble_bids_spoken import MINE, waiting
from tests.rulesets.test_rumble_spoken import ADA

VALUES: dict[str, Sequence[Any]] = {"power": ("P01", "P02", "P03"), "stranger": ("gwen",), "reason": (REASON,)}


@given(st.integers(0, 2**32))
def test_each_sentence_that_can_be_drawn_reads_as_its_meaning(seed: int) -> None:
    """Of the tables: what they can make reads as what it means, or also otherwise; and is written as it is now."""
    state = waiting(*MINE)
    tables = keeps.language(state, ADA)
    drawn = Drawing(tables, VALUES, Random(seed)).sentence("sentence")
    if drawn is not None:
        tokens = cut(drawn[0], tables.names)
        assume(tokens == cut(drawn[0], tables.names, is_first=False))
        assert drawn[1] in Parses(tables, tokens).whole("sentence"), drawn
        for order in cast("tuple[Any, ...]", drawn[1]):
            if isinstance(order, Discard | Pass):
                assert forms.write(tables, order, "line") == write_line(state, order)


@given(st.sampled_from(("P01", "P02", "P03")))
def test_what_we_write_reads_back_by_first_shapes_alone(power: str) -> None:
    """As journals are read."""
    state = waiting(*MINE)
    tables = keeps.language(state, ADA).in_first_shapes
    for order in (Discard(power), Pass()):
        assert Parses(tables, cut(write_line(state, order), tables.names)).whole("line") == (order,)


def read(mail: str) -> tuple[tuple[str, ...], int]:
    """Read a mail of Ada's: what is ordered, and how many sentences wait or are asked about."""
    state = waiting("Metal Face", "Flight", "Ink Cloud")
    found = keeps.KEEPS.hear(state, ADA, [OrderLine(number, line) for number, line in enumerate(mail.split("\n"), 1)])
    return RULESET.format(state, found.orders), len(found.complaints) + len(found.doubts)


@pytest.mark.parametrize(
    ("mail", "orders"),
    [
        ("bin the metal face and keep the rest", ("discard Metal Face",)),
        ("Metal Face goes, Ink Cloud stays", ("discard Metal Face",)),
        ("keep all but Flight", ("discard Flight",)),
        ("throw away flight and ink cloud please", ("discard Flight", "discard Ink Cloud")),
        ("discard everything", ("discard Metal Face", "discard Flight", "discard Ink Cloud")),
        ("no discards", ("pass",)),
        ("Hello, I'll keep them all, thanks", ("pass",)),
    ],
)
def test_it_is_read_as_people_say_it(mail: str, orders: tuple[str, ...]) -> None:
    """Whatever is not named is kept."""
    assert read(mail) == (orders, 0)


@pytest.mark.parametrize(
    "mail",
    ["discard", "discard Dracula", "don't discard Flight", "maybe discard Flight?", "attack Bo 20"],
)
def test_what_is_not_clear_discards_nothing(mail: str) -> None:
    """It is asked about."""
    assert read(mail) == ((), 1)
