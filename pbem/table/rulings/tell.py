"""`to NAME: ...`: the moderator's words to some players, which nobody else reads."""

import re
from typing import Self

from pbem.ground.terms import Seat
from pbem.language import phrases
from pbem.language.phrases import Unread
from pbem.table.model.table import BaseRuling, Table
from pbem.table.rulings.naming import find_seat


class Tell(BaseRuling, frozen=True, kw_only=True, tag="to"):
    """Say something to some players, each of whom gets it as the moderator wrote it."""

    to: tuple[Seat, ...]
    text: str

    is_numbered = False
    is_prose = True
    is_talk = True
    makes_proof = False
    section = "WORDS TO PLAYERS"
    forms = ("to NAME: YOUR WORDS", "to NAME and NAME: YOUR WORDS")
    says = "Goes to them alone, a paragraph of it, up to a blank line; nobody else reads it, now or later."

    @classmethod
    def read(cls, table: Table, rest: str, because: str) -> Self | Unread:
        """Read who is meant, and take all behind the colon."""
        names, colon, text = rest.partition(":")
        if not colon or not text.strip():
            return Unread("unreadable", "To tell a player something, write to NAME: and then your words.")
        seats: list[Seat] = []
        for name in re.split(r",|&|\band\b", names):
            found = find_seat(table, name.strip())
            if isinstance(found, Unread):
                return Unread("illegal", f"{found.because} Nothing was passed on.")
            seats.append(found)
        return cls(to=tuple(dict.fromkeys(seats)), text=text.strip())

    def show(self) -> str:
        """Write to whom it went, and what."""
        return f"{self.verb()} {phrases.listed(self.to, 'and')}: {self.text}"

    def reported(self) -> str:
        """Write what nobody else reads as what it was alone."""
        return self.verb()
