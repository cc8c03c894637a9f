"""`help`, `rules`, `history` and `archive`: letters to read, which are sent to whoever asks for them."""

import re
from typing import ClassVar, Self

from pbem import rulebook
from pbem.phrases import Unread
from pbem.ruleset import LibraryRuleset
from pbem.speech.typed import asked
from pbem.table.game_terms import charter_facts, house_rules
from pbem.table.requests.base import Answer, BaseRequest
from pbem.table.table import Table
from pbem.terms import Facts, Seat

MOST_WORDS = 5
"""By so many words the archive is searched at once; more are a sentence."""


MOST_SOUGHT = 3
"""By so many words the rules are searched at once."""


class Help(BaseRequest, frozen=True, kw_only=True, tag="help"):
    """Have the handbook or, with its word behind help, the ruleset's own manual."""

    about: str = ""

    is_for_moderator = True

    @classmethod
    def read(cls, table: Table, seat: Seat | None, rest: str) -> Self | Unread | None:
        """Read which manual is wanted."""
        about = asked(f" {rest}").strip(" .!?").lower()
        return cls(about=about) if about in ("", table.manual) else None

    def answer(self, table: Table) -> Answer:
        """Say how orders are written, or how the pieces of the ruleset's library are."""
        if not self.about:
            has_teams = table.state is not None and bool(table.ruleset.sides(table.state))
            facts: Facts = {"about": "", "press": table.charter.press, "has_teams": has_teams}
            return Answer("help", facts, handbook(table))
        ruleset = table.ruleset
        parts = {"manual": dict(ruleset.manual())} if isinstance(ruleset, LibraryRuleset) else {}
        return Answer("manual", {"about": self.about}, parts)


def handbook(table: Table, *, moderator: bool = False) -> dict[str, Facts]:
    """Return the part that says how orders are written; for the moderator also what powers can be said to do."""
    figures = dict(table.ruleset.figures)
    return {"handbook": {"house": table.house, "figures": figures, "moderator": moderator}}


class Rules(BaseRequest, frozen=True, kw_only=True, tag="rules"):
    """Have the terms of the game or, with words behind it, each rule that has them all, or that has such a number."""

    words: str = ""

    is_for_moderator = True
    template: ClassVar[str] = "terms"
    """The letter that answers it, to the moderator too."""

    @classmethod
    def read(cls, table: Table, seat: Seat | None, rest: str) -> Self | Unread | None:
        """Read the words; more of them than one looks for are a sentence."""
        words = " ".join(asked(f" {rest}").strip(" .!?").split())
        return cls(words=words) if len(words.split()) <= MOST_SOUGHT else None

    def answer(self, table: Table) -> Answer:
        """Say what holds in this game, or what its rules say of something."""
        house, written = house_rules(table), rulebook.rules(table.ruleset)
        rows: list[Facts] = []
        if self.words:
            house = [row for row in house if self._is_in(row["rule"], row["says"])]
            said = ((number, table.worded(text)) for number, text in written.items())
            rows = [{"rule": number, "says": text} for number, text in said if self._is_in(number, text)]
        facts: Facts = {"about": self.words, "house": house, "written": rows, "rules_written": bool(written)}
        return Answer(self.template, charter_facts(table) | facts, {})

    def _is_in(self, number: str, text: str) -> bool:
        if self.words.casefold() == number.casefold():
            return True
        return all(re.search(rf"\b{re.escape(word)}", text, re.IGNORECASE) for word in self.words.split())


class History(BaseRequest, frozen=True, kw_only=True, tag="history"):
    """Have the report of a phase once more, or the list of them."""

    wanted: str = ""

    @classmethod
    def read(cls, table: Table, seat: Seat | None, rest: str) -> Self | Unread | None:
        """Read the title of a phase, if one is named."""
        return cls(wanted=rest.strip())

    def answer(self, table: Table) -> Answer:
        """Say which reports there are."""
        return Answer("history", {"wanted": table.worded(self.wanted)}, {})


class Archive(BaseRequest, frozen=True, kw_only=True, tag="archive"):
    """Have what the ruleset's library has, all of it or what holds some words."""

    words: str = ""

    is_for_moderator = True

    @classmethod
    def read(cls, table: Table, seat: Seat | None, rest: str) -> Self | Unread | None:
        """Read the words; a sentence is no request."""
        words = " ".join(rest.strip(" .!?").split())
        if not table.manual or len(words.split()) > MOST_WORDS or (seat is None and ":" in words):
            return None
        return cls(words=words)

    def answer(self, table: Table) -> Answer:
        """Show the pieces."""
        ruleset = table.ruleset
        found = list(ruleset.search(self.words)) if isinstance(ruleset, LibraryRuleset) else []
        return Answer("archive", {"about": self.words}, {"archive": {"words": self.words, "pieces": found}})
