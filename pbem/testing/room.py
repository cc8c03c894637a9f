"""A room to play in: an arena with a fast clock, and mail that never leaves memory; knows no game."""

import copy
import email.policy
import hashlib
import shutil
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from email.headerregistry import BaseHeader, HeaderRegistry
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.utils import format_datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

from pbem.ground.chance import Dice
from pbem.ground.terms import GameName, Mail, MailboxError, OutboxError
from pbem.hall.commands.founding import found_game
from pbem.hall.store.arena import Arena, Doors
from pbem.hall.store.catalogue import words_of
from pbem.hall.sweep.sweep import sweep
from pbem.hall.sweep.swept import Swept
from pbem.letters.reading import Letter, read
from pbem.ruleset import Bot, Same
from pbem.world.clock import FastClock
from pbem.world.forum.forum import Forum
from pbem.world.mailbox import Withheld
from pbem.world.settings import ArenaSettings, MaildirSettings, Settings
from pbem.world.shelf import Shelf

NOON = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)
ARENA, MODERATOR = "arena@example.org", "gwen@example.org"


class MemoryMailbox:
    """
    Mail that came in, until it is marked; `away` is what it says while it cannot be reached.

    Shape: mails whose names are among the `broken` cannot be had; `asked` counts how often each was asked for.
    """

    def __init__(self) -> None:
        """Begin empty."""
        self.waiting: list[Mail] = []
        self.marked: list[Mail] = []
        self.away = ""
        self.broken: set[str] = set()
        self.asked: Counter[str] = Counter()
        self.skip: Collection[str] = ()
        self.known: Collection[str] = ()
        self.withheld: dict[str, Withheld] = {}

    def deliver(self, raw: bytes, arrived: datetime) -> Mail:
        """Let a mail arrive."""
        name = f"m{len(self.waiting) + len(self.marked):05d}"
        mail = Mail(name, arrived, hashlib.sha256(raw).hexdigest(), raw)
        self.waiting.append(mail)
        return mail

    def fetch(self, limit: int) -> list[Mail]:
        """Return what waits, oldest first."""
        if self.away:
            raise MailboxError(self.away)
        lying = sorted(self.waiting, key=lambda mail: (mail.arrived, mail.name))
        asked = [mail for mail in lying if mail.name not in self.skip][: limit + len(self.broken)]
        self.asked.update(mail.name for mail in asked)
        mails = [mail for mail in asked if mail.name not in self.broken][:limit]
        out = [mail for mail in lying if mail.name in self.skip or mail.name in self.broken]
        self.withheld = {mail.name: Withheld(mail.arrived, mail.name, "it is broken") for mail in out}
        if not mails and {mail.name for mail in asked} - {*self.known} and not self.marked:
            raise MailboxError("it hands out no mail")
        return mails

    def mark(self, mails: Sequence[Mail]) -> None:
        """Be done with mails."""
        names = {mail.name for mail in mails}
        self.marked += [mail for mail in self.waiting if mail.name in names]
        self.waiting = [mail for mail in self.waiting if mail.name not in names]

    def unmark(self, since: datetime) -> int:
        """Let mails come again."""
        again = [mail for mail in self.marked if mail.arrived >= since]
        self.marked = [mail for mail in self.marked if mail.arrived < since]
        self.waiting += again
        return len(again)

    def close(self) -> None:
        """Do nothing."""


