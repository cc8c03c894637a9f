"""The doctor: examines an arena, and says in words what it saw and what to do about it."""

import json
import secrets
import stat
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

import msgspec

from pbem.ground.identity import ArenaLetter
from pbem.ground.terms import CharterError, Mail, MailboxError, OutboxError, SiteError, WorldError
from pbem.hall.commands import opening
from pbem.hall.keeping import health
from pbem.hall.mail.outgoing import arena_letters
from pbem.hall.site import build
from pbem.hall.store.arena import Arena, Doors
from pbem.language import phrases
from pbem.letters import addressing, authentication, reading
from pbem.world import webhook
from pbem.world.forum.forum import Forum
from pbem.world.imap.examine import examine
from pbem.world.settings import ChatSettings, ImapSettings, OutboxSettings
from pbem.world.site_folder import SiteFolder

PATIENCE = timedelta(seconds=60)
"""How long a letter to ourselves may take."""
DRIFT = timedelta(seconds=30)
"""How far our clock and the mail server's may be apart: deadlines go by its stamps, reminders by ours."""
MANY = 1000
"""Among how many waiting mails the letter is looked for."""

Pause = Callable[[float], None]


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at: what was seen, and what to do where that is not well."""

    what: str
    seen: str
    todo: str = ""

    @property
    def is_well(self) -> bool:
        """Nothing is to be done about it."""
        return not self.todo


def look_over(arena: Arena, doors: Doors, pause: Pause, patience: float) -> Iterator[Finding]:
    """
    Examine an arena's files, mailbox and mail server, and send a letter to ourselves.

    Shape: `pause` waits so many seconds. The letter is marked as done with when it is found.
    Units: `patience` is how many seconds a server may be silent.
    """
    yield from _files(arena)
    yield _disk(arena)
    if arena.settings.site.folder:
        yield _site(arena)
    for wanted in arena.settings.chat:
        yield _chat(arena, wanted)
    if doors.forum:
        yield _forum(arena, doors.forum)
    mailbox, *more = _mailbox(arena, doors, patience)
    yield mailbox
    yield from more
    try:
        yield from _round_trip(arena, doors, pause if mailbox.is_well else None)
    except WorldError as error:
        yield Finding("round trip", "broken off", str(error))


def _files(arena: Arena) -> Iterator[Finding]:
    open_to_others = [path for path in (arena.root, *_private(arena.root)) if stat.S_IMODE(path.stat().st_mode) & 0o077]
    if open_to_others:
        names = " ".join(str(path) for path in open_to_others[:3])
        more = f" and {len(open_to_others) - 3} more" if len(open_to_others) > 3 else ""
        yield Finding("files", f"others on this machine can read {names}{more}", f"chmod -R go= {arena.root}")
    else:
        yield Finding("files", "nobody else on this machine can read the arena")


def _private(root: Path) -> Iterator[Path]:
    for name in ("settings.toml", "people.toml", "index.sqlite"):
        if (root / name).exists():
            yield root / name
    yield from sorted((root / "secrets").glob("*"))


def _disk(arena: Arena) -> Finding:
    free = arena.shelf.free() >> 20
    if free << 20 < health.ROOM:
        return Finding("disk", f"{free} MB free", "make room, or move the arena to a larger disk")
    return Finding("disk", f"{free / 1024:.1f} GB free")


def _site(arena: Arena) -> Finding:
    """Write a page and take it away again."""
    folder = build.folder_of(arena).resolve()
    site = SiteFolder(folder)
    try:
        site.write("probe.txt", b"This is a test of whether pages can be written.\n")
        site.remove("probe.txt")
    except SiteError as error:
        return Finding("site", str(error), f"let the user that runs pbem write to {folder}")
    if folder.is_relative_to(arena.root.resolve()):
        return Finding("site", f"{folder} is written, and lies in the arena, where only its owner can read it")
    return Finding("site", f"{folder} is written")


def _chat(arena: Arena, wanted: ChatSettings) -> Finding:
    """Look at what a hook's files hold; nothing is said to it, since people would read that."""
    try:
        fault = webhook.fault_of(wanted, arena.root)
    except CharterError as error:
        return Finding(f"chat {wanted.name}", "no address", str(error))
    if fault:
        return Finding(f"chat {wanted.name}", fault, f"write another address into {wanted.url_file}")
    return Finding(f"chat {wanted.name}", f"its address, of kind {wanted.kind}, is at hand; nothing was said to it")


