"""Law: a mail that the server cannot hand out keeps no other from coming, whatever it answers to which command."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

from pbem.terms import MailboxError
from pbem.world.imap.mailbox import LATER, SOON, ImapMailbox
from pbem.world.mailbox import MOST_REFUSED
from pbem.world.settings import ImapSettings
from tests.imap_scene import NOON

ANSWERS = ("no", "bad", "drop", "nil", "left out")
COMMANDS = ("INTERNALDATE", "BODY.PEEK[]")


class Server:
    """A folder at a server that answers a command for some mails otherwise than it should."""

    def __init__(self, mails: int, spoilt: Mapping[int, str], command: str) -> None:
        self.mails = {uid: f"Subject: {uid}\r\n\r\nhello\r\n".encode() for uid in range(1, mails + 1)}
        self.spoilt, self.command = dict(spoilt), command
        self.clock, self.not_before, self.asked = 0.0, 0.0, 0

    def now(self) -> float:
        """Tell the seconds."""
        return self.clock

    def forgive(self) -> None:
        """Wait no longer."""
        self.not_before = 0.0

    def close(self) -> None:
        """Do nothing."""

    @contextmanager
    def client(self, begin: Callable[[Any], None]) -> Iterator[Any]:
        """Stand in for the account: after a failure it waits."""
        if self.clock < self.not_before:
            raise MailboxError("not yet")
        try:
            begin(self)
            yield self
        except (IMAPClientError, OSError, ValueError) as error:
            self.not_before = self.clock + 5
            raise MailboxError(str(error)) from error

    def select_folder(self, _name: str) -> Mapping[bytes, Any]:
        """Open the folder."""
        return {b"UIDVALIDITY": 7, b"EXISTS": len(self.mails), b"PERMANENTFLAGS": (b"\\*",)}

    def has_capability(self, _word: str) -> bool:
        """Be able to do all."""
        return True

    def search(self, criteria: list[Any]) -> list[int]:
        """Find all mails, or one."""
        if criteria[0] == "UID":
            return [uid for uid in self.mails if str(uid) == criteria[1]]
        return sorted(self.mails)

    def fetch(self, uids: list[int], items: list[str]) -> dict[int, dict[bytes, Any]]:
        """Answer, or not."""
        self.asked += items[0].startswith(self.command)
        found: dict[int, dict[bytes, Any]] = {}
        for uid in uids:
            whole = {b"INTERNALDATE": NOON + timedelta(minutes=uid), b"RFC822.SIZE": 30, b"BODY[]": self.mails.get(uid)}
            how = self.spoilt.get(uid) if items[0].startswith(self.command) else None
            match how:
                case "no":
                    raise IMAPClientError("fetch failed: the message could not be retrieved")
                case "bad":
                    raise IMAPClient.Error("FETCH command error: BAD")
                case "drop":
                    raise IMAPClient.AbortError("socket error: EOF")
                case "nil":
                    found[uid] = dict.fromkeys(whole)
                case None if uid in self.mails:
                    found[uid] = whole
        return found

    def move(self, uids: list[int], _folder: str) -> None:
        """Put mails away."""
        for uid in uids:
            del self.mails[uid]


def mailbox(server: Server) -> ImapMailbox:
    """Return the mailbox that looks there."""
    wanted = ImapSettings(kind="imap", host="imap.example.org", user="arena", password_file="x", dedicated=True)
    return ImapMailbox(server, wanted, bool)  # type: ignore[arg-type]


def looked(box: ImapMailbox, server: Server, looks: int) -> set[int]:
    """Look so many times, as sweeps do, and be done with what comes; return the numbers of what came."""
    came: set[int] = set()
    for _ in range(looks):
        try:
            while mails := box.fetch(20):
                assert all(one.digest == hashlib.sha256(one.raw).hexdigest() for one in mails)
                came |= {int(mail.name.partition("-")[2]) for mail in mails}
                box.mark(mails)
        except MailboxError:
            pass
        server.clock += SOON + 10
    return came


@given(
    st.integers(1, 8), st.dictionaries(st.integers(1, 8), st.sampled_from(ANSWERS), max_size=MOST_REFUSED - 1),
    st.sampled_from(COMMANDS),
)  # fmt: skip
def test_all_others_come_and_it_is_told(mails: int, spoilt: dict[int, str], command: str) -> None:
    """In one look where the connection holds; a mail that is withheld comes once the server has it again."""
    server = Server(mails, spoilt, command)
    spoilt = {uid: how for uid, how in spoilt.items() if uid <= mails}
    box = mailbox(server)
    whole = set(range(1, mails + 1)) - set(spoilt)
    assert looked(box, server, 1) == whole
    looked(box, server, 2)
    assert {int(one.name.partition("-")[2]) for one in box.withheld()} == set(spoilt)
    assert all(one.why for one in box.withheld())
    server.spoilt = {}
    server.clock += LATER
    assert looked(box, server, 2) == set(spoilt) and not box.withheld()


@given(st.sampled_from(ANSWERS), st.sampled_from(COMMANDS), st.integers(MOST_REFUSED, 6))
def test_a_server_that_refuses_all_is_away(how: str, command: str, mails: int) -> None:
    """No mail of it is told of by itself, and no phase may close."""
    server = Server(mails, dict.fromkeys(range(1, mails + 1), how), command)
    box = mailbox(server)
    for _ in range(4):
        with pytest.raises(MailboxError):
            for _ in range(4):  # what breaks a connection is found one by one
                box.fetch(20)
        server.clock += 600
        if how != "drop":
            assert not box.withheld()
    server.spoilt = {}
    server.clock += LATER
    assert looked(box, server, 2) == set(range(1, mails + 1))


def test_it_is_asked_for_thrice_and_then_once_an_hour() -> None:
    """A sweep a minute asks no oftener."""
    server = Server(1, {1: "no"}, "BODY.PEEK[]")
    box = mailbox(server)
    asked = []
    for _ in range(120):
        before = server.asked
        box.fetch(20)
        asked.append(server.asked > before)
        server.clock += 60
    assert asked[:4] == [True, True, True, False] and sum(asked) == 4
