"""The bell of an IMAP account: rings when the server says that mail may have come; a hint, never the truth."""

from __future__ import annotations

import os
import select
import ssl
import time
from collections.abc import Callable

from imapclient import IMAPClient

from pbem.world.imap.account import Account

RENEW = 15 * 60
"""Seconds after which IDLE is begun anew; servers end it at 30 minutes, routers before (RFC 2177)."""


class ImapBell:
    """
    Waits with IDLE on a connection of its own.

    Errors: MailboxError where the server is away, and where it has no IDLE: polling goes on without us.
    """

    def __init__(self, account: Account, folder: str, clock: Callable[[], float] = time.monotonic) -> None:
        """Take an account of its own, since IDLE occupies a connection."""
        self._account, self._folder, self._clock = account, folder, clock
        self._stopped, self._stop = os.pipe()

    def wait(self, seconds: float) -> bool:
        """Wait until mail may have come, or we were stopped, or the time is over; say whether mail may have."""
        until = self._clock() + seconds
        with self._account.client(self._select) as client:
            while (left := until - self._clock()) > 0:
                client.idle()
                try:
                    ready = self._ready(client, min(left, RENEW))
                finally:
                    _, news = client.idle_done()
                if any(len(one) > 1 and one[1] in {b"EXISTS", b"RECENT"} for one in news if isinstance(one, tuple)):
                    return True
                if ready == "stopped":
                    return False
        return False

    def stop(self) -> None:
        """End a `wait`, from another thread."""
        os.write(self._stop, b".")

    def close(self) -> None:
        """Take leave of the server."""
        self._account.close()
        os.close(self._stop)
        os.close(self._stopped)

    def _select(self, client: IMAPClient) -> None:
        if not client.has_capability("IDLE"):
            raise NoIdleError
        client.select_folder(self._folder, readonly=True)

    def _ready(self, client: IMAPClient, seconds: float) -> str:
        """Wait for anything on the connection; TLS may hold what `select` no longer sees."""
        connection = client.socket()
        if isinstance(connection, ssl.SSLSocket) and connection.pending():
            return "news"
        found, _, _ = select.select([connection, self._stopped], [], [], seconds)
        return "stopped" if self._stopped in found else "news" if found else ""


class NoIdleError(Exception):
    """The server has no IDLE."""
