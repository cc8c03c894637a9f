"""Mail programs that write HTML: what they put the quotation and its attribution into, and how they break lines."""

from collections.abc import Callable
from html import escape
from typing import NamedTuple

from tests.letters.corpus.drafts import Draft, Piece, named
from tests.letters.corpus.tongues import AT, WHO

Lines = Callable[[list[str]], str]


class Web(NamedTuple):
    """
    How one program dresses a quotation.

    Shape: `before` is written above the first quoted run, `opening` and `closing` around each run, `outer` around
    all from the first on; `lines` says how lines are broken. {attr} stands for the attribution, whose pattern is
    `attribution` or that of the tongue; {from_}, {sent_} and so on for the labels of the tongue.
    """

    before: str
    opening: str
    closing: str
    lines: Lines
    attribution: str = "gmail"
    outer: tuple[str, str] = ("", "")
    tongues: str = ""
    is_marked: bool = True
    head: str = ""


def _shown(line: str) -> str:
    return escape(line, quote=False).replace("  ", "&nbsp; ")


def brs(lines: list[str]) -> str:
    """Break lines with br."""
    return "<br>\n".join(_shown(line) for line in lines)


def divs(lines: list[str]) -> str:
    """Give each line a div, as most webmail does."""
    return "".join(f"<div>{_shown(line) or '<br>'}</div>\n" for line in lines)


def spans(lines: list[str]) -> str:
    """Give each line a div with a styled span, as editors of phones do."""
    style = 'style="font-family: Arial; color: rgb(0, 0, 0);"'
    return "".join(f'<div dir="auto"><span {style}>{_shown(line) or "<br>"}</span></div>' for line in lines)


def paragraphs(lines: list[str]) -> str:
    """Give each line a paragraph, as Word does."""
    return "".join(f'<p class="MsoNormal">{_shown(line) or "<o:p>&nbsp;</o:p>"}<o:p></o:p></p>\n' for line in lines)


def pre(lines: list[str]) -> str:
    """Keep lines as they are, as programs do with a letter in plain text."""
    return '<pre class="moz-quote-pre" wrap="">' + escape("\n".join(lines), quote=False) + "</pre>"


def dressed(web: Web, draft: Draft) -> str:
    """Dress a reply as HTML."""
    html, is_open = "", False
    at = 0
    while at < len(draft.pieces):
        piece = draft.pieces[at]
        if not piece.depth:
            html += brs(piece.lines) + "<br><br>" if web.lines is brs else web.lines(piece.lines)
            if draft.footer and not at:
                html += '<div><br></div><div class="signature">' + brs(draft.footer) + "</div><br>"
            at += 1
            continue
        run = []
        while at < len(draft.pieces) and draft.pieces[at].depth:
            run.append(draft.pieces[at])
            at += 1
        if not is_open:
            html += web.outer[0] + _filled(web.before, web, draft)
        html += _quotation(web, draft, run, 1)
        is_open = True
    end = web.outer[1] if is_open else ""
    return f"<html><head>{web.head}<title>Re: Round 3</title></head><body>{html}{end}</body></html>"


def _quotation(web: Web, draft: Draft, run: list[Piece], depth: int) -> str:
    inner, deeper = "", [piece for piece in run if piece.depth > depth]
    for piece in run:
        if piece.depth == depth:
            inner += (pre if web.lines is brs and web.is_marked else web.lines)(piece.lines)
    if deeper:
        inner += (
            web.outer[0] + _filled(web.before, web, draft) + _quotation(web, draft, deeper, depth + 1) + web.outer[1]
        )
    return f"{web.opening}{inner}{web.closing}"


def _filled(pattern: str, web: Web, draft: Draft) -> str:
    attribution = escape(named(getattr(draft.tongue, web.attribution, web.attribution)), quote=False)
    link = f'<a href="mailto:{AT}">{AT}</a>'
    result = pattern.replace("{attr}", attribution.replace(AT, link)).replace("{who}", WHO).replace("{at}", AT)
    result = result.replace("{sent}", draft.tongue.sent).replace("{subject}", "[ember-7] Round 3")
    for name, label in zip(("from_", "sent_", "to_", "subject_"), draft.tongue.labels, strict=True):
        result = result.replace("{" + name + "}", label)
    return result


_STYLE = "<style>\n<!--\np.MsoNormal, li.MsoNormal {margin:0cm; font-size:11.0pt;}\n-->\n</style>"
_HEADERS = (
    "<b>{from_}</b> {who} &lt;{at}&gt;<br>\n<b>{sent_}</b> {sent}<br>\n"
    "<b>{to_}</b> ada@example.com &lt;ada@example.com&gt;<br>\n<b>{subject_}</b> {subject}"
)
_GMAIL_QUOTE = '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">'

