"""The system calls that make files durable, with sentences for when they fail; knows no game and no mail."""

import ctypes
import errno
import fcntl
import os
import stat
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TypeAlias

Parts: TypeAlias = tuple[str, ...]
"""The place of a file or folder below a root, as plain names; none is the root itself."""

FEW = 1
"""Up to so many files are synced one by one; above, syncing their whole file system at once is cheaper."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_FILE = os.O_NOFOLLOW | os.O_NONBLOCK
_CHUNK = 1 << 16

_WHAT_TO_DO = {
    errno.ENOENT: "There is nothing at {path}.",
    errno.ENOSPC: "The disk is full: {path} could not be written. Make room; it is tried again.",
    errno.EDQUOT: "The quota is used up: {path} could not be written. Make room; it is tried again.",
    errno.EACCES: "{path} belongs to another user. Give it to the user that runs pbem (chown).",
    errno.EPERM: "{path} is locked against changes. Give it to the user that runs pbem (chown, chattr).",
    errno.EROFS: "{path} lies on a disk that can only be read. Mount it for writing.",
    errno.EIO: "The disk failed at {path}. Look at the system's log before you trust this disk further.",
    errno.EMFILE: "Too many files are open to open {path}. Raise the limit (ulimit -n).",
    errno.ELOOP: "{path} is a link, or lies behind one. Put the file or folder itself there.",
    errno.ENOTDIR: "{path} is a link, or lies behind one, or is a file. Put a plain folder there.",
    errno.EISDIR: "{path} is a folder where a file belongs. Move it away.",
    errno.EXDEV: "{path} lies on another disk than what is above it. Keep it all on one file system.",
}


def sentence(error: OSError, path: Path) -> str:
    """Say what went wrong at a path, and what a person can do about it."""
    message = _WHAT_TO_DO.get(error.errno or 0, f"{{path}} could not be used: {os.strerror(error.errno or 0)}.")
    return message.replace("{path}", str(path))


def spelled(name: str) -> str:
    """Return a name so that it is UTF-8 on the disk, whatever the locale."""
    return os.fsdecode(name.encode("utf-8", "surrogateescape"))


def listing(handle: int) -> list[str]:
    """List an open folder in order of name; names are UTF-8, whatever the locale."""
    return sorted(os.fsencode(name).decode("utf-8", "surrogateescape") for name in os.listdir(handle))


@contextmanager
def folder(root: Path | int, parts: Sequence[str], changed: set[Parts] | None = None) -> Iterator[int]:
    """
    Open a folder below a root, name by name, so that no link below the root is ever followed.

    Shape: a root is a path or an open descriptor; yields the folder's descriptor. With `changed`, missing
    folders are made (0700), and each folder whose listing changed by that is put into it, to be synced later.
    Errors: OSError.
    """
    here = None
    with suppress(FileNotFoundError) if changed is not None else nullcontext():
        here = _at_once(root, parts, _FOLDER, crosses=changed is None)
    if here is not None:
        parts = ()
    elif isinstance(root, int):
        here = os.dup(root)
    else:
        here = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for depth, part in enumerate(map(spelled, parts)):
            try:
                deeper = os.open(part, _FOLDER, dir_fd=here)
            except FileNotFoundError:
                if changed is None:
                    raise
                os.mkdir(part, 0o700, dir_fd=here)
                changed.add(tuple(parts[:depth]))
                deeper = os.open(part, _FOLDER, dir_fd=here)
            above, here = here, deeper
            try:
                if changed is not None and os.fstat(above).st_dev != os.fstat(here).st_dev:
                    raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))  # syncing the root would not reach it
            finally:
                os.close(above)
        yield here
    finally:
        os.close(here)


@contextmanager
def open_handle(name: str, flags: int, within: int | None = None) -> Iterator[int]:
    """Open a file (0600 if made) without following a link, or being held up by a pipe."""
    handle = os.open(spelled(name), flags | _FILE, 0o600, dir_fd=within)
    try:
        yield handle
    finally:
        os.close(handle)


@contextmanager
def file(root: Path | int, parts: Parts, flags: int) -> Iterator[int]:
    """Open a file below a root, following no link on the way."""
    handle = _at_once(root, parts, flags | _FILE)
    if handle is not None:
        try:
            yield handle
        finally:
            os.close(handle)
        return
    with folder(root, parts[:-1]) as within, open_handle(parts[-1], flags, within) as handle:
        yield handle


def exists(root: Path | int, parts: Parts) -> bool:
    """Say whether there is a file or folder at this place. Errors: OSError (ELOOP) where it is a link."""
    try:
        handle = _at_once(root, parts, _PLACE)
        if handle is not None:
            os.close(handle)
            return True
        with folder(root, parts[:-1]) as within:
            mode = os.lstat(spelled(parts[-1]), dir_fd=within).st_mode if parts else 0
    except FileNotFoundError:
        return False
    if stat.S_ISLNK(mode):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return True


def fill(handle: int, data: bytes | bytearray) -> None:
    """Write all bytes, however few the system takes at a time."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def drain(handle: int, most: int = -1) -> bytes:
    """Read all bytes, or the first `most` of them."""
    pieces: list[bytes] = []
    left = sys.maxsize if most < 0 else most
    while left and (piece := os.read(handle, wanted := min(_CHUNK, left))):
        pieces.append(piece)
        left -= len(piece)
        if len(piece) < wanted:  # a plain file gives less at its end alone
            break
    return b"".join(pieces)


