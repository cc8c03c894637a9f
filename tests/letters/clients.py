"""Mail clients as the tests know them: each turns our letter and a person's new lines into the mail it would send."""

import base64
import quopri
import re
import textwrap
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import Literal, NamedTuple

LETTER = (Path(__file__).parent.parent / "post" / "letter.txt").read_text(encoding="utf-8")
"""A letter of ours in the style of all of them."""

SENDER = "Ada Lovelace <Ada@example.com>"
OURS = "Ember Games <ember+ember-7.k3x9@example.org>"
WHEN = "Tue, 24 Nov 2026 09:30:00 +0100"

Place = Literal["alone", "top", "bottom", "inline", "form"]
PLACES: tuple[Place, ...] = ("alone", "top", "bottom", "inline", "form")


class Text(NamedTuple):
    """A run of lines in a reply: quoted from our letter, or not."""

    lines: list[str]
    quoted: bool


def composed(place: Place, new: Sequence[str], letter: str = LETTER) -> list[Text]:
    """Lay out a reply as its writer sees it: new lines above, below, between, or in the form of our letter."""
    ours = letter.rstrip("\n").split("\n")
    written = Text(list(new), False)
    half = ours.index("Rulings") if "Rulings" in ours else len(ours) // 2
    match place:
        case "alone":
            return [written]
        case "top":
            return [written, Text(ours, True)]
        case "bottom":
            return [Text(ours, True), written]
        case "inline":
            rest = Text(list(new[1:]), False)
            return [Text(ours[:half], True), Text(list(new[:1]), False), Text(ours[half:], True), rest]
        case "form":
            return [Text(filled(ours, new), True)]


def filled(ours: Sequence[str], new: Sequence[str]) -> list[str]:
    """Fill the first lines of the form with new lines, and leave the others blank."""
    answers = [line for line in new if line]
    result = []
    for line in ours:
        result.append(f"~ {answers.pop(0)}" if line.startswith("~ ") and answers else line)
    return result


def expected(place: Place, new: Sequence[str]) -> list[str]:
    """Return the new lines that must be found in a reply."""
    if place == "form":
        return [line for line in new if line]
    if place == "inline":
        rest = list(new[1:])
        while rest and not rest[0]:
            rest.pop(0)  # a blank line belongs to the line above it, and that is ours
        return [new[0], "", *rest] if rest else [new[0]]
    return list(new)


# How the parts of a reply are dressed


def quoted_with(
    mark: str,
    attribution: str,
    *,
    width: int = 0,
    signature: str = "",
    shape: Callable[[str], str] = str,
    rest: str | None = None,
) -> Callable[[list[Text]], str]:
    """Dress a reply as plain text: an attribution, quote marks, perhaps hard wrapping and a signature."""

    def dress(texts: list[Text]) -> str:
        blocks = []
        for number, text in enumerate(texts):
            lines = [shape(f"{mark}{line}".rstrip() if text.quoted else line) for line in text.lines]
            if width:
                indent = (mark if rest is None else rest) if text.quoted else ""
                lines = [piece for line in lines for piece in _wrapped(line, width, indent)]
            is_first_quote = text.quoted and not any(before.quoted for before in texts[:number])
            blocks.append("\n".join([attribution, *lines] if is_first_quote and attribution else lines))
        if signature:
            blocks.insert(1 if not texts[0].quoted else len(blocks), signature)
        return "\n\n".join(blocks) + "\n"

    return dress


def _wrapped(line: str, width: int, mark: str) -> list[str]:
    return textwrap.wrap(line, width, subsequent_indent=mark, break_long_words=False) or [line]


def outlook_block(texts: list[Text], *, rule: str = "-----Original Message-----", tab: str = " ") -> str:
    """Dress a reply as Outlook does in plain text: a block of headers, and the letter below without marks."""
    block = "\n".join(
        [
            rule,
            f"From:{tab}{OURS}",
            f"Sent:{tab}Tuesday, 24 November 2026 08:00",
            f"To:{tab}Ada Lovelace <ada@example.com>",
            f"Subject:{tab}[ember-7] Round 3",
        ]
    )
    blocks = []
    for number, text in enumerate(texts):
        is_first_quote = text.quoted and not any(before.quoted for before in texts[:number])
        blocks.append(f"{block}\n\n" * is_first_quote + "\n".join(text.lines))
    return "\n\n".join(blocks) + "\n"


