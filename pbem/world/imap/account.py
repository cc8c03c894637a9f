"""One connection to an IMAP account: opened when needed, dropped after any error, opened again with back-off."""

import logging
import random
import re
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError, LoginError, ProtocolError

from pbem.ground.terms import CharterError, MailboxError, WorldError
from pbem.world import tls
from pbem.world.login import Login
from pbem.world.settings import ServerSettings

PATIENCE = 60
"""Seconds that a server may be silent in the middle of an answer."""
BACK_OFF = (0, 5, 10, 20, 40, 80, 160, 300)
"""Seconds between attempts, after so many failures in a row."""
REFUSED = 300
"""Seconds after a refused login; providers lock accounts that are tried more often."""
SPREAD = 0.1
"""The part of each pause that is left to chance, so that those who lost a server do not all come back at once."""

BROKEN = (IMAPClientError, OSError, ValueError, EOFError)
"""What the library raises when a server is away, or answers what nobody could read."""
_TIMES = re.compile(r" \([\d. +]+ secs\)\.?$")
"""What Dovecot adds to its answers; a trouble that goes on would be told in other words each time."""
_NOT_NOW = ("[UNAVAILABLE]", "[INUSE]", "[LIMIT]", "[SERVERBUG]")  # RFC 5530: nothing is wrong with the login itself
_GONE = ("[NONEXISTENT]", "[TRYCREATE]", "[NOPERM]")  # RFC 5530, RFC 3501 7.1

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
        self._failed = MailboxError()

    @contextmanager
    def client(self, begin: Callable[[IMAPClient], None]) -> Iterator[IMAPClient]:
        """
        Yield a connection that has just answered `begin`; whatever goes wrong after, it is dropped.

        A connection that was kept may have ended, or its login run out, meanwhile, so `begin` is tried on a new one.
        """
        if self._clock() < self._not_before:
            raise type(self._failed)(str(self._failed))
        try:
            yield self._begun(begin)
        except MailboxError as error:
            self._fail(error)
            raise
        except BROKEN as error:
            failed = MailboxError(f"{self.server.host} broke off: {describe(error)}")
            self._fail(failed)
            raise failed from error
        except BaseException:
            self._drop()
            raise
        self._failures = 0

    def renew(self, begin: Callable[[IMAPClient], None]) -> IMAPClient:
        """Drop the connection that `client` yielded, which one mail may have spoilt, and return another, begun."""
        self._drop()
        return self._begun(begin)

    def close(self) -> None:
        """Take leave of the server, if it is still there."""
        if self._client:
            with suppress(*BROKEN):
                self._client.logout()
        self._drop()

    def _begun(self, begin: Callable[[IMAPClient], None]) -> IMAPClient:
        if self._client:
            try:
                begin(self._client)
            except (MailboxError, *BROKEN):  # a token that ran out is refused in many words, some as a folder's fault
                self._drop()
            else:
                return self._client
        self._client = connect(self.server, self._login, self._patience)
        begin(self._client)
        return self._client

    def _fail(self, failed: MailboxError) -> None:
        self._drop()
        wait = BACK_OFF[min(self._failures, len(BACK_OFF) - 1)]
        if isinstance(failed, RefusedError):
            wait = max(wait, REFUSED)
        self._failures += 1
        self._not_before = self._clock() + wait * (1 + SPREAD * random.random())  # noqa: S311
        self._failed = type(failed)(str(failed))

    def _drop(self) -> None:
        client, self._client = self._client, None
        if client:
            _hang_up(client)


def connect(server: ServerSettings, login: Login, patience: float = PATIENCE) -> IMAPClient:
    """Connect and log in; where an old token is refused, once more with a new one. Errors: MailboxError."""
    try:
        return _enter(server, login, patience)
    except RefusedError:
        if not login.secret.refused():
            raise
    return _enter(server, login, patience)


