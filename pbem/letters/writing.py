"""From facts and a template to a letter's bytes, pure; knows no game, no disk and no mail server."""

import re
import textwrap
from collections.abc import Mapping, Sequence
from datetime import datetime
from email.header import Header
from email.utils import format_datetime, formataddr, parsedate_to_datetime
from functools import lru_cache

import jinja2
import msgspec
from jinja2 import meta

from pbem.letters import multipart
from pbem.letters.multipart import Attached
from pbem.terms import Facts, TemplateError

WIDTH = 56
"""Columns of every line of ours, so that a client that quotes with `> ` need not wrap it."""

_DATE = re.compile(rb"^Date: (.+)\r\n", re.MULTILINE)
_ENDS = re.compile("[\r\x0b\x0c\x1c-\x1f\x85\u2028\u2029]")
"""What other programs take for the end of a line, and we do not."""
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u061c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Controls, marks of direction, tags and halves of characters; what joins emoji and letters is none of these."""
BAR = 20
CHARTED = 9
"""How many numbers of a chart stand beside each other."""
NAMED = 19
"""Columns of the names before them."""
LABEL = 9
"""Columns of what stands before a line of somebody's that a letter is about: "line 12"."""


def bar(value: int, full: int) -> str:
    """Draw a value as a bar of 20 columns; anything above zero shows at least one mark."""
    marks = 0 if value <= 0 or full <= 0 else min(BAR, max(1, round(BAR * value / full)))
    return "#" * marks + "." * (BAR - marks)


def fill(text: object, indent: int = 0, first: int | None = None, width: int = WIDTH) -> str:
    """Wrap a paragraph to the letter's width; `first` is the indent of its first line where it differs."""
    words = [word for word in re.split(f"[^\\S{_TIE}]+", str(text)) if word]
    found = textwrap.fill(
        " ".join(words),
        width=width,
        initial_indent=" " * (indent if first is None else first),
        subsequent_indent=" " * indent,
        break_on_hyphens=False,
    )
    return found.replace(_TIE, " ")


_TIE = "\u00a0"


def tied(name: str) -> str:
    """Keep a name on one line of what is filled, since a part of it alone may read as an order."""
    return name.replace(" ", _TIE)


def left(text: object, columns: int) -> str:
    """Pad on the right."""
    return str(text).ljust(columns)


def right(text: object, columns: int) -> str:
    """Pad on the left."""
    return str(text).rjust(columns)


def listed(names: Sequence[object], last: str = "and") -> str:
    """Write names as people do: `A, B and C`."""
    words = [str(name) for name in names]
    return "".join(words) if len(words) < 2 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def spelled(count: int) -> str:
    """Write a count as people do: up to `twelve` in letters, `no` for none."""
    return _COUNTS[count] if count < len(_COUNTS) else str(count)


_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def cite(text: str, rule: str, verdict: str = "", width: int = WIDTH) -> str:
    """Set a rule's number, and a verdict's, flush right behind the last line, or below it where there is no room."""
    mark = " ".join(f"[{one}]" for one in (verdict, rule) if one)
    if not mark:
        return text
    before, newline, last = text.rpartition("\n")
    room = width - len(last) - len(mark)
    ending = f"{last}{' ' * room}{mark}" if room >= 1 else f"{last}\n{mark.rjust(width)}"
    return f"{before}{newline}{ending}"


def cut(text: str, columns: int) -> str:
    """Cut what is too long for its column, and show that it was cut."""
    return text if len(text) <= columns else f"{text[: columns - 3]}..."


def chart(rows: Sequence[Mapping[str, object]], heads: Sequence[object], nothing: object) -> str:
    """
    Write rows of numbers under their heads, nine of them beside each other, so that they read on a phone.

    Shape: a row is a `name` and its `amounts`; where one of these is `nothing`, a dash stands.
    """
    lines: list[str] = []
    for start in range(0, len(heads), CHARTED):
        beside = slice(start, start + CHARTED)
        lines.append(" " * NAMED + "".join(right(head, 4) for head in heads[beside]))
        for row in rows:
            amounts = row["amounts"]
            assert isinstance(amounts, Sequence)
            shown = ("-" if one == nothing else one for one in amounts[beside])
            lines.append(f"  {cut(str(row['name']), NAMED - 2)}".ljust(NAMED) + "".join(right(one, 4) for one in shown))
    return "\n".join(lines)


