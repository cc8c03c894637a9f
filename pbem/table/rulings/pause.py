"""`pause` and `resume`: stop the clock of a phase, and start it."""

from datetime import datetime

import msgspec

from pbem.language.phrases import Unread
from pbem.table.model.table import BaseRuling, Table

replace = msgspec.structs.replace


class Pause(BaseRuling, frozen=True, kw_only=True, tag="pause"):
    """Stop the clock; orders are taken meanwhile."""

    is_fixed = True
    is_on_clock = True
    section = "THE CLOCK"
    forms = ("pause",)

    def unfit(self, table: Table) -> Unread | None:
        """Refuse where no clock runs."""
        is_running = table.status == "open" and table.paused is None
        return None if is_running else Unread("illegal", "No clock is running now.")

    def act(self, table: Table, noted: datetime) -> Table:
        """Note since when the clock stands."""
        return replace(table, paused=noted)


class Resume(BaseRuling, frozen=True, kw_only=True, tag="resume"):
    """Start the clock again."""

    is_fixed = True
    is_on_clock = True
    section = "THE CLOCK"
    forms = ("resume",)
    says = "Stops the clock, and starts it; the deadline moves by as long as the pause. Orders are taken meanwhile."

    def unfit(self, table: Table) -> Unread | None:
        """Refuse where the clock runs."""
        return Unread("illegal", "The game is not paused.") if table.paused is None else None

    def act(self, table: Table, noted: datetime) -> Table:
        """Move the deadline by as long as the pause."""
        assert table.paused is not None and table.deadline is not None
        return replace(table, paused=None, deadline=table.deadline + (noted - table.paused))
