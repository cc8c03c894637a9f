"""`extend 24h`: moves the deadline later by a span."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Self

from pbem import phrases
from pbem.phrases import Unread
from pbem.table import calendar
from pbem.table.rulings import clock
from pbem.table.table import BaseRuling, Table


class Extend(BaseRuling, frozen=True, kw_only=True, tag="extend"):
    """Move the deadline later by a span, within what the charter allows."""

    span: timedelta

    is_on_clock = True
    section = "THE CLOCK"
    forms = ("extend 24h",)

    @classmethod
    def read(cls, table: Table, rest: str, because: str) -> Self | Unread:
        """Read the span."""
        span = calendar.parse_span(phrases.without_stop(rest))
        return span if isinstance(span, Unread) else cls(span=span, because=because)

    def show(self) -> str:
        """Write the span."""
        return f"extend {calendar.show_span(self.span)}"

    def unfit(self, table: Table) -> Unread | None:
        """Refuse where no deadline runs, and what moves nothing or too far."""
        if table.deadline is None or not clock.is_running(table):
            return clock.NO_DEADLINE
        if not self.span:
            return Unread("illegal", "That moves nothing. Write extend 24h, or deadline and an instant.")
        return clock.out_of_bounds(table, table.deadline + self.span)

    def act(self, table: Table, noted: datetime) -> Table:
        """Move the deadline."""
        assert table.deadline is not None
        return clock.move_deadline(table, table.deadline + self.span)
