"""`close now`: ends the phase with what is on hand."""

from __future__ import annotations

from datetime import datetime

import msgspec

from pbem.phrases import Unread
from pbem.table.table import BaseRuling, Table


class CloseNow(BaseRuling, frozen=True, kw_only=True, tag="close now"):
    """End order-taking at once."""

    is_fixed = True
    is_for_good = True
    section = "THE CLOCK"
    forms = ("close now",)
    says = "Ends the phase with what is on hand."

    def unfit(self, table: Table) -> Unread | None:
        """Refuse where no orders are taken."""
        return None if table.status == "open" else Unread("illegal", "No phase is open for orders now.")

    def act(self, table: Table, number: int, noted: datetime) -> Table:
        """Let the phase close."""
        return msgspec.structs.replace(table, close_now=True)
