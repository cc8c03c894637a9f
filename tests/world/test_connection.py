"""What SQLite cannot do is said as what is wrong with the index, and what to do about it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.ground.terms import ShelfError
from pbem.world.index import connection
from pbem.world.index.connection import Connection, connect


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Connection]:
    """An index with one table."""
    found = connect(tmp_path / "index.sqlite")
    found.execute("create table some(text)")
    yield found
    found.close()


def fill(db: Connection) -> None:
    """Write more than there is room for."""
    db.execute(f"pragma max_page_count = {db.execute('pragma page_count').fetchone()[0]}")
    db.execute("insert into some values (?)", ("x" * 100_000,))


def test_a_file_that_is_no_index_is_called_damaged(tmp_path: Path) -> None:
    """It can be deleted, since it is made again."""
    path = tmp_path / "index.sqlite"
    path.write_bytes(b"this was never an index" * 1000)
    with pytest.raises(ShelfError, match=r"index\.sqlite is damaged .*Delete it and run: pbem reindex"):
        connect(path)


@pytest.mark.parametrize(("free", "said"), [(0, "The disk is full"), (1 << 40, "cannot be used: .*Check who owns it")])
def test_a_file_that_cannot_be_written_may_be_sound(
    db: Connection, monkeypatch: pytest.MonkeyPatch, free: int, said: str
) -> None:
    """So nobody is told to delete it."""
    monkeypatch.setattr(connection, "_free", lambda _path: free)
    with pytest.raises(ShelfError, match=said):
        fill(db)


def test_what_is_wrong_with_us_stays_what_it_is(db: Connection) -> None:
    """Only what SQLite and the disk cannot do is the index's matter."""
    with pytest.raises(LookupError), db.together():
        raise LookupError
