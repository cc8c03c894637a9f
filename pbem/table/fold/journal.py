"""The journal's entries and their text: an append-only chain that is the game itself; knows no disk."""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Literal, TypeAlias, TypeVar

import msgspec
import tomli
import tomli_w

from pbem.ground import records
from pbem.ground.terms import Complaint, Person, Seat, ShelfError, Slip
from pbem.ruleset import Ruleset
from pbem.table.model import first_format
from pbem.table.model.table import BaseEntry
from pbem.table.requests import Request
from pbem.table.rulings import Ruling

S = TypeVar("S", bound=msgspec.Struct)

FIRST_SUM = "0" * 32
"""What the first entry of a game chains to."""


FORMAT = 2
"""
Of which format the entries are that we write, and a phase's start.

In the first, rulings, requests and press were words (`first_format`). Who changes what an entry can say, so that an
older release would read it wrongly, adds one, and a way to read the format of before.
"""


class Press(msgspec.Struct, frozen=True):
    """A message of a seat's: to all, to other seats, or to the moderator alone."""

    to: Literal["all", "moderator"] | tuple[Seat, ...]
    text: str


class NotRead(msgspec.Struct, frozen=True):
    """A line that would read as an order and was not read, and what it was taken for: "signature" and so on."""

    text: str
    taken: str


class GameFounded(BaseEntry, frozen=True, kw_only=True, tag=True):
    """The game is there; its moderator may rule."""


class PersonInvited(BaseEntry, frozen=True, kw_only=True, tag=True):
    """
    The moderator asked somebody to take a seat; once more where that person's mail, of digest `cause`, asked for one.

    Each gets the invitation, the same words under another identity.
    """

    person: Person
    cause: str = ""
    key: str = ""


class SeatTaken(BaseEntry, frozen=True, kw_only=True, tag=True):
    """
    A person took a seat under a name, or, of a seat that they have, took another name; `cause` is their mail's digest.

    Shape: `requests` are what the mail asked for besides: the zone that they read times in; `asides` are what else it
    says that is for the moderator, who hears of it with the next letter.
    """

    seat: Seat
    name: str
    person: Person
    cause: str = ""
    key: str = ""
    requests: tuple[Request, ...] = ()
    complaints: tuple[Complaint, ...] = ()
    asides: tuple[str, ...] = ()


class GameBegun(BaseEntry, frozen=True, kw_only=True, tag=True):
    """Sign-up is over; the ruleset's set-up follows from the seats taken, and phase 1 is open until `deadline`."""

    deadline: datetime


class OrdersReceived(BaseEntry, frozen=True, kw_only=True, tag=True):
    """
    A mail by a seat, whatever it held.

    Shape: `said` is what the person newly wrote, line by line; `tried` where it held order lines; `orders` the
    canonical set, `taken` where it is now on hand; `offered` the set that was meant if each line that is asked about
    means the one thing that it can, which a `yes` to the receipt takes; `slips` are those of the fingers that were
    mended in its lines; `changes` where the mail was meant to change the set on hand and not to replace it, taken or
    not; `confirms` is the digest of the mail that was kept until `cause` confirmed it, if so it was, and `said` and
    `arrived` are that one's. `phase` is that of the token, `grammar` that of the ruleset's canonical lines. Talk is
    `passed` over; `doubts` are those lines of it that may change the set that is on hand, so that it waits for a `yes`,
    `again` those of these that are a second amount for something. Lines that could be read `fell` with a set that was
    refused. Of these, and of the lines that were `not_read`, the receipt names some, and says how many more there were,
    and how many of an earlier mail of the seat's, which it quoted. What is `unsent` is for a moderator who plays, and
    waits for `send it`, where it `unsent_lasts` in later phases too, as by older releases it did not; `asides` are talk
    that the moderator hears of with the next letter, and `held` what of it may tell what somebody orders, so that they
    hear of it once the phase is closed. Orders that are `late` are on hand for nobody until the moderator accepts them
    at the proof. What was `kept_back` our mail server could not hand out for so long that its phase may have closed
    without it. `version_of` names what can be changed where it stands, as a post in a thread: what an earlier version
    of it asked for or said to others is neither done nor said again.
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
    offered: tuple[str, ...] = ()
    slips: tuple[Slip, ...] = ()
    changes: bool = False
    requests: tuple[Request, ...] = ()
    press: tuple[Press, ...] = ()
    complaints: tuple[Complaint, ...] = ()
    passed: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    again: tuple[str, ...] = ()
    fell: tuple[str, ...] = ()
    more_fell: int = 0
    not_read: tuple[NotRead, ...] = ()
    more_not_read: int = 0
    said_before: int = 0
    unsent: tuple[str, ...] = ()
    unsent_lasts: bool = False
    asides: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    late: bool = False
    kept_back: bool = False
    note: str = ""
    confirms: str = ""
    version_of: str = ""
    grammar: int = 1


class RulingGiven(BaseEntry, frozen=True, kw_only=True, tag=True):
    """
    A mail by the moderator, or `pbem rule`.

    Shape: `passed` are the lines that were taken for chat; where `test` is true the rulings were only tried, and
    nothing of them holds; `confirms`, `version_of` and `grammar` as for orders. `by_deputy` where the deputy wrote it.
    """

    phase: int
    rulings: tuple[Ruling, ...] = ()
    requests: tuple[Request, ...] = ()
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
    version_of: str = ""
    grammar: int = 1
    by_deputy: bool = False


class TokenLeaked(BaseEntry, frozen=True, kw_only=True, tag=True):
    """
    A mail from a wrong address held the token of a role, which counts no more; nothing else of it was read.

    Shape: `seat` is "" for the moderator's; `phase` is that of the token; `posted` where the mail was posted to the
    game's list, for everybody to read.
    """

    phase: int
    cause: str
    key: str
    seat: str = ""
    posted: bool = False


class PostArchived(BaseEntry, frozen=True, kw_only=True, tag=True):
    """
    Somebody posted something at a public place of the game: it is kept with the game, and orders nothing.

    Shape: `writer` tells those who post from each other, and says of nobody who they are; `text` is what they newly
    wrote; `has_orders` where a line of it would be an order of somebody's who was asked for orders then; `warned` is
    the seat that is told so, or the role of whoever moderates and posted what reads as rulings, "" for none;
    `version_of` names what can be changed where it stands, as in a forum: of one name the last is what stands there.
    """

    arrived: datetime
    cause: str
    key: str
    message_id: str
    writer: str
    text: str
    has_orders: bool = False
    warned: Seat = Seat("")
    version_of: str = ""


class OfferAccepted(BaseEntry, frozen=True, kw_only=True, tag=True):
    """A person takes the seat that `ruling` offers to them, from the next phase on; `cause` is their mail's digest."""

    seat: Seat
    person: Person
    ruling: int
    cause: str
    key: str
    message_id: str = ""