def flowed(texts: list[Text], *, delsp: bool = False) -> str:
    """Dress a reply as format=flowed: long lines broken after a blank, quote marks, space-stuffing."""
    lines = []
    if any(text.quoted for text in texts):
        lines = ["On 24/11/2026 08:00, Ember Games wrote:"] * texts[0].quoted
    for number, text in enumerate(texts):
        if number and text.quoted and not any(before.quoted for before in texts[:number]):
            lines.append("On 24/11/2026 08:00, Ember Games wrote:")
        for line in text.lines:
            mark = ">" if text.quoted else ""
            pieces = re.findall(r".{1,40}(?: |$)|\S+(?: |$)", line.rstrip()) or [""]
            ends = [piece + " " * delsp for piece in pieces[:-1]] + pieces[-1:]
            stuffed = [f" {end}" if mark or end.startswith((" ", ">", "From ")) else end for end in ends]
            lines += [mark + end for end in stuffed]
        lines.append("")
    return "\n".join(lines)


def _html_lines(lines: Sequence[str], wrap: str = "div") -> str:
    shown = [escape(line, quote=False).replace("  ", "&nbsp; ") for line in lines]
    if wrap == "br":
        return "<br>\n".join(shown)
    if wrap == "p":
        return "".join(f'<p class="MsoNormal">{line or "<o:p>&nbsp;</o:p>"}</p>\n' for line in shown)
    return "".join(f"<div>{line or '<br>'}</div>" for line in shown)


def html_with(
    before: str, opening: str, closing: str, *, outer: tuple[str, str] = ("", ""), wrap: str = "div"
) -> Callable[[list[Text]], str]:
    """Dress a reply as HTML: an attribution, each quoted run in an element, all from the first in an outer one."""

    def dress(texts: list[Text]) -> str:
        html, is_open = "", False
        for text in texts:
            if text.quoted and not is_open:
                html, is_open = html + outer[0] + before, True
            inner = _html_lines(text.lines, wrap)
            html += f"{opening}{inner}{closing}" if text.quoted else f"{inner}<div><br></div>"
        end = outer[1] if is_open else ""
        style = "<style>p.MsoNormal {margin:0cm}</style>"
        return f"<html><head>{style}<title>Re</title></head><body>{html}{end}</body></html>"

    return dress


# How a reply travels


def _encoded(text: str, charset: str, how: str) -> bytes:
    data = text.encode(charset)
    match how:
        case "base64":
            return base64.encodebytes(data)
        case "quoted-printable":
            return quopri.encodestring(data)
        case _:
            return data


def part(text: str, kind: str = "text/plain", charset: str = "utf-8", how: str = "8bit", more: str = "") -> bytes:
    """Write one part of a mail, or the whole body of one without parts."""
    head = f"Content-Type: {kind}; charset={charset}{more}\nContent-Transfer-Encoding: {how}\n\n"
    return head.encode() + _encoded(text, charset, how)


def parts(kind: str, *children: bytes) -> bytes:
    """Write a multipart."""
    between = b"\n--b0undary\n"
    return (
        f'Content-Type: {kind}; boundary="b0undary"\n\nMIME.\n'.encode()
        + between
        + between.join(children)
        + b"\n--b0undary--\n"
    )


def mail(content: bytes, headers: str = "", *, crlf: bool = True) -> bytes:
    """Write a whole mail around its content."""
    head = (
        f"Return-Path: <ada@example.com>\nDelivered-To: ember+ember-7.k3x9@example.org\n"
        f"From: {SENDER}\nTo: {OURS}\nSubject: Re: [ember-7] Round 3\nDate: {WHEN}\n"
        "Message-ID: <reply-1@example.com>\nIn-Reply-To: <letter-9@example.org>\n"
        f"References: <letter-1@example.org>\n <letter-9@example.org>\nMIME-Version: 1.0\n{headers}"
    )
    raw = head.encode() + content
    return raw.replace(b"\n", b"\r\n") if crlf else raw


