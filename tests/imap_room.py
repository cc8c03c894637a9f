"""A room whose mail lies at a real mail server: it is delivered there, looked at and marked as in life."""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pbem.ground.terms import Mail
from pbem.hall.commands import opening
from tests.conftest import Room
from tests.imap_scene import Scene
from tests.servers import Dovecot, Wire


class Inbox:
    """
    An account of a room's own at Dovecot, in the place of the mailbox in its memory.

    Shape: `wire` is the way there, which can be spoilt; `clock` counts the seconds by which we wait after a failure.
    All have the same UIDVALIDITY, so that the same mail has the same name in each.
    """

    def __init__(self, room: Room, dovecot: Dovecot, **wanted: Any) -> None:
        """Open the account, with the mail that the room's mailbox holds, and let the room look there from now on."""
        self.scene = Scene(dovecot)
        self.user = self.scene.user
        self.clock = self.scene.clock
        self.wire: Wire = self.scene.wire(dovecot.imaps if wanted.get("tls") == "tls" else None)
        self.processed = wanted.get("processed", "Processed")
        self._room, self._wanted = room, {"port": self.wire.port, **wanted}
        with dovecot.session(self.user):
            pass  # the first login makes the mailbox
        dovecot.doveadm("mailbox", "update", "-u", self.user, "--uid-validity", "1000", "INBOX")
        waiting = room.mailbox.waiting
        room.mailbox = self  # type: ignore[assignment]
        self.start_again()
        self.put([(mail.raw, mail.arrived) for mail in waiting])

    def start_again(self) -> None:
        """Look over a new connection, as a new process does."""
        self.wire.hang_up()
        self._box = self.scene.mailbox(lambda headers: opening.is_ours(self._room.arena, headers), **self._wanted)

    def put(self, mails: Sequence[tuple[bytes, datetime]]) -> list[Mail]:
        """Let mails arrive, each at its own time."""
        sent = [(_network(raw), arrived) for raw, arrived in mails]
        if sent:
            self.scene.dovecot.save(self.user, sent)
        return [Mail("", arrived, hashlib.sha256(raw).hexdigest(), raw) for raw, arrived in sent]

    def deliver(self, raw: bytes, arrived: datetime) -> Mail:
        """Let a mail arrive."""
        [mail] = self.put([(raw, arrived)])
        return mail

    @property
    def waiting(self) -> list[bytes]:
        """Return what lies in the inbox."""
        return self.scene.dovecot.raws(self.user)

    @property
    def done(self) -> list[bytes]:
        """Return what lies where mail is moved to that is done with."""
        with self.scene.dovecot.session(self.user) as client:
            made = client.folder_exists(self.processed)
        return self.scene.dovecot.raws(self.user, self.processed) if made else []

    def fetch(self, limit: int) -> list[Mail]:
        """Look, as the moderator does."""
        return self._box.fetch(limit)

    def mark(self, mails: Sequence[Mail]) -> None:
        """Mark, as the moderator does."""
        self._box.mark(mails)

    def unmark(self, since: datetime) -> int:
        """Take marks off, as the moderator does."""
        return self._box.unmark(since)

    def close(self) -> None:
        """Hang up for good."""
        self.scene.close()


def _network(raw: bytes) -> bytes:
    """End lines as a mail server does."""
    return raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
