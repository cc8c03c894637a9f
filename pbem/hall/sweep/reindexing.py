"""Makes the index again from the games' folders: all that it holds is derived, and losing it loses nothing."""

from collections.abc import Callable

from pbem.ground.terms import GameName
from pbem.hall.mail.incoming.desk import desk
from pbem.hall.mail.outgoing import sending
from pbem.hall.store import game_folder, ledger
from pbem.hall.store.arena import Arena
from pbem.world.index.counters import Counted, What


def reindex(arena: Arena, told: Callable[[int], object] = lambda _: None) -> list[str]:
    """
    Fill the index from the folders; return a sentence for each game that could not be read.

    All games are left busy, so that the next sweep visits each and finds what is owed; how many have been read is
    `told` as it goes on.
    """
    with arena.index.together():  # whatever ends us from here on, it is begun again, and every game will be visited
        arena.index.empty()
        arena.index.counters.put(_BEGUN, 1)
        arena.index.counters.reset([desk.NOTED])
        arena.index.games.mark_busy([*arena.games(), "desk"])
    troubles = []
    for number, game in enumerate(arena.games(), 1):
        try:
            with arena.index.together(soon=True):  # until the end, whoever is stopped begins anew
                _index(arena, game)
        except Exception as error:  # noqa: BLE001  one broken game must not hide the others
            troubles.append(f"{game}: {error}")
        told(number)
    try:
        with arena.index.together():
            desk.recover(arena)
    except Exception as error:  # noqa: BLE001  it stays busy, and the next sweep tells of it
        troubles.append(f"desk: {error}")
    arena.index.counters.reset([_BEGUN])
    return troubles


def begin(arena: Arena) -> None:
    """Note that an index is new, so that it is filled even if this process is killed before it has done that."""
    arena.index.counters.put(_BEGUN, 1)


def is_due(arena: Arena) -> bool:
    """
    Say whether the index has to be filled: it is new, or a process that was filling it did not finish.

    A process that was killed at the very beginning leaves an empty index beside games.
    """
    return arena.index.counters.value(_BEGUN) > 0 or (arena.index.games.is_empty() and bool(_games(arena)))


def make_whole(arena: Arena, told: Callable[[int], object] = lambda _: None) -> None:
    """
    Fill the index if that is due. If it is an older copy that was put back, have the next sweep recover the desk.

    The caller holds `sweep.lock`.
    """
    if is_due(arena):
        reindex(arena, told)
        arena.put_back = any(arena.shelf.exists("games", game, "post", "sent.toml") for game in _games(arena))
    elif desk.is_behind(arena):
        arena.index.games.mark_busy(["desk"])
    arena.is_whole = True


def _games(arena: Arena) -> list[GameName]:
    return [game for game in arena.games() if arena.has_game(game)]


_BEGUN = Counted(what=What.REINDEXING)


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
