"""Mail of whoever is asked to be the deputy of a moderator who plays: their yes, or their no."""

from typing import Literal

from pbem.ground.terms import Person
from pbem.hall.mail.incoming.arrival import authority, replies
from pbem.hall.mail.incoming.arrival.arrival import Arrival
from pbem.hall.mail.incoming.desk.desk import Case, case
from pbem.hall.mail.outgoing.views import SeatOffered
from pbem.table.fold import deputies
from pbem.table.fold.journal import DeputyAnswered
from pbem.table.rulings.deputy import offer


def answer(mail: Arrival) -> DeputyAnswered | Case | None:
    """Take the yes or the no of whoever is asked to be the deputy; None for all other mail."""
    person = _asked(mail)
    if person is None:
        return None
    if deputies.barred(mail.table, person):
        return _letter(mail, person, "gone")
    if mail.parcel.sender.lower() != mail.arena.people.address(person).lower() or not replies.may_be_theirs(mail):
        return _letter(mail, person, "unsure")
    is_no = replies.declines(mail)
    if not is_no and not replies.agrees(mail):
        return _letter(mail, person, "no yes")
    letter = mail.parcel.letter
    mail.arena.people.amend(person, guessed=mail.offset, name=letter.name)
    return DeputyAnswered(
        number=mail.table.head + 1,
        noted=mail.now,
        person=person,
        is_yes=not is_no,
        cause=mail.parcel.mail.digest,
        key=mail.key,
        message_id=letter.message_id,
    )


def _asked(mail: Arrival) -> Person | None:
    """Return who is asked, or was once, by the letter whose token a mail holds."""
    asked = offer(mail.table)
    people = {one for one in (mail.person, asked.ruling.person if asked else None) if one}
    insiders = {person for _, person in authority.roles(mail.table)}
    found = (one for one in people - insiders if mail.arena.deputy_token(mail.table, one) == mail.parcel.token)
    return next(found, None) if mail.parcel.token else None


def _letter(mail: Arrival, person: Person, stage: Literal["gone", "unsure", "no yes"]) -> Case:
    """Write to the address that was asked, and to no other."""
    to, token = mail.arena.people.address(person), mail.arena.deputy_token(mail.table, person)
    return case(mail.parcel, "offered", view=SeatOffered(stage=stage), to=to, table=mail.table, token=token)
