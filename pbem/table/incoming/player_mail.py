"""Turns a player's new lines into the one entry of their mail; knows no mail format."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

import msgspec

from pbem.ground.identity import GameLetter
from pbem.ground.terms import Complaint, OrderLine, Parsed, Seat
from pbem.language import phrases
from pbem.speech import chatter
from pbem.table.clock import late, schedule, second_thought
from pbem.table.fold.journal import NotRead, OrdersReceived, Press
from pbem.table.incoming import changes, fallen, not_read, parting, player_lines, same, talk, to_moderator
from pbem.table.incoming.changes import Change
from pbem.table.incoming.heard import Heard
from pbem.table.incoming.player_lines import Sorted
from pbem.table.model import hands, seating
from pbem.table.model.table import BaseEntry, Offer, Table
from pbem.table.requests.ahead import Ahead
from pbem.table.requests.back import Back
from pbem.table.requests.cancel import Cancel
from pbem.table.requests.readiness import Yes
from pbem.table.requests.standing import Standing

replace = msgspec.structs.replace

MOST_FALLEN = 12
"""The most lines that are named which fell with a set."""


class Received(msgspec.Struct, frozen=True, kw_only=True):
    """
    A mail as the table takes it: where it came from, when, and its new lines.

    Shape: `phase` is that of the token, `question` which one of the phase it answers, 0 for none; `said` holds blank
    lines too, `polite` what is no order, `passed` what is neither new nor ours; `answers` is the letter of ours that
    it answers, if we know which, and `before` the entries of earlier phases from the one that called for it on; `note`
    says why there is no text; `kept_back` is that of its entry; `names` are those that nobody in the game may take,
    each with whose it is;
    `confirms` is the digest of a mail that was kept until `cause` confirmed it; `version_of` names a post, of which
    there may be several versions.
    """

    phase: int
    question: int = 0
    arrived: datetime
    noted: datetime
    mail: str
    cause: str
    key: str
    message_id: str
    said: tuple[OrderLine, ...]
    polite: tuple[OrderLine, ...] = ()
    passed: tuple[NotRead, ...] = ()
    answers: GameLetter | None = None
    before: tuple[BaseEntry, ...] = ()
    note: str = ""
    kept_back: bool = False
    names: Mapping[str, str] = {}
    confirms: str = ""
    version_of: str = ""

    def kept(self, table: Table) -> dict[str, Any]:
        """Return the fields that the next entry of a table has of its mail, whoever wrote it."""
        same = ("phase", "arrived", "noted", "cause", "key", "message_id", "note", "confirms", "version_of")
        texts = tuple(line.text for line in self.said)
        fields = {"number": table.head + 1, "grammar": table.ruleset.grammar, "said": texts}
        return fields | {name: getattr(self, name) for name in same}


def take(table: Table, seat: Seat, mail: Received) -> OrdersReceived:
    """
    Turn a seat's mail into its entry: what was understood, what is taken, and every complaint.

    A set is taken whole or not at all. Only where nothing is on hand are lines that could not be read dropped
    and the rest kept, marked incomplete; a set that is illegal as a whole is never cut down by us.
    """
    entry = _take(table.known_to(seat), seat, mail)
    return _without_repeats(table, _without_others_names(table, entry, mail.names))


def _take(table: Table, seat: Seat, mail: Received) -> OrdersReceived:
    parts = player_lines.sort(table, seat, _with_changing(table, mail.said, mail.polite))
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
    entry = _without_unclear_yes(entry, mail)
    outside = _not_now(table, entry, mail.question)
    if outside and _withdraws(table, entry, parts):
        return _with_asides(table, entry, mail, parts.orders)
    if outside:
        found, outside = _late(table, entry, mail, parts, outside)
        return found or _with_asides(table, _too_late(table, entry, parts, outside), mail, parts.orders)
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
    if not _came_late(table, entry):
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
    held = table.hand.get(entry.seat)
    if found.taken and held and held.orders == found.orders and entry.seat not in table.late:
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
    asides = _without_lines(entry.asides, telling)
    return replace(entry, asides=asides, held=(*entry.held, *telling))


def _withdraws(table: Table, entry: OrdersReceived, parts: Sorted) -> bool:
    """Say whether a mail only takes back a late set that waits for the moderator."""
    has_orders = any(line.text.strip() for line in parts.orders)
    others = [one for one in entry.requests if one.is_about_the_set and one != Cancel()]
    waits = table.status == "closed" and entry.seat in table.late
    return waits and Cancel() in entry.requests and not has_orders and not others


def _came_late(table: Table, entry: OrdersReceived) -> bool:
    """Say whether a mail answers the letters of a phase that has closed for it, and of no other."""
    phase = table.phase
    if phase is None or entry.phase != table.number or entry.seat not in (*phase.owing, *phase.may):
        return False
    is_past = table.status == "open" and table.paused is None and entry.arrived > schedule.cutoff(table)
    return table.status == "closed" or is_past


def _read(table: Table, seat: Seat, entry: OrdersReceived, mail: Received, parts: Sorted) -> OrdersReceived:
    """Read what a mail says of its set, and all that stands beside it, on a table where orders are open."""
    offer = hands.offer(table, seat)
    if _is_yes(mail) and _is_offered(table, seat, mail) and not (offer and _answers(offer, mail)):
        because = "What that letter offers counts no more. Send the orders that you mean."
        ended = Complaint(0, Yes.word(), "late", because)
        return replace(entry, requests=(), complaints=(*entry.complaints, ended))
    orders, unknown = same.repeated(table, seat, parts.orders)
    entry = replace(entry, complaints=(*entry.complaints, *unknown))
    read: Parsed[Any] = Parsed((), ())
    if any(line.text.strip() for line in orders):
        change = changes.hear(table, seat, orders, nothing_on_hand=_nothing_on_hand(table, entry))
        if change and not change.own:
            entry = _with_change(table, entry, change)
        else:
            heard = parting.hear(table, seat, change.own if change else orders)
            read = heard.parsed or table.ruleset.parse(table.state, seat, heard.orders)
            heard = heard._replace(parsed=read)
            tried = any(line.text.strip() for line in heard.orders) or bool(heard.beside)
            passed = (*(change.heard.passed if change else ()), *heard.passed)
            entry = _with_set(table, replace(entry, passed=passed, doubts=heard.doubts, tried=tried), heard)
    entry = _with_asides(table, entry, mail, parts.orders)
    entry = _with_fallen(_without_back(table, entry), parts.orders, read)
    beside = tuple(one.text for one in entry.not_read if one.taken in not_read.HOLDING)
    entry = _without_later(replace(entry, doubts=(*entry.doubts, *beside, *_not_taken(entry))))
    if offer and Yes() in entry.requests and not entry.tried:
        entry = _with_offer(entry, mail, offer)
    stand = Standing(is_on=True)
    because = _no_standing(table, entry) if stand in entry.requests else ""
    if because:
        complaints = (*entry.complaints, Complaint(0, "standing on", "illegal", because))
        requests = tuple(one for one in entry.requests if one != stand)
        return replace(entry, requests=requests, complaints=complaints)
    return entry


def _is_yes(mail: Received) -> bool:
    """Say whether a mail says yes, and nothing else."""
    said = [line.text for line in mail.said if line.text.strip()]
    return len(said) == 1 and Yes.is_said(said[0])


def _is_offered(table: Table, seat: Seat, mail: Received) -> bool:
    """Say whether a mail answers a receipt of this phase that offers a set, be it still open or not."""
    mine = (entry for entry in table.log if isinstance(entry, OrdersReceived) and entry.seat == seat and entry.offered)
    return mail.answers is not None and any(entry.number == mail.answers.entry for entry in mine)


def _answers(offer: Offer, mail: Received) -> bool:
    return mail.answers is not None and mail.answers.entry == offer.entry


def _with_offer(entry: OrdersReceived, mail: Received, offer: Offer) -> OrdersReceived:
    """Take the set that a receipt offers, by a yes that answers it and stands beside nothing that may change it."""
    requests = tuple(one for one in entry.requests if one != Yes())
    if _answers(offer, mail) and not entry.doubts:
        return replace(entry, requests=requests, orders=offer.orders, taken=True, tried=True)
    because = "I cannot tell which letter of mine this answers. Reply to the one that asks, or send your orders."
    if entry.doubts:
        because = f'It stands beside "{entry.doubts[0]}", which may change it. Send yes alone, or your orders.'
    unclear = Complaint(0, Yes.word(), "ambiguous", because)
    return replace(entry, requests=requests, complaints=(*entry.complaints, unclear))


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
    doubts = tuple(one.text for one in named) if entry.taken or entry.seat in table.hand else ()
    incomplete = entry.incomplete and any(one.fault == "unreadable" for one in others)
    tried = entry.taken or bool(others)
    entry = replace(entry, complaints=others, doubts=tuple(dict.fromkeys((*entry.doubts, *doubts))))
    return replace(entry, incomplete=incomplete, tried=tried)


def _without_unclear_yes(entry: OrdersReceived, mail: Received) -> OrdersReceived:
    """Refuse a bare yes that answers the moderator's own words: nobody can say whether orders are meant by it."""
    is_answer = mail.answers is not None and mail.answers.template == "told"
    if not is_answer or Yes() not in entry.requests or "stand" in " ".join(entry.said).casefold():
        return entry
    because = (
        "You answer the moderator's words, so I cannot tell what this is said to. For the moderator write gm: and your "
        "words. If your orders are what you mean, write: yes, they stand"
    )
    requests = tuple(one for one in entry.requests if one != Yes())
    unclear = Complaint(0, Yes.word(), "ambiguous", because)
    return replace(entry, requests=requests, complaints=(*entry.complaints, unclear))


