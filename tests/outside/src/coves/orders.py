"""How orders are said: two tables, and what each shape means."""

from collections.abc import Mapping
from typing import Any

from coves.coast import WINDS, Order, Sea
from pbem.ruleset import Language, Numbers, Reader, SimpleTables, table

TABLES = SimpleTables(table(__package__, "orders.words"), table(__package__, "orders.shapes"), ("number",))


class Days(Reader[Sea, Order]):
    """What ships are told to do in a day."""

    rule = "C2"

    def language(self, state: Sea, seat: str) -> Language:
        """Return what a seat may write: always the same, since no order names anything."""
        return LANGUAGE


def _sailed(order: Any) -> Mapping[str, Any] | None:
    """Return the slots of an order to sail."""
    if not isinstance(order, Order) or not order.coves:
        return None
    return {"way": 1 if order.coves > 0 else -1, "coves": abs(order.coves)}


LANGUAGE = TABLES.language(
    {"sail": lambda way, coves=1: Order(coves=way * coves)},
    {"number": Numbers(1, 2)},
    values={"stay": Order(), "dig": Order(digs=True), **WINDS},
    parts={"sail": _sailed},
    samples={"number": "2"},
)
DAYS = Days()
