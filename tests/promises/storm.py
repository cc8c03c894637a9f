"""A world of mail in which everything goes wrong, as a state machine; and the calm one that it is held against."""

from __future__ import annotations

import base64
import errno
import hashlib
import os
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import msgspec
from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from pbem.hall.arena import Doors
from pbem.hall.games import proofs
from pbem.hall.mail import notes
from pbem.hall.sweep import Swept, sweep
from pbem.letters.reading import read
from pbem.table.journal import OrdersReceived, RulingGiven
from pbem.terms import GameName, OutboxError, WorldError
from pbem.world import shelf
from pbem.world.mailbox import Mailbox
from pbem.world.settings import templates
from tests.conftest import Room
from tests.harbour import TEMPLATES, Harbour, HarbourRules
from tests.killing import Axe, Killed

START = datetime(2024, 11, 25, 9, 0, tzinfo=UTC)  # long ago, since a real mail server takes no stamp of the future
GAMES = ("tide-1", "tide-2")
PLAYERS = {"ada": "ada@example.org", "bo": "bo@example.org", "cy": "cy@example.org"}
GWEN, EVE = "gwen@example.org", "eve@example.com"
CANARY = "quetzalcoatl"


class EndlessHarbour(HarbourRules):
    """The harbour, in which nobody ever wins and everybody earns three coins a tide."""

    def adjudicate(self, state: Harbour, orders: Any, given: Any, dice: Any) -> Any:
        """Play the tide, and go on."""
        found = super().adjudicate(state, orders, given, dice)
        coins = {seat: held + 3 for seat, held in found.state.coins.items()}
        return msgspec.structs.replace(found, state=msgspec.structs.replace(found.state, coins=coins), result=None)


class Post(Protocol):
    """Where mail arrives, with what may happen to it there."""

    mailbox: Mailbox

    def deliver(self, raw: bytes, at: datetime) -> None:
        """Let a mail arrive."""
        ...

    def again(self) -> None:
        """Let all mail lie there as if nobody had been done with it."""
        ...

    def renumber(self) -> None:
        """Give all mail other names."""
        ...

    def spoil(self, how: int) -> None:
        """Let the next look at the mailbox break off somewhere."""
        ...

    def mend(self) -> None:
        """Let it be whole again."""
        ...

    def close(self) -> None:
        """Let go."""
        ...


