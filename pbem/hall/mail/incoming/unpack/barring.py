"""Which mail is never answered, whoever it claims to be from: machines, copies of our own letters, parrots."""

import re
from collections.abc import Iterable
from datetime import timedelta
from itertools import takewhile

from pbem.hall.mail.incoming.unpack import mailing_lists
from pbem.hall.mail.outgoing import arena_letters, bouncing
from pbem.hall.store.arena import Arena
from pbem.letters import addressing
from pbem.letters.reading import Letter
from pbem.table.fold.journal import Entry, OrdersReceived, RulingGiven
from pbem.table.incoming import talk
from pbem.table.model.table import Table

SAME_WORDS = 2
"""How often a person gets an answer to the very same words of which nothing could be taken, in a day."""
LIKE_WORDS = 3
"""How often to words that differ in numbers, links and dates alone, until something has had an effect."""
DAY = timedelta(days=1)
_NUMBERED = re.compile(r"\S*(?:[0-9]|://|www\.)\S*|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b", re.IGNORECASE)


def why_barred(arena: Arena, letter: Letter, sender: str) -> str:
    """
    Say why a mail must not be answered, or "".

    Mail by a list is not among it: where it holds a person's token, that person wrote it. Nor is what is in doubt.
    """
    if letter.automatic and letter.kind != "list" and not letter.doubt:
        return letter.automatic
    is_lists = any(mailing_lists.is_lists_own(arena, one) for one in letter.senders)
    if is_lists and letter.kind != "list" and not arena.people.find(sender):
        return "a list, or a machine of one"
    if addressing.is_ours(sender, arena.settings.arena.address):
        return "from ourselves"
    name, _, domain = letter.message_id.strip("<>").rpartition("@")
    is_here = domain == arena.settings.arena.address.rpartition("@")[2]
    if is_here and (addressing.is_name(arena.secret, name) or arena_letters.find(arena, name)):
        return "a letter of ours that came back"
    return ""


def returned(arena: Arena, letter: Letter) -> str:
    """Say that a mail returns a letter of ours with the mark that it went out with, or ""."""
    found = next((name for name, mark in letter.marks if bouncing.is_mark(arena, name, mark)), "")
    return f"returns {found}" if found else ""


def is_parrot(table: Table, entry: Entry) -> bool:
    """
    Say whether a mail only repeats words that we could not read and have answered often enough.

    A robot that does not say that it is one does so, in answer to each of our answers, and may number and date them:
    then it is answered again once something of that writer's has had an effect. A person who corrects a number that
    could not be, or whose lines begin as orders do, is answered each time.
    """
    if not isinstance(entry, OrdersReceived | RulingGiven) or has_effect(entry) or entry.arrived is None:
        return False
    seat, since = getattr(entry, "seat", None), entry.arrived - DAY
    theirs = [one for one in table.log if isinstance(one, type(entry)) and getattr(one, "seat", None) == seat]
    in_vain = [one for one in theirs if not has_effect(one)]
    today = [one for one in in_vain if one.arrived and one.arrived > since]
    if sum(one.said == entry.said for one in today) >= SAME_WORDS:
        return True
    words = _words(entry.said)
    lately = takewhile(lambda one: not has_effect(one), reversed(theirs))
    is_read = any(one.fault != "unreadable" for one in entry.complaints) or bool(getattr(entry, "unsent", ()))
    is_read = is_read or any(talk.begins_order(table, line) for line in entry.said)
    return not is_read and bool(words) and sum(_words(one.said) == words for one in lately) >= LIKE_WORDS


def _words(said: Iterable[str]) -> str:
    """Return what was said without numbers, links and dates."""
    return " ".join(_NUMBERED.sub(" ", "\n".join(said)).casefold().split())


def has_effect(entry: OrdersReceived | RulingGiven) -> bool:
    """Say whether a mail orders, rules, asks for or tells anything that was understood."""
    if isinstance(entry, RulingGiven):
        return bool(entry.rulings or entry.requests)
    return bool(entry.taken or entry.late or entry.requests or entry.press)
