"""Games that an older release left open, as it wrote them: an arena around one, to go on with it under today's rules."""

import shutil
from pathlib import Path
from typing import Any

from pbem.hall.store import game_folder
from pbem.hall.store.catalogue import rulesets_known
from pbem.hall.sweep.reindexing import reindex
from pbem.testing.room import MODERATOR
from pbem.world.settings import templates
from pbem.world.shelf import Shelf
from tests.conftest import Room

SEED = "seed.txt"
_ENTRY = "[[entry]]\n"


def left_open(name: str, root: Path, *, entries: int = -1) -> Room:
    """
    Lay an arena around a copy of a game, a minute after its last phase opened.

    Shape: of that phase's journal so many entries are there, all if nothing is said. The players' addresses are their
    seats at example.org.
    """
    kept = Path(__file__).parent / name
    folder = root / "games" / name
    shutil.copytree(kept, folder, ignore=shutil.ignore_patterns(SEED))
    Shelf(root).write(bytes.fromhex((kept / SEED).read_text().strip()), "secrets", f"{name}.seed")
    journal = max(folder.glob("phase-*")) / "journal.toml"
    if entries >= 0:
        journal.write_text(_ENTRY.join(journal.read_text().split(_ENTRY)[: entries + 1]))
    room = Room(root, rulesets_known(), templates())
    room.usual = name
    start = game_folder.read_start(room.arena.shelf, ("games", name), journal.parent.name, _ruleset(room, name))
    for who in (MODERATOR, *(f"{one.seat}@example.org" for one in start.seats)):
        room.arena.people.admit(who)
    assert start.opened
    room.clock.advance(start.opened - room.clock.now())
    reindex(room.arena)
    return room


def _ruleset(room: Room, name: str) -> Any:
    return room.rulesets[game_folder.read_charter(room.arena.shelf, ("games", name), room.rulesets).ruleset]
