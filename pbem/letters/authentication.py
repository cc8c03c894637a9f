"""What a mail server that we trust found out about a mail's sender, from its Authentication-Results; knows no game."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Literal, TypeAlias

Verdict: TypeAlias = Literal["pass", "fail", "none"]
"""Whether the domain of From stands behind a mail: shown, shown not to, or not known."""

MOST = 20
"""The most results of one header that are looked at."""

MOST_PIECES = 2_000
"""The most quoted strings, brackets, semicolons and words of one header that are looked at."""

_QUOTED = r'"(?:[^"\\]|\\.)*"?'
_PIECE = re.compile(rf'{_QUOTED}|\\.|[();]|\s+|[^();"\\\s]+', re.DOTALL)
_PAIR = re.compile(rf'(?<![\w./-])([\w./-]+)\s*=\s*((?:{_QUOTED}|[^\s"])+)')
_PROPERTIES = {"dkim": ("header.d", "header.i"), "spf": ("smtp.mailfrom",), "dmarc": ("header.from",)}
"""By method: where its result says whom it is about (RFC 8601, 2.7)."""


def checked(results: Sequence[str], servers: Sequence[str], sender: str) -> Verdict:
    """
    Say what the topmost header of a server that we trust says of a sender.

    Shape: `results` are the Authentication-Results of a mail from top to bottom, `servers` the names that our own
    mail servers write there. Those of others, and whatever stands below the topmost of ours, anybody may have
    written. A pass counts where it is about the domain of `sender` or one above it.
    Rule: RFC 8601. Stricter than the relaxed alignment of RFC 7489 3.1, which needs a list of who sells domains.
    """
    domain = sender.rpartition("@")[2].lower()
    for value in results:
        name, *parts = _parts(value)
        if name.lower() in {server.lower() for server in servers}:
            return _verdict([part for part in parts if part], domain)
    return "none"


def domain_of(results: Sequence[str], servers: Sequence[str]) -> str:
    """
    Return the domain of From as the topmost server that we trust read it and found it to be the sender's, or "".

    Where From is odd, this is the domain that was judged, whatever we make of the rest. Rule: RFC 8601, 2.7.
    """
    for value in results:
        name, *parts = _parts(value)
        if name.lower() in {server.lower() for server in servers}:
            rows = [_row(part) for part in parts[:MOST] if part]
            found = [about for method, result, about in rows if method == "dmarc" and result == "pass"]
            return found[0][0] if len(found) == 1 and len(found[0]) == 1 else ""
    return ""


def server(result: str) -> str:
    """Return the name of the server that wrote such a header."""
    return next(_parts(result), "")


def _verdict(found: Sequence[str], domain: str) -> Verdict:
    rows = [_row(text) for text in found[:MOST]]
    if any(method == "dmarc" and result == "fail" for method, result, _ in rows):
        return "fail"
    if any(result == "pass" and any(_aligned(one, domain) for one in about) for _, result, about in rows):
        return "pass"
    return "fail" if any(method in ("dkim", "spf") and result == "fail" for method, result, _ in rows) else "none"


def _parts(value: str) -> Iterator[str]:
    """Split a header at its semicolons: the server's name, then a text for each result; comments are taken out."""
    depth, text, parts = 0, "", 0
    for piece in islice(_PIECE.findall(value), MOST_PIECES):
        if piece in ("(", ")"):
            depth = max(0, depth + (1 if piece == "(" else -1))
            text += " "
        elif piece == ";" and not depth:
            yield _server_name(text) if not parts else text
            parts, text = parts + 1, ""
        elif not depth:
            text += piece
        elif (
            piece.startswith('"') and ")" in piece
        ):  # a comment knows no quotes, so it ends here, or is not what it seems
            return
    yield _server_name(text) if not parts else text


def _server_name(text: str) -> str:
    """Return the name of a server, without the version that may stand behind it."""
    return next(iter(text.split()), "").strip('"')


def _row(text: str) -> tuple[str, str, list[str]]:
    """Return a result's method, what came of it, and the domains that it is about."""
    pairs = [(name.lower(), value.strip('"')) for name, value in _PAIR.findall(text)]
    if not pairs:
        return "", "", []
    method, result = pairs[0][0].partition("/")[0], pairs[0][1].lower()
    wanted = _PROPERTIES.get(method, ())
    return method, result, [value.rpartition("@")[2].lower() for name, value in pairs[1:] if name in wanted]


def _aligned(found: str, domain: str) -> bool:
    """Say whether a domain found is the wanted one or above it; one below it need not have the same owner."""
    return "." in found and (found == domain or domain.endswith(f".{found}"))
