"""From the bytes of a mail to a Letter: who wrote, when, whether a person, and which text; knows no game."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from email.header import decode_header
from email.message import Message
from email.parser import BytesHeaderParser, BytesParser
from email.policy import Compat32, Policy
from email.utils import getaddresses
from itertools import count
from typing import NamedTuple
from urllib.parse import unquote

import msgspec

from pbem.ground.terms import OrderLine
from pbem.letters import bodies, bounces, charsets, html_twin, machines, markup, new_text, reactions
from pbem.letters.heads import NOBODY, IsSaid, Us
from pbem.letters.machines import Headers, Kind
from pbem.letters.new_text import Written
from pbem.letters.quoting import InBlock
from pbem.speech import courtesies

MOST_BYTES = 1 << 20
"""Bytes of the largest mail that is read; the mailbox hands over one byte more of what is larger."""
MOST_HEADERS = 256_000
MOST_HEADER = 16_000
MOST_PARTS = 100
MOST_NAME = 100
MOST_LINES = 20_000
"""The most lines of a mail, and of its text; a mail of the largest size that is all base64 has 14,000."""

MOST_NEW_LINES = 500
MOST_NEW = 50_000
"""What a person can write anew in one mail: lines and characters; each line may be answered by one of ours."""

TANGLED = "Your mail was too tangled to be taken apart, so nothing of it was read. Send its words alone, as plain text."
TOO_LARGE = (
    "Your mail is larger than the 1 MB that I read, so nothing of it was read. Send its words alone, without pictures, "
    "files and old letters."
)
TOO_LONG = f"Your mail has more than {MOST_LINES:,} lines, so nothing of it was read. Send its new words alone."

_ID = re.compile(r"<[^<>\s]{1,950}>")  # with the header's name it has to fit a line of 998, in our answer
_OFFSET = re.compile(r"(?:([+-])([0-9]{2})([0-9]{2})|\b(?:GMT|UTC?|Z))\s*(?:\([^()]*\)\s*)?$", re.IGNORECASE)
_ADDRESS = re.compile(r"[^\s@<>,;:\"()\[\]\\]+@[^\s@<>,;:\"()\\]+")
ENVELOPE = ("envelope-to", "x-envelope-to")
"""Where Exim and others write to which address a mail came."""
_QUOTED_LOCAL = re.compile(r'^"([\w.+=-]+)"@')
"""A local part in quotation marks that needs none: it is the same address. Rule: RFC 5321, 4.1.2."""
_ANGLED = re.compile(r"<\s*(?:mailto:)?([\w.+=-]+@[\w.-]+)\s*>", re.ASCII | re.IGNORECASE)
_ONE_MAILBOX = re.compile(r"\"?([^\"<>(),;:@\\\[\]]*)\"? *<([\w.+=-]+@[\w.-]+)>|([\w.+=-]+@[\w.-]+)", re.ASCII)
_LISTED = re.compile(r"(?:mailto:)?([^\s<>?@]{1,100}@[^\s<>?@]{1,255})", re.IGNORECASE)
MOST_LISTS = 20
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|\([^()]*\)')


class Letter(msgspec.Struct, frozen=True):
    """
    A mail as far as it can be read without knowing any game.

    Shape: `senders` are the addresses of From in lower case (more than one is for the caller to suspect), `to` those
    of Delivered-To, X-Original-To, Envelope-To, X-Envelope-To, To and Cc, `named` those of To and Cc alone;
    `answer_to` are those of Reply-To, `lists` those that a list says it has; `copy_of` is the header of a letter of
    ours, with its mark, where the mail is one; `results` are what mail servers wrote of its authentication, from top
    to bottom; `kind` says whether a person wrote it, and `automatic` is "" for a person's mail, else how we know;
    `doubt` are hints that the mail may be a machine's, or not be one's; `marks` are letters of ours that it returns
    with their headers, each with its mark, for the caller to check; `note` is "" or a sentence that says why there is
    no text, or that HTML beside it says other things.
    `date` is the Date header as it stood, for telling mails apart and never for lateness.
    Where From names not one address clearly, `angled` is the only one in it that stands in angle brackets, or "".
    Units: `offset` is the Date header's, in minutes east of UTC; None where it does not say.
    """

    senders: tuple[str, ...]
    name: str
    to: tuple[str, ...]
    named: tuple[str, ...]
    results: tuple[str, ...]
    subject: str
    message_id: str
    references: tuple[str, ...]
    offset: int | None
    automatic: str
    body: tuple[str, ...]
    note: str
    date: str
    kind: Kind = "human"
    doubt: str = ""
    marks: tuple[tuple[str, str], ...] = ()
    answer_to: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    copy_of: str = ""
    angled: str = ""


def read(raw: bytes) -> Letter:
    """
    Read a mail.

    Errors: none; any bytes whatever make a Letter, at worst an empty one with a note.
    Rule: RFC 5322, 2045-2047, 3676 (format=flowed), 3834 (automatic mail).
    """
    # A carriage return alone would become a line end inside the email package, and a quoted line two.
    is_too_large = len(raw) > MOST_BYTES
    raw = raw[:MOST_BYTES].replace(b"\r\n", b"\n").replace(b"\r", b" ")
    because = TOO_LARGE if is_too_large else TOO_LONG if raw.count(b"\n") > MOST_LINES else ""
    message = None if because else _parsed(raw)
    if message is None:
        return _letter(_headers(_head(raw)), (), because or TANGLED)
    headers = _headers(message)
    body = bodies.body(message)
    if len(body.lines) > MOST_LINES:  # HTML can have them all on one
        return _letter(headers, (), TOO_LONG, message)
    if reactions.is_recall(_decoded(_first(headers, "subject")), body.lines):
        return _letter(headers, (), reactions.RECALLED, message)
    reacted = reactions.reaction(raw, message, body.lines)
    return _letter(headers, body.lines, body.note or html_twin.note(body.lines, body.html), message, reacted)


def newly(letter: Letter, ours: Iterable[str]) -> tuple[OrderLine, ...]:
    """
    Return the lines that the writer of a letter newly wrote.

    Shape: `ours` are the texts of our letters that may be quoted in it. Numbers count from 1 over what was
    written, blank lines included; filled form lines (`~ `) come without their mark, quoted or not.
    """
    return new_text.new_lines(letter.body, ours)


class Known(NamedTuple):
    """
    What is known of a mail besides its text, and tells what its writer newly wrote.

    Shape: `ours` are the texts of our letters that it may quote, `in_block` says whether an `end` can also close a
    block, `names` are those of the writer, which are no orders, `us` says who we are, `is_said` which lines no client
    writes.
    """

    ours: Sequence[str] = ()
    in_block: InBlock = lambda new: False
    names: Collection[str] = ()
    us: Us = NOBODY
    is_said: IsSaid = lambda text: False


def written(letter: Letter, known: Known) -> Written:
    """
    Return what `newly` does with all that is known of a mail, and how much stood below the mail's own end.

    Shape: courtesies and the writer's name are blank, but in a block, where good wishes are part of it.
    """
    ours, in_block, _, us, is_said = known
    found = new_text.written(letter.body, ours, in_block, us, is_said)
    polite = tuple(found.lines[place] for place in _polite([line.text for line in found.lines], known))
    numbers = {line.number for line in polite}
    kept = (OrderLine(line.number, "") if line.number in numbers else line for line in found.lines)
    return msgspec.structs.replace(found, lines=tuple(kept), polite=polite)


def taken(letter: Letter, known: Known) -> list[str]:
    """Return what each line of a letter's body was taken for by `written`: "new", "courtesy", "quoted" and so on."""
    ours, in_block, _, us, is_said = known
    lines = new_text.classified(letter.body, ours, in_block, us, is_said)
    new = {place: one.new for place, one in enumerate(lines) if one.new is not None}
    polite = {[*new][place] for place in _polite([*new.values()], known)}
    return ["courtesy" if place in polite else one.taken for place, one in enumerate(lines)]


