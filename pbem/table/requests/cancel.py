"""`cancel`: takes one's own set off the table."""

from pbem.table import hands
from pbem.table.requests.base import BaseRequest
from pbem.table.table import Table
from pbem.terms import Seat


class Cancel(BaseRequest, frozen=True, kw_only=True, tag="cancel"):
    """Have nothing on hand; a set in the same mail comes after it."""

    is_about_the_set = True

    def act(self, table: Table, seat: Seat) -> Table:
        """Take the set off the table."""
        return hands.without_hand(table, seat)
