"""The arena's index: derived, deletable, so that a sweep with nothing to do opens no game's folder; knows no rules."""

from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path

from pbem.world.index.chat import Chat
from pbem.world.index.connection import connect
from pbem.world.index.counters import Counters
from pbem.world.index.forum import ForumTopics
from pbem.world.index.games import Games
from pbem.world.index.outgoing import Outgoing
from pbem.world.index.withheld import WithheldMails


class Index:
    """
    A SQLite file beside the games, in which six owners have tables of their own.

    Errors: ShelfError from all of it, where the file is damaged or the disk is in the way; deleting it and `pbem
    reindex` brings it back.
    """

    def __init__(self, path: Path) -> None:
        """Open the index of an arena, or make an empty one, that nobody else can read."""
        self._db = connect(path)
        self.games = Games(self._db)
        self.outgoing = Outgoing(self._db)
        self.counters = Counters(self._db)
        self.chat = Chat(self._db)
        self.forum = ForumTopics(self._db)
        self.withheld = WithheldMails(self._db)
        self._version = self._data_version()

    def _data_version(self) -> int:
        return int(self._db.execute("pragma data_version").fetchone()[0])

    def was_changed(self) -> bool:
        """Say whether another process has written to the index since the last time we asked."""
        before, self._version = self._version, self._data_version()
        return before != self._version

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def together(self, *, soon: bool = False) -> AbstractContextManager[None]:
        """Make all that is stored inside durable at once, or nothing of it; `soon` is that of `Connection.together`."""
        return self._db.together(soon=soon)

    def apart(self) -> AbstractContextManager[None]:
        """Store all of what is inside or nothing, whatever becomes of the rest of what is stored together."""
        return self._db.apart()

    def next_wake(self) -> datetime | None:
        """Return the next instant at which a game, a letter or a chat wants us."""
        wakes = (self.games.next_wake(), self.outgoing.waiting()[1], self.chat.next_wake())
        return min((wake for wake in wakes if wake), default=None)

    def empty(self) -> None:
        """Forget what can be found again in the folders."""
        self.games.empty()
        self.outgoing.empty()
