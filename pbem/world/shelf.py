"""The files of an arena: each whole or absent, and durable before we act on it; does not know what they mean."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from pbem.terms import ShelfError
from pbem.world import disk
from pbem.world.disk import Parts

STEPS = (
    "write:before-sync",
    "write:before-rename",
    "write:before-folder-sync",
    "append:before-write",
    "append:before-sync",
    "append:before-folder-sync",
    "cut:before-truncate",
    "cut:before-sync",
    "done",
)
"""Every name that STEP is called with: the places where a crash leaves something different behind."""


def _go_on(name: str) -> None:
    pass


STEP: Callable[[str], None] = _go_on
"""Called at each of STEPS; crash tests let it raise. A BaseException is not cleaned up after."""

_BENCH = ".tmp"


class Shelf:
    """
    The files of one arena, named by plain parts: `read("games", "ember-7", "charter.toml")`.

    Shape: an arena lies on one file system; folders are 0700, files 0600; temporaries are in `.tmp`, which no
    listing shows. No link below the root is followed.
    Errors: ShelfError with the path and what to do about it.
    """

    def __init__(self, root: Path) -> None:
        """Take the arena's folder; nothing is made before the first write."""
        self.root = root

    def read(self, *parts: str) -> bytes:
        """Return the bytes of a file. Errors: ShelfError where it is missing or cannot be read."""
        with _shelf_errors(self.root, parts), disk.file(self.root, parts, os.O_RDONLY) as handle:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise ShelfError(f"{self.root.joinpath(*parts)} is not a plain file. Move it away.")
            return disk.drain(handle)

    def exists(self, *parts: str) -> bool:
        """Say whether there is a file or folder of this name. Errors: ShelfError where it is a link."""
        with _shelf_errors(self.root, parts):
            return disk.exists(self.root, parts)

    def stamp(self, *parts: str) -> str:
        """Return a text that changes when a file is written to or replaced; "" where there is no such file."""
        try:
            found = os.stat(os.path.join(self.root, *parts), follow_symlinks=False)
        except OSError:
            return ""
        return f"{found.st_mtime_ns}.{found.st_size}"

    def names(self, *parts: str) -> list[str]:
        """List a folder in order of name, without what begins with a dot; an absent folder is empty."""
        with _shelf_errors(self.root, parts):
            try:
                with disk.folder(self.root, parts) as handle:
                    return [name for name in disk.listing(handle) if not name.startswith(".")]
            except FileNotFoundError:
                return []

    def write(self, data: bytes, *parts: str, once: bool = False) -> None:
        """Put a whole file in place, durably; with `once` a file that is there already stays as it is."""
        with self.batch() as batch:
            batch.write(data, *parts, once=once)

    def append(self, data: bytes, *parts: str, onto: Footing | None = None) -> None:
        """
        Add to the end of a file, durably.

        Errors: ChangedError where the file is not what it was known to be, `onto`; else ShelfError: the file is then as
        it was, or has a torn tail, and is to be read again.
        """
        with self.batch() as batch:
            batch.append(data, *parts, onto=onto)

    def footing(self, *parts: str) -> Footing:
        """Return the footing of a file; NOTHING where there is none."""
        with _shelf_errors(self.root, parts):
            if not disk.exists(self.root, parts):
                return NOTHING
            with disk.file(self.root, parts, os.O_RDONLY) as handle:
                return _footing(handle)

    def cut(self, size: int, *parts: str) -> None:
        """Cut a torn tail off a file, durably. Units: the bytes to keep."""
        with _shelf_errors(self.root, parts), disk.file(self.root, parts, os.O_WRONLY) as handle:
            held = os.fstat(handle).st_size
            if not 0 <= size <= held:
                raise ShelfError(f"{self.root.joinpath(*parts)} has {held} bytes and cannot be cut to {size}.")
            STEP("cut:before-truncate")
            os.ftruncate(handle, size)
            STEP("cut:before-sync")
            os.fsync(handle)
            STEP("done")

    @contextmanager
    def batch(self) -> Iterator[Batch]:
        """
        Collect writes and appends, and make them durable together at the end of the body.

        Shape: first the writes are made, each whole or absent, in no order, then those that are the `last`, then the
        appends, so that what comes later may speak of what came before. If the body raises, nothing is done.
        Errors: ShelfError; writes and appends are then each done or not done.
        """
        with ExitStack() as open_folders:
            with _shelf_errors(self.root, ()):
                self._make_root()
                root = open_folders.enter_context(disk.folder(self.root, ()))
                bench = open_folders.enter_context(disk.folder(root, (_BENCH,), set()))
                disk.share(bench)
            batch = Batch(self.root, root, bench)
            try:
                yield batch
                batch.finish()
            except Exception:
                batch.drop()
                raise

    @contextmanager
    def lock(self, *parts: str) -> Iterator[None]:
        """
        Hold a lock file, with our process id in it, for the length of the body.

        Errors: ShelfError naming the process that holds it; it is never waited for.
        """
        with ExitStack() as held:
            with _shelf_errors(self.root, parts):
                self._make_root()
                within = held.enter_context(disk.folder(self.root, parts[:-1], set()))
                handle = held.enter_context(disk.open_handle(parts[-1], os.O_RDWR | os.O_CREAT, within))
                holder = disk.claim(handle)
            if holder:
                raise ShelfError(
                    f"{self.root.joinpath(*parts)} is held by process {holder}, which is at work here. "
                    "Wait until it is done, or stop it."
                )
            yield
            with suppress(OSError):
                os.ftruncate(handle, 0)

    def move(self, old: tuple[str, ...], new: tuple[str, ...]) -> None:
        """
        Give a file another place; after a crash it is at the old one or the new one. Moving it again is no error.

        Errors: ShelfError.
        """
        with _shelf_errors(self.root, new), disk.folder(self.root, new[:-1], set()) as there:
            try:
                with disk.folder(self.root, old[:-1]) as here:
                    os.rename(old[-1], new[-1], src_dir_fd=here, dst_dir_fd=there)
            except FileNotFoundError:
                if not disk.exists(there, new[-1:]):
                    raise

    def remove(self, *parts: str) -> None:
        """Remove a file that nobody needs any more; one that has gone is no error. Errors: ShelfError."""
        with _shelf_errors(self.root, parts), suppress(FileNotFoundError), disk.folder(self.root, parts[:-1]) as within:
            os.unlink(disk.spelled(parts[-1]), dir_fd=within)

    def free(self) -> int:
        """Return how many bytes are free on the disk. Errors: ShelfError."""
        with _shelf_errors(self.root, ()):
            found = os.statvfs(self.root)
        return found.f_bavail * found.f_frsize

    def tidy(self) -> int:
        """
        Sweep up after a crash, before anything here is believed; return how many temporaries went.

        What a killed process left visible may not be on the disk yet: it is made durable first, so that
        nobody acts on it and then loses it. Temporaries are left alone while a process is at work.
        """
        if not self.root.exists():
            return 0
        with _shelf_errors(self.root, ()), disk.folder(self.root, ()) as root:
            disk.settle_all(root)
            with disk.folder(root, (_BENCH,), set()) as bench:
                left = os.listdir(bench) if disk.is_alone(bench) else []
                for name in left:
                    os.unlink(name, dir_fd=bench)
            return len(left)

    def _make_root(self) -> None:
        if not self.root.exists():
            os.makedirs(self.root, 0o700, exist_ok=True)
            disk.sync(self.root.parent, ())


