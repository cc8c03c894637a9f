"""What a letter of ours says, read from its file."""

from typing import NamedTuple

from pbem.letters import markup, multipart, writing
from pbem.world.shelf import Shelf


class Words(NamedTuple):
    """The name under which a letter of ours went out, what it says, and the same as programs show its HTML, or ""."""

    name: str
    text: str
    rich: str = ""


def read(shelf: Shelf, *place: str) -> Words:
    """Read a letter of ours. Errors: ShelfError where its file cannot be read."""
    raw = shelf.read(*place)
    rich = multipart.html_of(raw)
    return Words(writing.name_of(raw), multipart.text_of(raw), markup.text(rich) if rich else "")
