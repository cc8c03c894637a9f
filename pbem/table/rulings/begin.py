"""`begin`: ends sign-up, with those who have a seat."""

from datetime import datetime

import msgspec

from pbem.language.phrases import Unread
from pbem.table.model.table import BaseRuling, Table


class Begin(BaseRuling, frozen=True, kw_only=True, tag="begin"):
    """Begin the game with the seats that are taken."""

    when = "sign-up"
    not_now = "The game has begun already."
    is_fixed = True
    is_for_good = True
    section = "THE CLOCK"
    forms = ("begin",)
    says = "Ends sign-up and begins, with those who have a seat."

    def unfit(self, table: Table) -> Unread | None:
        """Refuse with fewer seats than the game takes."""
        least = table.ruleset.seats[0]
        if len(table.seats) < least:
            return Unread("illegal", f"It takes {least} seats to begin; {len(table.seats)} are taken.")
        return None

    def act(self, table: Table, noted: datetime) -> Table:
        """Let the game begin."""
        return msgspec.structs.replace(table, begin_now=True)
