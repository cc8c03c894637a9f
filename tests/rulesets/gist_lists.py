"""Lists of what others wrote without having seen how it is read, and what becomes of each mail of them."""

import tomllib
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pbem.ground.terms import OrderLine, Parsed

Hear = Callable[[Sequence[OrderLine]], Parsed[Any]]
Write = Callable[[Any], list[str]]


def read(name: str) -> dict[str, list[dict[str, Any]]]:
    """Return the lists of a file: phrasings, whole mails, talk."""
    return tomllib.loads((Path(__file__).parent / name).read_text(encoding="utf-8"))


def lines_of(text: str) -> list[OrderLine]:
    """Return a mail as its lines."""
    return [OrderLine(number, line) for number, line in enumerate(text.strip().split("\n"), 1)]


def verdict(item: dict[str, Any], found: Parsed[Any], write: Write) -> str:
    """Say what becomes of a mail of the lists: right at once or behind a yes, asked, or wrong."""
    want = sorted(item.get("want", ()))
    if found.orders and not found.complaints and not found.doubts:
        return "right" if write(found.orders) == want else "wrong"
    if found.offered:
        return "behind a yes" if write(found.offered) == want else "offered wrong"
    return "behind a yes" if found.orders and write(found.orders) == want else "asked"


def counted(items: Sequence[dict[str, Any]], hear: Hear, write: Write) -> Counter[str]:
    """Count what becomes of the mails that a moderator would not ask back about; those that went wrong are printed."""
    came = Counter[str]()
    for item in items:
        if not item.get("ask"):
            kind = verdict(item, hear(lines_of(item["text"])), write)
            came[kind] += 1
            if "wrong" in kind:
                print(kind, item["text"])  # pytest shows it with a test that fails
    return came
