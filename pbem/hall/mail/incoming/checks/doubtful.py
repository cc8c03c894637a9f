"""
Mail that may be a machine's: what it would do in its role decides, and in doubt its holder is asked.

No machine orders anything, but for one that repeats what a person wrote. So a mail with orders from the right address
counts; where it looks much like a machine's, only if our mail server vouches for it, else it is held. One of which
nothing was understood is not answered if it looks much like a machine's, and held if it looks so a little, or comes
with a token from an address that nobody here has. Whoever returns a letter of ours with its mark, and adds nothing or
writes from another address, is a machine: a mail server, a gateway to telephones, a filter.
"""

from pbem.hall.mail.incoming.arrival import authority
from pbem.hall.mail.incoming.arrival.arrival import Arrival
from pbem.hall.mail.incoming.checks import held
from pbem.hall.mail.incoming.desk import pending
from pbem.hall.mail.incoming.desk.desk import Case, case
from pbem.hall.mail.incoming.unpack import barring
from pbem.letters import bodies, reading, robots
from pbem.table.fold.journal import RulingGiven


def may_be_a_machines(mail: Arrival) -> Case | None:
    """It looks like a machine's, and not enough speaks for a person."""
    letter = mail.parcel.letter
    returned = barring.returned(mail.arena, letter)
    is_likely = letter.kind in ("auto", "bounce")
    acting = acting_as(mail)
    if acting is None or acting.role is None:
        return _on_desk(mail, letter.automatic or returned) if (is_likely or returned) and not _confirms(mail) else None
    is_own = mail.stolen is None
    understood = _is_understood(acting)
    if returned and not (is_own and any(line.text.strip(" .") for line in acting.written.lines)):
        return _on_desk(mail, returned)
    if mail.role is None and is_own:  # whatever else comes from the address of a player is held in any case
        return _on_desk(mail, letter.automatic) if is_likely and not understood and not _confirms(mail) else None
    if understood:
        is_doubted = is_likely and not _is_vouched_order(acting, is_own=is_own)
        return held.hold(acting, acting.role, "machine" if is_own else "stranger") if is_doubted else None
    if is_likely or (acting.role.asked and (letter.doubt or returned)):
        return _on_desk(mail, letter.automatic or letter.doubt or returned)
    if letter.doubt or returned or not (is_own or mail.person):
        return held.hold(acting, acting.role, "machine" if is_own else "stranger")
    return None


def acting_as(mail: Arrival) -> Arrival | None:
    """Return the mail in the role in which it would act if its writer were right, if there is one."""
    if mail.role:
        return mail
    if mail.stolen:
        person = dict(authority.roles(mail.table))[mail.stolen.seat]
        return mail.in_role(authority.role_of(mail.stolen.seat, person, mail.stolen.phase))
    sits = mail.person and any(mail.person == person for _, person in authority.roles(mail.table))
    return mail.in_role(authority.role_at_address(mail.table, mail.person)) if mail.person and sits else None


def _is_vouched_order(mail: Arrival, *, is_own: bool) -> bool:
    """Say whether a mail gives orders or rules, and our mail server vouches that it comes from its writer."""
    entry = mail.entry
    gives = bool(entry.rulings) if isinstance(entry, RulingGiven) else entry.taken or entry.late or bool(entry.press)
    return is_own and gives and authority.verdict(mail.arena, mail.parcel) == "pass"


def _is_understood(mail: Arrival) -> bool:
    """
    Say whether a mail orders something, be it impossible; one that could not be taken apart may.

    An empty one with a subject of its own is a person's slip: what answers by itself has words, or our subject.
    """
    letter, faults = mail.parcel.letter, {complaint.fault for complaint in mail.entry.complaints}
    is_slip = letter.note == bodies.NO_TEXT and not robots.quotes_subject(letter.subject)
    is_choked = bool(reading.too_much(mail.written.lines)) or letter.note not in ("", *bodies.WORDLESS)
    return barring.has_effect(mail.entry) or bool(faults - {"unreadable"}) or is_choked or is_slip


def _confirms(mail: Arrival) -> bool:
    """Say whether it answers a letter of ours with the word that no machine writes."""
    if mail.waiting is None:
        return False
    if mail.waiting.why == "held":
        return bool(pending.digits_confirmed(mail.new_lines))
    return pending.is_confirmed(mail.new_lines)


def _on_desk(mail: Arrival, said: str) -> Case:
    return case(mail.parcel, "bounce" if mail.parcel.letter.kind == "bounce" else "automatic", said=said)
