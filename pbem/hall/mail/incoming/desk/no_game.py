"""Mail that no game takes: a machine's, one without an address to answer, a stranger's."""

from itertools import islice

from pbem.ground.terms import GameName, WorldError
from pbem.hall.mail.incoming.desk.desk import Case, case
from pbem.hall.mail.incoming.unpack import barring
from pbem.hall.mail.incoming.unpack.unpacking import Parcel
from pbem.hall.mail.outgoing.views import Stranger, UnknownGame
from pbem.hall.store.arena import Arena
from pbem.table.model import seating

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
    games = _open_games(arena)
    if parcel.game:
        return case(parcel, "unknown-game", view=UnknownGame(open_games=games), to=parcel.sender)
    return case(parcel, "stranger", view=Stranger(open_games=games), to=parcel.sender)


def _open_games(arena: Arena, most: int = 10) -> tuple[str, ...]:
    """Return the games in which a person who was not invited can take a seat; no game that stands still."""
    waiting = sorted(row.name for row in arena.index.games.rows() if row.status == "sign-up")[:LOOKED_AT]
    return tuple(islice((name for name in waiting if _is_open(arena, GameName(name))), most))


def _is_open(arena: Arena, game: GameName) -> bool:
    try:
        return seating.open_seats(arena.ledger(game).table) > 0
    except WorldError:
        return False
