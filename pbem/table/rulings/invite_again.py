"""`invite again`: sends the invitation once more, to all who have not answered it or to one person."""

from datetime import datetime
from typing import Self

from pbem.ground.terms import Person
from pbem.language.phrases import Unread
from pbem.table.model import seating
from pbem.table.model.table import BaseRuling, Table
from pbem.table.rulings import naming


class InviteAgain(BaseRuling, frozen=True, kw_only=True, tag="invite again"):
    """Ask once more whoever was invited and has no seat: all of them, or one, whose seat may have been taken away."""

    person: Person | None = None

    when = "sign-up"
    not_now = "The game has begun; nobody can join it any more."
    section = "PLAYERS"
    forms = ("invite again", "invite again ADDRESS")
    says = (
        "Sends the invitation once more to all who have not answered it, or to one of them. An address lets somebody "
        "come back whose seat you took away."
    )

    @classmethod
    def read(cls, table: Table, rest: str, because: str) -> Self | Unread:
        """Read who is meant, if not all."""
        if not rest.strip(" .!?"):
            return cls(because=because)
        person = naming.find_person(rest)
        if person is None:
            return Unread("unreadable", "To rule that, write invite again alone on its line, or with one address.")
        return person if isinstance(person, Unread) else cls(person=person, because=because)

    def unfit(self, table: Table) -> Unread | None:
        """Refuse where all have answered, and who has a seat or was never invited."""
        if self.person is None:
            return None if seating.absent(table) else Unread("illegal", "All who were invited have a seat.")
        seat = next((seat for seat, one in table.seats.items() if one.person == self.person), None)
        if seat:
            return Unread("illegal", f"Whoever has that address plays {table.label(seat)} already. Nobody was asked.")
        if self.person in (*table.invited, *table.uninvited) or seating.was_unseated(table, self.person):
            return None
        said = "Nobody of that address was invited. To do so, write: invite ADDRESS. Nobody was asked."
        return Unread("illegal", said)

    def show(self) -> str:
        """Write who is invited again."""
        return f"{self.verb()} {self.person}" if self.person else self.verb()

    def act(self, table: Table, noted: datetime) -> Table:
        """Keep a seat for somebody again whose seat was taken away."""
        if self.person is None or self.person in table.invited:
            return table
        return seating.invite(table, self.person)
