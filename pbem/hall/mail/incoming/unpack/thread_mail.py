"""
What happens in the private threads of games, as mail: what their people write there, and what becomes of a thread.

All of it comes by the forum's door and is kept like any mail, so that a game learns of it in one way, once. A thread
that ever had a third reader is dead: who is in it is asked before it is read.
"""

import hashlib
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from functools import partial
from typing import Literal, TypeAlias

import msgspec

from pbem.ground.terms import ForumError, Mail
from pbem.hall.mail.incoming.unpack.forum_mail import (
    AFTERWARDS,
    DAILY,
    DOOR,
    EVERY,
    LARGEST,
    MOST_PAGES,
    Take,
    each_by_itself,
    mail_if_new,
)
from pbem.hall.mail.outgoing import forum_posts
from pbem.hall.store.arena import Arena
from pbem.letters import addressing, rendering
from pbem.world.forum.forum import Forum, ForumPost
from pbem.world.index.forum import ThreadRow

HEADER = "X-Pbem-Thread"
WRONG = (400, 422)
"""How forums answer where nobody is called so, or they take nothing from us."""
OPENINGS = 3
"""How often a thread is tried to be opened where they have another reason."""
LOST = (403, 404, 410)
"""How forums answer where a thread is there no more, or we are not in it."""
GONE, BROKEN = timedelta(minutes=15), timedelta(hours=2)
"""After how long a thread is dead that they say so of, and one that cannot be read for any other reason."""
FAILURES = 10
"""How often in a row it has to be tried meanwhile."""
MOST_THREADS = 100
"""How many threads are looked at between two sweeps, as far as the time for it allows."""

News: TypeAlias = Literal["wrote", "opened", "refused", "shared", "gone"]


class ThreadNews(msgspec.Struct, frozen=True, kw_only=True):
    """
    What a mail from a thread tells, beside its text: of which thread, and what.

    Shape: `role` is whose it is, "" for the moderator's, `nth` which one of it; `post` is the number of
    what somebody `wrote`, `created` when they first did, and `is_edit` where they have changed it since.
    """

    news: News
    game: str
    role: str
    nth: int
    topic: int = 0
    author: int = 0
    post: int = 0
    created: datetime
    is_edit: bool = False


def fetch(arena: Arena, forum: Forum, now: datetime, due: Mapping[str, datetime], take: Take) -> list[str]:
    """
    Have what is new in threads taken, each thread by itself; return troubles.

    As in topics, an edit moves nothing, so that all posts of a phase are read again each time. A thread counts as read
    once all that stood in it is taken, and what goes wrong with one is its own trouble, unless the forum is away.

    Shape: `due` are games that wait until their threads are read, with until when: these come first.
    """

    def failed(thread: ThreadRow, error: ForumError | None) -> None:
        arena.index.forum.note_failed(thread, now)
        if error and (news := _given_up(arena, thread, error, now)):
            take([_mail(thread, news, now, text=str(error))])

    rows = arena.index.forum.threads_to_read(now, EVERY, MOST_THREADS, due)
    return each_by_itself(arena, rows, lambda thread: _look(arena, forum, thread, now, take), failed, now)


def _given_up(arena: Arena, thread: ThreadRow, error: ForumError, now: datetime) -> News | None:
    """
    Say what becomes of a thread that could not be opened, or read; None where that is tried again.

    A forum that refuses everything for a while, as with a key that is wrong, says the same as one on which this thread
    alone is gone. So a thread that was open is given up only after a while in which the forum answered elsewhere.
    """
    if not thread.topic:
        is_final = error.code in WRONG or error.what == "queued" or thread.failed + 1 >= OPENINGS
        return "refused" if is_final else None
    patience = GONE if error.code in LOST else BROKEN
    is_long = thread.failed >= FAILURES and now.timestamp() - thread.failing >= patience.total_seconds()
    return "gone" if is_long and arena.index.forum.answered_since(thread.failing) else None


def read(mail: Mail) -> ThreadNews | None:
    """Read what a mail from the forum's door tells of a thread; None where it is of a topic."""
    said = BytesHeaderParser().parsebytes(mail.raw)[HEADER]
    return msgspec.json.decode("".join(str(said).split()), type=ThreadNews) if said else None


def opening(arena: Arena, game: str) -> str:
    """Return the text with which a thread of a game begins."""
    return rendering.render(arena.words, "posts/thread.j2", {"game": game, "arena": arena.settings.arena.name})


