"""A person who moves to another address: asked for from the old one, agreed to at the new one, then at the old."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from pbem import phrases
from pbem.hall.mail.incoming import authority, pending
from pbem.hall.mail.incoming.authority import Role
from pbem.hall.mail.incoming.desk import Case, case
from pbem.hall.mail.incoming.pending import Pending, Wish
from pbem.hall.mail.incoming.unpacking import Parcel
from pbem.hall.store.arena import Arena
from pbem.letters import addressing, reading
from pbem.table.table import Table
from pbem.terms import CharterError, OrderLine, Seat

STEPS = ("move to", "move from")
"""What waits: first for a word from the new address, then for one from the old."""

_WISH = re.compile(r"(?:my\s+)?address\b\s*:?\s*(?:is\s+)?<?([^\s@<>,;\"]+@[^\s@<>,;\"]+?)>?\.?", re.IGNORECASE)


def wish(said: Sequence[OrderLine]) -> str:
    """Return the address that a mail asks to move to, where it holds nothing else."""
    lines = [text for line in said if (text := phrases.clean(line.text))]
    found = _WISH.fullmatch(lines[0]) if len(lines) == 1 else None
    return found[1] if found else ""


def ask(arena: Arena, table: Table, parcel: Parcel, role: Role, wanted: str) -> Case:
    """Ask at the new address first: a slip of the pen must not lead anybody's letters to a stranger."""
    because = _refusal(arena, role, wanted)
    old = arena.people.contact(role.person).address
    if because:
        return _answer(table, parcel, role.seat, "refused", old, because=because)
    return _question(table, parcel, role.seat, role.phase, "move to", wanted, wanted)


def _refusal(arena: Arena, role: Role, wanted: str) -> str:
    if addressing.is_ours(wanted, arena.settings.arena.address):
        return "That is my own address."
    if wanted.lower() == arena.people.contact(role.person).address.lower():
        return "That is where your letters go already."
    if phrases.unseen(wanted) or not wanted.isascii() or arena.people.find(wanted):
        return f"I cannot send your letters to {wanted}. Ask your moderator, if it is yours."
    return ""


def step(arena: Arena, table: Table, parcel: Parcel, waiting: Pending) -> Case:
    """Go on with a move that an address has agreed to; both are asked, so that nobody's seat is carried off."""
    seat = Seat(waiting.seat) if waiting.seat else None
    person = table.seats[seat].person if seat else table.charter.moderator
    old = arena.people.contact(person).address
    is_stale = waiting.why == "move from" and old.lower() != waiting.to.lower()
    if is_stale or not pending.is_confirmed(reading.newly(parcel.letter, ())):
        return case(parcel, "moving")
    if waiting.why == "move to":
        return _question(table, parcel, seat, waiting.phase, "move from", old, waiting.wanted)
    arena.people.move(person, waiting.wanted)
    return _answer(table, parcel, seat, "moved", waiting.wanted, wanted=waiting.wanted)


def _question(
    table: Table, parcel: Parcel, seat: Seat | None, phase: int, why: Literal["move to", "move from"], to: str,
    wanted: str,
) -> Case:  # fmt: skip
    facts = {"name": authority.name(table, seat), "stage": why, "wanted": wanted, "because": ""}
    wish = Wish(seat=seat or "", phase=phase, wanted=wanted)
    return case(parcel, why, answer="moving", to=to, facts=facts, table=table, wish=wish)


def _answer(table: Table, parcel: Parcel, seat: Seat | None, stage: str, to: str, **said: str) -> Case:
    facts = {"name": authority.name(table, seat), "stage": stage, "wanted": "", "because": "", **said}
    return case(parcel, "moving", answer="moving", to=to, facts=facts, table=table)


def by_hand(arena: Arena, old: str, new: str) -> None:
    """
    Move a person whose old address is lost, on the word of whoever runs the arena.

    Errors: CharterError where nobody is known at the old address, or somebody is at the new one.
    """
    person = arena.people.find(old)
    if person is None:
        raise CharterError(f"Nobody here has the address {old}.")
    if arena.people.find(new) not in (None, person):
        raise CharterError(f"Somebody else here has the address {new} already.")
    arena.people.move(person, new)
    arena.index.counters.increment("moved by hand")  # a daemon that runs sees that, and looks at the people again
