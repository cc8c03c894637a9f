"""What is to be said in chats and was not yet: the index's fourth owner."""

from collections.abc import Iterable
from datetime import datetime

import msgspec

from pbem.world.index.connection import Connection, instant, stamp

_TABLES = """
create table if not exists chat(
    hook text, game text, entry integer, event text, text text, until real, next real, tries integer, said integer,
    primary key(hook, game, entry));
"""


class ChatMessage(msgspec.Struct, frozen=True, kw_only=True):
    """
    A message to one hook, that an entry of a game calls for, and by when it says nothing any more.

    Shape: `event` is "begun", "report", "reminder" or "over".
    """

    hook: str
    game: str
    entry: int
    event: str
    text: str
    until: datetime
    tries: int = 0


class Chat:
    """The messages that wait; those that were said are known until they would say nothing any more."""

    def __init__(self, db: Connection) -> None:
        """Take the open file."""
        self._db = db
        db.make_tables(_TABLES, ())

    def add(self, messages: Iterable[ChatMessage], now: datetime) -> None:
        """Add messages; one that is known, said or not, stays as it is."""
        self._db.executemany(
            "insert or ignore into chat values(?, ?, ?, ?, ?, ?, ?, 0, 0)",
            [(m.hook, m.game, m.entry, m.event, m.text, stamp(m.until), stamp(now)) for m in messages],
        )

    def to_say(self, now: datetime, most: int) -> list[ChatMessage]:
        """Return the messages whose time has come, the oldest first; those that are too old are forgotten."""
        self._db.execute("delete from chat where until <= ?", (now.timestamp(),))
        found = self._db.execute(
            "select hook, game, entry, event, text, until, tries from chat where not said and next <= ?"
            " order by next, game, entry limit ?",
            (now.timestamp(), most),
        )
        return [
            ChatMessage(
                hook=hook, game=game, entry=entry, event=event, text=text, until=instant(until) or now, tries=tries
            )
            for hook, game, entry, event, text, until, tries in found
        ]

    def note_said(self, message: ChatMessage) -> None:
        """Note that a message was said, or never will be."""
        self._db.execute("update chat set said = 1 where hook = ? and game = ? and entry = ?", _key(message))

    def put_off(self, message: ChatMessage, until: datetime) -> None:
        """Try a message again, not before an instant."""
        self._db.execute(
            "update chat set tries = tries + 1, next = ? where hook = ? and game = ? and entry = ?",
            (until.timestamp(), *_key(message)),
        )

    def next_wake(self) -> datetime | None:
        """Return when the next message is to be said."""
        return instant(self._db.execute("select min(next) from chat where not said").fetchone()[0])


def _key(message: ChatMessage) -> tuple[str, str, int]:
    return message.hook, message.game, message.entry
