"""`invite again`: sends the invitation once more to all who have not answered it."""

from __future__ import annotations

from pbem.phrases import Unread
from pbem.table import seating
from pbem.table.table import BaseRuling, Table


class InviteAgain(BaseRuling, frozen=True, kw_only=True, tag="invite again"):
    """Ask once more whoever was invited and has no seat."""

    is_fixed = True
    section = "THE CLOCK"
    forms = ("invite again",)
    says = "Sends the invitation once more to all who have not answered it."

    def unfit(self, table: Table) -> Unread | None:
        """Refuse where the game is under way, and where all have answered."""
        if table.status != "sign-up":
            return Unread("illegal", "The game has begun; nobody can join it any more.")
        return None if seating.absent(table) else Unread("illegal", "All who were invited have a seat.")
