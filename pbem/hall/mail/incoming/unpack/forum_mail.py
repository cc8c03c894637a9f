"""What people post into the topics of games, as mail: each version of a post is one, as it stood there."""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import TypeAlias, TypeVar

import msgspec

from pbem.ground.terms import ForumError, Mail
from pbem.hall.mail.outgoing import forum_posts
from pbem.hall.mail.outgoing.troubles import describe
from pbem.hall.store.arena import Arena
from pbem.world.forum.forum import Forum, ForumPost
from pbem.world.index.forum import ThreadRow, Topic

Take: TypeAlias = Callable[[Sequence[Mail]], bool]
"""Takes mails; says whether it could take all of them."""
P = TypeVar("P", Topic, ThreadRow)

EVERY = timedelta(minutes=1)
"""How often a topic is looked at, at most."""
MOST = 10
"""How many topics are looked at between two sweeps."""
MOST_PAGES = 20
"""How many pages of a topic are read at once: whoever floods it keeps nobody waiting."""
LONGEST = 10
"""Seconds after which a slow forum is asked for no further topic, since games wait meanwhile."""
DAILY = timedelta(days=1)
AFTERWARDS = 14
"""How often the topic of a game that is over is looked at, and how many times: people have something to say."""
DOOR = "forum"
"""What mail is marked with that comes from there; nobody can write that into a mail."""
HEADER = "X-Pbem-Forum"
LARGEST = 60_000
"""Characters of a post that are read."""
REMEMBERED = 100_000
"""Of how many versions of posts an arena remembers that they were taken, in some ten megabytes."""


def fetch(arena: Arena, forum: Forum, now: datetime, take: Take) -> list[str]:
    """
    Have what is new in topics taken, each topic by itself; return troubles.

    An edit moves nothing to the end of its topic, so that all posts of a phase are read again each time; what we have
    had is known by its bytes. What somebody else has changed than its writer is nobody's.
    """

    def failed(topic: Topic, error: ForumError | None) -> None:
        is_soon = error is None or error.what == "later"
        arena.index.forum.note_read(topic, now + (timedelta(0) if is_soon else timedelta(hours=1)))

    topics = arena.index.forum.to_read(now, EVERY, MOST)
    return each_by_itself(arena, topics, lambda topic: _look(arena, forum, topic, now, take), failed, now)


def each_by_itself(
    arena: Arena,
    places: Iterable[P],
    look: Callable[[P], None],
    failed: Callable[[P, ForumError | None], None],
    now: datetime,
) -> list[str]:
    """
    Look at topics or threads one after the other, as far as there is time; return troubles.

    What goes wrong at one is its own trouble, and `failed` is told, unless the forum as a whole is away.
    """
    troubles: list[str] = []
    began = arena.steady()
    for place in places:
        if arena.steady() - began > LONGEST or arena.index.forum.alone_until(now):
            break
        try:
            look(place)
        except ForumError as error:
            troubles.append(f"{place.game}, on the forum: {error}")
            if error.is_away:
                arena.index.forum.leave_alone(now + timedelta(seconds=error.pause))
                break
            failed(place, error)
        except Exception as error:  # noqa: BLE001  whatever is wrong with one, the others are read
            troubles.append(f"{place.game}, on the forum: {describe(error)}")
            failed(place, None)
    return troubles


def _look(arena: Arena, forum: Forum, topic: Topic, now: datetime, take: Take) -> None:
    """Have what is new in one topic taken, and note how far it was read."""
    number = topic.topic or forum_posts.topic_again(arena, forum, topic.game)
    if number is None:
        arena.index.forum.note_read(topic, now + timedelta(hours=1))
        return
    fresh, last = _read(arena, forum, number, topic.page)
    arena.index.forum.note_answered(now)
    if fresh and not take(fresh):
        return
    phase, is_over = arena.index.games.phase_of(topic.game)
    if is_over and phase == topic.phase and topic.rest <= 0:
        arena.index.forum.leave(topic.game)
        return
    is_new = phase != topic.phase
    rest = AFTERWARDS if is_new else topic.rest - is_over
    read = msgspec.structs.replace(topic, page=last if is_new else topic.page, phase=phase, rest=rest)
    arena.index.forum.note_read(read, now + (DAILY - EVERY if is_over else timedelta(0)))


def _read(arena: Arena, forum: Forum, topic: int, wanted: int) -> tuple[list[Mail], int]:
    """Return what is new in a topic from a page on, and its last page; of very many pages only the last."""
    page = forum.page(topic, wanted)
    found: list[Mail] = []
    for number in (page.number, *range(max(page.number + 1, page.pages - MOST_PAGES + 1), page.pages + 1)):
        page = page if number == page.number else forum.page(topic, number)
        found += _fresh(arena, forum, page.posts)
    return found, page.pages


def _fresh(arena: Arena, forum: Forum, posts: tuple[ForumPost, ...]) -> Iterator[Mail]:
    me = forum.who()
    for post in posts:
        counts = post.is_shown and post.author != me and post.editor in (0, post.author)
        if counts and (mail := mail_if_new(arena, post, as_mail)):
            yield mail


def mail_if_new(arena: Arena, post: ForumPost, as_mail: Callable[[ForumPost], Mail], *thread: object) -> Mail | None:
    """
    Return a version of a post as a mail; None if it was taken before, or put with the strays.

    Shape: `thread` is what its mail has from the thread that it stands in. An arena remembers which versions were
    taken, since all of a phase are looked at each time, and to write one as a mail takes a hundred times as long.
    """
    version = hashlib.sha256(repr((post, *thread)).encode()).digest()
    if version in arena.posts_taken:
        return None
    mail = as_mail(post)
    if arena.index.games.has_taken(mail.digest):
        if len(arena.posts_taken) >= REMEMBERED:
            arena.posts_taken.clear()
        arena.posts_taken.add(version)
        return None
    return None if arena.shelf.exists("strays", f"{mail.digest}.txt") else mail


def numbers(mail: Mail) -> tuple[int, int, int]:
    """Return the numbers of topic, post and writer."""
    found = re.search(rf"^{HEADER}: (\d+) (\d+) (-?\d+)\r?$".encode(), mail.raw.partition(b"\n\n")[0], re.MULTILINE)
    assert found, "mail from a forum that we did not write"
    topic, post, author = map(int, found.groups())
    return topic, post, author


def as_mail(post: ForumPost) -> Mail:
    """Write a version of a post as a mail: the same bytes for the same version."""
    message = EmailMessage()
    message["From"] = f"{post.author}@forum.invalid"
    message["To"] = "topic@forum.invalid"
    message["Date"] = post.updated
    message["Message-ID"] = f"<{post.post}.{int(post.updated.timestamp() * 1000)}@forum.invalid>"
    message[HEADER] = f"{post.topic} {post.post} {post.author}"
    text = post.text[:LARGEST].encode("utf-8", "replace").decode()  # JSON can hold halves of characters
    message.set_content(text, subtype="html" if post.is_html else "plain", cte="base64")
    raw = message.as_bytes()
    arrived = post.updated if post.editor else post.created
    return Mail(f"forum-{post.post}-{arrived.timestamp():.0f}", arrived, hashlib.sha256(raw).hexdigest(), raw, DOOR)
