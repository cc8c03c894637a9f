"""Where mail arrives and leaves in a storm, and what may happen to it there: in memory, and at a real mail server."""

from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import count
from typing import Protocol

import msgspec

from pbem.ground.terms import OutboxError
from pbem.hall.commands import opening
from pbem.testing.room import MemoryMailbox
from pbem.world.imap.account import Account
from pbem.world.imap.mailbox import ImapMailbox
from pbem.world.login import Login
from pbem.world.mailbox import Mailbox
from pbem.world.settings import ImapSettings
from tests.conftest import KnownSecret, Room
from tests.killing import Killed
from tests.servers import PASSWORD, Dovecot, Wire


class Post(Protocol):
    """Where mail arrives."""

    @property
    def mailbox(self) -> Mailbox:
        """Return the mailbox as the daemon sees it."""
        ...

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

    accounts = count()

    def __init__(self, dovecot: Dovecot, room: Room) -> None:
        """Open an account."""
        self.dovecot = dovecot
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


PostFor = Callable[[Room], Post]


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
