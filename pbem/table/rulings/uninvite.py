"""`uninvite ADDRESS`: asks somebody no more who was invited and has no seat, before the game begins."""

from datetime import datetime
from typing import Self

import msgspec

from pbem.ground.terms import Person
from pbem.language.phrases import Unread
from pbem.table.model.table import BaseRuling, Table
from pbem.table.rulings import naming


class Uninvite(BaseRuling, frozen=True, kw_only=True, tag="uninvite"):
    """Keep no seat for a person any more; their invitation takes none."""

    person: Person

    when = "sign-up"
    not_now = "The game has begun, so no invitation takes a seat any more. Nothing was done."
    is_numbered = False
    is_unprinted = True
    is_guarded = True
    section = "PLAYERS"
    forms = ("uninvite ADDRESS",)
    says = "Before the game begins: keeps no seat for them any more. They hear of it when they answer."

    @classmethod
    def read(cls, table: Table, rest: str, because: str) -> Self | Unread:
        """Read whose invitation it is."""
        person = naming.find_person(rest)
        if person is None:
            return Unread("unreadable", "This names no address, or more. Write uninvite ADDRESS. Nothing was done.")
        return person if isinstance(person, Unread) else cls(person=person, because=because)

    def unfit(self, table: Table) -> Unread | None:
        """Refuse who was not invited, or has taken a seat."""
        seat = next((seat for seat, one in table.seats.items() if one.person == self.person), None)
        if seat:
            name = table.label(seat)
            said = f"Whoever has that address plays {name}. To take the seat away: eject {name}. Nothing was done."
            return Unread("illegal", said)
        if self.person not in table.invited:
            return Unread("illegal", "Nobody with that address was invited. Nothing was done.")
        return None

    def act(self, table: Table, noted: datetime) -> Table:
        """Keep no seat for them."""
        invited = tuple(one for one in table.invited if one != self.person)
        return msgspec.structs.replace(table, invited=invited, uninvited=(*table.uninvited, self.person))
