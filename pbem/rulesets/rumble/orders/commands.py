"""Orders for a Sidekick, apart from those of its player."""

from collections.abc import Sequence

from pbem.rulesets.rumble.model.order import Command, If, Order, Orders, RoundOrder
from pbem.rulesets.rumble.model.state import State

NAME = "Sidekick"
"""What a Sidekick is called that nobody has named."""


def orders_for(orders: Sequence[Order], seat: str) -> tuple[RoundOrder | If, ...]:
    """Return what a set orders for a Sidekick, each order with the line that it stood in."""
    lines = [order for order in orders if isinstance(order, Command) and order.seat == seat]
    return tuple(one.at(line.line) for line in lines for one in line.orders)


def by_hero(state: State, orders: Orders) -> dict[str, tuple[Order, ...]]:
    """Split the sets of players into one set for each hero that they decide for."""
    found: dict[str, tuple[Order, ...]] = {}
    for seat, sent in orders.items():
        found[seat] = tuple(order for order in sent if not isinstance(order, Command))
        found |= {hero.seat: orders_for(sent, hero.seat) for hero in state.sidekicks(seat)}
    return found
