"""What a phase opened with, once more: the opening of the game, or what is asked now behind the latest report."""

import msgspec

from pbem.ground.terms import Seat
from pbem.table.clock.game_terms import terms, unusual_rules
from pbem.table.model.table import Table
from pbem.table.outgoing.letter import asked, hand, opening_part
from pbem.table.requests.base import Answer
from pbem.table.requests.resend import Resent


def resent(table: Table, seat: Seat | None, found: Answer) -> Answer:
    """
    Add to an answer what its reader is asked now, as things stand, where no phase was named.

    Shape: form, set on hand and clock are those of today, so that an answer to it fits; reports come from the files.
    """
    view = found.view
    if not isinstance(view, Resent) or view.report_of:
        return found
    opens = table.number == 1 and table.status != "over"
    view = msgspec.structs.replace(view, is_latest=True, opens=opens)
    parts = {**found.parts, **(asked(table, seat) | hand(table, seat) if seat else {})}
    if opens:
        names, unusual = tuple(table.labels().values()), tuple(unusual_rules(table))
        view = msgspec.structs.replace(view, terms=terms(table), names=names, unusual=unusual)
        parts |= opening_part(table)
    return Answer(view, parts)
