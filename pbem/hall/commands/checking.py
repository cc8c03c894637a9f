"""Checks a game's files as the next sweep will read them: the rulings of an edit, or what is wrong with it."""

from datetime import datetime

from pbem.ground.terms import GameName, WorldError
from pbem.hall.store import edits
from pbem.hall.store.arena import Arena


def check(arena: Arena, game: GameName, now: datetime) -> tuple[str, bool]:
    """Say in words whether a game's files are sound, and whether the game can go on; nothing is changed."""
    try:
        ledger = arena.read_game(game)
        edit = edits.hand_edit(ledger, now)
    except WorldError as error:
        return f"{game}: {error}", False
    if edit is None:
        return f"{game} is sound.", True
    ruled = "".join(f"\n  {ruling.show()}" for ruling in edit.rulings)
    return f"{game} is sound. {edits.FILE} was changed by hand; the next sweep rules:{ruled}", True
