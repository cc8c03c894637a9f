"""A person moves to another address: they ask at the old one, and confirm at the new one, then at the old."""

import re
from collections.abc import Sequence
from typing import Literal

from pbem import phrases
from pbem.hall.mail.incoming import authority, pending
from pbem.hall.mail.incoming.arrival import Arrival
from pbem.hall.mail.incoming.authority import Role
from pbem.hall.mail.incoming.desk import Case, Why, case
from pbem.hall.mail.incoming.pending import Pending, Wish
from pbem.hall.store.arena import Arena
from pbem.letters import addressing
from pbem.terms import CharterError, OrderLine
from pbem.world.index.counters import Counted, What

STEPS = ("move to", "move from")
"""What waits: first for a word from the new address, then for one from the old."""

_WISH = re.compile(r"(?:my\s+)?address\b\s*:?\s*(?:is\s+)?<?([^\s@<>,;\"]+@[^\s@<>,;\"]+?)>?\.?", re.IGNORECASE)


def wish(lines: Sequence[OrderLine]) -> str:
    """Return the address that a mail asks to move to, if it holds nothing else."""
    texts = [text for line in lines if (text := phrases.clean(line.text))]
    found = _WISH.fullmatch(texts[0]) if len(texts) == 1 else None
    return found[1] if found else ""


def ask(mail: Arrival, role: Role, wanted: str) -> Case:
    """Ask at the new address first: a typing mistake must not send anybody's letters to a stranger."""
    because = _refusal(mail.arena, role, wanted)
    if because:
        return _letter(mail, role, "refused", mail.arena.people.contact(role.person).address, because=because)
    return _question(mail, role, "move to", wanted, wanted)


def _refusal(arena: Arena, role: Role, wanted: str) -> str:
    if addressing.is_ours(wanted, arena.settings.arena.address):
        return "That is my own address."
    if wanted.lower() == arena.people.contact(role.person).address.lower():
        return "That is where your letters go already."
    if phrases.unseen(wanted) or not wanted.isascii() or arena.people.find(wanted):
        return f"I cannot send your letters to {wanted}. Ask your moderator, if it is yours."
    return ""


def step(mail: Arrival, waiting: Pending) -> Case:
    """Go on with a move that one address has confirmed; both are asked, so that nobody's seat is stolen."""
    role = authority.role_of_waiting(mail.table, waiting)
    old = mail.arena.people.contact(role.person).address
    is_stale = waiting.why == "move from" and old.lower() != waiting.to.lower()
    is_stale = is_stale or waiting.person not in ("", role.person)  # the seat has gone to another person since
    if is_stale or not pending.is_confirmed(mail.new_lines):
        return case(mail.parcel, "moving")
    if waiting.why == "move to":
        return _question(mail, role, "move from", old, waiting.wanted)
    mail.arena.people.move(role.person, waiting.wanted)
    return _letter(mail, role, "moved", waiting.wanted, wanted=waiting.wanted)


def _question(mail: Arrival, role: Role, why: Literal["move to", "move from"], to: str, wanted: str) -> Case:
    wish = Wish(seat=role.seat or "", phase=role.phase, wanted=wanted, person=role.person)
    return _letter(mail, role, why, to, why=why, wish=wish, wanted=wanted)


def _letter(
    mail: Arrival, role: Role, stage: str, to: str, *, why: Why = "moving", wish: Wish | None = None, **more: str
) -> Case:
    facts = {"name": authority.holder(mail.table, role.seat), "stage": stage, "wanted": "", "because": "", **more}
    return case(mail.parcel, why, answer="moving", to=to, facts=facts, table=mail.table, wish=wish)


def by_hand(arena: Arena, old: str, new: str) -> None:
    """
    Move a person whose old address is lost, as the operator of the arena says.

    Errors: CharterError where nobody is known at the old address, or somebody is at the new one.
    """
    person = arena.people.find(old)
    if person is None:
        raise CharterError(f"Nobody here has the address {old}.")
    if arena.people.find(new) not in (None, person):
        raise CharterError(f"Somebody else here has the address {new} already.")
    arena.people.move(person, new)
    # A daemon that runs sees that the index has changed, and looks at the people again.
    arena.index.counters.increment(Counted(what=What.MOVED))
