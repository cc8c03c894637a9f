"""Programs that play the discs: within the rules, under all house rules, and to an end."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.ground.chance import Dice
from pbem.ground.terms import Given, OrderLine, Seat
from pbem.rulesets.discs.bots import BOTS, CORNER, FINISHER, HUNTER, KEEPER, STANDER
from tests.depth import at_first
from tests.rulesets.discs_scene import lay
from tests.rulesets.discs_worlds import RULESET, World, worlds

LISTS = {"hunter": (), "stander": (STANDER,), "corner": (CORNER,), "finisher": (FINISHER,)}
"""What programs send when they do not hunt; all others hunt or keep their cards."""


@given(worlds(), st.sampled_from(sorted(BOTS)))
def test_programs_send_what_the_rules_take(world: World, bot: str) -> None:
    """No line of theirs is refused, the set passes the check, and it is read back from its lines."""
    for one in world.state.standing():
        sent = BOTS[bot](world.state, one.seat, world.dice)
        assert len(sent) in {len(HUNTER), *map(len, LISTS.get(bot, (KEEPER,)))}
        assert RULESET.check(world.state, one.seat, sent) == ()
        lines = [OrderLine(number, text) for number, text in enumerate(RULESET.format(world.state, sent), 1)]
        assert RULESET.parse(world.state, one.seat, lines).orders == sent
        assert RULESET.stands(world.state, one.seat, sent)


@settings(max_examples=at_first(2))
@given(worlds(), st.lists(st.sampled_from(sorted(BOTS)), min_size=6, max_size=6))
def test_every_battle_of_programs_ends(world: World, tempers: list[str]) -> None:
    """Whatever the house rules are, and whoever plays; nobody owes anything then."""
    house = {**world.state.house, "grid": "30"}
    state = RULESET.setup(world.state.names, house, world.dice)
    for number in range(3000):
        phase, dice = RULESET.phase(state), world.dice.at(str(number))
        bots = dict(zip(state.names, tempers, strict=False))
        orders = {seat: BOTS[bots[seat]](state, seat, dice.at(seat)) for seat in phase.owing}
        outcome = RULESET.adjudicate(state, orders, Given(), dice)
        state = outcome.state
        if outcome.result:
            assert RULESET.phase(state).owing == () and RULESET.ending(outcome.result)
            return
    raise AssertionError("it does not end")


def test_who_keeps_cards_hunts_when_waiting_is_worth_nothing() -> None:
    """When the walls come in, and when one foe is left of several; not at the beginning of a duel."""
    given_ = ("ada at 4,4", "bo at 12,12", "cy at 20,20")
    for more, hunts in ((), False), (("walls 1",), True):
        state = lay((*given_, *more), {}, Dice(bytes(32)))
        assert (len(BOTS["keeper"](state, Seat("ada"), Dice(bytes(32)))) == len(HUNTER)) is hunts
    alone = lay((*given_[:2], "cy at 20,20 out by bo"), {}, Dice(bytes(32)))
    assert len(BOTS["keeper"](alone, Seat("ada"), Dice(bytes(32)))) == len(HUNTER)
    duel = lay(given_[:2], {}, Dice(bytes(32)))
    assert len(BOTS["keeper"](duel, Seat("ada"), Dice(bytes(32)))) == len(KEEPER)


def test_who_waits_goes_after_the_last_foe_of_several() -> None:
    """Where one stands or walks into a corner before that, as each would win nothing by waiting for longer."""
    given_ = ("ada at 4,4", "bo at 12,12", "cy at 20,20")
    for name, lines in (("stander", STANDER), ("corner", CORNER)):
        three, two = (lay((*given_[:2], one), {}, Dice(bytes(32))) for one in (given_[2], f"{given_[2]} out by bo"))
        sent = [BOTS[name](state, Seat("ada"), Dice(bytes(32))) for state in (three, two)]
        assert [len(lines_) for lines_ in sent] == [len(lines), len(HUNTER)]


def test_each_seat_can_have_a_temper_of_its_own() -> None:
    """The first hunts, the second keeps, and so on; they keep it for as long as it is worth something."""
    state = lay(("ada at 4,4", "bo at 12,12", "cy at 20,20"), {}, Dice(bytes(32)))
    lengths = [len(BOTS["seated"](state, seat, Dice(bytes(32)))) for seat in state.names]
    assert lengths == [len(HUNTER), len(KEEPER), len(HUNTER)]
