"""The receipt: what became of a player's mail, its verdict first; the view from which its text is made."""

from collections import Counter
from typing import Literal, TypeAlias

import msgspec

from pbem.ground.terms import Facts, Seat, Slip
from pbem.table.clock.views import Asked, BaseView, Refusal, moment, refusals
from pbem.table.fold import talking
from pbem.table.fold.journal import NotRead, OrdersReceived
from pbem.table.model import hands
from pbem.table.model.sets import OnHand
from pbem.table.model.table import Table
from pbem.table.outgoing.letter import Owed, asked, hand, letter, requested
from pbem.table.requests.cancel import Cancel
from pbem.table.requests.keep_back import KeepBack
from pbem.table.requests.send_it import SendIt
from pbem.table.requests.status import Status

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
    "dropped",
    "asked for",
    "late",
    "withdrawn",
]
"""
What became of a mail, in its receipt's first line.

cancelled: the set that was on hand is gone, by request. refused: no order of it counts. in part: what could be read of
a first set. in doubt: taken, and asked about. still in doubt: the set on hand stands, and is asked about. except, not
read: taken, without some lines. none read: not taken, since it stood where we read no orders. lacking: taken, and not
all that is asked for. unread: lines without orders that could not be done. kept back, passed on, dropped: words to
the moderator and nothing else. asked for: requests alone, which the first lines answer. late: the moderator is told
that a set came. withdrawn: it counts for nothing.
"""


class Receipt(BaseView, frozen=True, kw_only=True):
    """
    What became of a player's mail.

    Shape: `lines` counts the lines that the verdict speaks of; `replaced` the orders of the set that a smaller one
    replaced, or 0; `changed` maps "This went out" and "This came in" to lines of orders, {} where none was made;
    `offered` is the set that a yes takes, and then nothing else is asked; `how_late` says it in words of a set that was
    `sent_late`, and `counts` are the lines that count without it.
    """

    template = "receipt"

    verdict: Verdict
    lines: int
    taken: bool
    sent_orders: bool
    replaced: int
    changed: dict[str, list[str]]
    complaints: tuple[Refusal, ...]
    requests: tuple[Asked, ...]
    passed: tuple[str, ...]
    doubts: tuple[str, ...]
    again: tuple[str, ...]
    doubtful: bool
    offered: list[str]
    fell: tuple[str, ...]
    more_fell: int
    slips: tuple[Slip, ...]
    not_read: tuple[NotRead, ...]
    more_not_read: int
    said_before: int
    said_nothing: bool
    by_deputy: bool
    told: tuple[str, ...]
    at_once: bool
    unsent: tuple[str, ...]
    dropped_words: tuple[str, ...]
    asides: tuple[str, ...]
    held: tuple[str, ...]
    held_late: bool
    note: str
    holds: bool
    stands: bool
    lacks: str
    wait: bool
    over: bool
    closed: bool
    signing_up: bool
    has_form: bool
    left_out: int
    late_waits: bool
    how_late: str
    sent_late: list[str]
    counts: list[str]


def receipt(before: Table, entry: OrdersReceived, after: Table, left_out: int = 0) -> Owed:
    """
    Make the receipt of a mail; its subject says so where its orders are refused.

    Shape: `left_out` counts the requests of the mail that no letter answers, since it had too many.
    """
    seat = entry.seat
    view = _view(before, entry, after, left_out)
    now = moment(after, seat)
    if now.early and entry.noted >= now.early:  # what is under way is waited for, and nothing else counts
        now = msgspec.structs.replace(now, closing="its time is up")
    view = msgspec.structs.replace(view, moment=now)
    shown = {} if entry.late else hand(after, seat, brief=view.verdict == "refused")
    parts = shown | _left(entry, after) | (asked(after, seat) if view.has_form else {})
    remark = "not taken" if view.verdict == "refused" else ""
    return letter(after, entry, view, seat, parts, answers=entry.message_id, remark=remark)