# The clients

_GMAIL = "On Tue, Nov 24, 2026 at 8:00 AM Ember Games <ember+ember-7.k3x9@example.org>\nwrote:\n"
_GMAIL_HTML = html_with(
    '<div dir="ltr" class="gmail_attr">On Tue, Nov 24, 2026 at 8:00 AM Ember Games &lt;<a '
    'href="mailto:ember@example.org">ember@example.org</a>&gt; wrote:<br></div>',
    '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204)">',
    "</blockquote>",
    outer=('<br><div class="gmail_quote gmail_quote_container">', "</div>"),
    wrap="br",
)
_MOZ_HTML = html_with(
    '<div class="moz-cite-prefix">On 24/11/2026 08:00, Ember Games wrote:<br></div>',
    '<blockquote type="cite" cite="mid:letter-9@example.org"><pre>',
    "</pre></blockquote>",
    wrap="br",
)
_OUTLOOK_WEB = html_with(
    '<div id="appendonsend"></div><hr tabindex="-1" style="display:inline-block;width:98%">'
    '<div id="divRplyFwdMsg" dir="ltr"><font face="Calibri"><b>From:</b> Ember Games &lt;ember@example.org&gt;<br>'
    "<b>Sent:</b> Tuesday, November 24, 2026 8:00 AM<br><b>To:</b> Ada Lovelace &lt;ada@example.com&gt;<br>"
    "<b>Subject:</b> [ember-7] Round 3</font><div>&nbsp;</div></div>",
    '<div class="PlainText">',
    "</div>",
    wrap="br",
)
_OUTLOOK_WORD = html_with(
    '<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal">'
    "<b>From:</b> Ember Games &lt;ember@example.org&gt; <br><b>Sent:</b> 24 November 2026 08:00<br>"
    "<b>To:</b> Ada Lovelace &lt;ada@example.com&gt;<br><b>Subject:</b> [ember-7] Round 3<o:p></o:p></p></div>",
    "",
    "",
    wrap="p",
)
_APPLE_HTML = html_with(
    '<div><br><blockquote type="cite"><div>On 24 Nov 2026, at 08:00, Ember &lt;e@example.org&gt; wrote:</div>'
    "</blockquote></div>",
    '<blockquote type="cite"><div>',
    "</div></blockquote>",
)
_YAHOO_HTML = html_with(
    "<div>On Tuesday, 24 November 2026 at 08:00:00 GMT, Ember Games &lt;ember@example.org&gt; wrote: </div>",
    "<div>",
    "</div>",
    outer=('<div id="ydp1yahoo_quoted_1" class="yahoo_quoted"><div>', "</div></div>"),
)


def smart(line: str) -> str:
    """Do to a line what phones and word processors do: curly quotes, long dashes, hard blanks, a tab."""
    line = line.replace("'", "\u2019").replace("...", "\u2026").replace(" - ", " \u2013 ").replace("    ", "\t")
    return line.replace('"help"', "\u201chelp\u201d").replace("  ", "\u00a0 ")


def gmail(texts: list[Text]) -> bytes:
    """Gmail on the web: both parts; the attribution wrapped over two lines."""
    plain = part(quoted_with("> ", _GMAIL)(texts))
    return mail(parts("multipart/alternative", plain, part(_GMAIL_HTML(texts), "text/html", how="quoted-printable")))


def _plain(dress: Callable[[list[Text]], str], **how: str) -> Callable[[list[Text]], bytes]:
    return lambda texts: mail(part(dress(texts), **how))


def _html(dress: Callable[[list[Text]], str]) -> Callable[[list[Text]], bytes]:
    return lambda texts: mail(part(dress(texts), "text/html", how="quoted-printable"))


