"""The outbox: hands letters to a mail server, one recipient at a time; does not read what they say."""

import re
import smtplib
import socket
import ssl
from contextlib import suppress
from datetime import timedelta
from typing import Protocol, TypeAlias

from pbem.ground.terms import CharterError, OutboxError, WorldError
from pbem.world import tls
from pbem.world.login import Login
from pbem.world.settings import ServerSettings

Reply: TypeAlias = tuple[int, bytes]

_PATIENCE = 10
"""The final dot may be answered after so many timeouts: to hang up there means to send twice."""

_ABOUT_US = {503, 530}
"""Codes that speak of our connection or login, at whatever stage they come: no letter is to blame."""
_ABOUT_US_TOO = re.compile(rb"[45]\.(?:1\.[78]|4\.5|7\.[89])\b")
"""Enhanced codes that do: a sender that is not liked, the day's limit, the login (RFC 3463, 5248)."""

AWAY = timedelta(minutes=1)
"""How long letters wait for a server that is away, or takes nothing from us."""
REFUSED = timedelta(minutes=5)
"""How long they wait after a refused login; providers lock accounts that are tried more often."""


class Outbox(Protocol):
    """
    Whoever takes letters for delivery: a mail server.

    Errors: OutboxError, permanent where the letter or its recipient was refused for good; else the same bytes
    can be sent again, and have to be when the server's last answer was lost. With a pause, no letter is to blame.
    """

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Hand over one letter for one recipient; return when the server has taken it."""
        ...

    def close(self) -> None:
        """Let go of the server."""
        ...


class SmtpOutbox:
    """
    A mail server spoken to over one connection, kept open between letters and opened again when it was lost.

    Shape: bytes go out as they are, but for CRLF line ends and stuffed dots.
    Rule: RFC 5321; RFC 6531 for addresses beyond ASCII; RFC 8314 for TLS.
    """

    def __init__(self, server: ServerSettings, login: Login | None = None, *, timeout: float = 30) -> None:
        """Take the server and our login there; connect at the first letter. Units: `timeout` in seconds."""
        self._wanted, self._login = server, login
        self._host = server.host
        self._timeout = timeout
        self._server: smtplib.SMTP | None = None

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """
        Hand over one letter for one recipient; return when the server said 250 after the dot.

        Errors: OutboxError; permanent for 5xx at RCPT, at DATA and after the dot. A refusal at connect, EHLO,
        AUTH or MAIL concerns us and no letter, and has a pause; a lost answer says nothing.
        """
        _check(sender, permanent=False)
        _check(recipient, permanent=True)
        try:
            server = self._begin(sender, recipient, raw)
            self._expect(server.docmd("RCPT", f"TO:<{recipient}>"), 2, recipient)
            self._expect(server.docmd("DATA"), 3, f"the letter to {recipient}")
            server.send(_on_the_wire(raw))
            self._expect(self._last_answer(server), 2, f"the letter to {recipient}")
        except OutboxError:
            self._start_over()
            raise
        except (OSError, ValueError) as error:
            self._hang_up()
            raise OutboxError(
                f"{self._host} broke off the letter to {recipient}: {_reason(error)}", is_lost=True
            ) from error

    def carries(self, address: str) -> bool:
        """Say whether the server takes letters to an address: not all do beyond ASCII. Errors: OutboxError."""
        if address.isascii():
            return True
        if self._server is None:
            try:
                self._server = self._connect()
            except (OSError, ValueError) as error:
                asked = f"{self._host}:{self._wanted.port} cannot be asked whether it takes letters to {address}"
                raise OutboxError(f"{asked}: {_reason(error)}.{tls.advice(self._wanted, error)}", pause=AWAY) from error
        return bool(self._server.has_extn("smtputf8"))

    def close(self) -> None:
        """Take leave of the server, if it is still there."""
        if self._server:
            with suppress(OSError):
                self._server.quit()
        self._hang_up()

    def _begin(self, sender: str, recipient: str, raw: bytes) -> smtplib.SMTP:
        """Give MAIL; on a connection that was lost since the last letter, do so on a new one."""
        if self._server:
            with suppress(OSError):
                reply = _mail(self._server, sender, recipient, raw)
                if reply[0] != 421:
                    self._expect(reply, 2, f"mail from {sender}", ours=True)
                    return self._server
            self._hang_up()
        try:
            self._server = self._connect()
            reply = _mail(self._server, sender, recipient, raw)
        except (OSError, ValueError) as error:
            self._hang_up()
            message = f"{self._host}:{self._wanted.port} cannot be used: {_reason(error)}"
            raise OutboxError(f"{message}.{tls.advice(self._wanted, error)}", pause=AWAY) from error
        self._expect(reply, 2, f"mail from {sender}", ours=True)
        return self._server

    def _connect(self) -> smtplib.SMTP:
        wanted = self._wanted
        try:
            context = tls.context(wanted)
        except CharterError as error:
            raise OutboxError(str(error), pause=REFUSED) from error
        # The machine's name without asking DNS for it, as smtplib would, for seconds where there is none.
        name = socket.gethostname()
        name = name if "." in name else "[127.0.0.1]"
        server = (
            smtplib.SMTP_SSL(wanted.host, wanted.port, name, timeout=self._timeout, context=context)
            if wanted.tls == "tls"
            else smtplib.SMTP(wanted.host, wanted.port, name, timeout=self._timeout)
        )
        try:
            if wanted.tls == "starttls":
                server.starttls(context=context)
            server.ehlo_or_helo_if_needed()
            if self._login and self._login.user:
                self._log_in(server, self._login)
        except BaseException:
            server.close()
            raise
        return server

    def _log_in(self, server: smtplib.SMTP, login: Login) -> None:
        """Log in; where an old token is refused, once more with a new one."""
        failed = self._attempt(server, login)
        if failed and login.secret.refused():
            failed = self._attempt(server, login)
        if failed:
            raise failed

    def _attempt(self, server: smtplib.SMTP, login: Login) -> OutboxError | None:
        """
        Log in, or return why not.

        The error is raised elsewhere, so that neither the library's own, which may repeat what we said, nor our
        secret in this frame hangs on to it.
        """
        try:
            secret = login.secret.get()
            if login.how == "password":
                server.login(login.user, secret)
            else:
                self._show_token(server, login, secret)
        except smtplib.SMTPResponseException as error:
            what = "password" if login.how == "password" else "token"
            message = f"{self._host} refused the login of {login.user} ({error.smtp_code})"
            return OutboxError(f"{message}. Correct user and {what} in the settings.", pause=REFUSED)
        except UnicodeError:
            message = f"The password of {login.user} at {self._host} has letters beyond ASCII."
            return OutboxError(message, pause=REFUSED)
        except WorldError as error:
            return OutboxError(str(error), pause=REFUSED)
        return None

    def _show_token(self, server: smtplib.SMTP, login: Login, token: str) -> None:
        """Log in with an access token. Rule: RFC 7628 for OAUTHBEARER; XOAUTH2 as the large providers have it."""
        if login.how == "xoauth2":
            response = f"user={login.user}\1auth=Bearer {token}\1\1"
        else:
            response = f"n,a={login.user},\1host={self._host}\1port={self._wanted.port}\1auth=Bearer {token}\1\1"
        # Asked again, the server has told why not, and waits for an answer without meaning.
        answers = iter([response])
        server.auth(login.how.upper(), lambda _=None: next(answers, "\1"))

    def _last_answer(self, server: smtplib.SMTP) -> Reply:
        assert server.sock is not None
        server.sock.settimeout(self._timeout * _PATIENCE)
        reply = server.getreply()
        server.sock.settimeout(self._timeout)
        return reply

    def _expect(self, reply: Reply, good: int, what: str, *, ours: bool = False) -> None:
        """Go on if the code begins with the digit `good`; blame us, or else the letter, if it does not."""
        code = reply[0]
        if code // 100 != good:
            ours = ours or code in _ABOUT_US or bool(_ABOUT_US_TOO.match(reply[1]))
            if code == 421:  # it ends the connection: over this letter, for all we know, and the next finds out
                self._hang_up()
            message = f"{self._host} refused {what}: {_words(reply)}"
            raise OutboxError(message, permanent=code // 100 == 5 and not ours, pause=AWAY if ours else None)

    def _start_over(self) -> None:
        if self._server:
            with suppress(OSError):
                if self._server.rset()[0] == 250:
                    return
        self._hang_up()

    def _hang_up(self) -> None:
        if self._server:
            self._server.close()
        self._server = None


def _mail(server: smtplib.SMTP, sender: str, recipient: str, raw: bytes) -> Reply:
    options = " BODY=8BITMIME" if not raw.isascii() and server.has_extn("8bitmime") else ""
    if not (sender + recipient).isascii():
        if not server.has_extn("smtputf8"):
            raise OutboxError(
                f"The mail server takes no addresses beyond ASCII, such as {sender} or {recipient}.",
                permanent=sender.isascii(),
            )
        options += " SMTPUTF8"
        server.command_encoding = "utf-8"
    return server.docmd("MAIL", f"FROM:<{sender}>{options}")


def _check(address: str, *, permanent: bool) -> None:
    """Refuse an address that cannot stand between <> in a command; only a sender may be empty."""
    if not re.fullmatch(r"[^\s<>\x00-\x1f\x7f]+", address) and (permanent or address):
        raise OutboxError(f"{address[:80]!r} is not an address, such as ada@example.org.", permanent=permanent)


def _on_the_wire(raw: bytes) -> bytes:
    lines = re.sub(rb"\r\n|\r|\n", b"\r\n", raw)
    ended = lines if lines.endswith(b"\r\n") or not lines else lines + b"\r\n"
    return re.sub(rb"(?m)^\.", b"..", ended) + b".\r\n"


def _words(reply: Reply) -> str:
    text = " ".join(reply[1].decode("utf-8", "replace").split())
    return f"{reply[0]} {''.join(letter if letter.isprintable() else '?' for letter in text[:300])}"


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return tls.describe(error)
    if isinstance(error, smtplib.SMTPResponseException):
        words = error.smtp_error
        return _words((error.smtp_code, words if isinstance(words, bytes) else words.encode()))
    return (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__
