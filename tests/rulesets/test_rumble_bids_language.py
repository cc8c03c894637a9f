"""Bids as the tables read and write them: every bid of the cases, and whatever can be drawn."""

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Any, cast

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pbem.ground.terms import OrderLine, Seat
from pbem.language import forms
from pbem.language.nouns import REASON
from pbem.language.parses import Elided, Language, Parses
from pbem.language.tokens import cut
from pbem.ruleset import Refused
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.auction import bids
from pbem.rulesets.rumble.auction.bids import settled
from pbem.rulesets.rumble.auction.tables import language
from pbem.rulesets.rumble.model.order import Bid
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.orders.writing import write_line
from tests.depth import shares
from tests.language.sentences_drawn import Drawing
from tests.rulesets.rumble_scene import lay
from tests.rulesets.sets_of_cases import Sent, sets_of
from tests.rulesets.test_rumble_bids_spoken import auction


@cache
def sets(share: int = 1) -> tuple[Sent, ...]:
    """Return every set of bids in the cases, or in a share of them."""
    return tuple(sent for sent in sets_of(RULESET, lay, share) if sent.state.phase in ("auction", "rebid"))


def made(share: int = 1) -> Iterator[tuple[Language, State, Seat, Bid]]:
    """Yield every bid of the cases, or of a share of them, with how it is read."""
    for sent in sets(share):
        tables = language(sent.state, sent.seat)
        yield from ((tables, sent.state, sent.seat, bid) for bid in sent.orders if isinstance(bid, Bid))


@pytest.mark.parametrize("share", shares(9))
@pytest.mark.parametrize("is_first", [True, False])
def test_every_bid_of_the_cases_reads_back(share: int, *, is_first: bool) -> None:
    """By first shapes alone, as journals are read, and by all."""
    wrong = set()
    for tables, state, seat, bid in made(share):
        line = write_line(state, bid)
        by = tables.in_first_shapes if is_first else tables
        found = Parses(by, cut(line, by.names)).whole("line")
        if bid not in [settled(state, seat, one) for one in found] or (is_first and len(found) != 1):
            wrong.add(line)
    assert wrong == set()


@pytest.mark.parametrize("share", shares(9))
def test_every_bid_is_written_as_now(share: int) -> None:
    """The first shape gives today's line, letter for letter."""
    count, wrong = 0, set()
    for tables, state, _, bid in made(share):
        ours = write_line(state, bid)
        count += 1
        wrong |= {ours} if forms.write(tables, bid.at(0), "line") != ours else set()
    assert wrong == set() and count > 100 / share


VALUES: dict[str, Sequence[Any]] = {
    "number": (0, 7, 40),
    "power": ("P01", "P02", "P03"),
    "powers": ("P01", "P02"),
    "rival": ("bo",),
    "figure": ("20", "half"),
    "reason": (REASON,),
    "stranger": ("gwen",),
}


@given(st.integers(0, 2**32), st.booleans())
def test_each_sentence_that_can_be_drawn_reads_as_its_meaning(seed: int, is_tie: bool) -> None:
    """Of the tables: what they can make reads as what it means, or also otherwise; and is written as it is now."""
    state = auction(*(["Ink Cloud"] if is_tie else []))
    tables = language(state, "ada")
    drawn = Drawing(tables, VALUES, Random(seed)).sentence("sentence")
    if drawn is not None:
        tokens = cut(drawn[0], tables.names)
        assume(tokens == cut(drawn[0], tables.names, is_first=False))  # 7 - may begin a list as well
        found = Parses(tables, tokens).whole("sentence")
        assert drawn[1] in found, drawn
        for meant in cast("tuple[Any, ...]", drawn[1]):
            bid = settled(state, "ada", meant.order if isinstance(meant, Elided) else meant)
            if isinstance(bid, Bid) and not isinstance(bid, Refused):
                assert forms.write(tables, bid, "line") == write_line(state, bid)


