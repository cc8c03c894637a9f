"""Nights in which mail servers come and go: the game is the same, no letter is lost or doubled, one digest tells it."""

import random
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from pbem.daemon import Daemon
from pbem.ground.terms import GameName
from pbem.hall.commands import opening, replay_check
from pbem.hall.store.arena import Doors
from pbem.hall.store.catalogue import rulesets_known
from pbem.letters import addressing
from pbem.testing.room import ARENA
from pbem.world.imap.account import Account
from pbem.world.imap.mailbox import ImapMailbox
from pbem.world.log import SILENT
from pbem.world.login import Login
from pbem.world.outbox import Outbox, SmtpOutbox
from pbem.world.settings import ImapSettings, OutboxSettings, templates
from tests.conftest import KnownSecret, Room
from tests.servers import PASSWORD, Dovecot, Postfix, Wire, installed, running

GAME = GameName("ember-7")
NAMES = {"ada": "Mantisman", "bo": "Cuttlefish", "cy": "Breeze"}
PEOPLE = (*NAMES, "gwen", "moderator")
START = datetime(2024, 11, 25, 9, 0, tzinfo=UTC)  # long ago, since Dovecot takes no stamp of the future
NIGHTS = 4
STEP = timedelta(minutes=20)
HOUR = timedelta(hours=1)
PATIENCE = 60  # seconds that a letter may be under way: a server that was killed has first to get up


class Said(NamedTuple):
    """A mail of the script: when it arrives, whose it is, and what it says about which round."""

    at: datetime
    who: str
    text: str
    round: int


class Outage(NamedTuple):
    """A server out of reach: which, from when until when, and whether it is killed or only cut off."""

    which: str
    start: datetime
    end: datetime
    killed: bool


def script(first: datetime) -> list[Said]:
    """Return what people write: sets by day, changes of mind in the evening, and somebody too late."""
    said = []
    for night in range(NIGHTS):
        day = first + timedelta(days=night)
        others = {"ada": "Cuttlefish", "bo": "Breeze", "cy": "Mantisman"}
        for number, (who, other) in enumerate(others.items()):
            said.append(Said(day + timedelta(hours=2, minutes=number), who, f"attack {other} 9\ndefend 41", night + 1))
        said.append(Said(day + timedelta(hours=10, minutes=37), "bo", "attack Mantisman 7\ndefend 50", night + 1))
        said.append(Said(day + timedelta(hours=10, minutes=59), "cy", "attack Cuttlefish 5\ndefend 33", night + 1))
        said.append(Said(day + timedelta(hours=11, minutes=9), "ada", "attack Breeze 50\ndefend 1", night + 1))  # late
    return said


def outages(seed: int, first: datetime) -> list[Outage]:
    """Return servers that go and come at random from five in the afternoon to seven in the morning."""
    dice = random.Random(seed)
    found = []
    for night in range(NIGHTS):
        evening = first + timedelta(days=night, hours=8)
        for which in ("imap", "smtp"):
            at = evening
            while at < evening + 13 * HOUR:
                start = at + timedelta(minutes=dice.randrange(5, 240))
                end = min(start + timedelta(minutes=dice.randrange(10, 400)), evening + 14 * HOUR)
                # Nothing is sent to a mail server that is dead, so that it is dead when nobody writes.
                found.append(Outage(which, start, end, killed=which == "smtp" or start > evening + 4 * HOUR))
                at = end
    return found


