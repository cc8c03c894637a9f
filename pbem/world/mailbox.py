"""The mailbox: fetches mail and marks what is done with; does not read what it says."""

import hashlib
import os
import stat
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple, Protocol, runtime_checkable

from pbem.ground.terms import Mail, MailboxError
from pbem.world import disk

LARGEST = 1 << 20
"""The bytes of the largest mail that is handed over whole; of a larger one comes just one byte more."""

_AGAIN = 5
"""How often a Maildir is listed anew in which mails move as we look."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


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

    def mark(self, mails: Sequence[Mail]) -> None:
        """Say that we are done with these mails; marking again, or a mail that has gone, is no error."""
        ...

    def unmark(self, since: datetime) -> int:
        """Take the marks off the mails that arrived since then, so that they come again; return how many."""
        ...

    def close(self) -> None:
        """Let go of the mailbox."""
        ...


class Withheld(NamedTuple):
    """
    A mail that lies in a mailbox and was not handed out.

    Shape: `arrived` is None where that cannot be had either; `what` names it for people, `said` is what the server, or
    the disk, said about it, "" where it was not asked.
    """

    arrived: datetime | None
    what: str
    said: str = ""


@runtime_checkable
class PatientMailbox(Mailbox, Protocol):
    """
    A mailbox that hands out what it can where one mail cannot be had.

    Shape: `skip` are names of mails that `fetch` does not ask for, `known` of those that could not be had before, while
    others could; `withheld` are those that the last look saw lying there and did not hand out, skipped or not.
    Errors: MailboxError also where no mail at all can be had, so that no single one is to blame.
    """

    skip: Collection[str]
    known: Collection[str]
    withheld: Mapping[str, Withheld]


class _Lying(NamedTuple):
    """A file in a Maildir: when it came (nanoseconds), its lasting name, where it lies and its flags."""

    came: int
    name: str
    folder: str
    flags: str

    @property
    def file(self) -> str:
        return f"{self.name}{self.flags}"

    @property
    def arrived(self) -> datetime:
        return _EPOCH + timedelta(microseconds=self.came // 1000)


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
        self.skip: Collection[str] = ()
        self.known: Collection[str] = ()
        self.withheld: dict[str, Withheld] = {}

    def fetch(self, limit: int) -> list[Mail]:
        """
        Return up to `limit` mails that are not marked, in the order of their arrival; change nothing.

        One that the disk does not let us read is withheld, and its place is another's.
        """
        with self._mailbox_errors():
            mails: list[Mail] = []
            for _ in range(_AGAIN):
                lying = sorted(self._unmarked())
                self.withheld = {one.name: self._withheld(one) for one in lying if one.name in self.skip}
                mails, has_moved = self._readable([one for one in lying if one.name not in self.skip], limit)
                if not has_moved:
                    break
            failed = self.withheld.keys() - {*self.skip}
            if failed - {*self.known} and not mails and not self._hands_out():
                raise MailboxError(self.withheld[min(failed)].said)
            return mails

    def _hands_out(self) -> bool:
        """Say whether a mail that was marked can be read; if so, others that cannot are to blame themselves."""
        with os.scandir(self.path / "cur") as entries:
            names = [entry.name for entry in entries if "S" in entry.name.partition(":")[2]]
        with suppress(OSError):
            return any(self._read(_Lying(0, name, "cur", "")) for name in names[:1])
        return False

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

    def _readable(self, lying: Sequence[_Lying], limit: int) -> tuple[list[Mail], bool]:
        """Read the first that can be read; say too whether somebody moved one just now, so that it lies elsewhere."""
        mails: list[Mail] = []
        has_moved = False
        for one in lying:
            if len(mails) == limit:
                break
            try:
                mail = self._read(one)
            except OSError as error:
                self.withheld[one.name] = self._withheld(one, disk.sentence(error, self.path / one.folder / one.file))
                continue
            mails += [mail] if mail else []
            has_moved = has_moved or mail is None
        return mails, has_moved

    def _withheld(self, lying: _Lying, said: str = "") -> Withheld:
        return Withheld(lying.arrived, str(self.path / lying.folder / lying.file), said)

    def _read(self, lying: _Lying) -> Mail | None:
        try:
            with disk.open_handle(str(self.path / lying.folder / lying.file), os.O_RDONLY) as handle:
                raw = disk.drain(handle, LARGEST + 1)
        except FileNotFoundError:
            return None
        return Mail(lying.name, lying.arrived, hashlib.sha256(raw).hexdigest(), raw)

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
