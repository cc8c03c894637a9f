"""A yes: which letter of ours it answers, and the set that it takes."""

import msgspec

from pbem.ground.terms import Complaint, Seat
from pbem.speech import answers
from pbem.table.fold.journal import OrdersReceived
from pbem.table.incoming import replies
from pbem.table.incoming.received import Received
from pbem.table.model.sets import Offer
from pbem.table.model.table import Table
from pbem.table.requests.readiness import Yes

replace = msgspec.structs.replace


def is_yes(mail: Received) -> bool:
    """Say whether a mail says yes, and nothing else but what changes nothing."""
    return answers.answered(mail.said) == answers.Answer("yes")


def is_offered(table: Table, seat: Seat, mail: Received) -> bool:
    """Say whether a mail answers a receipt of this phase that offers a set, be it still open or not."""
    mine = (entry for entry in table.log if isinstance(entry, OrdersReceived) and entry.seat == seat and entry.offered)
    return mail.answers is not None and any(entry.number == mail.answers.entry for entry in mine)


def meets(offer: Offer, mail: Received) -> bool:
    """Say whether a mail answers the receipt that makes an offer."""
    return mail.answers is not None and mail.answers.entry == offer.entry


def with_offer(entry: OrdersReceived, mail: Received, offer: Offer) -> OrdersReceived:
    """Take the set that a receipt offers, by a yes that answers it and stands beside nothing that may change it."""
    requests = tuple(one for one in entry.requests if one != Yes())
    if meets(offer, mail) and not entry.doubts:
        return replace(entry, requests=requests, orders=offer.orders, taken=True, tried=True)
    because = "I cannot tell which letter of mine this answers. Reply to the one that asks, or send your orders."
    if entry.doubts:
        because = f'It stands beside "{entry.doubts[0]}", which may change it. Send yes alone, or your orders.'
    unclear = Complaint(0, Yes.word(), "ambiguous", because)
    return replace(entry, requests=requests, complaints=(*entry.complaints, unclear))


def without_unclear_yes(table: Table, entry: OrdersReceived, mail: Received) -> OrdersReceived:
    """Refuse a bare yes that answers somebody's own words: nobody can say whether orders are meant by it."""
    if not replies.is_to_people(mail) or Yes() not in entry.requests or "stand" in " ".join(entry.said).casefold():
        return entry
    to = replies.writer(table, entry.seat, mail)
    whose, how = "the moderator's words", "the moderator write gm:"
    if to is not None:
        whose, how = f"what {table.label(to)} wrote", f"{table.label(to)} write press to {table.label(to)}:"
    because = (
        f"You answer {whose}, so I cannot tell what this is said to. For {how} and your words. If your orders are what "
        "you mean, write: yes, they stand"
    )
    requests = tuple(one for one in entry.requests if one != Yes())
    unclear = Complaint(0, Yes.word(), "ambiguous", because)
    return replace(entry, requests=requests, complaints=(*entry.complaints, unclear))
