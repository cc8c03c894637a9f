"""Mail programs that quote our HTML and not our text: each makes the reply that it would send."""

import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from html import escape

import lxml.html

from tests.letters.clients import OURS, SENDER, WHEN, mail, part, parts

FROM = "The Arena: ember-7"


def inner(page: str) -> str:
    """Return what a program keeps of a page that it quotes: the body's inside, as its parser writes it."""
    tree = lxml.html.document_fromstring(page)
    body = tree.find("body")
    assert body is not None
    for style in body.iter("style"):
        style.drop_tree()
    text = escape(body.text or "")
    return text + "".join(lxml.html.tostring(child, encoding="unicode") for child in body)


def said(lines: Sequence[str], tag: str = "div") -> str:
    """Write new lines as a program does, one in an element each."""
    return "".join(f"<{tag}>{escape(line)}</{tag}>" if line else f"<{tag}><br></{tag}>" for line in lines)


def gmail(new: Sequence[str], page: str) -> str:
    """Gmail on the web."""
    return (
        f'<div dir="ltr">{said(new)}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">'
        f'On Tue, Nov 24, 2026 at 8:00\u202fPM {FROM} &lt;<a href="mailto:x@example.org">x@example.org</a>&gt; wrote:<br></div>'
        f'<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">{page}</blockquote></div>'
    )


def apple(new: Sequence[str], page: str) -> str:
    """Mail of macOS and iOS."""
    return (
        f'{said(new)}<div><br><blockquote type="cite"><div>On 24 Nov 2026, at 20:00, {FROM} &lt;x@example.org&gt; wrote:</div>'
        f'<br class="Apple-interchange-newline"><div>{page}</div></blockquote></div>'
    )


def thunderbird(new: Sequence[str], page: str) -> str:
    """Thunderbird."""
    return (
        f'{said(new, "p")}<div class="moz-cite-prefix">On 24/11/2026 20:00, {FROM} wrote:<br></div>'
        f'<blockquote type="cite" cite="mid:1@example.org">{page}</blockquote>'
    )


def outlook_web(new: Sequence[str], page: str) -> str:
    """Outlook on the web and the new one."""
    return (
        f'<div class="elementToProof">{said(new)}</div><div id="appendonsend"></div><hr style="display:inline-block;width:98%">'
        f'<div id="divRplyFwdMsg" dir="ltr"><font><b>From:</b> {FROM} &lt;x@example.org&gt;<br><b>Sent:</b> Tuesday, November 24, 2026 8:00 PM<br>'
        f"<b>To:</b> Ada &lt;ada@example.com&gt;<br><b>Subject:</b> [ember-7] Round 3</font><div>&nbsp;</div></div>{page}"
    )


def outlook(new: Sequence[str], page: str) -> str:
    """Outlook of the desktop, which marks nothing as quoted."""
    paragraphs = "".join(f'<p class="MsoNormal">{escape(line) or "&nbsp;"}</p>' for line in new)
    return (
        f'<div class="WordSection1">{paragraphs}<p class="MsoNormal">&nbsp;</p><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in">'
        f'<p class="MsoNormal"><b>From:</b> {FROM} &lt;x@example.org&gt; <br><b>Sent:</b> Tuesday, November 24, 2026 8:00 PM<br><b>To:</b> Ada<br>'
        f"<b>Subject:</b> [ember-7] Round 3</p></div>{page}</div>"
    )


def yahoo(new: Sequence[str], page: str) -> str:
    """Yahoo on the web."""
    return (
        f'<div class="ydp1">{said(new)}</div><div id="ydp2yahoo_quoted_1" class="ydp2yahoo_quoted"><div>On Tuesday, November 24, 2026 at 08:00:00 PM GMT, '
        f"{FROM} &lt;x@example.org&gt; wrote:</div><div><br></div>{page}</div>"
    )


def bare(new: Sequence[str], page: str) -> str:
    """A phone that puts our letter below, with nothing between."""
    return f"{said(new)}<br><br>{page}"


DRESSES: Mapping[str, Callable[[Sequence[str], str], str]] = {
    one.__name__: one for one in (gmail, apple, thunderbird, outlook_web, outlook, yahoo, bare)
}


def plain(html: str, cell: str, prefix: str, width: int, links: bool = False) -> str:
    """
    Write the text that a program makes of its HTML.

    Shape: `cell` stands between the cells of a row, `prefix` before each quoted line; lines are wrapped at `width`; where
    a link leads is written behind it with `links`, as Outlook does.
    """
    tree = lxml.html.document_fromstring(html)
    lines: list[str] = []
    _lines(tree, lines, cell, False, links)
    out: list[str] = []
    for line in lines:
        mark, rest = (prefix, line[1:]) if line.startswith("\0") else ("", line)
        out += [f"{mark}{one}" for one in textwrap.wrap(rest, width, break_on_hyphens=False) or [""]]
    return "\n".join(out) + "\n"


_BLOCKS = frozenset(["p", "div", "h1", "h2", "table", "tr", "pre", "blockquote", "hr", "br", "body"])


def _lines(node: lxml.html.HtmlElement, lines: list[str], cell: str, quoted: bool, links: bool) -> None:
    quoted = quoted or node.tag == "blockquote"

    def start() -> None:
        if not lines or lines[-1].strip("\0 \t"):
            lines.append("\0" * quoted)

    def add(text: str | None) -> None:
        if node_pre(node):
            for number, one in enumerate((text or "").split("\n")):
                if number:
                    lines.append("\0" * quoted)
                lines[-1] += one
            return
        words = re.sub(r"\s+", " ", text or "")
        if words.strip():
            if not lines:
                lines.append("\0" * quoted)
            lines[-1] += words

    if node.tag in _BLOCKS:
        start()
    if node.tag == "td" and lines[-1].strip("\0 "):
        if cell == "\n":
            lines.append("\0" * quoted)
        else:
            lines[-1] += cell
    if not lines:
        lines.append("\0" * quoted)
    add(node.text)
    for child in node:
        if isinstance(child.tag, str) and child.tag not in ("style", "title", "head", "script"):
            _lines(child, lines, cell, quoted, links)
        add(child.tail)
    if node.tag == "a" and links:
        lines[-1] += f" <{node.get('href')}>"
    if node.tag in _BLOCKS:
        start()


def node_pre(node: lxml.html.HtmlElement) -> bool:
    """Say whether blanks and line ends stand as they are in an element."""
    return bool(node.tag == "pre")


PLAINS: Mapping[str, tuple[str, str, int, bool]] = {
    "cells below each other": ("\n", "> ", 10_000, False),
    "cells with tabs": ("\t", "> ", 10_000, True),
    "cells with blanks, wrapped": (" ", "> ", 72, False),
    "no marks": ("  ", "", 10_000, True),
    "no marks, wrapped, cells below each other": ("\n", "", 76, False),
}


def replies(new: Sequence[str], page: str) -> dict[str, bytes]:
    """Return the reply of each program: HTML alone, and with each text that programs make of it."""
    found: dict[str, bytes] = {}
    quoted = inner(page)
    for name, dress in DRESSES.items():
        html = f'<html><head><meta charset="utf-8"></head><body>{dress(new, quoted)}</body></html>'
        found[f"{name}, HTML alone"] = mail(part(html, "text/html", how="quoted-printable"))
        for kind, how in PLAINS.items():
            text = part(plain(html, *how), how="quoted-printable")
            rich = part(html, "text/html", how="quoted-printable")
            found[f"{name}, {kind}"] = mail(parts("multipart/alternative", text, rich))
    return found


assert SENDER and OURS and WHEN
