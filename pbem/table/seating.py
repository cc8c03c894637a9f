"""Taking a seat: which names are allowed, and what seat a name makes; knows no mail."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from pbem import phrases
from pbem.phrases import Unread
from pbem.table import calendar
from pbem.table.table import Table
from pbem.terms import Complaint, OrderLine, Person, Seat

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
    because = shut(table, person)
    return Unread("illegal", because) if because else _named(table, name)


def shut(table: Table, person: Person) -> str:
    """
    Say why a person can take no seat, under whatever name, or "".

    A seat for each who was invited is kept free for them; only what is left over is open to others.
    """
    game, seats = table.charter.game, table.charter.seats
    if table.status != "sign-up":
        return f"{game} began with {len(table.seats)} of {seats} seats taken; nobody can join it any more."
    mine = next((seated for seated in table.seats.values() if seated.person == person), None)
    if mine:
        return f"You have a seat already, as {mine.name}."
    if len(table.seats) >= seats:
        return f"All {seats} seats of {game} are taken."
    if person in table.invited or open_seats(table):
        return ""
    return f"{game} is for invited players. If you know who moderates it, ask them to invite you to their next game."


def open_seats(table: Table) -> int:
    """Return how many seats are free for people who were not invited."""
    if table.status != "sign-up":
        return 0
    others = sum(seated.person not in table.invited for seated in table.seats.values())
    return max(0, table.charter.seats - len(set(table.invited)) - others)


def absent(table: Table) -> tuple[Person, ...]:
    """Return who was invited and has no seat."""
    seated = {one.person for one in table.seats.values()}
    return tuple(person for person in dict.fromkeys(table.invited) if person not in seated)


def zone(said: Sequence[OrderLine]) -> tuple[tuple[str, ...], tuple[Complaint, ...]]:
    """Find a `zone PLACE` line beside a `join`: a request in canonical words, or what is wrong with it."""
    for line in said:
        text = phrases.clean(phrases.without_comment(line.text))
        match = re.match(r"zone\b\s*:?\s*(.+)$", text, re.IGNORECASE)
        if match:
            known = calendar.known_zone(match[1])
            if isinstance(known, Unread):
                return (), (Complaint(line.number, text, known.fault, known.because),)
            return (f"zone {known}",), ()
    return (), ()


def _named(table: Table, name: str) -> Seat | Unread:
    if not name:
        return Unread("unreadable", "Your mail did not say by which name you want to be known.")
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
