"""An account on an IMAP server as a test sees it: mail is put there, and looked at by mailboxes on all kinds of ways."""

from collections.abc import Callable
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from pbem.world.imap.account import Account
from pbem.world.imap.bell import ImapBell
from pbem.world.imap.mailbox import ImapMailbox, IsOurs
from pbem.world.login import Login
from pbem.world.settings import ImapSettings
from tests.servers import PASSWORD, Dovecot, Wire

NOON = datetime(2024, 11, 23, 12, 0, tzinfo=UTC)  # long ago, since Dovecot takes no stamp of the future
_names = count(1)


class Seconds:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        """Return the seconds so far."""
        return self.now


class Known:
    """A secret that a test knows; it counts how often it was asked for."""

    def __init__(self, secret: str = PASSWORD) -> None:
        self.secret = secret
        self.asked = 0

    def get(self) -> str:
        """Return it."""
        self.asked += 1
        return self.secret

    def refused(self) -> bool:
        """Say that it never changes."""
        return False


class Scene:
    """A user of a Dovecot, with a clock for whoever waits; `close` ends all that was opened."""

    def __init__(self, dovecot: Dovecot) -> None:
        self.dovecot = dovecot
        self.user = f"user{next(_names)}"
        self.clock = Seconds()
        self._opened = ExitStack()

    def close(self) -> None:
        """End all that was opened."""
        self._opened.close()

    def settings(self, **wanted: Any) -> ImapSettings:
        """Return the settings of this account, for us alone and without TLS unless told otherwise."""
        defaults = {"kind": "imap", "host": "127.0.0.1", "port": self.dovecot.imap, "tls": "none", "user": self.user}
        return ImapSettings(**{**defaults, "dedicated": True, **wanted})

    def account(
        self, settings: ImapSettings | None = None, *, login: Login | None = None, patience: float = 20
    ) -> Account:
        """Return a connection that waits by our clock."""
        settings = settings or self.settings()
        login = login or Login(settings.user, settings.login, Known())
        account = Account(settings, login, patience=patience, clock=self.clock)
        self._opened.enter_context(closing(account))
        return account

    def mailbox(self, is_ours: IsOurs = bool, **wanted: Any) -> ImapMailbox:
        """Return the account as a mailbox, over a connection of its own."""
        settings = self.settings(**wanted)
        return ImapMailbox(self.account(settings), settings, is_ours)

    def bell(self, **wanted: Any) -> ImapBell:
        """Return the bell of the inbox."""
        bell = ImapBell(self.account(self.settings(**wanted)), "INBOX")
        self._opened.enter_context(closing(bell))
        return bell

    def wire(self, port: int | None = None) -> Wire:
        """Lay a wire to the server that a test can spoil."""
        wire = Wire(port or self.dovecot.imap)
        self._opened.callback(wire.close)
        return wire

    def put(self, *raws: bytes, minute: int = 0, folder: str = "INBOX") -> None:
        """Put mails there, which arrived one minute after another, the first so many minutes past noon."""
        mails = [(raw, NOON + timedelta(minutes=minute + number)) for number, raw in enumerate(raws)]
        self.dovecot.save(self.user, mails, folder)

    def expunge(self, number: int = 1) -> None:
        """Delete a mail for good, as a person can from another program."""
        with self.dovecot.session(self.user) as client:
            client.delete_messages([client.search()[number - 1]])
            client.expunge()


def mail(word: str, to: str = "arena@example.org") -> bytes:
    """Return a mail about a word."""
    return f"To: {to}\r\nSubject: {word}\r\n\r\n{word} it is.\r\n".encode()


def once(word: bytes, then: Callable[[], object]) -> Callable[[bytes], bytes]:
    """Let something happen when the server first says a word, before anybody hears it."""
    waiting = [then]

    def change(data: bytes) -> bytes:
        if word in data and waiting:
            waiting.pop()()
        return data

    return change
