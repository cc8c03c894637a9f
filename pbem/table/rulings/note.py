"""`note TEXT`: a line of the moderator's in the next report."""

from typing import Self

from pbem.language.phrases import Unread
from pbem.table.model.table import BaseRuling, Table


class Note(BaseRuling, frozen=True, kw_only=True, tag="note"):
    """A line of the moderator's in the next report, printed as it was written."""

    text: str

    is_fact = True
    is_prose = True
    section = "THE PROOF AND THE REPORT"
    forms = ("note A LINE FOR THE REPORT",)
    says = (
        "Is printed in the next report as you wrote it; at the proof, a new one shows it, unless approve is in the "
        "same mail."
    )

    @classmethod
    def read(cls, table: Table, rest: str, because: str) -> Self | Unread:
        """Take all that stands there: a reason is words of it like any others."""
        return cls(text=rest) if rest else Unread("unreadable", "Write note and then the line for the report.")
