"""Tells a mail that only a program wrote for somebody: a reaction to a letter, or the recall of a mail of theirs."""

import re
from collections.abc import Sequence
from email.message import Message

from pbem.letters import new_text
from pbem.speech import courtesies

_KIND = "text/vnd.google.email-reaction+json"
_REACTED = re.compile(r"\breacted (?:via gmail|to your (?:message|e-?mail)|with .{1,30} to )", re.IGNORECASE)
_TAPPED = re.compile(r"\W*\w[^“”\"«»„:]{0,60}[“\"«„][^“”\"«»„]*\[[a-z0-9-]{1,32}[^\]]{0,20}\] [^“”\"«»„]*[”\"»“]\W*")
"""What telephones send for a reaction: a verb, and the letter's subject in quotation marks."""
RECALLED = (
    "Your mail program asks to have a mail of yours back. That does nothing here: what you sent stands. To take back "
    "what you ordered reply with the one word cancel, or send what you mean instead."
)
_ANSWER = re.compile(r"[^\[\]:]{1,40}:\s*(?P<mail>[^\[\]\s][^\[\]]*\[[a-z0-9-]{1,32}[^\]]{0,20}\].*)")
"""The subject of a recall: a word, and the subject of the mail that is recalled, which answered a letter of ours."""
_SENTENCE = re.compile(r"[^“”\"«»„:]{1,80}[“\"«„]\s?(?P<mail>[^“”«»„]+?)\s?[”\"»“][^“”\"«»„:\n0-9]{0,40}")
MOST_LINES = 4
"""Over how many lines such a sentence may be wrapped."""
_MINE = re.compile(r"\b(?:i|me|my|please)\b", re.IGNORECASE)
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
    is_reaction = len(new) == 1 and (_REACTED.search(new[0]) or _is_tapped(new[0]))
    return "a reaction to a letter" if is_reaction else ""


def _is_tapped(line: str) -> bool:
    """Say whether a line is what a telephone writes; a person's speaks of themselves, or has a word that asks of us."""
    said = re.split('[“"«„]', line)[0] if _TAPPED.fullmatch(line) else ""
    return bool(said) and not courtesies.has_command(said) and not _MINE.search(said)


def is_recall(subject: str, body: Sequence[str]) -> bool:
    """
    Say whether a mail is Outlook's request to have a mail back which its writer sent us.

    In any language it is one sentence that quotes the subject of that mail, as its own subject does behind a word.
    """
    match = _ANSWER.fullmatch(subject.strip())
    if not match:
        return False
    new = [line.text for line in new_text.new_lines(body[:FIRST], ()) if any(map(str.isalnum, line.text))]
    said = _SENTENCE.fullmatch("\n".join(new).strip()) if 0 < len(new) <= MOST_LINES else None
    return said is not None and said["mail"].split() == match["mail"].split()