class MemoryOutbox:
    """Letters that went out, by recipient; `down` means that the server is away, `fails` whom it refuses and how."""

    def __init__(self) -> None:
        """Begin empty."""
        self.sent: list[tuple[str, bytes]] = []
        self.down = False
        self.fails: dict[str, OutboxError] = {}

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Take a letter."""
        if self.down:
            raise OutboxError("the mail server is away", pause=timedelta(minutes=1))
        if recipient in self.fails:
            raise self.fails[recipient]
        self.sent.append((recipient, raw))

    def close(self) -> None:
        """Do nothing."""


class _Headers(HeaderRegistry):
    """Headers as the email package makes them, which is slow: so each that comes again is made once."""

    def __init__(self) -> None:
        super().__init__()
        self._kind = lru_cache(maxsize=None)(super().__getitem__)
        self._made = lru_cache(maxsize=4096)(super().__call__)

    def __getitem__(self, name: str) -> type[BaseHeader]:
        return self._kind(name)

    def __call__(self, name: str, value: Any) -> BaseHeader:
        return self._made(name, value)


@lru_cache(maxsize=8)
def _words(rulesets: tuple[Same, ...]) -> Mapping[str, str]:
    return words_of(ruleset.one for ruleset in rulesets)


_POLICY = email.policy.default.clone(header_factory=_Headers())

SERVER = "mx.example.org"
"""The mail server of our account, as it names itself where it says what it found out about a mail."""


class Room:
    """
    An arena with its doors, and people who read and write: a game played by mail, of which nothing leaves this process.

    Shape: `usual` is what a game is called where nothing else is said.
    """

    usual = "game-1"
    dice = Dice(b"a program in the place of people")

    def __init__(
        self,
        root: Path,
        rulesets: Mapping[str, Any],
        words: Mapping[str, str] | None = None,
        *,
        plus: bool = True,
        start: datetime = NOON,
    ) -> None:
        """Open an arena in a folder, with rulesets by name; `words` are other templates than theirs and ours."""
        self.root = root
        settings = Settings(
            arena=ArenaSettings(address=ARENA, name="The Arena", plus=plus, authserv=(SERVER,)),
            mailbox=MaildirSettings(path="-"),
        )
        self.settings = settings
        self.rulesets = rulesets
        self.words = _words(tuple(map(Same, rulesets.values()))) if words is None else words
        self.clock = FastClock(start)
        self.mailbox, self.outbox = MemoryMailbox(), MemoryOutbox()
        self.forum: Forum | None = None
        self.written = 0
        Shelf(root).write(bytes(32), "secrets", "arena.key")
        self.arena = self.open()

    def open(self) -> Arena:
        """Open the arena, as a fresh process would."""
        return Arena(self.root, self.settings, self.rulesets, self.words)

    def reopen(self) -> None:
        """Close the arena and open it again."""
        self.arena.close()
        self.arena = self.open()

    def copied(self, root: Path) -> Self:
        """Return the same arena in another folder, with the same mail and the same time; this one has to be closed."""
        shutil.copytree(self.root, root)
        room = type(self)(root, self.rulesets, self.words, plus=self.settings.arena.plus, start=self.clock.now())
        room.mailbox, room.outbox = copy.deepcopy(self.mailbox), copy.deepcopy(self.outbox)
        room.written = self.written
        return room

    def lent(self, root: Path) -> Iterator[Self]:
        """Lend a copy to one test."""
        room = self.copied(root)
        yield room
        room.arena.close()

    def sweep(self, span: timedelta = timedelta(minutes=1)) -> Swept:
        """Let time pass and sweep."""
        self.clock.advance(span)
        return sweep(self.arena, Doors(self.clock, self.mailbox, self.outbox, self.forum))

    def letters(self, to: str) -> list[Letter]:
        """Return what somebody has received, oldest first."""
        return [read(raw) for recipient, raw in self.outbox.sent if recipient == to]

    def last(self, to: str) -> str:
        """Return the text of somebody's latest letter."""
        found = self.letters(to)
        assert found, f"{to} has no letter"
        return "\n".join(found[-1].body)

    def write(
        self,
        sender: str,
        text: str,
        *,
        to: str = "",
        subject: str = "",
        span: timedelta | None = None,
        answering: bytes = b"",
    ) -> Mail:
        """Send a mail, in answer to the latest letter unless `to`, or the letter it is `answering`, says otherwise."""
        message = EmailMessage(_POLICY)
        message["Authentication-Results"] = f"{SERVER}; dmarc=pass header.from={sender.rpartition('@')[2]}"
        message["From"] = sender
        if not to:
            raw = answering or [raw for recipient, raw in self.outbox.sent if recipient == sender][-1]
            answered = BytesHeaderParser(policy=_POLICY).parsebytes(raw.partition(b"\r\n\r\n")[0])
            to = str(answered["Reply-To"])
            subject = subject or f"Re: {answered['Subject']}"
            message["In-Reply-To"] = str(answered["Message-ID"])
        message["To"] = to
        message["Subject"] = subject
        self.written += 1
        message["Message-ID"] = f"<{self.written}@example.net>"
        message["Date"] = format_datetime(self.clock.now())
        message.set_content(text)
        return self.mailbox.deliver(message.as_bytes(), self.clock.now() + (span or timedelta(0)))

    def invite(self, *players: str, ruleset: str = "", name: str = "", **terms: Any) -> GameName:
        """Make a game, of the first ruleset if none is named, with an invitation to each, who has a seat kept."""
        game = GameName(name or self.usual)
        found_game(
            self.arena,
            game,
            ruleset or next(iter(self.rulesets)),
            moderator=MODERATOR,
            invited=[f"{player}@example.org" for player in players],
            now=self.clock.now(),
            **{"seats": len(players), "seed": bytes(32), **terms},
        )
        self.sweep()
        return game

    def found(self, *players: str, names: dict[str, str] | None = None, **terms: Any) -> GameName:
        """Make a game, with an invitation to each player, and let them all join."""
        game = self.invite(*players, **terms)
        for player in players:
            self.write(f"{player}@example.org", f"join as {(names or {}).get(player, player.capitalize())}")
        self.sweep()
        return game

    def play(self, bot: Bot[Any, Any], name: str = "", most: int = 100) -> None:
        """Let a program answer for every seat, and the moderator approve each proof, until the game is over."""
        name = name or self.usual
        for _ in range(most * 200):
            table = self.table(name)
            if table.status == "over":
                return
            assert table.number < most, f"{name} does not end"
            for seat in table.owing:
                who = self.arena.people.contact(table.seats[seat].person).address
                orders = bot(table.seen_by(seat), seat, self.dice.at(f"{name} {table.number} {seat}"))
                text = "\n".join(table.ruleset.format(table.state, orders))
                self.write(who, text, to=self.reply_to(who, f"[{name}]"))
            if table.status == "closed":
                self.write(MODERATOR, f"approve {table.proof}", to=self.reply_to(MODERATOR, f"[{name}]"))
            troubles = self.sweep(timedelta(hours=1)).troubles
            assert not troubles, troubles
        raise AssertionError(f"{name} stands still in {table.title}")

    def reply_to(self, who: str, words: str = "") -> str:
        """Return the address that somebody's latest letter, or the latest that holds these words, is answered to."""
        return reply_to(next(raw for to, raw in reversed(self.outbox.sent) if to == who and words.encode() in raw))

    def table(self, game: str = "") -> Any:
        """Return a game's table."""
        return self.arena.ledger(GameName(game or self.usual)).table


def reply_to(raw: bytes) -> str:
    """Return the address that a letter of ours is answered to."""
    return next(line for line in raw.decode().split("\r\n") if line.startswith("Reply-To: "))[10:]
