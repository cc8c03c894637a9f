"""`order NAME: ORDER; ORDER`: puts a set on hand for a seat."""

from datetime import datetime
from typing import Self

from pbem.ground.terms import Seat
from pbem.language import phrases
from pbem.language.phrases import Unread
from pbem.table.model.sets import OnHand
from pbem.table.model.table import BaseRuling, Table
from pbem.table.rulings import naming

WANTED = "Write order NAME: ORDER; ORDER because REASON."


class OrderFor(BaseRuling, frozen=True, kw_only=True, tag="order"):
    """Put a set on hand for a seat, in place of what it has."""

    seat: Seat
    orders: tuple[str, ...]

    needs_reason = True
    is_on_secrets = True
    canonical = "orders"
    section = "ORDERS"
    forms = ("order Mantisman: ORDER; ORDER because REASON",)
    says = "Puts a set on hand for somebody, in place of theirs."

    @classmethod
    def read(cls, table: Table, rest: str, because: str) -> Self | Unread:
        """Read whose set it is, and its orders."""
        name, colon, orders_text = rest.partition(":")
        if not colon or not orders_text.strip():
            return Unread("unreadable", WANTED)
        seat = naming.find_seat(table, name.strip())
        if isinstance(seat, Unread):
            return seat
        parts = phrases.parts(orders_text)
        wrong = cls(seat=seat, orders=parts).unfit(table)
        if wrong:
            return wrong
        orders = table.parsed(seat, parts).orders
        kept = table.ruleset.format(table.state, orders)
        if not kept:
            return Unread("unreadable", WANTED)
        if list(table.parsed(seat, kept).orders) != list(orders):
            return Unread("illegal", naming.CANNOT_KEEP)
        return cls(seat=seat, orders=kept, because=because)

    def show(self) -> str:
        """Write whose set it is, and its orders on one line."""
        return f"order {self.seat}: {'; '.join(self.orders)}"

    def unfit(self, table: Table) -> Unread | None:
        """Refuse orders that nobody asked for, and those that the rules would not take."""
        asked = (*table.phase.owing, *table.phase.may) if table.phase and table.status in ("open", "closed") else ()
        if self.seat not in asked:
            return Unread("illegal", f"{table.label(self.seat)} owes no orders in this phase.")
        parsed = table.parsed(self.seat, self.orders)
        wrong = parsed.complaints or table.ruleset.check(table.state, self.seat, parsed.orders)
        return Unread("illegal", f"{wrong[0].text}: {wrong[0].because}") if wrong else None

    def act(self, table: Table, noted: datetime) -> Table:
        """Put the set on hand."""
        held = OnHand(self.orders, (noted, "", ""))
        return table.with_sets(self.seat, hand=held)

    def concerns(self, seat: Seat) -> bool:
        """Tell whose set it is."""
        return seat == self.seat

    def reported(self) -> str:
        """Leave what the orders are to the ruleset's own part."""
        return f"the orders of {self.seat} were changed"
