"""Turns drawings into pixels for mail programs that show no SVG, where the extra "pictures" is installed."""

from functools import lru_cache

WIDTH = 900
"""Pixels across: sharp on a phone, and small enough to mail."""


@lru_cache(maxsize=8)  # a report goes to every seat
def png(svg: str) -> bytes:
    """Return a drawing as PNG, or nothing where it cannot be turned into pixels here."""
    try:
        import resvg_py

        return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=WIDTH))
    except (ImportError, ValueError):  # no report waits for a picture
        return b""
