"""
Posts to a forum, each exactly once: a topic a game, a post a thing that everybody may know.

Each ends with a marker, the name under which it is known here. What may have been posted, since an answer was lost or a
process died, is looked for by that before it is posted again. The posts of a game go in their order; one that the forum
does not take holds up those behind it, and nothing else.
"""

from datetime import datetime, timedelta
from itertools import groupby

from pbem.hall.mail.outgoing import sending
from pbem.hall.store import append_only, published
from pbem.hall.store.arena import Arena
from pbem.letters import multipart, writing
from pbem.letters.dresses import forum as dress
from pbem.terms import ForumError, GameName, ShelfError
from pbem.world.forum.forum import Forum
from pbem.world.index.outgoing import Unsent

NO_FORUM = "Posts wait for a forum, and settings.toml has no [forum]."
FAR = 50
"""How many pages back what may have been posted is looked for: people may have posted much since."""
OPENED = 8
"""By how many of a game's posts its topic is looked for again, the first of all before the latest."""
DENIED = timedelta(hours=1)
"""How long a game's posts wait where the forum does not let us post, or holds what we post."""


def send(arena: Arena, forum: Forum | None, now: datetime) -> list[str]:
    """Post what waits, at the pace of the forum; return troubles."""
    waiting = [letter for letter in arena.index.outgoing.to_send(now) if sending.is_for_forum(letter.letter)]
    if not waiting:
        return []
    if forum is None:
        return _all_wait(arena, waiting, now + DENIED, [NO_FORUM])
    if until := arena.index.forum.rests(now):
        return _all_wait(arena, waiting, until, [])
    troubles: list[str] = []
    for game, letters in groupby(sorted(waiting, key=_order), key=_game):
        try:
            for letter in letters:
                _post(arena, forum, game, letter, now)
                arena.index.forum.rest(now + forum.pace)
                return _all_wait(arena, waiting, now + forum.pace, troubles)
        except ForumError as error:
            troubles.append(f"{game}, on the forum: {error}")
            if error.what == "later":
                until = now + timedelta(seconds=error.pause)
                arena.index.forum.rest(until)
                return _all_wait(arena, waiting, until, troubles)
            _wait(arena, waiting, game, now)
        except ShelfError as error:
            troubles.append(str(error))
            _wait(arena, waiting, game, now)
    return troubles


def _all_wait(arena: Arena, waiting: list[Unsent], until: datetime, troubles: list[str]) -> list[str]:
    """Let all posts wait until then, so that nobody looks for them before; return the troubles."""
    arena.index.outgoing.postpone([letter.letter for letter in waiting], until)
    return troubles


def _wait(arena: Arena, waiting: list[Unsent], game: str, now: datetime) -> None:
    """Let the posts of one game wait."""
    arena.index.outgoing.postpone([letter.letter for letter in waiting if _game(letter) == game], now + DENIED)


def _post(arena: Arena, forum: Forum, game: str, letter: Unsent, now: datetime) -> None:
    """Post one thing, unless it stands there already, and note that."""
    raw = arena.shelf.read(*letter.place)
    name, title = writing.name_of(raw), writing.subject_of(raw)
    gone = published.redacted(arena.shelf, letter.place[:2], arena.ledger(GameName(game)).table.ruleset)
    body = dressed(title, published.without(multipart.text_of(raw), gone), name)
    topic = arena.index.forum.of(game) or _topic_again(arena, forum, letter)
    place = forum.find(name, topic, pages=FAR) if letter.in_doubt else None
    if place is None:
        arena.index.outgoing.mark_handed([letter.letter], handed=True)
        try:
            place = forum.open(title, body, name) if topic is None else forum.reply(topic, body)
        except ForumError as error:
            arena.index.outgoing.mark_handed([letter.letter], handed=error.is_lost)
            if error.what == "gone":  # deleted, or merged into another: the game goes on in a new one
                arena.index.forum.forget(game)
            raise
    if place.topic != topic:
        arena.index.forum.note(game, place.topic)
    line = {"letter": letter.letter, "at": now, "result": sending.DELIVERED, "settled": True}
    arena.shelf.append(append_only.encode("sent", line), *letter.place[:-2], "sent.toml")
    arena.index.outgoing.remove([letter.letter])


def dressed(title: str, text: str, name: str) -> str:
    """Dress what is posted: in a fence that nothing in it can end, and its name below."""
    return f"{dress.markdown(title, text)}\n`{name}`\n"


def _topic_again(arena: Arena, forum: Forum, letter: Unsent) -> int | None:
    """Find the topic of a game again, where the index has forgotten it, by a post with which it may begin."""
    settled = sending.settled_letters(arena, letter.place[:-2])
    ours = [one for one in settled if sending.is_for_forum(one)]
    first = [one for one in ours if one.split(".")[2] == "founded"]
    latest = sorted(set(ours) - set(first), key=lambda one: -int(one.split(".")[1]))
    for one in (*first, *latest)[:OPENED]:
        raw = arena.shelf.read(*letter.place[:-1], f"{one}.eml")
        if found := forum.find(writing.name_of(raw), None):
            arena.index.forum.note(_game(letter), found.topic)
            return found.topic
    return None


def _game(letter: Unsent) -> str:
    return letter.letter.partition(".")[0]


def _order(letter: Unsent) -> tuple[str, int]:
    return _game(letter), int(letter.letter.split(".")[1])
