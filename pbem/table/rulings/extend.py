"""`extend 24h`: moves the deadline later by a span."""

from datetime import datetime, timedelta
from typing import Self

from pbem.language import phrases
from pbem.language.phrases import Unread
from pbem.table.model import calendar
from pbem.table.model.table import Table
from pbem.table.rulings.clock import DeadlineRuling


class Extend(DeadlineRuling, frozen=True, kw_only=True, tag="extend"):
    """Move the deadline later by a span, within what the charter allows."""

    span: timedelta

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
        """Refuse what moves nothing, too."""
        wrong = super().unfit(table)
        if wrong or self.span:
            return wrong
        return Unread("illegal", "That moves nothing. Write extend 24h, or deadline and an instant.")

    def moved(self, deadline: datetime) -> datetime:
        """Put it later by the span."""
        return deadline + self.span
