"""`ready` and `wait`: whether the phase may close before its deadline, as far as one seat goes."""

from typing import Self

import msgspec

from pbem.phrases import Unread
from pbem.table.requests.base import BaseRequest
from pbem.table.table import Table
from pbem.terms import Seat

replace = msgspec.structs.replace


def _settled(table: Table, seat: Seat) -> Table:
    held = table.hand.get(seat)
    return replace(table, hand={**table.hand, seat: replace(held, doubtful=False)}) if held and held.doubtful else table


class Ready(BaseRequest, frozen=True, kw_only=True, tag="ready"):
    """Let the phase close early."""

    is_about_the_set = True

    def act(self, table: Table, seat: Seat) -> Table:
        """Note that nothing more comes."""
        table = _settled(table, seat)
        return replace(table, waits=table.waits - {seat}, ready=table.ready | {seat})


class Yes(BaseRequest, frozen=True, kw_only=True, tag="yes"):
    """Let the set on hand stand as it is, whatever was said beside it."""

    is_about_the_set = True

    @classmethod
    def read(cls, table: Table, seat: Seat | None, rest: str) -> Self | Unread | None:
        """Take a yes for an answer only where something was asked."""
        held = table.hand.get(seat) if seat else None
        return super().read(table, seat, rest) if held and held.doubtful else None

    def act(self, table: Table, seat: Seat) -> Table:
        """Settle the doubt."""
        return _settled(table, seat)


class Wait(BaseRequest, frozen=True, kw_only=True, tag="wait"):
    """Keep the phase open until its deadline."""

    also = ("not yet", "not done yet", "not final", "draft", "just a draft", "hold on", "hang on")
    is_about_the_set = True

    def act(self, table: Table, seat: Seat) -> Table:
        """Note that something may come yet."""
        return replace(table, waits=table.waits | {seat}, ready=table.ready - {seat})
