"""`accept late NAME`: lets a set count that came when its phase had closed; nobody has seen what is in it."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Self

from pbem.ground.terms import Seat
from pbem.language import phrases
from pbem.language.phrases import Unread
from pbem.table.clock import late
from pbem.table.model import hands
from pbem.table.model.table import BaseRuling, Table
from pbem.table.rulings import naming


class AcceptLate(BaseRuling, frozen=True, kw_only=True, tag="accept late"):
    """Let late sets count in place of what was on hand; who sent one was not absent then."""

    seats: tuple[Seat, ...]

    is_unseen = True
    section = "ORDERS"
    forms = ("accept late Mantisman", "accept late all")
    says = (
        "At the proof: a set that came too late counts after all. I tell you of one, and how late it is, not what is "
        "in it; the new proof has it. None counts where somebody was asked in the middle and has seen all orders."
    )

    @classmethod
    def read(cls, table: Table, rest: str, because: str) -> Self | Unread:
        """Read whose sets are accepted."""
        if rest.strip(" .!").casefold() in ("all", "both", "everybody", "everyone"):
            seats = late.offered(table)
            return cls(seats=seats, because=because) if seats else Unread("illegal", _none(table))
        if not rest:
            return Unread("illegal", f"Say whose: accept late NAME. {_none(table)}")
        found = [naming.find_seat(table, name.strip()) for name in re.split(r",|&|\band\b", rest) if name.strip()]
        wrong = next((one for one in found if isinstance(one, Unread)), None)
        if wrong:
            return Unread("illegal", wrong.because)
        seats = tuple(dict.fromkeys(one for one in found if not isinstance(one, Unread)))
        # This is asked here alone: games of before have accepted such sets, and their journals stay readable.
        barred = next((late.barred(table, seat) for seat in seats if seat in table.sets.late), "")
        return Unread("illegal", barred) if barred else cls(seats=seats, because=because)

    def show(self) -> str:
        """Write whose sets they are."""
        return f"{self.verb()} {', '.join(self.seats)}"

    def unfit(self, table: Table) -> Unread | None:
        """Refuse what never came, what is published, and what those sent who have seen how the phase went."""
        if table.sealed:
            return Unread("illegal", "There is no proof yet. Accept late sets once you have it.")
        for seat in self.seats:
            if seat not in table.seats or seat not in table.sets.late:
                return Unread("illegal", f"No late set of {table.label(seat)}'s waits. {_none(table)}")
            if because := late.has_seen(table, seat):
                return Unread("illegal", because)
            if hands.unfit(table, seat, table.sets.late[seat].held.orders):  # which line it is would tell what is in it
                return Unread(
                    "illegal", f"As things stand now the late set of {table.label(seat)}'s cannot be ordered."
                )
        return None

    def act(self, table: Table, noted: datetime) -> Table:
        """Put the sets on hand."""
        for seat in self.seats:
            table = late.accept(table, seat)
        return table

    def concerns(self, seat: Seat) -> bool:
        """Tell those whose sets they are."""
        return seat in self.seats

    @staticmethod
    def accepted(table: Table) -> Mapping[Seat, tuple[int, ...]]:
        """Return by which rulings of this phase late sets of a seat were accepted."""
        ruled = [one for one in table.rulings if isinstance(one.ruling, AcceptLate)]
        return {seat: tuple(one.number for one in ruled if seat in one.ruling.seats) for seat in table.seats}

    def reported(self) -> str:
        """Say whose sets were accepted."""
        return f"late orders of {phrases.listed(self.seats, 'and')} were accepted"


def _none(table: Table) -> str:
    names = [table.label(seat) for seat in late.offered(table)]
    waiting = f"Those of {phrases.listed(names, 'and')} wait." if names else "No late set waits that could be accepted."
    return f"{waiting} Once the report is out it is too late."
