"""The text of a mail's body: which part, in which charset, flowed lines joined again; knows no quoting, no game."""

import re
from email.message import Message

import msgspec

from pbem.letters import charsets, markup

_CHARSET = re.compile(r"charset\*?\s*=\s*(?:[\w-]*'[\w-]*')?\"?([\w.:+-]+)", re.IGNORECASE)
_META = re.compile(rb"<meta\b[^>]{0,200}?\bcharset\s{0,9}=\s{0,9}[\"']?([\w.:+-]{1,40})", re.IGNORECASE)
_MOST_HEAD = 4_000
"""The most bytes of an HTML text in which it may name its charset."""
_HTML_BEGINS = re.compile(r"\s*(?:<!doctype html\b|<html\b)", re.IGNORECASE)
_SCRUBBED = re.compile(
    r"^-{14} next part -{14}(?:\n|\Z)"
    r"(?:An? [^\n]{1,80} was scrubbed\.\.\.(?:\n|\Z)"
    r"(?:(?:From|Subject|Date|Size|Name|Type|Desc|URL): ?[^\n]*(?:\n|\Z))*)?",
    re.MULTILINE,
)
"""What a list program writes in place of a part that it took out."""

_PART = re.compile(r"^(?:--\S+|content-[a-z]+:.*)$", re.IGNORECASE | re.MULTILINE)
"""What stands between the parts of a mail, and above them."""
UNPARTED = (
    "Your mail has parts that cannot be told from one another, so nothing of it was read. Send its words alone, as "
    "plain text."
)

_SPACES = dict.fromkeys([0x0B, 0x0C, 0x0D, *range(0x1C, 0x20), 0x85, 0x2028, 0x2029], " ")
_DROPPED = dict.fromkeys(
    [*range(0x09), *range(0x0E, 0x1C), *range(0x7F, 0x85), *range(0x86, 0xA0)]
    + [0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF, *range(0xD800, 0xE000)],
    "",
)
_CONTROLS: dict[int, str] = {**_SPACES, **_DROPPED}
_CONTROL = re.compile(f"[{re.escape(''.join(map(chr, _CONTROLS)))}]")

MOST_TAGS = 30_000
"""The most tags of HTML that are turned into lines, each of which takes longer than a line of plain text."""
TOO_MARKED = (
    f"Your mail has more than {MOST_TAGS:,} HTML tags, so nothing of it was read. "
    "Send its new words alone, as plain text."
)

NO_TEXT = "Your mail held no text."
A_PICTURE = "Your mail held only a picture."
A_CALENDAR = "Your mail held only a calendar entry."
AN_ATTACHMENT = "Your mail held only an attachment."
WORDLESS = (NO_TEXT, A_PICTURE, A_CALENDAR, AN_ATTACHMENT)
"""What is said of a mail in which nobody wrote anything."""


class Piece(msgspec.Struct, frozen=True):
    """The text of one part of a mail, whether it was written as plain text, and the HTML that is its other form."""

    text: str
    plain: bool
    html: str = ""


class Body(msgspec.Struct, frozen=True):
    """What a person can read in a mail: its lines, a note where there are none, and the HTML that was not read."""

    lines: tuple[str, ...]
    note: str = ""
    html: str = ""


def body(message: Message) -> Body:
    """
    Return the lines of what a person can read in a mail.

    Shape: plain text where there is any, else HTML turned into text, its quoted parts marked with `> `.
    Errors: none; what cannot be decoded is not text.
    """
    try:
        if _tags(message) > MOST_TAGS:
            return Body((), TOO_MARKED)
        pieces = _pieces(message)
        if not any(piece.text.strip() for piece in pieces):
            pieces = _pieces(message, is_named_read=True)
    except Exception:  # noqa: BLE001  the email package on what no client writes
        return Body((), "Your mail was too tangled to be taken apart.")
    text = "\n".join(piece.text.rstrip("\n") for piece in pieces)
    lines = lines_of(text)
    return Body(lines, "" if lines else _note(message, text), "".join(piece.html for piece in pieces))


