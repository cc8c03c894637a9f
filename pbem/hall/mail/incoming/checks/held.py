"""Mail that may be somebody's and does not count yet: the letter that asks them, and their answer."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, Literal

import msgspec

from pbem.ground.terms import Mail, Person
from pbem.hall.mail.incoming.arrival import authority
from pbem.hall.mail.incoming.arrival.arrival import Arrival
from pbem.hall.mail.incoming.arrival.authority import Doubt, Evidence, Role
from pbem.hall.mail.incoming.desk import desk, pending
from pbem.hall.mail.incoming.desk.desk import Case, case
from pbem.hall.mail.incoming.desk.pending import Pending, Wish
from pbem.hall.mail.incoming.unpack import unpacking
from pbem.hall.mail.outgoing.views import Held, Unkept
from pbem.letters.new_text import Written
from pbem.table.fold.journal import Entry
from pbem.table.model import calendar

SHOWN = 60
SHOWN_LETTERS = 6_000
"""The most lines and characters of a held mail that the letter about it quotes."""


def hold(mail: Arrival, role: Role, why: Doubt) -> Case:
    """
    Keep a mail that may be somebody's, and ask them, at their registered address.

    One that has no token and was found not to be theirs is not kept; they are told once a day that such mail comes.
    """
    evidence = authority.evidence(mail.arena, mail.parcel, why)
    if why == "no token" and evidence == "failed":
        return _unkept(mail, role, evidence, "failed")
    wish = Wish(seat=role.key or "", phase=role.phase, question=role.question)
    return _case(mail, role, "held", evidence, _question(mail.in_role(role), why, evidence), wish=wish)


def hold_without_token(mail: Arrival, person: Person) -> Case:
    """Keep a mail that has a person's address and no token, and ask them."""
    return hold(mail, authority.role_at_address(mail.table, person), "no token")


def _unkept(mail: Arrival, role: Role, evidence: Evidence, because: str) -> Case:
    """Tell somebody that mail in their name was not kept; what they answer counts as theirs."""
    view = Unkept(because=because, most=pending.ROOM, **_about(mail, role))
    return _case(mail, role, "unkept", evidence, view, said=because)


def _case(
    mail: Arrival, role: Role, why: Literal["held", "unkept"], evidence: Evidence, view: Held | Unkept, **more: Any
) -> Case:
    """Write to the registered address of whoever has a role, about a mail that may be theirs."""
    to, token = mail.arena.people.contact(role.person).address, mail.arena.token(mail.table, role.key)
    more |= {"to": to, "token": token, "table": mail.table, "evidence": evidence}
    return case(mail.parcel, why, view=view, **more)


def _about(mail: Arrival, role: Role) -> dict[str, str]:
    """Return what every letter about such a mail says of it."""
    return {
        "name": authority.holder(mail.table, role.key),
        "title": mail.table.title,
        "arrived": calendar.show_instant(mail.parcel.mail.arrived, mail.arena.people.contact(role.person).clock),
    }


def _question(mail: Arrival, why: str, evidence: str) -> Held:
    """Return what the letter says that asks about a mail: its apparent writer, and what would count."""
    assert mail.role
    lines = [line.text for line in mail.written.lines if line.text.strip()]
    letters = accumulate(len(line) for line in lines)
    shown = [line for line, far in zip(lines[:SHOWN], letters, strict=False) if far <= SHOWN_LETTERS]
    address = mail.parcel.sender or mail.parcel.letter.angled or "no clear address"
    return Held(
        because=why,
        writer=f"{mail.parcel.letter.name} <{address}>".strip(),
        shown="\n".join(shown),
        more=len(lines) - len(shown),
        days=pending.waits(evidence).days,
        **_about(mail, mail.role),
    )


def all_of(mail: Arrival, waiting: Pending) -> list[Pending]:
    """Return all mails that are held for the same person in the same game, but for a seat that was taken away."""
    found = pending.held(pending.waiting(mail.arena))
    found = [one for one in found if authority.is_there(mail.table, one.seat)]
    return [one for one in found if one.game == waiting.game and one.to.lower() == waiting.to.lower()]