class Noting:
    """An outbox that notes what the mail server took; after that, doubling a letter is the server's own doing."""

    def __init__(self, outbox: Outbox) -> None:
        """Go before an outbox."""
        self.taken: Counter[str] = Counter()
        self._outbox = outbox

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Hand a letter on."""
        self._outbox.send(sender, recipient, raw)
        self.taken[_name(raw)] += 1

    def close(self) -> None:
        """Let go of the server."""
        self._outbox.close()


class Night:
    """A game whose daemon reaches its mail servers over wires that can be cut."""

    def __init__(self, root: Path, dovecot: Dovecot, postfix: Postfix) -> None:
        """Found the game and bring it to a morning of its rounds, in peace."""
        self.dovecot, self.postfix = dovecot, postfix
        self.room = Room(root, rulesets_known(), templates(), start=START)
        arena = msgspec.structs.replace(self.room.settings.arena, moderator="moderator@example.org")
        self.room.settings = self.room.arena.settings = msgspec.structs.replace(self.room.settings, arena=arena)
        rules = {"default": "6h after opening", "round": "every day 20:00, at least 0h"}
        self.room.found(
            *NAMES,
            ruleset="rumble",
            name=GAME,
            names=NAMES,
            close="at deadline",
            review=("powers",),
            calendar={"rules": rules},
        )
        while not self.room.table(GAME).title.startswith("Round") or self.room.clock.now().hour != 9:
            self.room.sweep(HOUR)
            assert self.room.clock.now() < START + timedelta(days=7)
        self.first = self.room.clock.now().replace(minute=0, second=0)
        self.before = len(self.room.outbox.sent)
        self.wires: dict[str, Wire] = {}
        self.mailbox = self._mailbox()
        self.outbox = Noting(self._outbox())
        doors = Doors(self.room.clock, self.mailbox, self.outbox)
        self.daemon = Daemon(self.room.arena, doors, SILENT, lambda: self.room.clock.now().timestamp())
        self.unlucky = 0

    def pass_by(self, outages: list[Outage]) -> None:
        """Let the nights pass, with mail arriving by the script."""
        waiting = sorted(script(self.first))
        now, end = self.room.clock.now(), self.first + timedelta(days=NIGHTS, hours=8)
        while now < end:
            for which in ("imap", "smtp"):
                self._set(which, next((o for o in outages if o.which == which and o.start <= now < o.end), None))
            while waiting and waiting[0].at <= now:
                self._arrive(waiting.pop(0))
            self.unlucky += bool(self.daemon.wake().away)
            now = self.room.clock.now() + STEP
            self.room.clock.advance_to(now)
        assert self.room.arena.index.outgoing.waiting() == (0, None)

    def close(self) -> None:
        """Hang up."""
        for wire in self.wires.values():
            wire.close()
        self.mailbox.close()
        self.outbox.close()
        self.room.arena.close()

    def outcomes(self) -> dict[str, str]:
        """Return what came of each phase."""
        folder = self.room.root / "games" / GAME
        seed = self.room.arena.seed(GAME)
        assert not any(
            phase.difference for phase in replay_check.replay(folder, rulesets_known(), opening.words(), seed)
        )
        return {path.parent.name: path.read_text() for path in sorted(folder.glob("phase-*/outcome.toml"))}

    def lost_and_doubled(self) -> tuple[set[str], set[str]]:
        """Compare the letters on file with those in people's mailboxes once all have come, and with those sent."""
        filed = {_name(path.read_bytes()) for path in self.room.root.rglob("post/out/*.eml")}
        filed -= {_name(raw) for _, raw in self.room.outbox.sent}
        until = time.monotonic() + PATIENCE
        got: set[str] = set()
        while got != filed and time.monotonic() < until:
            got = {_name(raw) for who in PEOPLE for raw in self.dovecot.raws(who)}
        return filed - got, {name for name, times in self.outbox.taken.items() if times > 1}

    def _arrive(self, said: Said) -> None:
        """Let a mail arrive at its moment, as the server stamps it, whoever can look at it then."""
        name = NAMES[said.who].lower()
        phase = self._first_phase + said.round - 1
        token = addressing.token(self.room.arena.secret, GAME, phase, f"seat {name}")
        message = EmailMessage()
        message["From"] = f"{said.who}@example.org"
        message["To"] = addressing.reply_address(ARENA, GAME, token, plus=True)
        message["Subject"] = f"Re: [{GAME}] Round {said.round}"
        message["Message-ID"] = f"<{said.at:%d%H%M}.{said.who}@example.net>"
        message.set_content(said.text)
        self.dovecot.save("arena", [(message.as_bytes(), said.at)])

    def _set(self, which: str, outage: Outage | None) -> None:
        """Cut a wire, or let it be whole; a server that was killed is started again at the end."""
        wire = self.wires[which]
        is_down = not wire.welcome
        if outage and not is_down:
            wire.welcome = False
            wire.hang_up()
            if outage.killed:
                # Killed between the two, a letter waits minutes for a lock that nobody holds any more.
                self.postfix.deliver_all()
                (self.dovecot if which == "imap" else self.postfix).restart()
        elif not outage and is_down:
            wire.welcome = True

    def _mailbox(self) -> ImapMailbox:
        self._first_phase: int = self.room.table(GAME).number
        wire = self.wires["imap"] = Wire(self.dovecot.imap)
        wanted = ImapSettings(kind="imap", host="127.0.0.1", port=wire.port, tls="none", user="arena")
        login = Login("arena", "password", KnownSecret(PASSWORD))
        seconds = self.room.clock.now
        account = Account(wanted, login, clock=lambda: seconds().timestamp())
        return ImapMailbox(account, wanted, lambda headers: opening.is_ours(self.room.arena, headers))

    def _outbox(self) -> SmtpOutbox:
        wire = self.wires["smtp"] = Wire(self.postfix.smtp)
        return SmtpOutbox(OutboxSettings(port=wire.port))


def _name(raw: bytes) -> str:
    return raw.split(b"Message-ID: <", 1)[1].split(b"@", 1)[0].decode()


@pytest.fixture
def servers() -> Iterator[tuple[Dovecot, Postfix]]:
    """Servers for one game."""
    with installed(), running(Dovecot()) as dovecot, running(Postfix(dovecot)) as postfix:
        yield dovecot, postfix


def nights(root: Path, seed: int | None) -> Night:
    """Play the nights, undisturbed without a seed."""
    with running(Dovecot()) as dovecot, running(Postfix(dovecot)) as postfix:
        night = Night(root, dovecot, postfix)
        try:
            night.pass_by(outages(seed, night.first) if seed is not None else [])
            assert night.lost_and_doubled() == (set(), set()), postfix.words()
        finally:
            night.close()
    return night


@pytest.mark.timeout(300)
@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(1, 8))
def test_a_game_through_nights_of_outages_is_the_same_game(tmp_path: Path, seed: int) -> None:
    """State, outcomes and letters are those of an undisturbed run; the moderator hears once a day at most."""
    with installed():
        calm = nights(tmp_path / "calm", None)
    stormy = nights(tmp_path / "stormy", seed)
    assert calm.unlucky == 0 and stormy.unlucky > 10
    assert stormy.outcomes() == calm.outcomes()
    assert len(stormy.outcomes()) >= NIGHTS + 1
    digests = [path.name for path in (tmp_path / "stormy").rglob("digest.*.eml")]
    assert 1 <= len(digests) <= NIGHTS + 1
    assert not list((tmp_path / "calm").rglob("digest.*.eml"))
