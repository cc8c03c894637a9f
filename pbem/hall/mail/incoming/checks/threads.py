"""Mail from a private thread on the forum: the code that binds it, what its holder writes there, and its end."""

import re

import msgspec

from pbem.hall.mail.incoming.arrival import authority
from pbem.hall.mail.incoming.arrival.arrival import Arrival
from pbem.hall.mail.incoming.desk.desk import Case, case
from pbem.hall.mail.incoming.unpack.thread_mail import ThreadNews
from pbem.letters import reading
from pbem.table.fold.journal import Became, ThreadChanged
from pbem.table.model import threads

DEAD = "of a thread that is none any more"
DOUBTED = "before the code, in a thread"
MOST_DOUBTS = 5
"""How often somebody is told that what they wrote in a thread is not the code."""
COURTESY = 12
"""Letters beside a code that say nothing: `Here it is:`."""


def take(mail: Arrival) -> ThreadChanged | Case | Arrival | None:
    """
    Return what mail from a thread becomes; in a bound one its holder's post is a mail in their role, yet to be taken.

    None for mail that has come by another door.
    """
    news, table = mail.parcel.thread, mail.table
    if news is None or mail.given:
        return None
    thread = threads.of(table, news.role)
    if thread is None or thread.nth != news.nth:
        return case(mail.parcel, "automatic", said=DEAD)
    if news.news == "opened":
        return case(mail.parcel, "duplicate") if thread.topic else _changed(mail, news, "opened")
    if news.news != "wrote":
        said = "\n".join(line.text for line in reading.newly(mail.parcel.letter, ())).strip()
        return _changed(mail, news, news.news, said=said)
    if not thread.is_bound:
        return _held_against_code(mail, news, thread.doubts)
    address = mail.arena.people.contact(thread.person).address
    parcel = msgspec.structs.replace(mail.parcel, author=address)
    return msgspec.structs.replace(mail, parcel=parcel).in_role(
        authority.role_in_thread(table, news.role, thread.person, news.created)
    )


def _held_against_code(mail: Arrival, news: ThreadNews, doubts: int) -> ThreadChanged | Case:
    """Bind a thread where its account has posted the code, however it is spaced; of anything else tell its holder."""
    code = mail.arena.thread_code(mail.table.charter.game, news.role, news.nth)
    letters = re.sub(r"[\W_]", "", " ".join(line.text for line in reading.newly(mail.parcel.letter, ())).lower())
    if code in letters:
        return _changed(mail, news, "bound", more=len(letters) > len(code) + COURTESY)
    if doubts >= MOST_DOUBTS:
        return case(mail.parcel, "automatic", said=DOUBTED)
    return _changed(mail, news, "doubted")


def _changed(mail: Arrival, news: ThreadNews, became: Became, *, more: bool = False, said: str = "") -> ThreadChanged:
    return ThreadChanged(
        number=mail.table.head + 1,
        noted=mail.now,
        seat=news.role,
        nth=news.nth,
        became=became,
        cause=mail.parcel.mail.digest,
        key=mail.key,
        topic=news.topic,
        author=news.author,
        more=more,
        said=said,
    )