class Flaky:
    """An outbox that takes a letter, and perhaps says otherwise."""

    def __init__(self) -> None:
        """Take everything."""
        self.sent: list[tuple[str, bytes]] = []
        self.plan: list[str] = []
        self.ambiguous = 0

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Take a letter as the plan has it."""
        how = self.plan.pop(0) if self.plan else ""
        if how == "refuse":
            raise OutboxError("450 later")
        if how == "away":
            raise OutboxError("away", pause=timedelta(minutes=1))
        self.sent.append((recipient, raw))
        self.ambiguous += how in ("lose", "die")
        if how == "lose":
            raise OutboxError("the answer was lost")
        if how == "die":
            raise Killed("behind the dot")

    def close(self) -> None:
        """Have nothing to close."""


def harbour() -> dict[str, Any]:
    """Return the one ruleset."""
    return {"harbour": EndlessHarbour()}


def base(folder: Path) -> Room:
    """Two games in their first tide, whose tides end every day at noon."""
    room = Room(folder / "arena", harbour(), {**templates(), **TEMPLATES}, start=START)
    here = msgspec.structs.replace(room.settings.arena, moderator="root@example.org")
    room.settings = msgspec.structs.replace(room.settings, arena=here)
    room.reopen()
    for name in GAMES:
        rules = {"rules": {"default": "every day 12:00"}}
        room.found(*PLAYERS, name=name, close="at deadline", press="public", calendar=rules)
    room.arena.close()
    return room


FAULTS = ("none", "none", "crash", "crash twice", "full disk", "mailbox", "refuse", "away", "lose", "die")


class Storm(RuleBasedStateMachine):
    """
    Deliveries, duplicates, forgeries, robots, faults and time, in any order.

    Shape: `script` holds every mail that came, in order, but for the duplicates, which must change nothing.
    """

    begun: Room
    post_for: Callable[[Room], Post]

    @initialize()
    def begin(self) -> None:
        """Take the games as they stand in their first tide."""
        self.folder = TemporaryDirectory()
        self.room = self.begun.copied(Path(self.folder.name) / "storm")
        self.room.settings = self.begun.settings
        self.room.reopen()
        self.post = type(self).post_for(self.room)
        self.outbox = Flaky()
        self.before = {_id(raw) for _, raw in self.room.outbox.sent}
        self.script: list[tuple[datetime, bytes]] = []
        self.forged: set[str] = set()
        self.robots: set[str] = set()
        self.crashed = False
        self.written = 0

    # What arrives

    def _now(self) -> datetime:
        self.room.clock.advance(timedelta(seconds=1))  # a mail server that stamps two alike is another test's business
        return self.room.clock.now()

    def _deliver(self, raw: bytes, *, scripted: bool = True) -> None:
        at = self._now()
        self.post.deliver(raw, at)
        if scripted:
            self.script.append((at, raw))

    def _compose(self, sender: str, to: str, subject: str, text: str, **headers: str) -> bytes:
        self.written += 1
        message = EmailMessage()
        message["Authentication-Results"] = "mx.example.org; dmarc=pass header.from=example.org"
        message["From"], message["To"], message["Subject"] = sender, to, subject
        message["Message-ID"] = f"<{self.written}@example.net>"
        message["Date"] = format_datetime(self.room.clock.now())
        for name, value in headers.items():
            message[name.replace("_", "-")] = value
        message.set_content(text)
        return message.as_bytes(policy=SMTP)

    def _address(self, game: str, seat: str | None) -> str:
        return f"arena+{game}.{self.room.arena.token(self.room.table(game), seat)}@example.org"  # type: ignore[arg-type]

    @rule(game=st.sampled_from(GAMES), who=st.sampled_from(sorted(PLAYERS)), coins=st.integers(0, 30), more=st.sampled_from(
        ["", "\nbidd 3", "\npress to all: hello", "\nstatus", "\nstanding on", "\ncancel"]))  # fmt: skip
    def order(self, game: str, who: str, coins: int, more: str) -> None:
        """A player answers the letter of the phase that they know of."""
        text = f"bid {coins} # {CANARY}{more}"
        self._deliver(self._compose(PLAYERS[who], self._address(game, who), f"Re: [{game}]", text))

    @rule(game=st.sampled_from(GAMES), who=st.sampled_from(sorted(PLAYERS)))
    def order_without_token(self, game: str, who: str) -> None:
        """A player writes a fresh mail that names the game."""
        self._deliver(self._compose(PLAYERS[who], "arena@example.org", game, f"bid 1 # {CANARY}"))

    @rule(who=st.sampled_from(sorted(PLAYERS)))
    def confirm(self, who: str) -> None:
        """A player says yes to the latest question."""
        letters = [raw for to, raw in self.outbox.sent if to == PLAYERS[who] and b"\n| confirm\r" in raw]
        if letters:
            to = _header(letters[-1], b"Reply-To")
            self._deliver(self._compose(PLAYERS[who], to, "Re: it", "confirm"))

    @rule(game=st.sampled_from(GAMES), who=st.sampled_from(sorted(PLAYERS)), coins=st.integers(0, 20))
    def ruling(self, game: str, who: str, coins: int) -> None:
        """The moderator sets a fact, before the deadline: a ruling knows no time of its own."""
        deadline = self.room.table(game).deadline
        if deadline and self.room.clock.now() + timedelta(minutes=1) < deadline:
            text = f"set coins {who.capitalize()} {coins} because of the tide"
            self._deliver(self._compose(GWEN, self._address(game, None), f"Re: [{game}]", text))

    @precondition(lambda self: self.script)
    @rule(data=st.data(), how=st.sampled_from(["same", "received", "line ends", "base64"]))
    def repeat(self, data: st.DataObject, how: str) -> None:
        """A mail comes again, by another route."""
        _, raw = data.draw(st.sampled_from(self.script))
        if how == "received":
            raw = b"Received: from mx2.example.net by mx.example.org; Mon, 25 Nov 2024 10:00:00 +0000\n" + raw
        elif how == "line ends":
            raw = raw.replace(b"\r\n", b"\n")
        elif how == "base64" and b"Content-Transfer-Encoding: 7bit" in raw:
            head, _, body = raw.partition(b"\r\n\r\n")
            head = head.replace(b"Content-Transfer-Encoding: 7bit", b"Content-Transfer-Encoding: base64")
            raw = head + b"\r\n\r\n" + base64.encodebytes(body)
        self._deliver(raw, scripted=False)

    @rule(
        game=st.sampled_from(GAMES),
        who=st.sampled_from([*sorted(PLAYERS), "moderator"]),
        by=st.sampled_from([EVE, "bo@example.org"]),
    )
    def forge(self, game: str, who: str, by: str) -> None:
        """Somebody else uses a right token."""
        if PLAYERS.get(who) == by:
            return
        seat = None if who == "moderator" else who
        said = "set coins Bo 99 because I say so" if seat is None else "bid 0"
        raw = self._compose(by, self._address(game, seat), f"Re: [{game}]", said)
        self.forged |= digests(raw)
        self._deliver(raw)

    @rule(kind=st.sampled_from(["vacation", "bounce", "list"]), game=st.sampled_from(GAMES))
    def robot(self, kind: str, game: str) -> None:
        """A machine writes."""
        headers = {"vacation": {"Auto_Submitted": "auto-replied"}, "list": {"List_Id": "<l.example.net>"}}.get(kind, {})
        sender = f"{kind}@robots.example.net" if kind != "bounce" else "MAILER-DAEMON@robots.example.net"
        self.robots.add(sender)
        self._deliver(self._compose(sender, self._address(game, "ada"), f"Re: [{game}]", "bid 5", **headers))

    # What happens to the mailbox

    @rule()
    def again(self) -> None:
        """A person moves all mail back, or an older mailbox is put back."""
        self.post.again()

    @rule()
    def renumber(self) -> None:
        """The mailbox is made anew on another server."""
        self.post.renumber()

    # Time, and what breaks

    @rule(minutes=st.integers(1, 400), fault=st.sampled_from(FAULTS), at=st.integers(1, 60))
    def wait(self, minutes: int, fault: str, at: int) -> None:
        """Time passes; a look at the mailbox breaks, and the next one does not."""
        self.room.clock.advance(timedelta(minutes=minutes))
        self._look(fault, at)
        self._look("none", 0)

    def _look(self, fault: str, at: int) -> None:
        if fault in ("refuse", "away", "lose", "die"):
            self.outbox.plan = [""] * (at % 4) + [fault]
        if fault == "mailbox":
            self.post.spoil(at)
        steps: dict[str, Callable[[str], None]] = {"crash": Axe(at), "crash twice": Axe(at), "full disk": Full(at)}
        shelf.STEP = steps.get(fault, _go_on)
        try:
            self._sweep()
        except Killed:
            self.crashed = True
            self._start_again(at if fault == "crash twice" else 0)
        except WorldError:  # as the daemon does
            self.room.arena.forget()
        finally:
            shelf.STEP = _go_on
            self.outbox.plan = []
            self.post.mend()

    def _start_again(self, at: int) -> None:
        """Start anew, and perhaps die again as we recover."""
        shelf.STEP = Axe(at // 3 + 1) if at else _go_on
        try:
            self.room.reopen()
            self.room.arena.shelf.tidy()
            self._sweep()
        except Killed:
            shelf.STEP = _go_on
            self.room.reopen()
            self.room.arena.shelf.tidy()

    def _sweep(self) -> Swept:
        return sweep(self.room.arena, Doors(self.room.clock, self.post.mailbox, self.outbox))

    # What must be true

    def teardown(self) -> None:
        """Let all settle, and check every promise."""
        if not hasattr(self, "room"):
            return
        try:
            self._settle()
            self._check()
        finally:
            self.post.close()
            self.room.arena.close()
            self.folder.cleanup()

    def _settle(self) -> None:
        for _ in range(3):
            self.room.clock.advance(timedelta(minutes=1))
            troubles = self._sweep().troubles
        assert not troubles, troubles
        assert not self.post.mailbox.fetch(10), "mail is left in the mailbox"
        for _ in range(26):  # letters that were put off, and a deadline
            self.room.clock.advance(timedelta(hours=1))
            assert not self._sweep().troubles
        assert self.room.arena.index.waiting() == (0, None)

    def _check(self) -> None:
        calm = self._calm()
        words = proofs.Words(self.room.arena.words, self.room.arena.wording)
        try:
            for game in GAMES:
                assert essence(self.room, game) == essence(calm, game), f"{game} is not the game that it was"
                folder = self.room.root / "games" / game
                seed = self.room.arena.seed(GameName(game))
                phases = list(proofs.replay(folder, harbour(), words, seed))
                assert not any(phase.difference for phase in phases), f"{game} replays otherwise"
        finally:
            calm.arena.close()
        self._check_dispositions()
        self._check_letters()

    def _check_dispositions(self) -> None:
        """G1, G2, G5: each mail was taken once, by one game or by the desk; a forged one nowhere."""
        causes = Counter(
            entry.cause for game in GAMES for entry in entries(self.room, game) if getattr(entry, "cause", "")
        )
        desk = Counter(entry["cause"] for entry in notes.read("entry", self.room.arena.shelf, "desk", "journal.toml"))
        assert all(times == 1 for times in causes.values()), causes
        for _, raw in self.script:
            assert digests(raw) & (causes.keys() | desk.keys()), f"a mail is nowhere: {raw!r}"
        acting = {
            entry.cause
            for game in GAMES
            for entry in entries(self.room, game)
            if isinstance(entry, OrdersReceived | RulingGiven)
        }
        assert not acting & self.forged, "a forged mail acted"

    def _check_letters(self) -> None:
        """G4, G6, G8: each letter went, twice only after a lost answer or a crash; secrets and robots were left alone."""
        sent = Counter(_id(raw) for _, raw in self.outbox.sent)
        files = {path.stem: path.read_bytes() for path in self.room.root.rglob("post/out/*.eml")}
        assert set(sent) == set(files) - self.before, set(sent) ^ (set(files) - self.before)
        assert all(raw == files[_id(raw)] for _, raw in self.outbox.sent), "a letter went in other bytes"
        if not (self.crashed or self.outbox.ambiguous):
            assert max(sent.values(), default=1) == 1, "a letter went twice for nothing"
        for to, raw in self.outbox.sent:
            assert to not in self.robots, "a machine was answered"
            assert to == "root@example.org" or b"Auto-Submitted" in raw
            if CANARY.encode() in raw:
                owners = [said for _, said in self.script if CANARY.encode() in said and f"From: {to}".encode() in said]
                assert owners, f"{to} was told what others ordered"
        for path in self.room.root.rglob("*"):
            assert not path.lstat().st_mode & 0o077, path

    def _calm(self) -> Room:
        """Play the same script where nothing ever breaks."""
        room = self.begun.copied(Path(self.folder.name) / "calm")
        room.settings = self.begun.settings
        room.reopen()
        for at, raw in self.script:
            room.clock.advance_to(at)
            room.sweep(timedelta(0))
            room.mailbox.deliver(raw, at)
            room.sweep(timedelta(0))
        noon = room.clock.now()
        while noon < self.room.clock.now():
            noon = min(noon + timedelta(hours=1), self.room.clock.now())
            room.clock.advance_to(noon)
            room.sweep(timedelta(0))
        note(f"{len(self.script)} mails, until {self.room.clock.now()}")
        return room


class Full:
    """A disk that has no room at one step."""

    def __init__(self, at: int) -> None:
        """Choose the step."""
        self.left = at

    def __call__(self, name: str) -> None:
        """Count one step that writes."""
        self.left -= name != "done"
        if self.left == 0 and name != "done":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _go_on(name: str) -> None:
    pass


def entries(room: Room, game: str) -> list[Any]:
    """Return all entries of a game, from its folder."""
    from pbem.table import journal

    found: list[Any] = []
    previous = journal.FIRST_SUM
    for path in sorted((room.root / "games" / game).glob("phase-*/journal.toml")):
        decoded = journal.decode(path.read_bytes(), previous, last=True)
        found += decoded.entries
        previous = decoded.sum
    return found


def digests(raw: bytes) -> set[str]:
    """Return by which digests a mail may be known: mail servers end lines in their own way."""
    return {hashlib.sha256(one).hexdigest() for one in (raw, raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))}


def essence(room: Room, game: str) -> tuple[Any, ...]:
    """Return what must not depend on what broke, when, and how often a mail came."""
    table = room.table(game)
    said = [
        (entry.seat, entry.phase, entry.arrived, entry.orders, entry.taken, entry.requests, entry.press)
        for entry in entries(room, game)
        if isinstance(entry, OrdersReceived)
    ]
    ruled = [(entry.arrived, entry.lines) for entry in entries(room, game) if isinstance(entry, RulingGiven)]
    hand = {seat: (held.orders, held.stamp[0]) for seat, held in table.hand.items()}
    return (
        table.number,
        table.status,
        table.state,
        hand,
        table.deadline,
        sorted(said, key=repr),
        sorted(ruled, key=repr),
    )


def _id(raw: bytes) -> str:
    return _header(raw, b"Message-ID").strip("<>").rpartition("@")[0]


def _header(raw: bytes, name: bytes) -> str:
    return next(line[len(name) + 2 :] for line in raw.split(b"\r\n") if line.startswith(name + b": ")).decode()


def human(raw: bytes) -> bool:
    """Say whether a mail of the script is a person's."""
    return not read(raw).automatic