def make(name: str, data: bytes, within: int | None = None) -> None:
    """Make a new file and fill it, or leave none; it is not durable yet."""
    try:
        with open_handle(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, within) as handle:
            fill(handle, data)
    except OSError:
        with suppress(OSError):
            os.unlink(name, dir_fd=within)
        raise


def sync(root: Path | int, parts: Parts) -> None:
    """Make one file's bytes, or one folder's listing, durable."""
    with file(root, parts, os.O_RDONLY) if parts else folder(root, ()) as handle:
        os.fsync(handle)


def settle(root: int, places: Collection[Parts]) -> None:
    """
    Make many files and folders below a root durable with few calls.

    Shape: `root` was opened before they were written, or the system may not tell it of a write that failed.
    Errors: OSError, which leaves all of them in doubt: they are to be read again, not synced again.
    """
    if len(places) <= FEW:
        for parts in places:
            sync(root, parts)
    elif _syncfs:
        _syncfs(root)
    else:
        with ThreadPoolExecutor(16) as pool:
            list(pool.map(lambda parts: sync(root, parts), places))


def settle_all(root: int) -> None:
    """Make everything durable that was written to the file system of a root."""
    if _syncfs:
        _syncfs(root)
    else:
        os.sync()


def share(handle: int) -> None:
    """Take a share of a lock, together with all others who only share it; waits for who `is_alone`."""
    fcntl.flock(handle, fcntl.LOCK_SH)


def is_alone(handle: int) -> bool:
    """Take a lock if nobody has any part of it, and say whether that was so."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def claim(handle: int) -> str:
    """Take a lock file and leave our process id in it; return "", or the id that its present holder left."""
    if not is_alone(handle):
        return os.pread(handle, 20, 0).decode("ascii", "replace").strip() or "unknown"
    os.ftruncate(handle, 0)
    os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
    return ""


class _How(ctypes.Structure):
    """What openat2 is told."""

    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


_OPENAT2 = 437
_NO_DEVICE, _NO_MAGIC, _NO_LINK, _BENEATH = 1, 2, 4, 8
_PLACE = getattr(os, "O_PATH", 0)


def _at_once(root: Path | int, parts: Sequence[str], flags: int, *, crosses: bool = True) -> int | None:
    """
    Open what is below a root with a single call, and as strictly; None where it has to be done name by name.

    Rule: openat2(2) of Linux 5.6. What it refuses is tried name by name, which says why, and makes what is missing.
    Errors: FileNotFoundError.
    """
    if not parts or not _syscall:
        return None
    path = "/".join(parts).encode("utf-8", "surrogateescape")
    how = _How(flags | os.O_CLOEXEC, 0, _NO_MAGIC | _NO_LINK | _BENEATH | (0 if crosses else _NO_DEVICE))
    base = root if isinstance(root, int) else os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        handle = int(_syscall(_OPENAT2, base, path, ctypes.byref(how), ctypes.sizeof(how)))
        number = ctypes.get_errno()
    finally:
        if base is not root:
            os.close(base)
    if handle < 0 and number == errno.ENOENT:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    return handle if handle >= 0 else None


def _find_syscall() -> Callable[..., int] | None:
    try:
        call = ctypes.CDLL(None, use_errno=True).syscall if sys.platform == "linux" else None
    except (AttributeError, OSError):
        return None
    if call is not None:
        call.restype = ctypes.c_long
    return call


_syscall = _find_syscall()


def _find_syncfs() -> Callable[[int], None] | None:
    try:
        call = ctypes.CDLL(None, use_errno=True).syncfs
    except (AttributeError, OSError):  # not Linux
        return None

    def syncfs(handle: int) -> None:
        if call(ctypes.c_int(handle)) != 0:
            raise OSError(ctypes.get_errno(), "syncfs")

    return syncfs


_syncfs = _find_syncfs()
