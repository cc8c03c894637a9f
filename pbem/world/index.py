"""The arena's index: derived, deletable, so that a sweep with nothing to do opens no game's folder; knows no rules."""

from __future__ import annotations

import math
import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from pbem import records
from pbem.terms import ShelfError

DAY = 86400.0
LEAST = 1 << 20
"""How many bytes must be free for SQLite to work at all; below that it speaks of errors of the disk."""

_TABLES = """
create table if not exists game(
    name text primary key, ruleset text, title text, status text, wakes real, deadline real,
    busy integer not null default 0);
create index if not exists game_wakes on game(wakes) where wakes is not null;
create index if not exists game_busy on game(busy) where busy;
create table if not exists seen(key text primary key, place text) without rowid;
create table if not exists unsent(
    letter text primary key, place text, next real, tries integer, rank integer not null default 0, filed real,
    handed integer not null default 0);
create index if not exists unsent_next on unsent(next);
create table if not exists unnoted(letter text primary key, place text not null, line text not null);
create table if not exists spent(hour integer primary key, letters integer);
create table if not exists odd(what text primary key, first real, last real, times integer) without rowid;
create table if not exists told(what text primary key, times integer) without rowid;
"""


class Row(msgspec.Struct, frozen=True):
    """What the index knows of a game; `stamp` tells its files that people edit from what they were."""

    name: str
    ruleset: str
    title: str
    status: str
    wakes: datetime | None
    deadline: datetime | None = None
    stamp: str = ""


class Unsent(msgspec.Struct, frozen=True):
    """
    A letter that is on file and not yet sent: its identity, its place on the shelf, how often it was tried.

    Shape: those of a lower `rank` go first where there is no budget for all; `untouched` where it is known that the
    mail server has seen nothing of it yet.
    """

    letter: str
    place: tuple[str, ...]
    tries: int = 0
    rank: int = 0
    untouched: bool = False


