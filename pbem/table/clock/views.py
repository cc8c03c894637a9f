"""The views that letters are made from: what a letter says, typed, whatever dress it is given; and what many share."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, ClassVar, Literal, Self, TypeAlias

import msgspec

from pbem.ground.terms import Complaint, Facts, Seat
from pbem.table.clock import schedule, second_thought
from pbem.table.clock.game_terms import Terms
from pbem.table.model import audience, calendar
from pbem.table.model.table import Ruled, Table


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """
    How a phase stands, as every letter of an open one says it to its reader.

    Shape: `name` is the reader's seat, "" for the moderator; `paused` is how much time was left when the clock was
    stopped; `waiting` of `of` seats have not moved, `owes` where the reader's is one; `closing` is why it closes now,
    `early` when it does before its deadline; `dropped` and `lost` are orders of the reader's that count no more.
    """

    name: str
    open: bool
    deadline: datetime | None
    paused: str
    waiting: int
    of: int
    owes: bool
    closing: str
    early: datetime | None
    second_thought: str
    closes_early: bool
    dropped: tuple[str, ...]
    lost: tuple[str, ...]


class Refusal(msgspec.Struct, frozen=True, kw_only=True):
    """A line that was not taken: its number, its text, why, and the number of the rule; 0 and "" where it has none."""

    line: int
    text: str
    because: str
    rule: str


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A request that was granted, by its word, and what stands behind it."""

    word: str
    says: str


class RulingRow(msgspec.Struct, frozen=True, kw_only=True):
    """
    A ruling: its number, its line with the names that people know, why it was given, and in which phase.

    Shape: `is_note` where the line is the moderator's own words; `about` says which fact of the proof it is about.
    """

    number: int
    line: str
    because: str
    since: int
    is_note: bool
    about: str = ""


class PlayersWords(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat says to the moderator, and the rulings that would grant it; or press of its, which all read."""

    name: str
    texts: tuple[str, ...]
    grants: tuple[str, ...]
    to_all: bool = False


AnsweredAs: TypeAlias = Literal["reader", "invited", "asked as deputy"]


class BaseView(msgspec.Struct, frozen=True, kw_only=True):
    """
    What a letter says: the base of a class for each template.

    Shape: `moment` is how the open phase stands and `terms` are those of the game, where the letter says either;
    `words` stand at its head, where its reader hears what players say to the moderator.
    """

    template: ClassVar[str]
    draws: ClassVar[bool] = False
    """Whether the pictures of the phase go with it, and it is set as a page for those who read such letters."""
    is_vital: ClassVar[bool] = False
    """Whether the game cannot go on without it."""

    moment: Moment | None = None
    terms: Terms | None = None
    words: tuple[PlayersWords, ...] = ()

    def facts(self) -> Facts:
        """Return everything by the names that templates have for it: a letter's own name for a thing goes before."""
        own = msgspec.structs.asdict(self)
        shared = (own.pop("terms"), own.pop("moment"))
        facts: Facts = {}
        for one in filter(None, shared):
            facts |= msgspec.structs.asdict(one)
        return facts | own

    @property
    def sought(self) -> tuple[str, ...]:
        """The facts of its template that the journal does not have: whoever sends it puts them in, by these names."""
        return ()

    @property
    def answered_as(self) -> AnsweredAs:
        """As whom its reader answers it: in the role that it is to, or as who is asked to take one."""
        return "reader"

    @property
    def for_seat(self) -> Seat | None:
        """The seat that its reader is asked to take over, or was."""
        return None

    def with_people(self, shown: Callable[[str], str]) -> Self:
        """Return the same, with what is `shown` in place of people in words that somebody wrote."""
        return self


def moment(table: Table, seat: Seat | None) -> Moment:
    """Return how the phase stands, as a seat or the moderator may know it."""
    reader = seat or table.moderators_seat()
    table = table.known_to(reader) if reader else table
    waited, owing = table.waiting_for(), table.owing
    if table.sealed and reader:  # nobody hears how many more are asked
        waited, owing = ((reader,) if reader in seats else () for seats in (waited, owing))
    return Moment(
        name=table.label(seat) if seat else "",
        open=table.status == "open",
        deadline=table.deadline if table.status == "open" else None,
        paused=_left(table),
        waiting=len(waited),
        of=len(owing),
        owes=seat in owing,
        closing=schedule.closes_at_once(table),
        early=None if table.paused else second_thought.closes_early(table),
        second_thought=second_thought.in_words(table),
        closes_early=table.charter.close == "when ready",
        dropped=tuple(table.sets.dropped.get(seat, ())) if seat else (),
        lost=tuple(f"{lost.line}: {lost.because}" for lost in table.unreadable(seat)) if seat else (),
    )


def _left(table: Table) -> str:
    """Say how much time there was to the close when the clock was stopped, or "" while it runs."""
    if table.paused is None or table.deadline is None:
        return ""
    return calendar.show_roughly((second_thought.closes_early(table) or table.deadline) - table.paused)


def refusals(complaints: Sequence[Complaint]) -> tuple[Refusal, ...]:
    """Return complaints as letters show them."""
    return tuple(Refusal(line=one.line, text=one.text, because=one.because, rule=one.rule) for one in complaints)


def ruling_row(table: Table, ruled: Ruled[Any]) -> RulingRow:
    """Return a ruling as letters show it, with the names that people know."""
    ruling = ruled.ruling
    return RulingRow(
        number=ruled.number,
        line=audience.show_ruling(table, ruling),
        because=ruling.because,
        since=ruled.phase,
        is_note=ruling.is_prose,
    )
