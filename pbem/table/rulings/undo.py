"""`undo 5`: takes back a ruling."""

from datetime import datetime
from typing import Any, Self

import msgspec

from pbem.language import phrases
from pbem.language.phrases import Unread
from pbem.table.model.table import BaseRuling, Ruled, Table
from pbem.table.rulings.to_all import ToAll


class Undo(BaseRuling, frozen=True, kw_only=True, tag="undo"):
    """Take back the ruling of this number; the fold leaves it out, then (`replay`)."""

    number: int

    is_numbered = False
    section = "THE PROOF AND THE REPORT"
    forms = ("undo", "undo 5")
    says = "Takes back your latest ruling, or ruling 5."

    @classmethod
    def read(cls, table: Table, rest: str, because: str) -> Self | Unread:
        """Read the number of a ruling; the newest where there is none."""
        held = _numbers(table)
        number = phrases.number(rest.removeprefix("ruling").strip()) if rest else max(held, default=0)
        if isinstance(number, Unread) or (not held and not rest):
            return Unread("illegal", _known(table))
        return cls(number=number, because=because)

    def unfit(self, table: Table) -> Unread | None:
        """Refuse what is not in force, and say what became of it."""
        if self.number in _gone(table):
            return Unread("illegal", f"Ruling {self.number} were words to all, and these have gone out.")
        if self.number in _numbers(table):
            return None
        return Unread("illegal", f"{_became(table, self.number)} {_known(table)}")

    def act(self, table: Table, noted: datetime) -> Table:
        """Strike the ruling from those in force."""
        standing, rulings = _without(table.standing, self.number), _without(table.rulings, self.number)
        announced = tuple(one for one in table.announced if one.number != self.number)
        return msgspec.structs.replace(table, standing=standing, rulings=rulings, announced=announced)


def _without(ruled: tuple[Ruled[Any], ...], undone: int) -> tuple[Ruled[Any], ...]:
    return tuple(one for one in ruled if one.number != undone)


def _numbers(table: Table) -> list[int]:
    return sorted({ruled.number for ruled in (*table.standing, *table.rulings)} - _gone(table))


def _gone(table: Table) -> set[int]:
    """Return the numbers of words to all that have gone out."""
    waiting = {one.number for one in table.announced}
    return {one.number for one in table.rulings if isinstance(one.ruling, ToAll)} - waiting


def _known(table: Table) -> str:
    return f"Rulings that can be taken back: {phrases.listed([str(one) for one in _numbers(table)]) or 'none'}."


def _became(table: Table, number: int) -> str:
    """Say what became of a ruling that is not in force, and what can be done about it now."""
    assert table.base is not None
    if number > table.ruled or number < 1:
        latest = f"the latest is {table.ruled}" if table.ruled else "none was given in this game"
        return f"There is no ruling {number}; {latest}."
    if number in table.undone:
        return f"Ruling {number} was taken back already."
    if any(getattr(one, "ruling", 0) == number for one in table.log):  # `SeatHandedOn`
        return f"By ruling {number} a seat went to somebody else, who has it; replace gives it to another."
    if number > table.base.ruled:
        return f"Ruling {number} was given in this phase, and did nothing."
    return (
        f"Ruling {number} is of an earlier phase, whose report is out, so it cannot be taken back: what it did there "
        "stands. To put a fact right as it is now, write set FACT VALUE because REASON; to say what went wrong, note."
    )