class SeatHandedOn(BaseEntry, frozen=True, kw_only=True, tag=True):
    """
    A person took over a seat that `ruling` offered to them.

    From here on the seat is theirs, under other tokens; who had it has no part in it any more.
    Shape: `struck` where the orders for phases to come went too; in games of older releases they stayed, and the seat
    went with the mail that took it, whose digest is `cause`.
    """

    seat: Seat
    person: Person
    ruling: int
    cause: str = ""
    key: str = ""
    message_id: str = ""
    struck: bool = False


class OfferDeclined(BaseEntry, frozen=True, kw_only=True, tag=True):
    """A person does not want the seat that a ruling offers to them: nobody is asked any more, and it is played on."""

    seat: Seat
    person: Person
    cause: str
    key: str
    message_id: str = ""


class OrdersLapse(BaseEntry, frozen=True, kw_only=True, tag=True):
    """
    The orders that a seat sent ahead go as the next phase opens: its letters then go where the moderator said.

    Shape: `is_off` where its player has said no to that, so that they stay.
    """

    seat: Seat
    is_off: bool = False
    cause: str
    key: str


class DeputyAnswered(BaseEntry, frozen=True, kw_only=True, tag=True):
    """A person who is asked to be the deputy is it from now on, or does not want it; `cause` is their mail's digest."""

    person: Person
    is_yes: bool
    cause: str
    key: str
    message_id: str = ""


Became: TypeAlias = Literal["opened", "bound", "doubted", "refused", "shared", "gone"]
"""What a private thread can become."""


class ThreadChanged(BaseEntry, frozen=True, kw_only=True, tag=True):
    """
    What became of a private thread on the forum, the `nth` that a role asked for.

    Shape: `seat` is "" for the moderator's; `topic` and `author` are the numbers of thread and account once it is open.
    It is bound by the code that its holder had by mail, `doubted` where its account wrote something else first; of
    what `more` stood beside the code nothing was read. It was refused by the forum, which `said` why, or is dead for
    good: `shared` with others, or gone.
    """

    seat: str = ""
    nth: int
    became: Became
    cause: str
    key: str
    topic: int = 0
    author: int = 0
    more: bool = False
    said: str = ""


class ReminderGiven(BaseEntry, frozen=True, kw_only=True, tag=True):
    """Those who had not moved were reminded, so long before the deadline."""

    before: str
    seats: tuple[Seat, ...]


class ReviewOverdue(BaseEntry, frozen=True, kw_only=True, tag=True):
    """The time of the review is over and the moderator holds the proof: they were reminded, the players told once."""


class WordsPassedOn(BaseEntry, frozen=True, kw_only=True, tag=True):
    """What players said to the moderator waited for another letter long enough."""


class AnnouncementMade(BaseEntry, frozen=True, kw_only=True, tag=True):
    """The moderator's words to all, of the rulings of these numbers, went out."""

    rulings: tuple[int, ...]


class RulesChanged(BaseEntry, frozen=True, kw_only=True, tag=True):
    """A release with another version of the rules took the game up; players were told what changed in an open phase."""

    version: int


class PhaseClosed(BaseEntry, frozen=True, kw_only=True, tag=True):
    """Order-taking ended and the phase was adjudicated under this version of the rules."""

    phase: int
    version: int
    why: str
    nmr: tuple[Seat, ...] = ()


