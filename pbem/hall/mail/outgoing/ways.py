"""Which way a letter goes: by mail, into the topic of its game, or into its reader's own thread on the forum."""

from pbem.hall.store.arena import Arena
from pbem.identity import game_letter
from pbem.table.outgoing.posts import FORUM
from pbem.world.index.forum import ThreadRow
from pbem.world.index.outgoing import Unsent

BY_MAIL = 5
"""Failures in a row after which letters for threads go by mail: a forum that is down keeps nobody's letters."""


class Ways:
    """The ways of letters as they are now; while a forum is down all go by mail, but for posts to it."""

    def __init__(self, arena: Arena) -> None:
        """Look up which threads there are."""
        is_there = arena.settings.forum is not None and arena.index.forum.times_away() < BY_MAIL
        self._bound = arena.index.forum.bound() if is_there else {}

    def thread(self, letter: Unsent) -> ThreadRow | None:
        """Return the thread that a letter goes to."""
        known = game_letter(letter.letter) if self._bound and letter.tries < BY_MAIL else None
        return self._bound.get((known.game, known.reader)) if known else None

    def is_by_mail(self, letter: Unsent) -> bool:
        """Say whether a letter goes by mail."""
        return not is_for_topic(letter.letter) and self.thread(letter) is None


def is_for_topic(letter: str) -> bool:
    """Say whether a letter is a post to the topic of its game."""
    return letter.endswith(f".{FORUM}")
