"""Looks whether the name under which somebody wants to stand on the pages is another person's."""

import msgspec

from pbem.ground.terms import Complaint, Person
from pbem.hall.store.arena import Arena
from pbem.language import phrases
from pbem.table.fold.journal import OrdersReceived
from pbem.table.model.table import Table
from pbem.table.requests.public_name import PublicName

TAKEN = "Somebody else is known by that name, or by one that looks like it. Choose another."


def checked(arena: Arena, table: Table, person: Person, entry: OrdersReceived) -> OrdersReceived:
    """
    Return a player's entry without a wish for a name that is somebody else's, and with a complaint of it.

    Shape: `table` knows of mails that came with this one, whose wishes are not noted yet.
    """
    wishes = [one for one in entry.requests if isinstance(one, PublicName) and one.name]
    taken = [one for one in wishes if _is_taken(arena, table, person, one.name)]
    if not taken:
        return entry
    complaints = tuple(Complaint(0, f"publish {one.show(table)}", "illegal", TAKEN) for one in taken)
    requests = tuple(one for one in entry.requests if one not in taken)
    return msgspec.structs.replace(entry, requests=requests, complaints=(*entry.complaints, *complaints))


def _is_taken(arena: Arena, table: Table, person: Person, name: str) -> bool:
    if arena.people.called(name) not in (None, person):
        return True
    seen = phrases.glance(name)
    others = (one for one in table.log if isinstance(one, OrdersReceived) and table.seats[one.seat].person != person)
    return any(
        isinstance(wish, PublicName) and phrases.glance(wish.name) == seen for one in others for wish in one.requests
    )
