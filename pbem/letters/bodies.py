"""The text of a mail's body: which part, in which charset, flowed lines joined again; knows no quoting, no game."""

from __future__ import annotations

import re
from email.message import Message

import msgspec

from pbem.letters import markup

_CHARSET = re.compile(r"charset\*?\s*=\s*(?:[\w-]*'[\w-]*')?\"?([\w.:+-]+)", re.IGNORECASE)
_CODECS = {
    "ascii": "utf-8", "us-ascii": "utf-8", "utf-8": "utf-8", "utf8": "utf-8", "unicode-1-1-utf-8": "utf-8",
    "latin-1": "cp1252", "latin1": "cp1252", "iso-8859-1": "cp1252", "iso8859-1": "cp1252", "cp1252": "cp1252",
    "gb2312": "gb18030", "gbk": "gb18030", "gb18030": "gb18030", "cp936": "gb18030", "x-gbk": "gb18030",
    "big5": "big5hkscs", "big5-hkscs": "big5hkscs", "cp950": "big5hkscs",
    "shift-jis": "cp932", "sjis": "cp932", "x-sjis": "cp932", "cp932": "cp932", "windows-31j": "cp932",
    "euc-jp": "euc_jp", "iso-2022-jp": "iso2022_jp_ext", "iso-2022-kr": "iso2022_kr",
    "euc-kr": "cp949", "ks-c-5601-1987": "cp949", "cp949": "cp949",
    "koi8-r": "koi8_r", "koi8-u": "koi8_u", "macintosh": "mac_roman", "tis-620": "cp874",
    **{f"iso-8859-{n}": f"iso8859_{n}" for n in (*range(2, 12), *range(13, 17))},
    **{f"windows-{n}": f"cp{n}" for n in range(1250, 1259)},
    **{f"cp{n}": f"cp{n}" for n in range(1250, 1259)},
}  # fmt: skip

_SPACES = dict.fromkeys([0x0B, 0x0C, 0x0D, *range(0x1C, 0x20), 0x85, 0x2028, 0x2029], " ")
_DROPPED = dict.fromkeys(
    [*range(0x09), *range(0x0E, 0x1C), *range(0x7F, 0x85), *range(0x86, 0xA0)]
    + [0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF, *range(0xD800, 0xE000)],
    "",
)
_CONTROLS: dict[int, str] = {**_SPACES, **_DROPPED}
_CONTROL = re.compile(f"[{re.escape(''.join(map(chr, _CONTROLS)))}]")


class Piece(msgspec.Struct, frozen=True):
    """The text of one part of a mail, and whether it was written as plain text."""

    text: str
    plain: bool


def text(message: Message) -> tuple[tuple[str, ...], str]:
    """
    Return the lines of what a person can read in a mail, and a note where that is nothing.

    Shape: plain text where there is any, else HTML turned into text, its quoted parts marked with `> `.
    Errors: none; what cannot be decoded is not text.
    """
    try:
        pieces = _pieces(message)
    except Exception:  # noqa: BLE001  the email package on what no client writes
        return (), "Your mail was too tangled to be taken apart."
    lines = printable("\n".join(piece.text.rstrip("\n") for piece in pieces)).split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    return tuple(lines), "" if lines else _note(message)


def from_escaped(value: str) -> str:
    """Decode what the email package left of raw bytes in a header: UTF-8, else cp1252."""
    if value.isascii():
        return value
    return decoded(value.encode("utf-8", "surrogateescape"), "")


def decoded(data: bytes, charset: str) -> str:
    """
    Decode bytes; a charset that we do not know is taken for UTF-8, else cp1252.

    Latin-1 is read as cp1252, as every browser does, because that is what senders mean.
    """
    name = charset.lower().replace("_", "-")
    codec = _CODECS.get(name)
    if name.startswith("utf-16"):
        codec = _utf16(data, name)
    try:
        return data.decode(codec or "utf-8")
    except UnicodeError:
        # Known multi-byte text with one broken byte stays readable; anything else is some Western code page.
        multibyte = codec is not None and name not in ("ascii", "us-ascii")
        return data.decode(codec if codec and multibyte else "cp1252", "replace")