_ON = "On 24 Nov 2026, at 08:00, Ember Games <ember@example.org> wrote:\n"
_MUTT = "On Tue, Nov 24, 2026 at 08:00:00AM +0000, Ember Games wrote:"
_K9 = "Am 24. November 2026 08:00:00 MEZ schrieb Ember Games <ember@example.org>:"
_SAMSUNG = "-------- Original message --------"

CLIENTS: dict[str, Callable[[list[Text]], bytes]] = {
    "gmail": gmail,
    "gmail html only": _html(_GMAIL_HTML),
    "apple mail": _plain(quoted_with("> ", _ON), how="quoted-printable"),
    "apple mail html only": _html(_APPLE_HTML),
    "iphone": _plain(quoted_with("> ", f"> {_ON.strip()}\n> \n> \ufeff", signature="Sent from my iPhone")),
    "iphone in German": _plain(quoted_with("> ", _K9, signature="Von meinem iPhone gesendet")),
    "outlook": _plain(outlook_block, how="quoted-printable"),
    "outlook with tabs, Latin-1": _plain(lambda texts: outlook_block(texts, tab="\t"), charset="iso-8859-1"),
    "outlook for android": _plain(lambda texts: outlook_block(texts, rule="_" * 32)),
    "samsung": _plain(lambda texts: outlook_block(texts, rule=_SAMSUNG), how="base64"),
    "outlook html": _html(_OUTLOOK_WORD),
    "thunderbird": _plain(quoted_with("> ", "On 24/11/2026 08:00, Ember Games wrote:", signature="-- \nAda")),
    "thunderbird html only": _html(_MOZ_HTML),
    "mutt": _plain(quoted_with("> ", _MUTT, signature="-- \nAda Lovelace\nattack nobody 1, said the sage"), how="7bit"),
    "k-9": _plain(quoted_with(">", _K9, signature="-- \nDiese Nachricht kam von meinem Telefon.")),
    "french": _plain(quoted_with("> ", "Le mar. 24 nov. 2026 à 08:00, Ember Games <e@example.org> a\nécrit\u00a0:")),
    "dutch": _plain(quoted_with("> ", "Op di 24 nov 2026 om 08:00 schreef Ember Games <e@example.org>:")),
    "polish": _plain(quoted_with("> ", "W dniu 24.11.2026 o 08:00, Ember Games pisze:"), charset="iso-8859-2"),
    "flowed": lambda texts: mail(part(flowed(texts), more="; format=flowed")),
    "flowed delsp": lambda texts: mail(part(flowed(texts, delsp=True), more="; format=flowed; delsp=yes")),
    "wrap at 72": _plain(quoted_with("> ", _MUTT, width=72)),
    "wrap at 60": _plain(quoted_with("> > > ", _MUTT, width=60)),
    "wrap at 60, rest unquoted": _plain(quoted_with("> > > > ", _MUTT, width=60, rest="")),
    "latin-1": _plain(quoted_with("> ", _MUTT), charset="iso-8859-1"),
    "base64": _plain(quoted_with("> ", _MUTT), how="base64"),
    "utf-16": _plain(quoted_with("> ", _MUTT), charset="utf-16", how="base64"),
    "smart quotes": _plain(quoted_with("> ", _MUTT, shape=smart)),
    "bare line feeds": lambda texts: mail(part(quoted_with("> ", _MUTT)(texts)), crlf=False),
    "a name and no date": _plain(quoted_with("> ", "The Ember Arena wrote:")),
    "a name and no date, a blank line": _plain(quoted_with("> ", "The Ember Arena wrote:\n")),
    "a name and no verb": _plain(quoted_with("> ", "Ember Games:")),
    "no quote marks at all": _plain(quoted_with("", "Ember Games wrote on 24 November 2026 08:00:", shape=smart)),
}

TOP_AND_FORM_ONLY: dict[str, Callable[[list[Text]], bytes]] = {
    "outlook on the web": _html(_OUTLOOK_WEB),
    "yahoo html only": _html(_YAHOO_HTML),
}
"""Clients that put all below their header into the quotation, so that nobody writes below it."""
