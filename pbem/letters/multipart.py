"""A letter's body in parts: its text first and whole, then as HTML, then what goes with it; knows no game."""

import base64
import email
import email.policy
import hashlib
import html
import re
from collections.abc import Iterable, Sequence
from itertools import count, groupby

import msgspec

TEXT = 'text/plain; charset="utf-8"'


class Attached(msgspec.Struct, frozen=True, kw_only=True):
    """
    A file that goes with a letter.

    Shape: `kind` is its media type; `shown` is what stands for it where the letter's HTML shows it and it cannot be
    seen, "" where it is a file to keep.
    """

    name: str
    kind: str
    data: bytes
    shown: str = ""


def body(
    text: str, attached: Sequence[Attached], *, with_html: bool, page: str = "", name: str, domain: str
) -> tuple[str, bytes]:
    """
    Return the media type of a letter's body, and its bytes; the same for the same letter.

    Shape: a text alone stands as it is; as HTML it is the `page`, or the text line for line where that is "".
    Rule: RFC 2046 (parts), RFC 2392 (Content-ID).
    """
    main = TEXT, _eight_bit(text)
    if with_html:
        shown = [one for one in attached if one.shown]
        rich = 'text/html; charset="utf-8"', _eight_bit(page or page_of(text, name, domain, shown))
        related = _parts("related", name, [rich, *(_file(one, name, domain) for one in shown)]) if shown else rich
        main = _parts("alternative", name, [main, related])
    kept = [one for one in attached if not (one.shown and with_html)]
    return _parts("mixed", name, [main, *(_file(one, name, domain) for one in kept)]) if kept else main


def text_of(raw: bytes) -> str:
    """Return the text of a letter of ours, which comes first and is sent as it stands, without an encoding."""
    head, _, rest = raw.partition(b"\r\n\r\n")
    if b"\r\nContent-Type: multipart/" in head:
        message = email.message_from_bytes(raw, policy=email.policy.default)
        first = next(part for part in message.walk() if part.get_content_type() == "text/plain")
        rest = first.get_payload(decode=True)  # type: ignore[assignment]
    return rest.decode("utf-8", "replace").replace("\r\n", "\n")


def html_of(raw: bytes) -> str:
    """Return the HTML of a letter of ours, "" where it has none, or has its text line for line."""
    if b"\r\nContent-Type: multipart/" not in raw.partition(b"\r\n\r\n")[0]:
        return ""
    message = email.message_from_bytes(raw, policy=email.policy.default)
    rich = next((part for part in message.walk() if part.get_content_type() == "text/html"), None)
    data = rich.get_payload(decode=True) if rich else b""
    found = data.decode("utf-8", "replace").replace("\r\n", "\n") if isinstance(data, bytes) else ""
    return "" if found.startswith(_LINE_FOR_LINE) else found


def page_of(text: str, name: str, domain: str, shown: Iterable[Attached]) -> str:
    """
    Set a text as HTML, line for line, so that a reply which quotes either can be told from what is new in it.

    Shape: rows that begin and end with a bar are a drawing, which no phone may wrap; pictures stand above the first,
    or at the end where there is none.
    """
    pictures = "".join(
        f'<p><img src="cid:{content_id(one, name, domain)}" alt="{html.escape(one.shown)}" width="600"'
        ' style="max-width:100%;height:auto"></p>\n'
        for one in shown
    )
    blocks = []
    for is_drawn, lines in groupby(text.rstrip("\n").split("\n"), key=_is_row):
        style = _DRAWN if is_drawn else _PROSE
        if is_drawn:
            blocks.append(pictures)
            pictures = ""
        said = html.escape("\n".join(lines), quote=False)
        blocks.append(f'<pre style="{style}">\n{said}</pre>\n')  # a line end right behind the tag is no line
    return f"{_LINE_FOR_LINE}\n{''.join(blocks)}{pictures}</body></html>\n"


_LINE_FOR_LINE = '<!DOCTYPE html>\n<html><body style="margin:8px">'
"""How the HTML of a letter begins that is its text line for line."""


# 56 columns fit on a phone; where a mail program knows no `clamp`, the first size counts.
_SIZE = "font-size:11px;font-size:clamp(11px,2.7vw,14px)"
_PROSE = f"font-family:Menlo,Consolas,'DejaVu Sans Mono',monospace;{_SIZE};white-space:pre-wrap;margin:0"
_DRAWN = f"{_PROSE};white-space:pre;line-height:1.15"
_ROW = re.compile(r"\|.*[|+LA]$")


def _is_row(line: str) -> bool:
    return len(line) > 40 and bool(_ROW.match(line))


Part = tuple[str, bytes]
"""A media type and the headers and body behind it."""


def _eight_bit(text: str) -> bytes:
    encoding = "7bit" if text.isascii() else "8bit"
    return f"Content-Transfer-Encoding: {encoding}\r\n\r\n".encode() + text.replace("\n", "\r\n").encode()


def _file(one: Attached, name: str, domain: str) -> Part:
    place = f"Content-ID: <{content_id(one, name, domain)}>\r\n" if one.shown else ""
    where = "inline" if one.shown else "attachment"
    head = f'{place}Content-Disposition: {where}; filename="{one.name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n'
    return f'{one.kind}; name="{one.name}"', head.encode() + base64.encodebytes(one.data).replace(b"\n", b"\r\n")


def content_id(one: Attached, name: str, domain: str) -> str:
    """Return the name by which the HTML of a letter shows a file that goes with it."""
    return f"{one.name}.{name}@{domain}"


def _parts(kind: str, name: str, parts: Sequence[Part]) -> Part:
    """Put parts behind each other; the line between them follows from the letter's name, and can be in none."""
    inside = b"".join(data for _, data in parts)
    lines = (f"=_{hashlib.sha256(f'{kind} {salt} {name}'.encode()).hexdigest()[:24]}" for salt in count())
    line = next(line for line in lines if line.encode() not in inside)
    encoding = "7bit" if inside.isascii() else "8bit"
    body = b"".join(f"--{line}\r\nContent-Type: {one}\r\n".encode() + data + b"\r\n" for one, data in parts)
    head = f"Content-Transfer-Encoding: {encoding}\r\n\r\n".encode()
    return f'multipart/{kind}; boundary="{line}"', head + body + f"--{line}--\r\n".encode()
