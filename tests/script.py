"""The standard script of the promises: sign-up, orders good and bad, a duplicate, an override, a deadline; by stages."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pbem.ground.terms import GameName
from pbem.hall.keeping import mail_audit
from pbem.hall.mail.outgoing import sending
from pbem.testing.room import ARENA
from pbem.world import disk
from tests.conftest import Room
from tests.killing import Axe, points

ADA, BO, GWEN, EVE = "ada@example.org", "bo@example.org", "gwen@example.org", "eve@example.com"
NOBODY = "someone@example.net"
TIDE_1 = GameName("tide-1")
LONG_AGO = datetime(2020, 11, 23, 12, 0, tzinfo=UTC)
"""So that to a scheduler, which goes by the clock on the wall, all of it is due."""


class Act(NamedTuple):
    """
    What happens before one sweep: who writes what, in answer to the first letter to them that holds these words.

    Shape: without words it goes to the arena; `again` brings the bytes of the sender's last mail once more; `beside` is
    what else is written, each as sender, text and words.
    """

    stage: str
    sender: str = ""
    text: str = ""
    words: str = ""
    again: bool = False
    later: timedelta = timedelta(0)
    beside: tuple[tuple[str, str, str], ...] = ()


SCRIPT = (
    Act("stranger", NOBODY, "hello?"),
    Act("sign-up", EVE, "join tide-1 as Eve"),
    Act("join", ADA, "join as Ada", "tide-1.invitation."),
    Act("confirm", EVE, "confirm", ".confirm."),
    Act("begin", BO, "join as Bo", "tide-1.invitation."),
    Act("order", ADA, "bid 3\npress to all: hello\nend press\nzone Europe/London", "[tide-1] Tide 1"),
    Act("bad order", BO, "bidd 1", "[tide-1] Tide 1"),
    Act("duplicate", ADA, again=True),
    Act("second order", EVE, "bid 0", "[tide-1] Tide 1"),
    Act("close", BO, "bid 1", "[tide-1] Tide 1"),
    Act("override", GWEN, "overrule bid of bo = 5 because so", "[tide-1] Tide 1"),
    Act("approve", GWEN, "approve 2", "[tide-1] Tide 1"),
    Act("next order", ADA, "bid 2", "[tide-1] Tide 2", beside=(
        (ADA, "bid 1", "[ebb-1] Tide 1"), (BO, "bid 2\npress to ada: hi", "[flow-1] Tide 1"), ("other@example.edu", "hello again", ""),
    )),
    Act("deadline", later=timedelta(hours=80)),
)  # fmt: skip


class Stage(NamedTuple):
    """
    A sweep of the script: the room as it stands before it, closed, and what it leaves when nothing goes wrong.

    Shape: `passed` are the points that it passes then, in order.
    """

    name: str
    before: Room
    clean: Outcome
    passed: tuple[str, ...]


class Outcome(NamedTuple):
    """
    What must not depend on any crash: every file that says something, every letter, what became of every mail.

    Shape: `raws` are the mails that are kept, wherever. The desk's journal, the notes on what was sent and the index
    may tell of a repeat; what they add up to is here.
    """

    files: dict[str, bytes]
    raws: frozenset[str]
    letters: frozenset[tuple[str, bytes]]
    found: dict[str, str]
    games: list[Any]
    waiting: int


LIST = "tide@lists.example.org"


def room_of(root: Path) -> Room:
    """
    Return a room with a game of three seats, two of them kept for invited people, before its first mail.

    Two more have begun: they share their mails' wave with it, and are due at the same time.
    """
    room = Room(root, start=LONG_AGO)
    for name in ("ebb-1", "flow-1"):
        room.found("ada", "bo", name=GameName(name))
    room.invite("ada", "bo", name=TIDE_1, seats=3, review=("tide",), press="public", mailing_list=LIST)
    return room


def prepare(room: Room, act: Act) -> None:
    """Let happen what an act says; the sweep is still to come."""
    room.clock.advance(act.later)
    if act.again:
        last = max((mail for mail in room.mailbox.marked if f"From: {act.sender}".encode() in mail.raw), key=_name)
        room.mailbox.deliver(last.raw, room.clock.now())
    elif act.sender:
        for sender, text, words in ((act.sender, act.text, act.words), *act.beside):
            to = room.reply_to(sender, words) if words else ARENA
            room.write(sender, text, to=to, subject="Re: hello")


def _name(mail: Any) -> str:
    return str(mail.name)


def stages(root: Path) -> list[Stage]:
    """Play the script, and keep the room as it stands before each sweep."""
    room = room_of(root / "room")
    found = []
    for act in SCRIPT:
        prepare(room, act)
        room.arena.close()
        before = room.copied(root / act.stage)
        before.arena.close()
        room.arena = room.open()
        axe = sweep(room)
        found.append(Stage(act.stage, before, outcome(room), tuple(axe.passed)))
    assert room.table().number == 2 and room.table().status == "closed"
    room.arena.close()
    return found


def sweep(room: Room) -> Axe:
    """Sweep as a process that has just been started, without faults; return what counted the points that it passed."""
    axe = Axe()
    with points(axe):
        room.arena.shelf.tidy()
        swept = room.sweep(timedelta(0))
    assert not swept.troubles, swept.troubles
    posts = [one.letter for one in room.arena.index.outgoing.to_send() if sending.is_post(one.letter)]
    if posts:  # the list may have them: they go again as if the hour had passed in which their copies could come
        room.arena.index.outgoing.postpone(posts, room.clock.now())
        room.sweep(timedelta(0))
    return axe


def outcome(room: Room) -> Outcome:
    """Return what a settled room holds."""
    taken = mail_audit.audit(room.arena)
    assert not room.mailbox.waiting
    assert taken.exact, taken
    files = {
        str(path.relative_to(room.root)): path.read_bytes()
        for path in sorted(room.root.rglob("*"))
        if path.suffix in (".toml", ".txt", ".eml") and path.name not in ("sent.toml", "health.toml")
    }
    raws = {name for name in files if "in/" in name}
    files.pop("desk/journal.toml", None)
    return Outcome(
        {name: data for name, data in files.items() if name not in raws},
        frozenset(Path(name).name for name in raws),
        frozenset(room.outbox.sent),
        dict(taken.found),
        room.arena.index.games.rows(),
        room.arena.index.outgoing.waiting()[0],
    )


def besides_troubles(found: Outcome) -> Outcome:
    """Leave out what moderators were told of a trouble, which an undisturbed room has not."""
    files = {name: data for name, data in found.files.items() if "/trouble." not in name}
    letters = {
        one
        for one in found.letters
        if not message(one[1]).startswith((b"Message-ID: <trouble.", b"Message-ID: <alarm."))
    }
    return found._replace(files=files, letters=frozenset(letters))


def differences(found: Outcome, clean: Outcome) -> list[str]:
    """Say in which parts two outcomes differ."""
    said = [f"{name}: {_differs(a, b)}" for name, a, b in zip(Outcome._fields, found, clean, strict=True) if a != b]
    return [line[:2000] for line in said]


def _differs(found: Any, clean: Any) -> str:
    if isinstance(found, dict):
        keys = found.keys() | clean.keys()
        return "; ".join(f"{key}: {found.get(key)!r} != {clean.get(key)!r}" for key in sorted(keys) if found.get(key) != clean.get(key))  # fmt: skip
    if isinstance(found, frozenset):
        return f"too much {sorted(found - clean)!r}, too little {sorted(clean - found)!r}"
    return f"{found!r} != {clean!r}"


def message(raw: bytes) -> bytes:
    """Return the Message-ID of a letter."""
    return next(line for line in raw.split(b"\r\n") if line.startswith(b"Message-ID"))


@contextmanager
def idle_disk() -> Iterator[None]:
    """Let nothing wait for the disk: who is killed without the power going loses nothing by it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: None)
        patch.setattr(disk, "sync", lambda root, parts: None)
        patch.setattr(disk, "_syncfs", lambda handle: None)
        yield
