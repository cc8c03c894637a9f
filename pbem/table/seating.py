"""Taking a seat: which names are allowed, and what seat a name makes; knows no mail."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from pbem import phrases
from pbem.phrases import Unread
from pbem.table.table import Table
from pbem.terms import OrderLine, Person, Seat

LONGEST = 30
RESERVED = frozenset(
    ["all", "any", "everyone", "everybody", "nobody", "me", "moderator", "gm", "admin", "system", "public"]
)

_JOIN = re.compile(
    r"^join\b\s*(?P<game>[a-z0-9][a-z0-9-]{0,31}(?![a-z0-9-]))?(?:\s*\bas\s+(?P<name>.+?))?\s*$", re.IGNORECASE
)


def wish(said: Sequence[OrderLine]) -> tuple[str, str] | None:
    """Find `join GAME as NAME` in what a person wrote; game and name may be "" where they were left out."""
    for line in said:
        text = phrases.clean(phrases.without_comment(line.text)).rstrip(".!")
        match = _JOIN.match(text)
        if match:
            game, name = (match["game"] or "").lower(), (match["name"] or "").strip(" .\"'")
            return ("", name) if game == "as" else (game, name)
    return None


def seat_for(table: Table, person: Person, name: str) -> Seat | Unread:
    """
    Return the seat that a name makes: small ASCII letters, figures and dashes.

    Errors: `Unread` saying what would work, where the game is full or under way, the person is seated
    already, or the name is missing, too long, taken or none that all clients can show.
    """
    if table.status != "sign-up":
        return Unread("illegal", f"{table.charter.game} has begun; its seats are taken.")
    mine = next((seated for seated in table.seats.values() if seated.person == person), None)
    if mine:
        return Unread("illegal", f"You have a seat already, as {mine.name}.")
    if len(table.seats) >= table.charter.seats:
        return Unread("illegal", f"All {table.charter.seats} seats of {table.charter.game} are taken.")
    return _named(table, name)


def _named(table: Table, name: str) -> Seat | Unread:
    if not name:
        return Unread("unreadable", f"Say who you are: join {table.charter.game} as NAME")
    if len(name) > LONGEST:
        return Unread("illegal", f"That name has {len(name)} letters; {LONGEST} is the most.")
    if any(unicodedata.category(letter)[0] in "CZ" and letter != " " for letter in name):
        return Unread("illegal", "That name holds characters that cannot be seen. Use letters and blanks.")
    seat = slug(name)
    if not seat or seat in RESERVED:
        return Unread("illegal", f'"{name}" cannot be told from other words here. Choose another name.')
    if any(seat == other or slug(seated.name) == seat for other, seated in table.seats.items()):
        return Unread("illegal", f"{name} is taken. Choose another name.")
    return Seat(seat)


def slug(name: str) -> str:
    """Fold a name to small ASCII letters, figures and dashes; "" where nothing is left."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
