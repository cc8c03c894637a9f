"""What a bounce says: whose mail failed, for good or for now, and which letters of ours it names; knows no game."""

import re
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from itertools import islice
from typing import TypeAlias

import msgspec
from flufl.bounce import all_failures

MOST_BYTES = 400_000
MOST_PARTS = 40
MOST_LINES = 200
MOST_COLUMNS = 200
"""What the library is shown of a bounce: its patterns search each line from each letter."""
MOST_MARKS = 20

Addresses: TypeAlias = tuple[str, ...]

_MARK = re.compile(r"^[ >|]*X-Pbem-Letter: ?([\w.+-]{1,200})\.([a-z2-7]{16})\s*$", re.IGNORECASE | re.MULTILINE)
_TO = re.compile(r"^[ >|]*(?:To|Cc|Delivered-To|X-Original-To):.*$", re.IGNORECASE | re.MULTILINE)
"""Whom the letter went to, where its headers are shown as text."""
_ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w.-]{1,200}\w", re.ASCII)


class Bounce(msgspec.Struct, frozen=True):
    """
    What a bounce says.

    Shape: `failed` for good, or only `delayed`; `named` are all addresses in the server's own words, among them whose
    mail went on to one that failed; `marks` are letters that it returns and the marks that they bear, which is for
    the caller to check: whoever made them had the letter.
    """

    failed: Addresses = ()
    delayed: Addresses = ()
    named: Addresses = ()
    marks: tuple[tuple[str, str], ...] = ()


def read(raw: bytes) -> Bounce:
    """
    Read a bounce, standard or not.

    Errors: none; what cannot be read names nobody. Rule: RFC 3464.
    """
    raw = raw[:MOST_BYTES].replace(b"\r\n", b"\n")
    if raw.lower().count(b"multipart/") + raw.lower().count(b"message/rfc822") > MOST_PARTS:
        return Bounce()
    try:
        message = message_from_bytes(raw)
    except Exception:  # noqa: BLE001  the email package on what no server writes
        return Bounce()
    failed, delayed = scan(message)
    named = _named(message) if failed else ()
    return Bounce(failed, delayed, named, marks(message))


def marks(message: Message) -> tuple[tuple[str, str], ...]:
    """Return the letters that a mail returns with their headers, each with the mark that it bears. Errors: none."""
    try:
        return tuple(dict.fromkeys(islice(_marks(message), MOST_MARKS)))
    except Exception:  # noqa: BLE001  the email package on what no server writes
        return ()


def _named(message: Message) -> Addresses:
    try:
        said = _TO.sub("", _within_limits(message).as_string())
    except Exception:  # noqa: BLE001  the email package on what no server writes
        return ()
    return tuple(sorted({address.lower() for address in _ADDRESS.findall(said)}))


def scan(message: Message) -> tuple[Addresses, Addresses]:
    """
    Return the addresses that failed for good, and those that failed for now.

    Errors: none, and no time to speak of: the library sees a copy within limits, without the mail that is returned.
    """
    try:
        small = _within_limits(message)
        delayed, failed = all_failures(small)
    except Exception:  # noqa: BLE001  the library raises what it meets
        return (), ()
    return _addresses(failed), _addresses(delayed)


def _addresses(found: frozenset[bytes]) -> Addresses:
    return tuple(sorted({address.decode("ascii", "replace").lower() for address in found if b"@" in address}))


def _within_limits(message: Message) -> Message:
    """Copy what a mail server says about a mail, without the mail that it returns."""
    small = Message()
    for name in ("From", "Subject", "X-Failed-Recipients", "X-Mailer"):
        if name in message:
            small[name] = _line(message[name])
    parts = [part for part in islice(_leaves(message), MOST_PARTS) if part.get_content_type() != "text/html"]
    if not message.is_multipart():
        return _text(message, small)
    small.add_header("Content-Type", message.get_content_type())
    copies: list[Message | str] = [_status(part) if part.is_multipart() else _text(part, Message()) for part in parts]
    small.set_payload(copies)
    return small


def _leaves(message: Message) -> Iterator[Message]:
    """Yield the parts that hold what the server says; a mail within the mail is none of it."""
    kind = message.get_content_type()
    if kind in ("message/delivery-status", "message/global-delivery-status"):
        yield message
    elif message.get_content_maintype() != "message" and kind != "text/rfc822-headers":
        payload = message.get_payload()
        if not isinstance(payload, list):
            yield message
            return
        for part in payload:
            if isinstance(part, Message):
                yield from _leaves(part)


def _text(part: Message, into: Message) -> Message:
    content = _decoded(part) if part.get_content_maintype() == "text" else ""
    lines = [line[:MOST_COLUMNS] for line in content.split("\n")[:MOST_LINES]]
    into["Content-Type"] = "text/plain"
    if "Content-Description" in part:
        into["Content-Description"] = _line(part["Content-Description"])
    into.set_payload("\n".join(lines))
    return into


def _status(part: Message) -> Message:
    """Copy the fields of a delivery status that say who failed, and how."""
    status = Message()
    status["Content-Type"] = "message/delivery-status"
    blocks: list[Message | str] = []
    payload = part.get_payload()
    for block in payload[:MOST_PARTS] if isinstance(payload, list) else []:
        small = Message()
        for name in ("Action", "Status", "Original-Recipient", "Final-Recipient"):
            if isinstance(block, Message) and name in block:
                small[name] = _line(block[name])
        blocks.append(small)
    status.set_payload(blocks)
    return status


def _line(value: object) -> str:
    return " ".join(str(value)[:MOST_COLUMNS].split())


def _marks(message: Message) -> Iterator[tuple[str, str]]:
    """Yield the marks of our letters: in the headers of a mail within the mail, or in text that shows them."""
    for part in islice(message.walk(), MOST_PARTS):
        texts = [] if part is message else [f"X-Pbem-Letter: {value}" for value in part.get_all("X-Pbem-Letter", [])]
        if not part.is_multipart() and part.get_content_maintype() == "text":
            texts.append(_decoded(part))
        for match in (match for text in texts for match in _MARK.finditer(text)):
            yield match[1], match[2].lower()


def _decoded(part: Message) -> str:
    data = part.get_payload(decode=True)
    return data.decode("utf-8", "replace").replace("\r\n", "\n") if isinstance(data, bytes) else ""
