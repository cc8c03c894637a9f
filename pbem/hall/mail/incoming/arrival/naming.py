"""Addresses in a moderator's rulings, turned into people before they are read: no journal knows an address."""

import re
from collections.abc import Sequence

import msgspec
from rapidfuzz.distance import OSA

from pbem.ground.terms import OrderLine, Person
from pbem.hall.mail.incoming.arrival import authority
from pbem.hall.mail.incoming.unpack import mailing_lists
from pbem.hall.store.arena import Arena
from pbem.language import phrases
from pbem.letters import addressing
from pbem.table.fold.journal import Entry, RulingGiven
from pbem.table.model.table import Table
from pbem.table.rulings.deputy import Deputy
from pbem.table.rulings.eject import Eject, Unseat
from pbem.table.rulings.invite import Invite
from pbem.table.rulings.naming import NOBODY, PERSON
from pbem.table.rulings.replace import Replace
from pbem.table.rulings.uninvite import Uninvite

_ADDRESS = re.compile(r"(?:mailto:)?([^\s@<>()\[\],;:\"]+@[^\s@<>()\[\],;:\"]*[^\s@<>()\[\],;:\".!?*_])")
_WRITTEN_ID = re.compile(rf"(?<![\w-]){PERSON}(?![\w-])")
_BY = re.compile(r"(?:by|with)\b", re.IGNORECASE)
_INVITES = re.compile(rf"\W*{Invite.verb()}(?:\s+again)?\b", re.IGNORECASE)
_VERBS = (Replace.verb(), Deputy.verb(), Invite.verb(), Eject.verb(), Unseat.verb(), Uninvite.verb(), "address")
"""What such a line begins with; one of `address NAME is ADDRESS` that is not alone in its mail is only talk to us."""
_POLITE = ("please", "pls", "kindly")
_SLIPS = 2
"""How many slips of the fingers a line may have in its verb, and still be kept without its address."""


class Named(msgspec.Struct, frozen=True):
    """A moderator's lines without addresses, and those that they named, by person."""

    lines: tuple[OrderLine, ...]
    addresses: dict[Person, str]


def named(arena: Arena, table: Table, lines: Sequence[OrderLine]) -> Named:
    """
    Put people in place of the addresses in rulings that name them; nobody is stored yet.

    An address that is another form of the mailbox of somebody who has a part in the game is that person's.
    """
    addresses: dict[Person, str] = {}
    found: list[OrderLine] = []
    is_open = False
    for line in lines:
        text = _WRITTEN_ID.sub(NOBODY, line.text)  # nobody types how we call people
        is_ours = _is_like_ours(text) or (is_open and bool(_ADDRESS.match(text.strip(" <"))))
        is_open = _is_like_ours(text) and not _ADDRESS.search(text)
        found.append(OrderLine(line.number, _without_addresses(arena, table, text, addresses) if is_ours else text))
    return Named(tuple(found), addresses)


def admit(arena: Arena, entry: Entry, addresses: dict[Person, str]) -> None:
    """Store the address of each person whom a ruling that is about to be journaled asks for something."""
    rulings = entry.rulings if isinstance(entry, RulingGiven) and not entry.test else ()
    for ruling in rulings:
        if isinstance(ruling, Replace | Invite | Deputy) and ruling.person:
            arena.people.admit(addresses[ruling.person])


def _is_like_ours(text: str) -> bool:
    """Say whether a line begins with the verb of a ruling that names an address, or nearly."""
    words = (word.casefold() for word in re.findall(r"[^\W\d_]+", text))
    first = next((word for word in words if word not in _POLITE), "")
    return any(OSA.distance(first, verb, score_cutoff=_SLIPS) <= _SLIPS for verb in _VERBS)


def _without_addresses(arena: Arena, table: Table, text: str, addresses: dict[Person, str]) -> str:
    """Put the person in place of the first address, with the name that stands beside it; of others nothing is kept."""
    match = _ADDRESS.search(text)
    if match is None:
        return text
    head, tail = text[: match.start()].rstrip(" <(\"'"), text[match.end() :]
    by = [one.end() for one in _BY.finditer(head)]
    head = head[: by[-1]] if by else head
    invites = _INVITES.match(text)
    head = invites[0] if invites else head
    tail = _ADDRESS.sub(lambda other: "" if other[1] == match[1] else NOBODY, tail)
    tail = re.sub(r"^[\s<>()\[\]\"'.*_,;]+", "", tail)
    return f"{head} {_person(arena, table, match[1], addresses)} {tail}".strip()


def _person(arena: Arena, table: Table, address: str, addresses: dict[Person, str]) -> str:
    is_plain = address.isascii() and not phrases.unseen(address)
    if (
        not is_plain
        or "." not in address.rpartition("@")[2]
        or addressing.is_ours(address, arena.settings.arena.address)
        or mailing_lists.is_lists_own(arena, address)
    ):
        return NOBODY
    person, parts = arena.people.person(address), authority.parts(table)
    if person not in parts:
        box = addressing.normal(address)
        person = next((one for one in parts if addressing.normal(arena.people.address(one)) == box), person)
    addresses[person] = arena.people.address(person) or address
    return person
