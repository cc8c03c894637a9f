"""Which games there are, when each is due, and which mails they have taken: the index's first owner."""

from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec

from pbem.world.index.connection import Connection, instant, stamp

_TABLES = """
create table if not exists game(
    name text primary key, ruleset text, title text, status text, wakes real, deadline real,
    busy integer not null default 0);
create index if not exists game_wakes on game(wakes) where wakes is not null;
create index if not exists game_busy on game(busy) where busy;
create table if not exists seen(key text primary key, place text) without rowid;
"""
_ADDED = (("game", "deadline", "real"), ("game", "stamp", "text"), ("game", "list", "text not null default ''"))
_INDEXED = "create index if not exists game_list on game(list) where list != ''"

_TURN = """
select * from (select name, ruleset, stamp from game where name > ?1 and ruleset is not null and status != 'over'
order by name limit ?2) union all
select * from (select name, ruleset, stamp from game where name <= ?1 and ruleset is not null and status != 'over'
order by name limit ?2) limit ?2
"""


class Row(msgspec.Struct, frozen=True):
    """What the index knows of a game; `stamp` changes when somebody edits a file of it, `mailing_list` is its list."""

    name: str
    ruleset: str
    title: str
    status: str
    wakes: datetime | None
    deadline: datetime | None = None
    stamp: str = ""
    mailing_list: str = ""


class Games:
    """
    The games, and the desk where it is busy.

    A game is marked busy, durably, before its folder is touched, and freed after: after a crash the busy ones
    are visited first, whatever else the index believes.
    """

    def __init__(self, db: Connection) -> None:
        """Take the open file."""
        self._db = db
        self._has_lists: bool | None = None
        db.make_tables(_TABLES, _ADDED)
        db.make_tables(_INDEXED, ())

    def mark_busy(self, places: Iterable[str]) -> None:
        """Mark games as busy, or the desk, durably."""
        self._db.executemany(
            "insert into game(name, busy) values(?, 1) on conflict(name) do update set busy = 1",
            [(place,) for place in places],
        )

    def busy(self) -> list[str]:
        """Return the games that were marked busy and not freed, the desk among them."""
        return sorted(name for (name,) in self._db.execute("select name from game where busy"))

    def is_busy(self, place: str) -> bool:
        """Say whether a game, or the desk, was marked busy and not freed."""
        return self._db.execute("select 1 from game where name = ? and busy", (place,)).fetchone() is not None

    def refresh(self) -> None:
        """Forget what is remembered of the file, to which another process may have written."""
        self._has_lists = None

    def store(self, *rows: Row) -> None:
        """Store where games stand, and free them."""
        self._has_lists = self._has_lists or (None if any(row.mailing_list for row in rows) else self._has_lists)
        self._db.executemany(
            "insert or replace into game(name, ruleset, title, status, wakes, deadline, stamp, list, busy)"
            " values(?, ?, ?, ?, ?, ?, ?, ?, 0)",
            [
                (r.name, r.ruleset, r.title, r.status, stamp(r.wakes), stamp(r.deadline), r.stamp, r.mailing_list)
                for r in rows
            ],
        )

    def retry_at(self, game: str, until: datetime) -> None:
        """Mark a game in trouble as busy: every sweep visits it, but no sweep is scheduled for it before then."""
        self._db.execute("update game set busy = 1, wakes = ? where name = ?", (until.timestamp(), game))

    def free(self, place: str) -> None:
        """Free a place that is no game, such as the desk."""
        self._db.execute("delete from game where name = ? and ruleset is null", (place,))

    def due(self, now: datetime) -> list[str]:
        """Return the games to visit: those with something due, and those that a crash left busy."""
        found = self._db.execute(
            "select name from game where busy union select name from game where wakes <= ?", (now.timestamp(),)
        )
        return sorted(name for (name,) in found)

    def next_wake(self) -> datetime | None:
        """Return the next instant at which a game is due."""
        return instant(self._db.execute("select min(wakes) from game").fetchone()[0])

    def rows(self) -> list[Row]:
        """Return all games in order of name."""
        found = self._db.execute(
            "select name, ruleset, title, status, wakes, deadline from game where ruleset is not null order by name"
        )
        return [
            Row(name, ruleset or "", title or "", status or "", instant(wakes), instant(deadline))
            for name, ruleset, title, status, wakes, deadline in found
        ]

    def is_empty(self) -> bool:
        """Say whether no game is known at all."""
        return self._db.execute("select 1 from game limit 1").fetchone() is None

    def phase_of(self, game: str) -> tuple[str, bool]:
        """Return the title of the phase that a game is in, "" where there is no such game, and whether it is over."""
        found = self._db.execute("select title, status from game where name = ?", (game,)).fetchone()
        return (str(found[0] or ""), found[1] == "over") if found else ("", True)

    def stamp_of(self, game: str) -> str:
        """Return the stamp that a game had when it was stored last; "" where it never was."""
        found = self._db.execute("select stamp from game where name = ?", (game,)).fetchone()
        return str(found[0] or "") if found else ""

    def stamps(self, after: str, limit: int) -> list[tuple[str, str, str]]:
        """Return up to `limit` games that are not over with ruleset and stamp, in turn from the one after a name."""
        found = self._db.execute(_TURN, (after, limit))
        return [(name, ruleset, stamp or "") for name, ruleset, stamp in found]

    def known_list(self, addresses: Sequence[str]) -> str:
        """Return the first of these addresses, in small letters, that is a list on which there are games; else ""."""
        if self._has_lists is None:
            found = self._db.execute("select 1 from game where list != '' limit 1").fetchone()
            self._has_lists = found is not None
        for address in addresses if self._has_lists else ():
            if self._db.execute("select 1 from game where list = ? and list != '' limit 1", (address,)).fetchone():
                return address
        return ""

    def on_list(self, address: str) -> list[tuple[str, bool]]:
        """Return the games on a list, and whether each is over."""
        found = self._db.execute("select name, status = 'over' from game where list = ? and list != ''", (address,))
        return [(name, bool(over)) for name, over in found]

    def note_taken(self, marks: Iterable[tuple[str, str]]) -> None:
        """Note by which marks mails are known, each with the game, or the desk, that took the mail first."""
        self._db.executemany("insert or ignore into seen values(?, ?)", marks)

    def has_taken(self, mark: str) -> bool:
        """Say whether a mail of this mark has been taken."""
        return self._db.execute("select 1 from seen where key = ?", (mark,)).fetchone() is not None

    def taken_by(self, mark: str) -> str:
        """Return the game, or the desk, that has taken a mail; "" where none has."""
        found = self._db.execute("select place from seen where key = ?", (mark,)).fetchone()
        return str(found[0]) if found else ""

    def forget_taken(self, marks: Iterable[str]) -> None:
        """Forget that mails were taken: they are to be taken once more."""
        self._db.executemany("delete from seen where key = ?", [(mark,) for mark in marks])

    def empty(self) -> None:
        """Forget everything; reindexing fills it again from the folders."""
        self._db.execute("delete from game")
        self._db.execute("delete from seen")
        self.refresh()
