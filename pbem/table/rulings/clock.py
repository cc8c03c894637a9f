"""What the two rulings that move a deadline share: how far it may go, and the table with it there."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec

from pbem.phrases import Unread
from pbem.table import calendar
from pbem.table.table import Table

NO_DEADLINE = Unread("illegal", "No deadline is running now.")


def is_running(table: Table) -> bool:
    """Say whether there is a deadline that can be moved."""
    return table.deadline is not None and table.status == "open"


def out_of_bounds(table: Table, instant: datetime) -> Unread | None:
    """Say why the charter, or the time that has passed, does not let the deadline be put at an instant."""
    assert table.deadline is not None and table.opened is not None
    cap = calendar.parse_span(table.charter.calendar.longest_extension)
    assert isinstance(cap, timedelta)
    if table.extended + (instant - table.deadline) > cap:
        longest = calendar.show_span(cap)
        return Unread("illegal", f"The charter lets a phase be extended by {longest} in all.")
    if instant <= table.opened:
        return Unread("illegal", "That is before this phase opened. To end it: close now.")
    return None


def move_deadline(table: Table, deadline: datetime) -> Table:
    """Put the deadline at an instant; those who have not moved are reminded anew."""
    assert table.deadline is not None
    extended = table.extended + (deadline - table.deadline)
    return msgspec.structs.replace(table, deadline=deadline, extended=extended, reminded=())
