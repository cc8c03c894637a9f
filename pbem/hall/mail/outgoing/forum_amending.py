"""Takes out of our posts on a forum what a moderator redacts, and puts it back: the one change of a post of ours."""

from datetime import datetime, timedelta

from pbem.ground.terms import ForumError, GameName, WorldError
from pbem.hall.mail.outgoing import forum_posts, ways
from pbem.hall.store import published
from pbem.hall.store.arena import Arena
from pbem.letters import multipart, writing
from pbem.world.forum.forum import Forum

ALL = 1 << 20
"""How many pages of a topic are looked through for an old post."""


def amend(arena: Arena, forum: Forum | None, now: datetime) -> list[str]:
    """
    Change one post that is not as it is to be; return troubles.

    To change it twice does no harm, so that nothing has to be known of what a process before us did.
    """
    if forum is None or arena.index.forum.alone_until(now):
        return []
    for game in arena.index.forum.amending():
        try:
            if _amend_one(arena, forum, GameName(game)):
                arena.index.forum.leave_alone(now + forum.pace)
                return []
        except ForumError as error:
            arena.index.forum.leave_alone(now + timedelta(seconds=error.pause))
            return [f"{game}, on the forum: {error}"]
        except WorldError as error:
            return [str(error)]
    return []


def _amend_one(arena: Arena, forum: Forum, game: GameName) -> bool:
    """Change the first post of a game that has to be changed; say whether there was one."""
    place = ("games", game)
    gone = published.redacted(arena.shelf, place, arena.ledger(game).table.ruleset)
    topic = arena.index.forum.of(game)
    out = (*place, "post", "out")
    for letter in (name.removesuffix(".eml") for name in arena.shelf.names(*out)):
        if not ways.is_for_topic(letter) or topic is None:
            continue
        raw = arena.shelf.read(*out, f"{letter}.eml")
        said = multipart.text_of(raw)
        shown = published.without(said, gone)
        digest = published.digest([shown])
        if digest == (arena.index.forum.amended(letter) or published.digest([said])):
            continue
        name, title = writing.name_of(raw), writing.subject_of(raw)
        stands = forum.find(name, topic, pages=ALL)
        if stands:
            forum.amend(stands, forum_posts.dressed(title, shown, name))
            arena.index.forum.note_amended(letter, digest)
            return True
    arena.index.forum.forget_amending(game)
    return False
