"""The index's open file: SQLite's errors become a ShelfError, and several changes one transaction."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pbem.ground import records
from pbem.ground.terms import ShelfError

# When SQLite waits for the disk (`pragma synchronous=full`, write-ahead log): once for each transaction, unless that is
# durable `soon`; and twice when the log is folded into the file, after some thousand pages. Which of them have to wait:
#
# - What a wave did, before its mails are marked: a mail that is marked does not come again, and then the index alone
#   says that its letters are to be sent, when its game is due, and by which marks it is known.
# - What the desk took, for the same reason, and what is counted of it: caps are no caps if a reboot empties them.
# - That a post, or a letter whose Date may be renewed, was handed to the mail server: not known from anything else.
# - How far threads and topics on a forum were read: the posts would be read again, which is harmless, but slow.
#
# What need not wait, each with its reason where it is written: that games are in hand (their mails come again), what
# was sent (noted beside the letters, and found there at the next start), and the index as it is made anew.

LEAST = 1 << 20
"""How many bytes must be free for SQLite to work at all; below that it speaks of errors of the disk."""


class _Cursor(sqlite3.Cursor):
    """What a statement gives; SQLite may fail at any row of it, and not at the first alone."""

    connection: Connection

    def fetchone(self) -> Any:
        """Return the next row, None behind the last."""
        with _ShelfErrors(self.connection.path):
            return super().fetchone()

    def fetchall(self) -> list[Any]:
        """Return the rows that are left."""
        with _ShelfErrors(self.connection.path):
            return super().fetchall()

    def __iter__(self) -> Any:
        """Go through the rows that are left, all read at once."""
        return iter(self.fetchall())


class Connection(sqlite3.Connection):
    """The open file. Errors: ShelfError from all methods."""

    path: Path

    def execute(self, *asked: Any) -> sqlite3.Cursor:
        """Run one statement."""
        with _ShelfErrors(self.path):
            return self.cursor(_Cursor).execute(*asked)

    def executemany(self, statement: str, rows: Iterable[Any], /) -> sqlite3.Cursor:
        """Run a statement for each row, all or none."""
        if not (rows := list(rows)):
            return self.cursor()
        with self.together(), _ShelfErrors(self.path):
            return super().executemany(statement, rows)

    @contextmanager
    def together(self, *, soon: bool = False) -> Iterator[None]:
        """
        Make all that is stored inside durable at once, or nothing of it; may be nested.

        Shape: what is durable `soon` outlives the process at once, and the power once something else is made durable.
        Whoever asks for that says why no more is needed.
        """
        if self.in_transaction:
            yield
            return
        if soon:
            self.execute("pragma synchronous=normal")
        try:
            self.execute("begin")
            with _ShelfErrors(self.path), self:
                yield
        finally:
            if soon:
                self.execute("pragma synchronous=full")

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Store all of what is inside or nothing, whatever becomes of the rest of what is stored together."""
        self.execute("savepoint apart")
        try:
            yield
        except Exception:
            self.execute("rollback to apart")
            raise
        finally:
            self.execute("release apart")

    def make_tables(self, tables: str, added: Iterable[tuple[str, str, str]]) -> None:
        """Make the tables that are missing, and the columns that those of an older release lack."""
        with _ShelfErrors(self.path):
            self.executescript(tables)
        for table, column, kind in added:
            if column not in {found[1] for found in self.execute(f"pragma table_info({table})")}:
                self.execute(f"alter table {table} add column {column} {kind}")


def connect(path: Path) -> Connection:
    """Open the file, or make an empty one, that nobody else can read. Errors: ShelfError."""
    with _ShelfErrors(path):
        _make_private(path)
        db = sqlite3.connect(path, isolation_level=None, timeout=10, check_same_thread=False, factory=Connection)
        db.path = path
        db.execute("pragma journal_mode=wal")
        db.execute("pragma synchronous=full")
        _check_format(db)
        return db


def _check_format(db: Connection) -> None:
    """Refuse an index of a newer release; one of an older release has none, or is brought to ours."""
    found = db.execute("pragma user_version").fetchone()[0]
    if found > records.FORMAT:
        db.close()
        message = records.newer(db.path, f"format {found}")
        raise ShelfError(f"{message} Or delete it: it is made again from the games' folders.")
    if found < records.FORMAT:
        db.execute(f"pragma user_version = {records.FORMAT}")


def _make_private(path: Path) -> None:
    """Let the file be ours alone before SQLite opens it: what SQLite writes beside it gets its mode."""
    # One that is there is not opened: to close it would drop the locks of all that this process has open of it, and
    # another process that ends would take SQLite's own files away from under us.
    if not path.exists():
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    for one in (path, *(path.with_name(f"{path.name}-{side}") for side in ("wal", "shm"))):
        if one.exists():
            one.chmod(0o600)


class _ShelfErrors:
    """Raises what SQLite cannot do as a ShelfError, with what to do about it; no generator, as all statements pass."""

    __slots__ = ("_path",)

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        # the disk, its room or its rights: the file may be sound
        if isinstance(error, sqlite3.OperationalError | OSError):
            raise ShelfError(_unusable(self._path, error)) from error
        if isinstance(error, sqlite3.DatabaseError):
            raise ShelfError(f"{self._path} is damaged ({error}). Delete it and run: pbem reindex") from error


def _unusable(path: Path, error: Exception) -> str:
    if _free(path) < LEAST:
        return f"The disk is full: {path} cannot be used. Make room; it is tried again."
    return f"{path} cannot be used: {error}. Check who owns it, and whether its disk is full."


def _free(path: Path) -> int:
    """Return how many bytes are free where a file is or will be; if that is unknown, as many as needed."""
    try:
        return shutil.disk_usage(path.parent).free
    except OSError:
        return LEAST


def stamp(instant: datetime | None) -> float | None:
    """Return an instant as the file stores it: seconds since 1970."""
    return instant.timestamp() if instant else None


def instant(stamp: float | None) -> datetime | None:
    """Return the instant that the file stores."""
    return None if stamp is None else datetime.fromtimestamp(stamp, UTC)
