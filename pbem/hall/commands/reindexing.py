"""Makes the index again from the games' folders: all that it holds is derived, and losing it loses nothing."""

from collections.abc import Callable

from pbem.hall.mail.incoming import desk
from pbem.hall.mail.outgoing import sending
from pbem.hall.store import game_folder, ledger
from pbem.hall.store.arena import Arena
from pbem.terms import GameName


def reindex(arena: Arena, told: Callable[[int], object] = lambda _: None) -> list[str]:
    """
    Fill the index from the folders; return a sentence for each game that could not be read.

    All games are left busy, so that the next sweep visits each and finds what is owed; how many have been read is
    `told` as it goes on.
    """
    with arena.index.together():  # whatever ends us from here on, every game is in hand and will be visited
        arena.index.empty()
        arena.index.games.mark_busy(arena.games())
    troubles = []
    for number, game in enumerate(arena.games(), 1):
        try:
            with arena.index.together(soon=True):  # until the end, whoever is stopped begins anew
                _index(arena, game)
        except Exception as error:  # noqa: BLE001  one broken game must not hide the others
            troubles.append(f"{game}: {error}")
        told(number)
    with arena.index.together():
        desk.recover(arena)
    return troubles


def _index(arena: Arena, game: GameName) -> None:
    """Put a game into the index, in hand; opening it cuts a torn tail."""
    arena.drop(game)
    held = arena.ledger(game)
    seen: list[tuple[str, str]] = []
    for folded in game_folder.phases(held.shelf, held.place, held.table.ruleset, held.charter, arena.seed(game)):
        seen += [(mark, game) for entry in folded.entries for mark in ledger.marks(entry)]
    arena.index.games.note_taken(seen)
    # without stamps: the next sweep looks for all that is owed
    arena.index.games.store(arena.row(held.table, None, {}))
    sending.index_unsent(arena, *held.place, "post")
    arena.index.games.mark_busy([game])