def _look(arena: Arena, forum: Forum, thread: ThreadRow, now: datetime, take: Take) -> None:
    """Have what is new of one thread taken, and note how far it was read."""
    me = forum.who()
    if not thread.topic:
        take([_opened(arena, forum, thread, me, now)])
        return
    if thread.was_shared or forum.threads.people(thread.topic) != {me, thread.author}:
        take([_mail(thread, "shared", now)])
        return
    found, first, last, is_shared = _read(arena, forum, thread, now)
    if is_shared:
        take([_mail(thread, "shared", now)])
        return
    if found and not take(found):
        return
    phase, is_over = arena.index.games.phase_of(thread.game)
    is_next = phase != thread.phase
    rest = AFTERWARDS if is_next or not is_over else thread.rest - 1
    # Where a phase has opened since, its posts begin on the last page; those of the one before are read on.
    page, mark = (min(thread.mark, first), last) if is_next else (first, min(thread.mark, last))
    noted = msgspec.structs.replace(thread, page=page, mark=mark, phase=phase, rest=rest)
    with arena.index.together():
        arena.index.forum.note_thread_read(noted, now, now + (DAILY - EVERY if is_over else timedelta(0)))
        arena.index.forum.note_answered(now)


def _opened(arena: Arena, forum: Forum, thread: ThreadRow, me: int, now: datetime) -> Mail:
    """Open a thread, unless it is open already."""
    name = addressing.name(arena.secret, thread.game, "thread", f"{thread.role} {thread.nth}")
    topic = forum.threads.find_opened(thread.title, name)
    if topic is None:
        body = forum_posts.dressed(thread.title, opening(arena, thread.game), name)
        arena.index.forum.leave_alone(now + forum.pace)
        topic = forum.threads.open_with(thread.account, thread.title, body, name)
    others = forum.threads.people(topic) - {me}
    if len(others) != 1 or min(others) < 0:
        return _mail(thread, "shared", now)
    return _mail(msgspec.structs.replace(thread, topic=topic, author=min(others)), "opened", now)


def _read(arena: Arena, forum: Forum, thread: ThreadRow, now: datetime) -> tuple[list[Mail], int, int, bool]:
    """
    Return what is new in a thread, its first page that was read and its last, and whether others were in it.

    Of very many pages the last are read; and the page before the wanted one, since posts move up when others go.
    """
    page = forum.threads.page(thread.topic, max(thread.page - 1, 1))
    if page.number < thread.page - 1:  # many have gone
        page = forum.threads.page(thread.topic, max(page.pages - 1, 1))
    first = min(thread.page, page.pages)
    found: list[Mail] = []
    for number in (page.number, *range(max(page.number + 1, page.pages - MOST_PAGES + 1), page.pages + 1)):
        page = page if number == page.number else forum.threads.page(thread.topic, number)
        if page.tells_of_others:
            return [], first, page.pages, True
        found += _fresh(arena, thread, page.posts, now)
    return found, first, page.pages, False


def _fresh(arena: Arena, thread: ThreadRow, posts: tuple[ForumPost, ...], now: datetime) -> Iterator[Mail]:
    for post in posts:
        if post.is_shown and post.author == thread.author and post.editor in (0, post.author):
            mail = mail_if_new(arena, post, partial(_written, thread), thread.game, thread.role, thread.nth)
            if mail:
                # some forums do not tell of an edit soon after the post, and what we have had in other words is one
                was_had = not post.editor and arena.index.games.has_taken(version_of(post.post))
                changed = post.updated if post.updated > post.created else now
                yield msgspec.structs.replace(mail, arrived=changed) if was_had else mail


def _written(thread: ThreadRow, post: ForumPost) -> Mail:
    return _mail(thread, "wrote", post.updated if post.editor else post.created, post=post)


def version_of(post: int) -> str:
    """Return by what versions of one post are known."""
    return f"post {post}"


def _mail(thread: ThreadRow, news: News, at: datetime, *, text: str = "", post: ForumPost | None = None) -> Mail:
    """Write news as a mail; of one version of a post always the same bytes."""
    told = ThreadNews(
        news=news,
        game=thread.game,
        role=thread.role,
        nth=thread.nth,
        topic=thread.topic,
        author=thread.author,
        post=post.post if post else 0,
        created=post.created if post else at.astimezone(UTC),
        is_edit=bool(post and post.editor),
    )
    message = EmailMessage()
    message["From"] = f"{thread.author}@forum.invalid"
    message["To"] = "thread@forum.invalid"
    message["Date"] = at
    about = f"{told.post}" if post else f"{news}.{thread.nth}"
    message["Message-ID"] = f"<{about}.{int(at.timestamp() * 1000)}@forum.invalid>"
    message[HEADER] = msgspec.json.encode(told).decode().replace(",", ", ")
    text = (post.text if post else text)[:LARGEST].encode("utf-8", "replace").decode()
    message.set_content(text, subtype="html" if post and post.is_html else "plain", cte="base64")
    raw = message.as_bytes()
    digest = hashlib.sha256(raw).hexdigest()
    return Mail(f"forum-thread-{about}-{at.timestamp():.0f}", at, digest, raw, DOOR)
