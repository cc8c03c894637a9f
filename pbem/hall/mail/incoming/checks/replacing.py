"""Mail of whoever is asked to take a seat over, who may say yes, and of whoever had one, which acts no more."""

from typing import Literal

from pbem.ground.terms import Person, Seat
from pbem.hall.mail.incoming.arrival import authority, replies
from pbem.hall.mail.incoming.arrival.arrival import Arrival
from pbem.hall.mail.incoming.desk.desk import Case, case
from pbem.hall.mail.outgoing.views import SeatOffered, SeatReplaced
from pbem.table.fold.journal import OfferAccepted, OfferDeclined
from pbem.table.model import seating
from pbem.table.rulings import replace


def take_over(mail: Arrival) -> OfferAccepted | OfferDeclined | Case | None:
    """Note the yes or no of the person to whom a seat is offered; None for all other mail."""
    found = _offered(mail)
    if found is None:
        return None
    seat, person = found
    offer = replace.offers(mail.table).get(seat)
    if offer is None or offer.ruling.person != person or replace.barred(mail.table, seat, person):
        return _letter(mail, seat, person, "gone")
    if mail.parcel.sender.lower() != mail.arena.people.address(person).lower() or not replies.may_be_theirs(mail):
        return _letter(mail, seat, person, "unsure")
    if replies.declines(mail):
        return OfferDeclined(
            number=mail.table.head + 1,
            noted=mail.now,
            seat=seat,
            person=person,
            cause=mail.parcel.mail.digest,
            key=mail.key,
            message_id=mail.parcel.letter.message_id,
        )
    if not replies.agrees(mail):
        return _letter(mail, seat, person, "no yes")
    zone, _ = seating.zone(mail.new_lines)
    letter = mail.parcel.letter
    mail.arena.people.amend(person, zone=zone, guessed=mail.offset, name=letter.name)
    return OfferAccepted(
        number=mail.table.head + 1,
        noted=mail.now,
        seat=seat,
        person=person,
        ruling=offer.number,
        cause=mail.parcel.mail.digest,
        key=mail.key,
        message_id=letter.message_id,
    )


def answer_past_player(mail: Arrival) -> Case | None:
    """Tell whoever had a seat, and has no part in the game any more, that nothing of their mail counts."""
    person, table = mail.person, mail.table
    if person is None or any(person == one for _, one in authority.roles(table)):
        return None
    seat = next((seat for seat, past in table.past.items() if person in past), None)
    if seat is None:
        return None
    if table.status == "sign-up" and person in table.invited:
        return None  # they were asked to come back
    view = SeatReplaced(name=table.label(seat) if seat in table.seats else "", over=table.status == "over")
    return case(mail.parcel, "replaced", view=view, to=mail.parcel.sender, table=table)


def _offered(mail: Arrival) -> tuple[Seat, Person] | None:
    """Return which seat a mail's token says was offered to whom, now or once."""
    if not mail.parcel.token:
        return None
    table, arena = mail.table, mail.arena
    open_to = {one.ruling.person for one in replace.offers(table).values()}
    people = {one for one in (mail.person, *open_to) if one}
    for seat, seated in table.seats.items():
        for person in people - {seated.person}:
            for past in range(len(table.past.get(seat, ())) + 1):
                if arena.offer_token(table, seat, person, past) == mail.parcel.token:
                    return seat, person
    return None


def _letter(mail: Arrival, seat: Seat, person: Person, stage: Literal["gone", "unsure", "no yes"]) -> Case:
    """Write to the address that the seat was offered to, and to no other."""
    table = mail.table
    token = mail.arena.offer_token(table, seat, person, len(table.past.get(seat, ())))
    view, to = SeatOffered(stage=stage, name=table.label(seat)), mail.arena.people.address(person)
    return case(mail.parcel, "offered", view=view, to=to, table=table, token=token)
