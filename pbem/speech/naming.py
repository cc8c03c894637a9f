"""By which name somebody wants to be known, said in a sentence; knows no game."""

import re
from collections.abc import Sequence

from pbem import phrases
from pbem.speech import chatter

_YES = r"(?:(?:yes|yeah|yep|sure|ok|okay|gladly|great|fine)\b[,!\s]*)?(?:please\b[,\s]*)?"
_WISHES = r"(?:'ll|'d like to|'d love to| will| shall| would like to| would love to| want to)? (?:be|play|join)"
_MINE = r"(?:(?:hero|character|fighter|program)(?:'s)? )?(?:name|hero|fighter|program)"
_SAID = re.compile(
    rf"{_YES}(?:(?:i(?:{_WISHES}|'m| am)|call me|count me in|(?:put|sign) me (?:down|up)"
    rf"|my {_MINE}(?: is| will be|'s|:)|(?:hero|name)\s*:)\s*(?:as\s+|called\s+)?|as\s+)"
    r"(?P<name>[^,;:.!?]+)(?:,?\s+please)?",
    re.IGNORECASE,
)
_PLEASE = re.compile(r"(?P<name>[^,;:.!?]+?),?\s+(?:please|pls|plz)", re.IGNORECASE)
_SENTENCE = re.compile(r"[.!?]+(?:\s+|$)")
MOST_WORDS = 4
"""How many words a name has at most that is said in a sentence."""


def called(texts: Sequence[str]) -> str:
    """
    Find the one name that a mail says; "" where it is not clear.

    Shape: each word of it has to begin with a capital; a mail that may say no, or that says two names, says none.
    """
    if any(chatter.may_change(text) for text in texts):
        return ""
    found = {name for text in texts for name in names(text)}
    return found.pop() if len(found) == 1 else ""


def names(text: str) -> list[str]:
    """Return the names that a line says, sentence by sentence."""
    sentences = [sentence for sentence in _SENTENCE.split(phrases.clean(text)) if sentence]
    found = (_SAID.fullmatch(one) or _PLEASE.fullmatch(one) for one in sentences)
    return [match["name"] for match in found if match and _is_title(match["name"])]


def _is_title(name: str) -> bool:
    words = name.split()
    return 0 < len(words) <= MOST_WORDS and all(word[:1].isupper() for word in words) and not chatter.is_harmless(name)
