"""Opens an arena, with the doors that its settings name, and all words and rulesets."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path

from pbem.ground.terms import CharterError, OrderLine
from pbem.hall.commands.replay_check import Words
from pbem.hall.store.arena import Arena, Doors, digests_of
from pbem.hall.store.catalogue import not_loaded, rulesets_known, words_of
from pbem.hall.sweep import reindexing
from pbem.letters import addressing, reading, rendering
from pbem.table.model import seating
from pbem.world import settings
from pbem.world.clock import Clock, SystemClock
from pbem.world.forum.discourse import Discourse
from pbem.world.forum.forum import Forum
from pbem.world.forum.misago import Misago
from pbem.world.imap.account import Account
from pbem.world.imap.bell import ImapBell
from pbem.world.imap.mailbox import ImapMailbox
from pbem.world.login import login, read_secret
from pbem.world.mailbox import Mailbox, MaildirMailbox
from pbem.world.outbox import SmtpOutbox
from pbem.world.settings import ImapSettings
from pbem.world.shelf import HeldError

PATIENCE = 60
"""Seconds that a mail server may be silent in the middle of an answer."""


def arena(root: Path) -> Arena:
    """Open an arena, its index filled. Errors: CharterError where its settings are missing or hold a mistake."""
    opened = unfilled(root)
    fill(opened)
    return opened


def unfilled(root: Path) -> Arena:
    """Open an arena whose index may be new, for those who fill it. Errors: as above."""
    wanted = settings.read(root)
    known = rulesets_known()
    words = words_of(known.values())
    is_new = not (root / "index.sqlite").exists()
    opened = Arena(root, wanted, known, words)
    opened.not_loaded = not_loaded()
    opened.keep_compiled()
    if is_new:
        reindexing.begin(opened)
    return opened


def fill(opened: Arena, told: Callable[[int], object] = lambda _: None) -> None:
    """Fill the index of an arena if that is due; how many games are in it is `told` as it goes on."""
    if reindexing.is_due(opened):
        with suppress(HeldError), opened.shelf.lock("sweep.lock"):  # else whoever holds it makes it whole
            reindexing.make_whole(opened, told)


def doors(opened: Arena, clock: Clock | None = None, patience: float = PATIENCE) -> Doors:
    """
    Open the doors that an arena's settings name.

    Units: `patience` is how many seconds a mail server may be silent.
    """
    return Doors(
        clock or SystemClock(), _mailbox(opened, patience), _outbox(opened, patience), _forum(opened, patience)
    )


def _forum(opened: Arena, patience: float) -> Forum | None:
    wanted = opened.settings.forum
    if wanted is None:
        return None
    secret = partial(read_secret, opened.root / wanted.secret_file)
    kind = Misago if wanted.kind == "misago" else Discourse
    return kind(wanted.url, wanted.user, secret, wanted.category, patience)


def _outbox(opened: Arena, patience: float) -> SmtpOutbox:
    wanted = opened.settings
    return SmtpOutbox(wanted.outbox, login(wanted.outbox, wanted.oauth, opened.root), timeout=patience)


def check_carried(opened: Arena, addresses: Iterable[str]) -> None:
    """
    Ask the mail server whether it takes letters to addresses beyond ASCII, where there are any.

    Errors: CharterError with the one that it does not take; OutboxError where it cannot be asked.
    """
    outbox = _outbox(opened, PATIENCE)
    try:
        refused = next((one for one in addresses if not outbox.carries(one)), "")
    finally:
        outbox.close()
    if refused:
        raise CharterError(
            f"The mail server {opened.settings.outbox.host} takes no letters to addresses beyond ASCII, such as "
            f"{refused}. Ask for another address of that person's, or use a server that has SMTPUTF8."
        )


def bell(opened: Arena) -> ImapBell | None:
    """Return what rings when mail may have come; None if the mailbox has no such thing."""
    wanted = opened.settings.mailbox
    if not isinstance(wanted, ImapSettings) or not wanted.idle:
        return None
    return ImapBell(account(opened, wanted), wanted.folder)


def _mailbox(opened: Arena, patience: float) -> Mailbox:
    wanted = opened.settings.mailbox
    if isinstance(wanted, ImapSettings):
        return ImapMailbox(account(opened, wanted, patience), wanted, partial(is_ours, opened))
    return MaildirMailbox(opened.root / wanted.path)


def account(opened: Arena, wanted: ImapSettings, patience: float = PATIENCE) -> Account:
    """Return the account that the mailbox is in; it connects when it is first asked for something."""
    return Account(wanted, login(wanted, opened.settings.oauth, opened.root), patience=patience)


def is_ours(opened: Arena, headers: bytes) -> bool:
    """
    Say whether a mail in an account that others use too is for us.

    That is mail to a game's address, with a game's tag, or with a subject such as `join ember-7`. Other
    mail to the plain address is not, nor is a tag that only looks like a game's, as mailing lists have.
    """
    letter = reading.read(headers)
    found = addressing.addressed(letter.to, letter.subject, opened.settings.arena.address)
    wish = seating.wish([OrderLine(1, letter.subject)])
    games = [found.game, *found.others, *([wish[0]] if wish else [])]
    return bool(found.token) or any(opened.has_game(game) for game in games if game)


def words() -> Words:
    """Return the words of reports that we have now."""
    templates = words_of(rulesets_known().values())
    return Words(rendering.environment(templates), digests_of(templates))
