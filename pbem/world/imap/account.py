"""One connection to an IMAP account: made when it is needed, dropped at any doubt, made again with back-off."""

from __future__ import annotations

import logging
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError, LoginError, ProtocolError

from pbem.terms import MailboxError, WorldError
from pbem.world.login import Login
from pbem.world.settings import ServerSettings

PATIENCE = 60
"""Seconds that a server may be silent in the middle of an answer."""
BACK_OFF = (0, 5, 10, 20, 40, 80, 160, 300)
"""Seconds between attempts, after so many failures in a row."""
REFUSED = 300
"""Seconds after a refused login; providers lock accounts that are tried more often."""

# The library logs whole commands when told to; a mail, or a token, has no place in a log.
logging.getLogger("imapclient").setLevel(logging.WARNING)


class RefusedError(MailboxError):
    """The server did not accept who we say we are."""


class Account:
    """
    An account on an IMAP server, spoken to over one connection.

    Errors: MailboxError with the server's name, what it did, and what to do.
    Rule: RFC 3501; RFC 8314 for TLS; RFC 7628 and XOAUTH2 for tokens.
    """

    def __init__(
        self,
        server: ServerSettings,
        login: Login,
        *,
        patience: float = PATIENCE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take the server and our login there; `clock` counts seconds and never jumps."""
        self.server = server
        self._login = login
        self._patience = patience
        self._clock = clock
        self._client: IMAPClient | None = None
        self._failures = 0
        self._not_before = clock()
        self._said = ""

    @contextmanager
    def client(self, begin: Callable[[IMAPClient], None]) -> Iterator[IMAPClient]:
        """
        Yield a connection that has just answered `begin`; whatever goes wrong after, it is dropped.

        A connection that was kept may have been ended by the server meanwhile, so `begin` is tried on a new one.
        """
        if self._clock() < self._not_before:
            raise MailboxError(self._said)
        try:
            yield self._begun(begin)
        except MailboxError as error:
            self._fail(str(error), REFUSED if isinstance(error, RefusedError) else 0)
            raise
        except (IMAPClientError, OSError, ValueError, EOFError) as error:
            said = f"{self.server.host} broke off: {told(error)}"
            self._fail(said, 0)
            raise MailboxError(said) from error
        except BaseException:
            self._drop()
            raise
        self._failures = 0

    def close(self) -> None:
        """Take leave of the server, if it is still there."""
        if self._client:
            with suppress(IMAPClientError, OSError, ValueError):
                self._client.logout()
        self._drop()

    def _begun(self, begin: Callable[[IMAPClient], None]) -> IMAPClient:
        if self._client:
            try:
                begin(self._client)
            except (IMAPClientError, OSError, ValueError, EOFError):
                self._drop()
            else:
                return self._client
        self._client = connect(self.server, self._login, self._patience)
        begin(self._client)
        return self._client

    def _fail(self, said: str, least: float) -> None:
        self._drop()
        wait = max(least, BACK_OFF[min(self._failures, len(BACK_OFF) - 1)])
        self._failures += 1
        self._not_before = self._clock() + wait
        self._said = said

    def _drop(self) -> None:
        client, self._client = self._client, None
        if client:
            with suppress(IMAPClientError, OSError, ValueError):
                client.shutdown()


def connect(server: ServerSettings, login: Login, patience: float = PATIENCE) -> IMAPClient:
    """Connect and log in; a token that was refused is fetched anew once. Errors: MailboxError."""
    while True:
        client = _reach(server, patience)
        try:
            _log_in(client, server, login)
        except BaseException as error:
            with suppress(IMAPClientError, OSError, ValueError):
                client.shutdown()
            if isinstance(error, RefusedError) and login.secret.refused():
                continue
            raise
        return client


def _reach(server: ServerSettings, patience: float) -> IMAPClient:
    where = f"{server.host}:{server.port}"
    try:
        context = ssl.create_default_context(cafile=server.ca_file or None)
        client = IMAPClient(server.host, server.port, ssl=server.tls == "tls", ssl_context=context, timeout=patience)
    except (OSError, IMAPClientError, ValueError, EOFError) as error:
        raise MailboxError(f"{where} cannot be reached: {told(error)}") from error
    try:
        client.normalise_times = False
        with suppress(OSError):  # without it some servers answer 40 ms later
            client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if server.tls == "starttls":
            client.starttls(context)
    except BaseException as error:
        with suppress(IMAPClientError, OSError, ValueError):
            client.shutdown()
        if isinstance(error, (OSError, IMAPClientError, ValueError)):
            raise MailboxError(f"{where} speaks no TLS with us: {told(error)}") from error
        raise
    return client


def _log_in(client: IMAPClient, server: ServerSettings, login: Login) -> None:
    try:
        secret = login.secret.get()
    except WorldError as error:
        raise MailboxError(str(error)) from None
    try:
        if login.how == "xoauth2":
            client.oauth2_login(login.user, secret)
        elif login.how == "oauthbearer":
            client.oauthbearer_login(login.user, secret)
        elif secret.isascii() and not client.has_capability("LOGINDISABLED"):
            client.login(login.user, secret)
        else:
            client.plain_login(login.user, secret)
    except LoginError as error:
        if "UNAVAILABLE" in str(error).upper():
            raise MailboxError(f"{server.host} cannot check logins just now.") from None
        # Neither the server's words nor the exception: they may repeat what we said, and so the secret.
        what = "password" if login.how == "password" else "token"
        raise RefusedError(
            f"{server.host} refused the login of {login.user}. Correct user and {what} in the settings."
        ) from None
    except (IMAPClientError, OSError, ValueError, EOFError) as error:
        raise MailboxError(f"{server.host} broke off at the login of {login.user}: {type(error).__name__}") from None


def told(error: Exception) -> str:
    """Say what went wrong in a connection, on one line and in printable letters."""
    if isinstance(error, ssl.SSLCertVerificationError):
        said = f"its certificate does not hold ({error.verify_message}). Name who signed it as ca_file in settings.toml"
    elif isinstance(error, ProtocolError):
        said = "it answered what is no IMAP"
    elif isinstance(error, TimeoutError):
        said = "it did not answer in time"
    else:
        said = " ".join(str(error).split()) or type(error).__name__
    return "".join(letter if letter.isprintable() else "?" for letter in said[:300])
