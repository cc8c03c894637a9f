"""A world of mail in which everything goes wrong, step by step, and what must be true of it in the end."""

import base64
import errno
import os
import re
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pbem.ground.terms import GameName, ShelfError, WorldError
from pbem.hall.commands import replay_check
from pbem.hall.keeping import mail_audit
from pbem.hall.store import append_only
from pbem.hall.store.arena import Doors
from pbem.hall.sweep.sweep import sweep
from pbem.hall.sweep.swept import Swept
from pbem.table.fold.journal import OrdersReceived, RulingGiven
from pbem.world import shelf
from pbem.world.shelf import Shelf
from tests.conftest import Room
from tests.killing import Axe, Killed
from tests.promises import calm
from tests.promises.calm import GAMES, GWEN, PLAYERS, ROOT, Happening, WrongClock
from tests.promises.posts import Flaky, PostFor

EVE = "eve@example.com"
CANARY = "quetzalcoatl"
MORE = ("", "\nbidd 3", "\npress to all: hello", "\nstatus", "\nstanding on", "\ncancel")
FAULTS = (
    "none", "crash", "crash twice", "full disk", "mailbox", "refuse", "away", "lose", "die", "second daemon",
)  # fmt: skip
LETTER_FAULTS = ("refuse", "away", "lose", "die")


