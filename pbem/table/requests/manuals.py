"""`help`, `rules`, `history` and `archive`: letters to read, which are sent to whoever asks for them."""

import re
from typing import Self

import msgspec
from rapidfuzz import fuzz, process

from pbem.ground import rulebook
from pbem.ground.terms import Facts, Seat
from pbem.language.phrases import Unread
from pbem.ruleset import LibraryRuleset
from pbem.speech.typed import asked
from pbem.table import rulings
from pbem.table.clock.game_terms import house_rules, terms
from pbem.table.clock.views import BaseView
from pbem.table.model.charter import HouseRule, PressHouse
from pbem.table.model.table import BaseRuling, Table
from pbem.table.requests.base import Answer, BaseRequest

MOST_WORDS = 5
"""By so many words the archive is searched at once; more are a sentence."""

MOST_RULES = 2
"""So many rules are told with a topic."""

LONGEST_RULE = 220
"""Characters of a rule that is told with a topic; longer ones are sent for."""

_SOMEBODY = ("me", "us", "him", "her", "them", "someone", "somebody", "needed", "wanted", "out", "is", "i", "we", "my")
"""What follows help in a sentence."""

MOST_SOUGHT = 3
"""By so many words the rules are searched at once."""


class RulingForms(msgspec.Struct, frozen=True, kw_only=True):
    """A ruling as the handbook has it: its forms, what it does, and what follows from that."""

    forms: tuple[str, ...]
    says: str
    follows: tuple[str, ...] = ()


class WrittenRule(msgspec.Struct, frozen=True, kw_only=True):
    """A rule of the ruleset, by its number."""

    rule: str
    says: str


class Handbook(BaseView, frozen=True, kw_only=True):
    """How orders are written."""

    template = "help"

    press: PressHouse
    has_teams: bool
    has_threads: bool
    about: str = ""


class Topic(BaseView, frozen=True, kw_only=True):
    """What there is on a topic: rulings, or the `near` words of some, and rules; lines of the handbook come later."""

    template = "topic"
    sought = ("topic",)

    about: str
    rulings: tuple[RulingForms, ...]
    near: tuple[str, ...]
    rules: tuple[WrittenRule, ...]
    more_rules: bool


class Manual(BaseView, frozen=True, kw_only=True):
    """The ruleset's own manual."""

    template = "manual"

    about: str


class TermsAsked(BaseView, frozen=True, kw_only=True):
    """The terms of a game, or what has the words `about`: house rules, and rules as they are written."""

    template = "terms"

    about: str
    house: tuple[HouseRule, ...]
    written: tuple[WrittenRule, ...]
    rules_written: bool


class PastReports(BaseView, frozen=True, kw_only=True):
    """The reports of phases whose titles have the `wanted` words, or the list of all."""

    template = "history"
    sought = ("past_reports",)

    wanted: str


class ArchiveAsked(BaseView, frozen=True, kw_only=True):
    """What the ruleset's library has of the words `about`."""

    template = "archive"

    about: str


class Help(BaseRequest, frozen=True, kw_only=True, tag="help"):
    """Have the handbook, the ruleset's own manual by its word behind help, or what there is on a topic."""

    about: str = ""

    is_for_moderator = True

    @classmethod
    def read(cls, table: Table, seat: Seat | None, rest: str) -> Self | Unread | None:
        """Read which manual or topic is wanted; what is neither known nor one word is a sentence."""
        said = " ".join(asked(f" {rest}").strip(" .!?:").lower().split())
        about = re.sub(r"^(?:(?:on|about|with|for) )?(?:the )?", "", said)
        if about in ("", table.manual):
            return cls(about=about)
        words = about.split()
        is_topic = len(words) <= MOST_SOUGHT and all(re.fullmatch(r"[^\W\d][\w-]{1,29}", word) for word in words)
        if not is_topic or words[0] in _SOMEBODY:
            return None
        found = cls(about=about)
        if Rules(words=about).found(table) or (seat is None and found._rulings()):
            return found
        return found if len(words) == 1 and not _is_player(table, about) else None

    def show(self, table: Table) -> str:
        """Write the topic."""
        return self.about

    def answer(self, table: Table, seat: Seat | None) -> Answer:
        """Say how orders are written, or how the pieces of the ruleset's library are."""
        if not self.about:
            has_teams = table.state is not None and bool(table.ruleset.sides(table.state))
            charter = table.charter
            has_threads = charter.forum and charter.threads
            return Answer(Handbook(press=charter.press, has_teams=has_teams, has_threads=has_threads), handbook(table))
        if self.about != table.manual:
            rules = Rules(words=self.about).found(table)
            rulings_of_it = () if seat else self._rulings()
            verbs = tuple(dict.fromkeys(kind.verb() for kind in rulings.KINDS))
            close = process.extract(self.about, verbs, scorer=fuzz.ratio, limit=4, score_cutoff=60)
            near = () if seat else tuple(verb for verb, _, _ in close)
            short = tuple(one for one in rules if len(one.says) <= LONGEST_RULE)[:MOST_RULES]
            more = len(rules) > len(short)
            return Answer(Topic(about=self.about, rulings=rulings_of_it, near=near, rules=short, more_rules=more))
        ruleset = table.ruleset
        parts = {"manual": dict(ruleset.manual())} if isinstance(ruleset, LibraryRuleset) else {}
        return Answer(Manual(about=self.about), parts)

    def _rulings(self) -> tuple[RulingForms, ...]:
        """Return the rulings that begin with the words, as the handbook has them, and what follows from each."""
        rows: list[RulingForms] = []
        forms: tuple[str, ...] = ()
        for kind in rulings.KINDS:
            forms += kind.forms
            if kind.says:
                if any(re.match(rf"{re.escape(self.about)}\b", form, re.IGNORECASE) for form in forms):
                    rows.append(RulingForms(forms=forms, says=kind.says, follows=_follows(kind)))
                forms = ()
        return tuple(rows)


