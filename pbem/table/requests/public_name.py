"""`publish me as Zed`: the name under which a person stands on the pages for everybody, once a game is over."""

import re
import unicodedata
from typing import Self

from pbem.ground.terms import Seat
from pbem.language import phrases
from pbem.language.phrases import Unread
from pbem.table.model.table import Table
from pbem.table.requests.base import BaseRequest

NOBODY = "nobody"
"""The word that takes a name back."""
_AS = re.compile(r"(?:me\s+)?as\s+(.+)", re.IGNORECASE)


class PublicName(BaseRequest, frozen=True, kw_only=True, tag="publish"):
    """
    Name this person beside their seat on pages of games that are over; without such a wish pages know of seats alone.

    Shape: `name` is "" where they want to be named no more.
    """

    name: str

    @classmethod
    def read(cls, table: Table, seat: Seat | None, rest: str) -> Self | Unread | None:
        """Read the name; whether it is somebody else's the hall finds out."""
        found = _AS.fullmatch(rest.strip().rstrip(".!"))
        if found is None:
            return None
        name = " ".join(found[1].split())
        if name.lower() == NOBODY:
            return cls(name="")
        because = phrases.misleading(unicodedata.normalize("NFKC", name))
        return Unread("illegal", because) if because else cls(name=unicodedata.normalize("NFKC", name))

    def show(self, table: Table) -> str:
        """Write the wish."""
        return f"me as {self.name or NOBODY}"
