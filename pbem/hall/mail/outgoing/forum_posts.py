"""
Posts to a forum, each exactly once: a topic a game, a thread a person who plays there, a post a letter.

Each ends with a marker, the name under which it is known here. What may have been posted, since an answer was lost or a
process died, is looked for by that before it is posted again. What goes to one place goes in its order; what the forum
does not take holds up those behind it, and nothing else. A letter for a thread that takes it not goes by mail.
"""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import groupby

from pbem.ground.terms import ForumError, GameName, Person, ShelfError
from pbem.hall.mail.outgoing import sending
from pbem.hall.mail.outgoing.ways import BY_MAIL, Ways, is_for_topic
from pbem.hall.store import append_only, published
from pbem.hall.store.arena import Arena
from pbem.letters import multipart, writing
from pbem.letters.dresses import forum as dress
from pbem.world.forum.forum import Forum, Place, Topics
from pbem.world.index.forum import ThreadRow
from pbem.world.index.outgoing import Unsent

NO_FORUM = "Posts wait for a forum, and settings.toml has no [forum]."
FAR = 50
"""How many pages back what may have been posted is looked for: people may have posted much since."""
OPENED = 8
"""By how many of a game's posts its topic is looked for again, the first of all before the latest."""
DENIED = timedelta(hours=1)
"""How long a game's posts wait where the forum does not let us post, or holds what we post."""
AGAIN = timedelta(minutes=2)
"""How long what waits for one place waits where that answered oddly."""
LONGEST = 20_000
"""Characters of a letter that goes into a thread: forums take little more."""
_TAG = re.compile(r"^(\[\S+)[^\]]*\]")


def send(arena: Arena, forum: Forum | None, now: datetime) -> list[str]:
    """
    Post one thing that waits, at the pace of the forum, at each place in turn; return troubles.

    What goes wrong at one place is its own trouble, unless the forum as a whole is away.
    """
    ways = Ways(arena, now)
    waiting = [letter for letter in arena.index.outgoing.to_send(now) if not ways.is_by_mail(letter)]
    if not waiting:
        return []
    if forum is None:
        return _all_wait(arena, waiting, now + DENIED, [NO_FORUM])
    if until := arena.index.forum.alone_until(now):
        return _all_wait(arena, waiting, until, [])
    troubles: list[str] = []
    for place, letters in _in_turn(arena, waiting, lambda letter: not ways.is_by_mail(letter)):
        try:
            for letter in letters:
                thread = ways.thread(letter)
                is_posted = _write(arena, forum, thread, letter, now) if thread else _post(arena, forum, letter, now)
                if is_posted:
                    arena.index.forum.note_turn(place, now)
                    arena.index.forum.leave_alone(now + forum.pace)
                    return _all_wait(arena, waiting, now + forum.pace, troubles)
        except ForumError as error:
            troubles.append(f"{place}, on the forum: {error}")
            if error.is_away:
                until = now + timedelta(seconds=error.pause)
                arena.index.forum.leave_alone(until)
                _count_tries(arena, ways, waiting, until)
                return _all_wait(arena, waiting, until, troubles)
            _all_wait(arena, letters, now + (AGAIN if error.what == "later" else DENIED), [])
            _count_tries(arena, ways, letters, now + AGAIN)
        except ShelfError as error:
            troubles.append(str(error))
            _all_wait(arena, letters, now + DENIED, [])
    return troubles


def _in_turn(arena: Arena, waiting: list[Unsent], to_forum: Callable[[Unsent], bool]) -> list[tuple[str, list[Unsent]]]:
    """
    Return what waits by place, in its order there; the place at which nothing was posted for longest comes first.

    A place at which something earlier has to wait longer is not among them.
    """
    turns = arena.index.forum.turns()
    first: dict[str, Unsent] = {}
    for letter in sorted(filter(to_forum, arena.index.outgoing.to_send()), key=_order):
        first.setdefault(_place(letter), letter)
    by_place = [(place, [*letters]) for place, letters in groupby(sorted(waiting, key=_order), key=_place)]
    ready = [one for one in by_place if one[1][0].letter == first[one[0]].letter]
    return sorted(ready, key=lambda one: turns.get(one[0], 0))


def _count_tries(arena: Arena, ways: Ways, letters: list[Unsent], until: datetime) -> None:
    """Count a try of letters for threads: after so many they go by mail."""
    arena.index.outgoing.retry_at((one.letter, until) for one in letters if ways.thread(one))


def _all_wait(arena: Arena, waiting: list[Unsent], until: datetime, troubles: list[str]) -> list[str]:
    """Let posts wait until then, so that nobody looks for them before; return the troubles."""
    arena.index.outgoing.postpone([letter.letter for letter in waiting], until)
    return troubles


