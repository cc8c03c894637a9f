"""Lists that only grow, of what was sent and what came to the desk; without sums, so a torn line is left out."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

import tomli_w

from pbem.world.shelf import Shelf


def note(name: str, line: Mapping[str, Any]) -> bytes:
    """Write one line of a list, to append."""
    return f"[[{name}]]\n{tomli_w.dumps(line)}\n".encode()


def read(name: str, shelf: Shelf, *place: str, holding: str = "") -> list[dict[str, Any]]:
    """
    Return the whole lines of a list; one that a crash tore is left out, wherever it stands now.

    Shape: `holding` is a text without which a line is not looked at, since lists grow long.
    """
    if not shelf.exists(*place):
        return []
    _, *pieces = shelf.read(*place).decode("utf-8", "replace").split(f"[[{name}]]\n")
    return [
        line for piece in pieces if holding in piece and piece.endswith("\n\n") and (line := _parsed(piece)) is not None
    ]


def _parsed(piece: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(piece)
    except tomllib.TOMLDecodeError:
        return None
