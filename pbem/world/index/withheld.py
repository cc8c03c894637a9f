"""Mails that lie in the mailbox and that it does not hand out: the index's sixth owner."""

from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec

from pbem.world.index.connection import Connection, stamp

_TABLES = """
create table if not exists withheld(
    name text primary key, what text not null, said text not null, arrived real not null, tries integer not null,
    asked real not null);
"""


class WithheldMail(msgspec.Struct, frozen=True):
    """
    A mail that could not be had, by the mailbox's name for it.

    Shape: `what` names it for people, `said` is what was said of it last; it was asked for in so many sweeps (`tries`),
    the last one `asked`. Where nobody can say when it came, `arrived` is when we first saw it.
    """

    name: str
    what: str
    said: str
    arrived: datetime
    tries: int
    asked: datetime


class WithheldMails:
    """The mails that were withheld at the last look; losing the table costs a few sweeps."""

    def __init__(self, db: Connection) -> None:
        """Take the open file."""
        self._db = db
        db.make_tables(_TABLES, ())

    def all(self) -> list[WithheldMail]:
        """Return them, the oldest first."""
        found = self._db.execute("select name, what, said, arrived, tries, asked from withheld order by arrived, name")
        return [
            WithheldMail(name, what, said, datetime.fromtimestamp(came, UTC), tries, datetime.fromtimestamp(asked, UTC))
            for name, what, said, came, tries, asked in found
        ]

    def store(self, mails: Iterable[WithheldMail]) -> None:
        """Store what is known of mails."""
        self._db.executemany(
            "insert or replace into withheld values(?, ?, ?, ?, ?, ?)",
            [(one.name, one.what, one.said, stamp(one.arrived), one.tries, stamp(one.asked)) for one in mails],
        )

    def forget(self, names: Iterable[str]) -> None:
        """Forget mails that have come, or gone."""
        self._db.executemany("delete from withheld where name = ?", [(name,) for name in names])
