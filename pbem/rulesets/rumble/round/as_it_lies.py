"""What would come of a round as its orders lie open, for whoever is asked about them; decides nothing."""

from collections.abc import Sequence

from pbem.ruleset import Dice, Facts, Given
from pbem.rulesets.rumble.model.order import Attack, Defend, Discard, Hold, Order, Orders, Resign, Use
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.orders import conditions
from pbem.rulesets.rumble.round import adjudication
from pbem.rulesets.rumble.round.question import Asking

_OPEN = Attack | Defend | Use | Hold | Discard | Resign
"""What of a set all see who are asked: neither plans nor what waits for a condition. Rule: R7, A27."""
_DICE = Dice(b"as the orders lie open")


def as_it_lies(state: Asking, seat: str) -> Facts:
    """
    Return what comes at a seat, and of its round, if nobody answers anything.

    Shape: `attacks` by whoever makes them, `defence` and `energy` are numbers as powers leave them, None where nothing
    like that comes about; `out` says that the hero falls. What others keep secret is left out, and so are rulings.
    Rule: C2, R7.
    """
    begun = state.begun
    outcome = adjudication.play(begun, lying_open(state, seat), {}, Given(state.pinned), _DICE, is_told=False)
    values = {verdict.key: verdict.value for verdict in outcome.verdicts}
    after, others = outcome.state.hero(seat), [hero for hero in begun.living if hero.seat != seat]
    return {
        "attacks": {one.name: values.get(f"attack of {one.seat} on {seat}") for one in others},
        "defence": values.get(f"defence of {seat}"),
        "energy": after.energy,
        "out": not after.is_in,
    }


def lying_open(state: Asking, seat: str) -> Orders:
    """Return the sets of all as a seat that is asked sees them: its own whole, of the others what lies open."""
    begun = state.begun
    return {one: orders if one == seat else _open(begun, one, orders) for one, orders in state.orders.items()}


def _open(state: State, seat: str, orders: Sequence[Order]) -> tuple[Order, ...]:
    return tuple(order for order in conditions.in_force(state, seat, orders) if isinstance(order, _OPEN))