def _view(before: Table, entry: OrdersReceived, after: Table, left_out: int) -> Receipt:
    seat = entry.seat
    held = after.sets.hand.get(seat)
    verdict, lines = _verdict(before, entry, after)
    return Receipt(
        verdict=verdict,
        lines=lines,
        taken=entry.taken,
        sent_orders=entry.tried,
        replaced=_replaced(before, entry, after),
        changed=_changed(before, after, seat) if entry.changes and entry.taken else {},
        complaints=refusals(entry.complaints),
        requests=requested(after, entry.requests),
        passed=entry.passed,
        doubts=entry.doubts,
        again=entry.again,
        doubtful=bool(held and held.doubtful),
        offered=_offered(entry, after),
        fell=entry.fell,
        slips=entry.slips,
        more_fell=entry.more_fell,
        not_read=entry.not_read,
        more_not_read=entry.more_not_read,
        said_before=entry.said_before,
        said_nothing=not any(line.strip() for line in entry.said),
        by_deputy=after.acting_deputy() is not None,
        told=tuple(talking.words(before, entry)),
        at_once=talking.goes_at_once(before, entry),
        unsent=tuple(one.text for one in after.unsent.get(seat, ())) if entry.unsent else (),
        dropped_words=talking.dropped(before, entry, after),
        asides=entry.asides,
        held=entry.held,
        held_late=talking.came_late(before, entry),
        note=entry.note,
        holds=seat in after.sets.hand,
        stands=hands.is_standing(after, seat),
        lacks=after.lacks(seat) if seat in after.owing else "",
        wait=seat in after.waits,
        over=after.status == "over",
        closed=after.status == "closed",
        signing_up=after.status == "sign-up" and not entry.complaints,
        has_form=_has_form(entry, after),
        left_out=left_out,
        late_waits=seat in after.sets.late and not entry.late,
        how_late=after.sets.late[seat].how if entry.late else "",
        sent_late=_worded(after, after.sets.late[seat].held) if entry.late else [],
        counts=_worded(after, after.sets.hand.get(seat)) if entry.late else [],
    )


def _worded(table: Table, held: OnHand | None) -> list[str]:
    """Return the lines of a set as letters show orders."""
    return [table.worded(line, table.labels().values()) for line in held.orders] if held else []


def _left(entry: OrdersReceived, table: Table) -> dict[str, Facts]:
    """Return the part that says what the set which a yes takes would leave over, where the ruleset says such things."""
    if not (table.ruleset.says_left and _offered(entry, table)):
        return {}
    orders = table.parsed(entry.seat, table.sets.offers[entry.seat].orders).orders
    return {"leftover": table.ruleset.hand(table.seen_by(entry.seat), entry.seat, orders)}


def _offered(entry: OrdersReceived, table: Table) -> list[str]:
    """Return the lines of the set that a yes to this receipt takes."""
    offer = hands.offer(table, entry.seat)
    is_ours = offer is not None and offer.entry == entry.number
    return [table.worded(line, table.labels().values()) for line in offer.orders] if offer and is_ours else []


def _has_form(entry: OrdersReceived, table: Table) -> bool:
    """Say whether a receipt has the form: where it is asked for, or where the mail answered that of another phase."""
    return any(isinstance(one, Status) for one in entry.requests) or (entry.tried and entry.phase != table.number)


def _verdict(before: Table, entry: OrdersReceived, after: Table) -> tuple[Verdict, int]:
    """Return what became of a mail, and of how many of its lines that speaks."""
    wrong = sum(bool(one.text) for one in entry.complaints)
    held = after.sets.hand.get(entry.seat)
    if entry.late:
        return "late", wrong
    if Cancel() in entry.requests and entry.seat in before.sets.late and entry.seat not in after.sets.late:
        return "withdrawn", wrong
    if entry.taken and held:
        return _of_taken(before, entry, after, wrong)
    if Cancel() in entry.requests and held is None and entry.seat in before.sets.hand:
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
    held, had = after.sets.hand[entry.seat], before.sets.hand.get(entry.seat)
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
    if any(not isinstance(one, SendIt | KeepBack) for one in entry.requests):
        return "asked for"
    if entry.unsent:
        return "kept back"
    if talking.words(before, entry) or entry.asides or entry.held:
        return "passed on"
    return "dropped" if KeepBack() in entry.requests else "talk"


def _replaced(before: Table, entry: OrdersReceived, after: Table) -> int:
    """Return of how many orders the set was that a smaller one replaced, or 0."""
    had, has = (len(table.orders(entry.seat)) for table in (before, after))
    return had if entry.taken and not entry.changes and has < had else 0


def _changed(before: Table, after: Table, seat: Seat) -> dict[str, list[str]]:
    """Return the lines that a change has taken out of the set on hand, and those that it has put in; {} for none."""
    was, now = (Counter(table.sets.hand[seat].orders if seat in table.sets.hand else ()) for table in (before, after))
    if was == now:
        return {}
    names = after.labels().values()
    lines = {"This went out": (was - now).elements(), "This came in": (now - was).elements()}
    return {word: [after.worded(line, names) for line in found] for word, found in lines.items()}
