"""Games that stand still: why is told, and they are looked at again at each sweep."""

from datetime import datetime, timedelta

from pbem.hall.mail.outgoing import troubles
from pbem.hall.store.arena import Arena
from pbem.hall.sweep.swept import Swept
from pbem.world.shelf import UnsyncedError

DESK = "desk"
LOOK_AGAIN = timedelta(minutes=10)
"""How soon a game in trouble wakes us of itself."""


def stop_game(arena: Arena, swept: Swept, place: str, error: Exception, now: datetime) -> None:
    """
    Let a game stand still: tell its moderator, and look again at each sweep without being woken for it.

    What no game is to blame for, as a disk that fails, is no letter to each of their moderators.
    """
    trouble = troubles.describe(error)
    swept.still.add(place)
    if isinstance(error, UnsyncedError):
        swept.troubles += [] if trouble in swept.troubles else [trouble]
        swept.letters.setdefault(place, "")
    else:
        swept.troubles.append(f"{place}: {trouble}")
        swept.letters[place] = troubles.report(arena, place, error, now)
    arena.index.games.retry_at(place, now + LOOK_AGAIN)
