"""Blocks of From, Sent, To and Subject that mail clients write above a quotation; knows no letter of ours."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

from pbem.letters.client_phrases import LABELS

Kind: TypeAlias = Literal["blank", "quoted", "ours", "loose"]
"""What is known of a line before its surroundings are looked at; a loose line may be new."""

MOST_LINES = 10
"""The most lines of one block."""

_FIELD = re.compile(r"[* ]*([^\W\d_](?:[^\W\d_]|[ '.-]){0,24}?)[ *]*[:\uff1a]")
_FIRST_WORD = re.compile(r"([^\W\d_]+) \S")
_CLOCK = re.compile(r"[0-9]{1,2}[:.h][0-9]{2}")
_DAY = re.compile(r"20[0-9]{2}|[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{2}")
_ADDRESS = re.compile(r"\S@\S+\.\S")
_RULE = re.compile(r"[-_=*]{5,}(?: ?[^-_=*].{0,80}[-_=*]{5,})?")
_PASSED_ON = re.compile(
    r"begin forwarded message|anfang der weitergeleiteten|début du message|inicio del mensaje|inizio messaggio"
    r"|.{0,30}forwarded message:",
    re.IGNORECASE,
)


def blocks(texts: Sequence[str], kinds: Sequence[Kind]) -> Iterator[tuple[int, int]]:
    """Find the first and the last line of each block, with the line of dashes above it."""
    place = 0
    while place < len(texts):
        if kinds[place] != "loose" or (
            ":" not in texts[place] and "\uff1a" not in texts[place] and not _is_rule(texts[place])
        ):
            place += 1
            continue
        found = _block(texts, kinds, place)
        if found is None:
            place += 1
            continue
        first, last = found
        above = next((i for i in range(first - 1, -1, -1) if kinds[i] != "blank"), first)
        yield above if kinds[above] == "loose" and _is_rule(texts[above]) else first, last
        place = last + 1


def _is_rule(text: str) -> bool:
    return (
        bool(text) and (text[0] in "-_=*" or text[-1] == ":") and bool(_RULE.fullmatch(text) or _PASSED_ON.match(text))
    )


def _block(texts: Sequence[str], kinds: Sequence[Kind], place: int) -> tuple[int, int] | None:
    """
    Return the block that begins at a line, or None.

    A block has three different fields or more, and a time of day in one of them, so that a person who begins orders
    with "From: Ada" loses nothing. In a language that we do not know it has an address in one field and a day and a
    time in another. Below a line such as "-----Original Message-----" two fields are enough, with an address or a
    time in one of them, and need no colons.
    """
    ruled = _is_rule(texts[place]) and any(letter.isalpha() for letter in texts[place])
    first = place + 1 if ruled else place
    if not ruled and not _FIELD.match(texts[place]):
        return None
    known: dict[str, int] = {}
    fields: list[int] = []
    for line in _lines(texts, kinds, first, known):
        label = _label(texts[line], bare=ruled)
        kind = LABELS.get(label or "", "")
        is_again = kind == _first(known) and len(fields) == line - first
        if kind and (is_again or (not known and not ruled and kind in ("to", "cc"))):
            return None  # a person's own "From: Ada", or an order such as "do: discard this", above the block
        if kind:
            known.setdefault(kind, line)
        if label is not None:
            fields.append(line)
    is_timed = any(_CLOCK.search(texts[line]) for line in known.values())
    if ruled and len(known) >= 2 and (is_timed or any(_ADDRESS.search(texts[line]) for line in known.values())):
        return min(known.values()), max(known.values())
    if first in known.values() and len(known) >= 3 and is_timed:
        return first, max(known.values())
    return _strange(texts, fields, first)


def _first(known: Mapping[str, int]) -> str:
    return next(iter(known), "")


def _lines(texts: Sequence[str], kinds: Sequence[Kind], first: int, known: Mapping[str, int]) -> Iterator[int]:
    """Follow the loose lines from one on; behind two fields a blank one is stepped over if another field follows."""
    for line in range(first, min(first + MOST_LINES, len(texts))):
        if kinds[line] == "loose":
            yield line
        elif line > first or kinds[line] != "blank":
            below = _label(texts[line + 1], bare=False) if line + 1 < len(texts) else None
            if kinds[line] != "blank" or len(known) < 2 or LABELS.get(below or "", "") in ("", *known):
                return


def _label(text: str, *, bare: bool) -> str | None:
    """Return the words before the colon of a field; if it needs no colon (`bare`), a first word that we know."""
    match = _FIELD.match(text)
    if match:
        return match[1].casefold()
    word = _FIRST_WORD.match(text) if bare else None
    return word[1].casefold() if word and word[1].casefold() in LABELS else None


def _strange(texts: Sequence[str], fields: Sequence[int], first: int) -> tuple[int, int] | None:
    """Say whether fields in a row are a block in a language that we do not know."""
    row = [line for at, line in enumerate(fields) if line == first + at]
    if len(row) < 3:
        return None
    dated = [line for line in row if _CLOCK.search(texts[line]) and _DAY.search(texts[line])]
    addressed = [line for line in row if line not in dated and _ADDRESS.search(texts[line])]
    return (first, row[-1]) if dated and addressed and first in (*dated, *addressed) else None
