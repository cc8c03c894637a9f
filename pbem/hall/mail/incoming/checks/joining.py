"""Mail of people without a seat: they accept an invitation, ask for a seat and confirm it, or are strangers."""

from collections.abc import Collection, Sequence
from datetime import timedelta

from pbem.ground.terms import OrderLine, Person, Seat
from pbem.hall.mail.incoming.arrival import authority
from pbem.hall.mail.incoming.arrival.arrival import Arrival
from pbem.hall.mail.incoming.checks import held
from pbem.hall.mail.incoming.desk import pending
from pbem.hall.mail.incoming.desk.desk import Case, case
from pbem.hall.mail.outgoing.views import SeatRefused, SeatWanted, Stranger
from pbem.language.phrases import Unread
from pbem.letters import addressing, reading
from pbem.speech import answers, chatter, courtesies
from pbem.table.fold.journal import PersonInvited, SeatTaken
from pbem.table.model import likely, seating
from pbem.table.requests.zone import Zone

INVITED_AGAIN = 3
"""How often a day mail from somebody's address brings them their invitation once more."""


def join(mail: Arrival) -> SeatTaken | Case | None:
    """Seat a person who accepts an invitation, or confirms that they asked for a seat; None for all others."""
    person, waiting, parcel = mail.person, mail.waiting, mail.parcel
    if person and authority.holds_invitation(mail.arena, mail.table, parcel, person):
        said = _said(mail)
        return _take_seat(mail, person, said) if said or seating.shut(mail.table, person) else _ask_name(mail, person)
    if waiting and waiting.why == "sign-up":
        return _answer(mail, waiting)
    return None


def _said(mail: Arrival) -> str:
    """Return the name that a mail says, "" where that is not clear."""
    wish = seating.wish(mail.new_lines)
    return wish[1] if wish else seating.called(mail.new_lines, mail.writer)


def _answer(mail: Arrival, waiting: pending.Pending) -> SeatTaken | Case | None:
    """
    Seat whoever answers the letter that asks whether they want a seat, or under which of some names.

    Shape: a yes in free words, or a number, is none where anything looks like a machine's. Of whoever was not invited a
    name in free words is none either: others may have asked for the seat, and they only say who they are.
    """
    names, parcel = waiting.names or (waiting.name,), mail.parcel
    answer = None if parcel.letter.doubt else answers.answered(mail.new_lines, mail.writer)
    is_yes = pending.digits_confirmed(mail.new_lines) is not None or (answer is not None and answer.kind == "yes")
    name = names[0] if is_yes and len(names) == 1 else ""
    if answer and answer.kind == "number" and answer.number <= len(names):
        name = names[answer.number - 1]
    wish = seating.wish(mail.new_lines)
    name = name or (_said(mail) if waiting.names else wish[1] if wish else "")
    if name and _shares_mailbox(mail):
        return _refuse_mailbox(mail)
    if name:
        first = held.mail_kept(mail, waiting) if waiting.names else None
        before = reading.newly(first.letter, ()) if first else ()
        return _take_seat(mail, mail.arena.people.admit(parcel.sender, parcel.letter.name), name, before=before)
    if waiting.names:
        return _ask_name(mail, mail.person or Person(""), waiting.names)
    return _ask_to_confirm(mail, waiting.name)


def _ask_name(mail: Arrival, person: Person, again: Sequence[str] = ()) -> Case:
    """Ask somebody who was invited by which name they want to be known: one of those that their mail may mean."""
    others = authority.insiders_names(mail.arena, mail.table, person)
    if answers.declines(mail.new_lines):
        view = SeatRefused(because="", shut=False, declined=True)
        return case(mail.parcel, "refused", view=view, to=mail.parcel.sender, token_role=f"invited {person}")
    strange = (mail.writer, *others, mail.table.ruleset.title)
    found = [seating.spelled(one) for one in likely.names(mail.new_lines, [one for one in strange if one])]
    free = tuple(name for name in dict.fromkeys(found or again) if not _why_not(mail, person, name))
    if not free:
        return _refuse(mail, seating.UNNAMED, person, token_role=f"invited {person}")
    because = "I cannot tell for sure by which name you want to be known."
    view = SeatRefused(because=because, shut=False, likely=free)
    return case(mail.parcel, "sign-up", view=view, to=mail.parcel.sender, wish=pending.Wish(names=free))


