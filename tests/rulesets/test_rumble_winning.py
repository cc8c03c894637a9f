"""What is wished for with a bid, and what powers do when won: whatever is bid, letters and states keep to the law."""

import tomllib

import pytest
import tomli_w
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.ground.terms import Given, Seat
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.auction.wishes import choice_of
from pbem.rulesets.rumble.house.options import DEFAULTS
from pbem.rulesets.rumble.model.order import Bid, Order
from pbem.rulesets.rumble.model.state import Edit, Hero, IfWon, Power, State, distinct
from pbem.rulesets.rumble.powers import archive
from pbem.rulesets.rumble.powers.language import numbers
from tests.depth import at_first
from tests.rulesets import rumble_worlds as worlds
from tests.rulesets.test_rumble_laws import DICE, read
from tests.rulesets.test_rumble_letters import hold_to_the_law, letters_about

CARDS = (
    "Blood Rage", "Weak Hands", "Pure Energy Being", "Alternate Universe", "Expert Training", "Tough Skin", "Flight",
    "Energy Bolts", "Wind Up Punch", "Big, Gnashy Claws",
)  # fmt: skip


@st.composite
def auctions(draw: st.DrawFn) -> State:
    """Draw an auction over powers of the archive, most of which do something when they are won."""
    seats = worlds.SEATS[: draw(st.integers(2, 4))]
    names = [name for name in draw(st.permutations(worlds.HEROES)) if name.casefold() not in worlds.SEATS]
    heroes = tuple(Hero(Seat(seat), name) for seat, name in zip(seats, names, strict=False))
    cards = [power for power in archive.archive() if power.name in CARDS]
    drawn = draw(st.lists(st.sampled_from(cards), min_size=1, max_size=5))
    powers = tuple(
        Power(number, name, card.text, lines=card.lines)
        for number, (name, card) in enumerate(zip(distinct([c.name for c in drawn]), drawn, strict=True), 1)
    )
    house = dict(DEFAULTS) | {
        "ties": draw(st.sampled_from(("rebid_once", "shared"))),
        "deck": draw(st.sampled_from(("archive", "unsold"))),
        "peb": draw(st.sampled_from(("winning", "all"))),
        "dead_bidder_powers": draw(st.sampled_from(("discard", "next_bidder"))),
        "bids": draw(st.sampled_from(("open", "hidden"))),
    }
    return State(phase="auction", house=house, heroes=heroes, powers=powers)


@st.composite
def bids(draw: st.DrawFn, state: State, seat: str) -> tuple[Bid, ...]:
    """Draw a bid on each power, with what can be wished for."""
    found = []
    for power in state.pool():
        others = [hero.seat for hero in state.living if hero.seat != seat]
        edits = [
            Edit(other.key, how, what)
            for other in state.pool()
            if other != power
            for what in numbers.in_text(other.text)
            for how in ("double", "halve")
        ]
        won = IfWon()
        if choice_of(power) == "give" and draw(st.booleans()):
            won = IfWon(give=draw(st.sampled_from(others)))
        elif choice_of(power) == "edit" and edits:
            won = IfWon(edits=tuple(draw(st.lists(st.sampled_from(edits), max_size=2))))
        found.append(Bid(power.key, draw(st.sampled_from((0, 5, 20, 60))), won=won))
    return tuple(found)


@settings(max_examples=at_first(2))
@given(st.data())
def test_what_is_won_keeps_to_the_law(data: st.DataObject) -> None:
    """Bids read back; letters hold no orders; a power has one owner who is in; and the state keeps through TOML."""
    state = data.draw(auctions())
    while state.phase in ("auction", "rebid"):
        owing = RULESET.phase(state).owing
        orders: dict[Seat, tuple[Order, ...]] = dict.fromkeys(owing, ())
        if state.phase == "auction":
            orders = {seat: data.draw(bids(state, seat)) for seat in owing}
        for seat, sent in orders.items():
            assert read(state, seat, RULESET.format(state, sent)) == sent
            RULESET.check(state, seat, sent)
        outcome = RULESET.adjudicate(state, orders, Given(), DICE)
        assert RULESET.adjudicate(state, orders, Given(), DICE) == outcome
        assert {event.kind for event in outcome.events} <= RULESET.event_kinds
        after = outcome.state
        assert RULESET.load(tomllib.loads(tomli_w.dumps(RULESET.dump(after))), RULESET.version) == after
        for text in letters_about(state, owing[0], orders[owing[0]], outcome):
            hold_to_the_law(text, (state, after))
        state = after
    assert len({power.key for power in state.powers}) == len(state.powers) and not state.if_won
    assert all(state.hero(power.owner).is_in for power in state.powers if power.owner and power.in_play)
    gone = [power.name for power in state.powers if power.owner and power.in_play]
    assert not any(name.startswith("Alternate Universe") for name in gone)


@pytest.mark.parametrize(
    ("text", "lines", "what", "how", "now", "then"),
    [
        ("+20 to Defence.", "do: defence(me) += 20", "20", "halve", "+10 to Defence.", "do: defence(me) += 10"),
        ("Gain 1.", "do: gain me 1", "1", "halve", "Gain 1.", "do: gain me 1"),
        ("Gain 7.", "do: gain me 7", "7", "halve", "Gain 3.", "do: gain me 3"),
        ("Half your Energy.", "do: gain me energy(me) / 2", "half", "halve", "A quarter of your Energy.", "/ 4"),
        ("Double it.", "do: attack(me, any) *= 2", "double", "double", "Quadruple it.", "*= 4"),
        ("Gain 2, twice.", "do: gain me 2", "2", "double", "Gain 4, twice.", ""),
        ("Gain 5 and 5.", "do: gain me 5", "5", "double", "Gain 10 and 5.", ""),
        (
            "The 1st time: 1.",
            "when: damage to me\nnth: 1 each round\ndo: gain me 1",
            "1",
            "double",
            "1st time: 2.",
            "2",
        ),
    ],
)
def test_a_single_number_is_changed(text: str, lines: str, what: str, how: str, now: str, then: str) -> None:
    """In the text where it first stands; in the lines only where it is clear which number is meant."""
    assert now in numbers.changed_text(text, what, how, DEFAULTS)
    found = numbers.changed_lines(text, lines, what, how, DEFAULTS)
    assert (found.endswith(then) and then) if isinstance(found, str) else not then
