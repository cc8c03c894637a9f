"""Mails made to choke whoever reads them, each of about as many bytes as one asks for; knows no game."""

import base64
from collections.abc import Callable, Mapping
from typing import TypeAlias

Bomb: TypeAlias = Callable[[int], tuple[str, str]]
"""From a size to further headers, each with its line end, and a body."""


def _typed(kind: str, body: str, encoding: str = "") -> tuple[str, str]:
    coded = f"Content-Transfer-Encoding: {encoding}\n" if encoding else ""
    return f"Content-Type: {kind}\n{coded}", body


def _repeated(text: str, size: int) -> str:
    return text * (size // len(text))


def _plain(unit: str) -> Bomb:
    return lambda size: _typed("text/plain; charset=utf-8", _repeated(unit, size))


def _html(unit: str, before: str = "", after: str = "") -> Bomb:
    return lambda size: _typed("text/html; charset=utf-8", f"{before}{_repeated(unit, size)}{after}")


def _header(name: str, unit: str, before: str = "", after: str = "") -> Bomb:
    return lambda size: (f"{name}: {before}{_repeated(unit, size)}{after}\n", "bid 9\n")


def _charset(name: str, body: str) -> Bomb:
    return lambda size: _typed(f'text/plain; charset="{name}"', _repeated(body, size))


def _nested(size: int) -> tuple[str, str]:
    parts = "".join(
        f"--{depth}\nContent-Type: multipart/mixed; boundary={depth + 1}\n\n" for depth in range(size // 60)
    )
    return _typed("multipart/mixed; boundary=0", parts)


def _continued(size: int) -> tuple[str, str]:
    pieces = "".join(f' name*{number}="x";\n' for number in range(size // 14))
    return f"Content-Type: text/plain;\n{pieces} charset=utf-8\n", "bid 9\n"


def _zipped(kind: str) -> Bomb:
    def made(size: int) -> tuple[str, str]:
        data = base64.encodebytes(b"PK\x03\x04" + bytes(size * 3 // 4)).decode()
        part = f'--x\nContent-Type: {kind}; name="../../x"\nContent-Transfer-Encoding: base64\n\n{data}--x--\n'
        return _typed("multipart/mixed; boundary=x", part)

    return made


def _part_headers(line: str) -> Bomb:
    return lambda size: _typed("multipart/mixed; boundary=x", f"--x\n{_repeated(line, size)}\n\nbid 9\n--x--\n")


BOMBS: Mapping[str, Bomb] = {
    # Parts
    "a hundred thousand parts": lambda size: _typed("multipart/mixed; boundary=x", _repeated("--x\n\n", size)),
    "parts within parts": _nested,
    "mails within mails": lambda size: _typed("message/rfc822", _repeated("Content-Type: message/rfc822\n\n", size)),
    "mails side by side": lambda size: _typed(
        "multipart/digest; boundary=x", _repeated("--x\n\nSubject: x\n\nbid 9\n", size)
    ),
    "parts that never end": lambda size: _typed("multipart/mixed; boundary=x", "--x\n" + _repeated("--y\n", size)),
    "alternatives without end": lambda size: _typed(
        "multipart/alternative; boundary=x", _repeated("--x\nContent-Type: text/html\n\n<b>\n", size)
    ),
    "a boundary without end": _header("Content-Type", "b", "multipart/mixed; boundary="),
    "a report without end": lambda size: _typed(
        "multipart/mixed; boundary=x", _repeated("--x\nContent-Type: message/delivery-status\n\na: b\n\n", size)
    ),
    "headers of a part": _part_headers("X: y\n"),
    "quotes in a part's type": _part_headers('Content-Type: text/plain; a="\\";";";'),
    # Headers
    "headers without end": lambda size: (_repeated("X: y\n", size), "bid 9\n"),
    "one header without end": _header("X-Long", "x" * 60 + "\n "),
    "a subject without end": _header("Subject", "attack "),
    "a flood of encoded words": _header("Subject", "=?utf-8?q?=41?= "),
    "encoded words that open and never close": _header("Subject", "=?utf-8?b?"),
    "encoded words without blanks": _header("Subject", "=?utf-8?q?=41?="),
    "continued parameters": _continued,
    "parameters of parameters": _header("Content-Type", ';a="', "text/plain"),
    "encoded parameters": _header("Content-Type", "%41", "multipart/mixed; boundary*=punycode''"),
    "addresses": _header("To", "a@example.org, ", "", "arena@example.org"),
    "comments in an address": _header("Cc", "("),
    "quotes in an address": _header("Cc", '\\"', '"'),
    "blanks in an address": _header("Cc", " ", "x", "y"),
    "routes in an address": _header("Cc", "@a:", "<", ">"),
    "groups in an address": _header("Cc", "a:", "", ";"),
    "lists of From": lambda size: (_repeated('Cc: "\\"\\"\\"\\"\\"\n', size), "bid 9\n"),
    "a date without end": _header("Date", "+0000 "),
    "comments in a date": _header("Date", "+0000("),
    "a date of numbers": _header("Date", "9"),
    "references without end": _header("References", "<a@b> "),
    "a reference that never ends": _header("References", "<"),
    "results without end": _header("Authentication-Results", "mx.example.org; dkim=pass (", ""),
    "automatic without end": _header("X-Autoreply", "=?x?"),
    "zipped": _zipped("application/zip"),
    "packed by Outlook": _zipped("application/ms-tnef"),
    # Charsets and encodings
    "utf-7": _charset("utf-7", "+AGIAaQBkACAAOQ- "),
    "idna": _charset("idna", "xn--a."),
    "punycode": _charset("punycode", "a-b9"),
    "zlib_codec": _charset("zlib_codec", "x\x9c"),
    "rot13": _charset("rot13", "ovq 9\n"),
    "unicode_escape": _charset("unicode_escape", "\\u0062id 9\n"),
    "raw-unicode-escape": _charset("raw-unicode-escape", "\\u0062id 9\n"),
    "mbcs and undefined": _charset("undefined", "bid 9\n"),
    "utf-16 without its mark": _charset("utf-16", "b\x00"),
    "base64 of nothing": lambda size: _typed("text/plain", _repeated("=", size), "base64"),
    "base64 in one line": lambda size: _typed("text/plain", _repeated("QUFB", size), "base64"),
    "base64 that is none": lambda size: _typed("text/plain", _repeated("!$ ", size), "base64"),
    "quoted-printable": lambda size: _typed("text/plain", _repeated("=41", size), "quoted-printable"),
    "soft ends of lines": lambda size: _typed("text/plain", _repeated("a=\n", size), "quoted-printable"),
    "uuencode": lambda size: _typed(
        "text/plain", "begin 666 ../../etc/x\n" + _repeated("M" + "A" * 60 + "\n", size), "x-uuencode"
    ),
    "uuencode without end": lambda size: _typed("text/plain", _repeated("begin 666 x\n", size), "x-uuencode"),
    "flowed lines": lambda size: _typed("text/plain; format=flowed", _repeated("a \n", size)),
    "flowed lines of some length": lambda size: _typed("text/plain; format=flowed", _repeated("a" * 60 + " \n", size)),
    "flowed quotations": lambda size: _typed("text/plain; format=flowed; delsp=yes", _repeated("> a \n", size)),
    "quotations of quotations": lambda size: _typed("text/plain; format=flowed", _repeated(">", size)),
    "signed within": _plain("-----BEGIN PGP SIGNED MESSAGE-----\n"),
    "signed with headers": lambda size: _typed(
        "text/plain", "-----BEGIN PGP SIGNED MESSAGE-----\n" + _repeated("Hash: a\n", size)
    ),
    # HTML
    "deep elements": _html("<div>"),
    "deep tables": _html("<table><tr><td>"),
    "deep quotations": _html("<blockquote>"),
    "quotations side by side": _html("<blockquote>a</blockquote>b"),
    "quotations in quotations of Gmail": _html('<div class="gmail_quote">a'),
    "elements that close": _html("</div>"),
    "empty paragraphs in many parts": lambda size: _typed(
        "multipart/mixed; boundary=x",
        _repeated(f"--x\nContent-Type: text/html\n\n{_repeated('<p>', size // 20)}\n", size),
    ),
    "cells": _html("<td>a", "<table><tr>"),
    "elements left open": _html("<p><br>", "<div id=divRplyFwdMsg>"),
    "empty paragraphs": _html("<p></p>"),
    "a style without end": _html("display : none;", '<p style="', '">bid 9</p>'),
    "classes without end": _html("a ", '<p class="', '">bid 9</p>'),
    "attributes": _html("a=b ", "<p ", ">bid 9</p>"),
    "entities": _html("&lt;"),
    "entities of our own": _html("&a;", "<!DOCTYPE x [<!ENTITY a '" + "b" * 100 + "'>]>"),
    "comments": _html("<!-- "),
    "columns": _html("<td colspan=1000000>a", "<table><tr>"),
    "lists in lists": _html("<ul><li>a"),
    "text without end": _html("a"),
    "hidden by a style": _html("<span style=display:none>bid 9</span>"),
    # Text
    "one line": _plain("bid 9 "),
    "a line of digits": lambda size: _typed("text/plain", "bid " + _repeated("9", size)),
    "lines": _plain("bid 9\n"),
    "empty lines": _plain("\n"),
    "colons": _plain("On 1 Jan 2026 at 10:00 ada@example.org wrote:\n"),
    "header blocks": _plain("From: a\nSent: b\nTo: c\nSubject: d\n\n"),
    "fields": _plain("From: 10:00\n"),
    "dashes": _plain("-----\n"),
    "one rule": _plain("-"),
    "forms": _plain("> ~ bid\n"),
    "forms that wrap": _plain("> ~ bid 9 " + "x" * 50 + "\nand more\n"),
    "marks": _plain("> > > "),
    "signatures": _plain("--\n"),
    "conditions": _plain("if a: b else "),
    "presses": _plain("press to all:\n"),
    "laters": _plain("for Round 2: bid 9;\n"),
    "combining marks": _plain("a\u0301\u0302"),
    "marks of direction": _plain("\u202e\u2066"),
    "ends of lines of Unicode": _plain("bid 9\u2028\u2029\x85\x0b\x0c\x1c"),
    "carriage returns": _plain("bid 9\r"),
    "nothing but zeros": _plain("\x00"),
    "blanks": _plain(" "),
    "hashes": _plain(" #"),
}  # fmt: skip


def bomb(name: str, size: int, sender: str, to: str) -> bytes:
    """Return a bomb as a mail from somebody."""
    more, body = BOMBS[name](size)
    head = f"From: {sender}\nTo: {to}\nMessage-ID: <{name.replace(' ', '-')}.{size}@example.net>\nSubject: {name}\n"
    return f"{head}{more}\n{body}".encode("utf-8", "surrogateescape")
