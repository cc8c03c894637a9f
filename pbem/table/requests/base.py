"""What every request of a person has in common: how it is read, what it does, and whether a letter answers it."""

import re
from collections.abc import Mapping
from typing import ClassVar, NamedTuple, Self

import msgspec

from pbem.ground.terms import Facts, Seat
from pbem.language.phrases import Unread
from pbem.speech.typed import asked
from pbem.table.clock.views import BaseView
from pbem.table.model.table import Table


class Answer(NamedTuple):
    """The letter that answers a request: its view, and the ruleset's parts of it."""

    view: BaseView
    parts: Mapping[str, Facts] = {}

    @property
    def template(self) -> str:
        """The letter's file without `.j2`."""
        return self.view.template


_AFTER_ALL = re.compile(r"[\s,]*\bafter all[\s.!]*$", re.IGNORECASE)


def is_alone(rest: str) -> bool:
    """Say whether behind a request's word there are kind words alone: `please`, `after all`."""
    return not _AFTER_ALL.sub("", asked(f" {rest}")).strip(" .!?,")


class BaseRequest(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="word", omit_defaults=True, forbid_unknown_fields=True
):
    """
    Something that a person asks for besides orders and rulings: the base of the classes in this folder.

    Shape: its tag is the word that a line begins with; `also` are other spellings of it. `is_about_the_set` where it
    touches what is on hand, so that it comes too late with the orders; `is_for_moderator` where one can ask for it;
    `canonical` names the field that holds lines of the ruleset's.
    """

    also: ClassVar[tuple[str, ...]] = ()
    is_about_the_set: ClassVar[bool] = False
    is_for_moderator: ClassVar[bool] = False
    canonical: ClassVar[str] = ""

    @classmethod
    def word(cls) -> str:
        """Return the word that a line with this request begins with."""
        return str(cls.__struct_config__.tag)

    @classmethod
    def read(cls, table: Table, seat: Seat | None, rest: str) -> Self | Unread | None:
        """
        Read what a person wrote behind the word; None where the line is no request after all.

        Shape: `seat` is None for the moderator.
        """
        return cls() if is_alone(rest) else None

    def show(self, table: Table) -> str:
        """Write what stands behind the word, as letters have it."""
        return ""

    def act(self, table: Table, seat: Seat) -> Table:
        """Do to the table what was asked for."""
        return table

    def answer(self, table: Table, seat: Seat | None) -> Answer | None:
        """Return what the letter of its own says, where it has one; `seat` is None for the moderator."""
        return None
