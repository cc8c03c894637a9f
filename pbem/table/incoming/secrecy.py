"""Which talk may tell what somebody orders: it has a word, a name, a power or a number of the game, or nearly one."""

import re
from collections.abc import Collection

from rapidfuzz.distance import OSA

from pbem.language.nouns import NUMBER_WORDS
from pbem.speech import chatter, figures
from pbem.speech.chatter import CHANGING, COMMON, ENGLISH, EVERYDAY, HARMLESS
from pbem.speech.figures import CALENDAR
from pbem.speech.small_talk import DEEDS, WEAK
from pbem.table.incoming import talk
from pbem.table.model.table import Table

FEWEST_OF_A_SENTENCE = 3
"""The fewest words of a line in which a word that all know is no slip of another."""
SHORTEST_SLIP = 2
"""The fewest letters of a word that may be a slip of one of the game's."""
SHORTEST_CUT = 2
"""The fewest letters of a name that is cut short."""
_KNOWN = HARMLESS | EVERYDAY | COMMON | CHANGING | WEAK
_NUMBERS = NUMBER_WORDS - {"one"}
_SHARES = DEEDS | {
    "all",
    "half",
    "everything",
    "rest",
    "remainder",
    "most",
    "nothing",
    "none",
    "else",
    "other",
    "others",
}
"""What is done in games, and how much of something goes there."""
_ALONE = ("i", "a")
"""Letters that are words; others are dice, squares, or what slips have left of a word."""
_RULED = r"\b(?:rulings?|rules?{})\s+(?:no\.?\s*)?[A-Z]?[0-9]+\b"
"""The number of a ruling, a rule or a phase, which all know."""


def may_tell(table: Table, text: str, *, is_trouble: bool = False) -> bool:
    """
    Say whether a line may tell what somebody orders or means to: in doubt it does.

    Shape: while powers are invented, and wherever else orders may begin with any word, each line does. Of what is
    plainly about absence or trouble the words with which orders begin tell, names and numbers.
    """
    if table.status in ("sign-up", "over"):
        return False
    if not table.verbs or chatter.limits(text):
        return True
    said = chatter.bases(text)
    if _has_number(table, text) or not _NUMBERS.isdisjoint(said):
        return True
    if any(len(word) == 1 and word.isalpha() and word not in _ALONE for word in said):
        return True
    if not is_trouble and (not _SHARES.isdisjoint(said) or not _is_understood(said)):
        return True
    is_short = len(said) < FEWEST_OF_A_SENTENCE
    game = _words(table, with_inner=not is_trouble)
    return any(_is_of(word, game, is_short=is_short) for word in said) or _has_short_name(table, said)


def _is_understood(said: Collection[str]) -> bool:
    """Say whether at least half of the words of a line are known: another language may tell anything."""
    words = [word for word in said if not word.isdigit()]
    return 2 * sum(word in _KNOWN or word in ENGLISH or word in CALENDAR for word in words) >= len(words)


def _words(table: Table, *, with_inner: bool) -> frozenset[str]:
    """Return all words by which an order is told: its own, those of names, and those of the names of powers."""
    begin = frozenset((*table.verbs, *table.ruleset.openings))
    inner = table.own_words if with_inner else frozenset()
    return (begin - COMMON) | ((inner | talk.names(table)) - ENGLISH)


def _is_of(word: str, game: Collection[str], *, is_short: bool) -> bool:
    if word in game or talk.is_near(word, game):
        return True
    may_be_slip = len(word) >= SHORTEST_SLIP and (is_short or word not in _KNOWN)
    return may_be_slip and any(OSA.distance(word, other, score_cutoff=1) == 1 for other in game)


def _has_short_name(table: Table, said: Collection[str]) -> bool:
    """Say whether a word may be the beginning of a name: `Man` of Mantisman."""
    starts = tuple(word for word in said if len(word) >= SHORTEST_CUT and word not in _KNOWN)
    return bool(starts) and any(name.startswith(starts) for name in talk.names(table))


def _has_number(table: Table, text: str) -> bool:
    """Say whether a line has a number that is neither of a day or time, nor of a ruling, a rule or a phase."""
    title = "".join(f"|{re.escape(word)}" for word in chatter.words(table.title) if word.isalpha())
    rest = re.sub(_RULED.format(title), " ", figures.without_days(text), flags=re.IGNORECASE)
    return any(letter.isdigit() for letter in rest)