def _with_asides(table: Table, entry: OrdersReceived, mail: Received, said: Sequence[OrderLine]) -> OrdersReceived:
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
    doubts = entry.doubts if entry.taken or entry.seat in table.hand else ()
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


def _no_orders(table: Table, seat: Seat, said: Sequence[OrderLine]) -> tuple[str, ...]:
    """Return the first lines of a mail that came too late, without those that read as orders where it was sent."""
    if table.phase is None:
        return tuple(line.text.strip() for line in said if line.text.strip())
    at = msgspec.structs.replace(table, status="open")
    lines = [line.text.strip() for line in said if line.text.strip()][: to_moderator.MOST_LOOKED_AT]
    return tuple(text for text in lines if not not_read.reads(at, seat, text))


def _with_changing(table: Table, said: Sequence[OrderLine], polite: Sequence[OrderLine]) -> tuple[OrderLine, ...]:
    """Put back courtesies that may change an order: `Thanks, not yet!`, or greet another player alone."""
    changing = (line for line in polite if chatter.may_change(line.text) or talk.is_to_another(table, line.text))
    kept = {line.number: line for line in changing}
    return tuple(kept.get(line.number, line) for line in said)


def _with_fallen(entry: OrdersReceived, said: Sequence[OrderLine], parsed: Parsed[Any]) -> OrdersReceived:
    """Note which lines of a refused set could be read, and are in none of its complaints."""
    if entry.taken or not entry.tried:
        return entry
    refused = {phrases.clean(phrases.without_comment(one.text)).removeprefix("~ ") for one in entry.complaints}
    refused |= {*entry.passed, *entry.doubts}
    read = {order.line for order in parsed.orders}
    lines = dict.fromkeys(line.text.removeprefix("~ ") for line in phrases.joined(said) if line.number in read)
    fell = [text for text in lines if text not in refused]
    return replace(entry, fell=tuple(fell[:MOST_FALLEN]), more_fell=len(fell[MOST_FALLEN:]))


