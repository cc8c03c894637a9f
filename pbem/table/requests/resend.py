"""`resend`, `resend Round 3`: the report of a phase again, as its reader had it."""

import re
from typing import Self

from pbem.ground.terms import Seat
from pbem.language.phrases import Unread
from pbem.speech.typed import asked
from pbem.table.clock.views import BaseView
from pbem.table.model.charter import HouseRule
from pbem.table.model.table import Table
from pbem.table.requests.base import Answer, BaseRequest

_LAST = re.compile(
    r"(?:me )?(?:it|that|this|(?:(?:the|my|your|that) )?(?:last |latest )?(?:letter|report|e?mail|message|form))"
)
_TITLED = re.compile(r"(?:(?:the )?(?:report|letter) (?:of|for|from) )?([^\W\d_]+(?: [0-9]{1,4})?(?:,? .{1,30})?)")


class Resent(BaseView, frozen=True, kw_only=True):
    """
    A report once more, or the letter with which the phase opened.

    Shape: `report_of` names the phase, "" for the latest; where the opening of the game is sent (`opens`), `names` and
    `unusual` are those of its players and the house rules that are not the default.
    """

    template = "resend"
    sought = ("reports",)

    report_of: str
    is_latest: bool = False
    opens: bool = False
    names: tuple[str, ...] = ()
    unusual: tuple[HouseRule, ...] = ()


class Resend(BaseRequest, frozen=True, kw_only=True, tag="resend"):
    """Have again what this phase opened with and is asked in it, or the report of an earlier one; its title in ours."""

    wanted: str = ""

    is_for_moderator = True

    @classmethod
    def read(cls, table: Table, seat: Seat | None, rest: str) -> Self | Unread | None:
        """Read the title of a phase, if one is named, or words for the last letter; others make a sentence of it."""
        said = " ".join(asked(f" {rest}").strip(" .!?,").split())
        if not said or _LAST.fullmatch(said.casefold()):
            return cls()
        match = _TITLED.fullmatch(said.casefold())
        title = table.own_title(match[1]) if match else ""
        kinds = {kind.casefold() for kind in table.ruleset.phase_kinds}
        known = kinds | set(table.own_title(table.title).split())
        is_title = bool(title) and title.split()[0].rstrip(",") in known and len(title.split()) <= 4
        return cls(wanted=title) if is_title else None

    def answer(self, table: Table, seat: Seat | None) -> Answer:
        """Say what is wanted; the letter finds on file what went out."""
        return Answer(Resent(report_of=table.worded(self.wanted).title()))
