"""Mail out of an IMAP account: looked at without a trace, marked when done with, never deleted; reads no mail."""

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

from pbem.ground.terms import Mail, MailboxError
from pbem.world.imap.account import Account, describe, is_gone, is_not_now
from pbem.world.imap.asking import Asking
from pbem.world.mailbox import LARGEST, Withheld
from pbem.world.settings import ImapSettings

T = TypeVar("T")

KEYWORD = "PbemDone"
"""What a mail is marked with where it cannot be moved; any client shows it as a label, and can take it off."""
HEADERS = "BODY.PEEK[HEADER.FIELDS (TO CC DELIVERED-TO X-ORIGINAL-TO ENVELOPE-TO X-ENVELOPE-TO SUBJECT)]"
"""What is looked at to tell our mail from other mail in the account."""
MANY = 500
"""Mails of which one command asks dates and sizes, or that one command marks."""
MOST_BYTES = 8 * LARGEST
"""Bytes of bodies that one command asks for."""
WINDOW = 50_000
"""Mails that one search looks through: the library takes no answer of more than a million bytes on a line."""

_MARKED: Mapping[str, list[str]] = {"move": [], "keyword": ["KEYWORD", KEYWORD], "seen": ["SEEN"]}
"""By what search those are found that are marked."""

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
        self.skip: Collection[str] = ()
        self.known: Collection[str] = ()
        self.withheld: dict[str, Withheld] = {}

    def fetch(self, limit: int) -> list[Mail]:
        """Return up to `limit` mails that are not marked, in the order of their arrival; change nothing."""
        with self._account.client(self._select) as client:
            asking = Asking(self._account, self._select_again, client)
            uids = self._unmarked(client)
            wanted = [uid for uid in uids if self._name(uid) not in self.skip]
            self._known |= self._looked_at(asking, [uid for uid in wanted if uid not in self._known])
            self._known = {uid: self._known[uid] for uid in uids if uid in self._known}
            if self._way(client) == "move" and uids:
                self._floor = next((uid for uid in uids if self._known.get(uid, uid)), uids[-1] + 1)
            waiting = sorted(one for uid in wanted if (one := self._known.get(uid)))
            mails: list[Mail] = []
            while waiting and len(mails) < limit and not asking.is_enough:  # one that fails leaves its place to another
                some, waiting = waiting[: limit - len(mails)], waiting[limit - len(mails) :]
                mails += self._bodies(asking, some)
            self.withheld = self._left(uids, asking)
            failed = [one.said for name, one in self.withheld.items() if one.said and name not in self.known]
            if failed and not mails and not self._hands_out(asking.client):
                raise MailboxError(
                    f"{self._wanted.host} hands out no mail: {failed[0]}. Until it does no phase closes."
                )
            return mails

    def mark(self, mails: Sequence[Mail]) -> None:
        """Move or mark these mails, each alone where that fails; a mail that is marked or has gone is no error."""
        if not mails:
            return
        with self._account.client(self._select) as client:
            asking = Asking(self._account, self._select_again, client)
            names = [mail.name.partition("-") for mail in mails]
            uids = [int(uid) for validity, _, uid in names if int(validity) == self._validity]
            try:
                for some in _chunks(uids, MANY):
                    for uid in asking.ask(some, self._mark):
                        self._known.pop(uid, None)
            except IMAPClientError as error:
                if isinstance(error, IMAPClient.AbortError):
                    raise
                raise self._not_marked(describe(error)) from error
            if asking.broke:  # nobody knows what it had marked by then; marking again is no error
                raise MailboxError(f"{self._wanted.host} broke off: {asking.broke}")
            if asking.failed:
                raise self._not_marked(next(iter(asking.failed.values())))

    def unmark(self, since: datetime) -> int:
        """Move mails that arrived since then back, or take their marks off; return how many."""
        with self._account.client(self._select) as client:
            way = self._way(client)
            folder = self._wanted.processed if way == "move" else self._wanted.folder
            if way == "move":
                if not client.folder_exists(folder):
                    return 0
                client.select_folder(folder)
            asking = Asking(self._account, lambda client: client.select_folder(folder), client)
            uids = client.search([*_MARKED[way], "SINCE", since.date() - timedelta(days=1)])
            again = [uid for uid, found in self._looked_at(asking, uids).items() if found and found.arrived >= since]
            done = [uid for some in _chunks(again, MANY) for uid in asking.ask(some, self._unmark)]
            self._floor = 1
            return len(done)

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
            is_for_now = _is_for_now(client, self._wanted.folder, error)
            todo = "It is tried again" if is_for_now else "Correct folder in settings.toml"
            raise MailboxError(f"{folder}. {todo}.") from error
        validity = int(self._box.get(b"UIDVALIDITY", 0))
        if validity != self._validity:
            self._validity, self._known, self._floor = validity, {}, 1

    def _hands_out(self, client: IMAPClient) -> bool:
        """Say whether a mail that was marked can be had; if so, others that cannot are to blame themselves."""
        way, box = self._way(client), self._box
        try:
            if way == "move":
                box = client.select_folder(self._wanted.processed, readonly=True)
            last = int(box[b"EXISTS"])
            first = last if way == "move" else max(1, last - WINDOW + 1)
            uids = client.search([f"{first}:{last}", *_MARKED[way]]) if last else []
            return bool(uids and _fetched(client, uids[-1:], "BODY.PEEK[]<0.1>"))
        except IMAPClientError as error:
            if type(error) is not IMAPClientError:
                raise
            return False  # the folder is not there yet, or this mail cannot be had either

    def _select_again(self, client: IMAPClient) -> None:
        """Select on another connection what we were looking at; a folder that was made anew meanwhile is no more it."""
        before = self._validity
        self._select(client)
        if self._validity != before:
            folder = f"{self._wanted.folder} at {self._wanted.host}"
            raise MailboxError(f"{folder} was made anew as we looked. It is looked at again.")

    def _name(self, uid: int) -> str:
        return f"{self._validity:010d}-{uid:010d}"

    def _left(self, uids: Sequence[int], asking: Asking) -> dict[str, Withheld]:
        """Return what lies there still and was not handed out; what a search names no more has gone."""
        failed = asking.failed
        there = asking.client.search(["UID", ",".join(map(str, failed))]) if failed else []
        left: dict[str, Withheld] = {}
        for uid in uids:
            if (name := self._name(uid)) in self.skip or (uid in failed and uid in there):
                found = self._known.get(uid)
                what = f"UID {uid} of UIDVALIDITY {self._validity} in {self._wanted.folder} at {self._wanted.host}"
                left[name] = Withheld(found.arrived if found else None, what, failed.get(uid, ""))
        return left

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

    def _looked_at(self, asking: Asking, uids: Sequence[int]) -> dict[int, Found | None]:
        """Learn when mails came, how large they are, and whether they are ours: None for those that are not."""
        known: dict[int, Found | None] = {}
        for some in _chunks(uids, MANY):
            if not asking.is_enough:
                known |= asking.ask(some, self._look)
        return known

    def _look(self, client: IMAPClient, uids: Sequence[int]) -> dict[int, Found | None]:
        known: dict[int, Found | None] = {}
        items = ["INTERNALDATE", "RFC822.SIZE", *([] if self._wanted.dedicated else [HEADERS])]
        for uid, item in client.fetch(uids, items).items():
            came, size = item.get(b"INTERNALDATE"), item.get(b"RFC822.SIZE")
            if came is None or size is None:
                continue
            arrived = came.astimezone(UTC)
            ours = self._wanted.since is None or arrived.date() >= self._wanted.since
            if ours and not self._wanted.dedicated:
                ours = self._is_ours(_body(item) or b"")
            known[uid] = Found(arrived, uid, int(size)) if ours else None
        return known

    def _bodies(self, asking: Asking, waiting: Sequence[Found]) -> Iterator[Mail]:
        raws: dict[int, bytes] = {}
        whole, start = partial(_fetched, item="BODY.PEEK[]"), partial(_fetched, item=f"BODY.PEEK[]<0.{LARGEST + 1}>")
        large = [[found] for found in waiting if found.size > LARGEST]
        for some in [*_parcels([found for found in waiting if found.size <= LARGEST]), *large]:
            if not asking.is_enough:
                raws |= asking.ask([found.uid for found in some], start if some in large else whole)
        for found in waiting:
            raw = raws.get(found.uid)
            if raw is not None:  # else it cannot be had
                raw = raw[: LARGEST + 1]  # some servers know sizes only roughly
                yield Mail(self._name(found.uid), found.arrived, hashlib.sha256(raw).hexdigest(), raw)

    def _mark(self, client: IMAPClient, uids: Sequence[int]) -> dict[int, bool]:
        match self._way(client):
            case "move":
                _move(client, uids, self._wanted.processed)
            case "keyword":
                client.add_flags(uids, [KEYWORD], silent=True)
            case "seen":
                client.add_flags(uids, [b"\\Seen"], silent=True)
        return dict.fromkeys(uids, True)

    def _unmark(self, client: IMAPClient, uids: Sequence[int]) -> dict[int, bool]:
        match self._way(client):
            case "move":
                client.move(uids, self._wanted.folder)
            case "keyword":
                client.remove_flags(uids, [KEYWORD], silent=True)
            case "seen":
                client.remove_flags(uids, [b"\\Seen"], silent=True)
        return dict.fromkeys(uids, True)

    def _not_marked(self, said: str) -> MailboxError:
        folder, host = self._wanted.processed, self._wanted.host
        message = f"{host} does not move mail to {folder}" if folder else f"{host} does not mark mail as done with"
        todo = "Make room" if "[OVERQUOTA]" in said else "Look at that folder"
        todo = f"{todo}, or name another folder as processed in settings.toml" if folder else "Look at the account"
        return MailboxError(f"{message}: {said}. {todo}; until then mail that is done with stays where it is.")


def _move(client: IMAPClient, uids: Sequence[int], folder: str) -> None:
    try:
        client.move(uids, folder)
    except IMAPClient.AbortError:
        raise
    except IMAPClientError:
        if client.folder_exists(folder):
            raise
        client.create_folder(folder)
        client.subscribe_folder(folder)
        client.move(uids, folder)


def _fetched(client: IMAPClient, uids: Sequence[int], item: str) -> dict[int, bytes]:
    """Fetch what is not empty: what a server gives of a mail that it cannot hand out is none."""
    return {uid: raw for uid, answer in client.fetch(uids, [item]).items() if (raw := _body(answer))}


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


def _is_for_now(client: IMAPClient, folder: str, error: IMAPClientError) -> bool:
    """Say whether a folder is there that could not be opened, so that nobody has to correct its name."""
    if isinstance(error, IMAPClient.ReadOnlyError) or is_gone(error):
        return False
    if is_not_now(error):
        return True
    try:
        return bool(client.folder_exists(folder))
    except (IMAPClientError, OSError):
        return True


def _chunks(values: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for first in range(0, len(values), size):
        yield values[first : first + size]
