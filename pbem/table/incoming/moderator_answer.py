"""A moderator's reply to a player's words: passed on to that player alone, or to nobody where that is not certain."""

import re
from collections.abc import Sequence

import msgspec

from pbem.ground.terms import Complaint, Seat
from pbem.language import phrases
from pbem.table.fold.journal import OrdersReceived, RulingGiven, SeatHandedOn
from pbem.table.incoming.received import Received
from pbem.table.model.table import Table
from pbem.table.rulings.tell import Tell

_ALL = re.compile(
    r"(?:(?:to|dear|hi|hello|hey|hallo|thanks|thank you|good \w+)\s+)?"
    r"(?:all|every(?:body|one)|folks|players|team|guys|others|friends|gentlemen|ladies)\s*(?:[,:!.]|$)"
    r"|(?:to|dear|hi|hello|hey|hallo)\s+(?:you\s+)?(?:all|every(?:body|one)|folks|players|team|guys|others)\b",
    re.IGNORECASE,
)
"""How a line begins that speaks to several."""
_NO_NAMES = frozenset(("the", "of", "and", "a", "an", "in", "is", "to", "dr", "mr", "mrs", "von", "van", "de", "la"))
"""Words in names by which nobody is called."""
NEAR = 4
"""Among so many words at the head of a line, or of what stands behind a comma, somebody else's name may be a call."""
HEAD = 3
"""So many words before a colon say for whom, or for what, the rest of a line is."""
_AWAY = re.compile(
    r"out of (?:the )?office|auto(?:matic|mated)?[- ]?(?:reply|response|answer)|abwesenheit|nicht im b\u00fcro"
    r"|absence du bureau|r\u00e9ponse automatique|fuori ufficio|fuera de la oficina|limited access to (?:my )?e-?mail"
    r"|(?:i am|i'm) (?:currently )?(?:away|on (?:vacation|holiday|leave))",
    re.IGNORECASE,
)
"""What answers by itself; whoever wrote it in person can say so again."""

_HOW = "Nothing of it was passed on. To say it to {0} alone, write: to {0}: and then your words."


def with_answer(table: Table, mail: Received, entry: RulingGiven) -> RulingGiven:
    """
    Pass the talk of a mail on to the player whose words it answers.

    Where a line is addressed to others, or may be, where it reads like what a mail program answers by itself, or where
    we cannot tell whose words these were, nothing is passed on and the moderator is told.
    """
    letter = mail.answers
    if not entry.passed or letter is None or letter.template != "words":
        return entry
    if entry.complaints or entry.test or any(ruling.is_talk for ruling in entry.rulings):
        return entry
    since = [one for one in (*mail.before, *table.log) if one.number >= letter.entry]
    said = next((one for one in since if one.number == letter.entry), None)
    if not isinstance(said, OrdersReceived):  # of words that waited, perhaps of several
        because = "I cannot tell whose words you answer. Write: to NAME: and then your words. Nothing was passed on."
        return _refused(entry, entry.passed[0], because)
    is_anothers = any(isinstance(one, SeatHandedOn) and one.seat == said.seat for one in since)
    if said.seat not in table.seats or is_anothers:
        return _refused(entry, entry.passed[0], "You answer words of somebody who has no seat any more.")
    name = table.label(said.seat)
    for line in entry.passed:
        if because := _is_for_others(table, said.seat, line):
            return _refused(entry, line, f"You answer words of {name}'s, and {because}. {_HOW.format(name)}")
    told = Tell(to=(said.seat,), text="\n".join(entry.passed))
    return msgspec.structs.replace(entry, rulings=(*entry.rulings, told), passed=())


def _is_for_others(table: Table, seat: Seat, line: str) -> str:
    """Say why a line may not be for a seat, or return ""."""
    said = phrases.clean(line).strip("-*>|~ ")
    head, colon, _ = said.partition(":")
    if said.startswith(("[", "(", "@")) or (
        colon and len(_words(head)) <= HEAD and not _words(head) <= _called(table, seat)
    ):
        return "this line is headed as if it were for somebody or something else"
    others = {name for other in table.seats if other != seat for name in _called(table, other)} - _called(table, seat)
    if _ALL.match(said) or any({*_listed(part)[:NEAR]} & others for part in said.split(",")):
        return "this line may speak to somebody else"
    if _AWAY.search(said):
        return "this line reads like what a mail program answers by itself"
    return ""


def _called(table: Table, seat: Seat) -> frozenset[str]:
    """Return the words by which people call a seat."""
    return (_words(table.label(seat)) | _words(table.seats[seat].name)) - _NO_NAMES


def _words(text: str) -> frozenset[str]:
    return frozenset(_listed(text))


def _listed(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", phrases.clean(text).casefold())


def _refused(entry: RulingGiven, line: str, because: str) -> RulingGiven:
    wrong = Complaint(0, line, "ambiguous", because)
    rest: Sequence[str] = [one for one in entry.passed if one != line]
    return msgspec.structs.replace(entry, complaints=(wrong,), passed=tuple(rest))