def _not_taken(entry: OrdersReceived) -> tuple[str, ...]:
    """Return the lines of a set that was refused: who meant to change what is on hand has not said that it stands."""
    if entry.taken or not entry.tried or entry.doubts:
        return ()
    return tuple(dict.fromkeys(one.text for one in entry.complaints if one.text))


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
    held = table.hand.get(entry.seat)
    if not entry.taken and held is None:
        return "You have no orders on hand that could stand. Send a set, with standing on below it."
    if entry.incomplete or (held and not entry.taken and (held.incomplete or held.doubtful)):
        return "What is on hand was not read whole, or may be changed by what you said beside it. Send it anew first."
    orders = table.parsed(entry.seat, entry.orders if entry.taken or not held else held.orders).orders
    can_stand = not table.sealed and table.ruleset.stands(table.state, entry.seat, orders)
    return "" if can_stand else "Such a set counts in this phase alone."


def _too_late(table: Table, entry: OrdersReceived, parts: Sorted, outside: str) -> OrdersReceived:
    """Refuse whatever a mail says about a set that cannot be touched now; the rest of it still counts."""
    touching = [request for request in entry.requests if request.is_about_the_set]
    if not parts.orders and not touching:
        return entry
    lines = [line for line in parts.orders if line.text.strip()]
    first = lines[0] if lines else OrderLine(0, f"{touching[0].word()} {touching[0].show(table)}".strip())
    if len(lines) > 1:
        outside = f"{outside} So it is with all {len(lines)} lines of your orders."
    requests = tuple(one for one in entry.requests if one not in touching)
    late = Complaint(first.number, first.text.strip(), "late", outside)
    return replace(entry, requests=requests, complaints=(*entry.complaints, late))


