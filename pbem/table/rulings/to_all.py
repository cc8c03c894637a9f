"""`to all: ...`: the moderator's words to everybody, which leave after a while, so that `undo` is in time; `now`."""

from datetime import datetime
from typing import Self

import msgspec

from pbem.language.phrases import Unread
from pbem.table.model.table import Announced, BaseRuling, Table


class ToAll(BaseRuling, frozen=True, kw_only=True, tag="to all"):
    """Say something to all players, before the next report."""

    text: str

    is_prose = True
    is_talk = True
    has_colon = True
    makes_proof = False
    section = "WORDS TO PLAYERS"
    forms = ("to all: YOUR WORDS",)
    says = "Goes to everybody in ten minutes: until then undo takes it back, and now sends it."

    @classmethod
    def read(cls, table: Table, rest: str, because: str) -> Self | Unread:
        """Take all behind the colon."""
        return cls(text=rest) if rest else Unread("unreadable", "Write to all: and then your words.")

    def show(self) -> str:
        """Write the words as they were given."""
        return f"{self.verb()}: {self.text}"

    def act(self, table: Table, noted: datetime) -> Table:
        """Let it wait for its time."""
        said = Announced(table.ruled, self.text, noted)
        return msgspec.structs.replace(table, announced=(*table.announced, said))


class Now(BaseRuling, frozen=True, kw_only=True, tag="now"):
    """Send at once what waits to go to all."""

    is_numbered = False
    is_fixed = True
    is_talk = True
    makes_proof = False
    section = "WORDS TO PLAYERS"
    forms = ("now",)
    says = "Sends what waits to go to all."

    def unfit(self, table: Table) -> Unread | None:
        """Refuse where nothing waits."""
        return None if table.announced else Unread("illegal", "Nothing of yours waits to go to all.")

    def act(self, table: Table, noted: datetime) -> Table:
        """Let nothing wait any longer."""
        return msgspec.structs.replace(
            table, announced=tuple(msgspec.structs.replace(one, is_due=True) for one in table.announced)
        )
