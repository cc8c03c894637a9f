"""Sidekicks: their lines read back whatever they are called, their letters are letters, and mail reaches who plays them."""

from datetime import timedelta
from pathlib import Path

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.ground.terms import Seat
from pbem.hall.store.catalogue import rulesets_known
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.house.options import DEFAULTS
from pbem.rulesets.rumble.model.order import Command, If, Order, Plan, Resign, RoundOrder
from pbem.rulesets.rumble.model.state import Hero, Power, State
from pbem.rulesets.rumble.orders.sets import missing
from pbem.rulesets.rumble.powers.archive import Archived, find
from pbem.world.settings import templates
from tests.conftest import Room, flat
from tests.depth import at_first
from tests.rulesets import rumble_worlds as worlds
from tests.rulesets.test_rumble_laws import DICE, read, rulings_for
from tests.rulesets.test_rumble_letters import hold_to_the_law, letters_about

ADA, BO, CY, GWEN = "ada@example.org", "bo@example.org", "cy@example.org", "gwen@example.org"
NAMES = {"ada": "Mantisman", "bo": "Doctor Cuttlefish", "cy": "Plastiquegirl"}


@st.composite
def states(draw: st.DrawFn) -> State:
    """Draw a state in which some powers are Sidekicks too, some of them of heroes who are out."""
    state = draw(worlds.states())
    free = [name for name in worlds.HEROES if name not in state.names.values() and name.casefold() not in state.names]
    powers = draw(st.lists(st.sampled_from(state.powers), min_size=1, max_size=2, unique=True))
    names = draw(st.permutations([*free, "Sidekick", "Sidekick (2)"]))
    sidekicks = tuple(
        Hero(Seat(f"sidekick_{power.key}"), name, draw(st.integers(1, 60)), power=power.key)
        for name, power in zip(names, powers, strict=False)
    )
    return msgspec.structs.replace(state, heroes=(*state.heroes, *sidekicks))


@st.composite
def sets(draw: st.DrawFn, state: State, seat: str) -> tuple[Order, ...]:
    """Draw what a seat orders for itself, if it is in, and for its Sidekicks."""
    found: list[Order] = list(draw(worlds.sets(state, seat))) if state.hero(seat).is_in else []
    for one in state.sidekicks(seat):
        held: list[RoundOrder | If] = [o for o in draw(worlds.sets(state, one.seat)) if not isinstance(o, Resign)]  # type: ignore[misc]
        whole = [o for o in held if isinstance(o, If | Plan)]  # each goes on to the end of its line
        plain = tuple(o for o in held if o not in whole)
        found += [Command(one.seat, orders) for orders in (plain, *((o,) for o in whole)) if orders]
    return tuple(found)


@given(st.data())
def test_orders_for_a_sidekick_read_back_as_they_were_written(data: st.DataObject) -> None:
    """Whatever it, and those whom it strikes, are called."""
    state = data.draw(states())
    seat = data.draw(st.sampled_from(state.playing))
    orders = data.draw(sets(state, seat))
    assert read(state, seat, RULESET.format(state, orders)) == orders


@settings(max_examples=at_first(1))
@given(st.data())
def test_no_line_about_a_sidekick_is_an_order(data: st.DataObject) -> None:
    """All that is written about a round with Sidekicks keeps to its columns, and none of it could be sent back."""
    state = data.draw(states())
    sent = {seat: data.draw(sets(state, seat)) for seat in state.playing}
    for seat, drawn in sent.items():
        sent[seat] = missing(state, seat, DICE) if RULESET.check(state, seat, drawn) else drawn
    outcome = RULESET.adjudicate(state, sent, rulings_for(data, state), DICE)
    seat = data.draw(st.sampled_from(state.playing))
    for text in letters_about(state, seat, sent[seat], outcome):
        hold_to_the_law(text, (state, outcome.state))


def test_who_is_out_is_asked_for_a_sidekick_still_and_wins_with_it(tmp_path: Path) -> None:
    """By mail: Mantisman falls in the first round, and Bucky wins the game for him."""
    room = Room(tmp_path / "arena", rulesets_known(), templates())
    room.found(*NAMES, ruleset="rumble", name="ember-7", names=NAMES, review=())
    card = find("sidekick")
    assert isinstance(card, Archived)
    room.write(ADA, f"power: {card.name}\ntext: {card.text}")
    while room.table("ember-7").title != "Auction":
        room.sweep(timedelta(hours=12))
    room.write(ADA, "bid Sidekick 20")
    for who in (BO, CY):
        room.write(who, "bid Sidekick 0")
    room.sweep()
    assert "Sidekick enters, a hero on 50 Energy, under the orders of Mantisman" in flat(room.last(BO))
    room.write(ADA, "name sidekick: Bucky\nsidekick: defend 50\ndefend 0")
    room.write(BO, "attack Mantisman 90\ndefend 10")
    room.write(CY, "attack Mantisman 90")
    room.sweep()
    assert "what is asked of Mantisman" in flat(room.last(ADA)) and "You decide for Bucky" in flat(room.last(ADA))
    room.write(ADA, "defend 50")
    room.sweep()
    assert "Mantisman is out. Write sidekick Bucky: attack NAME 20; defend 30." in flat(room.last(ADA))
    room.write(ADA, "sidekick Bucky: attack Plastiquegirl 40, defend 10")
    room.write(BO, "attack Plastiquegirl 60\ndefend 40")
    room.write(CY, "attack Cuttlefish 100")
    room.write(GWEN, "do deal 100 to Doctor Cuttlefish because the roof came down")
    room.sweep()
    assert "Mantisman wins with Bucky standing to the last." in flat(room.last(CY)), room.last(CY)
    room.arena.close()


def test_a_condition_on_a_sidekicks_orders_holds_for_all_behind_it() -> None:
    """As on a line of one's own, nothing is cut off behind an if."""
    heroes = (
        Hero(Seat("ada"), "Max", 100),
        Hero(Seat("bo"), "Moritz", 100),
        Hero(Seat("side"), "Bucky", 9, power="P01"),
    )
    state = State(phase="round", house=dict(DEFAULTS), heroes=heroes, powers=(Power(1, "Sidekick", "", owner="ada"),))
    (order,) = read(state, "ada", ("sidekick Bucky: defend 1; if my energy < 40: defend 2; attack Moritz 3",))
    assert isinstance(order, Command) and isinstance(order.orders[1], If) and len(order.orders[1].then) == 2
