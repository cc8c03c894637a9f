"""What a reply to an offer says, a yes or a no, and whether it can be from whoever was asked."""

import re

from pbem.hall.mail.incoming.arrival import authority
from pbem.hall.mail.incoming.arrival.arrival import Arrival
from pbem.language import phrases
from pbem.letters import addressing

_GLADLY = r"please|thanks|thank you|gladly|i do|i will|(?:i|i'll|i will) take (?:it|the seat)"
_SORRY = r"please|thanks|thank you|sorry|i am sorry|not (?:me|this time)|i can(?:no|['\u2019])?t"
_CANNOT = r"i can(?:no|['\u2019])?t|i (?:must|have to) (?:decline|say no)|i['\u2019]?d rather not|not this time"
_NO = re.compile(
    rf"(?:no|nope|no way|decline|i decline|{_CANNOT}|sorry[ ,.!]+(?:no|{_CANNOT}))(?:[ ,.!]+(?:{_SORRY}))*"
)
_AGREES = re.compile(r"\b(?:yes|yeah|sure|ok|okay|confirm|gladly|but)\b")
"""What in the rest of a mail makes its no unclear."""
_YES = re.compile(rf"(?:yes|confirm|ok|okay|sure)(?:[ ,.!]+(?:{_GLADLY}))*")


def may_be_theirs(mail: Arrival) -> bool:
    """Say whether a mail is addressed to us, and our mail server did not find that it is another's."""
    here = mail.arena.settings.arena
    is_named = any(addressing.is_ours(one, here.address) for one in mail.parcel.letter.named)
    return is_named and authority.verdict(mail.arena, mail.parcel) != "fail"


def agrees(mail: Arrival) -> bool:
    """Say whether a mail begins with a plain yes."""
    return _YES.fullmatch(next(iter(_texts(mail)), "")) is not None


def declines(mail: Arrival) -> bool:
    """Say whether a mail begins with a plain no, as its first sentence, and nothing behind that may be a yes."""
    first, *others = _texts(mail) or ("",)
    sentence, *more = re.split(r"[.!;:]\s+|\s+-+\s+|,\s+(?=(?:i|too|my|we)\b)", first, maxsplit=1)
    is_no = any(_NO.fullmatch(text.rstrip(" ,.!")) for text in (first, sentence))
    return is_no and not any(map(_AGREES.search, (*more, *others)))


def _texts(mail: Arrival) -> list[str]:
    texts = (phrases.clean(line.text).lower().strip(" .!") for line in mail.new_lines)
    return [text for text in texts if text]
