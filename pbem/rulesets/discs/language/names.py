"""How lines name Programs, and the names that nobody may take; reads no place."""

import re

from pbem.ruleset import phrases
from pbem.rulesets.discs.grid.bearings import CORNERS, POINTS, WALLS, read_bearing
from pbem.rulesets.discs.grid.squares import COLUMNS, ROWS
from pbem.rulesets.discs.language.words import WORDS
from pbem.rulesets.discs.model.state import State

PLAIN = {
    "nearest": "nearest", "nearest foe": "nearest", "nearest enemy": "nearest", "nearest program": "nearest",
    "nearest player": "nearest", "nearest opponent": "nearest", "closest": "nearest", "closest foe": "nearest",
    "closest enemy": "nearest", "closest player": "nearest",
    "anyone": "nearest", "anybody": "nearest", "weakest": "weakest", "weakest foe": "weakest",
    "weakest enemy": "weakest", "weakest program": "weakest", "my disc": "my disc", "my disk": "my disc",
    "own disc": "my disc", "centre": "centre", "center": "centre", "middle": "centre", "centre of the grid": "centre",
    "center of the grid": "centre", "middle of the grid": "centre",
}  # fmt: skip
"""Places of one word or two, by the word that we write."""
GLUE = frozenset(
    (
        "at", "to", "from", "of", "off", "by", "and", "or", "if", "is", "am", "holds", "hold", "within", "card", "disc",
        "disk", "left", "right", "wall", "corner", "my", "me", "the", "shot", "clear", "heading", "only", "prone", "on",
        "throw", "attack", "move", "pass", "stand", "nearest", "weakest", "centre", "center", "anyone", "then", "a",
        "any", "in", "inches", "than", "s", "i", "has",
    )
)  # fmt: skip
"""Words that hold lines together, so a name that has one is written by its seat instead."""


def _spellings(point: str) -> set[str]:
    """Return all that a point of the compass may be called: letters and words, with hyphens between them or none."""
    spelt = {""}
    for letter in point:
        spelt = {
            f"{before}{hyphen}{word}"
            for before in spelt
            for hyphen in (("", "-") if before else ("",))
            for word in (letter.lower(), WALLS[letter])
        }
    return spelt


RESERVED = frozenset(
    (
        *(word.replace(" ", "-") for word in PLAIN), "disc", "disk", "me", "myself", "wall", "corner",
        *(spelt for point in POINTS for spelt in _spellings(point)), *(f"{wall}-wall" for wall in WALLS.values()),
        "block", "dodge", "dive", "never",
        *("-".join(said) for kind in ("ATTACK", "HOLD", "PASS", "STAND", "WAIT") for said in WORDS.classes[kind]),
        *(f"{column}{row}".lower() for column in COLUMNS for row in range(1, ROWS + 1)),
        *(f"{hour}-o-clock" for hour in range(1, 13)), *(f"{corner.lower()}-corner" for corner in CORNERS),
    )
)  # fmt: skip
"""Names that nobody may take, since lines mean places, bearings or reactions by them."""


OPENINGS = frozenset(("attack", "get", "go", "move", "run", "stand", "step", "strike", "throw", "walk"))
"""Words with which no name may begin: a name behind them is one that they are aimed at."""


def written(state: State, seat: str) -> str:
    """Return how lines name a Program: by name, or by seat where the name would be read otherwise."""
    name = state.program(seat).name
    words = re.split(r"[\s.'!-]+", name.casefold())
    return seat if GLUE & set(words) or len(name) < 2 or _reads_otherwise(name) else name


def begun(state: State, seat: str, said: str) -> str:
    """Return whose name a word begins that means something else too, or ""; what is a name by itself was chosen so."""
    others = {one.seat: one.name for one in state.others(seat)}
    found = phrases.find(said, others, "Program") if re.search(r"[a-z]", said, re.IGNORECASE) else None
    if isinstance(found, phrases.Unread):
        return "a Program" if found.fault == "ambiguous" else ""
    return others[found] if found else ""


def _reads_otherwise(name: str) -> bool:
    return read_bearing(name) is not None or bool(re.fullmatch(r"[a-z]\s?\d{1,3}", name, re.IGNORECASE))