class QuestionAsked(BaseEntry, frozen=True, kw_only=True, tag=True):
    """
    A closed phase stopped in its middle to ask those who owe in it then; they have until `deadline`.

    Their answers are entries like all orders, and the phase closes again behind them.
    """

    phase: int
    deadline: datetime


class PhasePublished(BaseEntry, frozen=True, kw_only=True, tag=True):
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
    | PostArchived
    | OfferAccepted
    | SeatHandedOn
    | OfferDeclined
    | OrdersLapse
    | DeputyAnswered
    | ThreadChanged
    | ReminderGiven
    | ReviewOverdue
    | WordsPassedOn
    | AnnouncementMade
    | RulesChanged
    | PhaseClosed
    | QuestionAsked
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
        body = _flat({"format": FORMAT, **records.plain(entry)})
        previous = _sum(previous, body)
        parts.append(f'[[entry]]\n{body}sum = "{previous}"\n\n')
    return "".join(parts).encode(), previous


def _flat(values: Mapping[str, Any]) -> str:
    """Write values as TOML without a heading in it, behind which the sum would belong to something else."""
    tables = {
        key: value for key, value in values.items() if value and isinstance(value, list) and isinstance(value[0], dict)
    }
    plain = tomli_w.dumps({key: value for key, value in values.items() if key not in tables})
    return plain + "".join(f"{key} = [\n{''.join(map(_inline, rows))}]\n" for key, rows in tables.items())


def _inline(row: Mapping[str, Any]) -> str:
    fields = (tomli_w.dumps({key: value}).rstrip("\n") for key, value in row.items())
    return f"    {{ {', '.join(fields)} }},\n"


class Decoded(msgspec.Struct, frozen=True):
    """What a journal file holds; `torn` bytes of an unfinished append stand behind the `good` ones."""

    entries: tuple[Entry, ...]
    sum: str
    good: int
    torn: int = 0


_START = "[[entry]]\n"
_END = re.compile(rb'\nsum = "[0-9a-f]{32}"\n\n?')


def decode(
    data: bytes,
    previous: str,
    file: str = "journal.toml",
    *,
    ruleset: Ruleset[Any, Any] | None = None,
    last: bool = True,
) -> Decoded:
    """
    Read a journal file back.

    Shape: what stands behind the last whole `sum` line is a torn tail, to be cut, if the file is the game's `last`.
    Who folds the entries names the game's `ruleset`, by which canonical lines of older formats and grammars are put
    into today's.
    Errors: ShelfError with file and line where an entry breaks the chain, has a kind, a format or a field that we do
    not know, or where a tail is torn that cannot be.
    """
    entries: list[Entry] = []
    good = 0
    for end in (match.end() for match in _END.finditer(data)):
        body, ending = _whole(data[good:end], previous)
        entry = None if body is None else _known(body, ruleset, _at(file, data, good))
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
        return tomli.loads(body), ending
    except (UnicodeDecodeError, tomli.TOMLDecodeError):
        return None, previous


def _known(body: dict[str, Any], ruleset: Ruleset[Any, Any] | None, where: str) -> Entry:
    """Read what an entry says. Errors: ShelfError where a newer release wrote it: its sum fits."""
    kind, is_old = body.get("kind", "none"), body.get("format", 1) == 1
    body = records.known(body, where, FORMAT)
    if is_old:
        body = first_format.entry(body, where)
    try:
        entry: Entry = msgspec.convert(body, Entry)
    except msgspec.ValidationError as error:
        raise ShelfError(records.newer(where, f"an entry of kind {kind}: {error}", FORMAT)) from None
    return _translated(entry, ruleset) if ruleset else entry


def _translated(entry: Entry, ruleset: Ruleset[Any, Any]) -> Entry:
    """Return an entry with its canonical lines in the grammar of today."""
    if not isinstance(entry, OrdersReceived | RulingGiven) or entry.grammar == ruleset.grammar:
        return entry
    translate = partial(ruleset.translated, grammar=entry.grammar)
    requests = tuple(translated(request, request.canonical, translate) for request in entry.requests)
    entry = msgspec.structs.replace(entry, grammar=ruleset.grammar, requests=requests)
    if isinstance(entry, OrdersReceived):
        return translated(translated(entry, "orders", translate), "offered", translate)
    rulings = tuple(translated(ruling, ruling.canonical, translate) for ruling in entry.rulings)
    return msgspec.structs.replace(entry, rulings=rulings)


def translated(record: S, field: str, translate: Callable[[Sequence[str]], tuple[str, ...]]) -> S:
    """Return a record with the ruleset's lines, or its one line, of a field in the words of today's grammar."""
    if not field:
        return record
    held = getattr(record, field)
    lines = translate([held] if isinstance(held, str) else held)
    return msgspec.structs.replace(record, **{field: lines[0] if isinstance(held, str) else lines})


def _sum(previous: str, body: str) -> str:
    return hashlib.sha256(f"{previous}\n{body}".encode()).hexdigest()[:32]
