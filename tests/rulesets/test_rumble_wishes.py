"""Wishes that stand with bids: what is kept of them while a tie is open."""

from pbem.ground.chance import Dice
from pbem.ruleset import Given, OrderLine, Seat
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.model.state import State
from tests.rulesets.rumble_scene import lay

GIVEN = ("phase auction", "ada: Mantisman 100", "bo: Plastiquegirl 100", "pool: power Flight")
DICE = Dice(b"wishes of winners, and no chance!")


def closed(state: State, **bids: str) -> State:
    """Return the state after everybody has bid so."""
    orders = {Seat(seat): RULESET.parse(state, Seat(seat), [OrderLine(1, bid)]).orders for seat, bid in bids.items()}
    return RULESET.adjudicate(state, orders, Given(), DICE).state


def test_a_wish_to_discard_that_is_withdrawn_leaves_nothing() -> None:
    """Who bids again with keep has no wish any more, and the state has none either."""
    tied = closed(lay(GIVEN, {"ties": "rebid"}, DICE), ada="bid Flight 10 discard", bo="bid Flight 10")
    assert tied.discards == {"P01": ("ada",)}
    assert closed(tied, ada="bid Flight 12 keep", bo="bid Flight 12").discards == {}