class ChangedError(ShelfError):
    """A file changed after we read it and before we wrote it; the other change stays."""


class Footing(NamedTuple):
    """Which file a process has read, by its inode, and its size in bytes."""

    inode: int
    size: int


NOTHING = Footing(0, 0)
"""No file at all, or an empty one."""


def _footing(handle: int) -> Footing:
    found = os.fstat(handle)
    return Footing(found.st_ino, found.st_size) if found.st_size else NOTHING


class Batch:
    """Writes and appends that become durable together; made by `Shelf.batch`."""

    def __init__(self, path: Path, root: int, bench: int) -> None:
        """Take the arena's path, and descriptors of it and of its folder for temporaries."""
        self._path, self._root, self._bench = path, root, bench
        self._written: dict[Parts, str] = {}
        self._last: set[Parts] = set()
        self._appended: dict[Parts, bytearray] = {}
        self._sizes: dict[Parts, int] = {}
        self._expected: dict[Parts, bytes] = {}
        self._onto: dict[Parts, Footing] = {}
        self._changed: set[Parts] = set()

    def write(
        self, data: bytes, *parts: str, once: bool = False, last: bool = False, instead_of: bytes | None = None
    ) -> None:
        """
        Write a whole file; with `once` (for names made of the content) one that is there already stays.

        The latter of two writes to one name counts. One that is the `last` is in its place only once all that are
        not are durable, because it speaks of them.
        Errors: ChangedError from `finish`, where the file is no longer what it was to be written `instead_of`.
        """
        if instead_of is not None:
            self._expected[parts] = instead_of
        with _shelf_errors(self._path, parts):
            if disk.exists(self._root, parts) and once:
                self._changed.add(parts[:-1])  # an earlier try may have failed between its rename and its sync
                return
            name = secrets.token_hex(8)
            disk.make(name, data, self._bench)
            self._take_back(parts)
            self._written[parts] = name
            if last:
                self._last.add(parts)

    def append(self, data: bytes, *parts: str, onto: Footing | None = None) -> None:
        """
        Add to the end of a file, after all writes of this batch are durable.

        Errors: ChangedError from `finish`, where the file is no longer the one that it was to be added `onto`.
        """
        with _shelf_errors(self._path, parts):
            self._appended.setdefault(parts, bytearray()).extend(data)
            if onto is not None:
                self._onto[parts] = onto

    def finish(self) -> None:
        """Make the collected writes and appends durable."""
        if self._written or self._changed:
            self._place()
        if self._appended:
            self._extend()
        STEP("done")

    def drop(self) -> None:
        """Remove temporaries and undo unfinished appends; if that fails, `tidy` and `cut` do it later."""
        for parts in list(self._written):
            with suppress(OSError):
                self._take_back(parts)
        for parts, size in self._sizes.items():
            with suppress(OSError), disk.file(self._root, parts, os.O_WRONLY) as handle:
                os.ftruncate(handle, size)

    def _place(self) -> None:
        with _shelf_errors(self._path, ()):
            STEP("write:before-sync")
            disk.settle(self._root, [(_BENCH, name) for name in self._written.values()])
        self._rename([parts for parts in self._written if parts not in self._last])
        self._rename(list(self._written))

    def _rename(self, some: Collection[Parts]) -> None:
        """Rename written files into place, durably."""
        for parts in some:
            name = self._written[parts]
            with _shelf_errors(self._path, parts), disk.folder(self._root, parts[:-1], self._changed) as within:
                STEP("write:before-rename")
                if parts in self._expected and self._now(parts, within) != self._expected[parts]:
                    raise ChangedError(f"{self._path.joinpath(*parts)} was changed while it was to be written.")
                os.rename(name, disk.spelled(parts[-1]), src_dir_fd=self._bench, dst_dir_fd=within)
                del self._written[parts]
                self._changed.add(parts[:-1])
        self._settle_folders("write:before-folder-sync")

    def _now(self, parts: Parts, within: int) -> bytes:
        if not disk.exists(within, parts[-1:]):
            return b""
        with disk.open_handle(parts[-1], os.O_RDONLY, within) as handle:
            return disk.drain(handle)

    def _extend(self) -> None:
        for parts, data in self._appended.items():
            with _shelf_errors(self._path, parts), disk.folder(self._root, parts[:-1], self._changed) as within:
                is_there = disk.exists(within, parts[-1:])
                onto = self._onto.get(parts)
                if onto not in (None, NOTHING) and not is_there:
                    raise ChangedError(f"{self._path.joinpath(*parts)} has gone since it was read.")
                if not is_there:
                    self._changed.add(parts[:-1])
                with disk.open_handle(parts[-1], os.O_WRONLY | os.O_APPEND | os.O_CREAT, within) as handle:
                    if onto is not None and _footing(handle) != onto:
                        raise ChangedError(f"{self._path.joinpath(*parts)} was changed since it was read.")
                    STEP("append:before-write")
                    self._sizes[parts] = os.fstat(handle).st_size
                    disk.fill(handle, data)
        with _shelf_errors(self._path, ()):
            STEP("append:before-sync")
            disk.settle(self._root, self._appended, os.fdatasync)
        self._settle_folders("append:before-folder-sync")
        self._sizes.clear()

    def _settle_folders(self, step: str) -> None:
        if self._changed:
            with _shelf_errors(self._path, ()):
                STEP(step)
                disk.settle(self._root, self._changed)
            self._changed.clear()

    def _take_back(self, parts: Parts) -> None:
        name = self._written.pop(parts, None)
        if name:
            os.unlink(name, dir_fd=self._bench)


@contextmanager
def _shelf_errors(root: Path, parts: Parts) -> Iterator[None]:
    """Raise an OSError as a ShelfError about this place; refuse a place that is not made of plain names."""
    for part in parts:
        if not part or part.startswith(".") or "/" in part or "\0" in part or not _fits(part):
            raise ShelfError(f"{part[:80]!r} is not a plain name, so {root} has no such file.")
    try:
        yield
    except OSError as error:
        raise ShelfError(disk.sentence(error, root.joinpath(*parts))) from error


def _fits(part: str) -> bool:
    return len(part.encode("utf-8", "replace")) <= 255 and part.isprintable()
