"""Opening an arena with the doors that its settings name, and the words and rulesets that there are."""

from __future__ import annotations

from pathlib import Path

from pbem.hall.arena import Arena, Doors, digest_of
from pbem.hall.catalogue import rulesets_known
from pbem.hall.proofs import Words
from pbem.hall.reindexing import reindex
from pbem.letters import writing
from pbem.world import settings
from pbem.world.clock import Clock, SystemClock
from pbem.world.mailbox import MaildirMailbox
from pbem.world.outbox import SmtpOutbox


def arena(root: Path) -> Arena:
    """Open an arena. Errors: CharterError where its settings are missing or hold a mistake."""
    wanted = settings.read(root)
    indexed = (root / "index.sqlite").exists()
    opened = Arena(root, wanted, rulesets_known(), settings.templates())
    if not indexed:
        reindex(opened)
    return opened


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


def words() -> Words:
    """Return the words of reports that we have now."""
    templates = settings.templates()
    return Words(writing.environment(templates), digest_of(templates))
