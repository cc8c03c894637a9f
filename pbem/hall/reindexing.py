"""The index made again from the games' folders: what it held is derived, and losing it loses nothing."""

from __future__ import annotations

from pbem.hall import ledger, post
from pbem.hall.arena import Arena
from pbem.terms import GameName


def reindex(arena: Arena) -> list[str]:
    """
    Fill the index again from the folders; return what could not be read, one sentence a game.

    All games are left busy, so that the next sweep visits each and finds what is owed.
    """
    arena.index.empty()
    troubles = []
    for game in arena.games():
        try:
            _index(arena, game)
        except Exception as error:  # noqa: BLE001  one broken game must not hide the others
            troubles.append(f"{game}: {error}")
    post.index_unsent(arena, "desk", "post")
    return troubles


def _index(arena: Arena, game: GameName) -> None:
    place = ("games", game)
    terms = ledger.read_charter(arena.shelf, place, arena.rulesets)
    seen: list[tuple[str, str]] = []
    for _, folded in ledger.phases(arena.shelf, place, arena.rulesets[terms.ruleset], terms, arena.seed(game)):
        keys = (getattr(step.entry, "key", "") for step in folded.fresh)
        seen += [(key, game) for key in keys if key]
        table = folded.table
    arena.index.put_down([arena.row(table, None)], seen)
    post.index_unsent(arena, "games", game, "post")
    arena.index.take_up([game])
