"""`close now`: ends the phase with what is on hand."""

from datetime import datetime

import msgspec

from pbem.table.model.table import BaseRuling, Table


class CloseNow(BaseRuling, frozen=True, kw_only=True, tag="close now"):
    """End order-taking at once."""

    when = "open"
    not_now = "No phase is open for orders now."
    is_fixed = True
    is_for_good = True
    section = "THE CLOCK"
    forms = ("close now",)
    says = "Ends the phase with what is on hand."

    def act(self, table: Table, noted: datetime) -> Table:
        """Let the phase close."""
        return msgspec.structs.replace(table, close_now=True)
