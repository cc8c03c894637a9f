"""The queue of letters that are on file and not yet sent, and how many went: the index's second owner."""

import math
from collections.abc import Iterable
from datetime import datetime

import msgspec

from pbem.world.index.connection import Connection, instant, stamp

DAY = 86400.0

_TABLES = """
create table if not exists unsent(
    letter text primary key, place text, next real, tries integer, rank integer not null default 0, filed real,
    handed integer not null default 0);
create index if not exists unsent_next on unsent(next);
create table if not exists unnoted(letter text primary key, place text not null, line text not null);
create table if not exists posted(letter text primary key, name text not null, at real not null);
create table if not exists spent(hour integer primary key, letters integer);
"""
_ADDED = (
    ("unsent", "rank", "integer not null default 0"),
    ("unsent", "filed", "real"),
    ("unsent", "handed", "integer not null default 1"),
)


class Unsent(msgspec.Struct, frozen=True):
    """
    A letter that is on file and not yet sent: its identity, its place on the shelf, how often it was tried.

    Shape: those of a lower `rank` go first where there is no budget for all; `untouched` where it is known that the
    mail server has seen nothing of it yet, `in_doubt` where it may have it, for all that we know;
    `filed` is when it was put on file, None where that is not known.
    """

    letter: str
    place: tuple[str, ...]
    tries: int = 0
    rank: int = 0
    untouched: bool = False
    in_doubt: bool = False
    filed: datetime | None = None


