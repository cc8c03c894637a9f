"""A moderator's reply to a player's words: passed on to that player alone, or to nobody where that is not certain."""

import re
from collections.abc import Sequence

import msgspec

from pbem import phrases
from pbem.table.incoming.player_mail import Received
from pbem.table.journal import OrdersReceived, RulingGiven, WordsPassedOn
from pbem.table.rulings.tell import Tell
from pbem.table.table import Table
from pbem.terms import Complaint, Seat

_HEADED = re.compile(
    r"(?:[-*>|~]\s*)?(?:press|tell|say|write|send|pass|to|cc|for|gm|mod|moderator|game master|private|public|note"
    r"|headline|story|all|everybody|everyone)\b[^:.!?]{0,60}:",
    re.IGNORECASE,
)
"""What begins a line that is meant for somebody or something else than the reply's reader, or might be."""
_GREETING = r"(?:(?:dear|hi|hello|hey|hallo|good (?:morning|day|evening)|thanks|thank you|@)[\s,]*)?"
_ALL = r"(?:all|everybody|everyone|folks|players|team|gentlemen|ladies)"
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
    said = next((one for one in table.log if one.number == letter.entry), None)
    if isinstance(said, WordsPassedOn):  # words of several players; whose are answered nobody can tell
        return _refused(entry, entry.passed[0], "You answer words of several. Write: to NAME: and then your words.")
    if not isinstance(said, OrdersReceived):
        because = "You answer words of an earlier phase, and I cannot tell whose. Write: to NAME: and then your words."
        return _refused(entry, entry.passed[0], because)
    name = table.label(said.seat)
    for line in entry.passed:
        if because := _is_for_others(table, said.seat, line):
            return _refused(entry, line, f"You answer words of {name}'s, and {because}. {_HOW.format(name)}")
    told = Tell(to=(said.seat,), text="\n".join(entry.passed))
    return msgspec.structs.replace(entry, rulings=(*entry.rulings, told), passed=())


def _is_for_others(table: Table, seat: Seat, line: str) -> str:
    """Say why a line may not be for a seat, or return ""."""
    said = phrases.clean(line)
    others = [re.escape(phrases.clean(label)) for other, label in table.labels().items() if other != seat]
    firsts = [re.escape(label.split()[0]) for other, label in table.labels().items() if other != seat and label.split()]
    called = re.compile(rf"{_GREETING}(?:{'|'.join([*others, *firsts, _ALL])})\s*(?:[,:!.\u2013-]|$)", re.IGNORECASE)
    if _HEADED.match(said):
        return "this line is headed as if it were for somebody or something else"
    if called.match(said):
        return "this line greets somebody else"
    if _AWAY.search(said):
        return "this line reads like what a mail program answers by itself"
    return ""


def _refused(entry: RulingGiven, line: str, because: str) -> RulingGiven:
    wrong = Complaint(0, line, "ambiguous", because)
    rest: Sequence[str] = [one for one in entry.passed if one != line]
    return msgspec.structs.replace(entry, complaints=(wrong,), passed=tuple(rest))
