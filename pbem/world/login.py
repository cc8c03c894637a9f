"""Our login at a mail server: a password, or an access token that is renewed before it expires."""

import fcntl
import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from typing import Annotated, Protocol
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import Request, urlopen

import msgspec
from msgspec import Meta

from pbem.ground.terms import CharterError, WorldError
from pbem.world import disk
from pbem.world import settings as kinds
from pbem.world.settings import OauthSettings, ServerSettings

PATIENCE = 30
"""Seconds that a token command, or the server that makes tokens, may take."""
EARLY = 120
"""Seconds before its end at which an access token is no longer used."""

Seconds = Callable[[], float]


class Secret(Protocol):
    """
    Whatever a server wants to hear from us: asked for at each login, so that a changed file counts at the next.

    Errors: WorldError with what to do; it never holds the secret.
    """

    def get(self) -> str:
        """Return the password or access token."""
        ...

    def refused(self) -> bool:
        """Note that the server refused the secret; return whether `get` would return another one now."""
        return False


class Login(msgspec.Struct, frozen=True):
    """Who we are at a server; `how` is the mechanism, and no user means no login at all."""

    user: str
    how: kinds.Login
    secret: Secret


class FileSecret(Secret):
    """A password that stands alone in a file that only we can read."""

    def __init__(self, path: Path) -> None:
        """Take the file."""
        self._path = path

    def get(self) -> str:
        """Return what the file says now."""
        return read_secret(self._path)


class CommandSecret(Secret):
    """An access token that a program of the operator's prints, such as a keyring's or a provider's own tool."""

    def __init__(self, command: tuple[str, ...], folder: Path) -> None:
        """Take the program with its arguments, and the folder in which it runs; no shell is involved."""
        self._command, self._folder = command, folder

    def get(self) -> str:
        """Run the program and return the first line that it prints."""
        name = self._command[0]
        try:
            done = subprocess.run(  # noqa: S603  the operator's own program, from the operator's own settings
                self._command, cwd=self._folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE,
                check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise WorldError(f"token_command: {name} gave no token in {PATIENCE} seconds. Run it by hand.") from None
        except OSError as error:
            why = error.strerror
            raise CharterError(f"token_command: {name} cannot be run: {why}. Correct it in settings.toml.") from None
        lines = done.stdout.decode("utf-8", "replace").split("\n")
        if done.returncode or not lines[0].strip():
            raise WorldError(f"token_command: {name} ended with {done.returncode} and gave no token. Run it by hand.")
        return lines[0].strip()


class RefreshedSecret(Secret):
    """
    An access token got for a refresh token, and kept until shortly before its end.

    Rule: RFC 6749, 6; a new refresh token in the answer takes the place of the old one in its file. Some servers
    take back all tokens when an old one is shown again, so nobody reads the file while another waits for an answer.
    """

    def __init__(self, wanted: OauthSettings, folder: Path, clock: Seconds = time.monotonic) -> None:
        """Take where tokens come from, the arena's folder, and a clock that never jumps."""
        self._wanted, self._folder, self._clock = wanted, folder, clock
        self._token = ""
        self._until = 0.0
        self._fresh = False
        self._unwritten = ""

    def get(self) -> str:
        """Return the token that we have, or a new one if it has expired."""
        self._fresh = not self._token or self._clock() >= self._until
        if self._fresh:
            self._token = ""
            with _alone(self._folder):
                self._refresh()
        return self._token

    def refused(self) -> bool:
        """Forget the token; return whether it was an old one, so that a new one is worth a try."""
        self._token = ""
        return not self._fresh

    def _refresh(self) -> None:
        path = self._folder / self._wanted.refresh_token_file
        on_file = read_secret(path)
        used = self._unwritten or on_file
        fields = {"grant_type": "refresh_token", "refresh_token": used, "client_id": self._wanted.client_id}
        if self._wanted.client_secret_file:
            fields["client_secret"] = read_secret(self._folder / self._wanted.client_secret_file)
        if self._wanted.scope:
            fields["scope"] = self._wanted.scope
        answer = _post(self._wanted.token_url, fields)
        self._unwritten = answer.refresh_token or used  # the old one is worth nothing now, if the disk is full
        if self._unwritten != on_file:
            write_secret(path, self._unwritten)
        self._unwritten = ""
        self._token = answer.access_token
        self._until = self._clock() + max(0, answer.expires_in - EARLY)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


class _Answer(msgspec.Struct):
    access_token: Annotated[str, Meta(min_length=1)]
    expires_in: float = 3600
    refresh_token: str = ""


def _post(url: str, fields: dict[str, str]) -> _Answer:
    host = urlsplit(url).hostname or url
    request = Request(url, urlencode(fields).encode(), {"Accept": "application/json"})  # noqa: S310  checked on reading
    try:
        with urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
            return msgspec.json.decode(answer.read(1 << 20), type=_Answer, strict=False)  # some say "3600"
    except HTTPError as error:
        # The code word of the answer (RFC 6749, 5.2), and nothing else of it: it may repeat what we sent.
        with error:
            why = _code_word(error.read(1 << 16))
        message = f"{host} gave no access token ({error.code} {why})."
        if error.code in {400, 401, 403}:
            expired = why == "invalid_grant"
            hint = "Sign in anew: pbem init says how." if expired else "Correct [oauth] in settings.toml."
            raise CharterError(f"{message} {hint}") from None
        raise WorldError(message) from None
    except (OSError, HTTPException) as error:
        reason = error.reason if isinstance(error, URLError) else type(error).__name__
        raise WorldError(f"{host} gave no access token: {reason}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise WorldError(f"{host} answered something that holds no access token.") from None


def _code_word(answer: bytes) -> str:
    try:
        word = str(json.loads(answer).get("error", ""))
    except (ValueError, AttributeError):
        return ""
    return word if word.replace("_", "").isalnum() and len(word) < 40 else ""


def login(server: ServerSettings, oauth: OauthSettings | None, folder: Path) -> Login:
    """Return our login at a server, as its settings say; `folder` is the arena's."""
    if not server.user or server.login == "password":
        return Login(server.user, server.login, FileSecret(folder / server.password_file))
    if server.token_command:
        return Login(server.user, server.login, CommandSecret(server.token_command, folder))
    assert oauth is not None, "the settings were checked"
    return Login(server.user, server.login, RefreshedSecret(oauth, folder))


def read_secret(path: Path) -> str:
    """Read a secret from a file of its own. Errors: CharterError, also where others can read the file."""
    try:
        if path.stat().st_mode & 0o077:
            raise CharterError(f"{path} can be read by others. Make it yours alone: chmod 600 {path}")
        secret = path.read_text(encoding="utf-8").strip("\r\n")
    except UnicodeDecodeError:
        secret = ""
    except OSError as error:
        raise CharterError(f"{path} cannot be read: {error.strerror}") from None
    if not secret or {"\n", "\r", "\0"} & set(secret):
        raise CharterError(f"{path} is not one line of text. Write the password or token into it, and nothing else.")
    return secret


def write_secret(path: Path, secret: str) -> None:
    """Write a secret to a file that only we can read, whole or not at all. Errors: CharterError."""
    new = path.with_name(f"{path.name}.new")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new.unlink(missing_ok=True)
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(f"{secret}\n")
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
        disk.sync(path.parent, ())
    except OSError as error:
        raise CharterError(f"{path} cannot be written: {error.strerror}") from None
