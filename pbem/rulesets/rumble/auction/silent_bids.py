"""What a seat bids besides what it says: on Flaws that no bid of a set names, or on all powers without a set."""

from collections.abc import Sequence

from pbem.ruleset import Dice
from pbem.rulesets.rumble.model.order import Bid, Order
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.orders import sets

_UNUSED = Dice(bytes(32))


def unsaid(state: State, seat: str, sent: Sequence[Order]) -> tuple[Bid, ...]:
    """Return the bids that silence adds to a set: without any bid all of them, else those on Flaws. Rule: B9."""
    named = {one.power for one in sent if isinstance(one, Bid)}
    silent = [one for one in sets.missing(state, seat, _UNUSED) if isinstance(one, Bid) and one.power not in named]
    return tuple(one for one in silent if not named or state.card(one.power).kind == "flaw")
