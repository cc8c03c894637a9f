"""`eject NAME`, or `unseat NAME`: takes a seat away, before the game begins."""

from datetime import datetime
from typing import Self

from pbem.ground.terms import Seat
from pbem.language.phrases import Unread
from pbem.table.model import seating
from pbem.table.model.table import BaseRuling, Table
from pbem.table.rulings import naming


class Eject(BaseRuling, frozen=True, kw_only=True, tag="eject"):
    """Take a seat away from whoever has it; they can be invited again."""

    seat: Seat

    when = "sign-up"
    not_now = (
        "The game has begun, so no seat is taken away. replace NAME by ADDRESS gives it to somebody else; excuse NAME "
        "lets the phase go on without them; strike NAME NUMBER takes out an order. Nothing was done."
    )
    is_numbered = False
    is_for_good = True
    is_unprinted = True
    is_guarded = True
    section = "PLAYERS"
    forms = ("eject Mantisman",)

    @classmethod
    def read(cls, table: Table, rest: str, because: str) -> Self | Unread:
        """Read whose seat it is."""
        if not rest:
            return Unread("unreadable", f"This names no player. Write {cls.verb()} NAME. Nothing was done.")
        seat = naming.find_seat(table, rest.rstrip(" .!"))
        if isinstance(seat, Unread):
            return Unread("illegal", f"{seat.because} Nothing was done.")
        return cls(seat=seat, because=because)

    def unfit(self, table: Table) -> Unread | None:
        """Refuse a seat that is taken away already."""
        return None if self.seat in table.seats else Unread("illegal", "Nobody has that seat. Nothing was done.")

    def act(self, table: Table, noted: datetime) -> Table:
        """Take it away; letters to whoever had it count no more."""
        return seating.unseat(table, self.seat)


class Unseat(Eject, frozen=True, kw_only=True, tag="unseat"):
    """The same, in the other word that people have for it."""

    forms = ("unseat Mantisman",)
    says = (
        "Before the game begins: takes the seat away, and tells whoever had it. This cannot be undone; invite again "
        "ADDRESS lets them back."
    )
