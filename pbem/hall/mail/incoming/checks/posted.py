"""What a mail becomes that was posted to the list of its game: kept with the game, and never an order."""

import re

from pbem.ground.terms import Person, Seat
from pbem.hall.mail.incoming.arrival.arrival import Arrival
from pbem.hall.mail.incoming.checks import joining, leaking
from pbem.hall.mail.incoming.desk import no_game
from pbem.hall.mail.incoming.desk.desk import Case, case
from pbem.hall.mail.outgoing import quotable
from pbem.language import phrases
from pbem.letters import addressing, machines, reading
from pbem.speech import chatter, typed
from pbem.table.fold.journal import Entry, PostArchived
from pbem.table.incoming import moderator_lines, not_read
from pbem.table.model import seating, threads
from pbem.table.model.table import DEPUTY, MODERATOR, Table

MOST = 200
"""Posts of one phase that are kept with the game."""
LONGEST = 4000
"""Characters of a post that are kept with the game; the mail itself is kept as it is."""
MOST_LINES = 200
"""Lines of a post that are looked at for orders."""


def take(mail: Arrival) -> Entry | Case | None:
    """
    Keep a post with its game; None for a mail that was posted to no list of ours, or has come to us alone as well.

    Where it shows the token of a role to everybody, that counts no more; where it asks for a seat, its writer is asked
    at their own address.
    """
    parcel = mail.parcel
    if not parcel.is_posted:
        return None
    if mail.role or mail.stolen:
        return leaking.note(mail, posted=True)
    is_machines = machines.is_machines_subject(parcel.letter.subject, answers=bool(parcel.letter.references))
    if parcel.mailing_list and not is_machines and seating.wish(mail.new_lines) and mail.table.status == "sign-up":
        return _asks_for_seat(mail)
    post = _archived(mail)
    if sum(isinstance(one, PostArchived) for one in mail.table.log) >= MOST and not post.warned:
        return case(parcel, "automatic", said=f"more than {MOST} posts in one phase")
    return post


def _asks_for_seat(mail: Arrival) -> Entry | Case:
    if not mail.parcel.sender:
        return no_game.put_on_desk(mail.arena, mail.parcel)
    return joining.invite_again(mail) or joining.answer_stranger(mail, mail.new_lines)


def _archived(mail: Arrival) -> PostArchived:
    table, parcel = mail.table, mail.parcel
    sent = quotable.posts_sent(mail.arena, mail.ledger, parcel.letter.references)
    texts = [line.text for line in reading.newly(parcel.letter, sent)]
    orders = _reads_as_orders(table, texts)
    warned = _whom_to_warn(mail, texts, has_orders=orders)
    if any(isinstance(one, PostArchived) and one.warned == warned for one in table.log):
        warned = Seat("")
    writer = addressing.token(mail.arena.secret, table.charter.game, 0, f"writes as {parcel.writer or 'nobody'}")
    return PostArchived(
        number=table.head + 1,
        noted=mail.now,
        arrived=parcel.mail.arrived,
        cause=parcel.mail.digest,
        key=mail.key,
        message_id=parcel.letter.message_id,
        writer=writer,
        version_of=f"post {parcel.forum_post}" if parcel.forum_post else "",
        text=_shortened("\n".join(texts).strip()),
        has_orders=orders,
        warned=warned,
    )


def _whom_to_warn(mail: Arrival, texts: list[str], *, has_orders: bool) -> Seat:
    """Return whose address it was that posted what would have been orders or rulings, if it came to us alone."""
    table = mail.table
    person = _person_of_account(mail) if mail.parcel.forum_author else mail.person
    seat = next((seat for seat, one in table.seats.items() if person and one.person == person), None)
    if seat:
        return seat if has_orders else Seat("")
    role = {table.charter.moderator: MODERATOR, table.deputy: DEPUTY}.get(person) if person else None
    rules = role and any(moderator_lines.is_said(table, phrases.clean(text)) for text in texts[:MOST_LINES] if text)
    return role if role and rules else Seat("")


def _person_of_account(mail: Arrival) -> Person | None:
    """Return whose account on the forum wrote a post, as far as they play there in a thread of their own."""
    bound = (one for _, one in threads.living(mail.table) if one.is_bound)
    return next((one.person for one in bound if one.author == mail.parcel.forum_author), None)


def _reads_as_orders(table: Table, texts: list[str]) -> bool:
    """Say whether a line would be an order of somebody's who is asked for orders now, or change one."""
    said = [text for line in texts[:MOST_LINES] if (text := typed.without_marks(phrases.clean(line)))]
    sending = table.sending
    if any(not_read.reads(table, seat, text) for seat in sending for text in said):
        return True
    words = table.verbs if sending else frozenset()
    return any(chatter.may_change(text) and words & set(re.findall(r"\w+", text.casefold())) for text in said)


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."
