"""What mail clients write around a quotation: attributions, header blocks, signatures; knows no letter of ours."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice, pairwise
from typing import Literal, TypeAlias

from mailparser_reply.constants import MAIL_LANGUAGES

Kind: TypeAlias = Literal["blank", "quoted", "ours", "loose"]
"""What is known of a line before its surroundings are looked at; a loose line may be new."""

NARROWEST = 60
"""The narrowest width at which clients wrap lines, in characters."""
MOST_ATTRIBUTION = 300
"""The longest attribution in characters; the library's expressions take quadratic time."""
MOST_ATTRIBUTIONS = 50
"""The most lines that are looked at so, for the same reason; an ordinary reply has one or two."""

# We use mail-parser-reply's tables of languages and not its reading of whole mails, which takes 6 ms a mail and
# loses new lines: lists that begin with "- ", all after "Thanks," and what follows lines such as "To: ...".
_TABLES = [table for language, table in MAIL_LANGUAGES.items() if language != "david"]
_WROTE = re.compile("|".join(table["wrote_header"] for table in _TABLES), re.IGNORECASE)
_BLOCK = re.compile("|".join(table["from_header"] for table in _TABLES), re.IGNORECASE | re.MULTILINE)
_SENT_FROM = re.compile(
    r"(?:"
    + "|".join(table["sent_from"] for table in _TABLES if table["sent_from"])
    + r"|sent (?:from|via|with|using) |von meinem .* gesendet|envoyé (?:de|à partir de) |enviado (?:do|desde) )"
    r".{0,60}",
    re.IGNORECASE,
)

_GATE = re.compile(
    r"\W*(?:external|extern|" + "|".join(word for table in _TABLES for word in table.get("disclaimers", ())) + ")",
    re.IGNORECASE,
)

# For languages that the library lacks: two of address, date and verb, and a colon at the end.
_HINTS = (
    re.compile(r"\S@\S+\.\S"),
    re.compile(r"\b[0-9]{1,2}[:.h][0-9]{2}\b(?![^<>]*>)|\b20[0-9]{2}\b(?![^<>]*>)|20[0-9]{2}[年년]"),
    re.compile(
        r"\b(?:wrote|writes|said|schrieb|schreef|écrit|escribió|escreveu|scritto|skrev|kirjoitti|pisze"
        r"|napisał|napsala?|написала?|пишет|пише)\b|写道|寫道|작성|님이|^quoting\b",
        re.IGNORECASE,
    ),
)
_HOLDS_ON = re.compile(r"(?:if|else|and|or|for|press|~|\|)(?!\w)|.*\belse\W*$", re.IGNORECASE)
"""Lines that end in a colon and are no attribution; without a wrapped condition, what follows would be an order."""
_FIELD = re.compile(r"[* ]*([^\W\d_](?:[^\W\d_]|[ '.-]){0,24}):")
_CLOCK = re.compile(r"[0-9]{1,2}[:.h][0-9]{2}")
_SEPARATOR = re.compile(r"[-_=*]{5,}(?:[^-_=*].{0,60}[-_=*]{5,})?|.{0,30}forwarded message:", re.IGNORECASE)


def frame(texts: Sequence[str], kinds: Sequence[Kind]) -> frozenset[int]:
    """
    Return the places of loose lines that the writer's mail client wrote, or that someone else did.

    Shape: `texts` are the lines cleaned, without quote marks. Taken are attributions, header blocks and what
    follows those that do not introduce a letter of ours, signatures and "Sent from my ...".
    """
    taken: set[int] = set()
    blocks = list(_blocks(texts, kinds))
    for first, last in (*_attributions(texts, kinds), *blocks, *_foreign(texts, kinds, blocks)):
        taken.update(range(first, last + 1))
    taken.update(_signatures(texts, kinds, frozenset(taken)))
    return frozenset(place for place in taken if kinds[place] == "loose")


def _attributions(texts: Sequence[str], kinds: Sequence[Kind]) -> Iterator[tuple[int, int]]:
    """
    Find "On Tuesday Ada wrote:", also where it was wrapped over two or three lines, and what else introduces.

    Above quoted text one hint is enough ("The Ember Arena wrote:"), and directly above the first such text none is
    needed, unless the line begins as those do that hold the lines below them together.
    """
    first_quoted = next((place for place, kind in enumerate(kinds) if kind in ("quoted", "ours")), len(kinds))
    ends = (place for place, text in enumerate(texts) if kinds[place] == "loose" and text.endswith((":", "：")))
    for last in islice(ends, MOST_ATTRIBUTIONS):
        windows = list(_windows(texts, kinds, last))
        known = (first for first, window in windows if _hints(window) and _WROTE.match(window))
        likely = (first for first, window in windows if _looks_attributed(window, texts[first : last + 1]))
        first = next(chain(known, likely), None)
        if first is None and not _HOLDS_ON.match(texts[last]):
            below = next((place for place in range(last + 1, len(kinds)) if kinds[place] != "blank"), None)
            is_above = below is not None and kinds[below] in ("quoted", "ours")
            if is_above and (_hints(texts[last]) or last + 1 == first_quoted):
                first = last
        if first is not None:
            yield first, last


