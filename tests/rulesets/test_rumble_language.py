"""Rounds of Rumble as the tables read and write them: every order of the cases, and whatever can be drawn."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, cast

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pbem.ground.terms import OrderLine, Parsed, Seat
from pbem.language import forms
from pbem.language.nouns import REASON
from pbem.language.parses import Elided, Language, Parses
from pbem.language.tokens import cut
from pbem.ruleset import Refused
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.language.legality import settled
from pbem.rulesets.rumble.language.meanings import Commanded, Past
from pbem.rulesets.rumble.language.reading import ROUNDS
from pbem.rulesets.rumble.language.rounds import language
from pbem.rulesets.rumble.model.order import Command
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.orders.shares import Share
from pbem.rulesets.rumble.orders.writing import write_line
from tests.depth import shares
from tests.language.sentences_drawn import Drawing
from tests.rulesets.rumble_scene import lay
from tests.rulesets.sets_of_cases import DICE, Sent, sets_of


@cache
def sets(share: int = 1) -> tuple[Sent, ...]:
    """Return every set of a round in the cases, or a share, but those with orders for a Sidekick, which are read apart."""
    return tuple(
        sent
        for sent in sets_of(RULESET, lay, share)
        if sent.state.phase in ("round", "reveal")
        and sent.state.hero(sent.seat).is_in
        and not any("sidekick" in line.text.lower() for line in sent.lines)
    )


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
    found = ROUNDS.parse(lay(heroes, {}, DICE), "ada", [OrderLine(1, line)])
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
        "in case that Bo is out already, then please 10 on Cuttlefish",
        "Should Bo be out by then, I'd also throw 10 at Cuttlefish",
        "Bo out? then Cuttlefish 10",
        "attack Bo 20 and forty i keep for my armer",
        "a reply with one line, confirm and those, takes",
    ],
)
def test_what_hangs_on_a_condition_is_never_read_without_it(line: str) -> None:
    """Nor as less or more than hangs on it; a text to the end of its line is no part of a sentence either."""
    found = ROUNDS.hear(
        lay(["ada: Mantisman 100", "bo: Bo 80", "cy: Doctor Cuttlefish 60"], {}, DICE), "ada", [OrderLine(1, line)]
    )
    assert not found.orders and (found.complaints or found.doubts)


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("the real one is cuttlefish 20 and defend 80", ["attack Doctor Cuttlefish 20", "defend 80"]),
        (
            "on the bus bo 30 cuttlefish 30 defence 40 ttyl",
            ["attack Bo 30", "attack Doctor Cuttlefish 30", "defend 40"],
        ),
        ("attic cuttlefish 25 and defense 75", ["attack Doctor Cuttlefish 25", "defend 75"]),
        ("Moreover 44 against the Doctor and 50 for the defence", ["attack Doctor Cuttlefish 44", "defend 50"]),
        ("prob bo 40 def 60, will confirm tmrw", ["attack Bo 40", "defend 60"]),
        ("the real one is cuttlefish 20 or defend 80", []),
        ("bo 40% and def 60% methinks", []),
        ("bo 10 methinks, cuttlefish 2x that", []),
        ("in case methinks bo 10", []),
        ("never methinks bo 10", []),
        ("methinks bo 10, on 5 May cuttlefish 20", []),
    ],
)
def test_an_offer_has_each_number_and_name_of_a_sentence_or_there_is_none(line: str, orders: list[str]) -> None:
    """It is shown, never taken; what leaves a choice, turns or limits is not offered."""
    state = lay(["ada: Mantisman 100", "bo: Bo 80", "cy: Doctor Cuttlefish 60"], {}, DICE)
    found = ROUNDS.hear(state, "ada", [OrderLine(1, line)])
    assert not found.orders
    shown = f'"{"; ".join(orders)}"'
    assert any(shown in one.because for one in (*found.complaints, *found.doubts)) == bool(orders)


@pytest.mark.parametrize("word", ["resigns", "design", "resing", "confrim"])
def test_a_word_that_stands_alone_is_no_slip_for_an_order(word: str) -> None:
    """Whoever says one word may mean anything; who means to resign is asked to write it."""
    state = lay(["ada: Mantisman 100", "bo: Bo 80"], {"resign": "yes"}, DICE)
    assert ROUNDS.hear(state, "ada", [OrderLine(1, "resign")]).orders
    found = ROUNDS.hear(state, "ada", [OrderLine(1, word)])
    assert not found.orders and (found.complaints or found.doubts)


def test_no_share_is_reckoned_beside_what_may_change_the_set() -> None:
    """What may be an order would take a part of it."""
    heroes = ["ada: Mantisman 100", "bo: Bo 80", "cy: Doctor Cuttlefish 60"]
    lines = [OrderLine(n, text) for n, text in enumerate(("defend 30", "frobnicate 20", "rest on Bo"), 1)]
    found = ROUNDS.hear(lay(heroes, {}, DICE), "ada", lines)
    assert [order.line for order in found.orders] == [1] and [one.line for one in found.doubts] == [2]
    assert [(one.line, one.fault) for one in found.complaints] == [(3, "ambiguous")]


def test_talk_stands_apart_from_orders() -> None:
    """What changes nothing is passed over, what may change something is doubted; both are lines for who asks."""
    heroes = ["ada: Mantisman 100", "bo: Bo 80", "cy: Doctor Cuttlefish 60"]
    lines = [
        OrderLine(n, text) for n, text in enumerate(("What a lovely evening.", "attack Bo 20", "make that double"), 1)
    ]
    found = ROUNDS.hear(lay(heroes, {}, DICE), "ada", lines)
    assert [order.line for order in found.orders] == [2] and not found.complaints
    assert ([one.line for one in found.passed], [one.line for one in found.doubts]) == ([1], [3])
    assert [one.line for one in ROUNDS.parse(lay(heroes, {}, DICE), "ada", lines).complaints] == [1, 3]


def orders(share: int = 1) -> Iterator[tuple[Language, State, Seat, Any]]:
    """Yield every order of the cases, or of a share of them, with how it is read."""
    for sent in sets(share):
        tables = language(sent.state, sent.seat)
        yield from ((tables, sent.state, sent.seat, order) for order in sent.orders if not isinstance(order, Command))


@pytest.mark.parametrize("share", shares(9))
@pytest.mark.parametrize("is_first", [True, False])
def test_every_canonical_line_reads_back(share: int, *, is_first: bool) -> None:
    """By first shapes alone, as journals are read, and by all."""
    wrong = set()
    for tables, state, seat, order in orders(share):
        line = write_line(state, order)
        by = tables.in_first_shapes if is_first else tables
        found = Parses(by, cut(line, by.names)).whole("sentence")
        if [tuple(settled(state, seat, one) for one in cast("tuple[Any, ...]", acts)) for acts in found] != [(order,)]:
            wrong.add(line)
    assert wrong == set()


@pytest.mark.parametrize("share", shares(9))
def test_every_order_is_written_as_now(share: int) -> None:
    """The first shape of each gives today's line, letter for letter."""
    wrong = {
        (write_line(state, order), forms.write(tables, order.at(0), "line"))
        for tables, state, _, order in orders(share)
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
    "prepared": ("P01", "P02", "P03"),
    "titled": ("P01", "P02", "P03"),
    "stranger": ("gwen",),
    "reason": (REASON,),
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
    """Another count is read, and refused. Rule: R13."""
    state = lay(["ada: Mantisman 100", "bo: Plastiquegirl 80", "ada: power Laser Eyes 10: archive"], {}, DICE)
    (complaint,) = RULESET.parse(state, Seat("ada"), [OrderLine(1, line)]).complaints
    assert (complaint.fault, complaint.rule) == ("illegal", "R13")


def read_among(names: Mapping[str, str], line: str) -> Parsed[Any]:
    """Read a line of Ada's among heroes of some names."""
    heroes = ["ada: Mantisman 100", *(f"{seat}: {name} 80" for seat, name in names.items())]
    state = lay(
        [*heroes, "ada: power Zap 10: You do something.", "ada: power Weird Luck 10: You do something."], {}, DICE
    )
    found = ROUNDS.parse(state, "ada", [OrderLine(1, line)])
    return msgspec.structs.replace(found, orders=tuple(write_line(state, order) for order in found.orders))


@pytest.mark.parametrize(
    ("names", "line", "meant"),
    [
        ({"bo": "Is In"}, "if ada is in: attack bo 20", "if Mantisman is in: attack bo 20"),
        ({"bo": "Steel", "cy": "Steel Is In"}, "if Steel is in: attack Steel 20", "if Steel is in: attack Steel 20"),
        ({"bo": "x2"}, "use Zap x2", "use Zap x2"),
        ({"di": "Pride and Joy"}, "attack di 20", "attack di 20"),
        ({"bo": "Bob of Rome"}, "attack Bob of Rome 20", "attack bo 20"),
        ({"bo": "Cy"}, "attack Cy20", "attack Cy 20"),
        ({"bo": "Ann-Marie"}, "attackann-marie 20", "attack Ann-Marie 20"),
        ({"bo": "Bob"}, "Bob 20, please", "attack Bob 20"),
        ({"bo": "Bob"}, "Bob 20 (sorry!)", "attack Bob 20"),
        ({"bo": "Bob"}, "plan Weird Luck: AAA0 bob20", "plan Weird Luck: AAA0 bob20"),
    ],
)
def test_no_name_hides_what_is_ordered_of_others(names: Mapping[str, str], line: str, meant: str) -> None:
    """Whether its words are those of orders, a day, or how often; nor is a text changed by what is a name in it."""
    found = read_among(names, line)
    assert (found.orders, found.complaints) == ((meant,), ())


@pytest.mark.parametrize(
    ("names", "line"),
    [
        ({"bo": "Idle Now"}, "Idle now."),
        ({"bo": "Cy All", "cy": "Cy"}, "(Cy all)"),
        ({"bo": "Guard"}, "I guard 20"),
        ({"bo": "Bob", "cy": "Cy"}, "Cy and attack Bob 20"),
        ({"bo": "Bob"}, "anybody, and spent it well: 22 on Bob, who had the last word"),
    ],
)
def test_neither_a_name_alone_nor_a_report_is_an_order(names: Mapping[str, str], line: str) -> None:
    """Nor a word of orders that is a name as well."""
    assert read_among(names, line).orders == ()