def excerpt(text: object, label: str = "") -> str:
    """
    Quote a line of somebody's on two lines at most, behind a label or a colon.

    What does not fit on the first line stands behind a colon below, so that it can never pass for a line of ours.
    """
    indent = LABEL if label else 2
    first, *rest = textwrap.wrap(str(text), WIDTH - indent - 2, break_on_hyphens=False) or [""]
    opening = label.ljust(indent) if label else f"{' ' * indent}: "
    below = [f"{' ' * indent}: {cut(' '.join(rest), WIDTH - indent - 2)}"] if rest else []
    return "\n".join([f"{opening}{first}", *below])


def quoted(text: str, indent: int = 0) -> str:
    """Set people's free text apart, `: ` before every line, so that it can never pass for a line of ours."""
    lines = [part for line in text.split("\n") for part in textwrap.wrap(line, WIDTH - 2 - indent) or [""]]
    return "\n".join(f"{' ' * indent}: {line}" for line in lines)


def environment(templates: Mapping[str, str]) -> jinja2.Environment:
    """
    Return the environment that renders templates; a missing fact is an error, never a blank.

    Shape: `templates` maps names such as "toy/report.j2" to their source. The same templates give the same place,
    since to compile one takes longer than to render it a hundred times.
    """
    return _environment(tuple(sorted(templates.items())))


@lru_cache(maxsize=8)
def _environment(templates: tuple[tuple[str, str], ...]) -> jinja2.Environment:
    env = jinja2.Environment(
        loader=jinja2.DictLoader(dict(templates)),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # noqa: S701  plain text; people's words only ever come in as values
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        extensions=["jinja2.ext.do"],
    )
    env.filters |= {
        one.__name__: one for one in (bar, fill, left, right, listed, spelled, tied, cite, cut, chart, excerpt, quoted)
    }
    return env


def render(env: jinja2.Environment, name: str, facts: Facts) -> str:
    """
    Render a template, with runs of blank lines closed up and no blanks at line ends.

    Errors: TemplateError with the template's name, the line where it is known, and what was missing.
    """
    try:
        text = env.get_template(name).render(facts)
    except jinja2.TemplateError as error:
        raise TemplateError(_mistake(name, error)) from error
    return tidy(text)


@lru_cache(maxsize=8)  # the words of a ruleset are looked through at every founding, and never change
def mistakes(env: jinja2.Environment, names: tuple[str, ...]) -> tuple[str, ...]:
    """Say which of these templates, and of those that they use, are missing or cannot be read, and why."""
    assert env.loader
    found, seen = [], list(names)
    for name in seen:
        try:
            tree = env.parse(env.loader.get_source(env, name)[0])
        except jinja2.TemplateError as error:
            found.append(_mistake(name, error))
        else:
            seen += [used for used in meta.find_referenced_templates(tree) if used and used not in seen]
    return tuple(found)


def _mistake(name: str, error: jinja2.TemplateError) -> str:
    if isinstance(error, jinja2.TemplateNotFound):
        return f"the template {error.name} is missing"
    place = f"{name}, line {error.lineno}" if isinstance(error, jinja2.TemplateSyntaxError) else name
    return f"{place}: {error.message}"


def printable(text: str) -> str:
    """Remove from a text what could end a line, reverse its direction, or hide something in it."""
    return _UNSEEN.sub("", _ENDS.sub(" ", text))


def tidy(text: str) -> str:
    """Close up runs of blank lines, cut blanks at line ends, and end with one newline; nothing unseen stays."""
    lines: list[str] = []
    for line in map(str.rstrip, printable(text).split("\n")):
        if line or (lines and lines[-1]):
            lines.append(line)
    return "\n".join(lines).rstrip("\n") + "\n"


class Outgoing(msgspec.Struct, frozen=True, kw_only=True):
    """
    A letter of ours, ready to be turned into bytes.

    Shape: `name` makes the Message-ID, so the same letter has the same one for ever; `references` are
    Message-IDs with brackets, the game's first letter first; `mark` shows that it is ours; `with_html` where the text
    is sent as HTML too, with the pictures in it that are among the files `attached`.
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
    list_id: str
    mark: str = ""
    with_html: bool = False
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
        "List-Id": f"<{letter.list_id}>",
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
        letter.body, letter.attached, with_html=letter.with_html, name=letter.name, domain=letter.domain
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


def name_of(raw: bytes) -> str:
    """Return the name under which a letter of ours went out; that of older releases was its identity."""
    found = re.search(rb"^Message-ID: <(.*)@.*?>\r?$", raw.partition(b"\r\n\r\n")[0], re.MULTILINE)
    return found[1].decode() if found else ""


def _header(text: str) -> str:
    text = _line(text)
    return text if text.isascii() else Header(text, "utf-8", maxlinelen=900).encode()


def _line(text: str) -> str:
    """Keep a header on its line, whatever it is made of."""
    return printable(text.replace("\n", " ").replace("\t", " "))
