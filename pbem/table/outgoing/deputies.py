"""The letters about a deputy: to whoever is asked, whoever is it no more, and the moderator."""

from collections.abc import Iterator
from typing import Literal, TypeAlias

from pbem.ground.terms import Person
from pbem.table.clock.game_terms import terms
from pbem.table.clock.views import AnsweredAs, BaseView, moment
from pbem.table.fold.journal import DeputyAnswered, Entry
from pbem.table.model.table import Table
from pbem.table.outgoing.letter import Owed, letter, opening_part
from pbem.table.rulings.deputy import offer

Stage: TypeAlias = Literal[
    "asked", "withdrawn", "declined", "begun", "ended", "told yes", "told no", "told holds", "told released"
]


class DeputyView(BaseView, frozen=True, kw_only=True):
    """
    About a deputy: to whoever is asked, or was, or is it, and to the moderator, who is told.

    Shape: `plays` is the moderator's seat, "" where it has none yet; `person` said yes or no; `proof` is held.
    """

    template = "deputy"

    stage: Stage
    plays: str = ""
    person: Person | None = None
    proof: int = 0

    @property
    def answered_as(self) -> AnsweredAs:
        """As who is asked to stand in, or was."""
        return "asked as deputy" if self.stage in ("asked", "withdrawn", "declined") else "reader"


def holders(table: Table) -> list[Person]:
    """Return who holds the report of a closed phase."""
    theirs = [table.deputy] if table.deputy and table.deputy_holds else []
    return [*([table.charter.moderator] if table.held or not theirs else []), *theirs]


def deputy_asked(before: Table, entry: Entry, after: Table) -> Iterator[Owed]:
    """Write to whoever is asked to be the deputy, and to whoever is asked no more, or was it until now."""
    was, now = offer(before), offer(after)
    is_answered = isinstance(entry, DeputyAnswered)
    if was and not is_answered and (now is None or now.ruling.person != was.ruling.person):
        yield _letter(after, entry, "withdrawn", was.ruling.person)
    if now and (was is None or now.number != was.number):
        yield _letter(after, entry, "asked", now.ruling.person)
    if before.deputy and before.deputy != after.deputy:
        yield _letter(after, entry, "ended", before.deputy)


def deputy_answered(before: Table, entry: DeputyAnswered, after: Table) -> Iterator[Owed]:
    """Answer whoever was asked to be the deputy, and tell the moderator what they said."""
    yield _letter(after, entry, "begun" if entry.is_yes else "declined", entry.person, answers=entry.message_id)
    yield from deputy_asked(before, entry, after)
    yield told(after, entry, "told yes" if entry.is_yes else "told no", entry.person)


def told(table: Table, entry: Entry, stage: Stage, person: Person | None = None) -> Owed:
    """Tell the moderator of their deputy."""
    view = DeputyView(stage=stage, person=person, proof=table.proof, moment=moment(table, None))
    return letter(table, entry, view)


def _letter(table: Table, entry: Entry, stage: Stage, person: Person, answers: str = "") -> Owed:
    mine = table.moderators_seat()
    view = DeputyView(stage=stage, plays=table.label(mine) if mine else "", terms=terms(table))
    parts = opening_part(table, brief=True) if stage == "asked" else {}
    return letter(table, entry, view, None, parts, person=person, answers=answers)