_JOINS = "This is less than a whole set, so it would join what you have on hand. Send all that you mean."


def _nothing_on_hand(table: Table, entry: OrdersReceived) -> bool:
    return entry.seat not in table.hand or Cancel() in entry.requests


def _with_set(table: Table, entry: OrdersReceived, heard: Heard) -> OrdersReceived:
    """Take what was heard as a set of its own, or as the line that was missing in the one on hand."""
    whole = None if _nothing_on_hand(table, entry) else fallen.completed(table, entry.seat, heard)
    if isinstance(whole, Complaint):
        return replace(entry, complaints=(*entry.complaints, whole), changes=True)
    if whole is None:
        return _with_orders(table, entry, heard)
    entry = replace(_with_orders(table, entry, whole, is_all=True), changes=True)
    return _with_doubts_of_before(table, entry) if entry.taken else entry


def _with_doubts_of_before(table: Table, entry: OrdersReceived) -> OrdersReceived:
    """Add what was in doubt of the set that a mail changes, but for what the change settles."""
    before = changes.unsettled(table, entry.seat)
    gone = changes.settled(table, entry, before.again)
    doubts = dict.fromkeys(one for one in (*before.doubts, *entry.doubts) if one not in gone)
    again = dict.fromkeys(one for one in (*before.again, *entry.again) if one in doubts)
    return replace(entry, doubts=tuple(doubts), again=tuple(again))