def _forum(arena: Arena, forum: Forum) -> Finding:
    """Log in; nothing is posted, since people would read that."""
    wanted = arena.settings.forum
    assert wanted
    try:
        number = forum.who()
    except WorldError as error:
        todo = f"see whether url, user and {wanted.secret_file} are right, and the forum is there"
        return Finding("forum", str(error), todo)
    return Finding("forum", f"{wanted.url} knows {wanted.user} as number {number}; nothing was posted")


def _mailbox(arena: Arena, doors: Doors, patience: float) -> Iterator[Finding]:
    wanted = arena.settings.mailbox
    try:
        if not isinstance(wanted, ImapSettings):
            yield Finding("mailbox", f"{wanted.path}: a Maildir, {_waiting(doors)}")
            return
        account = opening.account(arena, wanted, patience)
        seen = examine(account, wanted.folder)
        account.close()
    except WorldError as error:
        yield Finding("mailbox", "not read", str(error))
        return
    yield Finding("mailbox", f"logged in to {wanted.host} as {wanted.user}; {wanted.folder} has {seen.mails} mails")
    if wanted.idle and not seen.idle:
        poll = arena.settings.daemon.poll
        yield Finding("idle", f"{wanted.host} has no IDLE: mail is found at the polls, every {poll} s")
    else:
        yield Finding("idle", "mail is noticed as it comes" if wanted.idle else "switched off in settings.toml")
    yield _marking(wanted, move=seen.move, keywords=seen.keywords, folders=seen.folders)


def _marking(wanted: ImapSettings, *, move: bool, keywords: bool, folders: tuple[str, ...]) -> Finding:
    if wanted.processed and move:
        made = "" if wanted.processed in folders else ", which will be made"
        return Finding("marking", f"mails that are done with are moved to {wanted.processed}{made}")
    if keywords:
        return Finding("marking", "mails that are done with stay where they are, and get a keyword")
    return Finding(
        "marking",
        f"{wanted.host} can neither move mails nor take keywords: mails that are done with are marked as read",
        "do not read this folder with a mail client, or what you read is not found",
    )


def _waiting(doors: Doors) -> str:
    count = len(doors.mailbox.fetch(MANY))
    return "1 mail waits" if count == 1 else f"{count}{' or more' * (count == MANY)} mails wait"


def _round_trip(arena: Arena, doors: Doors, pause: Pause | None) -> Iterator[Finding]:
    """
    Send a letter to ourselves at a plus address, and if that one does not come, at the plain one.

    Shape: without a `pause` the mailbox cannot be read, so nothing is waited for.
    """
    settings = arena.settings
    plain = settings.arena.address
    name, _, host = plain.rpartition("@")
    mark = addressing.token(arena.secret, "doctor", 0, secrets.token_hex(8))
    plus = addressing.reply_address(plain, "doctor", mark, plus=True)
    sent = doors.clock.now()
    refused = ""
    try:
        doors.outbox.send(plain, plus, _letter(arena, plus, mark, sent))
    except OutboxError as error:
        if not error.permanent:
            yield Finding("sending", "no letter went", str(error))
            return
        refused = str(error)
    if not refused:
        yield _sending(settings.outbox)
        if pause is None:
            return
        found = _wait(arena, doors, mark, pause)
        if found and plus in reading.read(found.raw).to:
            yield _authserv(arena, found)
            hint = "" if settings.arena.plus else "; plus = true under [arena] would do"
            yield Finding("plus", f"mail to {name}+anything@{host} arrives, and says whom it was for{hint}")
            yield _clock(found.arrived, sent, doors.clock.now())
            return
    yield from _without_plus(arena, doors, mark, pause, refused)


def _sending(wanted: OutboxSettings) -> Finding:
    login = f"logged in as {wanted.user}" if wanted.user else "without a login"
    return Finding("sending", f"{wanted.host}:{wanted.port} took a letter, {login}")


