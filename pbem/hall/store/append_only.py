"""Lists that only grow, of what was sent and what came to the desk; a line that is torn or damaged is left out."""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import tomli
import tomli_w

from pbem.ground import records
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

    def is_true(self, name: str) -> bool:
        """Say whether a field is true."""
        return re.search(rf"^{name} = true$", self._text, re.MULTILINE) is not None

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
    return read_from(0, name, shelf, *place, wanted=wanted)[0]


def read_from(
    start: int, name: str, shelf: Shelf, *place: str, wanted: Callable[[Glimpse], bool] = lambda line: True
) -> tuple[list[dict[str, Any]], int]:
    """
    Return the lines behind the first `start` bytes, and the size of the whole list in bytes.

    Shape: `wanted` as for `read`. A list that is shorter than `start` was replaced by another, and is read whole.
    """
    raw = shelf.find(*place) or b""
    pieces = _pieces(name, raw[start if start <= len(raw) else 0 :])
    lines = [_decode(piece) for piece, is_newer in pieces if is_newer or wanted(Glimpse(piece))]
    where = shelf.root.joinpath(*place)
    return [records.known(line, where) for line in lines if line is not None], len(raw)


def glimpses(name: str, shelf: Shelf, *place: str) -> Iterator[Glimpse]:
    """
    Yield the whole lines of a list without parsing them, which takes a tenth of the time.

    Errors: those of `read`.
    """
    for piece, is_newer in _pieces(name, shelf.find(*place) or b""):
        if is_newer or _SUM not in piece:  # another release wrote it, or a person, whose spelling may differ from ours
            line = _decode(piece)
            if line is not None:
                yield Glimpse(tomli_w.dumps(records.known(line, shelf.root.joinpath(*place))))
        elif (text := _whole(piece)) is not None:
            yield Glimpse(text)


def _pieces(name: str, raw: bytes) -> Iterator[tuple[str, bool]]:
    """Yield what may be lines, each with whether it is not of our format."""
    ours = f"format = {records.FORMAT}\n"
    for piece in raw.decode("utf-8", "replace").split(f"[[{name}]]\n")[1:]:
        yield piece, piece.startswith("format") and not piece.startswith(ours)


def _whole(piece: str) -> str | None:
    """Return a line up to the blank one that ends it, None if it is torn or damaged; what is behind, a crash left."""
    text, end, _ = piece.partition("\n\n")
    text, has_sum, sum_ = text.rpartition(_SUM) if _SUM in text else (text, "", "")
    return None if not end or (has_sum and sum_.rstrip('"') != _sum(text)) else text


def _decode(piece: str) -> dict[str, Any] | None:
    text = _whole(piece)
    try:
        return None if text is None else tomli.loads(text)
    except tomli.TOMLDecodeError:
        return None


def _sum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
