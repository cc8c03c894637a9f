"""`forum bob`: a private thread on the forum with that account of the writer's; `forum off` ends it."""

import re
from typing import Self

from pbem.ground.terms import Seat
from pbem.language.phrases import Unread
from pbem.table.model import threads
from pbem.table.model.table import Table
from pbem.table.requests.base import BaseRequest

BY_MAIL_ALONE = "In this game what I take orders from is mail alone."
NO_NAME = "Write forum and one word behind it, your name there: forum bob"
NONE_THERE = "You have no thread on the forum."
THERE_IS_ONE = "There is a thread with {} already. To have another one, end it first: forum off"
ENOUGH = "That was often enough for one phase. Play by mail until the next one."
MOST = 6
"""Threads that a role can ask for in a phase: each is a message to somebody who may not be the one meant."""
_NAME = re.compile(
    r"(?:(?:(?:name|account|user(?:name)?|as|is)\b\s*[:=]?|[:=])\s*)*[\"'\u201c\u2018]?@?([\w.-]{0,59}\w)[\"'\u201d\u2019]?",
    re.IGNORECASE,
)
_CLOSE = re.compile(r"[\"'\u201c\u2018]?[\w.-]+(?:@[\w.-]+)?[\"'\u201d\u2019]?[.!]?|_+", re.IGNORECASE)
"""What is meant as a name, and is none."""


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
        said = rest.strip()
        found = _NAME.fullmatch(said)
        if not table.charter.forum:
            return None
        if found is None or not found[1].strip("_"):
            return Unread("unreadable", NO_NAME) if not said or _CLOSE.fullmatch(said) else None
        if not table.charter.threads:
            return Unread("illegal", BY_MAIL_ALONE)
        role = seat or ""
        living = threads.of(table, role) if seat or not table.deputy else None
        if found[1].casefold() == "off":
            return cls(account="") if living or table.deputy else Unread("illegal", NONE_THERE)
        if living:
            return Unread("illegal", THERE_IS_ONE.format(living.account))
        return cls(account=found[1]) if threads.asked_for(table, role) < MOST else Unread("illegal", ENOUGH)

    def show(self, table: Table) -> str:
        """Write the name."""
        return self.account or "off"

    def act(self, table: Table, seat: Seat) -> Table:
        """Ask for a thread; the entry with the request is the next of the table."""
        return threads.ask(table, seat, self.account)