WEBS: dict[str, Web] = {
    "gmail": Web(
        '<div dir="ltr" class="gmail_attr">{attr}<br></div>',
        _GMAIL_QUOTE,
        "</blockquote>",
        divs,
        outer=('<br><div class="gmail_quote gmail_quote_container">', "</div>"),
    ),
    "gmail app": Web(
        '<div dir="ltr" class="gmail_attr">{attr}<br></div>',
        '<blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px #ccc solid;padding-left:1ex">',
        "</blockquote>",
        spans,
        outer=('<br><div class="gmail_quote">', "</div>"),
        tongues="en de es ja ru",
    ),
    "apple mail": Web(
        '<div><br><blockquote type="cite"><div>{attr}</div></blockquote></div><br class="Apple-interchange-newline">',
        '<div><blockquote type="cite"><div>',
        "</div></blockquote></div>",
        divs,
        "apple",
    ),
    "iphone": Web(
        '<div dir="ltr"><br><blockquote type="cite">{attr}<br><br></blockquote></div>',
        '<blockquote type="cite"><div dir="ltr">\ufeff',
        "</div></blockquote>",
        divs,
        "apple",
        tongues="en de fr nl zh ko tr",
    ),
    "thunderbird": Web(
        '<div class="moz-cite-prefix">{attr}<br></div>',
        '<blockquote type="cite" cite="mid:letter-9@example.org">',
        "</blockquote>",
        brs,
        "thunderbird",
    ),
    "roundcube": Web(
        '<p id="reply-intro">{attr}</p>',
        '<blockquote type="cite" style="padding: 0 0.4em; border-left: #1010ff 2px solid; margin: 0"><div class="pre">',
        "</div></blockquote>",
        divs,
        "thunderbird",
        tongues="en de pl cs",
    ),
    "proton": Web(
        "On Tuesday, November 24th, 2026 at 8:00 AM, {who} &lt;{at}&gt; wrote:<br>\n<br>\n",
        '<blockquote class="protonmail_quote" type="cite">',
        "</blockquote>",
        divs,
        outer=('<div class="protonmail_quote">', "</div>"),
        tongues="en",
    ),
    "fastmail": Web(
        "<div>On Tue, 24 Nov 2026, at 8:00 AM, {who} wrote:<br></div>",
        '<blockquote type="cite" id="qt" style="">',
        "</blockquote>",
        divs,
        tongues="en",
    ),
    "mail.ru": Web(
        "Вторник, 24 ноября 2026, 8:00 +03:00 от {who} &lt;{at}&gt;:<br>&nbsp;",
        '<blockquote style="border-left:1px solid #0857A6;margin:10px;padding:0 0 0 10px;"><div>',
        "</div></blockquote>",
        divs,
        tongues="ru",
    ),
    "yandex": Web(
        '<div>24.11.2026, 08:00, "{who}" &lt;{at}&gt;:</div>', "<blockquote>", "</blockquote>", divs, tongues="ru"
    ),
    "open-xchange": Web(
        "<div>{who} &lt;{at}&gt; hat am 24.11.2026 08:00 CET geschrieben:</div>",
        '<blockquote type="cite">',
        "</blockquote>",
        divs,
        tongues="de",
    ),
    "gmx": Web(
        '<div style="margin:0 0 10px 0;"><b>Gesendet:</b>&nbsp;Dienstag, 24. November 2026 um 08:00 Uhr<br><b>Von:</b>&nbsp;'
        '"{who}" &lt;{at}&gt;<br><b>An:</b>&nbsp;ada@example.com<br><b>Betreff:</b>&nbsp;{subject}</div>',
        '<div name="quoted-content">',
        "</div>",
        divs,
        outer=('<div name="quote" style="margin:10px 5px 5px 10px; border-left:2px solid #C3D9E5;">', "</div>"),
        tongues="de",
        is_marked=False,
    ),
    "outlook": Web(
        '<div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal">'
        + _HEADERS
        + "<o:p></o:p></p></div></div>\n",
        "",
        "",
        paragraphs,
        is_marked=False,
        head=_STYLE,
    ),
    "outlook on the web": Web(
        '<div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1">'
        '<div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif" color="#000000" style="font-size:11pt">'
        + _HEADERS
        + "</font><div>&nbsp;</div></div>",
        '<div class="BodyFragment"><font size="2"><span style="font-size:11pt;"><div class="PlainText">',
        "</div></span></font></div>",
        brs,
        is_marked=False,
    ),
    "outlook for ios": Web(
        '<div id="ms-outlook-mobile-signature">Get <a href="https://aka.ms/o0ukef">Outlook for iOS</a></div>'
        '<hr style="display:inline-block;width:98%"><div id="divRplyFwdMsg" dir="ltr">' + _HEADERS + "</div>",
        "<div>",
        "</div>",
        divs,
        is_marked=False,
        tongues="en de fr es it",
    ),
    "windows mail": Web(
        '<div style="mso-element:para-border-div;border:none;border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal"'
        ' style="border:none;padding:0cm"><b>{from_} </b><a href="mailto:{at}">{who}</a><br><b>{sent_} </b>{sent}<br>'
        "<b>{to_} </b>ada@example.com<br><b>{subject_} </b>{subject}</p></div>",
        "",
        "",
        paragraphs,
        is_marked=False,
        tongues="en de nl",
    ),
    "yahoo": Web(
        '<div style="font-family:Helvetica"><div>On Tuesday, November 24, 2026 at 08:00:00 AM GMT, {who} &lt;{at}&gt; wrote:'
        " </div><div><br></div><div><br></div></div>",
        '<div><div dir="ltr">',
        "</div></div>",
        divs,
        outer=('<div id="ydp1f2e3d4cyahoo_quoted_123" class="ydp1f2e3d4cyahoo_quoted">', "</div>"),
        is_marked=False,
        tongues="en",
    ),
    "zimbra": Web(
        '<hr id="zwchr" data-marker="__DIVIDER__"><div data-marker="__HEADERS__"><b>From: </b>"{who}" &lt;{at}&gt;<br>'
        '<b>To: </b>"ada" &lt;ada@example.com&gt;<br><b>Sent: </b>Tuesday, November 24, 2026 8:00:00 AM<br>'
        "<b>Subject: </b>{subject}<br></div><br>",
        '<div data-marker="__QUOTED_TEXT__">',
        "</div>",
        divs,
        is_marked=False,
        tongues="en",
    ),
    "qq": Web(
        '<div style="font-size: 12px;font-family: Arial Narrow;padding:2px 0 2px 0;">------------------&nbsp;原始邮件&nbsp;'
        '------------------</div><div style="font-size: 12px;background:#efefef;padding:8px;"><div><b>发件人:</b> "{who}" '
        "&lt;{at}&gt;;</div><div><b>发送时间:</b>&nbsp;2026年11月24日(星期二) 下午4:00</div><div><b>收件人:</b>&nbsp;"
        '"Ada"&lt;ada@example.com&gt;;</div><div><b>主题:</b>&nbsp;{subject}</div></div><div><br></div>',
        "<div>",
        "</div>",
        divs,
        is_marked=False,
        tongues="zh",
    ),
    "163": Web(
        '<p>At 2026-11-24 08:00:00, "{who}" &lt;{at}&gt; wrote:</p>',
        '<blockquote id="isReplyContent" style="PADDING-LEFT: 1ex; MARGIN: 0px 0px 0px 0.8ex; BORDER-LEFT: #ccc 1px solid">',
        "</blockquote>",
        brs,
        tongues="zh",
    ),
    "samsung": Web(
        '<div style="font-size:100%;color:#000000"><!-- originalMessage --><div>-------- Original message --------</div>'
        "<div>From: {who} &lt;{at}&gt; </div><div>Date: 24/11/2026  08:00  (GMT+00:00) </div><div>To: ada@example.com "
        "</div><div>Subject: {subject} </div><div><br></div></div>",
        "<div>",
        "</div>",
        divs,
        is_marked=False,
        tongues="en",
    ),
    "lotus": Web(
        '<br><br><font size=1 color=#5f5f5f face="sans-serif">From: &nbsp; &nbsp; &nbsp; &nbsp;</font><font size=1>{who} '
        "&lt;{at}&gt;</font><br><font size=1 color=#5f5f5f>To: &nbsp; &nbsp; &nbsp; &nbsp;</font><font size=1>ada@example.com"
        "</font><br><font size=1 color=#5f5f5f>Date: &nbsp; &nbsp; &nbsp; &nbsp;</font><font size=1>24/11/2026 08:00</font>"
        "<br><font size=1 color=#5f5f5f>Subject: &nbsp; &nbsp; &nbsp; &nbsp;</font><font size=1>{subject}</font><br><hr noshade><br>",
        "<tt><font size=2>",
        "</font></tt>",
        brs,
        is_marked=False,
        tongues="en",
    ),
    "spark": Web(
        '<div name="messageReplySection">On Nov 24, 2026, 8:00 AM +0000, {who} &lt;{at}&gt;, wrote:<br></div>',
        '<blockquote style="border-left-color: grey; border-left-width: thin; border-left-style: solid; margin: 5px 5px;">',
        "</blockquote>",
        divs,
        tongues="en",
    ),
    "em client": Web(
        '<div>------ Original Message ------</div><div>From "{who}" &lt;{at}&gt;</div><div>To ada@example.com</div>'
        "<div>Date 24/11/2026 08:00:00</div><div>Subject {subject}</div><div><br></div>",
        '<div id="x12ab" class="cite"><blockquote cite="mid:letter-9@example.org" type="cite" class="cite2">',
        "</blockquote></div>",
        divs,
        tongues="en",
    ),
    "naver": Web(
        '<p>-----Original Message-----<br><b>From:</b> "{who}"&lt;{at}&gt; <br><b>To:</b> &lt;ada@example.com&gt;; <br>'
        "<b>Cc:</b> <br><b>Sent:</b> 2026-11-24 (화) 08:00:00 (GMT+09:00)<br><b>Subject:</b> {subject}<br></p>",
        "<div>",
        "</div>",
        divs,
        is_marked=False,
        tongues="ko",
    ),
    "tutanota": Web(
        "<div>24 Nov 2026, 08:00 by {at}:<br></div>",
        '<blockquote class="tutanota_quote" style="border-left: 1px solid #93A3B8; padding-left: 10px; margin-left: 5px;">',
        "</blockquote>",
        divs,
        tongues="en",
    ),
}
