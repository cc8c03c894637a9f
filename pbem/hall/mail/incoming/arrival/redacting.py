"""Looks up what a moderator takes off the pages for everybody, so that the journal names it by its digest."""

import msgspec

from pbem.ground.terms import Complaint
from pbem.hall.store import published
from pbem.hall.store.ledger import Ledger
from pbem.table.fold.journal import RulingGiven
from pbem.table.rulings import Ruling
from pbem.table.rulings.redact import Redact

TAKEN_OFF = (
    "It is off the pages for everybody, and goes out of our posts on a forum. What letters have sent stays sent. "
    "So does what a mailing list has sent."
)
UNKNOWN = (
    "Nothing of that number was told to everybody. The pages show the number of press, or of a post, beside it; a "
    "power has its own, such as P03."
)


def named(ledger: Ledger, entry: RulingGiven) -> RulingGiven:
    """Return a moderator's entry with the digests of what it redacts; a line about what is not there is refused."""
    if not any(isinstance(ruling, Redact) for ruling in entry.rulings):
        return entry
    rulings: list[Ruling] = []
    complaints = list(entry.complaints)
    for ruling in entry.rulings:
        if not isinstance(ruling, Redact):
            rulings.append(ruling)
            continue
        found = published.texts(ledger.shelf, ledger.place, ledger.table.ruleset, ruling.what)
        if found:
            rulings.append(msgspec.structs.replace(ruling, digest=published.digest(found)))
        else:
            complaints.append(Complaint(0, ruling.show(), "illegal", UNKNOWN))
    is_done = any(isinstance(ruling, Redact) for ruling in rulings) and not entry.test
    note = f"{entry.note} {TAKEN_OFF * is_done}".strip()
    return msgspec.structs.replace(entry, rulings=tuple(rulings), complaints=tuple(complaints), note=note)