def _polite(texts: Sequence[str], known: Known) -> list[int]:
    """Return the places of the new lines that are courtesies."""
    return [
        place
        for place, text in enumerate(texts)
        if any(courtesies.courtesy(text, name) for name in known.names)
        if place > new_text.MOST_IN_BLOCKS or not known.in_block(texts[:place])
    ]


def hidden(raw: bytes) -> tuple[tuple[str, str], ...]:
    """Return the lines that were taken out of a mail that is HTML alone, each with "hidden" or "signature"."""
    message = _parsed(raw)
    return bodies.hidden(message) if message else ()


def without_marks(text: str) -> str:
    """Return a line of a letter's body as a person would see it, with no mark of ours."""
    return (text.replace(markup.SOFT, ">", 1) if text.startswith(markup.SOFT) else text).replace(markup.STRUCK, "")


class _Bounded(Compat32):
    """How the email package reads: headers as they stand, and none without end, since it takes quadratic time."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        """Take a header's lines apart."""
        name, value = super().header_source_parse(sourcelines)
        return name, value[:MOST_HEADER]


_BOUNDED: Policy[Message] = _Bounded()


def too_much(new: Sequence[OrderLine]) -> str:
    """Say that a person newly wrote more than we read in one mail, or ""."""
    lines, letters = len(new), sum(len(line.text) for line in new)
    if lines <= MOST_NEW_LINES and letters <= MOST_NEW:
        return ""
    much = f"{lines:,} new lines" if lines > MOST_NEW_LINES else f"{letters:,} new characters"
    most = MOST_NEW_LINES if lines > MOST_NEW_LINES else MOST_NEW
    return f"Your mail holds {much}, so nothing of it was read; {most:,} is the most. Send less in one mail."


