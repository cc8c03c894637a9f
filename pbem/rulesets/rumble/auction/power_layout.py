"""How powers stand in a mail: which lines are one, and which begin a power by a mark of their own."""

import re
from collections.abc import Iterator, Sequence

import msgspec

from pbem.ruleset import OrderLine, is_table_row, phrases
from pbem.rulesets.rumble.auction import power_lines
from pbem.rulesets.rumble.auction.power_lines import Piece
from pbem.rulesets.rumble.genres import Genre
from pbem.rulesets.rumble.model.state import LONGEST_NAME, PowerKind

_NUMBER = re.compile(r"(?:\(?[1-9][.):]|#[1-9][.:]?|[-*\u2022](?![-*]))\s*(?=\S)")
"""What a list puts before a power."""
SENTENCE = re.compile(r"(?<=[.!?])[)\"'\u201d]?\s+(?=\S)")
_SUBJECT = re.compile(r"(?:re:\s*)?(?:\[[^\]]*\]\s*)?(?:round|auction|powers)(?:\s+\d+)?\W*", re.IGNORECASE)
"""A letter's subject, as mail programs repeat it behind a word for it in any language."""
_KEYWORD = re.compile(r"(?<=[;.!?])\s*(?=(?:power|text|type|kind|name)\s*:)", re.IGNORECASE)
"""Where a line of several parts is cut: `power: Flight; text: You fly.`"""
_INLINE = re.compile(r"[\s/,;.]+(?=(?:text|type|kind)\s*:)", re.IGNORECASE)
"""Where a line that opens a power goes on with its text or its type."""
LONGEST_JOINED = 1_000
"""The characters of a paragraph to which no further line is joined; no text of a power is half as long."""
LOOKED_AT = 90
"""The characters at the beginning of a line by which it is told whether it begins something."""
SHORTEST_WRAPPED = 60
"""The characters of a line that a mail program may have broken."""
_OPENING = ("named", "whole", "text", "kind", "unsigned", "told")


class Block(msgspec.Struct):
    """
    A power while it is being read, line by line.

    Shape: `texted` says that a `text:` line gave the text, so that a colon in the name is part of it; `open` that more
    lines of text may follow, `over` that a blank line came; `listed` that it stands in a list of people's own.
    """

    line: OrderLine
    piece: Piece
    parts: list[str]
    kind: PowerKind = "power"
    texted: bool = False
    open: bool = False
    over: bool = False
    listed: bool = False


def parts_of(line: OrderLine) -> Iterator[OrderLine]:
    """Cut a line at what opens another part."""
    pieces = _KEYWORD.split(line.text)
    cut_up = (part for one in pieces for part in (_INLINE.split(one) if power_lines.opens(one) else (one,)))
    return (OrderLine(line.number, part) for part in cut_up)


def unwrapped(lines: Sequence[OrderLine], genre: Genre) -> Iterator[OrderLine]:
    """
    Put together the lines of a paragraph over which a sentence goes on, or which a mail program broke.

    Shape: a line that opens a power, or a part of one, stands by itself, and so does a name above a text.
    """
    above: OrderLine | None = None
    for line in lines:
        text = phrases.clean(line.text)
        if above is not None and text and _goes_on(phrases.clean(above.text), line.text, genre):
            above = OrderLine(above.number, f"{above.text.rstrip()} {text}")
            continue
        if above is not None:
            yield above
        above = line
    if above is not None:
        yield above


def _goes_on(above: str, below: str, genre: Genre) -> bool:
    text = phrases.clean(below)
    is_short = len(above) <= LONGEST_NAME and not power_lines.hangs(above)
    is_new = _NUMBER.match(text) or power_lines.is_bold(text) or text.startswith(("#", "|", "~", "(")) or not above
    if is_short or is_new or is_table_row(below) or len(above) > LONGEST_JOINED:
        return False
    opens = [power_lines.said(one[:LOOKED_AT], genre) for one in (bare_text(above), text)]
    if opens[1] and opens[1].what == "listed" and is_listed_power(below, opens[1], None):
        return False
    if (opens[0] and opens[0].what in ("named", "kind", "unsigned")) or (opens[1] and opens[1].what in _OPENING):
        return False
    return len(above) >= SHORTEST_WRAPPED or (text[:1].islower() and not ends_sentence(above))


def bare_text(text: str) -> str:
    """Take away the mark of a form, and that of a list."""
    clean = phrases.clean(text).removeprefix("~ ")
    mark = _NUMBER.match(clean)
    is_bold = mark is not None and power_lines.is_bold(clean)
    return clean[mark.end() :] if mark and not is_bold else clean


def piece_of(text: str, genre: Genre) -> Piece | None:
    """Return what a line says of a power, None where it says nothing."""
    return power_lines.said(text, genre) if text else None


def is_listed_power(text: str, piece: Piece, last: Block | None) -> bool:
    """Say whether a name and a text without a word before them are a power."""
    clean = phrases.clean(text).removeprefix("~ ")
    is_marked = is_set_apart(clean)
    is_text = power_lines.is_rule(piece.text) and not piece.text.endswith("?") and not _SUBJECT.fullmatch(piece.text)
    says_both = (power_lines.is_speech(piece.text) or power_lines.leads_aside(piece.text)) and not is_marked
    is_rule = power_lines.is_strict_rule(piece.text) or any(map(str.isdigit, piece.text))
    is_yours = not power_lines.words_of(piece.text).isdisjoint(("you", "your", "yours"))
    says_both = says_both or (len(piece.name.split()) == 1 and not is_rule and not is_yours)
    is_name = piece.joint not in (".", ",") and power_lines.is_title(piece.name) and not says_both
    is_plain = piece.joint in (":", "-", "=", "->") and power_lines.is_plain_name(piece.name)
    is_plain = is_plain and power_lines.is_strict_rule(piece.text)
    is_joined = last is None or last.listed or not last.open
    if (is_marked or piece.kind) and piece.joint != "," and not _says_no_name(piece):
        return piece.joint != "." or power_lines.is_title(piece.name)
    return is_joined and is_text and (is_name or is_plain)


def _says_no_name(piece: Piece) -> bool:
    """Say whether what stands before a mark calls no power: `Question: ...`, or what asks."""
    return power_lines.is_no_name(piece.name) or piece.text.endswith("?")


def is_set_apart(text: str) -> bool:
    """Say whether what begins a line sets it apart: a list's number, a mark of a heading, bold."""
    clean = phrases.clean(text).removeprefix("~ ")
    return _NUMBER.match(clean) is not None or clean.startswith("## ") or power_lines.is_bold(clean)


def ends_block(block: Block) -> bool:
    """Say whether the text of a power ends with a sentence so far."""
    return block.parts[-1:] != [] and ends_sentence(block.parts[-1])


def ends_sentence(text: str) -> bool:
    """Say whether a text ends with a sentence."""
    return text.rstrip(" )\"'\u201d").endswith((".", "!", "?"))
