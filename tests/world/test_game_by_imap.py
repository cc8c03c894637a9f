"""A whole game over a real IMAP server and a real mail server is the game that the demonstration plays without."""

import itertools
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from pbem import demo
from pbem.daemon import Daemon
from pbem.demo.people import ARENA, HOST
from pbem.demo.story import Story
from pbem.demo.turns import until_over
from pbem.ground.terms import GameName, Mail
from pbem.hall.commands import opening, replay_check
from pbem.hall.store.catalogue import rulesets_known
from pbem.world.imap.account import Account
from pbem.world.imap.mailbox import ImapMailbox
from pbem.world.log import SILENT
from pbem.world.login import Login, write_secret
from pbem.world.mailbox import Mailbox
from pbem.world.outbox import Outbox, SmtpOutbox
from pbem.world.settings import ArenaSettings, ImapSettings, OauthSettings, OutboxSettings, Settings
from tests.conftest import KnownSecret
from tests.servers import PASSWORD, Dovecot, Postfix, TokenServer, installed, running

GAME = GameName("rumble-1")
SEED = "ember"
IN_TIME = 20
"""Seconds that mail may take between two servers on one machine."""


class Travelling:
    """The machine's clock, moved to another day; it goes on by itself, and can be moved further."""

    def __init__(self, start: datetime) -> None:
        """Begin at an instant."""
        self.ahead = start - datetime.now(UTC)

    def now(self) -> datetime:
        """Return the instant that it is there."""
        return datetime.now(UTC) + self.ahead

    def advance(self, span: timedelta) -> None:
        """Move on by a span."""
        self.ahead += span

    def advance_to(self, instant: datetime) -> None:
        """Move on to an instant, unless it is past."""
        self.ahead = max(self.ahead, instant - datetime.now(UTC))


class Wires:
    """
    What is on its way: how many letters were handed to the mail server for each account, and how many were seen.

    Shape: `lists` are the accounts that have what goes to a list.
    """

    def __init__(self, lists: Mapping[str, Sequence[str]] | None = None) -> None:
        """Begin with none."""
        self.handed: Counter[str] = Counter()
        self.lists = lists or {}

    def note(self, recipient: str) -> None:
        """Count a letter for whoever gets it."""
        user = re.split("[+@]", recipient)[0]
        self.handed.update(self.lists.get(user, (user,)))


class Noting:
    """An outbox that counts what was taken, by account."""

    def __init__(self, outbox: Outbox, wires: Wires) -> None:
        """Go before an outbox."""
        self._outbox, self._wires = outbox, wires

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Hand a letter on."""
        self._outbox.send(sender, recipient, raw)
        self._wires.note(recipient)

    def close(self) -> None:
        """Let go of the server."""
        self._outbox.close()


class Arriving:
    """A mailbox that waits for what is on its way to it, and stamps it by the clock of the game."""

    def __init__(self, mailbox: Mailbox, user: str, wires: Wires, clock: Travelling) -> None:
        """Go before a mailbox."""
        self._mailbox, self._user, self._wires, self._clock = mailbox, user, wires, clock
        self._arrived: dict[bytes, datetime] = {}

    def fetch(self, limit: int) -> list[Mail]:
        """Return what came, once all came that was sent."""
        until = time.monotonic() + IN_TIME
        while True:
            mails = self._mailbox.fetch(limit)
            for mail in mails:
                self._arrived.setdefault(mail.raw, mail.arrived + self._clock.ahead)
            if len(self._arrived) >= self._wires.handed[self._user]:
                return [msgspec.structs.replace(mail, arrived=self._arrived[mail.raw]) for mail in mails]
            assert time.monotonic() < until, f"mail for {self._user} does not come"

    def mark(self, mails: Sequence[Mail]) -> None:
        """Be done with mails."""
        self._mailbox.mark(mails)

    def unmark(self, since: datetime) -> int:
        """Let mails come again."""
        return self._mailbox.unmark(since)

    def close(self) -> None:
        """Let go of the server."""
        self._mailbox.close()


def account(dovecot: Dovecot, user: str, **more: object) -> ImapSettings:
    """Return the settings of an account there, with TLS."""
    known = {"host": "localhost", "port": dovecot.imaps, "ca_file": str(dovecot.ca), "user": user}
    return ImapSettings(kind="imap", **{**known, "dedicated": True, **more})  # type: ignore[arg-type]


def sending(dovecot: Dovecot, postfix: Postfix, user: str, **more: object) -> OutboxSettings:
    """Return the settings for sending: submission with STARTTLS and a login."""
    known = {"host": "localhost", "port": postfix.submission, "tls": "starttls", "ca_file": str(dovecot.ca)}
    return OutboxSettings(**{**known, "user": user, **more})  # type: ignore[arg-type]


@contextmanager
def servers(**more: str) -> Iterator[tuple[Dovecot, Postfix]]:
    """Run both servers, for one game."""
    with installed(), running(Dovecot(**more)) as dovecot, running(Postfix(dovecot)) as postfix:
        yield dovecot, postfix


def play(
    root: Path,
    settings: Settings,
    dovecot: Dovecot,
    postfix: Postfix,
    between: Callable[[int], object] = lambda _: None,
    wires: Wires | None = None,
    mailing_list: str = "",
) -> Daemon:
    """Play the demonstration's game with these servers; `between` is called before each sweep with its number."""
    clock, wires = Travelling(demo.MONDAY), wires or Wires()
    ruleset = demo.with_cast()
    arena = demo.found_game(root, settings, ruleset, GAME, SEED, clock.now(), mailing_list)
    doors = opening.doors(arena, clock)
    doors = msgspec.structs.replace(
        doors, mailbox=Arriving(doors.mailbox, "arena", wires, clock), outbox=Noting(doors.outbox, wires)
    )
    daemon = Daemon(arena, doors, SILENT, lambda: clock.now().timestamp())
    sweeps = itertools.count()
    wake = daemon.wake

    def interrupted() -> object:
        between(next(sweeps))
        return wake()

    daemon.wake = interrupted  # type: ignore[method-assign,assignment]

    def person(address: str) -> tuple[Mailbox, Outbox]:
        user = address.removesuffix(f"@{HOST}")
        reading = account(dovecot, user)
        login = Login(user, "password", KnownSecret(PASSWORD))
        mailbox = Arriving(ImapMailbox(Account(reading, login), reading, bool), user, wires, clock)
        return mailbox, Noting(SmtpOutbox(sending(dovecot, postfix, user), login), wires)

    people = demo.cast_of(ruleset, SEED, person)
    try:
        assert until_over(daemon, clock, people, Story(lambda text: None, "none", ""), lambda: False)
    finally:
        for one in people:
            one.close()
        doors.mailbox.close()
        doors.outbox.close()
    return daemon


