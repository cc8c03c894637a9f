"""`hold`: keeps the report back until it is approved."""

from datetime import datetime

import msgspec

from pbem.table.model.table import BaseRuling, Table


class Hold(BaseRuling, frozen=True, kw_only=True, tag="hold"):
    """Keep the report back, whatever else is ruled; `by_deputy` where the deputy does."""

    by_deputy: bool = False

    when = "closed"
    not_now = "There is no proof to hold; orders are still open."
    is_fixed = True
    is_numbered = False
    makes_proof = False
    section = "THE PROOF AND THE REPORT"
    forms = ("hold",)
    says = "Keeps it back until you approve it, whatever you rule meanwhile. I remind you of it."

    def show(self) -> str:
        """Write the verb alone."""
        return self.verb()

    def act(self, table: Table, noted: datetime) -> Table:
        """Keep the report back."""
        if self.by_deputy:
            return msgspec.structs.replace(table, deputy_holds=True)
        return msgspec.structs.replace(table, held=True, approved=0)
