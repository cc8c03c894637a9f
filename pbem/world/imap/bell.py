"""The bell of an IMAP account: rings when mail may have come; a hint, never the truth."""

import select
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress

from imapclient import IMAPClient

from pbem.ground.terms import MailboxError
from pbem.world.imap.account import Account

RENEW = 15 * 60
"""Seconds after which IDLE is begun anew; servers end it at 30 minutes, routers before (RFC 2177)."""
LEAST = 0.25
"""Seconds that IDLE lasts at least, so that a server that talks without end does not keep us busy."""


class ImapBell:
    """
    Listens with IDLE on a connection of its own.

    Errors: MailboxError where the server is away, and where it has no IDLE: polling goes on without us.
    """

    def __init__(self, account: Account, folder: str) -> None:
        """Take an account of its own, since IDLE occupies a connection."""
        self._account, self._folder = account, folder
        self._stopped, self._stop = socket.socketpair()

    def listen(self, ring: Callable[[], object]) -> None:
        """
        Ring once the server has begun to idle, and again each time that it told of something; return when stopped.

        Whoever looks after a ring finds all mail from before IDLE began. That ring cannot be left out: what the
        server tells in one breath with its "+ idling" stays in the library's buffer until it says more, for minutes.
        """
        with self._account.client(self._select) as client:
            stopped = False
            while not stopped:
                client.idle()
                ring()
                stopped = self._hear(client)
                client.idle_done()

    def stop(self) -> None:
        """Let `listen` return, now and whenever it is called later; may be called from another thread."""
        with suppress(OSError):
            self._stop.send(b".")

    def close(self) -> None:
        """Take leave of the server."""
        self._account.close()
        self._stop.close()
        self._stopped.close()

    def _select(self, client: IMAPClient) -> None:
        if not client.has_capability("IDLE"):
            raise MailboxError(f"{self._account.server.host} does not tell of new mail (IDLE); each poll looks for it.")
        client.select_folder(self._folder, readonly=True)

    def _hear(self, client: IMAPClient) -> bool:
        """Wait until the server says anything, or RENEW is over; say whether we were stopped."""
        line = client.socket()
        stopped, _, _ = select.select([self._stopped], [], [], LEAST)
        if stopped or (isinstance(line, ssl.SSLSocket) and line.pending()):  # TLS holds what `select` no longer sees
            return bool(stopped)
        readable, _, _ = select.select([line, self._stopped], [], [], RENEW)
        return self._stopped in readable