def _is_player(table: Table, word: str) -> bool:
    """Say whether a word is a player's name or begins one: `help Bruno` may be meant as a deed, and is asked about."""
    parts = (part for label in table.labels().values() for part in label.casefold().split())
    return any(part.startswith(word) for part in parts)


def _follows(kind: type[BaseRuling]) -> tuple[str, ...]:
    """Say what comes of a ruling besides what it does."""
    said = {
        "It has to say why, with because REASON, and the report prints it.": kind.needs_reason,
        "All players are told at once.": kind.is_on_clock,
        "No undo takes it back.": kind.is_for_good,
        "It is numbered in my answer; undo and that number take it back.": kind.is_numbered and not kind.is_for_good,
    }
    return tuple(text for text, holds in said.items() if holds)


def handbook(table: Table, *, moderator: bool = False) -> dict[str, Facts]:
    """Return the part that says how orders are written; for the moderator also what powers can be said to do."""
    figures = dict(table.ruleset.figures)
    forms = list(table.ruleset.forms)
    return {"handbook": {"house": table.house, "figures": figures, "forms": forms, "moderator": moderator}}


class Rules(BaseRequest, frozen=True, kw_only=True, tag="rules"):
    """Have the terms of the game or, with words behind it, each rule that has them all, or that has such a number."""

    words: str = ""

    is_for_moderator = True

    @classmethod
    def read(cls, table: Table, seat: Seat | None, rest: str) -> Self | Unread | None:
        """Read the words; more of them than one looks for are a sentence."""
        words = re.sub(r"[\[\](),.!?\s]+", " ", asked(f" {rest}")).strip()
        found = cls(words=words)
        is_sought = len(words.split()) <= MOST_SOUGHT and (" " not in words or found.found(table))
        return found if is_sought else None

    def show(self, table: Table) -> str:
        """Write what is sought."""
        return self.words

    def answer(self, table: Table, seat: Seat | None) -> Answer:
        """Say what holds in this game, or what its rules say of something."""
        view = TermsAsked(
            about=self.words,
            house=tuple(row for row in house_rules(table) if self._is_in(table, row.rule, row.says)),
            written=self.found(table),
            rules_written=bool(rulebook.rules(table.ruleset)),
            terms=terms(table),
        )
        return Answer(view)

    def found(self, table: Table) -> tuple[WrittenRule, ...]:
        """Return the rules that are sought; none where nothing is."""
        said = ((number, table.worded(text)) for number, text in rulebook.rules(table.ruleset).items())
        return tuple(
            WrittenRule(rule=number, says=text)
            for number, text in said
            if self.words and self._is_in(table, number, text)
        )

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

    def show(self, table: Table) -> str:
        """Write the title of the phase."""
        return table.worded(self.wanted)

    def answer(self, table: Table, seat: Seat | None) -> Answer:
        """Say which reports there are."""
        return Answer(PastReports(wanted=table.worded(self.wanted)))


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

    def show(self, table: Table) -> str:
        """Write what is sought."""
        return self.words

    def answer(self, table: Table, seat: Seat | None) -> Answer:
        """Show the pieces."""
        ruleset = table.ruleset
        found = list(ruleset.search(self.words)) if isinstance(ruleset, LibraryRuleset) else []
        return Answer(ArchiveAsked(about=self.words), {"archive": {"words": self.words, "pieces": found}})
