"""All promises at once: whatever comes, breaks and comes again, the games are those of a world in which nothing broke."""

from __future__ import annotations

from datetime import datetime
from itertools import count

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from pbem.hall import opening
from pbem.world.imap.account import Account
from pbem.world.imap.mailbox import ImapMailbox
from pbem.world.login import Login
from pbem.world.settings import ImapSettings
from tests.conftest import KnownSecret, MemoryMailbox, Room
from tests.promises.storm import Storm, base
from tests.servers import PASSWORD, Dovecot, Wire, installed, running


class InMemory:
    """Mail that never leaves memory."""

    def __init__(self, room: Room) -> None:
        """Begin empty."""
        self.mailbox = MemoryMailbox()
        self.numbered = 0

    def deliver(self, raw: bytes, at: datetime) -> None:
        """Let a mail arrive."""
        self.mailbox.deliver(raw, at)

    def again(self) -> None:
        """Let all mail come again."""
        self.mailbox.waiting += self.mailbox.marked
        self.mailbox.marked = []

    def renumber(self) -> None:
        """Give all mail new names, in the old order."""
        self.numbered += 1
        for mails in (self.mailbox.waiting, self.mailbox.marked):
            mails[:] = [msgspec.structs.replace(mail, name=f"v{self.numbered}{mail.name}") for mail in mails]

    def spoil(self, how: int) -> None:
        """Be out of reach."""
        self.mailbox.away = "mail.example.org is away"

    def mend(self) -> None:
        """Be there."""
        self.mailbox.away = ""

    def close(self) -> None:
        """Have nothing to close."""


class AtDovecot:
    """An account on a real mail server, over a wire that can be cut; a new one for each storm."""

    dovecot: Dovecot
    accounts = count()

    def __init__(self, room: Room) -> None:
        """Open an account."""
        self.user = f"storm{next(self.accounts)}"
        self.wire = Wire(self.dovecot.imap)
        wanted = ImapSettings(
            kind="imap", host="127.0.0.1", port=self.wire.port, tls="none", user=self.user, dedicated=True
        )
        login = Login(self.user, "password", KnownSecret(PASSWORD))
        # Tried again at once: the pauses after a failure are another test's business.
        seconds = count(0, 1000)
        account = Account(wanted, login, patience=10, clock=lambda: float(next(seconds)))
        self.mailbox = ImapMailbox(account, wanted, lambda headers: opening.is_ours(room.arena, headers))
        self.validity = 1000

    def deliver(self, raw: bytes, at: datetime) -> None:
        """Let a mail arrive, as the server stamps it."""
        self.dovecot.save(self.user, [(raw, at)])

    def again(self) -> None:
        """Move all mail back by hand."""
        with self.dovecot.session(self.user) as client:
            if client.folder_exists("Processed"):
                client.select_folder("Processed")
                uids = client.search()
                if uids:
                    client.move(uids, "INBOX")

    def renumber(self) -> None:
        """Say that the folder is another one."""
        self.validity += 1
        with self.dovecot.session(self.user):
            pass  # the first login makes the mailbox
        self.dovecot.doveadm("mailbox", "update", "-u", self.user, "--uid-validity", str(self.validity), "INBOX")

    def spoil(self, how: int) -> None:
        """Cut the wire after so many bytes, of new connections and of the one that there is."""
        self.wire.down = how * 23
        self.wire.hang_up()

    def mend(self) -> None:
        """Let the wire be whole again."""
        self.wire.down = None
        self.wire.hang_up()

    def close(self) -> None:
        """Hang up."""
        self.mailbox.close()
        self.wire.close()


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """Two games in their first tide, played so far once."""
    return base(tmp_path_factory.mktemp("begun"))


def weather(begun: Room, post: type, examples: int, steps: int) -> None:
    """Let storms come."""

    class Tonight(Storm):
        pass

    Tonight.begun = begun
    Tonight.post_for = post
    wanted = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate],
        print_blob=True,
    )
    run_state_machine_as_test(Tonight, settings=wanted)


def test_a_few_storms(begun: Room) -> None:
    """In memory, short ones."""
    weather(begun, InMemory, examples=4, steps=10)


@pytest.mark.sweep
@pytest.mark.timeout(900)
def test_many_storms(begun: Room) -> None:
    """In memory, long ones."""
    weather(begun, InMemory, examples=60, steps=40)


@pytest.mark.sweep
@pytest.mark.timeout(900)
def test_storms_around_a_real_mail_server(begun: Room) -> None:
    """The mailbox lies at Dovecot, behind a wire that is cut at any byte; numbers change, and mail is moved back."""
    with installed(), running(Dovecot()) as dovecot:
        AtDovecot.dovecot = dovecot
        weather(begun, AtDovecot, examples=20, steps=20)
