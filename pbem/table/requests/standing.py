"""`standing on` and `standing off`: whether a set stands in later phases of its kind too."""

from typing import Self

from pbem.ground.terms import Seat
from pbem.language.phrases import Unread
from pbem.table.model import hands
from pbem.table.model.sets import Kept
from pbem.table.model.table import Table
from pbem.table.requests.base import BaseRequest


class Standing(BaseRequest, frozen=True, kw_only=True, tag="standing"):
    """Let what is on hand stand from now on, or nothing any more."""

    is_on: bool

    is_about_the_set = True

    @classmethod
    def read(cls, table: Table, seat: Seat | None, rest: str) -> Self | Unread | None:
        """Read on, or off."""
        word = rest.lower()
        return cls(is_on=word == "on") if word in ("on", "off") else Unread("unreadable", WANTED)

    def show(self, table: Table) -> str:
        """Write on, or off."""
        return "on" if self.is_on else "off"

    def act(self, table: Table, seat: Seat) -> Table:
        """Keep the set; or let nothing stand, though the charter would let it."""
        if self.is_on:
            return hands.keep_standing(table, seat)
        kept = tuple(one for one in table.sets.later.get(seat, ()) if not one.kind)
        nothing = tuple(Kept(kind=kind) for kind in table.charter.standing)
        return table.with_sets(seat, later=(*kept, *nothing))


WANTED = "Write standing on, or standing off."
