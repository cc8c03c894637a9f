"""`excuse NAME`: waits for a seat no longer in this phase."""

from datetime import datetime
from typing import Self

import msgspec

from pbem.ground.terms import Seat
from pbem.language.phrases import Unread
from pbem.table.model.table import BaseRuling, Table
from pbem.table.rulings import naming


class Excuse(BaseRuling, frozen=True, kw_only=True, tag="excuse"):
    """Wait for a seat no longer in this phase, and do not count it as an NMR."""

    seat: Seat

    when = "open"
    not_now = "Nobody owes orders now, so nobody needs to be excused."
    is_on_secrets = True
    keeps_reason = True
    section = "ORDERS"
    forms = ("excuse Mantisman",)
    says = "In this phase they are neither waited for nor counted as absent. Your reason is not printed."

    @classmethod
    def read(cls, table: Table, rest: str, because: str) -> Self | Unread:
        """Read who is excused."""
        seat = naming.find_seat(table, rest)
        return seat if isinstance(seat, Unread) else cls(seat=seat, because=because)

    def act(self, table: Table, noted: datetime) -> Table:
        """Note who is excused."""
        return msgspec.structs.replace(table, excused=table.excused | {self.seat})