def outcomes(folder: Path) -> dict[str, str]:
    """Return what came of each phase of a game."""
    assert not any(phase.difference for phase in replay_check.replay(folder, rulesets_known(), opening.words()))
    return {path.parent.name: path.read_text() for path in sorted(folder.glob("phase-*/outcome.toml"))}


@pytest.fixture
def known() -> dict[str, str]:
    """What comes of the game at the embedded post office: the specimen is made by the demonstration."""
    return outcomes(Path(__file__).parent.parent.parent / "games" / GAME)


@pytest.mark.sweep
@pytest.mark.timeout(180)
def test_a_game_by_imap_with_tokens_tls_and_plus_addresses(tmp_path: Path, known: dict[str, str]) -> None:
    """XOAUTH2 with refreshed tokens, MOVE, submission with STARTTLS: the same game, and no mail is left or lost."""
    tokens = TokenServer()
    tokens.holds = {f"token-{number}": "arena" for number in range(9)}
    for number in range(9):
        tokens.issue(f"token-{number}", expires_in=3600)
    root = tmp_path / "arena"
    write_secret(tmp_path / "arena" / "secrets" / "refresh", "a refresh token")
    write_secret(tmp_path / "arena" / "secrets" / "password", PASSWORD)
    try:
        with servers(introspection=tokens.introspection_url) as (dovecot, postfix):
            settings = Settings(
                arena=ArenaSettings(address=ARENA),
                mailbox=account(dovecot, "arena", login="xoauth2"),
                outbox=sending(dovecot, postfix, "arena", password_file="secrets/password"),
                oauth=OauthSettings(token_url=tokens.token_url, client_id="pbem", refresh_token_file="secrets/refresh"),
            )
            daemon = play(root, settings, dovecot, postfix)
            assert outcomes(root / "games" / GAME) == known
            assert dovecot.raws("arena") == []
            mails = sum(1 for _ in (root / "games" / GAME / "post" / "in").iterdir())
            assert len(dovecot.raws("arena", "Processed")) == mails
            assert daemon.arena.index.outgoing.waiting() == (0, None)
    finally:
        tokens.close()


@pytest.mark.sweep
@pytest.mark.timeout(180)
def test_a_game_by_a_poorer_server_with_hands_in_it(tmp_path: Path, known: dict[str, str]) -> None:
    """No IDLE, no MOVE, a shared account; flags changed by hand, and UIDVALIDITY changed again and again."""
    root = tmp_path / "arena"
    write_secret(root / "secrets" / "password", PASSWORD)
    with servers(capability="IMAP4rev1 SASL-IR LOGIN-REFERRALS ID ENABLE LITERAL+ UIDPLUS") as (dovecot, postfix):
        dovecot.deliver("arena@example.org", b"To: arena@example.org\r\nSubject: your invoice\r\n\r\nPay.\r\n")
        settings = Settings(
            arena=ArenaSettings(address=ARENA, plus=False),
            mailbox=account(dovecot, "arena", dedicated=False, password_file="secrets/password"),
            outbox=sending(dovecot, postfix, "arena", password_file="secrets/password"),
        )

        def meddle(sweep: int) -> None:
            if sweep % 5 == 4:
                dovecot.doveadm(
                    "mailbox", "update", "--uid-validity", str(2_000_000_000 + sweep), "-u", "arena", "INBOX"
                )
            if sweep % 5 == 2:
                with dovecot.session("arena") as client:
                    client.set_flags(client.search(), [b"\\Seen", b"\\Flagged"])
            if sweep % 5 == 3:
                with dovecot.session("arena") as client:
                    client.remove_flags(client.search(), [b"PbemDone", b"\\Seen"])

        play(root, settings, dovecot, postfix, meddle)
        assert outcomes(root / "games" / GAME) == known
        (invoice,) = [raw for raw in dovecot.raws("arena") if b"invoice" in raw]
        assert invoice.endswith(b"Pay.\r\n")
        assert any(b"PbemDone" in flags for flags in dovecot.flags("arena"))
        assert not any(b"invoice" in path.read_bytes() for path in root.rglob("*.eml"))
