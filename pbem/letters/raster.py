"""Turns drawings into pixels for mail programs that show no SVG, where the extra "pictures" is installed."""

import re

WIDTH = 900
"""Pixels across: sharp on a phone, and small enough to mail."""
TALLEST = 4
"""How many times as high as wide a drawing may be: pixels that find no room in memory would end the daemon."""
_SIZE = re.compile(r"viewBox=[\"']\s*\S+\s+\S+\s+(\d{1,6})(?:\.\d*)?\s+(\d{1,6})(?:\.\d*)?\s*[\"']")


def png(svg: str) -> bytes:
    """Return a drawing as PNG, or nothing where it cannot be turned into pixels here."""
    size = _SIZE.search(svg)
    if size is None or int(size[2]) > TALLEST * int(size[1]):
        return b""
    try:
        import resvg_py

        return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=WIDTH))
    except (ImportError, ValueError):  # no report waits for a picture
        return b""