@pytest.mark.parametrize(
    ("mail", "meant"),
    [
        ("Ink 20 (25 if tied). Clumsy 5, discard.", ("bid Clumsy 5 discard", "bid Ink Cloud 20 then 25")),
        ("Clumsy 16. Tied: 19. Still tied: 20.", ("bid Clumsy 16 then 19 then 20",)),
        ("Clumsy 20. Make that 25", ("bid Clumsy 25",)),
        ("Clumsy 20, no wait, 15", ("bid Clumsy 15",)),
        ("Clumsy 20\nInk Cloud the same", ("bid Clumsy 20", "bid Ink Cloud 20")),
        ("Clumsy 20 because I like it", ("bid Clumsy 20",)),
        ("My bids: Clumsy 20, Ink Cloud 5", ("bid Clumsy 20", "bid Ink Cloud 5")),
        ("12 on Clumsy, and if I win it I throw it away", ("bid Clumsy 12 discard",)),
        ("#3 12, #2 7", ("bid Clumsy 12", "bid Ink Cloud 7")),
        ("Power 3 - 12 points", ("bid Clumsy 12",)),
        ("Clumsy ...... 12", ("bid Clumsy 12",)),
        ("Clumsy ... 12", ("bid Clumsy 12",)),
        ("Clumsy and Ink, 5 apiece", ("bid Clumsy 5", "bid Ink Cloud 5")),
    ],
)
def test_what_is_said_of_a_bid_is_said_of_that_one(mail: str, meant: tuple[str, ...]) -> None:
    """In the same sentence and in the next one."""
    found = read(mail)
    assert (found[0], found[1]) == (meant, ()), found


@pytest.mark.parametrize(
    ("mail", "meant"),
    [
        ("Clumsy 20. Ink Cloud 15 or so. Make that 12.", ("bid Clumsy 20",)),
        ("Clumsy 20. No wait, that is what the Doctor says.", ()),
        ("the same on Ink Cloud", ()),
        ("discard it", ()),
        ("if tied 20", ()),
        ("I bid 22", ()),
        ("Clumsy 20 because I like it, or not", ()),
        ("I spent 20 on Clumsy", ()),
        ("Clumsy 20 unless Bo wants it", ()),
        ("no 20 on Clumsy", ()),
        ("Clumsy, 10 or 20", ()),
        ("Clumsy 20, perhaps", ()),
        ("12 on Clumsy, perhaps Ink Cloud 7", ()),
        ("I mean Bo, bid Clumsy 20", ()),
        ("raise Clumsy by 5", ()),
        ("increase Clumsy 5", ()),
        ("drop Clumsy by 5", ()),
        ("Clumsy up 5", ()),
        ("up 5 on Clumsy", ()),
        ("about 20 on Clumsy", ()),
        ("another 10 on Clumsy", ()),
        ("20 less on Clumsy", ()),
        ("Clumsy 20, if tied go up 2", ()),
        ("20 on Clumsy, or", ()),
        ("20 on Clumsy since you ignore me cancel everything", ()),
        ("20 on Clumsy as I said only when it is cheap", ()),
        ("Clumsy 10\nInk Cloud 15\nClumsy 25", ("bid Ink Cloud 15",)),
    ],
)
def test_what_is_not_clear_of_a_bid_is_asked_about(mail: str, meant: tuple[str, ...]) -> None:
    """Nothing of it is taken."""
    taken, asked = read(mail)
    assert taken == meant and asked


@pytest.mark.parametrize("mail", ["with 100 Energy", "20 bid", "tie 5", "put 20"])
def test_a_word_of_orders_is_no_power_by_itself(mail: str) -> None:
    """Where it is one of a power's name; the other words of that are."""
    state = auction(names=("Barter With Fate", "Bid Farewell", "Black Tie", "Put Out"))
    assert not bids.BIDS.hear(state, "ada", [OrderLine(1, mail)]).orders
    fate = bids.BIDS.hear(state, "ada", [OrderLine(1, "fate 20, farewell 5")])
    assert RULESET.format(state, fate.orders) == ("bid P01 20", "bid Bid Farewell 5")


@pytest.mark.parametrize("mail", ["go up 2", "raise 5", "raise by 5", "up 5", "5 more", "drop 5", "another 5", "pass"])
def test_a_difference_is_no_bid_in_a_tie(mail: str) -> None:
    """Nor is it offered as one: the bid that it moves stood before."""
    found = bids.BIDS.hear(auction("Ink Cloud"), "ada", [OrderLine(1, mail)])
    assert not found.orders and not found.offered


@pytest.mark.parametrize(
    "mail", ["I go up to 22", "raise to 22", "I'm raising my bid to 22", "going up until 22 for Ink Cloud"]
)
def test_where_a_bid_moves_to_is_the_bid(mail: str) -> None:
    """With the power or without."""
    found = bids.BIDS.hear(auction("Ink Cloud"), "ada", [OrderLine(1, mail)])
    assert RULESET.format(auction("Ink Cloud"), found.orders) == ("bid Ink Cloud 22",)


def read(mail: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Read a mail of Ada's to an auction: the bids, and what is asked about or waits."""
    state = auction()
    found = bids.BIDS.hear(state, "ada", [OrderLine(number, line) for number, line in enumerate(mail.split("\n"), 1)])
    return tuple(sorted(RULESET.format(state, found.orders))), tuple(
        one.because for one in (*found.complaints, *found.doubts)
    )
