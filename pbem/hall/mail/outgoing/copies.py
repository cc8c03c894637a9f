"""
Posts to a mailing list, of which a copy comes back to us: so a post whose answer was lost is not said twice.

A letter to one person goes again where the mail server's answer never came: to read it twice does no harm. On a list
everybody would. The arena is on its lists itself, so a post that went comes back with the mark that it went out with,
which nobody can guess: then it is done. What may have gone, and did not come back within an hour, goes again; what went
and did not come back is told of, since the list may hold it for approval.
"""

from datetime import datetime

from pbem.ground.terms import ShelfError
from pbem.hall.mail.outgoing import bouncing, sending
from pbem.hall.store import append_only
from pbem.hall.store.arena import Arena
from pbem.letters import writing
from pbem.letters.reading import Letter

MISSING = (
    "A post went to the list of {}, and no copy of it came within an hour. Either the list holds it for approval, or "
    "the arena is not on the list, or gets no copies of its own posts. See pbem doctor."
)


def take(arena: Arena, letter: Letter, now: datetime) -> None:
    """Note that a mail is a copy of a letter of ours: if that is a post, it has reached its list."""
    name, _, mark = letter.copy_of.rpartition(".")
    if not name or not bouncing.is_mark(arena, name, mark) or arena.index.outgoing.note_copy(name):
        return
    for waiting in arena.index.outgoing.to_send():
        if sending.is_post(waiting.letter) and _name(arena, waiting.place) == name:
            line = {"letter": waiting.letter, "at": now, "result": sending.DELIVERED, "settled": True}
            arena.shelf.append(append_only.encode("sent", line), *waiting.place[:-2], "sent.toml")
            arena.index.outgoing.remove([waiting.letter])


def look(arena: Arena, now: datetime) -> None:
    """Tell of posts that have not come back."""
    missing = arena.index.outgoing.forget_posted(now - sending.FOR_COPY)
    games = sorted({one.partition(".")[0] for one in missing})
    arena.index.counters.note_odd([MISSING.format(game) for game in games], now)


def _name(arena: Arena, place: tuple[str, ...]) -> str:
    try:
        return writing.name_of(arena.shelf.read(*place))
    except ShelfError:
        return ""
