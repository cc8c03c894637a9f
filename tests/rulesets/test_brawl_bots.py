"""Programs that brawl: within the rules, at what the pub offers, and to an end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.chance import Dice
from pbem.ground.terms import Given, Seat
from pbem.rulesets.brawl import RULESET
from pbem.rulesets.brawl.bots import BOTS
from pbem.rulesets.brawl.options import DEFAULTS
from tests.rulesets.brawl_worlds import ACTIONS, SEATS, World, closed, nobody_writes, read, worlds

CAN_END = (
    {"end": "last_standing"},
    {"end": "first_ko"},
    {"end": "rounds", "police": "6"},
    {"end": "rounds", "teams": "1"},
)


@given(worlds(), st.sampled_from(sorted(BOTS)))
def test_programs_send_what_the_rules_take(world: World, bot: str) -> None:
    """Each set of theirs passes the check, and is read back from its lines, under all house rules."""
    state = world.begun()
    for number in range(12):
        dice = world.dice.at(str(number))
        orders = {seat: BOTS[bot](state, seat, dice.at(seat)) for seat in RULESET.phase(state).owing}
        for seat, sent in orders.items():
            assert RULESET.check(state, seat, sent) == ()
            assert read(state, seat, list(RULESET.format(state, sent))) == sent
        outcome, _, stops = closed(state, orders, Given(), dice, lambda asked, seat: BOTS[bot](asked, seat, world.dice))
        for stop in stops:
            answer = BOTS[bot](stop, Seat(stop.turn), world.dice)
            assert RULESET.check(stop, Seat(stop.turn), answer) == ()
            assert read(stop, stop.turn, list(RULESET.format(stop, answer))) == answer
        state = outcome.state
        if outcome.result:
            break


@pytest.mark.parametrize("house", CAN_END, ids=lambda house: "-".join(house.values()))
@given(data=st.data())
def test_every_brawl_of_programs_ends(house: dict[str, str], data: st.DataObject) -> None:
    """Under all house rules, those that are refused now among them; nobody who is down or has left is among the winners of a last stand."""
    world = data.draw(worlds(**house))
    bot = BOTS[data.draw(st.sampled_from(sorted(BOTS)))]
    state = world.begun()
    for number in range(2000):
        dice = world.dice.at(str(number))
        orders = {seat: bot(state, seat, dice.at(seat)) for seat in RULESET.phase(state).owing}
        outcome, _, _ = closed(state, orders, Given(), dice, lambda asked, seat: bot(asked, seat, world.dice))
        state = outcome.state
        if outcome.result:
            assert RULESET.phase(state).owing == ()
            return
    raise AssertionError("it does not end")


@given(worlds())
def test_a_brawl_in_which_nobody_writes_breaks_up(world: World) -> None:
    """Nobody is hurt, so it ends with the round that the stall says, or with the police, called or agreed on, before it."""
    state = world.begun()
    rounds = [int(world.house[name]) for name in ("stall", "police") if world.house[name] != "0"]
    while True:
        orders = {seat: nobody_writes(state, seat) for seat in RULESET.phase(state).owing}
        outcome, _, _ = closed(state, orders, Given(), world.dice.at(f"{state.round}"), nobody_writes)
        if outcome.result:
            break
        state = outcome.state
    called = any(verdict.key == "police" and verdict.value for verdict in outcome.verdicts)
    assert outcome.state.round <= min(rounds) if called else outcome.state.round == min(rounds)


def test_the_regular_uses_all_that_a_pub_offers() -> None:
    """In a few games of two teams every drop die is dropped and works, and dice are delayed and given."""
    house = {**DEFAULTS, "teams": "2"}
    seats = {Seat(seat): seat.capitalize() for seat in SEATS}
    worked: set[str] = set()
    for number in range(4):
        dice = Dice(bytes(32)).at(f"game {number}")
        state = RULESET.setup(seats, house, dice)
        for turn in range(60):
            now = dice.at(str(turn))
            orders = {seat: BOTS["regular"](state, seat, now.at(seat)) for seat in RULESET.phase(state).owing}
            outcome = RULESET.adjudicate(state, orders, Given(), now)
            worked |= {verdict.key.split()[0] for verdict in outcome.verdicts if verdict.value}
            worked |= {die.source for fighter in outcome.state.fighters for die in fighter.dice}
            if outcome.result:
                break
            state = outcome.state
    assert worked >= {*ACTIONS, "attack", "save", "delayed", "floor"}


def test_the_regular_binds_nobody_where_that_spares_no_friend() -> None:
    """Everyone for themselves, a die that turns somebody on oneself is thrown away."""
    seats = {Seat(seat): seat.capitalize() for seat in SEATS}
    for number in range(3):
        dice = Dice(bytes(32)).at(f"game {number}")
        state = RULESET.setup(seats, DEFAULTS, dice)
        for turn in range(10):
            now = dice.at(str(turn))
            orders = {seat: BOTS["regular"](state, seat, now.at(seat)) for seat in RULESET.phase(state).owing}
            outcome = RULESET.adjudicate(state, orders, Given(), now)
            assert not any(verdict.key.startswith("bind") for verdict in outcome.verdicts)
            if outcome.result:
                break
            state = outcome.state
