"""`cancel`: takes one's own set off the table."""

from pbem.ground.terms import Seat
from pbem.table.clock import late
from pbem.table.model import hands
from pbem.table.model.table import Table
from pbem.table.requests.base import BaseRequest


class Cancel(BaseRequest, frozen=True, kw_only=True, tag="cancel"):
    """Have nothing on hand; a set in the same mail comes after it. Once the phase has closed: withdraw a late set."""

    is_about_the_set = True

    def act(self, table: Table, seat: Seat) -> Table:
        """Take the set off the table; what has closed counts, but a late set that nobody has accepted."""
        is_closed = table.known_to(seat).status == "closed"  # to them it is, while the phase stops to ask others
        return late.forget(table, seat) if is_closed else hands.without_hand(table, seat)
