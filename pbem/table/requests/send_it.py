"""`send it`: lets words go to a moderator who plays, and so reads them as an opponent."""

from typing import Self

from pbem.ground.terms import Seat
from pbem.language.phrases import Unread
from pbem.table.model.table import Table
from pbem.table.requests.base import BaseRequest, is_alone


class SendIt(BaseRequest, frozen=True, kw_only=True, tag="send it"):
    """Pass on what was said to the moderator, who plays."""

    @classmethod
    def read(cls, table: Table, seat: Seat | None, rest: str) -> Self | Unread | None:
        """Take it for an answer only where something waits for it."""
        waits = seat is not None and bool(table.unsent.get(seat))
        return cls() if waits and is_alone(rest) else None
