"""The moderator's lines, read into rulings against the table as it stands; knows no mail."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from pbem import phrases
from pbem.phrases import Unread
from pbem.table.rulings import Do, Plain, Ruling
from pbem.table.spoken import course, cutting, facts, sets
from pbem.table.spoken.cutting import Cut, in_block
from pbem.table.spoken.facts import Reading, about
from pbem.table.table import Table
from pbem.terms import Complaint, OrderLine

__all__ = ["Cut", "about", "cut", "in_block", "is_like_ruling", "read", "request", "verb"]

VERBS = (
    "approve", "hold", "status", "overrule", "do", "set", "strike", "order", "excuse", "extend", "deadline",
    "pause", "resume", "close now", "begin", "invite again", "note", "undo", "test", "help",
)  # fmt: skip
REQUESTS = ("status", "help", "test")

_ALONE = re.compile(
    r"^(?:approve(?: [0-9]+)?|hold|status|pause|resume|close now|begin|invite again|undo(?: [0-9]+)?|test|help)"
    r"[\s.!?]*$",
    re.IGNORECASE,
)
_OPENS = re.compile(
    r"^(?:(?:overrule|do|set|strike|order|excuse|extend|deadline|note)\b"
    r"|(?:approve(?: [0-9]+)?|hold|pause|resume|close now|begin|invite again|undo(?: [0-9]+)?) because\b)",
    re.IGNORECASE,
)
_BECAUSE = re.compile(r"(?<![\w-])because(?![\w-])", re.IGNORECASE)
_MARKED = re.compile(r"=|(?<![\w-])because(?![\w-])|\b[pv][0-9]{1,3}\b", re.IGNORECASE)
"""What stands in rulings and hardly in chat: a sign, a reason, the key of a verdict or of a power."""
_BEGINS = re.compile(r"(?:[\W_]|[0-9]{1,2}[.)])*([^\W\d_]+)(?:[\W_]+([^\W\d_]+))?")
"""The first two words of a line, behind the marks of a list: phones put a blank into a word."""


def cut(table: Table, said: Sequence[OrderLine]) -> tuple[Cut, ...]:
    """Cut a moderator's new lines into those that are read one by one."""
    return cutting.cut(said, lambda text: _stands_alone(table, text), table.ruleset.parts)


def _stands_alone(table: Table, text: str) -> bool:
    """Say whether a line can be a ruling or a request by itself, so that it goes on from none above it."""
    return bool(_ALONE.match(text) or _OPENS.match(text) or request(table, text)) or _whole(table, text)


def _whole(table: Table, text: str) -> bool:
    """Say whether a line is a ruling by itself, taken or not, reason and all, though it begins with no verb of ours."""
    if table.status not in ("open", "closed") or not _BECAUSE.search(text):
        return False
    found = read(table, OrderLine(1, text))
    return not isinstance(found, Complaint) or found.fault != "unreadable"


def is_like_ruling(table: Table, text: str) -> bool:
    """
    Say whether a line that cannot be read was meant as a ruling, as far as one can tell; all else is chat.

    It begins with a verb of ours or one slip of the fingers from it, or holds what rulings hold. A slip in the short
    ones, do and set, is as often another word, so that the line has to name a number or a player besides; one in a
    request, which rules nothing, counts where the word is all that the line holds.
    """
    match = _BEGINS.match(text)
    words = [word.casefold() for word in match.groups() if word] if match else []
    slips = [verb for verb in VERBS if _slip(words, verb) <= 1]
    if _MARKED.search(text) or any(_slip(words, verb) == 0 for verb in slips):
        return True
    if any(len(verb) > 3 and (verb not in REQUESTS or not words[1:]) for verb in slips):
        return True
    return bool(slips) and (bool(re.search("[0-9]", text)) or _names_somebody(table, text))


