"""The mailbox: fetches mail and marks what is done with; does not read what it says."""

import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple, Protocol

from pbem.terms import Mail, MailboxError
from pbem.world import disk

LARGEST = 1 << 20
"""The bytes of the largest mail that is handed over whole; of a larger one comes just one byte more."""

MOST_REFUSED = 3
"""Where so many mails are refused and none is handed out, it is the mailbox that cannot be read."""
MOST_WITHHELD = 100
"""How many mails that are not handed out keep no other from being fetched."""

_AGAIN = 5
"""How often a Maildir is listed anew in which mails move as we look."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Withheld(NamedTuple):
    """A mail that lies in the mailbox and is not handed out: its name, and why in words."""

    name: str
    why: str


class Mailbox(Protocol):
    """
    Wherever mail arrives: a Maildir, or an IMAP account.

    Shape: a mail stays in `fetch` until it is marked, by us or by whoever read it in a mail client;
    nothing is ever deleted, and a mail may be handed over twice.
    Errors: MailboxError, from all of them.
    """

    def fetch(self, limit: int) -> list[Mail]:
        """Return up to `limit` mails that are not marked, in the order of their arrival; change nothing."""
        ...

    def withheld(self) -> Sequence[Withheld]:
        """Return the mails that lie there unmarked and that the last `fetch` could not have, each asked for alone."""
        ...

    def mark(self, mails: Sequence[Mail]) -> None:
        """Say that we are done with these mails; marking again, or a mail that has gone, is no error."""
        ...

    def unmark(self, since: datetime) -> int:
        """Take the marks off the mails that arrived since then, so that they come again; return how many."""
        ...

    def close(self) -> None:
        """Let go of the mailbox."""
        ...


class _Lying(NamedTuple):
    """A file in a Maildir: when it came (nanoseconds), its lasting name, where it lies and its flags."""

    came: int
    name: str
    folder: str
    flags: str

    @property
    def file(self) -> str:
        return f"{self.name}{self.flags}"


class MaildirMailbox:
    """
    A local delivery folder; a mail is done with once it lies in `cur` with the flag S (seen).

    Shape: a mail arrived at its file's time of change of contents, which the delivering server sets and which
    moving does not alter; its name is the file's without flags.
    """

    def __init__(self, path: Path) -> None:
        """Take the folder that has `new` and `cur` in it."""
        self.path = Path(disk.spelled(str(path)))
        # A delivered file never changes, so each is looked at once, however long the queue.
        self._known: dict[tuple[str, str], _Lying] = {}
        self._withheld: dict[str, Withheld] = {}

    def fetch(self, limit: int) -> list[Mail]:
        """Return up to `limit` mails that are not marked, in the order of their arrival; change nothing."""
        with self._mailbox_errors():
            mails: list[Mail] = []
            for _ in range(_AGAIN):
                self._withheld = {}
                waiting = sorted(self._unmarked())[: limit + MOST_WITHHELD]
                mails = [mail for lying in waiting if (mail := self._read(lying))]
                if len(mails) + len(self._withheld) == len(waiting):  # else somebody moved one, and it lies elsewhere
                    break
            if len(self._withheld) >= MOST_REFUSED and not mails:
                raise MailboxError(f"No mail in {self.path} can be read: {next(iter(self._withheld.values())).why}")
            return mails[:limit]

    def withheld(self) -> Sequence[Withheld]:
        """Return the files that the disk does not give."""
        return tuple(self._withheld.values())

    def mark(self, mails: Sequence[Mail]) -> None:
        """Move these mails to `cur` with the flag S; marking again, or a mail that has gone, is no error."""
        with self._mailbox_errors():
            names = {mail.name for mail in mails}
            moved = {name for name in names if self._move(_Lying(0, name, "new", ""))}
            if names - moved:
                for lying in self._unmarked():
                    if lying.name in names - moved:
                        self._move(lying)

    def unmark(self, since: datetime) -> int:
        """Take the flag S off the mails that arrived since then, so that they come again; return how many."""
        with self._mailbox_errors():
            count = 0
            with os.scandir(self.path / "cur") as entries:
                for entry in list(entries):
                    name, colon, flags = entry.name.partition(":")
                    stamp = entry.stat(follow_symlinks=False).st_mtime_ns
                    if "S" in flags and stamp >= (since - _EPOCH) // timedelta(microseconds=1) * 1000:
                        os.rename(entry.path, self.path / "cur" / f"{name}{colon}{flags.replace('S', '')}")
                        count += 1
            return count

    def close(self) -> None:
        """Do nothing: a Maildir is not held open."""

    def _unmarked(self) -> list[_Lying]:
        known, self._known = self._known, {}
        for folder in ("new", "cur"):
            with os.scandir(self.path / folder) as entries:
                for entry in entries:
                    place = (folder, entry.name)
                    lying = known.get(place) or _look(folder, entry)
                    if lying:
                        self._known[place] = lying
        return list(self._known.values())

    def _read(self, lying: _Lying) -> Mail | None:
        try:
            with disk.open_handle(str(self.path / lying.folder / lying.file), os.O_RDONLY) as handle:
                raw = disk.drain(handle, LARGEST + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            self._withheld[lying.name] = Withheld(lying.name, disk.sentence(error, self.path / lying.file))
            return None
        arrived = _EPOCH + timedelta(microseconds=lying.came // 1000)
        return Mail(lying.name, arrived, hashlib.sha256(raw).hexdigest(), raw)

    def _move(self, lying: _Lying) -> bool:
        letters = "".join(sorted({*lying.flags.removeprefix(":2,").removeprefix(":"), "S"}))
        try:
            os.rename(self.path / lying.folder / lying.file, self.path / "cur" / f"{lying.name}:2,{letters}")
        except FileNotFoundError:
            return False
        return True

    @contextmanager
    def _mailbox_errors(self) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError as error:
            raise MailboxError(
                f"{self.path} is no Maildir: it lacks new or cur. Correct the path in settings.toml, "
                "or let the mail server deliver there once."
            ) from error
        except OSError as error:
            raise MailboxError(disk.sentence(error, self.path)) from error


def _look(folder: str, entry: os.DirEntry[str]) -> _Lying | None:
    name, colon, flags = entry.name.partition(":")
    if name.startswith(".") or not name or (folder == "cur" and "S" in flags):
        return None
    try:
        found = entry.stat(follow_symlinks=False)
    except FileNotFoundError:  # a mail client moved it just now; the next fetch finds it
        return None
    return _Lying(found.st_mtime_ns, name, folder, colon + flags) if stat.S_ISREG(found.st_mode) else None