def _parsed(raw: bytes) -> Message | None:
    """Parse a mail; None if its headers or parts have no end, or the email package fails."""
    if len(raw) > MOST_HEADERS and b"\n\n" not in raw[:MOST_HEADERS]:
        return None
    number = count()

    def part(policy: Policy[Message]) -> Message:
        if next(number) > MOST_PARTS:  # the package recurses into parts and goes quadratic on deep ones
            raise ValueError(MOST_PARTS)
        return Message(policy)

    try:
        return BytesParser(policy=_BOUNDED.clone(message_factory=part)).parsebytes(raw)
    except Exception:  # noqa: BLE001  it raises many kinds, and RecursionError, on mail that no client writes
        return None


def _head(raw: bytes) -> Message:
    """Return the headers of a mail alone, as many as are read."""
    return BytesHeaderParser(policy=_BOUNDED).parsebytes(raw[:MOST_HEADERS])


def _headers(message: Message) -> Headers:
    headers: dict[str, list[str]] = {}
    for name, value in message.raw_items():
        text = bodies.from_escaped(str(value)[:MOST_HEADER])
        headers.setdefault(name.lower(), []).append(" ".join(text.split("\n")).strip())
    return headers


def _letter(
    headers: Headers, body: tuple[str, ...], note: str, message: Message | None = None, reacted: str = ""
) -> Letter:
    senders = [] if any(map(_is_group, headers.get("from", ()))) else _addresses(headers, ("from",))
    froms = _unique(address.lower() for _, address in senders)
    subject = _decoded(_first(headers, "subject"))
    judged = machines.judge(headers, subject, froms, message)
    if reacted and judged.kind == "human":
        judged = machines.Judged("auto", reacted)
    places = _addresses(headers, ("delivered-to", "x-original-to", *ENVELOPE, "to", "cc"))
    named = _addresses(headers, ("to", "cc"))
    ids = _ID.findall(_first(headers, "message-id"))
    answered = _ID.findall(" ".join((*headers.get("in-reply-to", ()), *headers.get("references", ()))))
    return Letter(
        senders=froms,
        name=_decoded(senders[0][0])[:MOST_NAME] if senders else "",
        to=_unique(_lower_domain(address) for _, address in places),
        named=_unique(_lower_domain(address) for _, address in named),
        results=tuple(headers.get("authentication-results", ())),
        subject=subject,
        message_id=ids[0] if ids else "",
        references=_unique(answered),
        offset=_offset(_first(headers, "date")),
        automatic=judged.why,
        body=body,
        note=note,
        date=bodies.printable(_first(headers, "date")),
        kind=judged.kind,
        doubt=judged.doubt,
        marks=bounces.marks(message) if message else (),
        answer_to=_unique(_lower_domain(address) for _, address in _addresses(headers, ("reply-to",))),
        copy_of=_first(headers, machines.OURS),
        lists=_unique(_lists(headers)),
        angled="" if len(froms) == 1 else _angled(headers.get("from", ())),
    )


