"""Lists that only grow, of what was sent and what came to the desk; a line that is torn or damaged is left out."""

import hashlib
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import tomli_w

from pbem import records
from pbem.world.shelf import Shelf

_SUM = '\nsum = "'


def encode(name: str, line: Mapping[str, Any]) -> bytes:
    """Write one line of a list, to append; its last key is its check sum."""
    text = tomli_w.dumps({"format": records.FORMAT, **line}).rstrip("\n")
    return f'[[{name}]]\n{text}{_SUM}{_sum(text)}"\n\n'.encode()


class Glimpse:
    """A line that has not been read yet: what one of its fields says, at a small part of the cost of reading it."""

    def __init__(self, text: str) -> None:
        """Hold its text."""
        self._text = text

    def has(self, name: str) -> bool:
        """Say whether there is a text by this name."""
        return f'\n{name} = "' in self._text

    def field(self, name: str) -> str:
        """Return what a text says that has nothing odd in it; "" where there is none such."""
        found = re.search(rf'^{name} = "([^"\\\\]*)"$', self._text, re.MULTILINE)
        return found[1] if found else ""


def read(
    name: str, shelf: Shelf, *place: str, wanted: Callable[[Glimpse], bool] = lambda line: True
) -> list[dict[str, Any]]:
    """
    Return the whole lines of a list; one that a crash tore is left out, wherever it stands now, and no other.

    Shape: `wanted` says of a line whether it may be of use, since a long list takes seconds to be read whole.

    Errors: ShelfError where a newer release wrote one.
    """
    found = [*latest(name, shelf, *place, wanted=wanted)]
    return found[::-1]


def latest(
    name: str, shelf: Shelf, *place: str, wanted: Callable[[Glimpse], bool] = lambda line: True
) -> Iterator[dict[str, Any]]:
    """Yield the same from the end, each line read when it is asked for."""
    if not shelf.exists(*place):
        return
    _, *pieces = shelf.read(*place).decode("utf-8", "replace").split(f"[[{name}]]\n")
    where, ours = shelf.root.joinpath(*place), f"format = {records.FORMAT}\n"
    for piece in reversed(pieces):
        is_newer = piece.startswith("format") and not piece.startswith(ours)
        if (is_newer or wanted(Glimpse(piece))) and (line := _decode(piece)) is not None:
            yield records.known(line, where)


def _decode(piece: str) -> dict[str, Any] | None:
    """Read a line up to the blank one that ends it: what is behind that, a crash left there."""
    text, end, _ = piece.partition("\n\n")
    text, has_sum, sum_ = text.rpartition(_SUM) if _SUM in text else (text, "", "")
    if not end or (has_sum and sum_.rstrip('"') != _sum(text)):
        return None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


def _sum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