def _why_not(mail: Arrival, person: Person, name: str) -> Unread | None:
    """Say why somebody cannot have a seat by a name, None where they can."""
    seat = seating.seat_for(mail.table, person, name)
    return seat if isinstance(seat, Unread) else _is_anothers(mail, person, name)


def _shares_mailbox(mail: Arrival) -> bool:
    """Say whether somebody else with a part in the game has the mailbox that a mail comes from, in another form."""
    box, people = addressing.normal(mail.parcel.sender), mail.arena.people
    others = (people.address(one) for one in authority.parts(mail.table) if one != mail.person)
    return any(addressing.normal(other) == box for other in others)


def take_another_name(mail: Arrival) -> SeatTaken | Case | None:
    """
    Call somebody who has a seat by another name, as long as the game has not begun.

    They may answer any letter of the game, the invitation too.
    """
    person, table = mail.role.person if mail.role else mail.person, mail.table
    seat = seating.seat_of(table, person) if person and table.status == "sign-up" else None
    if person is None or seat is None:
        return None
    is_theirs = mail.role is not None and mail.role.seat == seat
    if not is_theirs and not authority.holds_invitation(mail.arena, table, mail.parcel, person):
        return None
    wish = seating.wish(mail.written.lines if is_theirs else mail.new_lines)
    if not wish or not wish[1] or wish[0] not in ("", table.charter.game):
        return None
    if is_theirs:
        mail.note_writer()
    return _take_seat(mail, person, wish[1], seat)


def invite_again(mail: Arrival) -> PersonInvited | None:
    """Send an invitation again, to its own address, if that person asks for the seat without it; a few times a day."""
    person = mail.person
    if person is None or person not in seating.absent(mail.table) or not seating.wish(mail.new_lines):
        return None
    return _invite_again(mail, person)


def _invite_again(mail: Arrival, person: Person) -> PersonInvited | None:
    table = mail.table
    if seating.shut(table, person):
        return None
    day = mail.now - timedelta(days=1)
    sent = [one for one in table.log if isinstance(one, PersonInvited) and one.cause and one.person == person]
    if sum(one.noted > day for one in sent) >= INVITED_AGAIN:
        return None
    cause = mail.parcel.mail.digest
    return PersonInvited(number=table.head + 1, noted=mail.now, person=person, cause=cause, key=mail.key)


def ask_whose(mail: Arrival) -> PersonInvited | Case | None:
    """Ask somebody who was invited whether they answered that, where nobody can read who wrote it."""
    person = authority.invited_by_token(mail.arena, mail.table, mail.parcel)
    if person is None or person not in seating.absent(mail.table):
        return None
    wish = seating.wish(mail.new_lines)
    name = wish[1] if wish else ""
    if name and not isinstance(seating.seat_for(mail.table, person, name), Unread):
        return _ask_to_confirm(mail, name, mail.arena.people.address(person))
    return _invite_again(mail, person)


