"""The bell of an IMAP account: rings when the server says that mail may have come; a hint, never the truth."""

from __future__ import annotations

import select
import socket
import ssl
import time
from collections.abc import Callable
from contextlib import suppress

from imapclient import IMAPClient

from pbem.terms import MailboxError
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
        self._stopped, self._stop = socket.socketpair()
        self._next = self._known = 0

    def wait(self, seconds: float) -> bool:
        """
        Wait until mail may have come, or we were stopped, or the time is over; say whether mail may have.

        Mail that came since the last wait counts.
        """
        until = self._clock() + seconds
        with self._account.client(self._select) as client:
            known, self._known = self._known, self._next
            if known not in {0, self._next}:
                return True
            while (left := until - self._clock()) > 0:
                client.idle()
                stopped = self._listen(client, min(left, RENEW))
                _, news = client.idle_done()
                if any(one[1:] == (b"EXISTS",) for one in news):
                    self._select(client)  # whoever looks now, finds all up to here
                    self._known = self._next
                    return True
                if stopped:
                    break
        return False

    def stop(self) -> None:
        """End a `wait`, and all later ones, from another thread."""
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
        self._next = int(client.select_folder(self._folder, readonly=True).get(b"UIDNEXT", 0))

    def _listen(self, client: IMAPClient, seconds: float) -> bool:
        """Wait for anything on the connection, or to be stopped; TLS may hold what `select` no longer sees."""
        line = client.socket()
        if isinstance(line, ssl.SSLSocket) and line.pending():
            return False
        found, _, _ = select.select([line, self._stopped], [], [], seconds)
        return self._stopped in found
