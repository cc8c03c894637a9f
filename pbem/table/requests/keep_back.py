"""`private`: drops words that wait for leave to go to a moderator who plays."""

from typing import Self

from pbem.ground.terms import Seat
from pbem.language.phrases import Unread
from pbem.table.model.table import Table
from pbem.table.requests.base import BaseRequest


class KeepBack(BaseRequest, frozen=True, kw_only=True, tag="private"):
    """Let nothing of what waits for `send it` go to the moderator, now or later."""

    also = ("cancel my words", "keep it back", "don't send it", "do not send it")

    @classmethod
    def read(cls, table: Table, seat: Seat | None, rest: str) -> Self | Unread | None:
        """Take it for an answer only where something waits for it."""
        waits = seat is not None and bool(table.unsent.get(seat))
        return cls() if waits and not rest.strip(" .!?") else None
