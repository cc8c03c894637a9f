"""`back`: puts the set on hand again that the last one replaced."""

from typing import Self

from pbem.ground.terms import Seat
from pbem.language.phrases import Unread
from pbem.table.model.table import Table
from pbem.table.requests.base import BaseRequest


class Back(BaseRequest, frozen=True, kw_only=True, tag="back"):
    """Have on hand what was there before the last set, change or `cancel`; a second one takes the first back."""

    also = ("go back", "undo")
    is_about_the_set = True

    @classmethod
    def read(cls, table: Table, seat: Seat | None, rest: str) -> Self | Unread | None:
        """Read it alone, or with a courtesy; any other words make a sentence of it."""
        return cls() if rest.casefold().strip(" ,.!") in ("", "please") else None
