"""Mail of those who have no seat yet: an invitation taken up, a seat asked for and confirmed, or just a stranger."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from pbem.hall.mail.incoming import pending, unpacking
from pbem.hall.mail.incoming.desk import Case, case
from pbem.hall.mail.incoming.pending import Pending, Wish
from pbem.hall.mail.incoming.unpacking import Parcel
from pbem.hall.store.arena import Arena
from pbem.letters import addressing, courtesies
from pbem.phrases import Unread
from pbem.table import seating
from pbem.table.journal import PersonInvited, SeatTaken
from pbem.table.requests import Zone
from pbem.table.table import Table
from pbem.terms import OrderLine, Person

INVITED_AGAIN = 3
"""How often a day mail from somebody's address brings them their invitation once more."""


def join(
    arena: Arena, table: Table, parcel: Parcel, waiting: Pending | None, said: Sequence[OrderLine], now: datetime
) -> SeatTaken | Case | None:
    """Seat whoever answers an invitation, or confirms the wish for a seat that waits; None for all others."""
    person = arena.people.find(parcel.sender)
    wish = seating.wish(said)
    if parcel.token and person and parcel.token == _invitation(arena, table, person):
        return _take_seat(arena, table, parcel, person, wish[1] if wish else "", said, now)
    if waiting and waiting.why == "sign-up":
        if pending.digits_confirmed(said) is None and not wish:
            return _ask_to_confirm(table, parcel, waiting.name)
        person = arena.people.admit(parcel.sender, parcel.letter.name)
        return _take_seat(arena, table, parcel, person, waiting.name, said, now)
    return None


def invite_again(
    table: Table, parcel: Parcel, person: Person | None, said: Sequence[OrderLine], now: datetime
) -> PersonInvited | None:
    """Send an invitation once more, to its own address, to whoever asks for the seat without it; a few times a day."""
    if person not in seating.absent(table) or seating.shut(table, person) or not seating.wish(said):
        return None
    day = now - timedelta(days=1)
    sent = [one for one in table.log if isinstance(one, PersonInvited) and one.cause and one.person == person]
    if sum(one.noted > day for one in sent) >= INVITED_AGAIN:
        return None
    key = unpacking.key(parcel, said)
    return PersonInvited(number=table.head + 1, noted=now, person=person, cause=parcel.mail.digest, key=key)


def _invitation(arena: Arena, table: Table, person: Person) -> str:
    if person not in table.invited:
        return ""
    return addressing.token(arena.secret, table.charter.game, 0, f"invited {person}")


def _take_seat(
    arena: Arena, table: Table, parcel: Parcel, person: Person, name: str, said: Sequence[OrderLine], now: datetime
) -> SeatTaken | Case:
    seat = seating.seat_for(table, person, name)
    if isinstance(seat, Unread):
        facts = {"because": seat.because, "shut": bool(seating.shut(table, person))}
        role = f"invited {person}"
        return case(parcel, "refused", answer="refused", to=parcel.sender, facts=facts, token_role=role)
    zone, complaints = seating.zone(said)
    spoken = [
        line for line in said if not any(courtesies.courtesy(line.text, one) for one in (name, parcel.letter.name))
    ]
    if zone:
        arena.people.amend(person, zone=zone)
    return SeatTaken(
        number=table.head + 1,
        noted=now,
        seat=seat,
        name=name,
        person=person,
        cause=parcel.mail.digest,
        key=unpacking.key(parcel, said),
        requests=(Zone(zone=zone),) if zone else (),
        complaints=(*complaints, *seating.besides(spoken)),
    )


def answer_stranger(table: Table, parcel: Parcel, said: Sequence[OrderLine]) -> Case:
    """Ask whoever wants a seat to confirm it; all others get the one letter that strangers get."""
    wish = seating.wish(said)
    if not wish:
        return case(parcel, "stranger", answer="stranger", to=parcel.sender, facts={"open_games": []})
    seat = seating.seat_for(table, Person(""), wish[1])
    if isinstance(seat, Unread):
        facts = {"because": seat.because, "shut": bool(seating.shut(table, Person("")))}
        return case(parcel, "refused", answer="refused", to=parcel.sender, facts=facts)
    return _ask_to_confirm(table, parcel, wish[1])


def _ask_to_confirm(table: Table, parcel: Parcel, name: str) -> Case:
    """Ask whether it is the owner of an address who wants a seat; any other reply than that word asks once more."""
    facts = {"name": name, "ruleset": table.ruleset.title}
    return case(parcel, "sign-up", answer="confirm", to=parcel.sender, facts=facts, wish=Wish(name=name))
