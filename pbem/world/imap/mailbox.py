"""Mail out of an IMAP account: looked at without a trace, marked when done with, never deleted; reads no mail."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

from pbem.terms import Mail, MailboxError
from pbem.world.imap.account import Account, describe, is_not_now
from pbem.world.mailbox import LARGEST, MOST_REFUSED, Withheld
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

MOST_BROKEN = 6
"""How many connections that break at a mail are made anew in one look."""
TRIES = 3
"""How often a mail that is not handed out is asked for at each look; after that it is once an hour."""
SOON, LATER = 20, 3600
"""Seconds after which such a mail is asked for again, at first and later."""

Way: TypeAlias = Literal["move", "keyword", "seen"]
IsOurs: TypeAlias = Callable[[bytes], bool]
IsAnswer: TypeAlias = Callable[[Mapping[bytes, Any]], bool]


class Found(NamedTuple):
    """A mail that waits: when it came, its UID, and its bytes."""

    arrived: datetime
    uid: int
    size: int


class Refusal(NamedTuple):
    """How often a mail was asked for alone in vain, why the last time, and from when on it is asked for again."""

    times: int
    why: str
    until: float


class ImapMailbox:
    r"""
    A folder of an IMAP account; a mail is done with once it was moved away, or else bears our keyword, or \Seen.

    Shape: a mail's name is its UIDVALIDITY and UID. UIDs are only a cache: when UIDVALIDITY changes, all mail is
    looked at again. What fails for many mails is asked of each alone, so that one that the server cannot hand out
    keeps no other from coming: it is `withheld`, and asked for again later. `is_ours` says of a mail's header lines
    whether we may touch it at all, and is asked once. Mail comes again when a person moves it back or takes our
    keyword off. Who reads it with a client marks it only where the server can neither move mail nor keep keywords.
    Rule: RFC 3501, RFC 6851 (MOVE). Mail arrived at its INTERNALDATE.
    """

    def __init__(self, account: Account, wanted: ImapSettings, is_ours: IsOurs) -> None:
        """Take the account and what of it is ours; connect when first asked for mail."""
        self._account, self._wanted, self._is_ours = account, wanted, is_ours
        self._validity = 0
        self._known: dict[int, Found | None] = {}
        self._floor = 1  # the mails below it are not ours, and nothing but a new number would make them so
        self._box: Mapping[Any, Any] = {}
        self._alone: set[int] = set()  # what a connection broke at that asked for several
        self._refused: dict[int, Refusal] = {}

    def fetch(self, limit: int) -> list[Mail]:
        """Return up to `limit` mails that are not marked, in the order of their arrival; change nothing."""
        mails: list[Mail] = []
        before = self._refused
        for tries_left in reversed(range(MOST_BROKEN)):
            known = (len(self._alone), self._refused)
            try:
                with self._account.client(self._select) as client:
                    self._fetch(client, limit, mails)
                break
            except MailboxError:
                if known != (len(self._alone), self._refused) and tries_left:
                    self._account.forgive()  # what it breaks at is known, and nothing to wait for
                elif mails:  # they are taken, and the next look tells what is wrong
                    break
                else:
                    raise
        refused = [one for uid, one in self._refused.items() if before.get(uid) != one]
        if not mails and len(refused) >= MOST_REFUSED and all(one.times == 1 for one in refused):
            why, self._refused = refused[0].why, before
            raise MailboxError(f"{self._wanted.host} hands out none of its mails: {why}.")
        return sorted(mails, key=lambda mail: (mail.arrived, mail.name))

    def withheld(self) -> Sequence[Withheld]:
        """Return the mails that the server names and does not hand out, though each was asked for alone."""
        return [Withheld(self._name(uid), one.why) for uid, one in sorted(self._refused.items())]

    def _name(self, uid: int) -> str:
        return f"{self._validity:010d}-{uid:010d}"

    def _fetch(self, client: IMAPClient, limit: int, mails: list[Mail]) -> None:
        """Add up to `limit` mails to those that are fetched, as far as the connection holds."""
        uids = self._unmarked(client)
        self._refused = {uid: self._refused[uid] for uid in uids if uid in self._refused}
        self._alone.intersection_update(uids)
        now = self._account.now()
        names = {mail.name for mail in mails}
        uids = [uid for uid in uids if uid not in self._refused or self._refused[uid].until <= now]
        uids = [uid for uid in uids if self._name(uid) not in names]
        self._known |= self._looked_at(client, [uid for uid in uids if uid not in self._known])
        self._known = {uid: self._known[uid] for uid in uids if uid in self._known}
        if self._way(client) == "move" and uids and not self._refused:
            self._floor = next((uid for uid in uids if self._known.get(uid, uid)), uids[-1] + 1)
        waiting = sorted(found for found in self._known.values() if found)
        while waiting and len(mails) < limit:  # one that went meanwhile leaves its place to another
            some, waiting = waiting[: limit - len(mails)], waiting[limit - len(mails) :]
            mails.extend(self._bodies(client, some))

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
            self._alone, self._refused = set(), {}

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
        items = ["INTERNALDATE", "RFC822.SIZE", *([] if self._wanted.dedicated else [HEADERS])]
        for some in _chunks(uids, MANY):
            for uid, item in self._asked(client, some, items, _is_dated):
                arrived = item[b"INTERNALDATE"].astimezone(UTC)
                ours = self._wanted.since is None or arrived.date() >= self._wanted.since
                if ours and not self._wanted.dedicated:
                    ours = self._is_ours(_body(item) or b"")
                known[uid] = Found(arrived, uid, int(item[b"RFC822.SIZE"])) if ours else None
        return known

    def _bodies(self, client: IMAPClient, waiting: Sequence[Found]) -> Iterator[Mail]:
        by_uid = {found.uid: found for found in waiting}
        large = [[found] for found in waiting if found.size > LARGEST]
        for some in (*_parcels([found for found in waiting if found.size <= LARGEST]), *large):
            item = f"BODY.PEEK[]<0.{LARGEST + 1}>" if some in large else "BODY.PEEK[]"
            for uid, answer in self._asked(client, [found.uid for found in some], [item], _has_body):
                self._alone.discard(uid)
                self._refused = {other: one for other, one in self._refused.items() if other != uid}
                raw = (_body(answer) or b"")[: LARGEST + 1]  # some servers know sizes only roughly
                yield Mail(self._name(uid), by_uid[uid].arrived, hashlib.sha256(raw).hexdigest(), raw)

    def _asked(
        self, client: IMAPClient, uids: Sequence[int], items: Sequence[str], is_answer: IsAnswer
    ) -> Iterator[tuple[int, Mapping[bytes, Any]]]:
        """
        Yield what the server says of mails, in their order; what fails for several is asked of each alone.

        Errors: what the library raises where the connection breaks, or where the server says that it is a matter of
        the moment.
        """
        before = self._refused
        together = [uid for uid in uids if uid not in self._alone]
        found = self._answers(client, together, items, is_answer)
        for uid in uids:
            answer = found.get(uid)
            if answer is None and together != [uid]:
                answer = self._answers(client, [uid], items, is_answer).get(uid)
            if answer:
                yield uid, answer
            elif before.get(uid) == self._refused.get(uid) and client.search(["UID", str(uid)]):
                self._refuse(uid, "it is named and not handed out")  # else it has gone meanwhile

    def _answers(
        self, client: IMAPClient, uids: Sequence[int], items: Sequence[str], is_answer: IsAnswer
    ) -> dict[int, Mapping[bytes, Any]]:
        """Return the whole answers of one command; none where the server refuses it."""
        if not uids:
            return {}
        try:
            return {uid: one for uid, one in client.fetch(uids, items).items() if is_answer(one)}
        except IMAPClientError as error:
            if is_not_now(error):
                raise
            if isinstance(error, IMAPClient.AbortError):
                if self._alone.issuperset(uids):
                    self._refuse(uids[0], describe(error))
                self._alone.update(uids)
                raise
            if len(uids) == 1:
                self._refuse(uids[0], describe(error))
            return {}

    def _refuse(self, uid: int, why: str) -> None:
        """Note that a mail was asked for alone in vain."""
        times = self._refused[uid].times + 1 if uid in self._refused else 1
        wait = SOON if times < TRIES else LATER
        self._refused = {**self._refused, uid: Refusal(times, why, self._account.now() + wait)}

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


def _is_dated(item: Mapping[bytes, Any]) -> bool:
    return item.get(b"INTERNALDATE") is not None and item.get(b"RFC822.SIZE") is not None


def _has_body(item: Mapping[bytes, Any]) -> bool:
    return _body(item) is not None


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
