"""The files of an arena: each whole or absent, and durable before we act on it; does not know what they mean."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cached_property, partial
from itertools import count, groupby
from pathlib import Path
from typing import NamedTuple

from pbem.ground.terms import ShelfError
from pbem.world import disk
from pbem.world.disk import Parts

STEPS = (
    "before-check",
    "before-append",
    "before-rename",
    "before-sync",
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
_ADD = os.O_WRONLY | os.O_APPEND
_OURS = secrets.token_hex(8)
_number = count()
"""Names of temporaries, which no other process has."""


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
        with _ShelfErrors(self.root, parts), disk.file(self.root, parts, os.O_RDONLY) as handle:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise ShelfError(f"{self.root.joinpath(*parts)} is not a plain file. Move it away.")
            return disk.drain(handle)

    def find(self, *parts: str) -> bytes | None:
        """Return the bytes of a file, None where there is none. Errors: ShelfError where it cannot be read."""
        try:
            return self.read(*parts)
        except ShelfError as error:
            if isinstance(error.__cause__, FileNotFoundError):
                return None
            raise

    def exists(self, *parts: str) -> bool:
        """Say whether there is a file or folder of this name. Errors: ShelfError where it is a link."""
        with _ShelfErrors(self.root, parts):
            return disk.exists(self.root, parts)

    def stamp(self, *parts: str) -> str:
        """Return a text that changes when a file is written to or replaced; "" where there is no such file."""
        try:
            found = os.stat(os.path.join(self.root, *parts), follow_symlinks=False)
        except OSError:
            return ""
        return _stamp(found)

    def names(self, *parts: str) -> list[str]:
        """List a folder in order of name, without what begins with a dot; an absent folder is empty."""
        with _ShelfErrors(self.root, parts):
            try:
                with disk.folder(self.root, parts) as handle:
                    return [name for name in disk.listing(handle) if not name.startswith(".")]
            except FileNotFoundError:
                return []

    def write(self, data: bytes, *parts: str, once: bool = False, derived: bool = False) -> None:
        """
        Put a whole file in place, durably; with `once` a file that is there already stays as it is.

        One that is `derived` may be as it was after a crash.
        """
        with self.batch() as batch:
            batch.write(data, *parts, once=once, derived=derived)

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
        with _ShelfErrors(self.root, parts):
            try:
                with disk.file(self.root, parts, os.O_RDONLY) as handle:
                    found = Footing(*_inode(handle))
            except FileNotFoundError:
                return NOTHING
            return found if found.size else NOTHING

    def cut(self, size: int, *parts: str) -> None:
        """Cut a torn tail off a file, durably. Units: the bytes to keep."""
        with _ShelfErrors(self.root, parts), disk.file(self.root, parts, os.O_WRONLY) as handle:
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
        Collect writes and appends, and make them durable together at the end of the body: a wave of one.

        If the body raises, nothing is done. Errors: ShelfError; writes and appends are then each done or not done.
        """
        with self.wave() as wave:
            batch = wave.batch()
            yield batch
            for error in wave.finish().values():
                raise error

    @contextmanager
    def wave(self) -> Iterator[Wave]:
        """
        Let several batches become durable together, where the body calls `finish`.

        What was not finished when the body ends is not done. Errors: ShelfError.
        """
        with ExitStack() as open_folders:
            with _ShelfErrors(self.root, ()):
                try:
                    root = open_folders.enter_context(disk.folder(self.root, ()))
                except FileNotFoundError:
                    self._make_root()
                    root = open_folders.enter_context(disk.folder(self.root, ()))
            wave = Wave(self.root, root, _Bench(root, open_folders))
            try:
                yield wave
            except Exception:
                wave.drop()
                raise
            wave.drop()

    @contextmanager
    def lock(self, *parts: str) -> Iterator[None]:
        """
        Hold a lock file, with our process id in it, for the length of the body.

        Errors: HeldError naming the process that holds it; it is never waited for.
        """
        with ExitStack() as held:
            with _ShelfErrors(self.root, parts):
                self._make_root()
                within = held.enter_context(disk.folder(self.root, parts[:-1], set()))
                handle = held.enter_context(disk.open_handle(parts[-1], os.O_RDWR | os.O_CREAT, within))
                holder = disk.claim(handle)
            if holder:
                raise HeldError(
                    f"{self.root.joinpath(*parts)} is held by process {holder}, which is at work here. "
                    "Wait until it is done, or stop it."
                )
            yield
            with suppress(OSError):
                os.ftruncate(handle, 0)

    def remove(self, *parts: str) -> None:
        """Remove a file that nobody needs any more; one that has gone is no error. Errors: ShelfError."""
        with _ShelfErrors(self.root, parts), suppress(FileNotFoundError), disk.folder(self.root, parts[:-1]) as within:
            os.unlink(disk.spelled(parts[-1]), dir_fd=within)

    def free(self) -> int:
        """Return how many bytes are free on the disk. Errors: ShelfError."""
        with _ShelfErrors(self.root, ()):
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
        with _ShelfErrors(self.root, ()), disk.folder(self.root, ()) as root:
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


