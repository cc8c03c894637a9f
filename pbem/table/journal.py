"""The journal's entries and their text: an append-only chain that is the game itself; knows no disk."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Sequence
from datetime import datetime
from typing import Any, TypeAlias

import msgspec
import tomli_w

from pbem import records
from pbem.terms import Complaint, Person, Seat, ShelfError

FIRST_SUM = "0" * 32
"""What the first entry of a game chains to."""


class _Entry(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", omit_defaults=True, forbid_unknown_fields=True
):
    """What all entries share: their number in the game, and when we noted them (the sweep's clock, UTC)."""

    number: int
    noted: datetime


class GameFounded(_Entry, frozen=True, kw_only=True, tag=True):
    """The game is there; its moderator may rule."""


class PersonInvited(_Entry, frozen=True, kw_only=True, tag=True):
    """
    The moderator asked somebody to take a seat; once more where that person's mail, of digest `cause`, asked for one.

    Each gets the invitation, the same words under another identity.
    """

    person: Person
    cause: str = ""
    key: str = ""


class SeatTaken(_Entry, frozen=True, kw_only=True, tag=True):
    """
    A person took a seat under a name; `cause` is the digest of their mail.

    Shape: `requests` are what the mail asked for besides, in canonical words: the zone that they read times in.
    """

    seat: Seat
    name: str
    person: Person
    cause: str = ""
    key: str = ""
    requests: tuple[str, ...] = ()
    complaints: tuple[Complaint, ...] = ()


class GameBegun(_Entry, frozen=True, kw_only=True, tag=True):
    """Sign-up is over; the ruleset's set-up follows from the seats taken, and phase 1 is open until `deadline`."""

    deadline: datetime


class OrdersReceived(_Entry, frozen=True, kw_only=True, tag=True):
    """
    A mail by a seat, whatever it held.

    Shape: `said` is what the person newly wrote, line by line; `tried` where it held order lines; `orders` the
    canonical set, `taken` where it is now on hand; `confirms` is the digest of the mail that was kept until `cause`
    confirmed it, if so it was, and `said` and `arrived` are that one's; `requests` are status, ready and the like in
    canonical words; `press` holds pairs: to whom, as "all" or seats parted by blanks, and the text. `phase` is that
    of the token.
    """

    seat: Seat
    phase: int
    arrived: datetime
    mail: str
    cause: str
    key: str
    message_id: str = ""
    said: tuple[str, ...] = ()
    orders: tuple[str, ...] = ()
    tried: bool = False
    taken: bool = False
    incomplete: bool = False
    requests: tuple[str, ...] = ()
    press: tuple[str, ...] = ()
    complaints: tuple[Complaint, ...] = ()
    note: str = ""
    confirms: str = ""


class RulingGiven(_Entry, frozen=True, kw_only=True, tag=True):
    """
    A mail by the moderator, or `pbem rule`; `lines` are the rulings in canonical words.

    Shape: `reasons` has one for each line, "" where it needs none; `passed` are the lines that were taken for chat;
    where `test` is true the lines were only tried, and nothing of them holds; `confirms` as for orders.
    """

    phase: int
    lines: tuple[str, ...]
    reasons: tuple[str, ...] = ()
    requests: tuple[str, ...] = ()
    arrived: datetime | None = None
    cause: str = ""
    key: str = ""
    message_id: str = ""
    said: tuple[str, ...] = ()
    complaints: tuple[Complaint, ...] = ()
    passed: tuple[str, ...] = ()
    test: bool = False
    note: str = ""
    confirms: str = ""


class TokenLeaked(_Entry, frozen=True, kw_only=True, tag=True):
    """
    A mail from a wrong address held the token of a role, which counts no more; nothing else of it was read.

    Shape: `seat` is "" for the moderator's; `phase` is that of the token.
    """

    phase: int
    cause: str
    key: str
    seat: str = ""


class ReminderGiven(_Entry, frozen=True, kw_only=True, tag=True):
    """Those who had not moved were reminded, so long before the deadline."""

    before: str
    seats: tuple[Seat, ...]


class ReviewOverdue(_Entry, frozen=True, kw_only=True, tag=True):
    """The time of the review is over and the moderator holds the proof: they were reminded, the players told once."""


class RulesChanged(_Entry, frozen=True, kw_only=True, tag=True):
    """A release with another version of the rules took the game up; players were told what changed in an open phase."""

    version: int


class PhaseClosed(_Entry, frozen=True, kw_only=True, tag=True):
    """Order-taking ended and the phase was adjudicated under this version of the rules."""

    phase: int
    version: int
    why: str
    nmr: tuple[Seat, ...] = ()


class PhasePublished(_Entry, frozen=True, kw_only=True, tag=True):
    """
    The report went out, and with it the next phase opened, or the game ended.

    Shape: `state` is the digest of the state that the phase led to, `wording` that of the words of reports;
    `deadline` is the next phase's. At the end of the game there is no deadline and the `seed` is opened, in hex.
    """

    phase: int
    state: str
    wording: str
    why: str
    deadline: datetime | None = None
    seed: str = ""


Entry: TypeAlias = (
    GameFounded
    | PersonInvited
    | SeatTaken
    | GameBegun
    | OrdersReceived
    | RulingGiven
    | TokenLeaked
    | ReminderGiven
    | ReviewOverdue
    | RulesChanged
    | PhaseClosed
    | PhasePublished
)


def encode(entries: Sequence[Entry], previous: str) -> tuple[bytes, str]:
    """
    Write entries as text to append, and return the last check sum.

    Shape: each is the line `[[entry]]`, flat TOML, whose first key is `format`, and as its last key `sum`: the SHA-256,
    cut to 32 hex digits, of the sum before it and the text between. A torn tail is often valid TOML; only the sum
    shows it.
    """
    parts: list[str] = []
    for entry in entries:
        body = tomli_w.dumps({"format": records.FORMAT, **records.plain(entry)})
        previous = _sum(previous, body)
        parts.append(f'[[entry]]\n{body}sum = "{previous}"\n\n')
    return "".join(parts).encode(), previous


class Decoded(msgspec.Struct, frozen=True):
    """What a journal file holds; `torn` bytes of an unfinished append stand behind the `good` ones."""

    entries: tuple[Entry, ...]
    sum: str
    good: int
    torn: int = 0


_START = "[[entry]]\n"
_END = re.compile(rb'\nsum = "[0-9a-f]{32}"\n\n?')


def decode(data: bytes, previous: str, file: str = "journal.toml", *, last: bool = True) -> Decoded:
    """
    Read a journal file back.

    Shape: what stands behind the last whole `sum` line is a torn tail, to be cut, if the file is the game's `last`.
    Errors: ShelfError with file and line where an entry breaks the chain, has a kind, a format or a field that we do
    not know, or where a tail is torn that cannot be.
    """
    entries: list[Entry] = []
    good = 0
    for end in (match.end() for match in _END.finditer(data)):
        body, ending = _whole(data[good:end], previous)
        entry = None if body is None else _known(body, _at(file, data, good))
        if entry is None:
            raise ShelfError(
                f"{_at(file, data, good)}: this entry is not as it was written (its check sum does not fit). "
                "Put the file back from a backup, or take back the edit."
            )
        entries.append(entry)
        previous, good = ending, end
    if good < len(data) and not last:
        raise ShelfError(
            f"{_at(file, data, good)}: this entry has no end, though later phases follow. "
            "Put the file back from a backup, or take back the edit."
        )
    return Decoded(tuple(entries), previous, good, len(data) - good)


def _at(file: str, data: bytes, place: int) -> str:
    return f"{file}, line {data[:place].count(10) + 1}"


def _whole(chunk: bytes, previous: str) -> tuple[dict[str, Any] | None, str]:
    """Return what an entry says and its sum; None where that does not fit, so that it is not as it was written."""
    try:
        body, _, rest = chunk.decode().removeprefix(_START).rpartition('\nsum = "')
        ending = _sum(previous, body + "\n")
        if not chunk.startswith(_START.encode()) or not rest.startswith(ending):
            return None, previous
        return tomllib.loads(body), ending
    except (UnicodeDecodeError, tomllib.TOMLDecodeError):
        return None, previous


def _known(body: dict[str, Any], where: str) -> Entry:
    """Read what an entry says. Errors: ShelfError where a newer release wrote it: its sum fits."""
    kind = body.get("kind", "none")
    try:
        entry: Entry = msgspec.convert(records.known(body, where), Entry)
    except msgspec.ValidationError as error:
        raise ShelfError(records.newer(where, f"an entry of kind {kind}: {error}")) from None
    return entry


def _sum(previous: str, body: str) -> str:
    return hashlib.sha256(f"{previous}\n{body}".encode()).hexdigest()[:32]