def printable(text: str) -> str:
    """Make what other programs take for a line end into a blank, and drop controls and text-direction marks."""
    return _CONTROL.sub(lambda match: _CONTROLS[ord(match[0])], text)


def _utf16(data: bytes, name: str) -> str:
    if name in ("utf-16le", "utf-16be"):
        return name
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    even_zeros, odd_zeros = data[0::2].count(0), data[1::2].count(0)
    return "utf-16be" if even_zeros > odd_zeros else "utf-16le"


def _pieces(part: Message) -> list[Piece]:
    """Return the readable text of a part: of alternatives the plain one, of a mixture every one in order."""
    payload = part.get_payload()
    if part.get_content_maintype() == "message":
        return []
    if not isinstance(payload, list):
        return _leaf(part)
    children = [child for child in payload if isinstance(child, Message)]
    if part.get_content_subtype() != "alternative":
        return [piece for child in children for piece in _pieces(child)]
    marked_up: list[Piece] = []
    for child in sorted(children, key=lambda child: child.get_content_type() != "text/plain"):
        pieces = _pieces(child)
        if any(piece.text.strip() for piece in pieces):
            if all(piece.plain for piece in pieces):
                return pieces  # at once, because turning HTML into text takes ten times as long as all else
            marked_up = marked_up or pieces
    return marked_up


def _leaf(part: Message) -> list[Piece]:
    kind = part.get_content_type()
    if kind not in ("text/plain", "text/html") or _is_attached(part):
        return []
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return []
    asked = _CHARSET.search(str(part.get("Content-Type", "")))
    content = decoded(data, asked[1] if asked else "").replace("\r\n", "\n")
    if kind == "text/html":
        return [Piece(markup.text(content), False)]
    parameters = str(part.get("Content-Type", "")).lower().replace('"', "").replace(" ", "")
    if "format=flowed" in parameters:
        content = _unflowed(content, delsp="delsp=yes" in parameters)
    return [Piece(_unsigned(content), True)]


def _is_attached(part: Message) -> bool:
    disposition = str(part.get("Content-Disposition", "")).lower()
    return disposition.startswith("attachment") or "filename" in disposition


def _unflowed(text: str, *, delsp: bool) -> str:
    """Join flowed lines again and take out space-stuffing. Rule: RFC 3676 4."""
    result: list[str] = []
    open_depth = -1
    for line in text.split("\n"):
        bare = line.lstrip(">")
        depth = len(line) - len(bare)
        bare = bare.removeprefix(" ")
        flowed = bare.endswith(" ") and bare != "-- "
        if depth == open_depth and bare != "-- ":
            result[-1] += bare
        else:
            result.append(f"{'>' * depth} {bare}" if depth else bare)
        if flowed and delsp:
            result[-1] = result[-1][:-1]
        open_depth = depth if flowed else -1
    return "\n".join(result)


_SIGNED = re.compile(r"^-----BEGIN PGP SIGNED MESSAGE-----\n(?:\w+: .*\n)*\n?", re.MULTILINE)


def _unsigned(text: str) -> str:
    """Take off the wrapping of a text signed within itself. Rule: RFC 9580 7."""
    opening = _SIGNED.search(text)
    if not opening:
        return text
    signed, _, rest = text[opening.end() :].partition("\n-----BEGIN PGP SIGNATURE-----")
    after = rest.partition("-----END PGP SIGNATURE-----")[2]
    lines = [line.removeprefix("- ") for line in signed.split("\n")]
    return text[: opening.start()] + "\n".join(lines) + after


def _note(message: Message) -> str:
    """Say why a mail without text has none."""
    kinds = {part.get_content_type() for part in message.walk() if not part.is_multipart()}
    if kinds & {"application/pgp-encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"}:
        return "Your mail was encrypted, and we have no key to read it."
    if "application/ms-tnef" in kinds:
        return "Your mail held only a winmail.dat, which Outlook alone can read."
    rest = {kind for kind in kinds if not kind.startswith("text/") or kind == "text/calendar"}
    if not rest:
        return "Your mail held no text."
    if all(kind.startswith("image/") for kind in rest):
        return "Your mail held only a picture."
    if "text/calendar" in rest:
        return "Your mail held only a calendar entry."
    return "Your mail held only an attachment."
