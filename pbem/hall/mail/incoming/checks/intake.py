"""The checks that decide what a mail to a game becomes, in the order of authority; the first that claims it decides."""

from collections.abc import Callable
from datetime import datetime
from typing import TypeAlias

from pbem.hall.mail.incoming.arrival import authority
from pbem.hall.mail.incoming.arrival.arrival import Arrival
from pbem.hall.mail.incoming.checks import (
    doubtful,
    held,
    joining,
    leaking,
    moved_by,
    moving,
    posted,
    replacing,
    standing_in,
    threads,
)
from pbem.hall.mail.incoming.desk import no_game, pending
from pbem.hall.mail.incoming.desk.desk import Case, case
from pbem.hall.mail.incoming.unpack import barring
from pbem.hall.mail.incoming.unpack.unpacking import Parcel
from pbem.hall.mail.outgoing import copies
from pbem.hall.store.arena import Arena
from pbem.hall.store.ledger import Ledger
from pbem.hall.store.pausing import Pausing, at_once
from pbem.letters import addressing
from pbem.table.fold.journal import Entry, RulingGiven
from pbem.table.incoming import moderator_mail
from pbem.table.model.table import Table

Check: TypeAlias = Callable[[Arrival], Entry | Case | None]
"""Gives the entry that a mail becomes in its game, or its case at the desk; None for a mail that it does not claim."""


def checks() -> tuple[tuple[Check, ...], ...]:
    """
    Return the checks of a mail to a game, in their order: a mail that two of them would claim goes to the first.

    Shape: those of one tuple are made without a pause; between two tuples mails to other games of the wave are looked
    at, and may change what the arena knows of people. Where that gives a mail another role, it is looked at anew.
    """
    return (
        (  # of what is written on its envelope
            was_fetched_before,
            came_from_a_thread,
            is_never_answered,
            came_by_a_list,
        ),
        (  # of what its writer newly wrote
            was_taken_before,
        ),
        (  # of the entry that it would be
            was_posted,
            doubtful.may_be_a_machines,
        ),
        (
            takes_a_move_back,
            holds_a_stolen_token,
            # with the token of a role
            is_in_doubt,
            asks_to_move,
            joining.take_another_name,
            cannot_be_taken_back,
            repeats_nonsense,
            acts,
            # without one
            replacing.take_over,
            standing_in.answer,
            replacing.answer_past_player,
            answers_about_held_mail,
            goes_on_with_a_move,
            is_a_players,
            takes_a_seat,
            wants_the_invitation_again,
            is_the_moderators,
            is_a_strangers,
        ),
    )


def admit(arena: Arena, ledger: Ledger, table: Table, parcel: Parcel, now: datetime) -> Pausing[Entry | Case]:
    """
    Turn a mail to a game into its entry there, or put it on the desk.

    Shape: `table` is the ledger's, with the mails of this batch that came before folded in.
    """
    return _decide(Arrival(arena, ledger, table, parcel, now))


def decide(mail: Arrival) -> Entry | Case:
    """Ask each check in turn until one claims the mail; the last claims all."""
    return at_once(_decide(mail))


def _decide(mail: Arrival) -> Pausing[Entry | Case]:
    for together in checks():
        yield
        if not mail.is_as_found():
            return decide(mail.anew())
        for check in together:
            found = check(mail)
            if found is not None:
                return found
    raise AssertionError("the last check claims every mail")


def was_fetched_before(mail: Arrival) -> Case | None:
    """These very bytes were taken."""
    return case(mail.parcel, "duplicate") if mail.arena.index.games.has_taken(mail.parcel.mail.digest) else None


def came_from_a_thread(mail: Arrival) -> Entry | Case | None:
    """It stood in a private thread on the forum: in one that is bound, it is its holder's mail."""
    found = threads.take(mail)
    return decide(found) if isinstance(found, Arrival) else found


def is_never_answered(mail: Arrival) -> Entry | Case | None:
    """It is a machine's, or a letter of ours that came back, or we cannot make out whose."""
    parcel = mail.parcel
    barred = barring.why_barred(mail.arena, parcel.letter, parcel.sender)
    if barred:
        copies.take(mail.arena, parcel.letter, mail.now)
    is_unclear = not parcel.sender and not parcel.is_posted  # what was posted acts for nobody
    acting = doubtful.acting_as(mail) if is_unclear and not barred and mail.stolen else None
    if acting and acting.role and parcel.letter.kind == "human":
        return held.hold(acting, acting.role, "unclear")
    asked = joining.ask_whose(mail) if is_unclear and not barred and parcel.letter.kind == "human" else None
    if asked:
        return asked
    return no_game.put_on_desk(mail.arena, parcel) if barred or is_unclear else None


def was_posted(mail: Arrival) -> Entry | Case | None:
    """It was posted to the list of its game, for everybody to read: nothing of it is an order."""
    return posted.take(mail)


