"""`invite again`: sends the invitation once more to all who have not answered it."""

from pbem.phrases import Unread
from pbem.table import seating
from pbem.table.table import BaseRuling, Table


class InviteAgain(BaseRuling, frozen=True, kw_only=True, tag="invite again"):
    """Ask once more whoever was invited and has no seat."""

    when = "sign-up"
    not_now = "The game has begun; nobody can join it any more."
    is_fixed = True
    section = "THE CLOCK"
    forms = ("invite again",)
    says = "Sends the invitation once more to all who have not answered it."

    def unfit(self, table: Table) -> Unread | None:
        """Refuse where all have answered."""
        return None if seating.absent(table) else Unread("illegal", "All who were invited have a seat.")