class HeldError(ShelfError):
    """A lock is held by another process."""


class UnsyncedError(ShelfError):
    """A sync failed: of all that it was for nobody knows what is on the disk."""


class Footing(NamedTuple):
    """Which file a process has read, by its inode, and its size in bytes."""

    inode: int
    size: int


NOTHING = Footing(0, 0)
"""No file at all, or an empty one."""


def _stamp(found: os.stat_result) -> str:
    return f"{found.st_mtime_ns}.{found.st_size}"


def _inode(handle: int) -> tuple[int, int]:
    found = os.fstat(handle)
    return found.st_ino, found.st_size


class _Bench:
    """The folder for temporaries, opened at the first of them; as long as it is, nobody tidies them away."""

    def __init__(self, root: int, opened: ExitStack) -> None:
        self._root, self._opened = root, opened

    @cached_property
    def handle(self) -> int:
        handle = self._opened.enter_context(disk.folder(self._root, (_BENCH,), set()))
        disk.share(handle)
        return handle


class Wave:
    """
    Batches of several owners that become durable together, with one sync for a stage of all; made by `Shelf.wave`.

    What fails at a batch's own files, fails for that batch alone. A sync that fails may have failed for any of them.
    """

    def __init__(self, path: Path, root: int, bench: _Bench) -> None:
        """Take the arena's path, a descriptor of it, and its folder for temporaries."""
        self._path, self._root, self._bench = path, root, bench
        self._going: list[Batch] = []

    def exists(self, *parts: str) -> bool:
        """Say whether there is a file or folder of this name. Errors: ShelfError where it is a link."""
        with _ShelfErrors(self._path, parts):
            return disk.exists(self._root, parts)

    def batch(self) -> Batch:
        """Begin a batch."""
        self._going.append(Batch(self._path, self._root, self._bench))
        return self._going[-1]

    def finish(self) -> dict[Batch, ShelfError]:
        """
        Do what the batches ask for, stage by stage, and return those that failed by themselves, each with why.

        Shape: first all bytes are durable, then the names of the first stage, then the next stage. A batch that was
        dropped takes no part.
        Errors: UnsyncedError: none of the batches that had come so far is known to be done; what can be is taken back.
        """
        failed: dict[Batch, ShelfError] = {}
        try:
            self._finish(failed)
        except Exception:
            self.drop()
            raise
        self._going.clear()
        STEP("done")
        return failed

    def _finish(self, failed: dict[Batch, ShelfError]) -> None:
        for stage in range(max((batch.stages for batch in self._going), default=0)):
            places = self._each(failed, partial(Batch.extend, stage=stage))
            if stage == 0:
                places |= {(_BENCH, name) for batch in self._going for name in batch.temporaries()}
            if any(batch.renames(stage) for batch in self._going):
                self._settle(places)  # the bytes are on the disk before a name leads to them
                places = self._each(failed, partial(Batch.place, stage=stage))
            places.update(*(batch.take_changed() for batch in self._going))
            self._settle(places)
        self._each(failed, Batch.derive)

    def leave(self, batch: Batch) -> None:
        """Let one batch go: nothing of it is done, or nothing more."""
        batch.drop()
        self._going.remove(batch)

    def drop(self) -> None:
        """Give up the batches that are not done."""
        for batch in self._going:
            batch.drop()
        self._going.clear()

    def _each(self, failed: dict[Batch, ShelfError], work: Callable[[Batch], Collection[Parts]]) -> set[Parts]:
        """Do some work at each batch that goes on; return the places that have to be synced for it."""
        places: set[Parts] = set()
        for batch in list(self._going):
            try:
                places |= set(work(batch))
            except ShelfError as error:
                failed[batch] = error
                self.leave(batch)
        return places

    def _settle(self, places: Collection[Parts]) -> None:
        if places:
            try:
                STEP("before-sync")
                disk.settle(self._root, places)
            except OSError as error:
                raise UnsyncedError(disk.sentence(error, self._path)) from error
            for batch in self._going:
                batch.note_durable()


