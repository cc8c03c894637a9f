"""What the handbook says of a topic: sections whose heading, examples or words have it, cut to a short letter."""

import re
from collections.abc import Sequence

import msgspec
from rapidfuzz import fuzz, process

MOST_LINES = 23
"""Lines of the handbook that one topic is answered with."""
NEAREST = 4
_LIKE = 55
"""How like a word has to be to what was asked for, of a hundred."""


class Topic(msgspec.Struct, frozen=True):
    """What was found: lines of sections, whether there was more, and where nothing was, the nearest words."""

    lines: tuple[str, ...]
    has_more: bool
    near: tuple[str, ...]


def find(handbook: str, about: str) -> Topic:
    """Find a topic in the text of a handbook: in headings first, and else in what stands below them."""
    sections = _sections(handbook)
    sought = [_stem(word) for word in about.casefold().split()]
    in_heading = [one for one in sections if _has(one[0], sought)]
    in_example = [one for one in sections if any(_has(line, sought) for line in one[1] if line[:2] in ("| ", "~ "))]
    begins = [
        one
        for one in in_example
        if any(re.match(rf"[|~] {re.escape(sought[0])}", line, re.IGNORECASE) for line in one[1])
    ]
    told = begins or in_heading or in_example
    found = [(head, body if len(body) < MOST_LINES else _paragraphs(body, sought) or body) for head, body in told]
    found = found or [(head, cut) for head, body in sections if (cut := _paragraphs(body, sought))]
    lines = [line for head, body in found for line in (head, *body, "")]
    near = (
        () if found else process.extract(about, _words(sections), scorer=fuzz.ratio, limit=NEAREST, score_cutoff=_LIKE)
    )
    return Topic(tuple(lines[:MOST_LINES]), len(lines) > MOST_LINES, tuple(word for word, _, _ in near))


def _words(sections: Sequence[tuple[str, list[str]]]) -> list[str]:
    """Return the words of headings, and those that examples begin with: each is a topic."""
    heads = (head for head, _ in sections)
    firsts = (line[2:].split(" ")[0] for _, body in sections for line in body if line[:2] in ("| ", "~ "))
    found = (word for text in (*heads, *firsts) for word in re.findall(r"[a-z]{4,}", text.casefold()))
    return list(dict.fromkeys(found))


def _stem(word: str) -> str:
    """Return a word without the ending of several: `powers` also finds a power."""
    return word[:-1] if len(word) > 4 and word.endswith("s") else word


def _has(text: str, sought: Sequence[str]) -> bool:
    return all(re.search(rf"\b{re.escape(word)}", text, re.IGNORECASE) for word in sought)


def _sections(handbook: str) -> list[tuple[str, list[str]]]:
    """Cut a handbook at its headings: lines that begin at the margin, with what is set in below them."""
    sections: list[tuple[str, list[str]]] = []
    for line in handbook.split("\n"):
        if line and line[0] not in " |~":
            sections.append((line.strip(), []))
        elif sections:
            sections[-1][1].append(line)
    return [(head, _trimmed(body)) for head, body in sections if any(map(str.strip, body))]


def _paragraphs(body: Sequence[str], sought: Sequence[str]) -> list[str]:
    """Return the paragraphs that have the words, with the examples right before words that have them."""
    blocks = [block.split("\n") for block in re.split(r"\n\s*\n", "\n".join(body))]
    found: list[str] = []
    for place, block in enumerate(blocks):
        if _has("\n".join(block), sought):
            before = blocks[place - 1] if place and block[0].startswith(" ") else []
            is_example = bool(before) and before[0].startswith(("|", "~")) and not _has("\n".join(before), sought)
            found += [*(before if is_example else []), *block, ""]
    return _trimmed(found)


def _trimmed(lines: Sequence[str]) -> list[str]:
    return "\n".join(lines).strip("\n").split("\n") if lines else []
