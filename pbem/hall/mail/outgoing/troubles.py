"""Troubles: letters that tell a moderator that their game stands still, that it broke us, or what pages leave out."""

import hashlib
import re
import traceback
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from pbem.ground.identity import ArenaLetter
from pbem.ground.terms import LetterError, Mail, Person, WorldError
from pbem.hall.mail.outgoing import arena_letters
from pbem.hall.mail.outgoing.views import LeftOut, SetAside, Trouble, Unwritten
from pbem.hall.store.arena import Arena
from pbem.hall.store.game_folder import folders
from pbem.hall.store.people import Contact
from pbem.letters import addressing
from pbem.world.index.counters import Counted, What

TRIES = 3
"""Sweeps in which a mail may break us before it is set aside."""
WORDS = 20
"""How many words that pages leave out are listed in one letter."""


def report(arena: Arena, game: str, error: Exception, now: datetime) -> str:
    """
    Tell a game's moderator that the game stands still, and what to do: for each trouble, once a day.

    Returns which letter tells it, or "" where none could be filed.
    """
    is_ours = not isinstance(error, WorldError) or isinstance(error, LetterError)
    mark = hashlib.sha256(f"{now:%Y-%m-%d} {game} {describe(error)}".encode()).hexdigest()[:16]
    return _tell_moderator(arena, game, mark, Trouble(said=describe(error), is_ours=is_ours), now)


def set_aside(arena: Arena, mail: Mail, game: str, error: Exception, now: datetime) -> bool:
    """
    Count a sweep in which a mail broke us; after the last, put it among the strays and tell the moderator.

    Shape: `game` is "" where the mail could not even be read; returns whether the mail is done with.
    """
    if arena.index.counters.increment(Counted(what=What.TRIES, about=mail.digest)) < TRIES:
        return False
    reason = f"broke us {TRIES} times: {describe(error)}\n"
    with arena.shelf.batch() as batch:
        batch.write(mail.raw, "in", f"{mail.digest}.eml", once=True)
        batch.write(reason.encode("utf-8", "replace"), "strays", f"{mail.digest}.txt", once=True)
    _tell_moderator(arena, game, mail.digest[:16], SetAside(said=describe(error), digest=mail.digest), now)
    return True


def report_unwritten(arena: Arena, game: str, letter: str, error: Exception, now: datetime) -> None:
    """Tell a game's moderator that a letter could not be written, and that another went out which says so."""
    arena.index.counters.note_odd([f"{game}: {letter} could not be written: {describe(error)}"], now)
    _tell_moderator(arena, game, letter, Unwritten(said=describe(error), letter=letter), now)


def report_left_out(arena: Arena, game: str, words: Sequence[str], now: datetime) -> None:
    """Tell a game's moderator which words that all players were told do not stand on the pages for everybody."""
    mark = hashlib.sha256(" ".join([game, *words]).encode("utf-8", "replace")).hexdigest()[:16]
    shown = tuple(words[:WORDS])
    _tell_moderator(arena, game, mark, LeftOut(words=shown, more=len(words) - len(shown)), now)


def describe(error: Exception) -> str:
    """
    Return what an error of the world says; of a fault of ours, its kind and place alone.

    A fault of ours may quote what a player wrote, and neither a log nor a moderator who plays may see that.
    """
    if isinstance(error, WorldError):
        return str(error) or type(error).__name__
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"


def _tell_moderator(
    arena: Arena, game: str, mark: str, view: Trouble | SetAside | Unwritten | LeftOut, now: datetime
) -> str:
    """File a letter to a game's moderator, whose answer reaches the game; return its identity, or "" for none."""
    identity = ArenaLetter(sort=view.template, about=mark, kind=game)
    moderator = _moderator(arena, game)
    if moderator is None:
        return ""
    if not arena.shelf.exists(*arena_letters.place(identity)):
        body = view.render(arena.words, game=game)
        token, to = _token(arena, game), moderator.address
        arena_letters.file_to_moderator(arena, identity, game, token, to, view.title, body, now)
    return str(identity)


def _token(arena: Arena, game: str) -> str:
    """Return the moderator's token in the phase whose folder is the last, since the game itself may be unreadable."""
    phases = folders(arena.shelf, ("games", game))
    return addressing.token(arena.secret, game, int(phases[-1].rpartition("-")[2]) if phases else 0, "moderator")


def _moderator(arena: Arena, game: str) -> Contact | None:
    """Find a game's moderator, even where its charter is no longer sound, or no longer TOML."""
    if not game:
        return None
    try:
        text = arena.shelf.read("games", game, "charter.toml").decode("utf-8", "replace")
        found = re.search(r'^moderator = "([^"\n]+)"', text, re.MULTILINE)
        return arena.people.contact(Person(found[1])) if found else None
    except WorldError:
        return None
