"""Calls of a forum's JSON API over HTTP: a session with cookies, no redirects, and errors that say what to do."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import wraps
from http.client import HTTPException
from http.cookiejar import CookieJar
from typing import Any, ParamSpec, TypeVar
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

from pbem.ground.terms import ForumError
from pbem.world.settings import is_private
from pbem.world.webhook import NoRedirects

LARGEST = 8 << 20
"""Bytes of an answer that are read."""
AWAY = 60
"""Seconds to wait for a forum that does not answer."""


OVERLOADED = (429, 502, 503, 504)
"""Answers that say of the forum as a whole that it cannot be asked now."""

R = TypeVar("R")
P = ParamSpec("P")


def understood(*, posts: bool = False) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """
    Have whatever an answer may hold, that its API does not have, end as a ForumError: it stops nobody else.

    Shape: where it `posts`, what was to be done may be done then.
    """

    def guard(ask: Callable[P, R]) -> Callable[P, R]:
        @wraps(ask)
        def guarded(*known: P.args, **named: P.kwargs) -> R:
            try:
                return ask(*known, **named)
            except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
                raise _unread(f"its answer is none of its API, {type(error).__name__}", is_lost=posts) from None

        return guarded

    return guard


def number(said: Any) -> int:
    """Read a number by which a forum names something, or counts. Errors: ValueError where it can be none."""
    found = int(said)
    if isinstance(said, bool) or not 0 < found < 1 << 53:
        raise ValueError
    return found


def readable(read: Callable[[dict[str, Any]], R | None], posts: Iterable[dict[str, Any]]) -> tuple[R, ...]:
    """Read posts, each by itself: what cannot be read is passed over, and its neighbours are not."""
    found: list[R] = []
    for one in posts:
        with suppress(LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
            if (post := read(one)) is not None:
                found.append(post)
    return tuple(found)


class Calls:
    """
    The API of a forum at an address, which ends with a slash.

    Units: `patience` is how many seconds an answer may take.
    """

    def __init__(self, url: str, patience: float) -> None:
        """Call nobody yet."""
        self.url, self.patience = url, patience
        self.cookies = CookieJar()
        self._opener = build_opener(HTTPCookieProcessor(self.cookies), NoRedirects)

    def cookie(self, name: str) -> str:
        """Return what the forum had us keep under a name."""
        return next((one.value or "" for one in self.cookies if one.name == name), "")

    def ask(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        **query: str | int,
    ) -> Any:
        """
        Call, and return what is answered.

        Errors: ForumError; `is_lost` where the answer to anything but a GET was lost, so that it may have been done.
        """
        answered = self._open(method, path + "?" * bool(query) + urlencode(query), body, headers or {})
        try:
            return json.loads(answered or b"null")
        except ValueError:
            raise _unread("its answer is none that we can read", is_lost=method != "GET") from None

    def visit(self) -> None:
        """Look at the forum's first page, for the cookies that it gives. Errors: ForumError."""
        self._open("GET", "", None, {"Accept": "text/html"})

    def _open(self, method: str, path: str, body: Mapping[str, Any] | None, headers: Mapping[str, str]) -> bytes:
        if not is_private(self.url):
            raise ForumError("Its address begins with neither https:// nor a loopback address.", "denied")
        said = {"User-Agent": "pbem", "Accept": "application/json", "Referer": self.url, **headers}
        data = None
        if body is not None:
            data, said["Content-Type"] = json.dumps(body).encode(), "application/json"
        try:
            request = Request(f"{self.url}{path}", data, said, method=method)  # noqa: S310  checked above
            with self._opener.open(request, timeout=self.patience) as it:
                return bytes(it.read(LARGEST))
        except HTTPError as error:
            with error:
                answered = error.read(1 << 16)
            raise _refusal(error.code, dict(error.headers.items()), answered, is_lost=method != "GET") from None
        except (OSError, HTTPException) as error:
            raise _unread(
                f"it cannot be reached: {type(error).__name__}", is_lost=method != "GET", is_away=True
            ) from None


def _unread(why: str, *, is_lost: bool, is_away: bool = False) -> ForumError:
    return ForumError(f"The forum did not answer: {why}.", "later", pause=AWAY, is_lost=is_lost, is_away=is_away)


def _refusal(code: int, headers: Mapping[str, str], answered: bytes, *, is_lost: bool) -> ForumError:
    """Return what a refusal means; whatever is wrong with the server itself passes."""
    words = f"The forum answered {code}{_words(answered)}"
    if code == 429:
        return ForumError(words, "later", pause=_pause(headers, answered), is_away=True, code=code)
    if code >= 500:
        return ForumError(words, "later", pause=AWAY, is_lost=is_lost, is_away=code in OVERLOADED, code=code)
    return ForumError(words, "gone" if code in (404, 410) else "denied", code=code)


def _words(answered: bytes) -> str:
    """Return what the forum says of it, cut short, on one line."""
    try:
        said = json.loads(answered)
        found = [*_leaves(said.get("detail") or said.get("errors") or said)]
    except (ValueError, AttributeError, RecursionError):
        return ""
    text = " ".join("; ".join(found).split())[:200]
    return f": {''.join(letter if letter.isprintable() else '?' for letter in text)}" if text else ""


def _leaves(said: Any) -> Iterator[str]:
    """Yield the sentences in an answer, wherever they stand in it."""
    if isinstance(said, str):
        yield said
    for one in said.values() if isinstance(said, dict) else said if isinstance(said, list) else ():
        yield from _leaves(one)


def _pause(headers: Mapping[str, str], answered: bytes) -> float:
    """Return how many seconds to wait: `Retry-After` (RFC 9110, 10.2.3), or what Discourse says, or a minute."""
    found: Any = next((value for name, value in headers.items() if name.lower() == "retry-after"), "")
    try:
        if not found:
            found = json.loads(answered)["extras"]["wait_seconds"]
        return min(max(float(found), 1), 3_600)
    except (ValueError, TypeError, KeyError):
        return AWAY