def _windows(texts: Sequence[str], kinds: Sequence[Kind], last: int) -> Iterator[tuple[int, str]]:
    """Join a line with none, one and two lines above it."""
    window = ""
    for first in range(last, max(last - 3, -1), -1):
        window = f"{texts[first]} {window}".rstrip()
        if kinds[first] != "loose" or len(window) > MOST_ATTRIBUTION:
            return
        yield first, window


def _looks_attributed(window: str, lines: Sequence[str]) -> bool:
    """Say whether lines hold two of address, date and verb, and are so long that a client wrapped them."""
    wrapped = all(len(above) + 1 + len(below.split(" ")[0]) >= NARROWEST for above, below in pairwise(lines))
    return wrapped and _hints(window) >= 2


def _hints(window: str) -> int:
    return sum(bool(hint.search(window)) for hint in _HINTS)


def _blocks(texts: Sequence[str], kinds: Sequence[Kind]) -> Iterator[tuple[int, int]]:
    """Find blocks of From, Sent, To and Subject, with the line of dashes above them."""
    place = 0
    while place < len(texts):
        last = _block_end(texts, kinds, place)
        if last is None:
            place += 1
            continue
        above = next((i for i in range(place - 1, -1, -1) if kinds[i] != "blank"), place)
        separated = kinds[above] == "loose" and _SEPARATOR.fullmatch(texts[above])
        yield above if separated else place, last
        place = last + 1


def _block_end(texts: Sequence[str], kinds: Sequence[Kind], first: int) -> int | None:
    """
    Return the last line of the header block that begins at a line, or None.

    A block has three different fields or more, and a time of day in one of them, so that a person who begins orders
    with "From: Ada" loses nothing.
    """
    if kinds[first] != "loose" or not _FIELD.match(texts[first]):
        return None
    end = first
    while end < min(first + 10, len(texts)) and kinds[end] == "loose":
        end += 1
    fields = [place for place in range(first, end) if _FIELD.match(texts[place])]
    if len(fields) < 3:
        return None
    known = {name: place for place in fields if (name := _field(texts[place]))}
    has_time = any(_CLOCK.search(texts[place]) for place in known.values())
    return max(known.values()) if len(known) >= 3 and has_time else None


def _field(text: str) -> str:
    """Return the name of a header field in a language that the library knows, or ""."""
    match = _FIELD.match(text)
    # The library looks for two fields in a row, so one that it knows is found when it stands there twice.
    return match[1].casefold() if match and _BLOCK.match(f"{text[:200]}\n{text[:200]}") else ""


def _foreign(
    texts: Sequence[str], kinds: Sequence[Kind], blocks: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """
    Find what stands below header blocks without quote marks and is not a letter of ours.

    Below a block that introduces a letter of ours, loose lines are answers between its lines, and stay; only
    what a mail gate set above our letter ("CAUTION: ...") goes.
    """
    following = [first for first, _ in blocks[1:]]
    for (_, last), end in zip(blocks, [*following, len(kinds)], strict=False):
        below = [place for place in range(last + 1, end) if kinds[place] in ("ours", "loose")]
        ours = [place for place in below if kinds[place] == "ours"]
        if not below or below[0] in ours:
            continue
        if 2 * len(ours) < len(below):
            yield last + 1, end - 1
        elif _GATE.match(texts[below[0]]):
            yield last + 1, ours[0] - 1


def _signatures(texts: Sequence[str], kinds: Sequence[Kind], framed: frozenset[int]) -> Iterator[int]:
    """Find signatures, from their two dashes to the next quotation or the end, and what phones add."""
    signing = False
    for place, text in enumerate(texts):
        if kinds[place] in ("quoted", "ours") or place in framed:
            signing = False
        elif text == "--":
            signing = True
        if signing or (kinds[place] == "loose" and len(text) < 100 and _SENT_FROM.fullmatch(text)):
            yield place
