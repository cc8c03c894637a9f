"""`redact press 12`, `redact P03`: takes a text off the pages for everybody."""

import re
from typing import Self

from pbem.language.phrases import Unread
from pbem.table.model.table import BaseRuling, Table

_WHAT = re.compile(r"(?P<kind>press|message|post)?\s*(?:no\.?\s*|#\s*)?(?P<which>[A-Za-z]?\d{1,6})", re.IGNORECASE)


class Redact(BaseRuling, frozen=True, kw_only=True, tag="redact"):
    """
    Take press or a post, by its number, or the text of a thing, such as a power, off the pages for everybody.

    Shape: `digest` is that of the text, which the journal keeps for replay: the hall looks it up and puts it here. It
    is printed nowhere.
    """

    what: str
    digest: str = ""

    makes_proof = False
    is_lasting = True
    section = "THE PROOF AND THE REPORT"
    forms = ("redact press 12", "redact post 3", "redact P03")
    says = (
        "Takes words of a player's to all, or what was posted to the game's list, by the number that the pages for "
        "everybody show, or the text of a power off these pages. What letters have sent stays sent."
    )

    @classmethod
    def read(cls, table: Table, rest: str, because: str) -> Self | Unread:
        """Read what it is about; whether there is such a text the hall finds out."""
        found = _WHAT.fullmatch(rest.strip().rstrip(".!"))
        if found is None or bool(found["kind"]) is not found["which"].isdigit():
            return Unread("unreadable", "Write redact press 12, with the number on the page, or redact P03.")
        which = found["which"]
        kind = "post" if (found["kind"] or "").lower() == "post" else "press"
        what = f"{kind} {int(which)}" if found["kind"] else f"{which[0].upper()}{int(which[1:]):02}"
        return cls(what=what, because=because)

    def show(self) -> str:
        """Write what it is about; never what stood there."""
        return f"{self.verb()} {self.what}"
