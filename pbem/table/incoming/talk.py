"""Talk: which lines are of no game, which say nothing of the orders beside them, and who is named in them."""

import re
from collections.abc import Collection

from pbem.ground.terms import Seat
from pbem.language import phrases
from pbem.language.beside import says_more
from pbem.language.likeness import is_like_any
from pbem.speech import chatter, small_talk
from pbem.speech.chatter import COMMON, ENGLISH, EVERYDAY, HARMLESS
from pbem.table import requests
from pbem.table.model.table import Table
from pbem.table.requests.keep_back import KeepBack
from pbem.table.requests.readiness import Yes

NEAR = 0.8
"""How like a word that orders begin with another has to be to be taken for a slip of the fingers."""
LONGEST_WORD = 24
"""The most characters of a word that may be a slip of the fingers for one that orders begin with."""
ASKING = frozenset(word for kind in requests.KINDS if kind not in (Yes, KeepBack) for word in (kind.word(), *kind.also))
"""The words with which requests begin; what is no request after all is meant as one."""


_KNOWN = ENGLISH | EVERYDAY | HARMLESS | chatter.CHANGING
AGAIN = "Send it again with all that it depends on in one line, or alone."


def goes_on(text: str, below: str) -> bool:
    """Say whether a sentence goes on below: as people and their programs wrap letters."""
    return not text.rstrip().endswith((".", "!", "?", ":", ";")) and below[:1].islower()


def may_be_order(table: Table, text: str) -> bool:
    """Say whether an unread line may be meant as an order: it has a number, a name or a word of the game."""
    if not table.verbs:  # then any line may be one
        return True
    return any(letter.isdigit() for letter in text) or not is_of_no_game(table, text)


def begins_order(table: Table, text: str) -> bool:
    """Say whether a line begins with a word that orders begin with, or nearly so, where the ruleset says which."""
    words = table.verbs if table.status == "open" else ()
    return bool(words) and begins(text, words)


def begins(text: str, words: Collection[str]) -> bool:
    """Say whether a line begins with a word that orders begin with, or nearly so, whatever number stands before it."""
    first = next((word for word in chatter.words(text) if not word.isdigit()), "")
    if first in words:
        return True
    return is_near(first, words)


def is_clear(table: Table, text: str) -> bool:
    """Say whether talk is no order and changes none: harmless words alone, or a sentence about other things."""
    return is_harmless(table, text) or (is_of_no_game(table, text) and small_talk.is_small_talk(text))


def is_clear_beside(table: Table, text: str) -> bool:
    """Say likewise of a line in one paragraph with orders, where half a sentence can be one: `head for the door`."""
    return is_harmless(table, text) or (small_talk.is_sentence(text) and is_clear(table, text))


def is_idle(table: Table, seat: Seat, text: str) -> bool:
    """Say whether talk has harmless words alone, or only says that orders stand beside it."""
    if table.state is None:
        return chatter.is_harmless(text, names(table))
    return is_harmless(table, text) or is_heading(table, seat, text) or is_noun(table, text)


def is_of_no_game(table: Table, text: str) -> bool:
    """Say whether a line has no name or word of the game, nor one that is nearly so."""
    said = set(chatter.words(text))
    return not said & (names(table) - ENGLISH | _inner_words(table)) and not _has_order_word(table, said)


def is_harmless(table: Table, text: str) -> bool:
    """Say whether talk has no word that orders use, and harmless ones alone."""
    said = set(chatter.words(text))
    if is_to_another(table, text):
        return False
    named = names(table)
    is_of_words = not said & _inner_words(table) and chatter.is_harmless(text, named)
    return is_of_words and (not said & named or len(said - named) > 0)


_ADDRESS = re.compile(r"(?:hi|hello|hey|dear)\s+(?P<whom>[^,:.!]+)", re.IGNORECASE)


def is_to_another(table: Table, text: str) -> bool:
    """Say whether a mail begins as one to another player alone, who may have been meant to get it: `Dear Bo,`."""
    address = _ADDRESS.match(phrases.clean(text))
    if not address:
        return False
    whom = set(chatter.words(address["whom"]))
    return any(whom <= set(chatter.words(label)) for label in table.labels().values())


def _inner_words(table: Table) -> frozenset[str]:
    """Return the words that orders use besides those that begin them; a chosen name hides no plain word."""
    return table.own_words - ENGLISH - names(table)


def is_heading(table: Table, seat: Seat, text: str) -> bool:
    """Say whether a line above orders only says so: with no name but the writer's, and no number but the phase's."""
    name = table.label(seat)
    called = chatter.words(f"{name} {name}'s {table.title} {table.own_title(table.title)} {table.charter.game}")
    mine = frozenset((*called, *small_talk.ordinals(called)))
    said = chatter.without_opening(text)
    if said and is_harmless(table, said):
        return not says_more(chatter.words(said))
    others = names(table) - mine
    return not others & set(chatter.words(text)) and small_talk.is_heading(text, mine)


def is_noun(table: Table, text: str) -> bool:
    """Say whether a line is a single word for what stands below it: `Attacks`."""
    said = chatter.words(text)
    nouns = {*table.verbs, *_inner_words(table), *chatter.HEADING}
    return len(said) == 1 and (said[0] in nouns or said[0].removesuffix("s") in nouns) and not chatter.may_change(text)


def names(table: Table) -> frozenset[str]:
    """Return the words of the names of all seats, also as they own things."""
    named = {word for label in table.labels().values() for word in chatter.words(label) if not word.isdigit()}
    return frozenset(named | {f"{word}'s" for word in named} | {f"{word}s" for word in named if len(word) > 1})


def _has_order_word(table: Table, said: Collection[str]) -> bool:
    """Say whether a word is one that orders or requests begin with, or nearly so."""
    words = {*table.verbs, *ASKING} - COMMON
    return any(word in words or is_near(word, words) for word in said)


def is_near(word: str, words: Collection[str]) -> bool:
    """Say whether a word that not everybody knows is so like one of some others that it may be a slip for it."""
    return 3 < len(word) <= LONGEST_WORD and word not in _KNOWN and is_like_any(word, words, NEAR)
