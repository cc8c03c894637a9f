"""Topics and private threads of games on the forum, and how far each was read and written: the index's fifth owner."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

import msgspec

from pbem.world.index.connection import Connection, instant

_TABLES = """
create table if not exists topic(
    game text primary key, topic integer not null, page integer not null default 1, phase text not null default '',
    rest integer not null default 1, looked real not null default 0, is_left integer not null default 0);
create table if not exists thread(
    game text not null, role text not null, person text not null, reader text not null, nth integer not null,
    account text not null, title text not null, topic integer not null, author integer not null,
    is_bound integer not null, page integer not null default 1, mark integer not null default 1,
    phase text not null default '', rest integer not null default 1, was_shared integer not null default 0,
    failed integer not null default 0, failing real not null default 0,
    looked real not null default 0, read_until real not null default 0, primary key (game, role));
create table if not exists forum_turn(place text primary key, at real not null);
create table if not exists forum_read(one integer primary key check (one = 1), at real not null);
create table if not exists amending(game text primary key);
create table if not exists amended(letter text primary key, digest text not null);
create table if not exists forum_rest(one integer primary key check (one = 1), until real not null);
"""


class Topic(msgspec.Struct, frozen=True):
    """
    A game's topic.

    Shape: `topic` is 0 where it is not known; `page` is the first that is read, on which the posts of this `phase`
    begin; `rest` how often it is read yet once the game is over.
    """

    game: str
    topic: int
    page: int
    phase: str
    rest: int


class ThreadRow(msgspec.Struct, frozen=True):
    """
    A private thread of a role in a game, open or still to be opened, in which case `topic` is 0.

    Shape: `person` has that role, `reader` is by what letters to it are known, `title` what it is called; `page` is the
    first that is read, on which posts of the phase before begin, since people change them still, and `mark` that on
    which those of this `phase` do; `rest` as above. It `was_shared` where a third reader was seen in it; it `failed` so
    often in a row to be read, and is `failing` since then (seconds since 1970).
    """

    game: str
    role: str
    person: str
    reader: str
    nth: int
    account: str
    title: str
    topic: int
    author: int
    is_bound: bool
    page: int = 1
    mark: int = 1
    phase: str = ""
    rest: int = 1
    was_shared: bool = False
    failed: int = 0
    failing: float = 0


class ForumTopics:
    """
    The topics of games, which the forum can tell again, and their private threads, which the journal can.

    Of each it is known when it is looked at next, and of the forum until when it is left alone. In `looked` stands the
    last look, or a later instant where the next one is to be later than usual; one more than two days ahead comes of a
    clock that was wrong.
    """

    def __init__(self, db: Connection) -> None:
        """Take the open file."""
        self._db = db
        db.make_tables(_TABLES, ())

    def note(self, game: str, topic: int) -> None:
        """Note which topic is a game's."""
        self._db.execute("insert or replace into topic(game, topic) values(?, ?)", (game, topic))

    def note_unknown(self, game: str) -> None:
        """Note that a game has a topic, or will have one, and that we do not know which, unless we do."""
        self._db.execute("insert or ignore into topic(game, topic) values(?, 0)", (game,))

    def of(self, game: str) -> int | None:
        """Return the topic of a game, as far as it is known."""
        found = self._db.execute("select topic from topic where game = ? and topic", (game,)).fetchone()
        return int(found[0]) if found else None

    def game_of(self, topic: int) -> str:
        """Return whose topic it is; "" for nobody's."""
        found = self._db.execute("select game from topic where topic = ?", (topic,)).fetchone()
        return str(found[0]) if found else ""

    def to_read(self, now: datetime, every: timedelta, limit: int) -> list[Topic]:
        """Return topics of which nobody has looked so long, those that have waited longest first."""
        found = self._db.execute(
            "select game, topic, page, phase, rest from topic"
            " where not is_left and (looked <= ?1 or looked > ?2) order by looked limit ?3",
            (now.timestamp() - every.total_seconds(), now.timestamp() + 2 * 86_400, limit),
        )
        return [Topic(*one) for one in found]

    def note_read(self, read: Topic, now: datetime) -> None:
        """Note that a topic was read, and from which page on it is next."""
        self._db.execute(
            "update topic set page = ?, phase = ?, rest = ?, looked = ? where game = ?",
            (read.page, read.phase, read.rest, now.timestamp(), read.game),
        )

    def keep_threads(self, game: str, rows: Iterable[ThreadRow]) -> None:
        """Keep which threads a game has, with how far those were read that it had before."""
        wanted = {one.role: one for one in rows}
        for role, nth in self._db.execute("select role, nth from thread where game = ?", (game,)).fetchall():
            if role not in wanted or wanted[role].nth != nth:
                self._db.execute("delete from thread where game = ? and role = ?", (game, role))
        self._db.executemany(
            "insert into thread(game, role, person, reader, nth, account, title, topic, author, is_bound)"
            " values(?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict(game, role) do update set"
            " reader = excluded.reader, topic = excluded.topic, author = excluded.author,"
            " is_bound = excluded.is_bound and not was_shared,"
            " rest = 1, looked = case when topic = excluded.topic then looked else 0 end"
            " where reader != excluded.reader or topic != excluded.topic or author != excluded.author"
            " or is_bound != (excluded.is_bound and not was_shared)",
            [
                (r.game, r.role, r.person, r.reader, r.nth, r.account, r.title, r.topic, r.author, r.is_bound)
                for r in wanted.values()
            ],
        )

    def threads_to_read(
        self, now: datetime, every: timedelta, limit: int, due: Mapping[str, datetime]
    ) -> list[ThreadRow]:
        """
        Return threads to be read: first those of games that wait until they are, and then those that waited longest.

        Shape: `due` says of such games until when they have to be read.
        """
        late = [
            one
            for game, since in sorted(due.items(), key=lambda one: (one[1], one[0]))
            for one in self._threads(
                "where game = ? and topic and read_until < ? order by looked", (game, since.timestamp())
            )
        ]
        found = self._threads(
            "where (looked <= ? or looked > ?) and rest > 0 order by looked limit ?",
            (now.timestamp() - every.total_seconds(), now.timestamp() + 2 * 86_400, limit),
        )
        first = {(one.game, one.role) for one in late}
        return [*late, *(one for one in found if (one.game, one.role) not in first)]

    def note_thread_read(self, read: ThreadRow, now: datetime, again: datetime) -> None:
        """Note that a thread was read to its end now, and from which page on, and when, it is next."""
        self._db.execute(
            "update thread set page = ?, mark = ?, phase = ?, rest = ?, looked = ?, read_until = ?,"
            " failed = 0, failing = 0"
            " where game = ? and role = ?",
            (
                read.page,
                read.mark,
                read.phase,
                read.rest,
                again.timestamp(),
                now.timestamp(),
                read.game,
                read.role,
            ),
        )

    def note_failed(self, thread: ThreadRow, now: datetime) -> None:
        """Note that a thread could not be read, or opened: others come first now."""
        self._db.execute(
            "update thread set looked = ?1, failed = failed + 1, failing = case when failing then failing else ?1 end"
            " where game = ?2 and role = ?3",
            (now.timestamp(), thread.game, thread.role),
        )

    def note_shared(self, thread: ThreadRow) -> None:
        """Note that somebody else was seen in a thread: nothing is written in it, and its end is told next."""
        self._db.execute(
            "update thread set is_bound = 0, was_shared = 1, looked = 0 where game = ? and role = ?",
            (thread.game, thread.role),
        )

    def note_answered(self, now: datetime) -> None:
        """Note that something was read on the forum to its end."""
        self._db.execute("insert or replace into forum_read values(1, ?)", (now.timestamp(),))

    def answered_since(self, then: float) -> bool:
        """Say whether anything was read on the forum after an instant (seconds since 1970)."""
        return self._db.execute("select 1 from forum_read where at > ?", (then,)).fetchone() is not None

    def has_threads(self, game: str) -> bool:
        """Say whether a game has an open thread."""
        return self._db.execute("select 1 from thread where game = ? and topic", (game,)).fetchone() is not None

    def is_read(self, game: str, since: datetime) -> bool:
        """Say whether all open threads of a game have been read since an instant."""
        late = self._db.execute(
            "select 1 from thread where game = ? and topic and read_until < ?", (game, since.timestamp())
        ).fetchone()
        return late is None

    def note_turn(self, place: str, now: datetime) -> None:
        """Note that something was posted at a place: others come first now, for a day."""
        self._db.execute("delete from forum_turn where at < ?", (now.timestamp() - 86_400,))
        self._db.execute("insert or replace into forum_turn values(?, ?)", (place, now.timestamp()))

    def turns(self) -> dict[str, float]:
        """Return when something was last posted at places (seconds since 1970)."""
        return dict(self._db.execute("select place, at from forum_turn"))

    def bound(self) -> dict[tuple[str, str], ThreadRow]:
        """Return the threads in which letters go to their readers, by game and reader."""
        return {(one.game, one.reader): one for one in self._threads("where is_bound", ())}

    def _threads(self, where: str, values: tuple[object, ...]) -> list[ThreadRow]:
        columns = ", ".join(ThreadRow.__struct_fields__)
        found = self._db.execute(f"select {columns} from thread {where}", values)  # noqa: S608  names of our own
        rows = (ThreadRow(*row) for row in found)
        return [
            msgspec.structs.replace(one, is_bound=bool(one.is_bound), was_shared=bool(one.was_shared)) for one in rows
        ]

    def note_amending(self, game: str) -> None:
        """Note that posts of a game may have to be changed."""
        self._db.execute("insert or ignore into amending values(?)", (game,))

    def amending(self) -> list[str]:
        """Return the games of which posts may have to be changed."""
        return [game for (game,) in self._db.execute("select game from amending order by game")]

    def note_amended(self, letter: str, digest: str) -> None:
        """Note what a post was changed into."""
        self._db.execute("insert or replace into amended values(?, ?)", (letter, digest))

    def amended(self, letter: str) -> str:
        """Return the digest of what a post was changed into, "" where it was not."""
        found = self._db.execute("select digest from amended where letter = ?", (letter,)).fetchone()
        return str(found[0]) if found else ""

    def forget_amending(self, game: str) -> None:
        """Note that all posts of a game are as they are to be."""
        self._db.execute("delete from amending where game = ?", (game,))

    def leave(self, game: str) -> None:
        """Read a game's topic no more."""
        self._db.execute("update topic set is_left = 1 where game = ?", (game,))

    def leave_alone(self, until: datetime) -> None:
        """Leave the forum alone until then."""
        self._db.execute("insert or replace into forum_rest values(1, ?)", (until.timestamp(),))

    def alone_until(self, now: datetime) -> datetime | None:
        """Return until when the forum is to be left alone; never for more than a day, whatever a clock once said."""
        found = self._db.execute("select until from forum_rest").fetchone()
        return instant(found[0]) if found and now.timestamp() < found[0] < now.timestamp() + 86_400 else None
