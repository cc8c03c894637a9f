"""`forum bob`: a private thread on the forum with that account of the writer's; `forum off` ends it."""

import re
from typing import Self

from pbem.phrases import Unread
from pbem.table import threads
from pbem.table.requests.base import BaseRequest
from pbem.table.table import Table
from pbem.terms import Seat

BY_MAIL_ALONE = "In this game what I take orders from is mail alone."
_NAME = re.compile(r"@?([\w.-]{1,60}?)(?:\s+please)?\s*[.!]*", re.IGNORECASE)


class ForumAccount(BaseRequest, frozen=True, kw_only=True, tag="forum"):
    """
    Play in a private thread on the forum as well as by mail: a letter brings the code that is to be posted there.

    Shape: `account` is the name there, "" where they want no thread any more.
    """

    account: str
    is_for_moderator = True

    @classmethod
    def read(cls, table: Table, seat: Seat | None, rest: str) -> Self | Unread | None:
        """Read the one word that a name there is; more words are talk of the forum."""
        found = _NAME.fullmatch(rest.strip())
        if found is None or not table.charter.forum:
            return None
        if not table.charter.threads:
            return Unread("illegal", BY_MAIL_ALONE)
        return cls(account="" if found[1].casefold() == "off" else found[1])

    def show(self, table: Table) -> str:
        """Write the name."""
        return self.account or "off"

    def act(self, table: Table, seat: Seat) -> Table:
        """Ask for a thread; the entry with the request is the next of the table."""
        return threads.ask(table, seat, self.account)
