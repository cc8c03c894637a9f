"""Makes the index again from the games' folders: all that it holds is derived, and losing it loses nothing."""

import msgspec

from pbem.hall.mail.incoming import desk
from pbem.hall.mail.outgoing import sending
from pbem.hall.store import game_folder, ledger
from pbem.hall.store.arena import Arena
from pbem.terms import GameName


def reindex(arena: Arena) -> list[str]:
    """
    Fill the index from the folders; return a sentence for each game that could not be read.

    All games are left busy, so that the next sweep visits each and finds what is owed.
    """
    with arena.index.together():  # whatever ends us from here on, every game is in hand and will be visited
        arena.index.empty()
        arena.index.games.mark_busy(arena.games())
    troubles = []
    for game in arena.games():
        try:
            _index(arena, game)
        except Exception as error:  # noqa: BLE001  one broken game must not hide the others
            troubles.append(f"{game}: {error}")
    desk.recover(arena)
    return troubles


def _index(arena: Arena, game: GameName) -> None:
    """Put a game into the index, in hand from the first moment; opening it cuts a torn tail."""
    arena.index.games.mark_busy([game])
    arena.drop(game)
    held = arena.ledger(game)
    seen: list[tuple[str, str]] = []
    for folded in game_folder.phases(held.shelf, held.place, held.table.ruleset, held.charter, arena.seed(game)):
        seen += [(mark, game) for entry in folded.entries for mark in ledger.marks(entry)]
    arena.index.games.note_taken(seen)
    # without its stamp: the next sweep looks for all that is owed
    arena.index.games.store(msgspec.structs.replace(arena.row(held.table, None), stamp=""))
    sending.index_unsent(arena, *held.place, "post")
    arena.index.games.mark_busy([game])
