"""Questions about several mails at once; where the server fails at them together, each is asked about alone."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

from pbem.world.imap.account import BROKEN, Account, describe, is_not_now

T = TypeVar("T")
Question = Callable[[IMAPClient, Sequence[int]], Mapping[int, T]]
"""Asks about mails, by their UIDs, in one command; leaves out those of which it learns nothing."""

MOST = 10
"""Mails at which a server may fail before the others wait for the next look."""
SILENT = "it said nothing of it"


class Asking:
    """
    Questions about mails, on a connection that is opened anew where one of them ends it.

    Shape: `failed` are the mails of which alone nothing could be learnt, by UID, with what the server said; `client` is
    the connection as it is now, and `broke` how the last one ended, "" where it is still the first.
    Errors: whatever means that the server is away, or wants us to come again: no single mail is to blame for that.
    """

    def __init__(self, account: Account, begin: Callable[[IMAPClient], None], client: IMAPClient) -> None:
        """Take a connection of an account, and how another is begun."""
        self.failed: dict[int, str] = {}
        self.client, self.broke = client, ""
        self._account, self._begin = account, begin
        self._is_new = False

    @property
    def is_enough(self) -> bool:
        """Whether the server failed so often that the rest had better wait."""
        return len(self.failed) >= MOST

    def ask(self, uids: Sequence[int], question: Question[T]) -> dict[int, T]:
        """Ask about several mails at once, and about each alone where that fails; what is left out has failed."""
        found, said = self._answer(uids, question)
        if not said or len(uids) == 1:
            self.failed |= {uid: said or SILENT for uid in uids if uid not in found}
            return found
        for uid in uids:
            if not self.is_enough:
                found |= self.ask([uid], question)
        return found

    def _answer(self, uids: Sequence[int], question: Question[T]) -> tuple[dict[int, T], str]:
        is_new, self._is_new = self._is_new, False
        try:
            return dict(question(self.client, uids)), ""
        except BROKEN as error:
            if is_not_now(error) or isinstance(error, TimeoutError):
                raise
            if type(error) is IMAPClientError:  # a plain NO or BAD: the connection is sound
                return {}, describe(error)
            self.client, self.broke = self._account.renew(self._begin), describe(error)
            self._is_new = True
            # What ends a new connection is the mail; else it may have been the line, or an earlier one.
            return ({}, describe(error)) if is_new or len(uids) > 1 else self._answer(uids, question)
