"""The receipt: what became of a player's mail, its verdict first; the view from which its text is made."""

from collections import Counter
from typing import Literal, TypeAlias

import msgspec

from pbem.table import hands, talking
from pbem.table.journal import OrdersReceived
from pbem.table.outgoing.letter import Owed, asked, complaint, hand, letter, phase_facts
from pbem.table.requests.cancel import Cancel
from pbem.table.requests.send_it import SendIt
from pbem.table.requests.status import Status
from pbem.table.table import Table
from pbem.terms import Facts, Seat

Verdict: TypeAlias = Literal[
    "cancelled",
    "refused",
    "in part",
    "in doubt",
    "still in doubt",
    "except",
    "not read",
    "none read",
    "lacking",
    "completed",
    "unchanged",
    "changed",
    "taken",
    "unread",
    "nothing new",
    "talk",
    "kept back",
    "passed on",
    "asked for",
]
"""
What became of a mail, in its receipt's first line.

cancelled: the set that was on hand is gone, by request. refused: no order of it counts. in part: what could be read of
a first set. in doubt: taken, and asked about. still in doubt: the set on hand stands, and is asked about. except, not
read: taken, without some lines. none read: not taken, since it stood where we read no orders. lacking: taken, and not
all that is asked for. unread: lines without orders that could not be done. kept back, passed on: words to the moderator
and nothing else. asked for: requests alone, which the first lines answer.
"""


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """
    What a receipt says besides the facts of the phase and the ruleset's parts.

    Shape: `lines` counts the lines that the verdict speaks of; `replaced` the orders of the set that a smaller one
    replaced, or 0; `changed` maps "Taken out" and "Put in" to lines of orders, {} where no change was sent.
    """

    verdict: Verdict
    lines: int
    taken: bool
    sent_orders: bool
    replaced: int
    changed: dict[str, list[str]]
    complaints: list[Facts]
    requests: list[Facts]
    passed: tuple[str, ...]
    doubts: tuple[str, ...]
    doubtful: bool
    fell: tuple[str, ...]
    more_fell: int
    not_read: list[Facts]
    more_not_read: int
    said_before: int
    said_nothing: bool
    told: tuple[str, ...]
    at_once: bool
    unsent: tuple[str, ...]
    asides: tuple[str, ...]
    note: str
    holds: bool
    stands: bool
    lacks: str
    wait: bool
    over: bool
    closed: bool
    signing_up: bool
    has_form: bool


def receipt(before: Table, entry: OrdersReceived, after: Table) -> Owed:
    """Make the receipt of a mail; its subject says so where its orders are refused."""
    seat = entry.seat
    view = _view(before, entry, after)
    facts = msgspec.structs.asdict(view) | phase_facts(after, seat)
    if facts["early"] and entry.noted >= facts["early"]:  # what is under way is waited for, and nothing else counts
        facts["closing"] = "its time is up"
    parts = hand(after, seat, brief=view.verdict == "refused") | (asked(after, seat) if view.has_form else {})
    remark = "not taken" if view.verdict == "refused" else ""
    return letter(after, entry, "receipt", seat, facts, parts, answers=entry.message_id, remark=remark)


def _view(before: Table, entry: OrdersReceived, after: Table) -> Receipt:
    seat = entry.seat
    held = after.hand.get(seat)
    verdict, lines = _verdict(before, entry, after)
    return Receipt(
        verdict=verdict,
        lines=lines,
        taken=entry.taken,
        sent_orders=entry.tried,
        replaced=_replaced(before, entry, after),
        changed=_changed(before, after, seat) if entry.changes and entry.taken else {},
        complaints=[complaint(one) for one in entry.complaints],
        requests=[{"word": one.word(), "says": one.show(after)} for one in entry.requests],
        passed=entry.passed,
        doubts=entry.doubts,
        doubtful=bool(held and held.doubtful),
        fell=entry.fell,
        more_fell=entry.more_fell,
        not_read=[{"text": one.text, "taken": one.taken} for one in entry.not_read],
        more_not_read=entry.more_not_read,
        said_before=entry.said_before,
        said_nothing=not any(line.strip() for line in entry.said),
        told=tuple(talking.words(before, entry)),
        at_once=talking.goes_at_once(before, entry),
        unsent=entry.unsent,
        asides=entry.asides,
        note=entry.note,
        holds=seat in after.hand,
        stands=hands.is_standing(after, seat),
        lacks=after.lacks(seat) if seat in after.owing else "",
        wait=seat in after.waits,
        over=after.status == "over",
        closed=after.status == "closed",
        signing_up=after.status == "sign-up" and not entry.complaints,
        has_form=_has_form(entry, after),
    )


def _has_form(entry: OrdersReceived, table: Table) -> bool:
    """Say whether a receipt has the form: where it is asked for, or where the mail answered that of another phase."""
    return any(isinstance(one, Status) for one in entry.requests) or (entry.tried and entry.phase != table.number)


def _verdict(before: Table, entry: OrdersReceived, after: Table) -> tuple[Verdict, int]:
    """Return what became of a mail, and of how many of its lines that speaks."""
    wrong = sum(bool(one.text) for one in entry.complaints)
    held = after.hand.get(entry.seat)
    if entry.taken and held:
        return _of_taken(before, entry, after, wrong)
    if Cancel() in entry.requests and held is None and entry.seat in before.hand:
        return "cancelled", wrong
    if entry.complaints:
        return ("refused" if entry.tried else "unread"), wrong
    if entry.doubts and held and held.doubtful:
        return "still in doubt", len(entry.doubts)
    if not any(line.strip() for line in entry.said) and not entry.asides:
        return "nothing new", 0
    if entry.not_read and not entry.requests:
        return "none read", len(entry.not_read) + entry.more_not_read
    return _of_words(before, entry), len(entry.passed)


def _of_taken(before: Table, entry: OrdersReceived, after: Table, wrong: int) -> tuple[Verdict, int]:
    held, had = after.hand[entry.seat], before.hand.get(entry.seat)
    if entry.complaints:
        return ("in part" if held.incomplete and not entry.changes else "except"), wrong
    if entry.doubts and held.doubtful:
        return "in doubt", len(entry.doubts)
    if entry.not_read:
        return "not read", len(entry.not_read) + entry.more_not_read
    if held.incomplete or (entry.seat in after.owing and after.lacks(entry.seat)):
        return "lacking", 0
    if had and had.orders == entry.orders:
        return ("completed" if had.incomplete else "unchanged"), 0
    return ("changed" if entry.changes else "taken"), 0


def _of_words(before: Table, entry: OrdersReceived) -> Verdict:
    if any(not isinstance(one, SendIt) for one in entry.requests):
        return "asked for"
    if entry.unsent:
        return "kept back"
    if talking.words(before, entry) or entry.asides:
        return "passed on"
    return "talk"


def _replaced(before: Table, entry: OrdersReceived, after: Table) -> int:
    """Return of how many orders the set was that a smaller one replaced, or 0."""
    had, has = (len(table.orders(entry.seat)) for table in (before, after))
    return had if entry.taken and not entry.changes and has < had else 0


def _changed(before: Table, after: Table, seat: Seat) -> dict[str, list[str]]:
    """Return the lines that a change has taken out of the set on hand, and those that it has put in."""
    was, now = (Counter(table.hand[seat].orders if seat in table.hand else ()) for table in (before, after))
    names = after.labels().values()
    lines = {"Taken out": (was - now).elements(), "Put in": (now - was).elements()}
    return {word: [after.worded(line, names) for line in found] for word, found in lines.items()}
