"""Turns a mail of the corpus into the bytes that arrive: the letter that it answers is filled in, and its headers."""

import base64
import email
import email.policy
import re
from email.message import Message
from email.utils import format_datetime
from html import escape

from pbem.letters import multipart
from pbem.testing.room import ARENA, SERVER
from tests.conftest import Room
from tests.listening.said import Said
from tests.listening.scenes import WRITER

_BLANK = re.compile(r"\{\{([^{}]*)\}\}")
_TOP = re.compile(r"what is asked", re.IGNORECASE)


def filled(said: Said, room: Room) -> bytes:
    """Return a mail of the corpus as it arrives in a room, in answer to the last letter to its writer."""
    return _whole(said, answered(room), format_datetime(room.clock.now()), room.written)


def dressed(room: Room, text: str, sender: str = WRITER) -> bytes:
    """Return a reply in plain text as it arrives in a room, in which nothing is filled in."""
    letter = answered(room, sender)
    said = Said(name=text[:20], about=5, scene="rumble round", text=text.replace("{", "("), sender=sender)
    room.written += 1
    return _whole(said, letter, format_datetime(room.clock.now()), room.written)


def answered(room: Room, sender: str = WRITER) -> "Answered":
    """Return the last letter to somebody, which a mail of theirs answers."""
    return Answered(next(raw for to, raw in reversed(room.outbox.sent) if to == sender))


class Answered:
    """The letter that a mail answers: its text, and the headers by which it is known."""

    def __init__(self, raw: bytes) -> None:
        self.headers: Message = email.message_from_bytes(raw, policy=email.policy.default)
        self.raw = raw.decode().replace("\r\n", "\n")
        self.text = multipart.text_of(raw).replace("\r\n", "\n").rstrip("\n")

    def word(self, said: str) -> str:
        """
        Return what stands for the words in double braces.

        Shape: `reply to`, `message id`, `subject`, `mark` (the header by which we know our letters) and `raw letter`;
        or a `letter`, `top` or `rest` of it (as far as what is asked, and from there), with what is to be done to it
        before the word: `> ` marks each line, `width 60` wraps, `html` escapes, `base64`; and behind it, parted by
        bars, what is filled into the lines of the form, one by one; a lone `-` leaves one as it is.
        """
        fixed = {
            "reply to": str(self.headers["Reply-To"]),
            "message id": str(self.headers["Message-ID"]),
            "subject": str(self.headers["Subject"]),
            "mark": f"X-Pbem-Letter: {self.headers['X-Pbem-Letter']}",
            "raw letter": self.raw,
            "arena": ARENA,
        }
        if said in fixed:
            return fixed[said]
        how = re.fullmatch(r"((?:> ?)*)(?:(indent) )?(?:width (\d+) )?(html )?(letter|top|rest)(?: (.*))?", said)
        assert how, f"nothing is called {{{{{said}}}}}"
        mark, indent, width, html, part, answers = how.groups()
        lines = self._part(part, answers or "")
        if indent:
            lines = [f"    {line}" for line in lines]
        if mark:
            lines = [(mark + line).rstrip() for line in lines]
        if width:
            lines = [piece for line in lines for piece in wrapped(line, int(width))]
        return "<br>\n".join(escape(line, quote=False) for line in lines) if html else "\n".join(lines)

    def _part(self, part: str, answers: str) -> list[str]:
        lines = self.text.split("\n")
        at = next((number for number, line in enumerate(lines) if _TOP.search(line)), 0)
        lines = {"top": lines[:at], "rest": lines[at:], "letter": lines}[part]
        given = [answer.strip() for answer in answers.split("|")] if answers else []
        result = []
        for line in lines:
            answer = given.pop(0) if line.startswith("~ ") and given else "-"
            result += [line] if answer == "-" else answer.split("\\n")
        assert not [answer for answer in given if answer != "-"], f"no room in the form for {given}"
        return result


def wrapped(line: str, width: int) -> list[str]:
    """Break a line hard, as mail programs do that count columns; what is broken off has no mark."""
    pieces = []
    while len(line) > width and (at := line.rfind(" ", 1, width + 1)) > 0:
        pieces.append(line[:at])
        line = line[at + 1 :]
    return [*pieces, line]


def _whole(said: Said, letter: Answered, now: str, number: int) -> bytes:
    def fill(text: str) -> str:
        return _BLANK.sub(lambda blank: letter.word(blank[1].lstrip()), text)

    if said.raw:
        return fill(said.raw).replace("\n", "\r\n").encode("utf-8", "surrogateescape")
    headers = {
        "Return-Path": f"<{said.sender}>",
        "Authentication-Results": f"{SERVER}; dmarc=pass header.from={said.sender.rpartition('@')[2]}",
        "From": f"Ada Lovelace <{said.sender}>",
        "To": letter.word("reply to"),
        "Subject": f"Re: {letter.word('subject')}",
        "In-Reply-To": letter.word("message id"),
        "References": letter.word("message id"),
        "Date": now,
        "Message-ID": f"<said-{number}@example.net>",
        "MIME-Version": "1.0",
    }
    headers |= {name: fill(value) for name, value in said.headers.items()}
    head = "".join(f"{name}: {value}\n" for name, value in headers.items() if value)
    return (head.encode() + _body(fill(said.text), fill(said.html), said.charset)).replace(b"\n", b"\r\n")


def _body(text: str, html: str, charset: str) -> bytes:
    plain = _part(text, "text/plain", charset)
    if not html:
        return plain
    rich = _part(html, "text/html", charset)
    if not text:
        return rich
    between = b"\n--b0undary\n"
    kind = b'Content-Type: multipart/alternative; boundary="b0undary"\n\n'
    return kind + between + plain + between + rich + b"\n--b0undary--\n"


def _part(text: str, kind: str, charset: str) -> bytes:
    """Write a part; a charset `utf-8 as big5` is encoded in one and labelled as another."""
    real, _, label = (charset or "utf-8").partition(" as ")
    head = f"Content-Type: {kind}; charset={label or real}\nContent-Transfer-Encoding: base64\n\n"
    return head.encode() + base64.encodebytes(text.encode(real))
