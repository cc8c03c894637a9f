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
        words = re.sub(r"[\[\](),.!?\s]+", " ", asked(f" {rest}")).strip()
        found = cls(words=words)
        is_sought = len(words.split()) <= MOST_SOUGHT and (" " not in words or found._found(table))
        return found if is_sought else None

    def answer(self, table: Table) -> Answer:
        """Say what holds in this game, or what its rules say of something."""
        house = [row for row in house_rules(table) if self._is_in(table, row["rule"], row["says"])]
        written = bool(rulebook.rules(table.ruleset))
        facts: Facts = {"about": self.words, "house": house, "written": self._found(table), "rules_written": written}
        return Answer(self.template, charter_facts(table) | facts, {})

    def _found(self, table: Table) -> list[Facts]:
        """Return the rules that are sought; none where nothing is."""
        said = ((number, table.worded(text)) for number, text in rulebook.rules(table.ruleset).items())
        return [
            {"rule": number, "says": text} for number, text in said if self.words and self._is_in(table, number, text)
        ]

    def _is_in(self, table: Table, number: str, text: str) -> bool:
        """Say whether a rule has one of the numbers that are sought or, where none is one, all words."""
        sought = self.words.casefold().split()
        known = {one.casefold() for one in rulebook.rules(table.ruleset)}
        if sought and known.issuperset(sought):
            return number.casefold() in sought
        return all(re.search(rf"\b{re.escape(word)}", text, re.IGNORECASE) for word in sought)


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
