"""The words and shapes of a list, as its tables have them, and what the records call what is said."""

from collections.abc import Mapping

from pbem.ruleset import FRAME_WORDS, FRAMES, Shapes, WordClasses, table
from pbem.rulesets.discs.model.order import Wall

SHAPES = Shapes(table("pbem.rulesets.discs.language", "lists.shapes"), FRAMES)
_OWN = WordClasses(table("pbem.rulesets.discs.language", "lists.words"))
_IN_ORDER = frozenset(" ".join(words) for words in _OWN.classes["SEQ"])
WORDS = _OWN | WordClasses(FRAME_WORDS).without({"LEAD": _IN_ORDER, "SEP": _IN_ORDER})
"""Words of sequence say in a list which card an act is for, so they lead into none."""
NOUNS = (
    "number",
    "ordinal",
    "span",
    "short",
    "inches",
    "bearing",
    "compass",
    "square",
    "point",
    "name",
    "whose",
    "stranger",
    "reason",
)
SHAPES.check(WORDS, NOUNS)

WALLS: Mapping[str, Wall] = {"north": "north", "east": "east", "south": "south", "west": "west"}
"""The walls, by the acts of their shapes."""
GUARDS = {"block": "block", "dodge": "dodge"}
RECALLS = {"away": "away", "never": "never", "nobody": "nobody ahead"}
"""When a Disc is recalled, by the acts of their shapes."""
HIM = "~him"
"""Whom a line means that says him: no seat is called so."""
