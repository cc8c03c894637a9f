"""Ways to be killed: every point on the way of a mail, from the disk's steps to the doors, as tests count and choose them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any

import pytest
from imapclient import IMAPClient

from pbem.ground.terms import Mail
from pbem.hall.mail.incoming.unpack import unpacking
from pbem.hall.mail.outgoing import sending
from pbem.hall.sweep import sweep, taking
from pbem.testing.room import MemoryMailbox, MemoryOutbox
from pbem.world import shelf
from pbem.world.index.counters import Counters
from pbem.world.index.games import Games
from pbem.world.index.outgoing import Outgoing
from pbem.world.shelf import Shelf, Wave


class Killed(BaseException):
    """The process is gone."""


class Axe:
    """Falls at the n-th point, never for 0; from then on the process is gone, and no door opens for it any more."""

    def __init__(self, at: int = 0) -> None:
        self.at = at
        self.passed: list[str] = []

    def __call__(self, name: str) -> None:
        """Pass a point, unless it is the one, or lies behind it."""
        self.passed.append(name)
        if 0 < self.at <= len(self.passed):
            raise Killed(name)

    @property
    def fell(self) -> bool:
        """Whether the process was killed."""
        return 0 < self.at <= len(self.passed)


WINDOWS = {
    "a": ("fetched",),
    "c d": ("reading", "read"),
    "e": ("planned",),
    "f": ("before-check", "before-append", "before-sync"),
    "b h": ("before-rename", "before-sync", "done", "finished", "outgoing.add", "outgoing.add done"),
    "g": ("games.store", "games.store done"),
    "i": ("offered", "accepted"),
    "j": ("noting", "before-append", "before-sync", "outgoing.remove", "outgoing.remove done", "noted"),
    "k": ("marking", "marked one", "marked"),
}
"""The crash windows on the way of a mail, by the letters of its steps, and the points at which each can be entered."""

_OF_INDEX = {
    Games: ("mark_busy", "note_taken", "store", "free"),
    Outgoing: ("add", "remove", "retry_at", "postpone_all", "count_sent", "postpone"),
    Counters: ("increment", "note_odd", "forget_before"),
}
_OF_IMAP = ("select_folder", "search", "fetch", "move", "create_folder", "subscribe_folder")
"""What is asked of a mail server, where the mailbox lies at one."""


@contextmanager
def points(point: Callable[[str], None]) -> Iterator[None]:
    """Have every point that a sweep in a room passes told, in the order of its passing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shelf, "STEP", point)
        _tell(patch, point, sweep, "_fetch", after="fetched")
        _tell(patch, point, unpacking, "unpack", "reading", "read")
        _tell(patch, point, taking, "plan", after="planned")
        _tell(patch, point, Wave, "finish", after="finished")
        _tell(patch, point, Shelf, "tidy", "tidying", "tidied")
        for owner, names in _OF_INDEX.items():
            for name in names:
                at = f"{owner.__name__.lower()}.{name}"
                _tell(patch, point, owner, name, at, f"{at} done")
        _tell(patch, point, sending, "_note_results", "noting", "noted")
        _tell(patch, point, MemoryOutbox, "send", "offered", "accepted")
        patch.setattr(MemoryMailbox, "mark", _one_by_one(MemoryMailbox.mark, point))
        for name in _OF_IMAP:
            _tell(patch, point, IMAPClient, name, f"imap.{name}", f"imap.{name} done")
        yield


def _tell(
    patch: pytest.MonkeyPatch, point: Callable[[str], None], at: object, name: str, before: str = "", after: str = ""
) -> None:
    work: Callable[..., Any] = getattr(at, name)

    @wraps(work)
    def told(*arguments: Any, **named: Any) -> Any:
        if before:
            point(before)
        found = work(*arguments, **named)
        if after:
            point(after)
        return found

    patch.setattr(at, name, told)


def _one_by_one(mark: Callable[..., None], point: Callable[[str], None]) -> Callable[..., None]:
    def marked(mailbox: MemoryMailbox, mails: Sequence[Mail]) -> None:
        point("marking")
        for mail in mails:
            mark(mailbox, [mail])
            point("marked one")
        point("marked")

    return marked
