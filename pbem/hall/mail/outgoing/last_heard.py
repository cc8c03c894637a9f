"""When each seat was last heard: the arrival of its last mail, from the journals and what is about to be in them."""

from datetime import datetime

from pbem.ground.terms import GameName, Seat
from pbem.hall.store.arena import Arena
from pbem.hall.store.game_folder import folders, journals
from pbem.hall.store.ledger import Step
from pbem.table.fold.journal import Entry, OrdersReceived, SeatHandedOn, SeatTaken


def last_heard(arena: Arena, step: Step) -> dict[Seat, datetime]:
    """
    Return when the last mail of each seat arrived, up to a step; of a seat that was handed on, its new player's.

    Shape: seats of whom nothing came are left out.
    """
    game = step.after.charter.game
    place = ("games", game)
    read = journals(arena.shelf, place, list(folders(arena.shelf, place)), ruleset=step.after.ruleset)
    entries = {entry.number: entry for _, one in read for entry in one.entries}
    entries |= {one.entry.number: one.entry for one in arena.ledger(GameName(game)).fresh}
    found: dict[Seat, datetime] = {}
    for number in sorted(entries):
        if number <= step.entry.number:
            _note(found, entries[number])
    return found


def _note(found: dict[Seat, datetime], entry: Entry) -> None:
    if isinstance(entry, SeatTaken | SeatHandedOn):
        found[entry.seat] = entry.noted
    elif isinstance(entry, OrdersReceived):
        found[entry.seat] = max(found.get(entry.seat, entry.arrived), entry.arrived)
