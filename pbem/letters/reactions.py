"""Tells a mail that is only a reaction to a letter, such as a raised thumb; knows no game."""

import re
from collections.abc import Sequence
from email.message import Message

from pbem.letters import new_text

_KIND = "text/vnd.google.email-reaction+json"
_REACTED = re.compile(r"\breacted (?:via gmail|to your (?:message|e-?mail)|with .{1,30} to )", re.IGNORECASE)
_TAPPED = re.compile(r"\W*\w[^“”\"«»„:]{0,60}[“\"«„][^“”\"«»„]*\[[a-z0-9-]{1,32}[^\]]{0,20}\] [^“”\"«»„]*[”\"»“]\W*")
"""What telephones send for a reaction: a verb, and the letter's subject in quotation marks."""
FIRST = 12
"""How many lines are looked at for a reaction without a part of its own."""


def reaction(raw: bytes, message: Message, body: Sequence[str]) -> str:
    """
    Say how we know that a mail is a reaction and no letter, or return "".

    It has a part that says so, or one new line does and no other new line holds a letter or a digit.
    Shape: `raw` are the bytes of the message, and `body` its lines.
    """
    if _KIND.encode() in raw and any(part.get_content_type() == _KIND for part in message.walk()):
        return "a reaction to a letter"
    if not any(_REACTED.search(line) or _TAPPED.fullmatch(line) for line in body[:FIRST]):
        return ""
    new = [line.text for line in new_text.new_lines(body, ()) if any(map(str.isalnum, line.text))]
    is_reaction = len(new) == 1 and (_REACTED.search(new[0]) or _TAPPED.fullmatch(new[0]))
    return "a reaction to a letter" if is_reaction else ""
