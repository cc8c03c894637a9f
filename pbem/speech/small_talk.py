"""Which sentences and headings say nothing of the lines beside them, whatever words they are made of; knows no game."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from pbem.language import phrases
from pbem.language.beside import says_more
from pbem.language.words import TALK
from pbem.speech import chatter
from pbem.speech.chatter import COMMON, ENGLISH, EVERYDAY, HARMLESS, HEADING, bases, without_idioms, words

FEWEST = 3
"""The fewest words of a sentence; what is shorter may be part of an order, as in `hypothetically` or `half speed`."""
FEWEST_OF_A_LINE = 6
"""The fewest words of a line without a mark at its end; what is shorter may be a name."""
FEWEST_WITH_WEAK = 5
"""The fewest words of a sentence in which a weak word may stand, as in `see you when I am back from Rome`."""
ENGLISH_SHARE = 3
"""One of so many words of an English line is one of the plainest."""
MOST_UNKNOWN, MOST_UNKNOWN_ELSEWHERE, MOST_BESIDE_PRONOUNS = 2 / 3, 1 / 3, 1 / 5
"""
The largest share of words that nobody knows: in English, in other languages, and where a pronoun stands.

Of more none can say what is talked about. With these, three in a hundred lines that do change orders passed, of a list
that nobody had seen; most of what they hold is among the words that change since.
"""
MOST_OTHERS = 3
"""The most words of a heading that nobody knows."""
FEWEST_BESIDE_ONE = 4
"""The fewest words of a heading without a mark, one of which may be no word of headings: `Gwen - my orders follow`."""

WEAK = TALK.single("WEAK")
"""Words that change another line only where they stand with little else, or with a word that refers to it."""

PRONOUNS = TALK.single("PRONOUN")
"""Words that may refer to an order, and in a longer sentence of its own refer to something that it speaks of."""

REFERRING = PRONOUNS | TALK.single("WEIGHING")
"""Words with which a sentence can speak of the orders beside it, count them, or weigh them."""

DEEDS = frozenset(
    form for deed in TALK.single("DEED") for form in (deed, f"{deed}s", f"{deed}ing", f"{deed.removesuffix('e')}ing")
)
"""What one can do in a game: a line with such a word may be an order that its ruleset does not know."""
_DETERMINERS = frozenset(
    ["my", "your", "his", "her", "our", "their", "its", "a", "an", "the", "this", "that", "no", "some"]
)
"""Behind these such a word is the name of a thing: `my head hurts`."""
_ORDINALS = {
    "1": "one first eins erste ersten premier première primera primer primo prima eerste primeira pierwsza pierwszą první первый",
    "2": "two second zwei zweite zweiten deux deuxième segunda segundo secondo seconda tweede drugą druga druhé второй",
    "3": "three third drei dritte dritten trois troisième tercera tercer terzo terza derde terceira trzecia trzecią третий",
    "4": "four fourth vier vierte vierten quatre quatrième cuarta cuarto quarto quarta vierde czwarta czwartą четвертый",
    "5": "five fifth fünf fünfte fünften cinq cinquième quinta quinto vijfde piąta piątą пятый",
}
_SPEAKS_ALONE = frozenset(["i", "a", "y", "e", "o", "u", "à", "é"])
_OPENS = (":", "\uff1a")
_GOES_ON = (*_OPENS, ",", ";", "/")
_KNOWN = HARMLESS | EVERYDAY | COMMON
_ENGLISH_HEADING = TALK.single("ENGLISH_HEADING")
_TELLING = (EVERYDAY | ENGLISH) - HARMLESS - COMMON
"""Words of English with which a heading says more than that orders stand below it: `my old list`, `what I expect`."""


def is_whole(text: str) -> bool:
    """Say whether a line has a mark at its end, or more words than a name."""
    return text.rstrip().endswith((".", "!", "?", ",")) or len(text.split()) >= FEWEST_OF_A_LINE


def is_sentence(text: str) -> bool:
    """Say whether a line is written as a sentence is, from a capital to a mark, or begins with a word that all know."""
    is_marked = text[:1].isupper() and text.rstrip(" )").endswith((".", "!", "?", "\u2026"))
    return is_marked or next(iter(bases(text)), "") in _KNOWN


def is_small_talk(text: str) -> bool:
    """
    Say whether a whole line says nothing of the lines beside it: harmless words alone, or a sentence of other things.

    Shape: names and words of the game are not known here; a line that holds one is for others to judge. A comma at
    the end is one of a greeting or a closing.
    """
    text = text.rstrip().removesuffix(",")
    said = bases(without_idioms(text))
    if text.endswith(_GOES_ON) or _changes(text) or _has_deed(said) or any(word.isdigit() for word in said):
        return False
    unknown = [word for word in said if word not in _KNOWN and word not in WEAK]
    is_long = len(words(text)) >= FEWEST_WITH_WEAK
    refers = REFERRING.intersection(said)
    if (refers and not (is_long and refers <= PRONOUNS)) or (WEAK.intersection(said) and not is_long):
        return False
    most = MOST_BESIDE_PRONOUNS if refers else MOST_UNKNOWN if _is_english(said) else MOST_UNKNOWN_ELSEWHERE
    return not unknown or (len(words(text)) >= FEWEST and len(unknown) <= len(said) * most)


def _is_english(said: Sequence[str]) -> bool:
    return sum(word in HARMLESS or word in ENGLISH for word in said) * ENGLISH_SHARE >= len(said)


def is_signature(text: str) -> bool:
    """Say whether the last line of a mail can be the name of its writer: one to three words with capitals, no mark."""
    name = phrases.clean(text).lstrip("-~/ \u2013\u2014")
    said = words(name)
    is_named = re.fullmatch(r"[^\W\d_][\w'\u2019-]*\.?(?: [^\W\d_][\w'\u2019-]*\.?){0,2}", name) is not None
    is_plain = is_named and not name.endswith(".") and all(word[0].isupper() for word in name.split())
    return is_plain and not _changes(text) and not (WEAK | REFERRING).intersection(said)


def ordinals(said: Iterable[str]) -> Iterator[str]:
    """Yield the numbers among words as they are written out: `second` and its like for `2`."""
    return (word for number in said if number in _ORDINALS for word in _ORDINALS[number].split())


def is_heading(text: str, mine: frozenset[str]) -> bool:
    """
    Say whether a line only says that orders stand below it, in whatever words.

    Shape: `mine` are words that it may have besides: the writer's own names, what the phase is called.
    """
    said = words(without_idioms(text))
    others = [word for word in said if word not in HEADING and word not in mine]
    if _changes(text) or _has_deed(others) or WEAK.intersection(others) or any(word.isdigit() for word in others):
        return False
    if any(len(word) == 1 and word.isascii() and word not in _SPEAKS_ALONE for word in others):
        return False
    unknown = [word for word in others if word not in _KNOWN]
    heads = [word for word in said if word in HEADING]
    is_english = all(word in _ENGLISH_HEADING for word in heads) and (bool(heads) or text.rstrip().endswith(_OPENS))
    if any(word in _TELLING for word in others) or (is_english and unknown) or says_more(said):
        return False
    is_marked = phrases.clean(text).endswith(_OPENS) or not mine.isdisjoint(said)
    if len(others) == len(said) or REFERRING & set(others):
        return False
    if not is_marked:
        return len(others) <= len(said) // FEWEST_BESIDE_ONE
    return len(unknown) <= min(MOST_OTHERS, len(said) - 1)


def _has_deed(said: Sequence[str]) -> bool:
    """Say whether a word may be what somebody is to do."""
    return any(word in DEEDS and before not in _DETERMINERS for before, word in pairwise(("", *said)))


def _changes(text: str) -> bool:
    """Say whether a line has a word that changes another one wherever it stands."""
    return chatter.may_change(text, but=WEAK)
