"""What comes by a button in a letter: orders of its phase and words to the moderator, and nothing else."""

import msgspec

from pbem.ground.terms import Complaint
from pbem.table.fold.journal import OrdersReceived
from pbem.table.model.table import Table

NOT_BY_BUTTON = "A button takes orders, and gm: words to the moderator. For this, reply to the letter itself."
OVER = "This button was for a phase that is over. Reply to the newest letter."


def restricted(table: Table, entry: OrdersReceived) -> OrdersReceived:
    """Return the entry of a mail that came by a button without what no button does; each such thing is refused."""
    is_over = entry.phase != table.number
    to_moderator = tuple(one for one in entry.press if one.to == "moderator" and not is_over)
    refused = [Complaint(0, request.word(), "illegal", NOT_BY_BUTTON) for request in entry.requests]
    for one in entry.press:
        if one not in to_moderator:
            word = "gm" if one.to == "moderator" else "press"
            refused.append(Complaint(0, f"{word}: {one.text}", "illegal", OVER if is_over else NOT_BY_BUTTON))
    return msgspec.structs.replace(
        entry, requests=(), press=to_moderator, asides=(), held=(), complaints=(*entry.complaints, *refused)
    )
