"""What waits for one word of confirmation: sign-ups, held mail, changes of address; found again by its token."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from pbem import phrases
from pbem.hall.arena import Arena
from pbem.hall.mail import notes
from pbem.letters import addressing
from pbem.terms import OrderLine

JOURNAL = ("desk", "journal.toml")


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """
    What a mail asks for that waits for a word.

    Shape: `seat` and `phase` are the role that it had, "" for the moderator's; `name` is what a sign-up wants to be
    called, `wanted` the new address in a change of address.
    """

    name: str = ""
    seat: str = ""
    phase: int = 0
    wanted: str = ""


class Pending(Wish, frozen=True, kw_only=True):
    """A mail in the desk's journal that counts once `to` answers our letter about it; `why` is that of its case."""

    why: str
    cause: str
    arrived: datetime
    game: str
    to: str


def role(cause: str, to: str) -> str:
    """Return the role whose token stands in our letter about a mail that waits."""
    return f"confirm {cause} {to.lower()}"


def mark(token: str) -> str:
    """Return by what the index knows that something waits for this token."""
    return f"waits for {token}"


def marks(arena: Arena, entries: Iterable[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Return the marks of those entries of the desk's journal that wait for an answer."""
    return [(mark(_token(arena, entry)), "desk") for entry in entries if entry.get("to")]


def _token(arena: Arena, entry: Mapping[str, Any]) -> str:
    return addressing.token(arena.secret, entry["game"], 0, role(entry["cause"], entry["to"]))


def entries(arena: Arena) -> list[dict[str, Any]]:
    """Return the entries of the desk's journal."""
    return notes.read("entry", arena.shelf, *JOURNAL)


def find(arena: Arena, game: str, token: str, sender: str) -> Pending | None:
    """Return what waits for this token from this sender; the index keeps all other tokens away from the journal."""
    if not token or not arena.index.knows(mark(token)):
        return None
    for entry in entries(arena):
        if entry.get("to", "").lower() == sender.lower() and entry["game"] == game and _token(arena, entry) == token:
            return msgspec.convert(entry, Pending)
    return None


def is_confirmed(said: Sequence[OrderLine]) -> bool:
    """Say whether what a reply says first is confirm."""
    words = [text for line in said if (text := phrases.clean(line.text).lower().strip(" .!"))]
    return words[:1] == ["confirm"]
