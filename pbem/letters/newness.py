"""What a person newly wrote: our own letters taken away, then what mail clients add; knows no game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import msgspec

from pbem import phrases
from pbem.letters.quoting import NARROWEST, Kind, frame
from pbem.terms import OrderLine

SHORTEST = 3
"""
The fewest characters of a line that is taken for ours because it equals one.

No line of ours parses as an order, but a line of one or two characters ("no", "2") is often a scrap of a table in
our letter and can be the whole of a person's answer; it is no evidence of quoting.
"""
NEVER_NEW = ("|", ":")
"""How examples in our letters begin, and what we quote of other people's words; such lines never count."""
LONGEST_RUN = 100
"""The most lines of one re-wrapped run; what follows them begins another."""
START = 4
"""How many characters lead to the lines of ours that a re-wrapped line may begin."""


class _Line(msgspec.Struct, frozen=True):
    """A line of a mail; `bare` is clean and without quote marks, `key` has no blanks and no capitals either."""

    text: str
    bare: str
    key: str
    kind: Kind


class _Known(msgspec.Struct, frozen=True):
    """
    A letter of ours: the keys of its lines, and `joined` those keys in one piece.

    Shape: `short` are the keys that are too short to be told by themselves; `starts` leads from the first
    characters of a line to the places in `joined` where such lines begin, `ends` are the places where lines end,
    and `marked` those where a quotation in our letter begins.
    """

    keys: frozenset[str]
    short: frozenset[str]
    joined: str
    starts: Mapping[str, tuple[int, ...]]
    ends: frozenset[int]
    marked: frozenset[int]


def new_lines(body: Sequence[str], ours: Iterable[str]) -> tuple[OrderLine, ...]:
    """
    Return the lines of a mail that its writer newly wrote.

    Shape: `body` are the lines of the mail, `ours` the texts of our letters that it may quote. A blank line
    belongs to the new line above it. A line that is just `end` ends what counts.
    """
    lines = [_line(text) for text in body]
    mine = _ours(lines, [_known(text) for text in ours])
    kinds: list[Kind] = ["ours" if place in mine else line.kind for place, line in enumerate(lines)]
    framed = frame([line.bare for line in lines], kinds) if "loose" in kinds else frozenset()
    rests = _wrapped_forms(lines, kinds)
    wrapped = {rest for places in rests.values() for rest in places}
    kept: list[str] = []
    is_below_new = False
    for place, line in enumerate(lines):
        if place in wrapped or (kinds[place] == "blank" and not is_below_new):
            continue
        text = _counting(line, kinds[place], place in framed)
        if text is not None and line.key == "end":
            break
        is_below_new = text is not None
        if text is not None:
            kept.append(" ".join([text, *(lines[rest].bare for rest in rests.get(place, ()))]))
    while kept and not kept[-1]:
        kept.pop()
    return tuple(OrderLine(number, text) for number, text in enumerate(kept, 1))


def _line(text: str) -> _Line:
    clean = " ".join(text.split()) if text.isascii() else phrases.clean(text)  # the same, and five times as fast
    quoted = clean.startswith(">")
    bare = clean.lstrip("> ") if quoted else clean
    kind: Kind = "quoted" if quoted else "loose" if bare else "blank"
    return _Line(text, bare, bare.replace(" ", "").casefold(), kind)


def _counting(line: _Line, kind: Kind, is_framed: bool) -> str | None:
    """Return what counts of a line, or None."""
    if kind == "ours":
        return None
    if line.bare.startswith("~ "):
        return None if "__" in line.bare else line.bare[2:]
    if kind == "quoted" or is_framed or line.bare.startswith(NEVER_NEW):
        return None
    return line.text.rstrip() if line.bare else ""


def _wrapped_forms(lines: Sequence[_Line], kinds: Sequence[Kind]) -> Mapping[int, Sequence[int]]:
    """Return the places of quoted form lines, each with the places of what a client wrapped off it."""
    rests: dict[int, list[int]] = {}
    form: int | None = None
    for place, line in enumerate(lines):
        if kinds[place] == "quoted" and line.bare.startswith("~ "):
            form = place
        elif form is not None:
            width = len(lines[place - 1].text) + 1 + len(line.bare.partition(" ")[0])
            is_rest = kinds[place] != "ours" and line.bare and line.bare[0] not in "~|" and width >= NARROWEST
            if is_rest:
                rests.setdefault(form, []).append(place)
            else:
                form = None
    return rests


@lru_cache(maxsize=512)  # a letter of ours is answered more than once, and taking it apart costs as much as the reply
def _known(text: str) -> _Known:
    lines = [line for line in map(_line, text.split("\n")) if line.key]
    starts: dict[str, tuple[int, ...]] = {}
    marked: set[int] = set()
    ends: set[int] = set()
    offset = 0
    for line in lines:
        starts[line.key[:START]] = (*starts.get(line.key[:START], ()), offset)
        if line.kind == "quoted":
            marked.add(offset)
        offset += len(line.key)
        ends.add(offset)
    # What we quote from another person may read like an order; whoever writes the same without a mark means it.
    keys = frozenset(line.key for line in lines if line.kind != "quoted" and len(line.key) >= SHORTEST)
    short = frozenset(line.key for line in lines if len(line.key) < SHORTEST)
    joined = "".join(line.key for line in lines)
    return _Known(keys, short, joined, starts, frozenset(ends), frozenset(marked))


def _ours(lines: Sequence[_Line], known: Sequence[_Known]) -> frozenset[int]:
    """Return the places of lines that equal one of ours, by themselves or as a run that a client re-wrapped."""
    found = {place for letter in known for place, line in enumerate(lines) if line.key in letter.keys}
    begun = 0
    for place in range(len(lines)):
        if place < begun or place in found or not lines[place].key:
            continue
        for letter in known:
            begun = max(begun, _run(lines, place, letter))
        found.update(range(place, begun))
    short = frozenset[str]().union(*(letter.short for letter in known))
    for place in range(1, len(lines)):  # such as a name of two letters in our list of players
        if place - 1 in found and lines[place].key in short:
            found.add(place)
    return frozenset(found)


def _run(lines: Sequence[_Line], place: int, letter: _Known) -> int:
    """
    Return where the longest run from a line ends whose text is whole lines of ours; the line itself if none.

    A client that wraps lines, joins them, or fills paragraphs anew leaves the words and their order as they were.
    """
    best = place
    key = lines[place].key
    for start in letter.starts.get(key[:START], ()) if len(key) >= START else ():
        if start in letter.marked and lines[place].kind != "quoted":
            continue
        offset = start
        for end in range(place, min(place + LONGEST_RUN, len(lines))):
            if not letter.joined.startswith(lines[end].key, offset):
                break
            offset += len(lines[end].key)
            if offset in letter.ends and lines[end].key:
                best = max(best, end + 1)
    return best
