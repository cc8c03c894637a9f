"""What is said of a line that cannot be read: the nearest form, and all forms, which one letter lists but once."""

import re
from collections.abc import Callable
from difflib import get_close_matches

import msgspec

from pbem.ruleset import Parsed, Refused
from pbem.rulesets.discs.model.order import Order
from pbem.rulesets.discs.orders import conditions, places
from pbem.rulesets.discs.orders.acts import VERBS

FORMS = (
    "throw at NAME; throw 135; throw at NAME off north; attack NAME; move to PLACE; move NE 3; hold; hold to 1; pass; "
    "stand; card 1: LINE; if TEST: LINE; on disc: block, dodge; on attack: dodge; on my disc: card, dive; recall: never"
)
FOR_ALL_NUMBERS = '; or add a line that says "in this order" or "by card", for all numbers'
_LISTS = (f" Lines are: {FORMS}.", f" Places are {places.KNOWN}.", f" Known: {conditions.KNOWN}.", FOR_ALL_NUMBERS)
"""What follows the first complaint of its kind in a letter, and no later one."""
_NEAREST = {
    r"\bdodge\b.*\battack|\battack.*\bdodge\b": '"on attack: dodge"',
    r"\b(?:catch|dive|my dis[ck])\b": '"on my disc: card, dive"',
    r"\b(?:block|dodge)\b": '"on disc: block, dodge"',
}
"""Lines that are meant, by words that are in no other."""


def unreadable(text: str, reads: Callable[[str], bool]) -> Refused:
    """Refuse a line of no known form, with the nearest one where there is one. Rule: M2."""
    word, _, rest = text.partition(" ")
    verbs = [verb for verb in VERBS.split("|") if " " not in verb and verb != "wait"]
    for verb in get_close_matches(word.lower(), verbs):
        meant = f"{verb} {rest}".strip()
        if reads(meant):
            return Refused("unreadable", f'I cannot read this. Did you mean "{meant}"?', "M2")
    for pattern, line in _NEAREST.items():
        if re.search(pattern, text, re.IGNORECASE):
            because = f"I cannot read this. What to do when it comes to it stands in a line such as {line}."
            return Refused("unreadable", because, "M8")
    return Refused("unreadable", f"I cannot read this.{_LISTS[0]}", "M2")


def listed_once(parsed: Parsed[Order]) -> Parsed[Order]:
    """Leave each list out of all complaints but the first that has it."""
    complaints = []
    known: set[str] = set()
    for one in parsed.complaints:
        because = one.because
        for listed in _LISTS:
            if listed in because:
                because = because.replace(listed, "") if listed in known else because
                known.add(listed)
        complaints.append(msgspec.structs.replace(one, because=because))
    return msgspec.structs.replace(parsed, complaints=tuple(complaints))
