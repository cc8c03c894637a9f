"""`same as last round`: the set with which a seat's last phase of this kind closed, in place of these words."""

import re
from collections.abc import Sequence

from pbem.ground.terms import Complaint, OrderLine, Seat
from pbem.language import phrases
from pbem.speech import typed
from pbem.table.model.table import Table

_LAST = r"(?:in |as in )?(?:the |my )?(?:last|previous)(?: \w+)?"
_THING = r"(?:orders?|moves?|set|thing|bids?|stuff|procedure)"
_SAME = re.compile(
    rf"(?:ditto[,;:]? )?(?:(?:do |play |use )?(?:the |my |exactly the )?same(?: {_THING})?(?: again)?"
    rf"(?:,? as (?:before|{_LAST}|(?:in )?round (?P<round>[0-9]{{1,4}})))?"
    rf"|(?:just )?(?:as|like) (?:before|{_LAST})|repeat (?:that|it|{_LAST})(?: {_THING})?)|ditto",
    re.IGNORECASE,
)
_HINT = re.compile(r"ditto|same|before|last|previous|repeat", re.IGNORECASE)
"""One of these is in all such words; most lines have none, and need no closer look."""
_NOT_LETTERS = re.compile(r"[^A-Za-z]+")
_ALONE = "It repeats a whole set, so it stands alone. Send it without other orders, or all of them anew."


def repeated(
    table: Table, seat: Seat, lines: Sequence[OrderLine]
) -> tuple[tuple[OrderLine, ...], tuple[Complaint, ...]]:
    """Return lines with the last set in place of such words, and what is wrong with these, if anything is."""
    said = [line for line in lines if line.text.strip()]
    asking = [line for line in said if _is_same(line.text)]
    if not asking or table.phase is None:
        return tuple(lines), ()
    rest = tuple(OrderLine(line.number, "") if line in asking else line for line in lines)
    kept = next((one for one in table.sets.last.get(seat, ()) if one.kind == table.phase.kind), None)
    orders = kept.orders if kept else ()
    because = _ALONE if len(asking) > 1 or _has_orders(table, seat, rest) else "" if orders else _none(table)
    because = because or _another_round(table, asking[0].text)
    if because:
        return rest, (Complaint(asking[0].number, asking[0].text.strip(), "ambiguous", because),)
    return tuple(OrderLine(number, text) for number, text in enumerate(orders, 1)), ()


def _is_same(text: str) -> bool:
    return _same(text) is not None


def _same(text: str) -> re.Match[str] | None:
    if text.isascii() and not _HINT.search(_NOT_LETTERS.sub("", text)):
        return None
    return _SAME.fullmatch(phrases.without_stop(typed.tidied(text)))


def _another_round(table: Table, text: str) -> str:
    """Say that a round with a number is not the last one, if it is not."""
    match = _same(text)
    said, now = match["round"] if match else "", re.search(r"[0-9]+$", table.title)
    if not said or (now and int(said) + 1 == int(now[0])):
        return ""
    return "I can repeat the last round only. Write your orders out."


def _has_orders(table: Table, seat: Seat, lines: Sequence[OrderLine]) -> bool:
    parsed = table.ruleset.parse(table.state, seat, lines)
    return bool(parsed.orders) or any(one.fault != "unreadable" for one in parsed.complaints)


def _none(table: Table) -> str:
    return f"I have no orders of yours that a phase like {table.title} closed with. Write them out."