def _lists(headers: Headers) -> Iterator[str]:
    """
    Yield the addresses that a list says are its own: where one posts, and those that its id may stand for.

    Rule: RFC 2369, 3.4 and RFC 2919, 3, by which an id is mostly its address with a dot in place of the @.
    """
    values = [value for name in ("list-post", "x-beenthere", "x-mailing-list") for value in headers.get(name, ())]
    for value in values[:MOST_LISTS]:
        words = re.split(r"[\s<>,]+", unquote(value[:1000]))
        yield from (found[1] for word in words if (found := _LISTED.match(word)))
    for value in headers.get("list-id", ())[:MOST_LISTS]:
        name = value[:1000].rpartition("<")[2].partition(">")[0].strip()
        dots = [place for place, letter in enumerate(name) if letter == "."][:5]
        yield from (f"{name[:dot]}@{name[dot + 1 :]}" for dot in dots if 0 < dot < len(name) - 1)


def _first(headers: Headers, name: str) -> str:
    return next(iter(headers.get(name, ())), "")


def _unique(items: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(items))


def _lower_domain(address: str) -> str:
    local, _, domain = address.rpartition("@")
    return f"{local}@{domain.lower()}"


def _addresses(headers: Headers, names: Sequence[str]) -> list[tuple[str, str]]:
    values = [value for name in names for value in headers.get(name, ())]
    pairs = [pair for value in values for pair in _mailboxes(value)]
    plain = ((name, _QUOTED_LOCAL.sub(r"\1@", address)) for name, address in pairs)
    # An encoded word is no part of an address (RFC 2047, 5): what it hides is nobody's whom we could write to.
    return [(name, address) for name, address in plain if _ADDRESS.fullmatch(address) and "=?" not in address]


def _angled(values: Sequence[str]) -> str:
    """Return the one address that stands in angle brackets in an odd From, in lower case, or ""."""
    found = {match.lower() for value in values for match in _ANGLED.findall(_decoded(value))}
    return next(iter(found)) if len(found) == 1 else ""


def _is_group(value: str) -> bool:
    """Say whether a From names a group, `friends: ada@example.org;`, which the package takes for its members."""
    return bool(re.search(r"[:;]", _QUOTED.sub("", value)))


def _mailboxes(value: str) -> list[tuple[str, str]]:
    simple = _ONE_MAILBOX.fullmatch(value)
    if simple:  # nearly every header, and the package takes thirty times as long
        return [(simple[1] or "", simple[2] or simple[3])]
    try:
        return getaddresses([value])
    except Exception:  # noqa: BLE001  nested comments without end, and whatever the next version finds
        return []


def _decoded(text: str) -> str:
    """Decode the encoded words of a header; what cannot be decoded stays as it stands."""
    if "=?" in text:
        try:
            parts = decode_header(text)
        except Exception:  # noqa: BLE001  broken base64 inside an encoded word
            parts = []
        words = [
            part if isinstance(part, str) else charsets.decoded(part, charset or "latin-1") for part, charset in parts
        ]
        text = "".join(words) or text
    return " ".join(bodies.printable(text).split())


def _offset(date: str) -> int | None:
    match = _OFFSET.search(date)
    if not match:
        return None
    sign, hours, minutes = match.groups()
    if sign is None:
        return 0
    offset = int(hours) * 60 + int(minutes)
    if offset > 14 * 60 or (sign == "-" and offset == 0):  # RFC 5322 3.3: -0000 says nothing of the place
        return None
    return -offset if sign == "-" else offset
