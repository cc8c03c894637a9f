"""Words in answer to somebody's own words: they go to whoever wrote those, with no word before them."""

import re

import msgspec

from pbem.ground.terms import Complaint, Seat
from pbem.language.tokens import cut
from pbem.language.words import COMMON
from pbem.speech import chatter, for_moderator
from pbem.table.fold.journal import OrdersReceived, Press
from pbem.table.incoming import changes, talk
from pbem.table.incoming.new_set import nothing_on_hand
from pbem.table.incoming.player_lines import Sorted
from pbem.table.incoming.received import Received
from pbem.table.model.table import Table

replace = msgspec.structs.replace
_ADDRESS = re.compile(r"(?:(?:hi|hello|hey|dear)\s+)?(?P<whom>[^\W\d_]+)\s*[,:!-]", re.IGNORECASE)
"""Whom a line speaks to, before a mark."""
WORDS_OF_ALL = chatter.CHANGING | chatter.COMMON | COMMON.single("LIMIT")
"""Words with which orders begin, and so does talk: `if`."""


def is_to_people(mail: Received) -> bool:
    """Say whether a mail answers words of somebody's, the moderator's or a player's, and no letter of ours."""
    return mail.answers is not None and mail.answers.template in ("told", "press")


def writer(table: Table, seat: Seat, mail: Received) -> Seat | None:
    """Return whose press a mail of a seat answers; None where it answers no such letter, or the seat's own."""
    if mail.answers is None or mail.answers.template != "press":
        return None
    log = (*mail.before, *table.log)
    wrote = (one for one in log if isinstance(one, OrdersReceived) and one.number == mail.answers.entry)
    return next((one.seat for one in wrote if one.press and one.seat != seat and one.seat in table.seats), None)


def to_writer(table: Table, entry: OrdersReceived, mail: Received, parts: Sorted) -> OrdersReceived | None:
    """
    Pass words on to the writer of those that a mail answers; None where it has more in it than words.

    Shape: nothing goes where any line may be an order, a change of one, a request or press, speaks to somebody else, or
    has the word that keeps it back; what becomes of it then is what becomes of any mail, and its sender is told. Nor
    does it to a moderator who plays.
    """
    lines = [line.text.strip() for line in parts.orders if line.text.strip()]
    if not is_to_people(mail) or not lines or parts.requests or parts.press or parts.complaints or parts.inside:
        return None
    if mail.kept_back or any(map(for_moderator.is_private, lines)) or any(map(for_moderator.is_all_private, lines)):
        return None
    if table.state is None or _may_order(table, entry, parts):
        return None
    is_moderators = mail.answers is not None and mail.answers.template == "told"
    to = writer(table, entry.seat, mail)
    if _is_to_another(table, mail, to) or (to is None and not (is_moderators and table.listener())):
        return None
    if to is not None and table.charter.press != "private":
        return _not_private(table, entry, to, lines[0])
    words = "\n".join(lines)
    press = Press("moderator", words) if to is None else Press((to,), words)
    return replace(entry, press=(press,), tried=False, not_read=(), more_not_read=0)


def _may_order(table: Table, entry: OrdersReceived, parts: Sorted) -> bool:
    """Say whether a line is read as an order, changes one, or is plainly meant as one."""
    found = table.ruleset.hear(table.state, entry.seat, parts.orders)
    if found.orders or found.offered or any(_is_meant(table, one.text) for one in found.complaints):
        return True
    is_new = nothing_on_hand(table, entry)
    return changes.hear(table, entry.seat, parts.orders, nothing_on_hand=is_new) is not None


def _is_meant(table: Table, text: str) -> bool:
    """Say whether what could not be read begins as an order does, or has a number and a name or a word of the game."""
    if not table.verbs or talk.begins(text, table.verbs - WORDS_OF_ALL):
        return True
    return any(token.kind == "number" for token in cut(text)) and not talk.is_of_no_game(table, text)


def _is_to_another(table: Table, mail: Received, to: Seat | None) -> bool:
    """Say whether a mail speaks to somebody else than whoever wrote what it answers: `Gwen, may Bo do that?`."""
    called = {
        word: seat for seat, label in table.labels().items() for word in chatter.words(label) if len(word) > 1
    } | {word: None for name in mail.names for word in chatter.words(name)}
    begins = (_ADDRESS.match(line.text.strip()) for line in (*mail.polite, *mail.said))
    spoken = {match["whom"].casefold() for match in begins if match}
    return any(called[word] != to for word in spoken & called.keys())


def _not_private(table: Table, entry: OrdersReceived, to: Seat, line: str) -> OrdersReceived | None:
    """Say that words for one player alone cannot go in a game whose press is public."""
    if table.charter.press == "none":
        return None
    because = (
        f"You answer what {table.label(to)} wrote to all, and press is public in this game, so I passed nothing on. "
        "Write press to all: and your words, or gm: for the moderator alone."
    )
    return replace(entry, complaints=(Complaint(0, line, "ambiguous", because),), tried=False)
