"""The tables of a brawl's rounds: what they write reads back, what they can make means what it says."""

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Any, cast

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pbem.ground.terms import OrderLine, Seat
from pbem.language import forms
from pbem.language.parses import Elided, Language, Parses
from pbem.language.together import read
from pbem.language.tokens import cut
from pbem.ruleset import Refused
from pbem.rulesets.brawl import RULESET
from pbem.rulesets.brawl.language.legality import settled
from pbem.rulesets.brawl.language.rounds import language
from pbem.rulesets.brawl.state import Die, State
from tests.depth import shares
from tests.language.sentences_drawn import Drawing
from tests.rulesets.brawl_scene import lay
from tests.rulesets.sets_of_cases import DICE, Sent, sets_of
from tests.rulesets.test_brawl_spoken import ME, brawl

SHARE = 6
"""Of so many cases the quick tests try one; the sweep tries all."""


@cache
def sets(share: int) -> tuple[Sent, ...]:
    """Return every set of the cases, or of a share of them, in rounds and in answer to questions."""
    return sets_of(RULESET, lay, share)


def test_no_kind_is_called_as_an_act_of_others() -> None:
    """What has no act of its own would mean what that one does."""
    sent = sets(SHARE)[0]
    tables = language(sent.state, sent.seat)
    assert {shape.kind for shape in tables.shapes.all if not shape.act} & {*tables.acts} == set()


def orders(share: int) -> Iterator[tuple[Language, State, Seat, Any]]:
    """Yield every order of the cases, or of a share of them, with how it is read."""
    for sent in sets(share):
        tables = language(sent.state, sent.seat)
        yield from ((tables, sent.state, sent.seat, order) for order in sent.orders)


@pytest.mark.parametrize("share", shares(SHARE))
@pytest.mark.parametrize("is_first", [True, False])
def test_every_canonical_line_reads_back(share: int, *, is_first: bool) -> None:
    """By first shapes alone, as journals are read, and by all."""
    wrong = set()
    for tables, state, seat, order in orders(share):
        line = order.write(state)
        by = tables.in_first_shapes if is_first else tables
        found = Parses(by, cut(line, by.names)).whole("sentence")
        if [tuple(settled(state, seat, one) for one in cast("tuple[Any, ...]", acts)) for acts in found] != [(order,)]:
            wrong.add(line)
    assert wrong == set()


@pytest.mark.parametrize("share", shares(SHARE))
def test_every_order_is_written_by_its_first_shape(share: int) -> None:
    """Letter for letter as the record writes itself."""
    wrong = {
        (order.write(state), forms.write(tables, order.at(0), "line"))
        for tables, state, _, order in orders(share)
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


def taken(state: State, text: str, seat: Seat = ME) -> tuple[str, ...]:
    """Return the canonical lines of what a text orders; none where something of it is asked, unread or refused."""
    said = read(language(state, seat), [OrderLine(number, line) for number, line in enumerate(text.split("\n"), 1)])
    meant = [settled(state, seat, order) for one in said for order in one.orders]
    is_clear = all(one.verdict in ("taken", "passed") for one in said)
    orders = [order for order in meant if not isinstance(order, Refused)]
    return tuple(order.write(state) for order in orders) if is_clear and len(orders) == len(meant) else ()


SAID = {
    "I'll attack Bob with a and use b for damage": "attack Bob with a damage b",
    "gonna hit Bob with my one and hurt him with my two": "attack Bob with a damage b",
    "Hit Bob (a, dmg b). Defend (c). Regain (d).": "attack Bob with a damage b; defend with c; drop d regain",
    "a+b at Bob for c damage": "attack Bob with a b damage c",
    "with a and b I hit Bob, c and d for damage": "attack Bob with a b damage c d",
    "attack Bob with a damage b and Zed with c damage d": "attack Bob with a damage b; attack Zed with c damage d",
    "I am attacking Bob with die a and for damage I use die b": "attack Bob with a damage b",
    "an attack on Bob with a and damage b": "attack Bob with a damage b",
    "defend with c and with d": "defend with c; defend with d",
    "defend against Bob with c and against Zed with d": "defend with c vs Bob; defend with d vs Zed",
    "block Bob's attack with c": "defend with c vs Bob",
    "my a and b are for defence": "defend with a b",
    "save d for next round as damage": "delay d damage",
    "delay a attack, b damage": "delay a attack; delay b damage",
    "drop c and d for maneuver": "drop c maneuver; drop d maneuver",
    "the four regains, the three defends": "drop d regain; defend with c",
    "use c to counter the old advantage of Bob": "drop c counter Bob old advantage",
    "any given die: drink": "coop die: drink",
    "coop die: attack Bob with a and hurt with it": "coop die: attack Bob with a",
    "if Bob and Zed attack me: defend with c": "if Bob attacks me and Zed attacks me: defend with c",
    "if I get attacked, defend with c; if not, drop c regain": "if attacked by >= 1: defend with c else drop c regain",
    "defend with c in case Bob attacks me": "if Bob attacks me: defend with c",
    "should Bob attack me, c defends": "if Bob attacks me: defend with c",
    "if Bob's health is under 5: drop c drink": "if health of Bob < 5: drop c drink",
    "please ask me first": "ask me",
    "damage order: highest first": "damage order: high",
}  # fmt: skip
"""What people say besides the wordings of `test_brawl_spoken`."""


@pytest.mark.parametrize("said", SAID)
def test_what_is_said_in_other_words_is_read(said: str) -> None:
    """Frames around an order, dice before or behind, several orders in a sentence, conditions in front and behind."""
    state = brawl("Bob")
    fighters = [
        msgspec.structs.replace(one, dice=(Die("a", 1),)) if one.seat != ME else one
        for one in sorted(state.fighters, key=lambda one: one.seat == ME)
    ]
    ranks = tuple((one.seat,) for one in fighters)
    fast = msgspec.structs.replace(state, fighters=tuple(fighters), order=ranks)
    assert "; ".join(taken(fast, said)) == SAID[said]


@pytest.mark.parametrize(
    "said",
    [
        "attack Bob with a, b, c for damage", "defend with all but a", "Zed and attack Bob with a damage b",
        "defend with c; a", "my old a and b are for defence", "nothing regain c",
        "defend with a if Bob attacks me, then drop c regain", "defend with a, defend with b if Bob attacks me",
        "coop die: drop a drink", "coop die: regain; defend with b", "if always: defend with a; b",
        "if Bob attacks me: defend with a, if Zed attacks me: defend with b", "if Bob attacks me defend with a b regain",
    ],
)  # fmt: skip
def test_talk_and_doubt_are_no_orders(said: str) -> None:
    """No part of a sentence that was not read counts, nor what may be meant in two ways."""
    assert taken(brawl("Bob"), said) == ()
