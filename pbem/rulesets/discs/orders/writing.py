"""Orders of the discs as canonical lines, which read back to the same orders."""

from pbem.rulesets.discs.model.order import Begin, Line, Order, With
from pbem.rulesets.discs.model.state import State
from pbem.rulesets.discs.orders.acts import write_act
from pbem.rulesets.discs.orders.conditions import write_test
from pbem.rulesets.discs.orders.names import written
from pbem.rulesets.discs.orders.places import write_place
from pbem.rulesets.discs.orders.standing import write_standing


def write_order(state: State, order: Order) -> str:
    """Write one order."""
    match order:
        case Line():
            card = f"card {order.card}: " if order.card else ""
            tests = f"if {' and '.join(write_test(state, test) for test in order.tests)}: " if order.tests else ""
            return f"{card}{tests}{write_act(state, order.act)}"
        case Begin():
            return f"begin {write_place(state, order.place)}"
        case With():
            return f"team of {written(state, order.seat)}"
        case _:
            return write_standing(state, order)
