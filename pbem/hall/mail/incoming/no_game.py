"""Mail that no game takes: a machine's, one without an address to answer, a stranger's."""

from itertools import islice
from typing import Literal

from pbem.hall.mail.incoming import barring
from pbem.hall.mail.incoming.desk import Case, case
from pbem.hall.mail.incoming.unpacking import Parcel
from pbem.hall.store.arena import Arena
from pbem.table import seating
from pbem.terms import GameName, WorldError

LOOKED_AT = 50
"""The most games that are looked at for one stranger's letter."""


def put_on_desk(arena: Arena, parcel: Parcel) -> Case:
    """Put a mail on the desk that no game of ours can take."""
    letter = parcel.letter
    barred = barring.why_barred(arena, letter, parcel.sender) or letter.automatic or barring.returned(arena, letter)
    if barred:
        return case(parcel, "bounce" if parcel.letter.kind == "bounce" else "automatic", said=barred)
    if not parcel.sender:
        return case(parcel, "unreadable")
    answer: Literal["unknown-game", "stranger"] = "unknown-game" if parcel.game else "stranger"
    return case(parcel, answer, answer=answer, to=parcel.sender, facts={"open_games": _open_games(arena)})


def _open_games(arena: Arena, most: int = 10) -> list[str]:
    """Return the games in which a person who was not invited can take a seat; no game that stands still."""
    waiting = sorted(row.name for row in arena.index.games.rows() if row.status == "sign-up")[:LOOKED_AT]
    return list(islice((name for name in waiting if _is_open(arena, GameName(name))), most))


def _is_open(arena: Arena, game: GameName) -> bool:
    try:
        return seating.open_seats(arena.ledger(game).table) > 0
    except WorldError:
        return False
