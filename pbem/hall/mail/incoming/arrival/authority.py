"""In whose name a mail may act: token, registered address, addressed to us, and what the mail server found out."""

from collections.abc import Iterable
from datetime import datetime
from functools import partial
from typing import Literal, TypeAlias

import msgspec

from pbem.ground.terms import Person, Seat
from pbem.hall.mail.incoming.desk.pending import Pending
from pbem.hall.mail.incoming.unpack.unpacking import Parcel
from pbem.hall.store import tokens
from pbem.hall.store.arena import Arena
from pbem.letters import addressing, authentication
from pbem.table.fold.journal import QuestionAsked
from pbem.table.model.table import DEPUTY, Table
from pbem.table.rulings import replace
from pbem.table.rulings.deputy import offer as deputy_offer

Doubt: TypeAlias = Literal[
    "",
    "no token",
    "not addressed",
    "failed",
    "unchecked",
    "for good",
    "gives a seat",
    "belated",
    "machine",
    "stranger",
    "other form",
    "unclear",
]
"""Why a mail is kept until its writer has confirmed it; "" where it is not."""

Evidence: TypeAlias = Literal["token", "server", "none", "failed", "machine"]
"""
What a mail shows of its writer, by which mails that wait are counted, each only with its like.

Shape: the right token; no token, but our mail server vouches for it; neither; the right token, though our mail server
found against it; the right token, in what may be a machine's mail. A mail that has no token and was found against is
not kept at all.
"""

AHEAD = 50
"""How many phases an arena that was put back from a backup may be behind."""
QUESTIONS = 4
"""How many questions of a phase are looked for where it is not known how many there were."""


class Role(msgspec.Struct, frozen=True):
    """
    The role in which a mail acts in a game: a seat's or the moderator's, with the phase of its token.

    Shape: `asked` where the mail answers a letter that asked its holder just about this; `question` says which one of
    the phase it answers, 0 for none; `is_deputys` where it is the deputy's, who has no seat either.
    """

    person: Person
    phase: int
    seat: Seat | None
    asked: bool = False
    question: int = 0
    is_deputys: bool = False

    @property
    def key(self) -> Seat | None:
        """What tells this role from the others of a game."""
        return DEPUTY if self.is_deputys else self.seat


class Stolen(msgspec.Struct, frozen=True):
    """A right token of a role in a mail from a wrong address."""

    seat: Seat | None
    phase: int


def role_of_token(arena: Arena, table: Table, parcel: Parcel) -> Role | Stolen | None:
    """
    Find the role that a token gives; a token counts only together with the registered address.

    A token in the text of a mail is never looked for.
    """
    if not parcel.token:
        return None
    found = by_token(arena, table, parcel)
    if found is None:
        return None
    person = dict(roles(table))[found.key]
    if addressing.normal(arena.people.contact(person).address) != addressing.normal(parcel.sender):
        return Stolen(found.key, found.phase)
    return role_of(found.key, person, found.phase, question=found.question)


def by_token(arena: Arena, table: Table, parcel: Parcel) -> tokens.Found | None:
    """Return whose letter of this game bears the token of a mail, whoever sent that."""
    sender = arena.people.find(parcel.sender)
    own = [key for key, person in roles(table) if person == sender]  # most mails have a token of theirs
    find = partial(tokens.find, arena.secret, table, parcel.token)
    phases = [(table.number, table.questions), *((phase, QUESTIONS) for phase in range(table.number - 1, -1, -1))]
    return find(*phases[0], own) or next(filter(None, (find(*phase) for phase in phases)), None)


def role_of(key: Seat | None, person: Person, phase: int, *, question: int = 0, asked: bool = False) -> Role:
    """Return the role of this key."""
    is_deputys = key == DEPUTY
    return Role(person, phase, None if is_deputys else key, asked, question, is_deputys)


def is_button(arena: Arena, table: Table, parcel: Parcel, role: Role) -> bool:
    """Say whether a mail came by a button in a letter, whose address does less than the letter's own."""
    if role.seat is None:
        return False
    return parcel.token == arena.button_token(table, role.seat, role.phase, role.question)


def roles(table: Table) -> Iterable[tuple[Seat | None, Person]]:
    """Yield every role of a game, by its key, with its holder; None is the moderator's."""
    yield from ((seat, seated.person) for seat, seated in table.seats.items())
    yield None, table.charter.moderator
    if table.deputy:
        yield DEPUTY, table.deputy


def insiders_names(arena: Arena, table: Table, person: Person) -> dict[str, str]:
    """Return the names that a person may not take, each with whose it is: the arena's and the moderators'."""
    insiders = {table.charter.moderator: "the moderator"}
    insiders |= {table.deputy: "the moderator's deputy"} if table.deputy else {}
    names = {arena.people.contact(one).name: whose for one, whose in insiders.items() if one != person}
    return {**names, arena.settings.arena.name: "this arena"}