def questions(mail: Arrival, mine: Sequence[Pending]) -> tuple[str, ...]:
    """Return the letters that asked somebody about their mails, as they may be quoted in an answer."""
    latest = mine[-pending.ROOM :]
    return tuple(text for one in latest for text in desk.letter_texts(mail.arena, one.cause, one.why, one.evidence))


def confirm(reply: Arrival, waiting: Pending, mine: Sequence[Pending], word: str) -> Entry | Case:
    """Take the mail that its writer's reply confirms; if it confirms none, say what would."""
    meant = _mail_confirmed(reply, waiting, mine, word)
    if meant is None:
        return _ask_again(reply, waiting, "other digits" if word else "no digits")
    key = pending.confirmation(meant)
    if reply.is_known(key):
        return case(reply.parcel, "duplicate")
    kept = mail_kept(reply, meant)
    assert reply.role
    role = authority.role_of_waiting(reply.table, meant, asked=True)
    if kept is None:
        return _unkept(reply, role, "token", "gone")
    reply.in_role(role).note_writer()
    mail = msgspec.structs.replace(reply, parcel=kept).in_role(role)
    clock = reply.arena.people.contact(role.person).clock
    this_is = f"This is your mail of {calendar.show_instant(meant.arrived, clock)}."
    received = msgspec.structs.replace(
        mail.received,
        cause=reply.parcel.mail.digest,
        confirms=meant.cause,
        key=key,
        message_id=reply.parcel.letter.message_id,
        note=" ".join(filter(None, (this_is, mail.received.note, _besides(reply.written)))),
    )
    entry = mail.entry_of(received)
    mail.note_named(entry)
    return entry


def _besides(written: Written) -> str:
    """Say that a confirming reply held more than that word, or "": one reply takes one mail."""
    count = sum(bool(line.text.strip()) for line in written.lines) - 1 + written.below
    lines = f"{count} lines" if count > 1 else "1 line"
    return f"Besides confirm your reply held {lines}, not read: one reply takes one mail." if count else ""


def _mail_confirmed(reply: Arrival, waiting: Pending, mine: Sequence[Pending], word: str) -> Pending | None:
    """
    Return which of somebody's mails a reply confirms, if it says so.

    Digits name it. Without them it is the one that the letter asked about, where our mail server vouches for the reply
    and no other waits: letters that ask about several have one address for all.
    """
    arena = reply.arena
    if word:
        found = [one for one in mine if pending.digits_of(arena, one) == word]
        return found[-1] if found else None
    left = (one for one in mine if not arena.index.games.has_taken(pending.confirmation(one)))
    others = [one for one in left if one.cause != waiting.cause]
    return waiting if authority.verdict(arena, reply.parcel) == "pass" and not others else None


def _ask_again(reply: Arrival, waiting: Pending, because: str) -> Case:
    """Say what would have confirmed a mail."""
    role = authority.role_of_waiting(reply.table, waiting)
    if reply.arena.index.games.has_taken(pending.confirmation(waiting)):
        return case(reply.parcel, "duplicate")
    kept = mail_kept(reply, waiting)
    if kept is None:
        return _unkept(reply, role, "token", "gone")
    question = _question(msgspec.structs.replace(reply, parcel=kept).in_role(role), "", waiting.evidence)
    digits = pending.digits_of(reply.arena, waiting)
    return case(
        reply.parcel,
        "unconfirmed",
        view=msgspec.structs.replace(question, again=because, digits=digits),
        to=waiting.to,
        table=reply.table,
        token_role=pending.confirming_role(waiting.cause, waiting.to),
        evidence="token",
    )


def mail_kept(reply: Arrival, waiting: Pending) -> unpacking.Parcel | None:
    """Read a kept mail again; None if it was removed since."""
    place = ("games", reply.table.charter.game, "post", "in", f"{waiting.cause}.eml")
    if not reply.arena.shelf.exists(*place):
        return None
    raw = reply.arena.shelf.read(*place)
    return unpacking.unpack(reply.arena, Mail(reply.parcel.mail.name, waiting.arrived, waiting.cause, raw))
