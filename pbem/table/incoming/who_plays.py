"""A moderator's mail that settles who plays: why, and what else it says, stays in the mail and is in no journal."""

import re

import msgspec

from pbem.table.fold.journal import RulingGiven
from pbem.table.incoming import moderator_lines
from pbem.table.incoming.moderator_cuts import BECAUSE
from pbem.table.model.table import Table
from pbem.table.rulings import Ruling, naming, replace
from pbem.table.rulings.invite_again import InviteAgain
from pbem.table.rulings.undo import Undo

LEFT_OUT = "What else your mail says, such as why, is kept in that mail alone: no journal and no report has it."
_PERSON = re.compile(rf"(?<![\w-]){naming.PERSON}(?![\w-])|{re.escape(naming.NOBODY)}")


def settles(ruling: Ruling) -> bool:
    """Say whether a ruling settles who plays."""
    return ruling.is_unprinted or (isinstance(ruling, InviteAgain) and ruling.person is not None)


def is_about(table: Table, entry: RulingGiven) -> bool:
    """Say whether a mail names a person, or rules who has a seat, or tries to."""
    texts = (*entry.said, *entry.passed, *(one.text for one in entry.complaints))
    refused = (moderator_lines.kind_of(one.text) for one in entry.complaints)
    return (
        any(kind.is_unprinted for kind in refused if kind)
        or any(_is_private(table, one) for one in entry.rulings)
        or any(map(_PERSON.search, texts))
    )


def without_reasons(table: Table, entry: RulingGiven) -> RulingGiven:
    """Keep the rulings of a mail and its lines that were refused, without why; nothing of its talk."""
    rulings = tuple(
        msgspec.structs.replace(one, because="") if _is_private(table, one) else one for one in entry.rulings
    )
    complaints = tuple(msgspec.structs.replace(one, text=_without_reason(one.text)) for one in entry.complaints)
    is_less = (rulings, complaints, ()) != (entry.rulings, entry.complaints, entry.passed)
    return msgspec.structs.replace(
        entry,
        rulings=rulings,
        complaints=complaints,
        passed=tuple(_without_reason(text) for text in entry.passed if _PERSON.search(text)),
        said=(*(one.show() for one in rulings), *(one.text for one in complaints)),
        note=" ".join(filter(None, (entry.note, LEFT_OUT * is_less))),
    )


def _is_private(table: Table, ruling: Ruling) -> bool:
    """Say whether no journal holds why a ruling was given: it settles who plays, or takes such a ruling back."""
    offered = {one.number for one in replace.offers(table).values()}
    return settles(ruling) or (isinstance(ruling, Undo) and ruling.number in offered)


def _without_reason(text: str) -> str:
    match = BECAUSE.search(text)
    return f"{text[: match.end()]} ..." if match else text
