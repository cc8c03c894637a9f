"""Rulings: what a moderator may decide, one class each; adding one is one file, named here, and its test."""

from datetime import datetime
from typing import TypeAlias, get_args

import msgspec

from pbem.table.model.table import BaseRuling, Ruled, Table, Unreadable
from pbem.table.rulings.accept_late import AcceptLate
from pbem.table.rulings.again import Again
from pbem.table.rulings.approve import Approve
from pbem.table.rulings.begin import Begin
from pbem.table.rulings.close_now import CloseNow
from pbem.table.rulings.deadline import MoveDeadline
from pbem.table.rulings.deputy import Deputy
from pbem.table.rulings.do import Do
from pbem.table.rulings.eject import Eject, Unseat
from pbem.table.rulings.excuse import Excuse
from pbem.table.rulings.extend import Extend
from pbem.table.rulings.headline import Headline, Story
from pbem.table.rulings.hold import Hold
from pbem.table.rulings.invite import Invite
from pbem.table.rulings.invite_again import InviteAgain
from pbem.table.rulings.note import Note
from pbem.table.rulings.order import OrderFor
from pbem.table.rulings.overrule import Overrule
from pbem.table.rulings.pause import Pause, Resume
from pbem.table.rulings.redact import Redact
from pbem.table.rulings.replace import Replace
from pbem.table.rulings.set_fact import SetFact
from pbem.table.rulings.strike import Strike
from pbem.table.rulings.tell import Tell
from pbem.table.rulings.to_all import Now, ToAll
from pbem.table.rulings.undo import Undo
from pbem.table.rulings.uninvite import Uninvite

Ruling: TypeAlias = (
    Begin
    | Extend
    | MoveDeadline
    | Pause
    | Resume
    | CloseNow
    | Strike
    | OrderFor
    | AcceptLate
    | Excuse
    | Replace
    | InviteAgain
    | Invite
    | Uninvite
    | Eject
    | Unseat
    | Deputy
    | SetFact
    | Overrule
    | Do
    | Approve
    | Hold
    | Note
    | Headline
    | Story
    | Redact
    | ToAll
    | Tell
    | Now
    | Undo
    | Again
)

KINDS: tuple[type[Ruling], ...] = get_args(Ruling)
"""All rulings, in the order of the handbook."""


def carry_out(table: Table, ruling: Ruling, noted: datetime) -> Table:
    """
    Let one ruling act.

    Those that are printed are numbered through the game; one that was taken back, or fits no more since another was,
    only uses up its number. One that cannot be carried out any more, under newer rules, can be taken back, and does
    nothing; nor does the calendar until that is settled.
    """
    number = table.ruled + ruling.is_numbered
    table = msgspec.structs.replace(table, ruled=number)
    if ruling.is_numbered and number in table.undone:
        return table
    wrong = ruling.untimely(table) or ruling.unfit(table)
    if wrong:
        if wrong.fault == "illegal" and (table.undone or isinstance(ruling, Approve)):
            return table  # proofs may have been counted otherwise when it was given; it let its report out then
        lost = lost_ruling(ruling, number * ruling.is_numbered, wrong.because)
        table = msgspec.structs.replace(table, unread=(*table.unread, lost))
    if ruling.is_numbered:
        ruled = Ruled(number, table.number, ruling, at_proof=table.status == "closed" and not wrong)
        table = msgspec.structs.replace(table, rulings=(*table.rulings, ruled))
    return table if wrong else ruling.act(table, noted)


def lost_ruling(ruling: BaseRuling, number: int, because: str) -> Unreadable:
    """Name a ruling that cannot be carried out any more; the secret orders that one may quote are left out."""
    line = ruling.show()
    name = line if ruling.reported() == line else ruling.verb()
    if not number:
        return Unreadable(name, "", line, because)
    return Unreadable(f"ruling {number}, {name}", f"undo {number}", line, because)