def _with_orders(
    table: Table, entry: OrdersReceived, heard: Heard, *, is_all: bool = False, adds: bool = False
) -> OrdersReceived:
    """
    Take what was heard of a set; what stands beside talk that may change it counts as not read.

    Shape: unless it `is_all`, the ruleset may join it to what is on hand. Amounts that are said twice are asked about,
    unless the mail `adds` to the set on hand.
    """
    seat = entry.seat
    parsed: Parsed[Any] = heard.parsed or table.ruleset.parse(table.state, seat, heard.orders)
    offered = () if is_all or adds else _offered(table, entry, parsed.offered)
    once, again = table.ruleset.told_apart(table.state, parsed.orders, adds=adds)
    parsed = Parsed(tuple(once), parsed.complaints, parsed.slips)
    second = tuple(_said_again(table, heard.orders, once, again))
    entry = replace(entry, doubts=tuple(dict.fromkeys((*entry.doubts, *second))), again=second)
    held = () if is_all or _nothing_on_hand(table, entry) or not parsed.orders else table.orders(seat)
    orders = tuple(table.ruleset.merged(table.state, seat, held, parsed.orders)) if held else parsed.orders
    is_whole = orders == parsed.orders
    parsed = Parsed(orders, (*parsed.complaints, *heard.beside), parsed.slips)
    lines = table.ruleset.format(table.state, parsed.orders)
    kept = _read_back(table, seat, lines, parsed)
    wrong = (*parsed.complaints, *table.ruleset.check(table.state, seat, parsed.orders), *kept)
    complaints = tuple(sorted({*entry.complaints, *wrong}, key=lambda one: (one.line, one.because)))
    entry = replace(entry, complaints=complaints, changes=not is_whole)
    legal_as_a_whole = len(wrong) == len(parsed.complaints)
    entry = replace(entry, offered=offered)
    if not is_whole and not legal_as_a_whole:
        return replace(entry, complaints=(*complaints, Complaint(0, "", "ambiguous", _JOINS)))
    if not lines or (wrong and not (_nothing_on_hand(table, entry) and legal_as_a_whole)):
        return entry
    return replace(entry, orders=lines, taken=True, incomplete=bool(wrong), slips=parsed.slips)


def _offered(table: Table, entry: OrdersReceived, orders: Sequence[Any]) -> tuple[str, ...]:
    """Return the canonical lines of a set that is offered, if it can be taken as it is."""
    seat, state = entry.seat, table.state
    held = () if _nothing_on_hand(table, entry) else table.orders(seat)
    is_whole = not held or tuple(table.ruleset.merged(state, seat, held, orders)) == tuple(orders)
    if not orders or not is_whole or table.ruleset.told_apart(state, orders, adds=False)[1]:
        return ()
    lines = table.ruleset.format(state, orders)
    wrong = table.ruleset.check(state, seat, orders) or _read_back(table, seat, lines, Parsed(tuple(orders), ()))
    return () if wrong else lines


def _said_again(table: Table, lines: Sequence[OrderLine], once: Sequence[Any], again: Sequence[Any]) -> Iterator[str]:
    """Yield what says an amount again: as it was written where it has a line to itself, else in our words."""
    shared = {order.line for order in once}
    written = {line.number: line.text.strip() for line in lines if line.number not in shared}
    for order in again:
        yield written.get(order.line) or table.worded(" ".join(table.ruleset.format(table.state, (order,))))


def _made_two(table: Table, seat: Seat, change: Change) -> Complaint | None:
    """Complain of a change that adds nothing by its words, and leaves two amounts for one thing."""

    def twice(orders: Sequence[Any]) -> Sequence[Any]:
        return table.ruleset.told_apart(table.state, orders, adds=False)[1]

    if change.adds or twice(table.orders(seat)):  # as an older release kept them
        return None
    again = twice(table.ruleset.parse(table.state, seat, change.heard.orders).orders)
    if not again:
        return None
    second = table.worded(table.ruleset.format(table.state, again)[0])
    because = f'Beside "{second}", which you have on hand, this would be a second amount for one thing. Send all anew.'
    return Complaint(change.line.number, change.line.text, "ambiguous", because)


