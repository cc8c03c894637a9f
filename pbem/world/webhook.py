"""The door to chats: one message to a hook, in the dialect of what listens there."""

import json
from collections.abc import Callable, Mapping
from http.client import HTTPException, HTTPMessage
from pathlib import Path
from typing import IO, Any, NoReturn
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import HTTPRedirectHandler, Request, build_opener

import msgspec

from pbem.ground.terms import HookError
from pbem.world.login import read_secret
from pbem.world.settings import ChatSettings, is_private

NOT_PRIVATE = "Its address begins with neither https:// nor a loopback address."
PATIENCE = 10
"""Seconds that a hook may take."""
LONGEST = 1_500
"""Characters of a message at most: Discord takes 2,000."""


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """
    What is said: public facts.

    Shape: `key` is the same when the same is said again, and counts nothing; `url` leads to the page, or is "".
    """

    key: str
    game: str
    event: str
    text: str
    url: str = ""


class Webhook:
    """
    A hook, as the settings name it; its address is a secret, and stands in no message of ours.

    Errors: CharterError where its files cannot be read; HookError where it does not take a message.
    """

    def __init__(self, wanted: ChatSettings, folder: Path, patience: float = PATIENCE) -> None:
        """Take the settings of a hook; files are named from a folder."""
        self.wanted, self.folder, self.patience = wanted, folder, patience

    def say(self, message: Message) -> None:
        """Say something, once; where the answer is lost it may have been said."""
        url = read_secret(self.folder / self.wanted.url_file)
        if not is_private(url):
            raise HookError(NOT_PRIVATE, is_final=True)
        method, place, body, headers = _DIALECTS[self.wanted.kind](url, message)
        if self.wanted.token_file:
            headers = {**headers, "Authorization": f"Bearer {read_secret(self.folder / self.wanted.token_file)}"}
        request = Request(place, body, {"User-Agent": "pbem", **headers}, method=method)  # noqa: S310  checked above
        try:
            with build_opener(NoRedirects).open(request, timeout=self.patience) as answer:
                answer.read(1 << 16)
        except HTTPError as error:
            with error:
                answered = error.read(1 << 16)
            raise _refusal(error, answered) from None
        except (OSError, HTTPException, ValueError) as error:
            raise HookError(f"It cannot be reached: {type(error).__name__}.") from None


class NoRedirects(HTTPRedirectHandler):
    """A hook that leads elsewhere is none that we were given: what we know of it goes to nobody else."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> NoReturn:
        """Refuse it."""
        raise HTTPError(req.full_url, code, "led elsewhere", headers, fp)


def _refusal(error: HTTPError, answered: bytes) -> HookError:
    """Return what an answer means: 429 and what is wrong with the server passes, all else is final."""
    if error.code == 429:
        return HookError("It takes no more just now (429).", pause=_pause(dict(error.headers.items()), answered))
    return HookError(f"It refuses what we say ({error.code}).", is_final=error.code < 500)


def _pause(headers: Mapping[str, str], answered: bytes) -> float:
    """Return how many seconds to wait: `Retry-After` (RFC 9110, 10.2.3), or what Discord or Matrix say, or a minute."""
    found: Any = next((value for name, value in headers.items() if name.lower() == "retry-after"), "")
    try:
        if not found:
            said = json.loads(answered)
            found = said.get("retry_after") or said.get("retry_after_ms", 0) / 1000
        return min(max(float(found), 1), 3_600)
    except (ValueError, TypeError, AttributeError):
        return 60


Sent = tuple[str, str, bytes, Mapping[str, str]]
"""Method, address, body and headers of a request."""
_JSON = {"Content-Type": "application/json"}


def _plain(url: str, message: Message) -> Sent:
    """Plain JSON, for programs of one's own."""
    return "POST", url, json.dumps(msgspec.to_builtins(message)).encode(), _JSON


def _discord(url: str, message: Message) -> Sent:
    """Discord's webhooks; nobody is called, whatever a name looks like."""
    said = {"content": _with_url(message), "allowed_mentions": {"parse": []}}
    return "POST", url, json.dumps(said).encode(), _JSON


def _matrix(url: str, message: Message) -> Sent:
    """Matrix, whose address ends with `/send/m.room.message`; the same key is said once (transaction identifiers)."""
    said = {"msgtype": "m.notice", "body": _with_url(message)}
    return "PUT", f"{url.rstrip('/')}/{quote(message.key, safe='')}", json.dumps(said).encode(), _JSON


def _ntfy(url: str, message: Message) -> Sent:
    """The topic's address of an ntfy server."""
    headers = {"Content-Type": "text/plain; charset=utf-8", "Title": message.game}
    return "POST", url, _cut(message.text).encode(), {**headers, **({"Click": message.url} if message.url else {})}


def _with_url(message: Message) -> str:
    return f"{_cut(message.text)} {message.url}".strip()


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


_DIALECTS: Mapping[str, Callable[[str, Message], Sent]] = {
    "json": _plain,
    "discord": _discord,
    "matrix": _matrix,
    "ntfy": _ntfy,
}


def fault_of(wanted: ChatSettings, folder: Path) -> str:
    """Say what is wrong with the files of a hook, or "". Errors: CharterError where they cannot be read."""
    if wanted.token_file:
        read_secret(folder / wanted.token_file)
    return "" if is_private(read_secret(folder / wanted.url_file)) else NOT_PRIVATE