def _enter(server: ServerSettings, login: Login, patience: float) -> IMAPClient:
    client = _reach(server, patience)
    try:
        failed = _log_in(client, server, login)
    except BaseException:
        _hang_up(client)
        raise
    if failed:
        _hang_up(client)
        raise failed
    return client


def _reach(server: ServerSettings, patience: float) -> IMAPClient:
    where = f"{server.host}:{server.port}"
    try:
        context = tls.context(server)
    except CharterError as error:
        raise MailboxError(str(error)) from error
    try:
        client = IMAPClient(server.host, server.port, ssl=server.tls == "tls", ssl_context=context, timeout=patience)
    except BROKEN as error:
        message = f"{where} cannot be reached: {describe(error)}.{tls.advice(server, error)}"
        raise MailboxError(message) from error
    client.normalise_times = False
    try:
        with suppress(OSError):  # without it some servers answer 40 ms later
            client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if server.tls == "starttls":
            client.starttls(context)
    except BROKEN as error:
        _hang_up(client)
        raise MailboxError(f"{where} speaks no TLS with us: {describe(error)}") from error
    return client


def _log_in(client: IMAPClient, server: ServerSettings, login: Login) -> MailboxError | None:
    """
    Log in, or return why not.

    The error is raised elsewhere, so that neither the library's own error, which may repeat what we said, nor our
    secret in this frame hangs on to it.
    """
    try:
        _authenticate(client, login)
    except WorldError as error:
        return RefusedError(str(error)) if isinstance(error, CharterError) else MailboxError(str(error))
    except BROKEN as error:
        # The library makes a refusal of whatever happens at a login; its cause tells them apart.
        cause = error.__context__ if isinstance(error, LoginError) else error
        if not isinstance(error, LoginError) or isinstance(cause, (IMAPClient.AbortError, OSError)):
            how = "it ended the connection" if isinstance(cause, IMAPClient.AbortError) else type(cause).__name__
            return MailboxError(f"{server.host} broke off at the login of {login.user}: {how}.")
        if is_not_now(error):
            return MailboxError(f"{server.host} cannot take the login of {login.user} just now.")
        what = "password" if login.how == "password" else "token"
        message = f"{server.host} refused the login of {login.user}. Correct user and {what} in the settings."
        return RefusedError(message)
    return None


def _authenticate(client: IMAPClient, login: Login) -> None:
    secret = login.secret.get()
    match login.how:
        case "xoauth2":
            client.oauth2_login(login.user, secret)
        case "oauthbearer":
            client.oauthbearer_login(login.user, secret)
        case "password" if client.has_capability("AUTH=PLAIN"):
            client.plain_login(login.user, secret)  # the only way for spaces in a name, and for letters beyond ASCII
        case "password":
            client.login(login.user, secret)


def _hang_up(client: IMAPClient) -> None:
    with suppress(*BROKEN):
        client.shutdown()


def is_not_now(error: BaseException) -> bool:
    """Say whether a server is only unavailable for now, so that nothing has to be corrected."""
    return any(code in str(error).upper() for code in _NOT_NOW)


def is_gone(error: BaseException) -> bool:
    """Say whether a server says that a folder is not there, or not for us."""
    return any(code in str(error).upper() for code in _GONE)


def describe(error: BaseException) -> str:
    """Say what went wrong in a connection, on one line and in printable letters."""
    if isinstance(error, ssl.SSLCertVerificationError):
        message = tls.describe(error)
    elif isinstance(error, IMAPClient.ReadOnlyError):
        message = "it may only be read"
    elif isinstance(error, ProtocolError):
        message = "it answered what is no IMAP"
    elif isinstance(error, TimeoutError):
        message = "it did not answer in time"
    elif isinstance(error, IMAPClient.AbortError) and "socket error" in str(error):
        message = "it ended the connection"
    else:
        words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        message = " ".join(words.split()) or type(error).__name__
    message = _TIMES.sub("", message).rstrip(".")
    return "".join(letter if letter.isprintable() else "?" for letter in message[:300])
