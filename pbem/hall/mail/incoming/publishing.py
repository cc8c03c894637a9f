"""Looks whether the name under which somebody wants to stand on the pages is another person's."""

import msgspec

from pbem.hall.store.arena import Arena
from pbem.table.journal import OrdersReceived
from pbem.table.requests.public_name import PublicName
from pbem.terms import Complaint, Person

TAKEN = "Somebody else is known by that name, or by one that looks like it. Choose another."


def checked(arena: Arena, person: Person, entry: OrdersReceived) -> OrdersReceived:
    """Return a player's entry without a wish for a name that is somebody else's, and with a complaint of it."""
    wishes = [one for one in entry.requests if isinstance(one, PublicName) and one.name]
    taken = [one for one in wishes if arena.people.called(one.name) not in (None, person)]
    if not taken:
        return entry
    complaints = tuple(Complaint(0, f"publish {one.show(None)}", "illegal", TAKEN) for one in taken)  # type: ignore[arg-type]
    requests = tuple(one for one in entry.requests if one not in taken)
    return msgspec.structs.replace(entry, requests=requests, complaints=(*entry.complaints, *complaints))