class Storm:
    """
    Deliveries, duplicates, forgeries, robots, rulings, edits, faults and time, in any order.

    Shape: every step is a method that takes plain values, so that a trace of names and values plays it again; a step
    that has nothing to do here does nothing. `script` holds what happened, but for what must change nothing. A
    `fault` comes at the `at`-th point of the next look at the mailbox, and the look behind that has none.
    """

    def __init__(self, begun: Room, post_for: PostFor, folder: Path) -> None:
        """Take the games as they stand in their first tide."""
        self.begun, self.folder = begun, folder
        self.room = calm.copied(begun, folder / "storm")
        self.post = post_for(self.room)
        self.outbox = Flaky()
        self.before = {_id(raw) for _, raw in self.room.outbox.sent}
        self.script: list[Happening] = []
        self.forged: set[str] = set()
        self.robots: set[str] = set()
        self.crashed = False
        self.written = 0

    # What arrives

    def order(self, game: str, who: str, coins: int, more: str) -> None:
        """A player answers the letter of the phase that they know of."""
        text = f"bid {coins} # {CANARY}{more}"
        self._deliver(self._compose(PLAYERS[who], self._address(game, who), f"Re: [{game}]", text))

    def order_without_token(self, game: str, who: str) -> None:
        """A player writes a fresh mail that names the game."""
        self._deliver(self._compose(PLAYERS[who], "arena@example.org", game, f"bid 1 # {CANARY}"))

    def confirm(self, who: str) -> None:
        """A player says yes to the latest question."""
        letters = [raw for to, raw in self.outbox.sent if to == PLAYERS[who] and b"\n| confirm" in raw]
        if letters:
            to = _header(letters[-1], b"Reply-To")
            said = next(line for line in letters[-1].decode().split("\r\n") if line.startswith("| confirm"))
            self._deliver(self._compose(PLAYERS[who], to, "Re: it", said[2:]))

    def ruling(self, game: str, who: str, coins: int) -> None:
        """The moderator sets a fact, before the deadline: a ruling knows no time of its own."""
        deadline = self.room.table(game).deadline
        if deadline and self.room.clock.now() + timedelta(minutes=1) < deadline:
            text = f"set coins {who.capitalize()} {coins} because of the tide"
            self._deliver(self._compose(GWEN, self._address(game, None), f"Re: [{game}]", text))

    def overrule(self, game: str, who: str, coins: int) -> None:
        """The moderator overrules a verdict on a proof."""
        if self.room.table(game).status == "closed":
            text = f"overrule bid of {who.capitalize()} = {coins} because it was a slip"
            self._deliver(self._compose(GWEN, self._address(game, None), f"Re: [{game}]", text))

    def approve(self, game: str, fault: str, at: int) -> None:
        """The moderator lets the latest proof out; the next deadline is reckoned from when that is seen."""
        proof = [raw for to, raw in self.outbox.sent if to == GWEN and b"\n| approve " in raw and game.encode() in raw]
        named = re.search(rb"\n\| (approve [0-9]+)\r", proof[-1]) if proof else None
        if named and self.room.table(game).status == "closed":
            self._deliver(self._compose(GWEN, self._address(game, None), f"Re: [{game}]", named[1].decode()))
            self._look_twice(fault, at)

    def repeat(self, which: int, how: str) -> None:
        """A mail comes again, by another route."""
        mails = [one.raw for one in self.script if one.raw]
        if not mails:
            return
        raw = mails[which % len(mails)]
        if how == "received":
            raw = b"Received: from mx2.example.net by mx.example.org; Mon, 25 Nov 2024 10:00:00 +0000\n" + raw
        elif how == "line ends":
            raw = raw.replace(b"\r\n", b"\n")
        elif how == "base64" and b"Content-Transfer-Encoding: 7bit" in raw:
            head, _, body = raw.partition(b"\r\n\r\n")
            head = head.replace(b"Content-Transfer-Encoding: 7bit", b"Content-Transfer-Encoding: base64")
            raw = head + b"\r\n\r\n" + base64.encodebytes(body)
        self.post.deliver(raw, self._now())

    def forge(self, game: str, who: str, by: str) -> None:
        """Somebody else uses a right token."""
        if PLAYERS.get(who) == by:
            return
        seat = who if who in PLAYERS else None
        said = "bid 0" if seat else "set coins Bo 99 because I say so"
        raw = self._compose(by, self._address(game, seat), f"Re: [{game}]", said)
        self.forged |= calm.digests(raw)
        self._deliver(raw)

    def robot(self, kind: str, game: str) -> None:
        """A machine writes."""
        headers = {"vacation": {"Auto-Submitted": "auto-replied"}, "list": {"List-Id": "<l.example.net>"}}.get(kind, {})
        sender = f"{kind}@robots.example.net" if kind != "bounce" else "MAILER-DAEMON@robots.example.net"
        self.robots.add(sender)
        self._deliver(self._compose(sender, self._address(game, "ada"), f"Re: [{game}]", "bid 5", headers))

    # What happens to the mailbox, and to the files

    def again(self) -> None:
        """A person moves all mail back, or an older mailbox is put back."""
        self.post.again()

    def renumber(self) -> None:
        """The mailbox is made anew on another server."""
        self.post.renumber()

    def edit(self, game: str, who: str, coins: int, fault: str, at: int) -> None:
        """A person sets a fact in the file of an open game; it is seen once something happens there, such as a mail."""
        self._look("none", 0)
        if self.room.table(game).status == "open":
            self._happens(partial(calm.edit, game=game, who=who, coins=coins))
            calm.edit(self.room, game, who, coins)
            self.order(game, who, 1, "")
            self._look_twice(fault, at)

    def spoil(self, game: str, who: str, fault: str, at: int) -> None:
        """A person breaks that file as orders come, sees that nobody writes over it, and puts it back."""
        self._look("none", 0)
        file = self.room.root / "games" / game / "state.toml"
        sound, broken = file.read_bytes(), file.read_bytes().replace(b"[facts]", b"[facts")
        file.write_bytes(broken)
        self.order(game, who, 1, "")
        self._look(fault, at)
        assert file.read_bytes() == broken, "what a person wrote was written over"
        file.write_bytes(sound)
        self._look("none", 0)

    # Time, and what breaks

    def wait(self, minutes: int, fault: str, at: int) -> None:
        """Time passes; a look at the mailbox breaks, and the next one does not."""
        self.room.clock.advance(timedelta(minutes=minutes))
        self._look_twice(fault, at)

    def leap(self, hours: int, fault: str, at: int) -> None:
        """The machine's clock is wrong for a while."""
        assert isinstance(self.room.clock, WrongClock)
        self._happens(partial(calm.leap, hours=hours))
        self.room.clock.off = timedelta(hours=hours)
        self._look_twice(fault, at)
        self.room.clock.off = timedelta(0)

    def _now(self) -> Any:
        self.room.clock.advance(timedelta(seconds=1))  # a mail server that stamps two alike is another test's business
        return self.room.clock.now()

    def _happens(self, do: Callable[[Room], object]) -> None:
        self.script.append(Happening(self._now(), do))

    def _deliver(self, raw: bytes) -> None:
        at = self._now()
        self.post.deliver(raw, at)
        self.script.append(Happening(at, partial(calm.deliver, raw=raw, at=at), raw))

    def _compose(self, sender: str, to: str, subject: str, text: str, headers: dict[str, str] | None = None) -> bytes:
        self.written += 1
        message = EmailMessage()
        message["Authentication-Results"] = "mx.example.org; dmarc=pass header.from=example.org"
        message["From"], message["To"], message["Subject"] = sender, to, subject
        message["Message-ID"] = f"<{self.written}@example.net>"
        message["Date"] = format_datetime(self.room.clock.now())
        for name, value in (headers or {}).items():
            message[name] = value
        message.set_content(text)
        return message.as_bytes(policy=SMTP)

    def _address(self, game: str, seat: str | None) -> str:
        return f"arena+{game}.{self.room.arena.token(self.room.table(game), seat)}@example.org"  # type: ignore[arg-type]

    def _look_twice(self, fault: str, at: int) -> None:
        self._look(fault, at)
        self._look("none", 0)

    def _look(self, fault: str, at: int) -> None:
        if fault in LETTER_FAULTS:
            self.outbox.plan = [""] * (at % 4) + [fault]
        if fault == "mailbox":
            self.post.spoil(at)
        steps: dict[str, Callable[[str], None]] = {
            "crash": Axe(at), "crash twice": Axe(at), "full disk": Full(at), "second daemon": Second(self.room.root, at)
        }  # fmt: skip
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
        with self.room.arena.shelf.lock("sweep.lock"):
            return sweep(self.room.arena, Doors(self.room.clock, self.post.mailbox, self.outbox))

    # What must be true

    def end(self) -> None:
        """Let all settle, and check every promise."""
        self._settle()
        self._check_games()
        self._check_dispositions()
        self._check_letters()

    def close(self) -> None:
        """Let go of all."""
        self.post.close()
        self.room.arena.close()

    def _settle(self) -> None:
        for _ in range(3):
            self.room.clock.advance(timedelta(minutes=1))
            troubles = self._sweep().troubles
        assert not troubles, troubles
        assert not self.post.mailbox.fetch(10), "mail is left in the mailbox"
        for _ in range(26):  # letters that were put off, and a deadline
            self.room.clock.advance(timedelta(hours=1))
            assert not self._sweep().troubles
        assert self.room.arena.index.outgoing.waiting() == (0, None)

    def _check_games(self) -> None:
        """G2, G3, G10, G11, G12, G14: the games are those of a calm world, and their journals replay to them."""
        words = replay_check.Words(self.room.arena.words, self.room.arena.wording)
        expected = calm.play(self.begun, self.folder / "calm", self.script, self.room.clock.now())
        try:
            for game in GAMES:
                assert calm.essence(self.room, game) == calm.essence(expected, game), f"{game} is another game"
                folder = self.room.root / "games" / game
                seed = self.room.arena.seed(GameName(game))
                phases = list(replay_check.replay(folder, calm.harbour(), words, seed))
                assert not any(phase.difference for phase in phases), f"{game} replays otherwise"
        finally:
            expected.arena.close()

    def _check_dispositions(self) -> None:
        """G1, G2, G5, G13: each mail was taken once, by one game or by the desk; a forged one nowhere."""
        found = mail_audit.audit(self.room.arena)
        assert found.exact, (found.waiting, found.lost, found.twice, found.troubles)
        causes = Counter(calm.causes(self.room))
        assert all(times == 1 for times in causes.values()), causes
        desk = {entry["cause"] for entry in append_only.read("entry", self.room.arena.shelf, "desk", "journal.toml")}
        for happening in self.script:
            if happening.raw:
                assert calm.digests(happening.raw) & (causes.keys() | desk), f"a mail is nowhere: {happening.raw!r}"
        acting = {
            entry.cause
            for game in GAMES
            for entry in calm.entries(self.room, game)
            if isinstance(entry, OrdersReceived | RulingGiven)
        }
        assert not acting & self.forged, "a forged mail acted"

    def _sent_together(self) -> dict[str, str]:
        """Return the answers above a reader's cap, each with the letter that they were told in."""
        kept = self.room.arena.shelf
        places = (path.relative_to(self.room.root).parts for path in self.room.root.rglob("sent.toml"))
        lines = [line for place in places for line in append_only.read("sent", kept, *place)]
        said = ((line["letter"], line["result"].partition("sent in ")) for line in lines)
        ids = {path.stem: _id(path.read_bytes()) for path in self.room.root.rglob("post/out/*.eml")}
        return {ids[letter]: ids[within] for letter, (before, _, within) in said if within and not before}

    def _check_letters(self) -> None:
        """G4, G6, G8: each letter went, twice only after a lost answer or a crash; secrets and robots were left alone."""
        sent = Counter(_id(raw) for _, raw in self.outbox.sent)
        filed = [path.read_bytes() for path in self.room.root.rglob("post/out/*.eml")]
        files = {_id(raw): raw for raw in filed}
        assert len(files) == len(filed), "two letters have one Message-ID"
        together = self._sent_together()
        assert all(within in sent for within in together.values())
        went = set(sent) | set(together)
        assert went == set(files) - self.before, went ^ (set(files) - self.before)
        assert set(sent).isdisjoint(together), "a letter went by itself and in another"
        assert all(raw == files[_id(raw)] for _, raw in self.outbox.sent), "a letter went in other bytes"
        if not (self.crashed or self.outbox.ambiguous):
            assert max(sent.values(), default=1) == 1, "a letter went twice for nothing"
        for to, raw in self.outbox.sent:
            assert to not in self.robots, "a machine was answered"
            assert to == ROOT or b"Auto-Submitted" in raw
            if CANARY.encode() in raw:
                mails = [one.raw for one in self.script if CANARY.encode() in one.raw]
                assert any(f"From: {to}".encode() in mail for mail in mails), f"{to} was told what others ordered"
        for path in self.room.root.rglob("*"):
            assert not path.lstat().st_mode & 0o077, path


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


class Second:
    """Another process that wants to sweep the same arena, at one step; it must be told who is at work, and leave."""

    def __init__(self, root: Path, at: int) -> None:
        """Choose the step."""
        self.root, self.left = root, at

    def __call__(self, name: str) -> None:
        """Count a step, and try at the chosen one."""
        self.left -= 1
        if self.left == 0:
            with pytest.raises(ShelfError, match=f"held by process {os.getpid()}"), Shelf(self.root).lock("sweep.lock"):
                pass


def _go_on(name: str) -> None:
    pass


def _id(raw: bytes) -> str:
    return _header(raw, b"Message-ID").strip("<>").rpartition("@")[0]


def _header(raw: bytes, name: bytes) -> str:
    return next(line[len(name) + 2 :] for line in raw.split(b"\r\n") if line.startswith(name + b": ")).decode()