def _take_seat(
    mail: Arrival, person: Person, said: str, mine: Seat | None = None, *, before: Sequence[OrderLine] = ()
) -> SeatTaken | Case:
    """
    Seat a person by a name that they said; or call them by another one, where the seat is theirs already.

    Shape: `before` are the lines of their mail that this one answers for, whose other words count too.
    """
    seat = seating.renamed(mail.table, mine, said) if mine else seating.seat_for(mail.table, person, said)
    name = seating.spelled(said)
    because = seat if isinstance(seat, Unread) else _is_anothers(mail, person, name)
    if because:
        return _refuse(mail, because, person, token_role=f"invited {person}")
    assert not isinstance(seat, Unread)
    zone, complaints = seating.zone([*mail.new_lines, *before])
    called = (name, mail.parcel.letter.name)
    is_answer = mail.waiting is not None
    new = [line for line in mail.new_lines if not (is_answer and answers.answer(line.text))]
    spoken, earlier = ([one for one in lines if not _is_small_talk(one.text, called)] for lines in (new, before))
    if zone:
        mail.arena.people.amend(person, zone=zone)
    return SeatTaken(
        number=mail.table.head + 1,
        noted=mail.now,
        seat=seat,
        name=name,
        person=person,
        cause=mail.parcel.mail.digest,
        key=mail.key,
        requests=(Zone(zone=zone),) if zone else (),
        complaints=(*complaints, *seating.besides(spoken, has_seat=mine is not None)),
        asides=(*seating.asides(earlier), *seating.asides(spoken)) if person != mail.table.charter.moderator else (),
    )


def _is_anothers(mail: Arrival, person: Person, name: str) -> Unread | None:
    """Say why a name is not for this person: the arena is called so, or the moderator, or who stands in for them."""
    because = seating.why_anothers(name, authority.insiders_names(mail.arena, mail.table, person))
    return Unread("illegal", because) if because else None


def _is_small_talk(line: str, called: Collection[str]) -> bool:
    return chatter.is_harmless(line) or any(courtesies.courtesy(line, one) for one in called)


def answer_stranger(mail: Arrival, lines: Sequence[OrderLine]) -> Case:
    """Ask a person who wants a seat to confirm it; everybody else gets the letter for strangers."""
    wish = seating.wish(lines)
    if not wish:
        return case(mail.parcel, "stranger", view=Stranger(), to=mail.parcel.sender)
    if _shares_mailbox(mail):
        return _refuse_mailbox(mail)
    person = mail.person if mail.person in mail.table.uninvited else None
    seat = seating.seat_for(mail.table, person or Person(""), wish[1])
    because = seat if isinstance(seat, Unread) else _is_anothers(mail, Person(""), seating.spelled(wish[1]))
    return _refuse(mail, because, Person("")) if because else _ask_to_confirm(mail, wish[1])


def _refuse(mail: Arrival, because: Unread, person: Person, token_role: str = "") -> Case:
    """Say why there is no seat for somebody, or no other name; if they were invited, they can answer with another."""
    mine = seating.seat_of(mail.table, person)
    called = mail.table.label(mine) if mine and mail.table.status == "sign-up" else ""
    view = SeatRefused(because=because.because, shut=bool(seating.shut(mail.table, person)), called=called)
    if mail.role and mail.role.seat:
        return case(
            mail.parcel, "refused", view=view, to=mail.parcel.sender, token=mail.arena.token(mail.table, mail.role.seat)
        )
    return case(mail.parcel, "refused", view=view, to=mail.parcel.sender, token_role=token_role)


def _refuse_mailbox(mail: Arrival) -> Case:
    """Say that one mailbox has one part in a game, however its address is written."""
    because = (
        f"Somebody with this mailbox has a part in {mail.table.charter.game} already, or is invited: what stands "
        "behind a plus sign makes no other mailbox, nor do dots at Gmail. If that is you, write from the address that "
        "the game knows. If you are somebody else, ask for a seat from an address of your own."
    )
    return case(mail.parcel, "refused", view=SeatRefused(because=because, shut=True), to=mail.parcel.sender)


def _ask_to_confirm(mail: Arrival, name: str, to: str = "") -> Case:
    """Ask the owner of an address whether they want the seat; any reply but that word makes us ask again."""
    view, wish = SeatWanted(name=seating.spelled(name), ruleset=mail.table.ruleset.title), pending.Wish(name=name)
    return case(mail.parcel, "sign-up", view=view, to=to or mail.parcel.sender, wish=wish)