def parts(table: Table) -> list[Person]:
    """Return who has, had or is offered a part in a game."""
    offered = [one.ruling.person for one in replace.offers(table).values()]
    asked = deputy_offer(table)
    past = [one for those in table.past.values() for one in those]
    held = [one for _, one in roles(table)]
    return [*held, *past, *table.invited, *offered, *([asked.ruling.person] if asked else ())]


def role_at_address(table: Table, person: Person) -> Role:
    """Return the role of somebody who is known by their address alone: their seat, or else the moderator's."""
    seat = next(seat for seat, holder in roles(table) if holder == person)
    return role_of(seat, person, table.number, question=table.question_to(seat))


def role_in_thread(table: Table, key: str, person: Person, created: datetime) -> Role:
    """
    Return the role of somebody who writes in their own thread, as it was when they wrote.

    What they wrote before this phase opened, or before what they are asked now was asked, belongs to an earlier one.
    """
    seat = Seat(key) if key else None
    asked_at = [one.noted for one in table.log if isinstance(one, QuestionAsked)]
    is_older = table.opened is not None and created < table.opened
    question = table.question_to(seat) if not asked_at or created >= asked_at[-1] else 0
    return role_of(seat, person, max(table.number - is_older, 0), question=question)


def role_of_waiting(table: Table, waiting: Pending, *, asked: bool = False) -> Role:
    """Return the role in which a waiting mail would count."""
    key = Seat(waiting.seat) if waiting.seat else None
    return role_of(key, dict(roles(table))[key], waiting.phase, asked=asked, question=waiting.question)


def is_there(table: Table, key: str) -> bool:
    """Say whether a game has a role of this key now, "" being the moderator's."""
    return any(key == (one or "") for one, _ in roles(table))


def holder(table: Table, seat: Seat | None) -> str:
    """Return what letters call the holder of a role."""
    if seat == DEPUTY:
        return "the moderator's deputy"
    return table.label(seat) if seat else "the moderator"


def vouched(arena: Arena, parcel: Parcel, role: Role) -> bool:
    """
    Say whether a writer has shown more than token and address, which is needed for what cannot be undone.

    Of what stands in a thread the forum says who wrote it.
    """
    return role.asked or parcel.thread is not None or verdict(arena, parcel) == "pass"


def verdict(arena: Arena, parcel: Parcel) -> authentication.Verdict:
    """Return what our mail server found out about who wrote a mail."""
    return authentication.checked(parcel.letter.results, arena.settings.arena.authserv, parcel.sender)


def evidence(arena: Arena, parcel: Parcel, why: Doubt) -> Evidence:
    """Return what a mail that does not count yet shows of its writer."""
    found = verdict(arena, parcel)
    if why in ("machine", "stranger"):
        return "machine"
    if why != "no token":
        return "failed" if found == "fail" else "token"
    return {"pass": "server", "fail": "failed", "none": "none"}[found]  # type: ignore[return-value]


def doubt(arena: Arena, table: Table, parcel: Parcel, role: Role) -> Doubt:
    """
    Say why a mail that holds the right token and comes from the right address does not count yet.

    Whoever gets a copy of a mail, a list or an attacker, can send it on; so our address has to stand in To or Cc.
    """
    here = arena.settings.arena
    if role.asked or parcel.thread:
        return ""
    if parcel.sender.lower() != arena.people.contact(role.person).address.lower():
        return "other form"
    if not any(addressing.is_ours(one, here.address) for one in parcel.letter.named):
        return "not addressed"
    wanted = table.charter.authentication
    if not here.authserv or wanted == "nobody":
        return ""
    found = verdict(arena, parcel)
    if found == "fail":
        return "failed"
    return "unchecked" if found == "none" and (wanted == "everybody" or role.seat is None) else ""


def holds_invitation(arena: Arena, table: Table, parcel: Parcel, person: Person | None) -> bool:
    """Say whether a mail shows the token of the invitation that a person, its sender, had to this game."""
    return person in table.invited and parcel.token == arena.invitation_token(table, person)


def invited_by_token(arena: Arena, table: Table, parcel: Parcel) -> Person | None:
    """Return who had the invitation whose token a mail shows, whoever seems to have written it."""
    return next((one for one in table.invited if holds_invitation(arena, table, parcel, one)), None)


def is_ahead(arena: Arena, table: Table, parcel: Parcel) -> bool:
    """
    Say whether a mail answers a letter of a phase that this game has not reached, or of a question in one.

    Nobody has a token before its letter went out: so we were further once, and an older copy of the arena was put
    back. The game goes on from mail to mail as it did then.
    """
    if not parcel.token or table.status == "over":
        return False
    person = arena.people.find(parcel.sender)
    if role_of_token(arena, table, parcel) or holds_invitation(arena, table, parcel, person):
        return False
    phases, most = range(table.number, table.number + AHEAD), table.questions + QUESTIONS
    return any(tokens.find(arena.secret, table, parcel.token, phase, most) for phase in phases)
