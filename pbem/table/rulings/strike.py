"""`strike NAME 2`: takes one order out of a set on hand."""

import re
from datetime import datetime
from typing import Self

from pbem.ground.terms import Seat
from pbem.language.phrases import Unread
from pbem.table.model import hands
from pbem.table.model.table import BaseRuling, Table
from pbem.table.rulings import naming


class Strike(BaseRuling, frozen=True, kw_only=True, tag="strike"):
    """Take one order out of a seat's set on hand."""

    seat: Seat
    order: str

    needs_reason = True
    is_on_secrets = True
    canonical = "order"
    section = "ORDERS"
    forms = ("strike Cuttlefish 2 because REASON",)
    says = "Takes the second line out of that set on hand."

    @classmethod
    def read(cls, table: Table, rest: str, because: str) -> Self | Unread:
        """Read whose order it is, and its line by number or in words."""
        match = re.fullmatch(r"([^:]+?):?\s+([0-9]{1,3})", rest)
        name, colon, order = rest.partition(":")
        seat = naming.find_seat(table, match[1] if match else name)
        if not match and not colon:
            return Unread("unreadable", "Write strike NAME 2 because REASON.")
        if isinstance(seat, Unread):
            return seat
        orders = table.sets.hand[seat].orders if seat in table.sets.hand else ()
        if match and not 1 <= int(match[2]) <= len(orders):
            return Unread("illegal", f"{table.label(seat)} has {len(orders)} orders on hand.")
        return cls(seat=seat, order=orders[int(match[2]) - 1] if match else order.strip(), because=because)

    def show(self) -> str:
        """Write whose order it is, and its line."""
        return f"strike {self.seat}: {self.order}"

    def unfit(self, table: Table) -> Unread | None:
        """Refuse to strike what is not there, and what the rest of the set needs."""
        held = table.sets.hand.get(self.seat)
        if held is None or self.order not in held.orders:
            return Unread("illegal", f"{table.label(self.seat)} has no such order on hand.")
        wrong = table.parsed(self.seat, hands.without_order(held.orders, self.order)).complaints
        if wrong:
            return Unread("illegal", f"Without that line the rest no longer reads: {wrong[0].because}")
        return None

    def act(self, table: Table, noted: datetime) -> Table:
        """Take the order off the table."""
        return hands.strike(table, self.seat, self.order)

    def concerns(self, seat: Seat) -> bool:
        """Tell whose order it was."""
        return seat == self.seat

    def reported(self) -> str:
        """Leave what the order was to the ruleset's own part."""
        return f"the orders of {self.seat} were changed"