def _slip(words: Sequence[str], verb: str) -> int:
    """
    Count the slips between a verb and as many words as it has.

    A line of its first word alone is meant as it, and so is a word that a phone put a blank into.
    """
    if words == verb.split()[:1] or "".join(words) == verb:
        return 0
    return OSA.distance(" ".join(words[: len(verb.split())]), verb, score_cutoff=1)


def _names_somebody(table: Table, text: str) -> bool:
    words = set(re.findall(r"\w+", text.casefold()))
    return any(words & set(re.findall(r"\w+", label.casefold())) for label in table.labels().values())


def request(table: Table, text: str) -> str:
    """Return what a line asks for that is no ruling (status, help, test, help with a manual's word, archive), or ""."""
    word = text.lower().strip(" .!?")
    sought = re.fullmatch(r"archive(?:(?:\s*:)?((?:\s+[^\s:]+){1,5}))?", word)
    if table.manual and sought:
        return f"archive{sought[1] or ''}"
    return word if word in REQUESTS or (table.manual and word == f"help {table.manual}") else ""


def verb(text: str) -> str:
    """Return the verb of ours that a line begins with, or ""."""
    return next((one for one in VERBS if re.match(rf"{one}\b", text, re.IGNORECASE)), "")


def read(table: Table, line: OrderLine, because: str | None = None) -> Ruling | Complaint:
    """
    Read one line against the table as it stands.

    Shape: in a canonical line the reason stands apart, in `because`; in a person's it is what follows the word.
    """
    cuts = [(line.text, because)] if because is not None else _cuts(line.text)
    tries = [_read(table, text, reason) for text, reason in cuts]
    found = next((ruling for ruling in tries if not isinstance(ruling, Unread)), tries[-1])
    if isinstance(found, Unread):
        return Complaint(line.number, line.text, found.fault, found.because)
    return found


def _cuts(text: str) -> list[tuple[str, str]]:
    """Return where a reason may begin: at the last `because` first, since an order or a text may hold the word."""
    if verb(text) == "note":
        return [(text, "")]
    places = [match.span() for match in _BECAUSE.finditer(text)]
    cuts = [(text[:start].strip(" ,;"), text[end:].strip(" :")) for start, end in reversed(places)]
    return cuts or [(text, "")]


def _read(table: Table, text: str, because: str) -> Reading:
    said = verb(text)
    rest = text[len(said) :].strip(" :")
    if table.status == "over":
        fault: Literal["illegal", "unreadable"] = "illegal" if said else "unreadable"
        return Unread(fault, "The game is over; nothing is ruled in it any more.")
    if not said:
        return _other(table, text, because)
    if said in REQUESTS:
        return Unread("unreadable", f"For {said}, write {said} alone on its line.")
    if said in _FIXED:
        if rest.strip(" .!"):
            return Unread("unreadable", f"To rule that, write {said} alone on its line.")
        return course.when_fits(table, Plain(said, because))
    return _HANDLERS[said](table, rest, because)


_FIXED = ("pause", "resume", "close now", "begin", "hold", "invite again")


def _other(table: Table, text: str, because: str) -> Reading:
    """A line with no verb of ours may be one that the ruleset offers, such as `veto P03`."""
    effect = facts.effect_of(table, text)
    if isinstance(effect, str):
        return Do(effect, False, because) if because else facts.no_reason()
    if effect.fault != "unreadable" and table.state is not None:
        return effect
    close = process.extractOne(text.partition(" ")[0].lower(), VERBS, scorer=fuzz.ratio, score_cutoff=70)
    hint = f" Did you mean {close[0]}?" if close else f" Known: {phrases.listed(VERBS, 'and')}."
    return Unread("unreadable", f"I know no ruling that begins so.{hint}")


_HANDLERS: dict[str, Callable[[Table, str, str], Reading]] = {
    "approve": course.approve,
    "overrule": facts.overrule,
    "set": facts.set_fact,
    "do": facts.do,
    "strike": sets.strike,
    "order": sets.order,
    "excuse": sets.excuse,
    "extend": course.extend,
    "deadline": course.deadline,
    "note": course.note,
    "undo": course.undo,
}
