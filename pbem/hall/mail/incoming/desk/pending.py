"""What waits for confirmation: sign-ups, held mail, changes of address; each is found by its token."""

import hmac
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import count
from typing import Any

import msgspec

from pbem.ground.terms import OrderLine
from pbem.hall.store import append_only
from pbem.hall.store.arena import Arena
from pbem.language import phrases
from pbem.letters import addressing

JOURNAL = ("desk", "journal.toml")
LATER = ("retried", "expired")
"""What the journal says of a mail that it had before: it is taken once more, or what was held of it has gone."""
ROOM = 20
ROOM_BYTES = 2 << 20
"""How many mails, and bytes, in one name and of one kind of evidence are kept while they wait for confirmation."""
WAITS = timedelta(days=90)
WAITS_UNSHOWN = timedelta(days=14)
"""How long they wait; those that show nothing of their writer, as everybody can write them, not so long."""


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """
    What a mail asks for that waits for confirmation.

    Shape: `seat`, `phase` and `question` are the role that it had, "" for the moderator's; `name` is what a sign-up
    wants to be called, or `names` are those of which one may be it, `wanted` the new address in a change of address,
    and `person` whose (older releases kept none).
    """

    name: str = ""
    names: tuple[str, ...] = ()
    seat: str = ""
    phase: int = 0
    wanted: str = ""
    question: int = 0
    person: str = ""


class Pending(Wish, frozen=True, kw_only=True):
    """
    A mail in the desk's journal that counts once `to` answers our letter about it; `why` is that of its case.

    Shape: of a mail that is held `evidence` is what it shows of its writer, and `digits` tell it from others that wait
    for the same person, and a person's word from a machine's; both are "" in those of older releases.
    """

    why: str
    evidence: str = ""
    digits: str = ""
    cause: str
    arrived: datetime
    game: str
    to: str
    size: int = 0


def confirming_role(cause: str, to: str) -> str:
    """Return the role whose token stands in our letter about a mail that waits."""
    return f"confirm {cause} {to.lower()}"


def mark(token: str) -> str:
    """Return the mark by which the index knows that something waits for this token."""
    return f"waits for {token}"


def marks(arena: Arena, entries: Iterable[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Return the marks of those entries of the desk's journal that wait for an answer."""
    return [(mark(_token(arena, entry)), "desk") for entry in entries if entry.get("to")]


def _token(arena: Arena, entry: Mapping[str, Any]) -> str:
    return addressing.token(arena.secret, entry["game"], 0, confirming_role(entry["cause"], entry["to"]))


def entries(arena: Arena) -> list[dict[str, Any]]:
    """Return the entries of the desk's journal."""
    return append_only.read("entry", arena.shelf, *JOURNAL)


def entries_from(arena: Arena, start: int) -> tuple[list[dict[str, Any]], int]:
    """Return the entries of the desk's journal behind so many bytes, and how many bytes there are."""
    return append_only.read_from(start, "entry", arena.shelf, *JOURNAL)


def waiting(arena: Arena) -> list[dict[str, Any]]:
    """Return those entries of the desk's journal that wait for an answer, or say that one waited too long."""
    return append_only.read("entry", arena.shelf, *JOURNAL, wanted=may_wait)


def may_wait(line: append_only.Glimpse) -> bool:
    """Say whether an entry may be one that waits, or waited too long."""
    return line.has("to") or line.field("why") == "expired"


def find(arena: Arena, game: str, token: str, sender: str) -> Pending | None:
    """Return what waits for this token from this sender; the index keeps all other tokens away from the journal."""
    if not token or not arena.index.games.has_taken(mark(token)):
        return None
    box = addressing.normal(sender)
    for entry in waiting(arena):
        is_theirs = addressing.normal(entry.get("to", "")) == box and entry["game"] == game
        if is_theirs and _token(arena, entry) == token:
            return msgspec.convert(entry, Pending)
    return None


def held(found: Sequence[Mapping[str, Any]]) -> list[Pending]:
    """Return the mails in the desk's journal that were held for confirmation, confirmed ones too, oldest first."""
    gone = {entry["cause"] for entry in found if entry["why"] == "expired"}
    mine = (entry for entry in found if entry["why"] == "held" and entry.get("to") and entry["cause"] not in gone)
    return [msgspec.convert(entry, Pending) for entry in mine]


def waits(evidence: str) -> timedelta:
    """Return how long a mail that is held can be confirmed, by what it shows of its writer."""
    return WAITS_UNSHOWN if evidence == "none" else WAITS


def confirmation(one: Pending) -> str:
    """Return the content key of the reply that confirms a held mail: it does so once."""
    return addressing.content_key(one.to, f"confirmed {one.cause}", "", "", ())


class Rooms:
    """The room that is left in each name for mail to be held, this batch counted."""

    def __init__(self, arena: Arena) -> None:
        """Look at nothing yet: most batches hold no such mail."""
        self._arena = arena
        self._held: dict[str, list[tuple[str, int, str]]] | None = None

    def take(self, to: str, evidence: str, size: int, cause: str) -> str:
        """Take room for one more mail, if there is any, and return its digits; "" where there is none."""
        if self._held is None:
            self._held = defaultdict(list)
            for one in held(waiting(self._arena)):
                if not self._arena.index.games.has_taken(confirmation(one)):
                    self._held[addressing.normal(one.to)].append((one.evidence, one.size, one.digits))
        mine = self._held[addressing.normal(to)]
        sizes = [size for shown, size, _ in mine if shown == evidence]
        if len(sizes) >= ROOM or sum(sizes) + size > ROOM_BYTES:
            return ""
        taken = {digits for _, _, digits in mine}
        digits = next(one for one in (_digits(self._arena, cause, place) for place in count()) if one not in taken)
        mine.append((evidence, size, digits))
        return digits


def digits_of(arena: Arena, one: Pending) -> str:
    """Return the digits of a mail that is held; older releases gave it none."""
    return one.digits or _digits(arena, one.cause, 0)


def _digits(arena: Arena, cause: str, place: int) -> str:
    """Return four digits for a mail: the first of many that follow from the arena's key."""
    found = hmac.digest(arena.secret, f"digits {cause} {place}".encode(), "sha256")
    return f"{int.from_bytes(found[:8]) % 10_000:04d}"


def digits_confirmed(lines: Sequence[OrderLine]) -> str | None:
    """Return the digits after the `confirm` that begins a reply, "" if there are none; None for any other reply."""
    found = re.match(r"confirm\b(.*)", _beginning(lines))
    return re.sub(r"[^0-9]", "", found[1]) if found else None


def is_confirmed(lines: Sequence[OrderLine]) -> bool:
    """Say whether a reply begins with `confirm` alone."""
    return _beginning(lines) == "confirm"


def _beginning(lines: Sequence[OrderLine]) -> str:
    """Return the first line of a reply that holds words, in lower case, or ""."""
    return next(filter(None, (phrases.clean(line.text).lower().strip(" .!") for line in lines)), "")
