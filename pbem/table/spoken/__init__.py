"""The moderator's lines, read into rulings against the table as it stands; knows no mail."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from rapidfuzz import fuzz, process

from pbem import phrases
from pbem.phrases import Unread
from pbem.table.rulings import Do, Plain, Ruling
from pbem.table.spoken import course, facts, sets
from pbem.table.spoken.facts import Reading, about
from pbem.table.table import Table
from pbem.terms import Complaint, OrderLine

__all__ = ["about", "lines", "read", "request"]

VERBS = (
    "approve", "hold", "status", "overrule", "do", "set", "strike", "order", "excuse", "extend", "deadline",
    "pause", "resume", "close now", "begin", "note", "undo", "test", "help",
)  # fmt: skip
REQUESTS = ("status", "help", "test")

_ALONE = re.compile(
    r"^(?:approve(?: [0-9]+)?|hold|status|pause|resume|close now|begin|undo(?: [0-9]+)?|test|help)[\s.!?]*$",
    re.IGNORECASE,
)
_OPENS = re.compile(
    r"^(?:(?:overrule|do|set|strike|order|excuse|extend|deadline|note)\b"
    r"|(?:approve(?: [0-9]+)?|hold|pause|resume|close now|begin|undo(?: [0-9]+)?) because\b)",
    re.IGNORECASE,
)
_LONG = ("note", "do", "overrule", "set", "strike", "order", "")
_BECAUSE = re.compile(r"(?<![\w-])because(?![\w-])", re.IGNORECASE)


def lines(table: Table, said: Sequence[OrderLine]) -> tuple[OrderLine, ...]:
    """
    Clean a moderator's lines and put wrapped ones together.

    A line that may be long (`overrule`, `set`, `do`, `strike`, `order`, `note`, any with a reason) goes on with
    the next, as far as the next blank line, where that begins no ruling of its own. A line that closes with = opens
    lines up to one that says end; a blank line among them says also.
    """
    result: list[OrderLine] = []
    block: list[OrderLine] = []
    joining = False
    for place, line in enumerate(said):
        text = phrases.clean(line.text)
        if block:
            if not _ENDS.match(text):
                block.append(OrderLine(line.number, text or "also"))
                continue
            result.append(_in_one(block, text))
            joining, block = True, []
        elif text.endswith("=") and any(_ENDS.match(phrases.clean(one.text)) for one in said[place:]):
            block = [OrderLine(line.number, text)]
        elif not text:
            joining = False
        elif joining and not (_ALONE.match(text) or _OPENS.match(text) or request(table, text) or _whole(table, text)):
            result[-1] = OrderLine(result[-1].number, f"{result[-1].text} {text}")
        else:
            result.append(OrderLine(line.number, text))
            joining = _verb(text) in _LONG or bool(_BECAUSE.search(text))
    return tuple(result)


def _whole(table: Table, text: str) -> bool:
    """Say whether a line is a ruling by itself, taken or not, reason and all, though it begins with no verb of ours."""
    if table.status not in ("open", "closed") or not _BECAUSE.search(text):
        return False
    found = read(table, OrderLine(1, text))
    return not isinstance(found, Complaint) or found.fault != "unreadable"


_ENDS = re.compile(r"end\b[\s.!]*(?=$|because\b)", re.IGNORECASE)


def _in_one(block: Sequence[OrderLine], end: str) -> OrderLine:
    """Put a block on one line, with the reason that stands behind its end."""
    inner = "; ".join(one.text.rstrip(" ;") for one in block[1:])
    return OrderLine(block[0].number, f"{block[0].text} {inner} {_ENDS.sub('', end, count=1)}".strip())


def request(table: Table, text: str) -> str:
    """Return what a line asks for that is no ruling (status, help, test, help with a manual's word), or ""."""
    word = text.lower().strip(" .!?")
    return word if word in REQUESTS or (table.manual and word == f"help {table.manual}") else ""


def _verb(text: str) -> str:
    return next((verb for verb in VERBS if re.match(rf"{verb}\b", text, re.IGNORECASE)), "")


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
    if _verb(text) == "note":
        return [(text, "")]
    places = [match.span() for match in _BECAUSE.finditer(text)]
    cuts = [(text[:start].strip(" ,;"), text[end:].strip(" :")) for start, end in reversed(places)]
    return cuts or [(text, "")]


def _read(table: Table, text: str, because: str) -> Reading:
    verb = _verb(text)
    rest = text[len(verb) :].strip(" :")
    if table.status == "over":
        return Unread("illegal", "The game is over; nothing is ruled in it any more.")
    if not verb:
        return _other(table, text, because)
    if verb in REQUESTS:
        return Unread("unreadable", f"For {verb}, write {verb} alone on its line.")
    if verb in _FIXED:
        if rest.strip(" .!"):
            return Unread("unreadable", f"To rule that, write {verb} alone on its line.")
        return course.when_fits(table, Plain(verb, because))
    return _HANDLERS[verb](table, rest, because)


_FIXED = ("pause", "resume", "close now", "begin", "hold")


def _other(table: Table, text: str, because: str) -> Reading:
    """A line with no verb of ours may be one that the ruleset offers, such as `veto P03`."""
    effect = facts.effect_of(table, text)
    if isinstance(effect, str):
        return Do(effect, False, because) if because else facts.no_reason()
    if effect.fault != "unreadable":
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