def came_by_a_list(mail: Arrival) -> Case | None:
    """A mailing list sent it on which we do not play, without the token of its writer."""
    by_list = mail.parcel.letter.kind == "list" and not mail.role and not mail.parcel.mailing_list
    return no_game.put_on_desk(mail.arena, mail.parcel) if by_list else None


def was_taken_before(mail: Arrival) -> Case | None:
    """The same mail came before, by another route."""
    return case(mail.parcel, "duplicate") if mail.is_known(mail.key) else None


def takes_a_move_back(mail: Arrival) -> Entry | Case | None:
    """It comes from where a moderator has letters moved away, says no to that or cannot know of it yet."""
    return moved_by.take_back(mail)


def holds_a_stolen_token(mail: Arrival) -> Entry | Case | None:
    """Its token is another's: it counts no more, and its owner is told, once for one of an older phase."""
    return leaking.note(mail) if mail.stolen else None


def is_in_doubt(mail: Arrival) -> Case | None:
    """Token and address are right, and still it may be another's: it is held until its writer has confirmed it."""
    why = mail.role and authority.doubt(mail.arena, mail.table, mail.parcel, mail.role)
    return held.hold(mail, mail.role, why) if mail.role and why else None


def asks_to_move(mail: Arrival) -> Case | None:
    """Its writer wants their letters at another address, or the moderator those of a player."""
    if mail.role is None or mail.is_by_button:
        return None
    wanted = moving.wish(mail.written.lines)
    return moving.ask(mail, mail.role, wanted) if wanted else moved_by.ask(mail, mail.role)


def cannot_be_taken_back(mail: Arrival) -> Case | None:
    """
    It rules what no undo takes back, gives a seat, or speaks in answer to an old letter, and its token alone vouches.

    Then it is held.
    """
    if mail.role is None or authority.vouched(mail.arena, mail.parcel, mail.role):
        return None
    if not isinstance(mail.entry, RulingGiven):
        return None
    if moderator_mail.is_guarded(mail.entry):
        return held.hold(mail, mail.role, "gives a seat")
    if moderator_mail.is_belated_talk(mail.table, mail.entry):
        return held.hold(mail, mail.role, "belated")
    return held.hold(mail, mail.role, "for good") if moderator_mail.for_good(mail.entry) else None


def repeats_nonsense(mail: Arrival) -> Case | None:
    """It only says again what we could make nothing of, and have answered often enough today."""
    if mail.role is None or not barring.is_parrot(mail.table, mail.entry):
        return None
    return case(mail.parcel, "automatic", said="the same words as often before")


def acts(mail: Arrival) -> Entry | None:
    """It gives orders for a seat, or rules as the moderator."""
    if mail.role is None:
        return None
    mail.note_writer()
    mail.note_named(mail.entry)
    return mail.entry


def answers_about_held_mail(mail: Arrival) -> Entry | Case | None:
    """Its writer answers the letter about a mail that is held: that mail counts, or what they write instead."""
    waiting = mail.waiting
    if waiting is None or waiting.why != "held":
        return None
    role = authority.role_of_waiting(mail.table, waiting, asked=True)
    if addressing.normal(mail.arena.people.contact(role.person).address) != addressing.normal(mail.parcel.sender):
        return joining.answer_stranger(mail, ())
    mine = held.all_of(mail, waiting)
    reply = mail.in_role(role, held.questions(mail, mine))
    word = pending.digits_confirmed(reply.written.lines)
    return decide(reply) if word is None else held.confirm(reply, waiting, mine, word)


def goes_on_with_a_move(mail: Arrival) -> Entry | Case | None:
    """It answers the letter that asks, at the old address or the new one, whether its writer moves."""
    waiting = mail.waiting
    if waiting and waiting.why in moved_by.STEPS:
        return moved_by.step(mail, waiting)
    return moving.step(mail, waiting) if waiting and waiting.why in moving.STEPS else None


def is_a_players(mail: Arrival) -> Case | None:
    """It comes from a player's address, without their token: it is held."""
    sits = mail.person and any(mail.person == seated.person for seated in mail.table.seats.values())
    return held.hold_without_token(mail, mail.person) if mail.person and sits else None


def takes_a_seat(mail: Arrival) -> Entry | Case | None:
    """It answers an invitation, or confirms that its writer wants the seat that they asked for."""
    return joining.join(mail)


def wants_the_invitation_again(mail: Arrival) -> Entry | None:
    """Somebody who was invited asks for the seat without their invitation, and gets that once more."""
    return joining.invite_again(mail)


def is_the_moderators(mail: Arrival) -> Case | None:
    """It comes from the moderator's address, or the deputy's, without their token: it is held."""
    moderates = mail.person and mail.person in (mail.table.charter.moderator, mail.table.deputy)
    return held.hold_without_token(mail, mail.person) if mail.person and moderates else None


def is_a_strangers(mail: Arrival) -> Case:
    """Nobody here has its address: they can ask for a seat, if there is one."""
    return joining.answer_stranger(mail, mail.new_lines)
