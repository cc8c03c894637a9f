"""A reply as its writer sees it before the mail program dresses it: runs of lines, each so many quotations deep."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from tests.letters.corpus.tongues import AT, WHO, Tongue

Place = Literal["alone", "top", "bottom", "inline", "trimmed", "form"]
Thread = Literal["letter", "own", "friend"]

OWN_OLD = [
    "Hello,",
    "here is what I do:",
    "attack Plastiquegirl 11",
    "defend 41",
    "use Tough Skin on Cuttlefish x3",
    "wait",
]
"""A mail of the writer's own, of some days ago: orders once, a quotation now."""

FRIEND = [
    "Mantisman told me he will do this:",
    "attack Cuttlefish 37",
    "defend 13",
    "bid Laser Eyes 9",
    "What do you think? ready",
]
"""A mail of somebody else, who talks of orders."""

TALK = "By the way, thank you all for the game, it is a pleasure to sit and watch the tentacles close around everyone."

GREETING = ["Hello Gwen,", ""]
GOODBYE = ["", "Best regards", "Ada"]


class Piece(NamedTuple):
    """A run of lines: depth 0 is newly written, 1 is quoted, 2 is quoted within that."""

    lines: list[str]
    depth: int


class Draft(NamedTuple):
    """A reply before it is dressed: its pieces, the language of the program, and what is written below by rote."""

    pieces: list[Piece]
    tongue: Tongue
    footer: list[str]


def composed(place: Place, thread: Thread, new: Sequence[str], letter: Sequence[str]) -> list[Piece]:
    """Lay out new lines above, below, between, or in the form of a letter that stands alone or within a thread."""
    first = {"letter": list(letter), "own": OWN_OLD, "friend": FRIEND}[thread]
    deeper = [] if thread == "letter" else [Piece(list(letter), 2)]
    head, rest = list(new[:1]), list(new[1:])
    half = next((at for at, line in enumerate(first) if at > len(first) // 2 and not line), len(first) // 2)
    match place:
        case "alone":
            return [Piece(list(new), 0)]
        case "top":
            return [Piece(list(new), 0), Piece(first, 1), *deeper]
        case "bottom":
            return [*deeper, Piece(first, 1), Piece(list(new), 0)]
        case "inline":
            return [Piece(first[:half], 1), Piece(head, 0), Piece(first[half:], 1), *deeper, Piece(rest, 0)]
        case "trimmed":
            return [Piece(first[2:5], 1), Piece(head, 0), Piece(first[-4:-1], 1), Piece(rest, 0)]
        case "form":
            return [Piece(_filled(letter, new), 1)]


def _filled(letter: Sequence[str], new: Sequence[str]) -> list[str]:
    answers = list(new)
    return [f"~ {answers.pop(0)}" if line.startswith("~ ") and answers else line for line in letter]


def named(pattern: str) -> str:
    """Fill our name and address into an attribution."""
    return pattern.format(who=WHO, at=AT)


def folded_attribution(line: str, width: int = 78) -> str:
    """Break an attribution where webmail does: behind the opening bracket of the address, or at a blank."""
    if len(line) <= width:
        return line
    at = line.find("<") + 1
    if not 0 < at <= width:
        at = line.rfind(" ", 0, width) + 1
    return f"{line[:at].rstrip()}\n{line[at:]}"
