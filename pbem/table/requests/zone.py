"""`zone Asia/Tokyo`: the zone in which somebody's letters show times."""

from typing import Self

from pbem.ground.terms import Seat
from pbem.language.phrases import Unread
from pbem.table.model import calendar
from pbem.table.model.table import Table
from pbem.table.requests.base import BaseRequest


class Zone(BaseRequest, frozen=True, kw_only=True, tag="zone"):
    """Show times in this zone; the game itself has nothing to do with it."""

    zone: str

    @classmethod
    def read(cls, table: Table, seat: Seat | None, rest: str) -> Self | Unread | None:
        """Read the name of a zone or place."""
        zone = calendar.known_zone(rest)
        return zone if isinstance(zone, Unread) else cls(zone=zone)

    def show(self, table: Table) -> str:
        """Write the zone."""
        return self.zone
