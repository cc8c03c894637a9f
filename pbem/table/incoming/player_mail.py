"""Turns a player's new lines into the one entry of their mail; knows no mail format."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

from pbem.ground.terms import Complaint, OrderLine, Parsed, Seat
from pbem.speech import chatter
from pbem.table.clock import late
from pbem.table.fold.journal import NotRead, OrdersReceived
from pbem.table.incoming import (
    asides,
    changes,
    closed,
    new_set,
    not_read,
    parting,
    player_lines,
    replies,
    same,
    talk,
    to_moderator,
    yes,
)
from pbem.table.incoming.player_lines import Sorted
from pbem.table.incoming.received import Received
from pbem.table.model import hands, seating
from pbem.table.model.table import Table
from pbem.table.requests.ahead import Ahead
from pbem.table.requests.back import Back
from pbem.table.requests.readiness import Yes
from pbem.table.requests.standing import Standing

replace = msgspec.structs.replace


def take(table: Table, seat: Seat, mail: Received) -> OrdersReceived:
    """
    Turn a seat's mail into its entry: what was understood, what is taken, and every complaint.

    A set is taken whole or not at all. Only where nothing is on hand are lines that could not be read dropped
    and the rest kept, marked incomplete; a set that is illegal as a whole is never cut down by us.
    """
    entry = _take(table.known_to(seat), seat, mail)
    return _without_repeats(table, _without_others_names(table, entry, mail.names))


def _take(table: Table, seat: Seat, mail: Received) -> OrdersReceived:
    said = _with_changing(table, mail.said, mail.polite)
    parts = player_lines.sort(table, seat, said, is_to_people=replies.is_to_people(mail))
    inside = [NotRead(text, not_read.TO_MODERATOR) for text in parts.inside]
    entry = OrdersReceived(
        **mail.kept(table),
        seat=seat,
        mail=mail.mail,
        tried=bool(parts.orders),
        kept_back=mail.kept_back,
        requests=parts.requests,
        press=parts.press,
        complaints=parts.complaints,
        **not_read.named(table, seat, (*mail.passed, *inside, *not_read.comments(parts.orders))),
    )
    if to_writer := replies.to_writer(table, entry, mail, parts):
        return to_writer
    entry = yes.without_unclear_yes(table, entry, mail)
    outside = closed.not_now(table, entry, mail.question)
    if outside and closed.withdraws(table, entry, parts):
        return asides.with_asides(table, entry, mail, parts.orders)
    if outside:
        found, outside = _late(table, entry, mail, parts, outside)
        return found or asides.with_asides(table, closed.too_late(table, entry, parts, outside), mail, parts.orders)
    return _read(table, seat, entry, mail, parts)


def _without_others_names(table: Table, entry: OrdersReceived, names: Mapping[str, str]) -> OrdersReceived:
    """Refuse a set by which somebody would be called as the arena is, or whoever moderates."""
    given = table.ruleset.names_given(table.parsed(entry.seat, entry.orders).orders) if entry.orders else ()
    new = [name for name in given if name not in table.labels().values()]
    wrong = [because for name in new if (because := seating.why_anothers(name, names))]
    if not wrong:
        return entry
    complaints = (*entry.complaints, *(Complaint(0, "", "illegal", because) for because in wrong))
    return replace(entry, complaints=complaints, orders=(), taken=False, late=False, incomplete=False, slips=())


def _without_repeats(table: Table, entry: OrdersReceived) -> OrdersReceived:
    """Leave out what an earlier version of the same post asked for, or said to others; its orders are a new set."""
    if not entry.version_of:
        return entry
    had = [one for one in table.log if isinstance(one, OrdersReceived) and one.version_of == entry.version_of]
    asked = [request for one in had for request in one.requests if not request.is_about_the_set]
    said = [press for one in had for press in one.press]
    told = {line for one in had for text in (*one.asides, *one.held) for line in text.split("\n")}
    return replace(
        entry,
        requests=tuple(one for one in entry.requests if one not in asked),
        press=tuple(one for one in entry.press if one not in said),
        asides=_without_lines(entry.asides, told),
        held=_without_lines(entry.held, told),
    )


def _without_lines(texts: Sequence[str], gone: Collection[str]) -> tuple[str, ...]:
    left = ("\n".join(line for line in text.split("\n") if line not in gone) for text in texts)
    return tuple(filter(None, left))


def _late(
    table: Table, entry: OrdersReceived, mail: Received, parts: Sorted, outside: str
) -> tuple[OrdersReceived | None, str]:
    """
    Read orders that came too late as they would have been read in time, where the moderator can accept them.

    Shape: None where there are no such orders, with the reason why there are none.
    """
    if not closed.came_late(table, entry):
        return None, outside
    has_orders = any(line.text.strip() for line in parts.orders)
    if not has_orders or Back() in entry.requests:
        return None, outside
    because = late.why_not(table, entry.seat, (entry.arrived, entry.mail, entry.cause), entry.noted)
    if because or mail.question:
        return None, because if because == late.NEWER else f"{outside} {because}".rstrip()
    found = _read(late.reopened(table, entry.seat), entry.seat, entry, mail, parts)
    if not found.tried:
        return None, outside
    held = table.sets.hand.get(entry.seat)
    if found.taken and held and held.orders == found.orders and entry.seat not in table.sets.late:
        return None, f"{outside} These are the orders that count already."
    requests = tuple(one for one in found.requests if not one.is_about_the_set)
    complaints = found.complaints
    if not found.taken:
        how = late.how_late(table, entry.arrived)
        because = f"Your mail came {how}. Send your orders anew without that, and the moderator hears of them."
        complaints = (*complaints, Complaint(0, "", "late", because))
    found = replace(found, requests=requests, complaints=complaints, offered=())
    return replace(_without_telling(table, found), late=found.taken, taken=False), outside


def _without_telling(table: Table, entry: OrdersReceived) -> OrdersReceived:
    """Hold back what is plainly for the moderator, and may change a late set: whether that counts they say unseen."""
    lines = [line for text in entry.asides for line in text.split("\n")] if entry.taken else []
    telling = [line for line in lines if line in entry.doubts and to_moderator.may_tell(table, line, ())]
    others = _without_lines(entry.asides, telling)
    return replace(entry, asides=others, held=(*entry.held, *telling))


def _read(table: Table, seat: Seat, entry: OrdersReceived, mail: Received, parts: Sorted) -> OrdersReceived:
    """Read what a mail says of its set, and all that stands beside it, on a table where orders are open."""
    offer = hands.offer(table, seat)
    if yes.is_yes(mail) and yes.is_offered(table, seat, mail) and not (offer and yes.meets(offer, mail)):
        because = "What that letter offers counts no more. Send the orders that you mean."
        ended = Complaint(0, Yes.word(), "late", because)
        return replace(entry, requests=(), complaints=(*entry.complaints, ended))
    orders, unknown = same.repeated(table, seat, parts.orders)
    entry = replace(entry, complaints=(*entry.complaints, *unknown))
    read: Parsed[Any] = Parsed((), ())
    if any(line.text.strip() for line in orders):
        change = changes.hear(table, seat, orders, nothing_on_hand=new_set.nothing_on_hand(table, entry))
        if change and not change.own:
            entry = new_set.with_change(table, entry, change)
        else:
            heard = parting.hear(table, seat, change.own if change else orders)
            read = heard.parsed or table.ruleset.parse(table.state, seat, heard.orders)
            heard = heard._replace(parsed=read)
            tried = any(line.text.strip() for line in heard.orders) or bool(heard.beside)
            passed = (*(change.heard.passed if change else ()), *heard.passed)
            entry = new_set.with_set(table, replace(entry, passed=passed, doubts=heard.doubts, tried=tried), heard)
    entry = asides.with_asides(table, entry, mail, parts.orders)
    entry = new_set.with_fallen(new_set.without_back(table, entry), parts.orders, read)
    beside = tuple(one.text for one in entry.not_read if one.taken in not_read.HOLDING)
    entry = _without_later(replace(entry, doubts=(*entry.doubts, *beside, *new_set.not_taken(entry))))
    if offer and Yes() in entry.requests and not entry.tried:
        entry = yes.with_offer(entry, mail, offer)
    stand = Standing(is_on=True)
    because = _no_standing(table, entry) if stand in entry.requests else ""
    if because:
        complaints = (*entry.complaints, Complaint(0, "standing on", "illegal", because))
        requests = tuple(one for one in entry.requests if one != stand)
        return replace(entry, requests=requests, complaints=complaints)
    return entry


def _with_changing(table: Table, said: Sequence[OrderLine], polite: Sequence[OrderLine]) -> tuple[OrderLine, ...]:
    """Put back courtesies that may change an order: `Thanks, not yet!`, or greet another player alone."""
    changing = (line for line in polite if chatter.may_change(line.text) or talk.is_to_another(table, line.text))
    kept = {line.number: line for line in changing}
    return tuple(kept.get(line.number, line) for line in said)


def _without_later(entry: OrdersReceived) -> OrdersReceived:
    """Keep nothing for later phases of a mail in doubt."""
    later = [one for one in entry.requests if isinstance(one, Ahead) or one == Standing(is_on=True)]
    odd = [*entry.doubts, *(one.text for one in entry.complaints if one.fault in ("unreadable", "ambiguous"))]
    if not odd or not later:
        return entry
    because = f'Nothing is kept for later, since "{odd[0]}" may change it. Send it again without that.'
    wrong = (Complaint(0, one.word(), "ambiguous", because) for one in later)
    requests = tuple(one for one in entry.requests if one not in later)
    return replace(entry, requests=requests, complaints=(*entry.complaints, *wrong))


def _no_standing(table: Table, entry: OrdersReceived) -> str:
    """Say why the set that is on hand, or comes with this mail, cannot stand, or ""."""
    held = table.sets.hand.get(entry.seat)
    if not entry.taken and held is None:
        return "You have no orders on hand that could stand. Send a set, with standing on below it."
    if entry.incomplete or (held and not entry.taken and (held.incomplete or held.doubtful)):
        return "What is on hand was not read whole, or may be changed by what you said beside it. Send it anew first."
    orders = table.parsed(entry.seat, entry.orders if entry.taken or not held else held.orders).orders
    can_stand = not table.sealed and table.ruleset.stands(table.state, entry.seat, orders)
    return "" if can_stand else "Such a set counts in this phase alone."
