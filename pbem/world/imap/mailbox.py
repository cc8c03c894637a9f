"""Mail out of an IMAP account: looked at without a trace, marked when done with, never deleted; reads no mail."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

from pbem.terms import Mail, MailboxError
from pbem.world.imap.account import Account, describe, is_not_now
from pbem.world.mailbox import LARGEST
from pbem.world.settings import ImapSettings

T = TypeVar("T")

KEYWORD = "PbemDone"
"""What a mail is marked with where it cannot be moved; any client shows it as a label, and can take it off."""
HEADERS = "BODY.PEEK[HEADER.FIELDS (TO CC DELIVERED-TO X-ORIGINAL-TO SUBJECT)]"
"""What is looked at to tell our mail from other mail in the account."""
MANY = 500
"""Mails of which one command asks dates and sizes, or that one command marks."""
MOST_BYTES = 8 * LARGEST
"""Bytes of bodies that one command asks for."""
WINDOW = 50_000
"""Mails that one search looks through: the library takes no answer of more than a million bytes on a line."""

Way: TypeAlias = Literal["move", "keyword", "seen"]
IsOurs: TypeAlias = Callable[[bytes], bool]


class Found(NamedTuple):
    """A mail that waits: when it came, its UID, and its bytes."""

    arrived: datetime
    uid: int
    size: int


class ImapMailbox:
    r"""
    A folder of an IMAP account; a mail is done with once it was moved away, or else bears our keyword, or \Seen.

    Shape: a mail's name is its UIDVALIDITY and UID. UIDs are only a cache: when UIDVALIDITY changes, all mail is
    looked at again. `is_ours` says of a mail's header lines whether we may touch it at all, and is asked once.
    Mail comes again when a person moves it back or takes our keyword off. Who reads it with a client marks it only
    where the server can neither move mail nor keep keywords.
    Rule: RFC 3501, RFC 6851 (MOVE). Mail arrived at its INTERNALDATE.
    """

    def __init__(self, account: Account, wanted: ImapSettings, is_ours: IsOurs) -> None:
        """Take the account and what of it is ours; connect when first asked for mail."""
        self._account, self._wanted, self._is_ours = account, wanted, is_ours
        self._validity = 0
        self._known: dict[int, Found | None] = {}
        self._floor = 1  # the mails below it are not ours, and nothing but a new number would make them so
        self._box: Mapping[Any, Any] = {}

    def fetch(self, limit: int) -> list[Mail]:
        """Return up to `limit` mails that are not marked, in the order of their arrival; change nothing."""
        with self._account.client(self._select) as client:
            uids = self._unmarked(client)
            self._known |= self._looked_at(client, [uid for uid in uids if uid not in self._known])
            self._known = {uid: self._known[uid] for uid in uids if uid in self._known}
            if self._way(client) == "move" and uids:
                self._floor = next((uid for uid in uids if self._known.get(uid, uid)), uids[-1] + 1)
            waiting = sorted(found for found in self._known.values() if found)
            mails: list[Mail] = []
            while waiting and len(mails) < limit:  # one that went meanwhile leaves its place to another
                some, waiting = waiting[: limit - len(mails)], waiting[limit - len(mails) :]
                mails += self._bodies(client, some)
            return mails

    def mark(self, mails: Sequence[Mail]) -> None:
        """Move or mark these mails; marking again, or a mail that has gone, is no error."""
        if not mails:
            return
        with self._account.client(self._select) as client:
            names = [mail.name.partition("-") for mail in mails]
            uids = [int(uid) for validity, _, uid in names if int(validity) == self._validity]
            for some in _chunks(uids, MANY):
                self._mark(client, some)
            for uid in uids:
                self._known.pop(uid, None)

    def unmark(self, since: datetime) -> int:
        """Move mails that arrived since then back, or take their marks off; return how many."""
        with self._account.client(self._select) as client:
            way = self._way(client)
            marked = {"move": [], "keyword": ["KEYWORD", KEYWORD], "seen": ["SEEN"]}[way]
            if way == "move":
                if not client.folder_exists(self._wanted.processed):
                    return 0
                client.select_folder(self._wanted.processed)
            uids = client.search([*marked, "SINCE", since.date() - timedelta(days=1)])
            again = [uid for uid, found in self._looked_at(client, uids).items() if found and found.arrived >= since]
            for some in _chunks(again, MANY):
                if way == "move":
                    client.move(some, self._wanted.folder)
                else:
                    client.remove_flags(some, [KEYWORD if way == "keyword" else b"\\Seen"], silent=True)
            self._floor = 1
            return len(again)

    def close(self) -> None:
        """Take leave of the server."""
        self._account.close()

    def _select(self, client: IMAPClient) -> None:
        try:
            self._box = client.select_folder(self._wanted.folder)
        except IMAPClientError as error:
            if isinstance(error, IMAPClient.AbortError) and not isinstance(error, IMAPClient.ReadOnlyError):
                raise
            folder = f"{self._wanted.folder} at {self._wanted.host} cannot be opened: {describe(error)}"
            todo = "It is tried again" if is_not_now(error) else "Correct folder in settings.toml"
            raise MailboxError(f"{folder}. {todo}.") from error
        validity = int(self._box.get(b"UIDVALIDITY", 0))
        if validity != self._validity:
            self._validity, self._known, self._floor = validity, {}, 1

    def _way(self, client: IMAPClient) -> Way:
        """Choose how mail is marked here; what a person reads with a client must not count as marked."""
        if self._wanted.processed and client.has_capability("MOVE"):
            return "move"
        lasting = self._box.get(b"PERMANENTFLAGS", ())
        return "keyword" if b"\\*" in lasting or KEYWORD.encode() in lasting else "seen"

    def _unmarked(self, client: IMAPClient) -> list[int]:
        criteria: list[Any] = {"move": [], "keyword": ["UNKEYWORD", KEYWORD], "seen": ["UNSEEN"]}[self._way(client)]
        if self._wanted.since:  # the server's days are those of its own zone
            criteria = [*criteria, "SINCE", self._wanted.since - timedelta(days=1)]
        found: set[int] = set()
        # By place in the folder and from its end: a mail moves down when one before it goes, and so is met again.
        for top in range(int(self._box[b"EXISTS"]), 0, -WINDOW):
            places = f"{max(1, top - WINDOW + 1)}:{top}"
            found.update(client.search([places, "UID", f"{self._floor}:*", *criteria]))
        return sorted(uid for uid in found if uid >= self._floor)  # the last mail is in any range that ends in *

    def _looked_at(self, client: IMAPClient, uids: Sequence[int]) -> dict[int, Found | None]:
        """Learn when mails came, how large they are, and whether they are ours: None for those that are not."""
        known: dict[int, Found | None] = {}
        for some in _chunks(uids, MANY):
            items = ["INTERNALDATE", "RFC822.SIZE", *([] if self._wanted.dedicated else [HEADERS])]
            for uid, item in client.fetch(some, items).items():
                came, size = item.get(b"INTERNALDATE"), item.get(b"RFC822.SIZE")
                if came is None or size is None:
                    continue
                arrived = came.astimezone(UTC)
                ours = self._wanted.since is None or arrived.date() >= self._wanted.since
                if ours and not self._wanted.dedicated:
                    ours = self._is_ours(_body(item) or b"")
                known[uid] = Found(arrived, uid, int(size)) if ours else None
        return known

    def _bodies(self, client: IMAPClient, waiting: Sequence[Found]) -> Iterator[Mail]:
        large = [found for found in waiting if found.size > LARGEST]
        raws: dict[int, bytes] = {}
        for some in _parcels([found for found in waiting if found.size <= LARGEST]):
            raws |= _fetched(client, some, "BODY.PEEK[]")
        for found in large:
            raws |= _fetched(client, [found], f"BODY.PEEK[]<0.{LARGEST + 1}>")
        for found in waiting:
            raw = raws.get(found.uid)
            if raw is not None:  # else it has gone meanwhile
                raw = raw[: LARGEST + 1]  # some servers know sizes only roughly
                name = f"{self._validity:010d}-{found.uid:010d}"
                yield Mail(name, found.arrived, hashlib.sha256(raw).hexdigest(), raw)

    def _mark(self, client: IMAPClient, uids: Sequence[int]) -> None:
        match self._way(client):
            case "move":
                _move(client, uids, self._wanted)
            case "keyword":
                client.add_flags(uids, [KEYWORD], silent=True)
            case "seen":
                client.add_flags(uids, [b"\\Seen"], silent=True)


def _move(client: IMAPClient, uids: Sequence[int], wanted: ImapSettings) -> None:
    folder = wanted.processed
    try:
        try:
            client.move(uids, folder)
        except IMAPClientError:
            if client.folder_exists(folder):
                raise
            client.create_folder(folder)
            client.subscribe_folder(folder)
            client.move(uids, folder)
    except IMAPClient.AbortError:
        raise
    except IMAPClientError as error:
        message = f"{wanted.host} does not move mail to {folder}: {describe(error)}"
        todo = "Make room" if "[OVERQUOTA]" in message else "Look at that folder"
        todo = f"{todo}, or name another folder as processed in settings.toml"
        raise MailboxError(f"{message}. {todo}; until then mail that is done with stays where it is.") from error


def _fetched(client: IMAPClient, some: Sequence[Found], item: str) -> dict[int, bytes]:
    answers = client.fetch([found.uid for found in some], [item]).items()
    return {uid: raw for uid, answer in answers if (raw := _body(answer)) is not None}


def _body(item: Mapping[bytes, Any]) -> bytes | None:
    return next((value for name, value in item.items() if name.startswith(b"BODY[") and value is not None), None)


def _parcels(waiting: Sequence[Found]) -> Iterator[list[Found]]:
    """Divide mails so that no command asks for too many or too much."""
    some: list[Found] = []
    for found in waiting:
        if some and (len(some) >= MANY or sum(one.size for one in some) + found.size > MOST_BYTES):
            yield some
            some = []
        some.append(found)
    if some:
        yield some


def _chunks(values: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for first in range(0, len(values), size):
        yield values[first : first + size]
