"""`mail: html`, `mail: text`: the form in which somebody's reports come."""

from typing import Literal, Self

from pbem.ground.terms import Seat
from pbem.language.phrases import Unread
from pbem.table.model.table import Table
from pbem.table.requests.base import BaseRequest

_FORMS: dict[str, Literal["html", "text"]] = {"html": "html", "text": "text", "plain text": "text", "plain": "text"}


class MailForm(BaseRequest, frozen=True, kw_only=True, tag="mail"):
    """Send reports as HTML too, beside the text that is always there, or as text alone."""

    form: Literal["html", "text"]

    @classmethod
    def read(cls, table: Table, seat: Seat | None, rest: str) -> Self | Unread | None:
        """Read one of the two forms; all else behind the word is talk."""
        form = _FORMS.get(rest.strip(" .!").casefold())
        return cls(form=form) if form else None

    def show(self, table: Table) -> str:
        """Write the form."""
        return self.form
