"""A person moves to another address: they ask at the old one, and confirm at the new one, then at the old."""

import re
from collections.abc import Sequence
from typing import Literal, TypeAlias

from pbem.ground.terms import CharterError, OrderLine
from pbem.hall.mail.incoming.arrival import authority
from pbem.hall.mail.incoming.arrival.arrival import Arrival
from pbem.hall.mail.incoming.arrival.authority import Role
from pbem.hall.mail.incoming.desk import pending
from pbem.hall.mail.incoming.desk.desk import Case, Why, case
from pbem.hall.mail.incoming.desk.pending import Pending, Wish
from pbem.hall.mail.incoming.unpack import mailing_lists
from pbem.hall.mail.outgoing.views import Moving
from pbem.hall.store.arena import Arena
from pbem.hall.store.people import OWN
from pbem.language import phrases
from pbem.letters import addressing
from pbem.world.index.counters import Counted, What

Step: TypeAlias = Literal["move to", "move from", "move by", "move back"]
"""What is asked at an address, the last two where a moderator wants a move."""
STEPS = ("move to", "move from")
"""What waits: first for a word from the new address, then for one from the old."""

ADDRESS = r"<?([^\s@<>,;\"]+@[^\s@<>,;\"]+?)>?\.?"
_WISH = re.compile(rf"(?:my\s+)?address\b\s*:?\s*(?:is\s+)?{ADDRESS}", re.IGNORECASE)


def wish(lines: Sequence[OrderLine]) -> str:
    """Return the address that a mail asks to move to, if it holds nothing else."""
    texts = [text for line in lines if (text := phrases.clean(line.text))]
    found = _WISH.fullmatch(texts[0]) if len(texts) == 1 else None
    return found[1] if found else ""


def ask(mail: Arrival, role: Role, wanted: str) -> Case:
    """Ask at the new address first: a typing mistake must not send anybody's letters to a stranger."""
    because = refusal(mail.arena, role, wanted)
    if because:
        return letter(mail, role, "refused", mail.arena.people.contact(role.person).address, because=because)
    return question(mail, role, "move to", wanted, wanted)


def refusal(arena: Arena, role: Role, wanted: str, *, is_own: bool = True) -> str:
    """Say why letters cannot go to an address, or ""."""
    if addressing.is_ours(wanted, arena.settings.arena.address):
        return "That is my own address."
    if mailing_lists.is_lists_own(arena, wanted):
        return "That is a mailing list, where all would read those letters."
    if wanted.lower() == arena.people.contact(role.person).address.lower():
        return f"That is where {'your' if is_own else 'their'} letters go already."
    if phrases.unseen(wanted) or not wanted.isascii() or arena.people.find(wanted):
        if not is_own:
            return f"I cannot send their letters to {wanted}: it is somebody else's here, or none that I can write to."
        return f"I cannot send your letters to {wanted}. Ask your moderator, if it is yours."
    return ""


def step(mail: Arrival, waiting: Pending) -> Case:
    """
    Go on with a move that one address has confirmed; both are asked, so that nobody's seat is stolen.

    Whatever stops us behind the move itself, the mail comes again, finds it made, and tells of it. Any other mail that
    confirms it once more is answered by nothing.
    """
    role = authority.role_of_waiting(mail.table, waiting)
    old = mail.arena.people.contact(role.person).address
    this = Counted(what=What.MOVES, about=mail.parcel.mail.digest)
    is_begun = mail.arena.index.counters.value(this) > 0
    is_stale = waiting.why == "move from" and old.lower() != waiting.to.lower() and not is_begun
    is_stale = is_stale or waiting.person not in ("", role.person)  # the seat has gone to another person since
    if is_stale or not pending.is_confirmed(mail.new_lines):
        return case(mail.parcel, "moving")
    if waiting.why == "move to":
        return question(mail, role, "move from", old, waiting.wanted)
    mail.arena.index.counters.increment(this)
    mail.arena.people.move(role.person, waiting.wanted)
    return letter(mail, role, "moved", waiting.wanted, wanted=waiting.wanted)


def question(mail: Arrival, role: Role, why: Step, to: str, wanted: str) -> Case:
    """Ask at an address whether a move shall be."""
    wish = Wish(seat=role.key or "", phase=role.phase, wanted=wanted, person=role.person)
    return letter(mail, role, why, to, why=why, wish=wish, wanted=wanted)


def letter(
    mail: Arrival,
    role: Role,
    stage: str,
    to: str,
    *,
    why: Why = "moving",
    wish: Wish | None = None,
    token: str = "",
    **more: str,
) -> Case:
    """Answer a mail about a move with a letter."""
    return case(mail.parcel, why, view=view(mail, role, stage, **more), to=to, table=mail.table, wish=wish, token=token)


def view(mail: Arrival, role: Role, stage: str, wanted: str = "", *, name: str = "", because: str = "") -> Moving:
    """Return what a letter about a move says."""
    name = name or authority.holder(mail.table, role.key)
    return Moving(name=name, stage=stage, wanted=wanted, because=because)


def by_hand(arena: Arena, old: str, new: str) -> None:
    """
    Move a person whose old address is lost, as the operator of the arena says.

    Errors: CharterError where nobody is known at the old address, or somebody is at the new one.
    """
    if addressing.is_ours(new, arena.settings.arena.address):
        raise CharterError(f"{OWN.format(new)}.")
    person = arena.people.find(old)
    if person is None:
        raise CharterError(f"Nobody here has the address {old}.")
    if arena.people.find(new) not in (None, person):
        raise CharterError(f"Somebody else here has the address {new} already.")
    arena.people.move(person, new)
    arena.people.plan_move(person, None)
    # A daemon that runs sees that the index has changed, and looks at the people again.
    arena.index.counters.increment(Counted(what=What.MOVED))
