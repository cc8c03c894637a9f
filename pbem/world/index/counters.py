"""What is counted, such as letters to a stranger in a day, and what was odd: the index's third owner."""

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from enum import StrEnum

import msgspec

from pbem.world.index.connection import Connection

_TABLES = """
create table if not exists odd(what text primary key, first real, last real, times integer) without rowid;
create table if not exists told(what text primary key, times integer) without rowid;
"""


class What(StrEnum):
    """What is counted, by its word in the file; letters are counted by their template or kind."""

    TRIES = "tries"
    """Sweeps in which a mail broke us."""
    MOVED = "moved by hand"
    """People who were given another address on the terminal."""
    MOVES = "moves"
    """Mails by which an address is changed, noted before that is done."""
    IGNORED = "ignored"
    """Mails that came to the desk, a large one several times."""
    PURGE = "purge"
    """Looks for mail that can be removed."""
    NOTED = "bytes noted"
    """Bytes of the desk's journal of which the index knows what mails they took."""
    REINDEXING = "reindexing"
    """Whether the index is being made anew, and not known to be whole."""
    READ = "read"
    """Lines and kilobytes of mail that were read, by who wrote it."""
    STRANGERS = "strangers"
    """Letters to strangers, by their domain."""


class Counted(msgspec.Struct, frozen=True, kw_only=True):
    """
    Something that is counted.

    Shape: `span` is the day or hour in which it is counted (`day`, `hour`), "" for ever; `evidence` is what the mails
    that letters answer show of their writer; `about` tells of whom or what it is. Its text names it in the file, and
    older releases wrote the same.
    """

    what: str
    evidence: str = ""
    about: str = ""
    span: str = ""

    def __str__(self) -> str:
        """Write the name under which the file has it."""
        return " ".join(filter(None, (self.span, self.what, self.evidence, self.about)))


def day(now: datetime) -> str:
    """Return the day of an instant, as the span of a counter."""
    return f"{now:%Y-%m-%d}"


def hour(now: datetime) -> str:
    """Return the hour of an instant, as the span of a counter."""
    return f"{now:%Y-%m-%d %H}"


class Odd(msgspec.Struct, frozen=True):
    """Something odd with the arena: in words, when for the first and the last time, and how often."""

    what: str
    first: datetime
    last: datetime
    times: int


class Counters:
    """How often each counter has counted. What was odd is counted by its sentence."""

    def __init__(self, db: Connection) -> None:
        """Take the open file."""
        self._db = db
        db.make_tables(_TABLES, ())

    def value(self, counted: Counted) -> int:
        """Return the value of a counter."""
        return self.values((counted,))[0]

    def values(self, several: Sequence[Counted]) -> list[int]:
        """Return the values of several counters, in their order."""
        names = [str(counted) for counted in several]
        wanted = "select what, times from told where what in (select value from json_each(?))"
        found = dict(self._db.execute(wanted, (json.dumps(names),)))
        return [int(found.get(name, 0)) for name in names]

    def increment(self, counted: Counted, times: int = 1) -> int:
        """Add to a counter; return its new value."""
        with self._db.together():
            self._db.execute(
                "insert into told values(?1, ?2) on conflict(what) do update set times = times + ?2",
                (str(counted), times),
            )
            return self.value(counted)

    def put(self, counted: Counted, value: int) -> None:
        """Set a counter."""
        self._db.execute("insert or replace into told values(?, ?)", (str(counted), value))

    def reset(self, some: Iterable[Counted]) -> None:
        """Set counters to zero."""
        self._db.executemany("delete from told where what = ?", [(str(counted),) for counted in some])

    def forget_before(self, now: datetime) -> None:
        """Forget the counters of days, and of their hours, before the day of an instant."""
        self._db.execute("delete from told where what < ? and what glob '[0-9]*'", (day(now),))

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
