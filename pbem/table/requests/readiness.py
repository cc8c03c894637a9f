"""`ready` and `wait`: whether the phase may close before its deadline, as far as one seat goes."""

import msgspec

from pbem.table.requests.base import BaseRequest
from pbem.table.table import Table
from pbem.terms import Seat

replace = msgspec.structs.replace


class Ready(BaseRequest, frozen=True, kw_only=True, tag="ready"):
    """Let the phase close early."""

    is_about_the_set = True

    def act(self, table: Table, seat: Seat) -> Table:
        """Note that nothing more comes."""
        return replace(table, waits=table.waits - {seat}, ready=table.ready | {seat})


class Wait(BaseRequest, frozen=True, kw_only=True, tag="wait"):
    """Keep the phase open until its deadline."""

    is_about_the_set = True

    def act(self, table: Table, seat: Seat) -> Table:
        """Note that something may come yet."""
        return replace(table, waits=table.waits | {seat}, ready=table.ready - {seat})