class Odd(msgspec.Struct, frozen=True):
    """Something odd with the arena: in words, when for the first and the last time, and how often."""

    what: str
    first: datetime
    last: datetime
    times: int


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Tell of what SQLite cannot do as a ShelfError, with what to do about it."""
    try:
        yield
    except (sqlite3.OperationalError, OSError) as error:  # the disk, its room or its rights: the file may be sound
        if _free(path) < LEAST:
            raise ShelfError(f"The disk is full: {path} cannot be used. Make room; it is tried again.") from error
        raise ShelfError(f"{path} cannot be used: {error}. See whose it is, and whether its disk is full.") from error
    except sqlite3.DatabaseError as error:
        raise ShelfError(f"{path} is damaged ({error}). Delete it and run: pbem reindex") from error


def _free(path: Path) -> int:
    """Return how many bytes are free where a file lies, or shall; unknown is much."""
    try:
        return shutil.disk_usage(path.parent).free
    except OSError:
        return LEAST


class _File(sqlite3.Connection):
    """The open file; whatever it is asked, what it cannot do is told as a ShelfError."""

    path: Path

    def execute(self, *asked: Any) -> sqlite3.Cursor:
        with _told(self.path):
            return super().execute(*asked)

    def executemany(self, *asked: Any) -> sqlite3.Cursor:
        with _told(self.path):
            return super().executemany(*asked)


class Index:
    """
    A SQLite file beside the games.

    A game is marked busy, durably, before its folder is touched, and freed after: after a crash the busy ones
    are visited first, whatever else the index believes.
    Errors: ShelfError from all of it, where the file is damaged or the disk is in the way; deleting it and `pbem
    reindex` brings it back.
    """

    def __init__(self, path: Path) -> None:
        """Open the index of an arena, or make an empty one, that nobody else can read."""
        self._make_private(path)
        with _told(path):
            self._db = sqlite3.connect(path, isolation_level=None, timeout=10, check_same_thread=False, factory=_File)
            self._db.path = path
            self._db.execute("pragma journal_mode=wal")
            self._db.execute("pragma synchronous=full")
            self._look_at_format()
            self._db.executescript(_TABLES)
            self._add("game", "deadline", "real")
            self._add("game", "stamp", "text")
            self._add("unsent", "rank", "integer not null default 0")
            self._add("unsent", "filed", "real")
            self._add("unsent", "handed", "integer not null default 1")
        self._version = self._db.execute("pragma data_version").fetchone()[0]

    def _look_at_format(self) -> None:
        """Refuse an index of a newer release; one of an older release has none, or is brought to ours."""
        found = self._db.execute("pragma user_version").fetchone()[0]
        if found > records.FORMAT:
            self._db.close()
            said = records.newer(self._db.path, f"format {found}")
            raise ShelfError(f"{said} Or delete it: it is made again from the games' folders.")
        if found < records.FORMAT:
            self._db.execute(f"pragma user_version = {records.FORMAT}")

    def _make_private(self, path: Path) -> None:
        """Let the file be ours alone before SQLite opens it: what SQLite writes beside it gets its mode."""
        with _told(path):
            # One that is there is not opened: to close it would drop the locks of all that this process has open of
            # it, and another process that ends would take SQLite's own files away from under us.
            if not path.exists():
                os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            for one in (path, *(path.with_name(f"{path.name}-{side}") for side in ("wal", "shm"))):
                if one.exists():
                    one.chmod(0o600)

    def was_changed(self) -> bool:
        """Say whether another process has written to the index since the last time we asked."""
        version = self._db.execute("pragma data_version").fetchone()[0]
        changed = version != self._version
        self._version = version
        return bool(changed)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    @contextmanager
    def together(self) -> Iterator[None]:
        """Make all that is stored inside durable at once, or nothing of it; may be nested."""
        if self._db.in_transaction:
            yield
            return
        self._db.execute("begin")
        with _told(self._db.path), self._db:
            yield

    def take_up(self, games: Iterable[str]) -> None:
        """Mark games as in hand, durably."""
        with self.together():
            self._db.executemany(
                "insert into game(name, busy) values(?, 1) on conflict(name) do update set busy = 1",
                [(game,) for game in games],
            )

    def is_in_hand(self, place: str) -> bool:
        """Say whether a game, or the desk, was taken up and not put down."""
        return self._db.execute("select 1 from game where name = ? and busy", (place,)).fetchone() is not None

    def put_down(self, rows: Sequence[Row], seen: Iterable[tuple[str, str]] = ()) -> None:
        """Store where games stand and which mails they have taken, and free them."""
        with self.together():
            self._db.executemany("insert or ignore into seen values(?, ?)", seen)
            self._db.executemany(
                "insert or replace into game(name, ruleset, title, status, wakes, deadline, stamp, busy)"
                " values(?, ?, ?, ?, ?, ?, ?, 0)",
                [(r.name, r.ruleset, r.title, r.status, _stamp(r.wakes), _stamp(r.deadline), r.stamp) for r in rows],
            )

    def put_off_game(self, game: str, until: datetime) -> None:
        """Leave a game in hand that is in trouble: every sweep visits it, but it wakes nobody before then."""
        self._db.execute("update game set busy = 1, wakes = ? where name = ?", (until.timestamp(), game))

    def free(self, place: str) -> None:
        """Free what is no game, such as the desk."""
        self._db.execute("delete from game where name = ? and ruleset is null", (place,))

    def due(self, now: datetime) -> list[str]:
        """Return the games to visit: those with something due, and those that a crash left in hand."""
        found = self._db.execute(
            "select name from game where busy union select name from game where wakes <= ?",
            (now.timestamp(),),
        )
        return sorted(name for (name,) in found)

    def next_wake(self) -> datetime | None:
        """Return the next instant at which a game or a letter wants us."""
        found = self._db.execute(
            "select min(t) from (select min(wakes) t from game union all select min(next) from unsent)"
        ).fetchone()[0]
        return None if found is None else datetime.fromtimestamp(found, UTC)

    def games(self) -> list[Row]:
        """Return all games in order of name."""
        found = self._db.execute(
            "select name, ruleset, title, status, wakes, deadline from game where ruleset is not null order by name"
        )
        return [
            Row(name, ruleset or "", title or "", status or "", _instant(wakes), _instant(deadline))
            for name, ruleset, title, status, wakes, deadline in found
        ]

    def stamps(self, after: str, limit: int) -> list[tuple[str, str, str]]:
        """Return games that are not over, by name from behind one on, with ruleset, and stamps of files as left."""
        found = self._db.execute(
            "select name, ruleset, stamp from game where name > ? and ruleset is not null and status != 'over'"
            " order by name limit ?",
            (after, limit),
        )
        return [(name, ruleset, stamp or "") for name, ruleset, stamp in found]

    def knows(self, key: str) -> bool:
        """Say whether a mail of this content key has been taken before."""
        return self._db.execute("select 1 from seen where key = ?", (key,)).fetchone() is not None

    def place(self, key: str) -> str:
        """Return the game, or the desk, that has taken a mail; "" where none has."""
        found = self._db.execute("select place from seen where key = ?", (key,)).fetchone()
        return str(found[0]) if found else ""

    def forget_mail(self, keys: Iterable[str]) -> None:
        """Forget that mails were taken, and how often they broke us: they are to be taken once more."""
        with self.together():
            for key in keys:
                self._db.execute("delete from seen where key = ?", (key,))
                self._db.execute("delete from told where what = ?", (f"tries {key}",))

    def file(self, letters: Iterable[Unsent], now: datetime | None) -> None:
        """Note letters that are on file and to be sent; since when, nobody knows of those that were found there."""
        filed = _stamp(now)
        with self.together():
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
            "select letter, place, tries, rank, filed is not null and not handed and not tries from unsent"
            " where next <= ? or next > ? order by next, rowid",
            (until, until + DAY),
        )
        return [
            Unsent(letter, tuple(place.split("/")), tries, rank, bool(untouched))
            for letter, place, tries, rank, untouched in found
        ]

    def hand(self, letters: Iterable[str], *, over: bool) -> None:
        """Note, before letters go, that the mail server may have seen them from now on; or, after, that it has not."""
        with self.together():
            self._db.executemany(
                "update unsent set handed = ? where letter = ?", [(int(over), letter) for letter in letters]
            )

    def waiting(self) -> tuple[int, datetime | None]:
        """Return how many letters are still to be sent, and when the next of them is tried."""
        count, soonest = self._db.execute("select count(*), min(next) from unsent").fetchone()
        return int(count), _instant(soonest)

    def waiting_since(self) -> datetime | None:
        """Return since when the oldest letter waits to be sent, as far as that is known."""
        return _instant(self._db.execute("select min(filed) from unsent").fetchone()[0])

    def settle(self, letters: Iterable[str]) -> None:
        """Forget letters that were sent or given up."""
        with self.together():
            self._db.executemany("delete from unsent where letter = ?", [(letter,) for letter in letters])

    def note_later(self, letters: Iterable[tuple[str, tuple[str, ...], str]]) -> None:
        """Keep what became of letters, each with its place, that could not be noted there: they are not to go again."""
        with self.together():
            self._db.executemany(
                "insert or replace into unnoted values(?, ?, ?)",
                [(letter, "/".join(place), line) for letter, place, line in letters],
            )

    def unnoted(self) -> dict[tuple[str, ...], str]:
        """Return what is still to be noted, by place."""
        lines: dict[tuple[str, ...], str] = {}
        for place, line in self._db.execute("select place, line from unnoted order by rowid"):
            lines[tuple(place.split("/"))] = lines.get(tuple(place.split("/")), "") + line
        return lines

    def noted(self, place: tuple[str, ...]) -> None:
        """Forget what was to be noted at a place."""
        self._db.execute("delete from unnoted where place = ?", ("/".join(place),))

    def put_off(self, letters: Iterable[tuple[str, datetime]]) -> None:
        """Note letters that were tried, each with the time when it is to be tried again."""
        with self.together():
            self._db.executemany(
                "update unsent set next = ?, tries = tries + 1 where letter = ?",
                [(until.timestamp(), letter) for letter, until in letters],
            )

    def wait(self, letters: Iterable[str], until: datetime) -> None:
        """Let letters wait until then; no try of theirs is counted."""
        with self.together():
            self._db.executemany(
                "update unsent set next = ? where letter = ?", [(until.timestamp(), letter) for letter in letters]
            )

    def hold_back(self, until: datetime, rank: int = 0) -> None:
        """Let all letters of this rank and above wait until then; no try of theirs is counted."""
        self._db.execute(
            "update unsent set next = ? where next < ? and rank >= ?", (until.timestamp(), until.timestamp(), rank)
        )

    def try_now(self, now: datetime) -> None:
        """Let every letter that waits be tried at the next sweep: somebody has mended something."""
        self._db.execute("update unsent set next = ? where next > ?", (now.timestamp(), now.timestamp()))

    def spend(self, letters: int, now: datetime) -> None:
        """Count letters that the mail server took, by the hour."""
        if letters:
            hour = int(now.timestamp() // 3600)
            with self.together():
                self._db.execute("delete from spent where hour <= ?", (hour - 25,))
                self._db.execute(
                    "insert into spent values(?1, ?2) on conflict(hour) do update set letters = letters + ?2",
                    (hour, letters),
                )

    def spent(self, now: datetime) -> int:
        """Return how many letters the mail server took in this hour and the 24 before: all of any 24 hours."""
        hour = int(now.timestamp() // 3600)
        found = self._db.execute("select sum(letters) from spent where hour > ?", (hour - 25,)).fetchone()[0]
        return int(found or 0)

    def told(self, what: str) -> int:
        """Return how often something was counted."""
        found = self._db.execute("select times from told where what = ?", (what,)).fetchone()
        return int(found[0]) if found else 0

    def forget_told(self, day: str) -> None:
        """Forget what was counted on days before this one (2026-11-23)."""
        self._db.execute("delete from told where what < ? and what glob '[0-9]*'", (day,))

    def tell(self, what: str, times: int = 1) -> int:
        """Count something that has a cap or is done once, such as letters to a stranger; return how often it was."""
        self._db.execute(
            "insert into told values(?1, ?2) on conflict(what) do update set times = times + ?2", (what, times)
        )
        return int(self._db.execute("select times from told where what = ?", (what,)).fetchone()[0])

    def note_odd(self, whats: Iterable[str], now: datetime) -> None:
        """Note what is odd with the arena; the same again only counts on."""
        rows = [(what, now.timestamp()) for what in whats]
        if rows:
            with self.together():
                self._db.executemany(
                    "insert into odd values(?1, ?2, ?2, 1)"
                    " on conflict(what) do update set last = ?2, times = times + 1",
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

    def _add(self, table: str, column: str, kind: str) -> None:
        """Give a table of an older release a column that it lacks."""
        if column not in {found[1] for found in self._db.execute(f"pragma table_info({table})")}:
            self._db.execute(f"alter table {table} add column {column} {kind}")

    def empty(self) -> None:
        """Forget everything, to be filled again from the folders."""
        for table in ("game", "seen", "unsent"):
            self._db.execute(f"delete from {table}")  # noqa: S608  fixed names


def _stamp(instant: datetime | None) -> float | None:
    return instant.timestamp() if instant else None


def _instant(stamp: float | None) -> datetime | None:
    return None if stamp is None else datetime.fromtimestamp(stamp, UTC)
