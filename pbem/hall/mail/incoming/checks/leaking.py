"""A token that others have seen: it counts no more, and its owner is told."""

from pbem.hall.mail.incoming.arrival.arrival import Arrival
from pbem.hall.mail.incoming.desk.desk import Case, case
from pbem.table.fold.journal import TokenLeaked


def note(mail: Arrival, *, posted: bool = False) -> TokenLeaked | Case:
    """
    Let the token of a mail count no more; its owner is told, once for one of an older phase.

    Shape: `posted` where the mail was posted for everybody to read.
    """
    shown, table = mail.stolen or mail.role, mail.table
    assert shown
    seat = shown.seat if mail.stolen or mail.role is None else mail.role.key
    if shown.phase != table.number and table.leaks.get((seat or "", shown.phase)):
        return case(mail.parcel, "forged")
    return TokenLeaked(
        number=table.head + 1,
        noted=mail.now,
        seat=seat or "",
        phase=shown.phase,
        cause=mail.parcel.mail.digest,
        key=mail.key,
        posted=posted,
    )
