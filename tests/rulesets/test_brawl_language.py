"""Rounds of a brawl as the tables read them, held against the reader that is in use: what differs stands here by name."""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, cast

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pbem.ground.chance import Dice
from pbem.ground.terms import Given, OrderLine, Seat
from pbem.language import forms
from pbem.language.deciding import Said, read
from pbem.language.parses import Elided, Language, Parses
from pbem.language.tokens import cut
from pbem.ruleset import Refused
from pbem.rulesets.brawl import RULESET
from pbem.rulesets.brawl.language.legality import settled
from pbem.rulesets.brawl.language.rounds import language
from pbem.rulesets.brawl.state import State
from pbem.testing.cases import play
from pbem.testing.scenes import scenes
from tests.language.sentences_drawn import Drawing
from tests.rulesets.brawl_scene import lay

CASES = Path(__file__).parent.parent / "cases" / "brawl"
DICE = Dice(b"a seed for every scene of ours!!!")


class Sent(NamedTuple):
    """A set of a case, and what today's reader makes of it."""

    state: State
    seat: Seat
    lines: tuple[OrderLine, ...]
    orders: tuple[Any, ...]
    faults: frozenset[str]

    @property
    def text(self) -> str:
        """The lines, one behind another."""
        return " / ".join(line.text for line in self.lines)

    def said(self) -> tuple[Said, ...]:
        """Return what the tables make of it."""
        return read(language(self.state, self.seat), self.lines)

    def settled(self, said: Sequence[Said]) -> tuple[Any, ...]:
        """Return the orders of what was said, or why they cannot be given."""
        return tuple(settled(self.state, self.seat, meant) for one in said for meant in one.orders)


@cache
def sets() -> tuple[Sent, ...]:
    """Return every set of the cases, in rounds and in answer to questions."""
    found: list[Sent] = []
    parse = type(RULESET).parse

    def recorded(self: Any, state: State, seat: Seat, lines: Sequence[OrderLine]) -> Any:
        parsed = parse(self, state, seat, lines)
        faults = frozenset(complaint.fault for complaint in parsed.complaints)
        found.append(Sent(state, seat, tuple(lines), tuple(parsed.orders), faults))
        return parsed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(RULESET), "parse", recorded)
        for scene in scenes(CASES):
            state = lay(scene.given, scene.house, DICE)
            for step in scene.steps:
                state = play(RULESET, state, step, Given(), DICE).state
    return tuple(found)


DIFFERENT: set[str] = set()
"""Sets that are taken and read otherwise by the tables."""


def test_the_tables_read_every_set_that_is_taken_as_it_is_read_now() -> None:
    """Each order in its place, nothing besides; nothing asked."""
    different = {
        sent.text
        for sent in sets()
        if sent.orders and not sent.faults
        for said in [sent.said()]
        if sent.orders != sent.settled(said) or any(one.verdict not in ("taken", "passed") for one in said)
    }
    assert different == DIFFERENT


MORE: set[str] = set()
"""Lines that today's reader cannot read, and the tables can."""


def test_the_tables_read_no_line_that_nobody_can_read() -> None:
    """What is refused as illegal is read, and refused behind that; what is unreadable is taken by neither."""
    taken = {
        line.text
        for sent in sets()
        if "unreadable" in sent.faults or "ambiguous" in sent.faults
        for line in sent.lines
        if (one := RULESET.parse(sent.state, sent.seat, [line])).complaints
        and one.complaints[0].fault != "illegal"
        and any(not isinstance(one, Refused) for one in sent.settled(read(language(sent.state, sent.seat), [line])))
    }
    assert taken == MORE


UNREAD: set[str] = set()
"""What the tables do not read and today's reader refuses with a reason."""


def test_what_cannot_be_ordered_is_read_and_refused_for_the_same_reason() -> None:
    """What a line cannot order by itself, with the words and the rule of now."""
    wrong = {}
    for sent in sets():
        for line in sent.lines if "illegal" in sent.faults else ():
            complaints = RULESET.parse(sent.state, sent.seat, [line]).complaints
            if [one.fault for one in complaints] == ["illegal"]:
                found = sent.settled(read(language(sent.state, sent.seat), [line]))
                expected = [(complaints[0].because, complaints[0].rule)]
                if [(one.because, one.rule) for one in found if isinstance(one, Refused)] != expected:
                    wrong[line.text] = (complaints[0].because, found)
    assert {*wrong} == UNREAD, wrong


def test_no_kind_is_called_as_an_act_of_others() -> None:
    """What has no act of its own would mean what that one does."""
    sent = sets()[0]
    tables = language(sent.state, sent.seat)
    assert {shape.kind for shape in tables.shapes.all if not shape.act} & {*tables.acts} == set()


def orders() -> Iterator[tuple[Language, State, Seat, Any]]:
    """Yield every order of the cases, with how it is read."""
    for sent in sets():
        tables = language(sent.state, sent.seat)
        yield from ((tables, sent.state, sent.seat, order) for order in sent.orders)


@pytest.mark.parametrize("is_first", [True, False])
def test_every_canonical_line_reads_back(*, is_first: bool) -> None:
    """By first shapes alone, as journals are read, and by all."""
    wrong = set()
    for tables, state, seat, order in orders():
        line = order.write(state)
        by = tables.in_first_shapes if is_first else tables
        found = Parses(by, cut(line, by.names)).whole("sentence")
        if [tuple(settled(state, seat, one) for one in cast("tuple[Any, ...]", acts)) for acts in found] != [(order,)]:
            wrong.add(line)
    assert wrong == set()


def test_every_order_is_written_as_now() -> None:
    """The first shape of each gives today's line, letter for letter."""
    wrong = {
        (order.write(state), forms.write(tables, order.at(0), "line"))
        for tables, state, _, order in orders()
        if order.write(state) != forms.write(tables, order.at(0), "line")
    }
    assert wrong == set()


VALUES: dict[str, Sequence[Any]] = {
    "number": (0, 7, 40),
    "nth": (1, 2),
    "foe": ("bo", "cy"),
    "whose": ("bo", "cy"),
    "fellow": ("bo", "cy"),
    "hero": ("ada", "bo", "cy"),
    "somebody": ("Gwen", "folks"),
    "die": ("a", "b", "e", "z"),
    "own_die": ("a", "b", "c"),
    "leading": ("b", "c", "d"),
    "face": ("the six", "the 2"),
}


@given(st.integers(0, 2**32))
def test_each_sentence_that_can_be_drawn_reads_as_its_meaning(seed: int) -> None:
    """Of the tables: what they can make reads as what it means, or also otherwise; and is written as it is now."""
    state = lay(
        [
            "bo: Bob ba 7 bd 8 e 15 h 10 dice 2 4",
            "cy: Doctor Cuttlefish ba 7 bd 8 e 15 h 10 dice 2 4",
            "ada: Mantisman ba 7 bd 8 e 15 h 10 dice 6 5 4 3 2",
        ],
        {},
        DICE,
    )
    tables = language(state, "ada")
    drawn = Drawing(tables, VALUES, Random(seed)).sentence("sentence")
    if drawn is not None:
        tokens = cut(drawn[0], tables.names)
        assume(tokens == cut(drawn[0], tables.names, is_first=False))
        found = Parses(tables, tokens)
        assert drawn[1] in found.whole("sentence") or found.is_over, drawn
        for meant in cast("tuple[Any, ...]", drawn[1]):
            order = settled(state, "ada", meant)
            if not isinstance(order, Refused | Elided):
                assert forms.write(tables, order, "line") == order.write(state)