class Outgoing:
    """The letters that wait to be sent; results that could not be noted beside their letters; the day's budget."""

    def __init__(self, db: Connection) -> None:
        """Take the open file."""
        self._db = db
        db.make_tables(_TABLES, _ADDED)

    def add(self, letters: Iterable[Unsent], now: datetime | None) -> None:
        """Add letters that were filed now, or, where that is None, found on file."""
        filed = stamp(now)
        self._db.executemany(
            "insert or ignore into unsent(letter, place, next, tries, rank, filed) select ?1, ?2, ?3, ?4, ?5, ?6 "
            "where not exists (select 1 from unnoted where letter = ?1)",
            [(new.letter, "/".join(new.place), filed or 0, new.tries, new.rank, filed) for new in letters],
        )

    def to_send(self, now: datetime | None = None) -> list[Unsent]:
        """
        Return the letters whose time has come, the oldest first; without a time all that wait.

        None is ever put off by more than a day: whose time lies further off has it from a clock that was wrong.
        """
        until = now.timestamp() if now else math.inf
        found = self._db.execute(
            "select letter, place, tries, rank, filed is not null and not handed and not tries,"
            " handed = 1 or (filed is null and not handed), filed from unsent"
            " where next <= ? or next > ? order by next, rowid",
            (until, until + DAY),
        )
        return [
            Unsent(letter, tuple(place.split("/")), tries, rank, bool(untouched), bool(in_doubt), instant(filed))
            for letter, place, tries, rank, untouched, in_doubt, filed in found
        ]

    def mark_handed(self, letters: Iterable[str], *, handed: bool) -> None:
        """Note, before letters go, that the mail server may have seen them from now on; or, after, that it has not."""
        self._db.executemany(
            "update unsent set handed = ? where letter = ?", [(int(handed), letter) for letter in letters]
        )

    def wait_for_copy(self, letters: Iterable[str], until: datetime) -> None:
        """Let letters wait, that the mail server may have, until a copy of them would have come; then none is in it."""
        self._db.executemany(
            "update unsent set next = ?, handed = 2 where letter = ?", [(until.timestamp(), one) for one in letters]
        )

    def note_posted(self, letters: Iterable[tuple[str, str]], now: datetime) -> None:
        """Note that letters went to a public place, from where a copy is to come, each with the name it went under."""
        self._db.executemany(
            "insert or replace into posted values(?, ?, ?)",
            [(letter, name, now.timestamp()) for letter, name in letters],
        )

    def note_copy(self, name: str) -> bool:
        """Note that the copy of what went under a name has come; say whether it was awaited."""
        return self._db.execute("delete from posted where name = ?", (name,)).rowcount > 0

    def forget_posted(self, before: datetime) -> list[str]:
        """Return the letters of which no copy came since then, and await it no more."""
        if not self._db.execute("select 1 from posted where at < ? limit 1", (before.timestamp(),)).fetchone():
            return []  # and so without a write at each sweep
        found = self._db.execute("delete from posted where at < ? returning letter", (before.timestamp(),)).fetchall()
        return sorted(letter for (letter,) in found)

    def waiting(self) -> tuple[int, datetime | None]:
        """Return how many letters are still to be sent, and when the next of them is tried."""
        count, soonest = self._db.execute("select count(*), min(next) from unsent").fetchone()
        return int(count), instant(soonest)

    def waiting_since(self) -> datetime | None:
        """Return since when the oldest letter waits, as far as that is known."""
        return instant(self._db.execute("select min(filed) from unsent").fetchone()[0])

    def remove(self, letters: Iterable[str]) -> None:
        """Remove letters that were sent or given up."""
        self._db.executemany("delete from unsent where letter = ?", [(letter,) for letter in letters])

    def retry_at(self, letters: Iterable[tuple[str, datetime]]) -> None:
        """Count a try of letters, each with the time when it is to be tried again."""
        self._db.executemany(
            "update unsent set next = ?, tries = tries + 1 where letter = ?",
            [(until.timestamp(), letter) for letter, until in letters],
        )

    def hand_over(self, letter: str, tries: int, now: datetime) -> None:
        """Let a letter go at once by another way, which takes those that were tried so often."""
        self._db.execute(
            "update unsent set tries = max(tries, ?), next = ?, handed = 0 where letter = ?",
            (tries, now.timestamp(), letter),
        )

    def postpone(self, letters: Iterable[str], until: datetime) -> None:
        """Let letters wait until then; no try of theirs is counted."""
        self._db.executemany(
            "update unsent set next = ? where letter = ?", [(until.timestamp(), letter) for letter in letters]
        )

    def postpone_all(self, until: datetime, rank: int = 0) -> None:
        """Let all letters of this rank and above wait until then; no try of theirs is counted."""
        self._db.execute(
            "update unsent set next = ? where next < ? and rank >= ?", (until.timestamp(), until.timestamp(), rank)
        )

    def retry_now(self, now: datetime) -> None:
        """Let every letter that waits be tried at the next sweep."""
        self._db.execute("update unsent set next = ? where next > ?", (now.timestamp(), now.timestamp()))

    def keep_results(self, results: Iterable[tuple[str, tuple[str, ...], str]]) -> None:
        """Keep what became of letters, each with its place, that could not be noted there: they are not to go again."""
        self._db.executemany(
            "insert or replace into unnoted values(?, ?, ?)",
            [(letter, "/".join(place), line) for letter, place, line in results],
        )

    def kept_results(self) -> dict[tuple[str, ...], str]:
        """Return the results that are still to be noted, by place."""
        lines: dict[tuple[str, ...], str] = {}
        for place, line in self._db.execute("select place, line from unnoted order by rowid"):
            lines[tuple(place.split("/"))] = lines.get(tuple(place.split("/")), "") + line
        return lines

    def forget_results(self, place: tuple[str, ...]) -> None:
        """Forget the results of a place: they are noted there now."""
        self._db.execute("delete from unnoted where place = ?", ("/".join(place),))

    def count_sent(self, letters: int, now: datetime) -> None:
        """Count letters that the mail server took, by the hour."""
        if letters:
            hour = int(now.timestamp() // 3600)
            with self._db.together():
                self._db.execute("delete from spent where hour <= ?", (hour - 25,))
                self._db.execute(
                    "insert into spent values(?1, ?2) on conflict(hour) do update set letters = letters + ?2",
                    (hour, letters),
                )

    def sent_lately(self, now: datetime) -> int:
        """Return how many letters the mail server took in this hour and the 24 before: all of any 24 hours."""
        hour = int(now.timestamp() // 3600)
        found = self._db.execute("select sum(letters) from spent where hour > ?", (hour - 25,)).fetchone()[0]
        return int(found or 0)

    def empty(self) -> None:
        """Forget all letters, to be found again in the folders."""
        self._db.execute("delete from unsent")
