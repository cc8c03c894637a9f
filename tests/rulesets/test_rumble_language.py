"""Rounds of Rumble as the tables read them, held against the reader that is in use: what differs stands here by name."""

import re
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
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.genres import genre_of
from pbem.rulesets.rumble.language import reading
from pbem.rulesets.rumble.language.legality import settled
from pbem.rulesets.rumble.language.meanings import Commanded, Past
from pbem.rulesets.rumble.language.rounds import language
from pbem.rulesets.rumble.model.order import Command
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.orders.shares import Share
from pbem.rulesets.rumble.orders.writing import write_line
from pbem.testing.cases import play
from pbem.testing.scenes import scenes
from tests.language.sentences_drawn import Drawing
from tests.rulesets.rumble_scene import lay

CASES = Path(__file__).parent.parent / "cases" / "rumble"
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
    """Return every set of a round in the cases, but those with orders for a Sidekick, which are read apart."""
    found: list[Sent] = []
    parse = type(RULESET).parse

    def recorded(self: Any, state: State, seat: Seat, lines: Sequence[OrderLine]) -> Any:
        parsed = parse(self, state, seat, lines)
        is_round = state.phase in ("round", "reveal") and state.hero(seat).is_in
        if is_round and not any("sidekick" in line.text.lower() for line in lines):
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


def test_the_tables_read_every_set_that_is_taken_as_it_is_read_now() -> None:
    """Each order in its place, shares reckoned, nothing besides; nothing asked, and nothing in doubt."""
    different = set()
    for sent in sets():
        if sent.orders and not sent.faults:
            found = reading.read(sent.state, sent.seat, sent.lines)
            if found.orders != sent.orders or found.complaints or found.doubts:
                different.add(sent.text)
    assert different == set()


MORE = {"if my energy > 3 defend 40"}
"""Lines that today's reader cannot read, and the tables can."""


def test_the_tables_read_no_line_that_nobody_can_read() -> None:
    """What is refused as illegal is read, and refused behind that; what is unreadable is taken by neither."""
    taken = {
        line.text
        for sent in sets()
        if "unreadable" in sent.faults
        for line in sent.lines
        if (one := RULESET.parse(sent.state, sent.seat, [line])).complaints
        and one.complaints[0].fault == "unreadable"
        and any(not isinstance(one, Refused) for one in sent.settled(read(language(sent.state, sent.seat), [line])))
    }
    assert taken == MORE


OTHERWISE = {"hero: ...", "if always: hero: Bat", "bid Flight 2", "bid Flight 4", "bid Flight 5", "bid Flight 20"}
"""What is refused in other words: a name behind a condition is asked about; what is over needs no list of orders."""


def test_what_cannot_be_ordered_is_read_and_refused_for_the_same_reason() -> None:
    """What a line cannot order by itself, with the words and the rule of now."""
    wrong = {}
    for sent in sets():
        for line in sent.lines if "illegal" in sent.faults else ():
            complaints = RULESET.parse(sent.state, sent.seat, [line]).complaints
            if [one.fault for one in complaints] == ["illegal"]:
                found = reading.parse(sent.state, sent.seat, [line]).complaints
                words = genre_of(sent.state.house)
                if [(words.say(one.because), one.rule) for one in found] != [
                    (complaints[0].because, complaints[0].rule)
                ]:
                    wrong[line.text] = (complaints[0].because, found)
    assert {*wrong} == OTHERWISE