def _with_change(table: Table, entry: OrdersReceived, change: Change) -> OrdersReceived:
    """
    Take the set that a change of the one on hand leads to, or none of it.

    What was not known of the set on hand is not known of the changed one: it stays incomplete, and in doubt.
    """
    heard, held = change.heard, table.hand[entry.seat]
    entry = replace(entry, passed=heard.passed, doubts=heard.doubts, tried=True, changes=True)
    if change.wrong:
        return replace(entry, complaints=(*entry.complaints, *change.wrong))
    if two := _made_two(table, entry.seat, change):
        return replace(entry, complaints=(*entry.complaints, two))
    before = entry.complaints
    entry = replace(_with_orders(table, entry, heard, is_all=True, adds=True), changes=True)
    if not entry.taken:  # what is wrong is told of orders of the set, which are no lines of the mail
        new = (one for one in entry.complaints if one not in before)
        wrong = (
            msgspec.structs.replace(
                one, line=change.line.number, text=change.line.text, because=f"{one.text}: {one.because}".strip(" :")
            )
            for one in new
        )
        return replace(entry, complaints=(*before, *wrong))
    return _with_doubts_of_before(table, replace(entry, incomplete=held.incomplete))


def _without_back(table: Table, entry: OrdersReceived) -> OrdersReceived:
    """Refuse to go back where there is nothing to go back to, or the mail sends orders too."""
    if Back() not in entry.requests:
        return entry
    because = ""
    if entry.tried or Cancel() in entry.requests:
        because = "This mail also says what is to be on hand. Send back alone, or the orders that you mean."
    elif entry.seat not in table.replaced:
        because = "No earlier set of yours is kept in this phase, so there is nothing to go back to."
    elif hands.unfit(table, entry.seat, table.replaced[entry.seat].orders):
        wrong = hands.unfit(table, entry.seat, table.replaced[entry.seat].orders)
        because = f"Your earlier set can no longer be ordered: {wrong[0]}"
    if not because:
        return entry
    requests = tuple(one for one in entry.requests if one not in (Back(), Cancel()))
    complaints = (*entry.complaints, Complaint(0, Back.word(), "ambiguous", because))
    entry = replace(entry, requests=requests, complaints=complaints, tried=True, changes=True)
    return replace(entry, orders=(), taken=False, incomplete=False, slips=())


def _read_back(table: Table, seat: Seat, lines: tuple[str, ...], parsed: Parsed[Any]) -> tuple[Complaint, ...]:
    """
    Complain if the canonical lines of a set would not be read as the same orders, for instance as too long.

    What was typed is parsed once, and these lines once: whoever asks for the set later has what they were read as.
    """
    again = table.parsed(seat, lines)
    if again.complaints:
        first = again.complaints[0]
        because = f"In the words in which I keep it this cannot be read: {first.because}"
        return (Complaint(0, first.text, "illegal", because, first.rule),)
    if list(again.orders) != list(parsed.orders):
        return (Complaint(0, "", "illegal", "I cannot keep this set so that it reads back the same. Part its lines."),)
    return ()


def _not_now(table: Table, entry: OrdersReceived, question: int) -> str:
    """Say why a set cannot be sent or touched now at all, or ""."""
    if table.status == "sign-up":
        return "The game has not begun, so nothing is asked yet. You will have a letter when it does."
    if table.status == "over":
        return "The game is over; orders are no longer taken."
    if entry.phase != table.number:
        now = f"This is {table.title} now."
        again = " To send orders for it, reply to this letter." if entry.seat in table.owing else ""
        return f"Your mail answers a letter of a phase that is closed. {now}{again}"
    if table.status != "open" or table.phase is None:
        return f"{table.title} is closed, and its report is on its way."
    if entry.seat not in (*table.phase.owing, *table.phase.may):
        return f"Nothing is asked of you in {table.title}."
    if entry.arrived > schedule.cutoff(table) and table.paused is None:
        early = second_thought.closes_early(table)
        end = f"{table.title} had closed, since all had moved" if early else f"the deadline of {table.title}"
        return f"Your mail reached our server after {end}."
    if question != table.question_to(entry.seat) or (table.sealed and table.opened and entry.arrived < table.opened):
        return "Your mail crossed with our question, or answers another letter. Reply to the one that asks."
    held = table.hand.get(entry.seat)
    if held and held.stamp > (entry.arrived, entry.mail, entry.cause):
        return "A newer mail of yours was here first. The newer one stands."
    return ""
