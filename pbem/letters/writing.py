"""From a letter's text to its bytes, pure; knows no game, no disk and no mail server."""

import re
from datetime import datetime
from email.header import Header, decode_header, make_header
from email.utils import format_datetime, formataddr, parsedate_to_datetime

import msgspec

from pbem.letters import multipart
from pbem.letters.dresses.text import printable
from pbem.letters.multipart import Attached

_DATE = re.compile(rb"^Date: (.+)\r\n", re.MULTILINE)


class Outgoing(msgspec.Struct, frozen=True, kw_only=True):
    """
    A letter of ours, ready to be turned into bytes.

    Shape: `name` makes the Message-ID, so the same letter has the same one for ever; `references` are
    Message-IDs with brackets, the game's first letter first; `mark` shows that it is ours; `with_html` where the text
    is sent as HTML too, as `page` or line for line, with the pictures in it that are among the files `attached`.
    Units: `date` is the time of the journal entry that called for the letter.
    """

    name: str
    domain: str
    sender_name: str
    sender: str
    reply_to: str
    recipient: str
    subject: str
    body: str
    date: datetime
    list_id: str = ""
    mark: str = ""
    with_html: bool = False
    page: str = ""
    attached: tuple[Attached, ...] = ()
    references: tuple[str, ...] = ()
    answers: str = ""


def message_id(name: str, domain: str) -> str:
    """Return the Message-ID of a letter of ours."""
    return f"<{name}@{domain}>"


def compose(letter: Outgoing) -> bytes:
    """
    Turn a letter into the bytes that are filed and sent, the same bytes for the same letter.

    Machines are asked not to answer, each in its own words. Rule: RFC 5322, RFC 3834 (Auto-Submitted), RFC 2919
    (List-Id).
    """
    headers = {
        "From": formataddr((_line(letter.sender_name), letter.sender)),
        "To": letter.recipient,
        "Reply-To": letter.reply_to,
        "Subject": _header(letter.subject),
        "Date": format_datetime(letter.date),
        "Message-ID": message_id(letter.name, letter.domain),
        "In-Reply-To": letter.answers,
        "References": " ".join(letter.references),
        "List-Id": f"<{letter.list_id}>" if letter.list_id else "",
        "Auto-Submitted": "auto-replied" if letter.answers else "auto-generated",
        "Precedence": "bulk",
        "X-Auto-Response-Suppress": "All",
        "X-Pbem-Letter": f"{letter.name}.{letter.mark}" if letter.mark else "",
        "MIME-Version": "1.0",
    }
    # Each value is one encoded line by now; a message object would fold it anew, and take ten times as long.
    head = "".join(f"{name}: {_line(value)}\r\n" for name, value in headers.items() if value)
    # An address beyond ASCII with anything else in its place is somebody else's; the outbox asks for a server that
    # takes it as it is (RFC 6532).
    is_ascii = (letter.sender + letter.recipient).isascii()
    kind, body = multipart.body(
        letter.body,
        letter.attached,
        with_html=letter.with_html,
        page=letter.page,
        name=letter.name,
        domain=letter.domain,
    )
    return head.encode("ascii" if is_ascii else "utf-8", "replace") + f"Content-Type: {kind}\r\n".encode() + body


def dated(raw: bytes) -> datetime | None:
    """Return the Date of a letter of ours."""
    match = _DATE.search(raw)
    try:
        return parsedate_to_datetime(match[1].decode()) if match else None
    except (ValueError, UnicodeDecodeError):
        return None


def redated(raw: bytes, date: datetime) -> bytes:
    """Return a letter of ours with another Date, and the same in all else."""
    return _DATE.sub(b"Date: " + format_datetime(date).encode() + b"\r\n", raw, count=1)


def retold(raw: bytes, text: str) -> bytes:
    """Return a letter of ours, of text alone, with another text, and the same in all else."""
    head, _, _ = raw.partition(b"\r\nContent-Type: ")
    kind, body = multipart.body(text, (), with_html=False, name="", domain="")
    return head + f"\r\nContent-Type: {kind}\r\n".encode() + body


def name_of(raw: bytes) -> str:
    """Return the name under which a letter of ours went out; that of older releases was its identity."""
    found = re.search(rb"^Message-ID: <(.*)@.*?>\r?$", raw.partition(b"\r\n\r\n")[0], re.MULTILINE)
    return found[1].decode() if found else ""


def subject_of(raw: bytes) -> str:
    """Return the subject of a letter of ours."""
    found = re.search(rb"^Subject: (.*?)\r?$", raw.partition(b"\r\n\r\n")[0], re.MULTILINE)
    return str(make_header(decode_header(found[1].decode("ascii", "replace")))) if found else ""


def _header(text: str) -> str:
    text = _line(text)
    return text if text.isascii() else Header(text, "utf-8", maxlinelen=900).encode()


def _line(text: str) -> str:
    """Keep a header on its line, whatever it is made of."""
    return printable(text.replace("\n", " ").replace("\t", " "))
