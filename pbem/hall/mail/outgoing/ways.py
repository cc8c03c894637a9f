"""Which way a letter goes: by mail, into the topic of its game, or into its reader's own thread on the forum."""

from datetime import datetime, timedelta

from pbem.ground.identity import game_letter
from pbem.hall.store.arena import Arena
from pbem.table.outgoing.posts import FORUM
from pbem.world.index.forum import ThreadRow
from pbem.world.index.outgoing import Unsent

BY_MAIL = 5
"""Tries after which a letter for a thread goes by mail."""
LATE = timedelta(minutes=15)
"""How long one waits for its thread, whatever the reason: a forum that is down, or busy, keeps nobody's letters."""


class Ways:
    """The ways of letters as they are now; where there is no forum all go by mail, but for posts to it."""

    def __init__(self, arena: Arena, now: datetime) -> None:
        """Look up which threads there are."""
        self._bound = arena.index.forum.bound() if arena.settings.forum else {}
        self._late = now - LATE

    def thread(self, letter: Unsent) -> ThreadRow | None:
        """Return the thread that a letter goes to."""
        is_late = letter.tries >= BY_MAIL or (letter.filed is not None and letter.filed < self._late)
        known = game_letter(letter.letter) if self._bound and not is_late else None
        return self._bound.get((known.game, known.reader)) if known else None

    def is_by_mail(self, letter: Unsent) -> bool:
        """Say whether a letter goes by mail."""
        return not is_for_topic(letter.letter) and self.thread(letter) is None


def is_for_topic(letter: str) -> bool:
    """Say whether a letter is a post to the topic of its game."""
    return letter.endswith(f".{FORUM}")
