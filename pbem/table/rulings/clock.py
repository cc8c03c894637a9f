"""What the two rulings that move a deadline share: how far it may go, and the table with it there."""

from datetime import datetime, timedelta

import msgspec

from pbem.language.phrases import Unread
from pbem.table.model import calendar
from pbem.table.model.table import BaseRuling, Table


class DeadlineRuling(BaseRuling, frozen=True, kw_only=True):
    """Put the deadline at another instant, within what the charter allows."""

    is_on_clock = True
    section = "THE CLOCK"

    def moved(self, deadline: datetime) -> datetime:
        """Return where the ruling puts a deadline."""
        raise NotImplementedError

    def unfit(self, table: Table) -> Unread | None:
        """Refuse where no deadline runs, and an instant that is too far or past."""
        if table.deadline is None or table.opened is None or table.status != "open":
            return Unread("illegal", "No deadline is running now.")
        cap = calendar.parse_span(table.charter.calendar.longest_extension)
        assert isinstance(cap, timedelta)
        instant = self.moved(table.deadline)
        if table.extended + (instant - table.deadline) > cap:
            longest = calendar.show_span(cap)
            return Unread("illegal", f"The charter lets a phase be extended by {longest} in all.")
        if instant <= table.opened:
            return Unread("illegal", "That is before this phase opened. To end it: close now.")
        return None

    def act(self, table: Table, noted: datetime) -> Table:
        """Move the deadline; those who have not moved are reminded anew."""
        assert table.deadline is not None
        deadline = self.moved(table.deadline)
        extended = table.extended + (deadline - table.deadline)
        return msgspec.structs.replace(table, deadline=deadline, extended=extended, reminded=())