def _without_plus(arena: Arena, doors: Doors, mark: str, pause: Pause | None, refused: str) -> Iterator[Finding]:
    plain = arena.settings.arena.address
    try:
        doors.outbox.send(plain, plain, _letter(arena, plain, mark, doors.clock.now()))
    except OutboxError as error:
        yield Finding("sending", "a letter to ourselves was refused", str(error))
        return
    if refused:
        yield _sending(arena.settings.outbox)
    if pause is None:
        return
    found = _wait(arena, doors, mark, pause)
    if found and addressing.reply_address(plain, "doctor", mark, plus=True) in reading.read(found.raw).to:
        yield Finding("plus", "mail to a plus address arrives, but took more than a minute")
        return
    if not found:
        seen = f"a letter to {plain} did not come within {int(PATIENCE.total_seconds())} s"
        yield Finding("round trip", seen, "see whether [mailbox] is the account of [arena] address; look for bounces")
        return
    yield Finding("round trip", f"a letter to {plain} came")
    yield _authserv(arena, found)
    seen = f"mail to a plus address does not arrive{f' ({refused})' if refused else ''}"
    if arena.settings.arena.plus:
        yield Finding("plus", seen, "switch on plus addressing at the mail server, or set plus = false under [arena]")
    else:
        yield Finding("plus", f"{seen}; subjects carry the tokens, as plus = false says")


def _authserv(arena: Arena, found: Mail) -> Finding:
    """
    Say whether our mail server signs what it finds out about a mail by a name that the settings know.

    Others may have signed a letter before it came to us; but one to ourselves has been nowhere else.
    """
    known = arena.settings.arena.authserv
    names = list(dict.fromkeys(map(authentication.server, reading.read(found.raw).results)))
    ours = [name for name in names if name.casefold() in {one.casefold() for one in known}]
    wanted = f"authserv = {json.dumps(names[:1])} under [arena]"
    if ours:
        return Finding("authserv", f"{ours[0]} says of each mail whether its sender is genuine")
    if not known:
        hint = f"; {wanted} would do" if names else ""
        return Finding("authserv", f"not set: mail counts by its token and address alone{hint}")
    if names:
        seen = f"the letter was looked at by {phrases.listed(names, 'and')}, and not by {phrases.listed(known)}"
        return Finding("authserv", seen, f"write {wanted}, if that is your own mail server")
    return Finding(
        "authserv",
        f"nothing in the letter was signed as {phrases.listed(known)}",
        "see whether mail from outside has Authentication-Results of that name. If not, moderators have to confirm "
        "all their mail: let your mail server sign, or leave authserv out",
    )


def _clock(arrived: datetime, sent: datetime, now: datetime) -> Finding:
    """Compare clocks: the letter came between its sending and now, or one of them is wrong."""
    ahead = max(sent - arrived - timedelta(seconds=1), arrived - now, timedelta(0))
    if ahead > DRIFT:
        seen = f"this machine and the mail server are {ahead.total_seconds():.0f} s apart"
        return Finding("clock", seen, "set this machine's clock (timedatectl set-ntp true)")
    return Finding("clock", "agrees with the mail server's")


def _wait(arena: Arena, doors: Doors, mark: str, pause: Pause) -> Mail | None:
    until = doors.clock.now() + PATIENCE
    while True:
        mails = doors.mailbox.fetch(MANY)
        for mail in mails:
            if reading.read(mail.raw).subject == _subject(mark):
                doors.mailbox.mark([mail])
                return mail
        if len(mails) == MANY:
            raise MailboxError(f"{MANY} mails wait before it. Let them be taken (pbem sweep), and ask again.")
        if doors.clock.now() >= until:
            return None
        pause(1)


def _subject(mark: str) -> str:
    return f"[doctor {mark}] to ourselves"


def _letter(arena: Arena, to: str, mark: str, now: datetime) -> bytes:
    identity = ArenaLetter(sort="doctor", about=mark, kind=secrets.token_hex(4))
    return arena_letters.compose(
        arena, identity, to, _subject(mark), "A letter of pbem doctor to itself. It may be deleted.\n", now
    )
