"""Which talk is for the moderator: it names them, asks, or tells of absence or trouble; knows no game."""

import re
from collections.abc import Sequence
from typing import Literal, TypeAlias

from pbem.language import phrases

FEWEST = 3
"""The fewest words of a question that somebody may want to hear: `right?` and `ready?` want no answer."""

MODERATOR = r"(?:gm|moderator|mod|game ?master)"
HEADED = re.compile(rf"^(?:to )?(?:the )?{MODERATOR}\s*:\s*(?P<text>.*)$", re.IGNORECASE | re.DOTALL)
"""Words that say by themselves for whom they are."""
_NAMED = re.compile(rf"\b{MODERATOR}\b", re.IGNORECASE)
_PRIVATE = re.compile(
    r"^\W*private(?:ly)?\b|\bprivate(?:ly)?(?:,? (?:please|pls|thanks|thank you))?\W*$", re.IGNORECASE
)
_ALONE = re.compile(r"\W*(?:keep (?:it|this) )?private(?:ly)?(?:,? (?:please|pls|thanks|thank you))?\W*", re.IGNORECASE)
"""A line that keeps back all that stands in one paragraph with it."""
_ASKS = re.compile(r"\?[\s!?.)\]\"'\u2019\u201d]*$|\?\s")
_TROUBLE = re.compile(
    r"\b(?:on (?:vacation|holidays?|leave|a trip|honeymoon|the road)|away (?:from|for|until|till|next|this|on|over|all)"
    r"|away [0-9]+|out of (?:town|office|the country)|travell?ing|in (?:the )?hospital|hospitali[sz]ed|surgery|funeral"
    r"|passed away|was born|baby|newborn|gave birth|wedding|got married|broke my|sick|ill|the flu|covid|an? accident"
    r"|no (?:internet|connection|wifi|access|time)|offline|without internet|lost (?:internet|power|my password)"
    r"|(?:can(?:'|\u2019)?t|cannot|can not|won(?:'|\u2019)?t|will not|unable to|not able to|couldn(?:'|\u2019)?t)"
    r" (?:be able to )?(?:play|send|write|make it|answer|move|join|continue|go on|log)"
    r"|take over|takes over|stand in|stands in|step in|fill in for|substitute|replace(?:ment)? (?:me|for)|my place"
    r"|drop(?:ping)? out|quit(?:ting)? the game|leave the game|leaving the game|have to (?:leave|quit|stop)"
    r"|more time|extension|extend the|need (?:a|another) (?:day|few days|week)|back (?:on|in|after) "
    r"|im urlaub|krank|verreist|im krankenhaus|keine zeit|en vacances|malade|absent|absente|de vacaciones|enferm[oa]"
    r"|in vacanza|malat[oa]|op vakantie|ziek|de f\u00e9rias|doente)\b",
    re.IGNORECASE,
)

Wish: TypeAlias = Literal["replacement", "mailbox", "guest", "pause", "time", "absence"]

_WISHES: dict[Wish, re.Pattern[str]] = {
    "replacement": re.compile(
        r"\b(?:tak(?:e|es|ing) over|tak(?:e|es|ing) (?:it|this|that|my (?:seat|place|game|part)) (?:over|from)"
        r"|st(?:and|ands|anding) in|st(?:ep|eps|epping) (?:in|down|out)|fill(?:ing)? in for|substitut\w*"
        r"|replac(?:e|ing) me|replacement|(?:my|in) (?:my )?place"
        r"|hand(?:ing)? (?:it |this |my (?:seat|game) )?over|drop(?:ping)? out|have to (?:leave|quit|stop)"
        r"|(?:quit|leav(?:e|ing)|resign(?:ing)?(?: from)?) (?:the|this) game"
        r"|(?:can(?:no|['\u2019])?t|can not|won['\u2019]t|will not)"
        r" (?:go on|continue|play (?:on|any ?more|any longer)))\b",
        re.IGNORECASE,
    ),
    "mailbox": re.compile(
        r"\b(?:(?:new|other|another|different|old|chang\w+) (?:e-?mail |mail )?(?:address|mailbox|account)"
        r"|address (?:is|has) (?:now|chang\w+)"
        r"|(?:e-?mail|mailbox|account) (?:is|was|has been) (?:closed|dead|full|hacked))\b",
        re.IGNORECASE,
    ),
    "guest": re.compile(
        r"\b(?:invit(?:e|ing|ation)|wants? to (?:join|play)|would like to (?:join|play)|would love to (?:join|play)"
        r"|(?:can|could|may) (?:my |a )?[\w-]+(?: [\w-]+)? (?:join|play))\b",
        re.IGNORECASE,
    ),
    "pause": re.compile(
        r"\b(?:paus(?:e|ing)|stop the clock|holiday break|break over|over (?:christmas|easter))\b", re.IGNORECASE
    ),
    "time": re.compile(
        r"\b(?:deadline|more time|longer|later|extension|extend|postpone|need (?:a|another) (?:day|few days|week)"
        r"|until|till|wait for me)\b",
        re.IGNORECASE,
    ),
    "absence": _TROUBLE,
}


def wishes(text: str) -> frozenset[Wish]:
    """Return what somebody who says this may want to be granted; words about something else may have one too."""
    return frozenset(wish for wish, pattern in _WISHES.items() if pattern.search(text))


def is_private(text: str) -> bool:
    """Say whether a line keeps itself back, by the word private at its head or its end."""
    return _PRIVATE.search(phrases.clean(text)) is not None


def is_all_private(text: str) -> bool:
    """Say whether a line keeps back all that stands with it."""
    return _ALONE.fullmatch(phrases.clean(text)) is not None


def is_for_moderator(text: str) -> bool:
    """Say whether a line is plainly for the moderator to read, whatever else it is."""
    said = phrases.clean(text)
    return bool(asks(text) or _NAMED.search(said) or _TROUBLE.search(said))


def asks(text: str) -> bool:
    """Say whether a line asks something that somebody may want to hear."""
    said = phrases.clean(text)
    return _ASKS.search(said) is not None and len(said.split()) >= FEWEST


def passages(paragraphs: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the paragraphs of talk with a line for the moderator, without the lines that are kept back."""
    return unhidden(
        [lines for lines in paragraphs if any(is_for_moderator(one) and not is_private(one) for one in lines)]
    )


def unhidden(paragraphs: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return paragraphs of talk without the lines that are kept back."""
    paragraphs = [lines for lines in paragraphs if not any(map(is_all_private, lines))]
    texts = ("\n".join(line for line in lines if not is_private(line)).strip() for lines in paragraphs)
    return tuple(filter(None, texts))
