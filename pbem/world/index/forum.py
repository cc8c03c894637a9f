"""Which topic of the forum is a game's, and from which page on it is read: the index's fifth owner."""

from datetime import datetime, timedelta

import msgspec

from pbem.world.index.connection import Connection, instant

_TABLES = """
create table if not exists topic(
    game text primary key, topic integer not null, page integer not null default 1, phase text not null default '',
    rest integer not null default 1, looked real not null default 0, is_left integer not null default 0);
create table if not exists amending(game text primary key);
create table if not exists amended(letter text primary key, digest text not null);
create table if not exists forum_rest(one integer primary key check (one = 1), until real not null);
"""


class Topic(msgspec.Struct, frozen=True):
    """
    A game's topic.

    Shape: `page` is the first that is read, on which the posts of this `phase` begin; `rest` how often it is read yet
    once the game is over.
    """

    game: str
    topic: int
    page: int
    phase: str
    rest: int


class ForumTopics:
    """The topics of games, and until when the forum is left alone. The forum itself can tell them again."""

    def __init__(self, db: Connection) -> None:
        """Take the open file."""
        self._db = db
        db.make_tables(_TABLES, ())

    def note(self, game: str, topic: int) -> None:
        """Note which topic is a game's."""
        self._db.execute("insert or replace into topic(game, topic) values(?, ?)", (game, topic))

    def forget(self, game: str) -> None:
        """Forget the topic of a game."""
        self._db.execute("delete from topic where game = ?", (game,))

    def of(self, game: str) -> int | None:
        """Return the topic of a game, as far as it is known."""
        found = self._db.execute("select topic from topic where game = ?", (game,)).fetchone()
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

    def rest(self, until: datetime) -> None:
        """Leave the forum alone until then."""
        self._db.execute("insert or replace into forum_rest values(1, ?)", (until.timestamp(),))

    def rests(self, now: datetime) -> datetime | None:
        """Return until when the forum is to be left alone; never for more than a day, whatever a clock once said."""
        found = self._db.execute("select until from forum_rest").fetchone()
        return instant(found[0]) if found and now.timestamp() < found[0] < now.timestamp() + 86_400 else None
