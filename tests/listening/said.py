"""One mail of the corpus, and what a fair reader wants to come of it; read from the files of its part."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from tests.listening.scenes import SCENES, WRITER

HERE = Path(__file__).parent
CLASSES = {
    1: "every line accounted for",
    2: "form lines",
    3: "attributions and separators",
    4: "headings",
    5: "prose and doubt",
    6: "orders as people type them",
    7: "the second mail",
    8: "untrue notes, marks of HTML, charsets",
    9: "machines and people",
    10: "rounds and bids in five voices",
    11: "rounds of the brawl in five voices",
    12: "rounds in five voices, once more",
    13: "bids in five voices",
    14: "bids in five voices, another list",
    15: "bids in five voices, a third list",
    16: "bids in five voices, a fourth list",
    17: "lists of the discs in five voices",
    18: "more lists of the discs in five voices",
}
"""The classes of mail, by their numbers."""
FIRST_STEP = 10
STEPS = {
    10: ("rumble",),
    11: ("brawl",),
    12: ("rumble",),
    13: ("rumble",),
    14: ("rumble",),
    15: ("rumble",),
    16: ("rumble",),
    17: ("discs",),
    18: ("discs",),
}
"""From the first step on a class holds what was written before one step of the reader's, in some games, and run once."""
PARTS = ("open", "opened", "frozen")
"""The folders of mails: read from the start, frozen at first and read since, and only reported on."""


class Outcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """
    What may come of a mail.

    Shape: `taken` are the orders on hand afterwards, in canonical words, all of them; `named` the lines of the mail
    that the answer has to name as not read, passed over, or asked about; `ready` whether the seat is waited for no
    more; `says` are words that the answer has to hold, `unsaid` words that would be untrue of this mail.
    """

    taken: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    ready: Literal["yes", "no", "either"] = "yes"
    says: tuple[str, ...] = ()
    unsaid: tuple[str, ...] = ()


class Said(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """
    A mail, where it is written, and every outcome that a fair reader would accept.

    Shape: `text` is a reply in plain text, `html` one in HTML, both where a program sends both; or `raw` is the whole
    mail with its headers. In each, {{letter}} and the like stand for the letter that is answered (`filling`).
    `headers` replace those that a person's program sends. `machine` says what sent it, if no person did: then
    nothing may come of it, and nobody is answered, or only asked to confirm. `part` is the folder that it lies in.
    """

    name: str
    about: int
    scene: str
    text: str = ""
    html: str = ""
    raw: str = ""
    headers: dict[str, str] = {}
    charset: str = ""
    sender: str = WRITER
    machine: str = ""
    right: tuple[Outcome, ...] = ()
    part: str = ""

    @property
    def is_frozen(self) -> bool:
        """Whether it is only reported on, and nobody reads it who builds the reader."""
        return self.part == "frozen"

    @property
    def ruleset(self) -> str:
        """Return the name of the game that it is written in."""
        return SCENES[self.scene].ruleset


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    said: tuple[Said, ...]


@cache
def corpus() -> tuple[Said, ...]:
    """Read every mail of all parts, in the order of their names."""
    found = [one for path in sorted(HERE.glob("*/class*.toml")) for one in _read(path)]
    return tuple(sorted(found, key=lambda one: (one.about, one.name)))


def _read(path: Path) -> tuple[Said, ...]:
    said = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), _File).said
    return tuple(msgspec.structs.replace(one, part=path.parent.name) for one in said)