def hidden(message: Message) -> tuple[tuple[str, str], ...]:
    """Return the lines that are taken out of HTML, each with why; none if the plain text is read."""
    if any(piece.plain for piece in _pieces(message)):
        return ()
    return tuple((printable(line), why) for line, why in markup.hidden(_html(message)))


def lines_of(text: str) -> tuple[str, ...]:
    """Cut a text into lines, made printable and without the blank ones at its end."""
    lines = printable(_SCRUBBED.sub("", _without_armour(text))).split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    return tuple(lines)


def from_escaped(value: str) -> str:
    """Decode what the email package left of raw bytes in a header: UTF-8, else cp1252."""
    if value.isascii():
        return value
    return charsets.decoded(value.encode("utf-8", "surrogateescape"), "")


def printable(text: str) -> str:
    """Turn what other programs take for a line end into a blank, and drop controls and text-direction marks."""
    if text.isascii():
        return text.translate(_CONTROLS)  # the same, and twenty times as fast
    return _CONTROL.sub(lambda match: _CONTROLS[ord(match[0])], text)


def _pieces(part: Message, *, is_named_read: bool = False) -> list[Piece]:
    """
    Return the readable text of a part: the plain one of alternatives, every one of a mixture in order.

    Shape: `is_named_read` tells that text counts too that has a name and is to be shown, as where there is no other.
    """
    payload = part.get_payload()
    if part.get_content_maintype() == "message":
        return []
    if not isinstance(payload, list):
        return _leaf(part, is_named_read=is_named_read)
    children = [child for child in payload if isinstance(child, Message)]
    if part.get_content_subtype() != "alternative":
        return [piece for child in children for piece in _pieces(child, is_named_read=is_named_read)]
    marked_up: list[Piece] = []
    plain: list[Piece] = []
    for child in sorted(children, key=lambda child: child.get_content_type() != "text/plain"):
        pieces = _pieces(child, is_named_read=is_named_read)
        if any(piece.text.strip() for piece in pieces):
            if all(piece.plain for piece in pieces):
                html = _html(part)
                if markup.strikes(html) and html.count("<") <= MOST_TAGS:
                    plain = plain or pieces  # which does not show what is struck through
                    continue
                # At once, because turning HTML into text takes ten times as long as all else.
                return [msgspec.structs.replace(pieces[0], html=html), *pieces[1:]]
            marked_up = marked_up or pieces
    return marked_up or plain


def _tags(part: Message) -> int:
    """Count the tags of the HTML that is to be turned into lines, because there is no plain text in its place."""
    payload = part.get_payload()
    kind = part.get_content_type()
    if part.get_content_maintype() == "message":
        return 0
    if not isinstance(payload, list):
        return _content(part).count("<") if _is_html(part) and not _is_attached(part) else 0
    children = [child for child in payload if isinstance(child, Message)]
    plain = [child for child in children if child.get_content_type() == "text/plain"]
    if kind == "multipart/alternative" and any(piece.text.strip() for child in plain for piece in _leaf(child)):
        return 0
    return sum(map(_tags, children))


def _leaf(part: Message, *, is_named_read: bool = False) -> list[Piece]:
    kind = part.get_content_type()
    if part.get_content_maintype() == "multipart":
        return [Piece(_unparted(part), True)]
    if kind not in ("text/plain", "text/html") or _is_attached(part, is_named_read=is_named_read):
        return []
    content = _content(part)
    if _is_html(part):
        return [Piece(markup.text(content), False)]
    parameters = str(part.get("Content-Type", "")).lower().replace('"', "").replace(" ", "")
    if "format=flowed" in parameters:
        content = _unflowed(content, delsp="delsp=yes" in parameters)
    return [Piece(_unsigned(content), True)]


