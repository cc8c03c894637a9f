"""Finds the talk of a player's mail that the moderator reads, and what of it is held back or not sent."""

from collections.abc import Sequence
from itertools import groupby

import msgspec

from pbem.ground.terms import Complaint, OrderLine, Seat
from pbem.table.fold.journal import OrdersReceived, Press
from pbem.table.incoming import not_read, talk, to_moderator
from pbem.table.incoming.received import Received
from pbem.table.model.table import Table
from pbem.table.requests.readiness import Yes

replace = msgspec.structs.replace


def with_asides(table: Table, entry: OrdersReceived, mail: Received, said: Sequence[OrderLine]) -> OrdersReceived:
    """
    Find the talk that the moderator reads, and hold it back with all else from one who plays.

    In an answer to the moderator's own words all talk is for them, kind words too where it says nothing else.

    Shape: who plays would read it as an opponent, so that what may tell of orders does not even wait for leave; and
    nobody is told what they say to themselves.
    """
    unread = {one.text for one in entry.complaints if one.fault == "unreadable"}
    is_late = any(one.fault == "late" for one in entry.complaints)  # then no line of it is an order
    talked = {*entry.passed, *entry.doubts, *unread, *(_no_orders(table, entry.seat, said) if is_late else ())}
    groups = groupby(said, key=lambda line: line.text.strip() in talked)
    paragraphs = [[line.text.strip() for line in lines] for is_talk, lines in groups if is_talk]
    is_answer = mail.answers is not None and mail.answers.template == "told" and Yes() not in entry.requests
    if is_answer and not (any(line.text.strip() for line in said) or entry.requests or entry.press):
        paragraphs = [[line.text.strip() for line in mail.polite]]
    doubts = entry.doubts if entry.taken or entry.seat in table.sets.hand else ()
    lines = [line.text.strip() for line in mail.said if line.text.strip()]
    found = to_moderator.find(table, entry.seat, lines, paragraphs, doubts, is_answer=is_answer)
    asides = (*found.plain, *found.others)
    entry = _without_said(table, entry, mail, found.plain)
    if table.status == "over":  # no other letter comes that could have them
        entry, asides = replace(entry, press=(*entry.press, *(Press("moderator", text) for text in asides))), ()
    if table.listener():
        return replace(entry, asides=asides, held=found.held)
    told = [one for one in entry.press if one.to == "moderator"]
    press = tuple(one for one in entry.press if one not in told)
    if entry.seat != table.moderators_seat():
        unsent = (*(one.text for one in told), *asides)
        return replace(entry, press=press, unsent=unsent, unsent_lasts=bool(unsent))
    own = Complaint(0, "gm:", "illegal", "You are the moderator of this game yourself.")
    return replace(entry, press=press, complaints=(*entry.complaints, *([own] if told else ())))


def _without_said(table: Table, entry: OrdersReceived, mail: Received, asides: Sequence[str]) -> OrdersReceived:
    """
    Complain of no line that is for the moderator, and can be no order: while none are taken, of none at all.

    It may change what is on hand all the same, as other talk may.
    """
    said = {line for text in asides for line in text.split("\n")}
    is_all = said.issuperset(filter(None, (line.text.strip() for line in mail.said)))
    if table.status in ("sign-up", "over") and said and is_all:
        others = tuple(one for one in entry.complaints if one.fault != "late")
        return replace(entry, complaints=others, tried=False)
    unread = (one for one in entry.complaints if one.fault == "unreadable" and one.text.strip() in said)
    named = [one for one in unread if not talk.may_be_order(table, one.text)]
    if not named:
        return entry
    others = tuple(one for one in entry.complaints if one not in named)
    doubts = tuple(one.text for one in named) if entry.taken or entry.seat in table.sets.hand else ()
    incomplete = entry.incomplete and any(one.fault == "unreadable" for one in others)
    tried = entry.taken or bool(others)
    entry = replace(entry, complaints=others, doubts=tuple(dict.fromkeys((*entry.doubts, *doubts))))
    return replace(entry, incomplete=incomplete, tried=tried)


def _no_orders(table: Table, seat: Seat, said: Sequence[OrderLine]) -> tuple[str, ...]:
    """Return the first lines of a mail that came too late, without those that read as orders where it was sent."""
    if table.phase is None:
        return tuple(line.text.strip() for line in said if line.text.strip())
    at = msgspec.structs.replace(table, status="open")
    lines = [line.text.strip() for line in said if line.text.strip()][: to_moderator.MOST_LOOKED_AT]
    return tuple(text for text in lines if not not_read.reads(at, seat, text))
