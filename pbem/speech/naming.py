"""By which name somebody wants to be known, said in a sentence; knows no game."""

import re
from collections.abc import Sequence
from itertools import pairwise

from pbem.language import phrases
from pbem.speech import chatter
from pbem.speech.courtesies import courtesy
from pbem.speech.typed import asked

_YES = r"(?:(?:yes|yeah|yep|sure|ok|okay|gladly|great|fine)\b[,!\s]*)?(?:please\b[,\s]*)?"
_WISHES = (
    r"(?:'ll|'d like to| will| shall| would like to|'d love to| would love to| want to)?"
    r" (?:be(?: called)?|play|join|go (?:by|as|with)|take|choose|pick)"
)
_MINE = r"(?:(?:hero|character|fighter|program)(?:'s)? )?(?:name|hero|fighter|program|character)"
_SAID = re.compile(
    rf"{_YES}(?:(?:i(?:{_WISHES}|'m(?: in)?| am)|call me|make me|let me be|count me in|(?:put|sign) me (?:down|up)"
    rf"|my {_MINE}(?: is(?: called)?| will be|'s|:)|(?:hero|name)(?:\s*:|'s| is)"
    r"|ich (?:bin|hei\u00dfe)|je suis|soy|ik ben)\s*(?:as\s+|called\s+)?|as\s+)"
    r"(?P<name>[^,;:.!?]+?)(?:,?\s+please)?",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"(?P<name>[^,;:.!?]+?)(?:,?\s+(?:please|pls|plz)|\s+(?:it is|for me|here|reporting for duty|is in|joins))",
    re.IGNORECASE,
)
_COMES = re.compile(
    r"i(?:'m| am) in|count me in|sign me up|i(?:'ll| will| want to|'d love to|'d like to)? (?:join|play)(?: you| in)?"
    r"|yes|sure|ok|okay|yeah|yep|gladly",
    re.IGNORECASE,
)
"""What says that somebody comes, behind which a name alone is by what they come."""
_SENTENCE = re.compile(r"[.!?]+(?:\s+|$)|\s+-+\s+|(?<=\bin):\s+")
_NO_NAMES_SAID = """
unsubscribe stop decline declined accepted tentative cancelled canceled delivered undeliverable read received out office
vacation holiday busy later tomorrow pass nope never sorry join test automatic auto reply absence notification delivery
failure error mailbox full meeting invitation confirmed verify confirmation sent from spam wonderful cool perfect
terrific fabulous splendid interesting definitely certainly indeed agreed deal done noted understood roger affirmative
negative ditto present ready congratulations absolutely super
"""
_NO_NAMES = frozenset(_NO_NAMES_SAID.split())
"""Words that a mail may say alone, and that call nobody."""
MOST_WORDS = 4
"""How many words a name has at most that is said in a sentence."""


def called(texts: Sequence[str], own: str = "") -> str:
    """
    Find the one name that a mail says; "" where it is not clear.

    Shape: each word of it has to begin with a capital; a mail that may say no, or that says two names, says none. What
    is all that a mail says is a name, but for the writer's `own`.
    """
    if any(chatter.may_change(text) for text in texts):
        return ""
    found = {name for text in texts for name in names(text)}
    said = [text for text in map(phrases.clean, texts) if text and not courtesy(text, own)]
    alone = said[0].strip(" .!*_\"'") if len(said) == 1 else ""
    if not found and _is_alone(alone):
        return alone
    return found.pop() if len(found) == 1 else ""


def without_kind_words(said: str) -> str:
    """Return a name without the kind words behind it: `Mantisman please`; in quotation marks all is the name."""
    if _is_in_quotes(said):
        return said
    name, kind = _parted(said)
    if kind and (kind.startswith(",") or kind == kind.lower()):
        return name
    head, comma, tail = said.rpartition(",")
    return head.rstrip() if comma and courtesy(tail) and head.strip() else said


def doubt(said: str) -> str:
    """Return how a name ends that may end in kind words instead, or ""; in quotation marks it does not."""
    if _is_in_quotes(said):
        return ""
    words = said.split()
    tails = (" ".join(words[place:]) for place in range(1, len(words)))
    return _parted(said)[1].strip() or next((tail for tail in tails if tail == tail.lower() and courtesy(tail)), "")


def is_meant(said: str) -> bool:
    """Say whether a name is in quotation marks, and ends as kind words do."""
    return _is_in_quotes(said) and bool(doubt(said[1:-1].strip()))


def _parted(said: str) -> tuple[str, str]:
    """Part a name from what asks for it kindly behind it; a name is never all of that."""
    name = asked(f"{_ANY}{said}").removeprefix(_ANY)
    return name, said[len(name) :]


_ANY = "x"
"""What stands before a name so that nothing at its head is taken for kind words."""


def _is_in_quotes(said: str) -> bool:
    return len(said) > 2 and said[0] == said[-1] == '"'


def names(text: str) -> list[str]:
    """Return the names that a line says, sentence by sentence."""
    sentences = [sentence for sentence in _SENTENCE.split(phrases.clean(text)) if sentence]
    found = [match["name"] for one in sentences if (match := _SAID.fullmatch(one) or _BEHIND.fullmatch(one))]
    found += [last for first, last in pairwise(sentences) if _COMES.fullmatch(first) and _is_alone(last)]
    return [name for name in found if _is_title(name)]


def _is_alone(name: str) -> bool:
    """Say whether a name may stand without any other word."""
    return not _NO_NAMES & set(chatter.words(name)) and not courtesy(name) and _is_title(name)


def _is_title(name: str) -> bool:
    words = name.split()
    is_capital = 0 < len(words) <= MOST_WORDS and all(word[:1].isupper() for word in words)
    return is_capital and not chatter.is_harmless(name) and not re.search(r"[^\w '.-]", name)