REFUSED = (
    ("attack doctor octopus 20", "unreadable", 'If you mean "attack Doctor Cuttlefish 20", write just that.'),
    ("attack Dracula 20", "unreadable", "There is no hero of that name."),
    ("attack Cuttlefish", "unreadable", 'What would work: "attack Doctor Cuttlefish 20".'),
    ("attack 20", "unreadable", 'What would work: "attack NAME 20".'),
    ("defend lots", "unreadable", '"lots" is not a number.'),
    ("confirm it all", "unreadable", 'I cannot read "it all" there. What would work: "confirm".'),
    ("use", "unreadable", 'What would work: "use POWER".'),
    ("if it rains: defend 40", "ambiguous", 'I cannot read "it rains" there.'),
    ("if energy of Dracula > 3: defend 40", "ambiguous", "There is no hero of that name."),
    ("attack Bo 20, or not", "ambiguous", '"or not" was not read.'),
    ('would work: "attack Bo 20".', "ambiguous", '"would work" was not read.'),
    ("attack Bo 20?", "ambiguous", 'This is a question, so nothing of it counts. Write "attack Bo 20".'),
    ("use Laser Eyes on Dracula", "unreadable", "There is no hero of that name."),
    ("attack Bo \u202e20", "illegal", "There is a character in this line that nobody can see."),
)
"""What is not taken, and of what its sender is told."""


@pytest.mark.parametrize(("line", "fault", "because"), REFUSED)
def test_a_refusal_says_what_was_not_read_and_what_would_have_worked(line: str, fault: str, because: str) -> None:
    """The smallest thing of the nearest form; nothing is taken."""
    heroes = ["ada: Mantisman 100", "bo: Bo 80", "cy: Doctor Cuttlefish 60", "ada: power Laser Eyes 10: archive"]
    found = reading.parse(lay(heroes, {}, DICE), "ada", [OrderLine(1, line)])
    assert not found.orders
    assert [one.fault for one in found.complaints] == [fault] and because in found.complaints[0].because


@pytest.mark.parametrize(
    "line",
    [
        "defend 20 if Bo is out, attack Cuttlefish 10",
        "if Bo is out: defend 20 attack Cuttlefish 10",
        "if Bo is out: defend 20; if Cuttlefish is out: defend 30",
        "if Bo is out: defend 20 and frobnicate, attack Cuttlefish 10",
        "do we name anybody, hero: Ada",
        '"attack Bo 20".',
        "a reply with one line, confirm and those, takes",
    ],
)
def test_what_hangs_on_a_condition_is_never_read_without_it(line: str) -> None:
    """Nor as less or more than hangs on it; a text to the end of its line is no part of a sentence either."""
    found = reading.read(
        lay(["ada: Mantisman 100", "bo: Bo 80", "cy: Doctor Cuttlefish 60"], {}, DICE), "ada", [OrderLine(1, line)]
    )
    assert not found.orders and (found.complaints or found.doubts)


def test_no_share_is_reckoned_beside_what_may_change_the_set() -> None:
    """What may be an order would take a part of it."""
    heroes = ["ada: Mantisman 100", "bo: Bo 80", "cy: Doctor Cuttlefish 60"]
    lines = [OrderLine(n, text) for n, text in enumerate(("defend 30", "frobnicate 20", "rest on Bo"), 1)]
    found = reading.read(lay(heroes, {}, DICE), "ada", lines)
    assert [order.line for order in found.orders] == [1] and [one.line for one in found.doubts] == [2]
    assert [(one.line, one.fault) for one in found.complaints] == [(3, "ambiguous")]


def test_talk_stands_apart_from_orders() -> None:
    """What changes nothing is passed over, what may change something is doubted; both are lines for who asks."""
    heroes = ["ada: Mantisman 100", "bo: Bo 80", "cy: Doctor Cuttlefish 60"]
    lines = [
        OrderLine(n, text) for n, text in enumerate(("What a lovely evening.", "attack Bo 20", "make that double"), 1)
    ]
    found = reading.read(lay(heroes, {}, DICE), "ada", lines)
    assert [order.line for order in found.orders] == [2] and not found.complaints
    assert ([one.line for one in found.passed], [one.line for one in found.doubts]) == ([1], [3])
    assert [one.line for one in reading.parse(lay(heroes, {}, DICE), "ada", lines).complaints] == [1, 3]


