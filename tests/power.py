"""Power that goes: what the disk was told during a sweep, and the states that it may be found in afterwards."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from pbem.testing.room import MemoryMailbox, MemoryOutbox
from pbem.world import disk
from pbem.world.index.connection import Connection
from tests.conftest import Room

MODES = ("durable", "all", "names", "data", "torn", "zeroed")
"""
What is found of what was not made durable: nothing; all; names without their data; data without their names; all but
half of the last write; zeros in the place of data.
"""


class Told(NamedTuple):
    """One thing that the disk was told, and what had been said to the world before it; places are below the arena."""

    what: str
    place: str
    more: Any
    sent: int
    waiting: tuple[str, ...]
    copies: dict[str, bytes]
    older: dict[str, bytes]


class Recorder:
    """
    Takes down what a room's sweep tells the disk.

    What SQLite does is kept as copies of its files, which it guards itself: as they are, and, where what was stored last
    is durable soon, the older ones that the disk may still have.
    """

    def __init__(self, room: Room) -> None:
        self.room = room
        self.told: list[Told] = []
        self._index: dict[str, bytes] = {}
        self._stamp: tuple[Any, ...] = ()
        self.older: dict[str, bytes] | None = None

    def note(self, what: str, place: str = "", more: Any = None) -> None:
        """Take one thing down, before it is done."""
        waiting = tuple(mail.name for mail in self.room.mailbox.waiting)
        copies = self.copies()
        older = copies if self.older is None else self.older
        self.told.append(Told(what, place, more, len(self.room.outbox.sent), waiting, copies, older))

    def place(self, handle: int | None, name: str = "") -> str:
        """Return a place below the arena, of an open file, or of a name in an open folder; "." is the arena itself."""
        folder = os.readlink(f"/proc/self/fd/{handle}") if handle is not None else ""
        return os.path.relpath(os.path.join(folder, name), self.room.root)

    def copies(self) -> dict[str, bytes]:
        """Return the files of the index as they are."""
        paths = sorted(path for path in self.room.root.glob("index.sqlite*") if not path.name.endswith("-shm"))
        stamp = tuple((path.name, found.st_size, found.st_mtime_ns) for path in paths for found in [path.stat()])
        if stamp != self._stamp:
            self._stamp, self._index = stamp, {path.name: path.read_bytes() for path in paths}
        return self._index


@contextmanager
def recorded(room: Room) -> Iterator[Recorder]:
    """Take down everything that the disk is told, which is done but never waited for."""
    found = Recorder(room)
    really = {name: getattr(os, name) for name in ("open", "write", "mkdir", "rename", "unlink", "ftruncate")}

    def opening(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if flags & os.O_CREAT and dir_fd is not None:
            place = found.place(dir_fd, path)
            if not os.path.exists(found.room.root / place):
                found.note("create", place)
        handle: int = really["open"](path, flags, mode, dir_fd=dir_fd)
        return handle

    def write(handle: int, data: Any) -> int:
        found.note("write", found.place(handle), (os.fstat(handle).st_size, bytes(data)))
        count: int = really["write"](handle, data)
        assert count == len(data)
        return count

    def mkdir(path: Any, mode: int = 0o777, *, dir_fd: int | None = None) -> None:
        found.note("mkdir", found.place(dir_fd, path))
        really["mkdir"](path, mode, dir_fd=dir_fd)

    def rename(old: Any, new: Any, *, src_dir_fd: int | None = None, dst_dir_fd: int | None = None) -> None:
        really["rename"](old, new, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)  # one that fails is none
        found.note("rename", found.place(src_dir_fd, old), found.place(dst_dir_fd, new))

    def unlink(path: Any, *, dir_fd: int | None = None) -> None:
        found.note("unlink", found.place(dir_fd, path))
        really["unlink"](path, dir_fd=dir_fd)

    def ftruncate(handle: int, size: int) -> None:
        found.note("truncate", found.place(handle), size)
        really["ftruncate"](handle, size)

    with pytest.MonkeyPatch.context() as patch:
        for name, told in {
            "open": opening, "write": write, "mkdir": mkdir, "rename": rename, "unlink": unlink, "ftruncate": ftruncate,
            "fsync": lambda handle: found.note("sync", found.place(handle)),
        }.items():  # fmt: skip
            patch.setattr(os, name, told)
        patch.setattr(
            disk, "sync", lambda root, parts, how=None: found.note("sync", found.place(root, "/".join(parts)))
        )
        patch.setattr(disk, "_syncfs", lambda root: found.note("sync all"))
        patch.setattr(Connection, "together", _telling(found, Connection.together))
        _after(patch, found, MemoryOutbox, "send", "sent")
        _after(patch, found, MemoryMailbox, "mark", "marked")
        yield found
        found.note("end")


def _telling(found: Recorder, together: Callable[..., Any]) -> Callable[..., Any]:
    """Let a recorder know which index is on the disk for sure: that before what is to be durable soon."""

    @contextmanager
    def told(db: Connection, *, soon: bool = False) -> Iterator[None]:
        is_outer = not db.in_transaction
        if is_outer and soon and found.older is None:
            found.older = found.copies()
        with together(db, soon=soon):
            yield
        if is_outer and not soon:
            found.older = None

    return told


def _after(patch: pytest.MonkeyPatch, found: Recorder, at: type, name: str, what: str) -> None:
    work: Callable[..., Any] = getattr(at, name)

    def done(*arguments: Any) -> Any:
        work(*arguments)
        found.note(what)

    patch.setattr(at, name, done)


class _Inode:
    """One file's bytes: those that are durable, those that are seen, and where the last write began."""

    def __init__(self, data: bytes, *, durable: bool) -> None:
        self.seen = data
        self.durable = data if durable else b""
        self.last = 0 if durable else None

    def found(self, mode: str, *, last: bool) -> bytes:
        """Return what is found of it in a mode; `last` says whether it was written to last."""
        if mode in ("durable", "names"):
            return self.durable
        if self.seen == self.durable or mode in ("all", "data"):
            return self.seen
        if mode == "zeroed":
            return self.durable + bytes(max(0, len(self.seen) - len(self.durable)))
        return self.seen[: (len(self.seen) + (self.last or 0)) // 2] if last else self.seen


class Power:
    """
    A disk as it is told one thing after the other, of which the power may go.

    Rule: a file's bytes are durable once it was synced, a name once its folder was; renaming is one step that either
    of its folders takes to the disk.
    """

    def __init__(self, root: Path) -> None:
        self.seen: dict[str, _Inode] = {}
        self.folders = {"."}
        for path in sorted(root.rglob("*")):
            name = str(path.relative_to(root))
            if path.is_dir():
                self.folders.add(name)
            elif not name.startswith("index.sqlite"):
                self.seen[name] = _Inode(path.read_bytes(), durable=True)
        self.durable = dict(self.seen)
        self.durable_folders = set(self.folders)
        self._pending: list[tuple[set[str], Callable[[], None]]] = []
        self._last: _Inode | None = None

    def tell(self, told: Told) -> None:
        """Do one thing."""
        place, more = told.place, told.more
        match told.what:
            case "create":
                inode = self.seen[place] = _Inode(b"", durable=False)
                self._later([place], lambda: self.durable.__setitem__(place, inode))
            case "write":
                inode, (at, data) = self.seen[place], more
                assert at == len(inode.seen)
                inode.last, inode.seen, self._last = at, inode.seen + data, inode
            case "truncate":
                self.seen[place].seen = self.seen[place].seen[:more]
            case "mkdir":
                self.folders.add(place)
                self._later([place], lambda: self.durable_folders.add(place))
            case "rename":
                moved = self.seen[more] = self.seen.pop(place)
                self._later([place, more], lambda: self._rename(place, more, moved))
            case "unlink":
                del self.seen[place]
                self._later([place], lambda: self._forget(place))
            case "sync" if place in self.seen:
                self.seen[place].durable = self.seen[place].seen
            case "sync":
                assert place in self.folders, place
                self._settle(place)
            case "sync all":
                self._settle(None)
                for inode in self.seen.values():
                    inode.durable = inode.seen

    def found(self, mode: str) -> dict[str, bytes]:
        """Return the files that are found when the power goes now."""
        names, folders = (
            (self.durable, self.durable_folders) if mode in ("durable", "data") else (self.seen, self.folders)
        )
        return {
            name: inode.found(mode, last=inode is self._last)
            for name, inode in names.items()
            if all(str(above) in folders for above in Path(name).parents)
        }

    def _later(self, places: list[str], step: Callable[[], None]) -> None:
        self._pending.append(({os.path.dirname(place) or "." for place in places}, step))

    def _settle(self, folder: str | None) -> None:
        for folders, step in self._pending:
            if folder is None or folder in folders:
                step()
        self._pending = [one for one in self._pending if folder is not None and folder not in one[0]]

    def _forget(self, place: str) -> None:
        self.durable.pop(place, None)

    def _rename(self, old: str, new: str, moved: _Inode) -> None:
        self.durable.pop(old, None)
        self.durable[new] = moved


class Found(NamedTuple):
    """A state that the disk may be found in: after how many things told, in which mode, and what had been said by then."""

    at: int
    mode: str
    files: dict[str, bytes]
    sent: int
    waiting: tuple[str, ...]
    copies: dict[str, bytes]
    older: dict[str, bytes]


def states(root: Path, told: list[Told]) -> Iterator[Found]:
    """Yield every distinct state in which a disk may be found that stood as `root` and was told these things."""
    power = Power(root)
    seen: set[bytes] = set()
    for at, one in enumerate(told):
        for mode in MODES:
            files = power.found(mode)
            state = Found(at, mode, files, one.sent, one.waiting, one.copies, one.older)
            mark = msgspec.msgpack.encode((sorted(files.items()), one.sent, one.waiting))
            if mark not in seen:
                seen.add(mark)
                yield state
        power.tell(one)
