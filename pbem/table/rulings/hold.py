"""`hold`: keeps the report back until it is approved."""

from __future__ import annotations

from datetime import datetime

import msgspec

from pbem.phrases import Unread
from pbem.table.table import BaseRuling, Table


class Hold(BaseRuling, frozen=True, kw_only=True, tag="hold"):
    """Keep the report back, whatever else is ruled."""

    is_fixed = True
    is_numbered = False
    makes_proof = False
    section = "THE PROOF AND THE REPORT"
    forms = ("hold",)
    says = "Keeps it back until you approve it, whatever you rule meanwhile. I remind you of it."

    def unfit(self, table: Table) -> Unread | None:
        """Refuse where there is no proof."""
        if table.status == "closed":
            return None
        return Unread("illegal", "There is no proof to hold; orders are still open.")

    def act(self, table: Table, number: int, noted: datetime) -> Table:
        """Keep the report back."""
        return msgspec.structs.replace(table, held=True, approved=0)
