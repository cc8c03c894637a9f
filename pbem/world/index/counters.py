"""What is counted, such as letters to a stranger in a day, and what was odd: the index's third owner."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec

from pbem.world.index.connection import Connection

_TABLES = """
create table if not exists odd(what text primary key, first real, last real, times integer) without rowid;
create table if not exists told(what text primary key, times integer) without rowid;
"""


class Odd(msgspec.Struct, frozen=True):
    """Something odd with the arena: in words, when for the first and the last time, and how often."""

    what: str
    first: datetime
    last: datetime
    times: int


class Counters:
    """Counters by name; those of a day begin with its date. What was odd is counted by its sentence."""

    def __init__(self, db: Connection) -> None:
        """Take the open file."""
        self._db = db
        db.make_tables(_TABLES, ())

    def value(self, what: str) -> int:
        """Return how often something was counted."""
        found = self._db.execute("select times from told where what = ?", (what,)).fetchone()
        return int(found[0]) if found else 0

    def increment(self, what: str, times: int = 1) -> int:
        """Count something that has a cap or is done once; return how often it was."""
        self._db.execute(
            "insert into told values(?1, ?2) on conflict(what) do update set times = times + ?2", (what, times)
        )
        return self.value(what)

    def reset(self, whats: Iterable[str]) -> None:
        """Count these from zero again."""
        self._db.executemany("delete from told where what = ?", [(what,) for what in whats])

    def forget_before(self, day: str) -> None:
        """Forget what was counted on days before this one (2026-11-23)."""
        self._db.execute("delete from told where what < ? and what glob '[0-9]*'", (day,))

    def note_odd(self, whats: Iterable[str], now: datetime) -> None:
        """Note what is odd with the arena; the same again only counts on."""
        rows = [(what, now.timestamp()) for what in whats]
        if rows:
            self._db.executemany(
                "insert into odd values(?1, ?2, ?2, 1) on conflict(what) do update set last = ?2, times = times + 1",
                rows,
            )

    def odd(self) -> list[Odd]:
        """Return what was odd, in the order of its beginning."""
        found = self._db.execute("select what, first, last, times from odd order by first, what")
        return [
            Odd(what, datetime.fromtimestamp(first, UTC), datetime.fromtimestamp(last, UTC), times)
            for what, first, last, times in found
        ]

    def forget_odd(self, until: datetime) -> None:
        """Forget what was odd for the last time by then."""
        self._db.execute("delete from odd where last <= ?", (until.timestamp(),))
