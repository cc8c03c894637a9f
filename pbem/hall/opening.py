"""Opening an arena with the doors that its settings name: the daemon, the words, the rulesets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pbem.daemon import Daemon
from pbem.hall.arena import Arena, Doors, digest_of
from pbem.hall.catalogue import rulesets_known
from pbem.hall.proofs import Words
from pbem.letters import writing
from pbem.world import settings
from pbem.world.clock import Clock, SystemClock
from pbem.world.mailbox import MaildirMailbox
from pbem.world.outbox import SmtpOutbox


def arena(root: Path) -> Arena:
    """Open an arena. Errors: CharterError where its settings are missing or hold a mistake."""
    return Arena(root, settings.read(root), rulesets_known(), settings.templates())


def doors(opened: Arena, clock: Clock | None = None) -> Doors:
    """Open the doors that an arena's settings name."""
    wanted = opened.settings
    password = settings.password(wanted.outbox, opened.root)
    return Doors(
        clock or SystemClock(),
        MaildirMailbox(opened.root / wanted.mailbox.path),
        SmtpOutbox(
            wanted.outbox.host, wanted.outbox.port, user=wanted.outbox.user, password=password, tls=wanted.outbox.tls
        ),
    )


def daemon(root: Path, tell: Callable[[str], None]) -> Daemon:
    """Open an arena and its doors as the daemon does."""
    opened = arena(root)
    return Daemon(opened, doors(opened), tell)


def words() -> Words:
    """Return the words of reports that we have now."""
    templates = settings.templates()
    return Words(writing.environment(templates), digest_of(templates))