class _Stage(NamedTuple):
    """What a batch does together: names of temporaries by the places that they will have, and what it appends."""

    written: dict[Parts, str]
    appended: dict[Parts, bytearray]


class Batch:
    """
    Writes and appends of one owner, in stages; each stage is durable before the next is begun, since that speaks of it.

    Shape: `is_begun` says whether something of it may have been done; `footings` are those of files it has added to,
    `stamps` those of files that it writes and that were to be stamped.
    """

    def __init__(self, path: Path, root: int, bench: _Bench) -> None:
        """Take the arena's path, a descriptor of it, and its folder for temporaries."""
        self._path, self._root, self._bench = path, root, bench
        self._stages = [_Stage({}, {})]
        self._derived: dict[Parts, str] = {}
        self._sizes: dict[Parts, int] = {}
        self._expected: dict[Parts, bytes] = {}
        self._unchanged: dict[Parts, bytes] = {}
        self._onto: dict[Parts, Footing] = {}
        self._changed: set[Parts] = set()
        self.footings: dict[Parts, Footing] = {}
        self.stamps: dict[Parts, str] = {}
        self.is_begun = False

    def then(self) -> None:
        """Begin the next stage: what is put in from here on is done once all before is durable."""
        if self._stages[-1].written or self._stages[-1].appended:
            self._stages.append(_Stage({}, {}))

    def write(
        self,
        data: bytes,
        *parts: str,
        once: bool = False,
        derived: bool = False,
        stamped: bool = False,
        instead_of: bytes | None = None,
    ) -> None:
        """
        Write a whole file; with `once` (for names made of the content) one that is there already stays.

        The latter of two writes to one name counts. One that is `derived` gets its place once all else is durable, and
        is not waited for: after a crash it is as it was, or as it is now. The stamp of one that is `stamped` is among
        the `stamps`, as it was written and whoever writes to it later.
        Errors: ChangedError from `finish`, where the file is no longer what it was to be written `instead_of`.
        """
        if instead_of is not None:
            self._expected[parts] = instead_of
        with _ShelfErrors(self._path, parts):
            # A link is refused before anything is done: here, or when what this is written `instead_of` was read.
            is_there = (once or instead_of is None) and disk.exists(self._root, parts)
            if is_there and once:
                self._changed.add(parts[:-1])  # an earlier try may have failed between its rename and its sync
                return
            name = f"{_OURS}-{next(_number)}"
            disk.make(name, data, self._bench.handle)
            if stamped:
                self.stamps[parts] = _stamp(os.stat(name, dir_fd=self._bench.handle))
            self._take_back(parts)
            (self._derived if derived else self._stages[-1].written)[parts] = name

    def append(self, data: bytes, *parts: str, onto: Footing | None = None) -> None:
        """
        Add to the end of a file.

        Errors: ChangedError from `finish`, where the file is no longer the one that it was to be added `onto`.
        """
        with _ShelfErrors(self._path, parts):
            self._stages[-1].appended.setdefault(parts, bytearray()).extend(data)
            if onto is not None:
                self._onto.setdefault(parts, onto)

    def expect(self, data: bytes, *parts: str) -> None:
        """Begin only if a file still says this, b"" where there is none. Errors: ChangedError from `finish`."""
        self._unchanged[parts] = data

    # What follows is for the wave.

    @property
    def stages(self) -> int:
        """Return how many stages it has."""
        return len(self._stages)

    def temporaries(self) -> list[str]:
        """Return the names under which its bytes lie on the bench."""
        stages = [stage.written for stage in self._stages]
        return [name for written in (*stages, self._derived) for name in written.values()]

    def renames(self, stage: int) -> bool:
        """Say whether files get their places in a stage."""
        return stage < self.stages and bool(self._stages[stage].written)

    def extend(self, stage: int) -> Collection[Parts]:
        """Do the appends of a stage; return the files."""
        if stage == 0:
            with _ShelfErrors(self._path, ()):
                STEP("before-check")
            for parts, data in self._unchanged.items():
                with _ShelfErrors(self._path, parts):
                    self._compare(parts, data)
        if stage >= self.stages:
            return ()
        for parts, added in self._stages[stage].appended.items():
            with _ShelfErrors(self._path, parts), disk.folder(self._root, parts[:-1], self._changed) as within:
                self._extend(parts, added, within)
        return self._stages[stage].appended

    def place(self, stage: int) -> Collection[Parts]:
        """Give the files of a stage their places; return nothing, since the folders are among those that changed."""
        if stage < self.stages:
            self._rename(self._stages[stage].written)
        return ()

    def take_changed(self) -> set[Parts]:
        """Return the folders whose listings have changed since this was asked."""
        changed, self._changed = self._changed, set()
        return changed

    def derive(self) -> Collection[Parts]:
        """Give the derived files their places."""
        self._rename(self._derived)
        self._changed.clear()
        return ()

    def note_durable(self) -> None:
        """Note that what was appended so far is not taken back any more."""
        self.is_begun = self.is_begun or bool(self._sizes)
        self._sizes.clear()

    def drop(self) -> None:
        """Remove temporaries and undo appends that are in doubt; if that fails, `tidy` and `cut` do it later."""
        for written in (*(stage.written for stage in self._stages), self._derived):
            for parts in list(written):
                with suppress(OSError):
                    self._take_back(parts)
        for parts, size in self._sizes.items():
            with suppress(OSError), disk.file(self._root, parts, os.O_WRONLY) as handle:
                os.ftruncate(handle, size)
        self._sizes.clear()

    def _rename(self, written: dict[Parts, str]) -> None:
        for folder, files in groupby(list(written), lambda parts: parts[:-1]):
            with _ShelfErrors(self._path, folder), disk.folder(self._root, folder, self._changed) as within:
                for parts in files:
                    with _ShelfErrors(self._path, parts):
                        self._rename_one(parts, written, within)

    def _rename_one(self, parts: Parts, written: dict[Parts, str], within: int) -> None:
        STEP("before-rename")
        if parts in self._expected:
            self._compare(parts, self._expected[parts])
        os.rename(written[parts], disk.spelled(parts[-1]), src_dir_fd=self._bench.handle, dst_dir_fd=within)
        self.is_begun = True
        del written[parts]
        self._changed.add(parts[:-1])

    def _compare(self, parts: Parts, known: bytes) -> None:
        try:
            with disk.file(self._root, parts, os.O_RDONLY) as handle:
                now = disk.drain(handle)
        except FileNotFoundError:
            now = b""
        if now != known:
            raise ChangedError(f"{self._path.joinpath(*parts)} was changed since it was read.")

    def _extend(self, parts: Parts, data: bytearray, within: int) -> None:
        onto = self._onto.get(parts)
        with ExitStack() as open_file:
            try:
                handle = open_file.enter_context(disk.open_handle(parts[-1], _ADD, within))
            except FileNotFoundError:
                if onto not in (None, NOTHING):
                    raise ChangedError(f"{self._path.joinpath(*parts)} has gone since it was read.") from None
                self._changed.add(parts[:-1])
                handle = open_file.enter_context(disk.open_handle(parts[-1], _ADD | os.O_CREAT, within))
            inode, size = _inode(handle)
            if onto is not None and (Footing(inode, size) if size else NOTHING) != onto:
                raise ChangedError(f"{self._path.joinpath(*parts)} was changed since it was read.")
            STEP("before-append")
            self._sizes[parts] = size
            disk.fill(handle, data)
            self.footings[parts] = Footing(inode, size + len(data))

    def _take_back(self, parts: Parts) -> None:
        for written in (*(stage.written for stage in self._stages), self._derived):
            if name := written.pop(parts, None):
                os.unlink(name, dir_fd=self._bench.handle)


class _ShelfErrors:
    """
    Raises an OSError as a ShelfError about this place; refuses a place that is not made of plain names.

    A visit to a game passes through here some fifty times, so this is no generator, which costs three times as much.
    """

    __slots__ = ("_parts", "_root")

    def __init__(self, root: Path, parts: Parts) -> None:
        for part in parts:
            if not part or part.startswith(".") or "/" in part or "\0" in part or not _fits(part):
                raise ShelfError(f"{part[:80]!r} is not a plain name, so {root} has no such file.")
        self._root, self._parts = root, parts

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, OSError):
            raise ShelfError(disk.sentence(error, self._root.joinpath(*self._parts))) from error


def _fits(part: str) -> bool:
    return len(part.encode("utf-8", "replace")) <= 255 and part.isprintable()