def _content(part: Message) -> str:
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return ""
    asked = _CHARSET.search(str(part.get("Content-Type", "")))
    charset = asked[1] if asked else ""
    if not asked and part.get_content_type() == "text/html":
        said = _META.search(data[:_MOST_HEAD])
        charset = said[1].decode("ascii", "replace") if said else ""
    return charsets.decoded(data, charset).replace("\r\n", "\n")


def _is_html(part: Message) -> bool:
    """Say whether a part is HTML, by its type, or because it begins as a whole page does, which nobody types."""
    kind = part.get_content_type()
    return kind == "text/html" or (kind == "text/plain" and bool(_HTML_BEGINS.match(_content(part))))


def _html(part: Message) -> str:
    """Return the HTML of the first part that is some, or ""."""
    leaves = (child for child in part.walk() if child.get_content_type() == "text/html" and not _is_attached(child))
    return next((_content(leaf) for leaf in leaves), "")


def _is_attached(part: Message, *, is_named_read: bool = False) -> bool:
    disposition = str(part.get("Content-Disposition", "")).lower()
    return disposition.startswith("attachment") or ("filename" in disposition and not is_named_read)


def _unparted(part: Message) -> str:
    """Return the text of parts that were not told apart, where none of their own lines stands in it, or ""."""
    text = _content(part)
    return "" if _PART.search(text) else text


def _unflowed(text: str, *, delsp: bool) -> str:
    """Join flowed lines again and take out space-stuffing. Rule: RFC 3676 4."""
    result: list[list[str]] = []  # in pieces, since a line can be all of a large mail
    open_depth = -1
    for line in text.split("\n"):
        bare = line.lstrip(">")
        depth = len(line) - len(bare)
        bare = bare.removeprefix(" ")
        flowed = bare.endswith(" ") and bare != "-- "
        if depth == open_depth and bare != "-- ":
            result[-1].append(bare)
        else:
            result.append([f"{'>' * depth} {bare}" if depth else bare])
        if flowed and delsp:
            result[-1][-1] = result[-1][-1][:-1]
        open_depth = depth if flowed else -1
    return "\n".join(map("".join, result))


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


_ARMOUR = "-----BEGIN PGP MESSAGE-----"


def _without_armour(text: str) -> str:
    """Take out what is encrypted within a text; nobody's orders look so. Rule: RFC 9580 6.2."""
    if _ARMOUR not in text:
        return text
    before, *rest = text.split(_ARMOUR)
    return before + "".join(piece.partition("-----END PGP MESSAGE-----")[2] for piece in rest)


def _note(message: Message, text: str) -> str:
    """Say why a mail without text has none."""
    leaves = [part for part in message.walk() if not part.is_multipart()]
    kinds = {part.get_content_type() for part in leaves}
    if any(part.get_content_maintype() == "multipart" and _content(part).strip() for part in leaves):
        return UNPARTED
    if kinds & {"application/pkcs7-mime", "application/x-pkcs7-mime"} and "signed-data" in _types(message):
        return "Your mail was signed in a way that wraps up its text (S/MIME). Send it unsigned, or clear-signed."
    if _ARMOUR in text or kinds & {"application/pgp-encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"}:
        return "Your mail was encrypted, and we have no key to read it."
    if "application/ms-tnef" in kinds:
        return "Your mail held only a winmail.dat, which Outlook alone can read."
    if kinds & {"text/rtf", "application/rtf", "text/richtext"}:
        return "Your mail held only rich text (RTF), which we cannot read. Send it as plain text."
    rest = {kind for kind in kinds if not kind.startswith(("text/", "multipart/")) or kind == "text/calendar"}
    if not rest and not any(_is_attached(part, is_named_read=True) for part in leaves):
        return NO_TEXT
    if rest and all(kind.startswith("image/") for kind in rest):
        return A_PICTURE
    if "text/calendar" in rest:
        return A_CALENDAR
    return AN_ATTACHMENT


def _types(message: Message) -> str:
    return " ".join(str(part.get("Content-Type", "")).lower() for part in message.walk())