def _post(arena: Arena, forum: Forum, letter: Unsent, now: datetime) -> bool:
    """Post one thing into the topic of its game, unless it stands there already, and note that."""
    game = _game(letter)
    raw = arena.shelf.read(*letter.place)
    name, title = writing.name_of(raw), writing.subject_of(raw)
    gone = published.redacted(arena.shelf, letter.place[:2], arena.ledger(GameName(game)).table.ruleset)
    body = dressed(title, published.without(multipart.text_of(raw), gone), name)
    topic = arena.index.forum.of(game) or topic_again(arena, forum, game)
    place = None
    if letter.in_doubt:
        place = forum.find(name, topic, pages=FAR) if topic else forum.find_opened(name)
    if place is None:
        arena.index.outgoing.mark_handed([letter.letter], handed=True)
        try:
            place = forum.open(title, body, name) if topic is None else forum.reply(topic, body)
        except ForumError as error:
            arena.index.outgoing.mark_handed([letter.letter], handed=error.is_lost)
            if error.what == "gone":  # deleted, or merged into another: the game goes on in a new one
                arena.index.forum.note(game, 0)
            raise
    if place.topic != topic:
        arena.index.forum.note(game, place.topic)
    _note(arena, letter, now)
    return True


def _write(arena: Arena, forum: Forum, thread: ThreadRow, letter: Unsent, now: datetime) -> bool:
    """
    Write a letter into its reader's thread, and note that; say whether it was written, for else it goes by mail.

    Who is in the thread is asked before each: nobody but the two of us ever reads it. Nor does a letter go there that
    is for another person, as for somebody who has taken over the seat since.
    """
    raw = arena.shelf.read(*letter.place)
    name, title = writing.name_of(raw), _TAG.sub(r"\1]", writing.subject_of(raw))
    body = dressed(title, multipart.text_of(raw), name)
    try:
        is_theirs = sending.recipient(raw) == arena.people.contact(Person(thread.person)).address
        if is_theirs and len(body) <= LONGEST and _is_ours(arena, forum, thread):
            if not (letter.in_doubt and forum.threads.find(name, thread.topic, pages=FAR)):
                _reply(arena, forum.threads, thread, letter, body)
            _note(arena, letter, now)
            return True
    except ForumError as error:
        if error.what == "later" or error.is_away:
            raise
    # As one that was tried so often it goes by mail (`ways`).
    arena.index.outgoing.hand_over(letter.letter, BY_MAIL, now)
    return False


def _is_ours(arena: Arena, forum: Forum, thread: ThreadRow) -> bool:
    """Say whether nobody is in a thread but us and its reader; where that is not so, it is looked at next."""
    if forum.threads.people(thread.topic) == {forum.who(), thread.author}:
        return True
    arena.index.forum.note_shared(thread)
    return False


def _reply(arena: Arena, topics: Topics, thread: ThreadRow, letter: Unsent, body: str) -> Place:
    arena.index.outgoing.mark_handed([letter.letter], handed=True)
    try:
        return topics.reply(thread.topic, body)
    except ForumError as error:
        arena.index.outgoing.mark_handed([letter.letter], handed=error.is_lost)
        raise


def _note(arena: Arena, letter: Unsent, now: datetime) -> None:
    """Note that a letter stands on the forum."""
    line = {"letter": letter.letter, "at": now, "result": sending.DELIVERED, "settled": True}
    arena.shelf.append(append_only.encode("sent", line), *letter.place[:-2], "sent.toml")
    arena.index.outgoing.remove([letter.letter])


def dressed(title: str, text: str, name: str) -> str:
    """Dress what is posted: in a fence that nothing in it can end, and its name below."""
    return f"{dress.markdown(title, text)}\nName of this post: `{name}`\n"


def topic_again(arena: Arena, forum: Forum, game: str) -> int | None:
    """Find the topic of a game again, where the index has forgotten it, by a post with which it may begin."""
    post = ("games", game, "post")
    settled = sending.settled_letters(arena, post)
    ours = [one for one in settled if is_for_topic(one)]
    first = [one for one in ours if one.split(".")[2] == "founded"]
    latest = sorted(set(ours) - set(first), key=lambda one: -int(one.split(".")[1]))
    for one in (*first, *latest)[:OPENED]:
        raw = arena.shelf.read(*post, "out", f"{one}.eml")
        if found := forum.find_opened(writing.name_of(raw)):
            arena.index.forum.note(game, found.topic)
            return found.topic
    return None


def _game(letter: Unsent) -> str:
    return letter.letter.partition(".")[0]


def _place(letter: Unsent) -> str:
    """Return where a letter goes: its game, and its reader there."""
    return f"{_game(letter)} {letter.letter.rpartition('.')[2]}"


def _order(letter: Unsent) -> tuple[str, int]:
    return _place(letter), int(letter.letter.split(".")[1])
