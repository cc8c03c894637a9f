"""Which talk is for the moderator: it names them, asks, or tells of absence or trouble; knows no game."""

import re
from collections.abc import Sequence

from pbem import phrases

FEWEST = 3
"""The fewest words of a question that somebody may want to hear: `right?` and `ready?` want no answer."""

_NAMED = re.compile(r"\b(?:gm|moderator|game ?master|mod)\b", re.IGNORECASE)
_PRIVATE = re.compile(r"^\W*private\b|\bprivate\W*$", re.IGNORECASE)
_ASKS = re.compile(r"\?[\s!?.)\]\"'\u2019\u201d]*$|\?\s")
_TROUBLE = re.compile(
    r"\b(?:on (?:vacation|holidays?|leave|a trip|honeymoon|the road)|away (?:from|for|until|till|next|this|on|over|all)"
    r"|out of (?:town|office|the country)|travell?ing|in (?:the )?hospital|hospitali[sz]ed|surgery|funeral|passed away"
    r"|was born|baby|newborn|gave birth|wedding|got married|broke my|sick|ill|the flu|covid|an? accident"
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


def is_private(text: str) -> bool:
    """Say whether a line keeps itself back, by the word private at its head or its end."""
    return _PRIVATE.search(phrases.clean(text)) is not None


def is_for_moderator(text: str) -> bool:
    """Say whether a line is plainly for the moderator to read, whatever else it is."""
    said = phrases.clean(text)
    asks = _ASKS.search(said) is not None and len(said.split()) >= FEWEST
    return bool(asks or _NAMED.search(said) or _TROUBLE.search(said))


def passages(paragraphs: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the paragraphs of talk with a line for the moderator, without the lines that are kept back."""
    return unhidden(
        [lines for lines in paragraphs if any(is_for_moderator(one) and not is_private(one) for one in lines)]
    )


def unhidden(paragraphs: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return paragraphs of talk without the lines that are kept back."""
    texts = ("\n".join(line for line in lines if not is_private(line)).strip() for lines in paragraphs)
    return tuple(filter(None, texts))
