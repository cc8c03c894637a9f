"""`headline: ...` and `story: ...`: the moderator's own words above the report of a phase."""

from typing import Self

from pbem.language.phrases import Unread
from pbem.table.model.table import BaseRuling, Table


class Headline(BaseRuling, frozen=True, kw_only=True, tag="headline"):
    """What stands above all else in the next report; the latest counts."""

    text: str

    is_prose = True
    has_colon = True
    section = "THE PROOF AND THE REPORT"
    forms = ("headline: A FEW WORDS",)

    @classmethod
    def read(cls, table: Table, rest: str, because: str) -> Self | Unread:
        """Take all behind the colon; before the game begins there is no report that it could stand in."""
        if table.status == "sign-up":
            because = "The game has not begun, and no report follows yet; to all: and your words reaches everybody now."
            return Unread("illegal", because)
        return cls(text=rest) if rest else Unread("unreadable", f"Write {cls.verb()}: and then your words.")

    def show(self) -> str:
        """Write the words behind their colon."""
        return f"{self.verb()}: {self.text}"


class Story(Headline, frozen=True, kw_only=True, tag="story"):
    """What is told below the headline of the next report, each in a paragraph of its own."""

    forms = ("story: YOUR WORDS",)
    says = "Stand above the next report, as you wrote them: a paragraph, up to a blank line."
