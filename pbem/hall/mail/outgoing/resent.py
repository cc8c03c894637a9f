"""Reports that are sent once more: the public part, with what their reader alone was told then and nobody else."""

import re

from pbem.ground.identity import GameLetter
from pbem.ground.terms import Facts, Seat, WorldError
from pbem.hall.store.arena import Arena
from pbem.hall.store.game_folder import folders, read_start
from pbem.letters import multipart
from pbem.table.fold.replay import Start
from pbem.table.model.table import Table
from pbem.table.outgoing.letter import reader_of


def reports(arena: Arena, table: Table, seat: Seat | None, wanted: str) -> list[Facts]:
    """
    Return the reports whose title has the wanted words, or the latest, as one reader had them.

    Without a number in the words it is the last of those: nobody is sent six rounds for `resend round`.

    Shape: `text` is the public part, or the moderator's whole letter; `private` what the seat alone was told, "" for
    nothing; `was_others` where somebody else held the seat then, whose own it stays.
    """
    place = ("games", table.charter.game)
    numbers = [
        int(match[1])
        for name in folders(arena.shelf, place)
        if (match := re.fullmatch(r"phase-([0-9]+)", name)) and arena.shelf.exists(*place, name, "report.txt")
    ]
    last = table.number if table.status == "over" else table.number - 1
    found = []
    for number in numbers:
        text = arena.shelf.read(*place, f"phase-{number:02d}", "report.txt").decode()
        if number <= last and (not wanted or _is_wanted(table, text, wanted)):
            found.append(_report(arena, table, seat, number, text))
    return found if re.search("[0-9]", wanted) else found[-1:]


def _is_wanted(table: Table, text: str, wanted: str) -> bool:
    """Say whether a report is of the phase that is meant: `round 1` is not Round 10."""
    title = " ".join(text.split()).removeprefix(f"[{table.charter.game}] ").partition(" to all players")[0]
    return bool(re.search(rf"\b{re.escape(wanted)}\b", title, re.IGNORECASE))


def _report(arena: Arena, table: Table, seat: Seat | None, number: int, text: str) -> Facts:
    place = ("games", table.charter.game)
    start = _start(arena, table, number + 1)
    row: Facts = {"text": text, "private": "", "was_others": False}
    if seat is None:
        if start:
            reader = reader_of(table, None, table.charter.moderator)
            letter = GameLetter(game=table.charter.game, entry=start.head, template="report", reader=reader)
            file = (*place, "post", "out", f"{letter}.eml")
            row["text"] = multipart.text_of(arena.shelf.read(*file)) if arena.shelf.exists(*file) else text
        return row
    own = (*place, f"phase-{number:02d}", "seats", f"{seat}.txt")
    if not arena.shelf.exists(*own):
        return row
    holder = next((one.person for one in start.seats if one.seat == seat), None) if start else None
    if holder != table.seats[seat].person:
        return row | {"was_others": True}
    return row | {"private": arena.shelf.read(*own).decode()}


def _start(arena: Arena, table: Table, number: int) -> Start | None:
    """Return the start of the phase that a report opened, which says who held the seats then; None if unreadable."""
    place = ("games", table.charter.game)
    try:
        return read_start(arena.shelf, place, f"phase-{number:02d}", table.ruleset)
    except WorldError:
        return None
