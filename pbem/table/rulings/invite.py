"""`invite ADDRESS`: asks one more person to play, before the game begins."""

from datetime import datetime
from typing import Self

from pbem.ground.terms import Person
from pbem.language.phrases import Unread
from pbem.table.model import seating
from pbem.table.model.table import BaseRuling, Table
from pbem.table.rulings import naming


class Invite(BaseRuling, frozen=True, kw_only=True, tag="invite"):
    """Ask a person to take a seat, and keep one for them."""

    person: Person

    when = "sign-up"
    not_now = "The game has begun, so nobody can join it. To give a seat to somebody else: replace NAME by ADDRESS"
    is_numbered = False
    is_unprinted = True
    is_guarded = True
    is_everyday = True
    section = "PLAYERS"
    forms = ("invite ADDRESS",)
    says = "Before the game begins: asks one more person to play, and keeps a seat for them."

    @classmethod
    def read(cls, table: Table, rest: str, because: str) -> Self | Unread:
        """Read who is asked."""
        person = naming.find_person(rest)
        if person is None:
            return Unread(
                "unreadable", "This names no address, or more. Write invite ADDRESS, one a line. Nobody was asked."
            )
        return person if isinstance(person, Unread) else cls(person=person, because=because)

    def unfit(self, table: Table) -> Unread | None:
        """Refuse who has a seat or was invited before, and where no seat is free."""
        because = self._barred(table)
        return Unread("illegal", f"{because} Nobody was asked.") if because else None

    def _barred(self, table: Table) -> str:
        seat = next((seat for seat, one in table.seats.items() if one.person == self.person), None)
        if seat:
            return f"Whoever has that address plays {table.label(seat)} already."
        if seating.was_unseated(table, self.person):
            return "Whoever has that address had a seat that you took away. To let them back: invite again ADDRESS."
        if self.person in table.invited:
            return "That address was invited, and has not answered. To ask once more: invite again ADDRESS."
        if not seating.open_seats(table):
            seats = table.charter.seats
            return f"Each of the {seats} seats is taken or kept for whoever was invited. To free one: eject NAME."
        return ""

    def act(self, table: Table, noted: datetime) -> Table:
        """Keep a seat for them."""
        return seating.invite(table, self.person)