def orders() -> Iterator[tuple[Language, State, Seat, Any]]:
    """Yield every order of the cases, with how it is read."""
    for sent in sets():
        tables = language(sent.state, sent.seat)
        yield from ((tables, sent.state, sent.seat, order) for order in sent.orders if not isinstance(order, Command))


@pytest.mark.parametrize("is_first", [True, False])
def test_every_canonical_line_reads_back(*, is_first: bool) -> None:
    """By first shapes alone, as journals are read, and by all."""
    wrong = set()
    for tables, state, seat, order in orders():
        line = write_line(state, order)
        by = tables.in_first_shapes if is_first else tables
        found = Parses(by, cut(line, by.names)).whole("sentence")
        if [tuple(settled(state, seat, one) for one in cast("tuple[Any, ...]", acts)) for acts in found] != [(order,)]:
            wrong.add(line)
    assert wrong == set()


def test_every_order_is_written_as_now() -> None:
    """The first shape of each gives today's line, letter for letter."""
    wrong = {
        (write_line(state, order), forms.write(tables, order.at(0), "line"))
        for tables, state, _, order in orders()
        if write_line(state, order) != forms.write(tables, order.at(0), "line")
    }
    assert wrong == set()


VALUES: dict[str, Sequence[Any]] = {
    "number": (0, 7, 40),
    "foe": ("bo", "cy"),
    "called": ("bo", "cy"),
    "hero": ("ada", "bo", "cy"),
    "power": ("P01", "P02", "P03"),
    "powers": ("P01", "P02", "P03", "P04"),
    "text": ("do what is best",),
    "caption": ("KRAK", "THWIP"),
    "times": (1, 3),
    "ex": (0, 20),
    "mine": (),
    "title": ("Bat",),
    "owned": ("P01", "P02", "P03"),
    "titled": ("P01", "P02", "P03"),
    "stranger": ("gwen",),
}


@given(st.integers(0, 2**32))
def test_each_sentence_that_can_be_drawn_reads_as_its_meaning(seed: int) -> None:
    """Of the tables: what they can make reads as what it means, or also otherwise; and is written as it is now."""
    state = lay(
        [
            "ada: Mantisman 100",
            "bo: Plastiquegirl 80",
            "cy: Doctor Cuttlefish 60",
            *(f"ada: power {name} 10: archive" for name in ("Precognition", "Zypher", "Combat Roll")),
            "bo: power Laser Eyes 10: archive",
        ],
        {},
        DICE,
    )
    tables = language(state, "ada")
    drawn = Drawing(tables, VALUES, Random(seed)).sentence("sentence")
    if drawn is not None:
        tokens = cut(drawn[0], tables.names)
        assume(tokens == cut(drawn[0], tables.names, is_first=False))  # 7 - may begin a list as well
        assume(not re.search(r"Bat (?!;)", drawn[0]))  # a name goes on to its line's end or to a semicolon
        found = Parses(tables, tokens).whole("sentence")
        assert drawn[1] in found, drawn
        for meant in cast("tuple[Any, ...]", drawn[1]):
            order = settled(state, "ada", meant)
            if not isinstance(order, Refused | Share | Elided | Commanded | Past):
                assert forms.write(tables, order, "line") == write_line(state, order)


@pytest.mark.parametrize("line", ["use Laser Eyes on Plastiquegirl x0", "use Laser Eyes on Plastiquegirl x101"])
def test_a_power_is_used_so_often_and_no_more(line: str) -> None:
    """With the reason of today's reader. Rule: R13."""
    state = lay(["ada: Mantisman 100", "bo: Plastiquegirl 80", "ada: power Laser Eyes 10: archive"], {}, DICE)
    lines = [OrderLine(1, line)]
    (said,) = read(language(state, "ada"), lines)
    (complaint,) = RULESET.parse(state, Seat("ada"), lines).complaints
    (found,) = (settled(state, "ada", meant) for meant in said.orders)
    assert isinstance(found, Refused) and (found.because, found.rule) == (complaint.because, complaint.rule)
