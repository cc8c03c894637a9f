"""
What happens in the private threads of games, as mail: what their people write there, and what becomes of a thread.

All of it comes by the forum's door and is kept like any mail, so that a game learns of it in one way, once. A thread
that ever had a third reader is dead: who is in it is asked before it is read.
"""

import hashlib
from collections.abc import Collection, Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from typing import Literal, TypeAlias

import msgspec

from pbem.hall.mail.incoming.forum_mail import (
    AFTERWARDS,
    DAILY,
    DOOR,
    EVERY,
    LARGEST,
    LONGEST,
    MOST,
    MOST_PAGES,
    is_new,
)
from pbem.hall.mail.outgoing import forum_posts
from pbem.hall.store.arena import Arena
from pbem.letters import addressing, rendering
from pbem.terms import ForumError, Mail
from pbem.world.forum.forum import Forum, ForumPost
from pbem.world.index.forum import ThreadRow

HEADER = "X-Pbem-Thread"
WRONG = (400, 422)
"""How forums answer where nobody is called so, or they take nothing from us."""
LOST = (403, 404, 410)
"""How forums answer where a thread is there no more, or we are not in it."""

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


def fetch(arena: Arena, forum: Forum, now: datetime, due: Collection[str]) -> tuple[list[Mail], list[str]]:
    """
    Return what is new in threads, and troubles; those of games that are due are read whatever else waits.

    As in topics, an edit moves nothing, so that all posts of a phase are read again each time.
    """
    found: list[Mail] = []
    if arena.index.forum.rests(now):
        return found, []
    began = arena.steady()
    for thread in arena.index.forum.threads_to_read(now, EVERY, MOST, due):
        if arena.steady() - began > LONGEST:
            break
        try:
            found += _news(arena, forum, thread, now)
            arena.index.forum.note_here()
        except ForumError as error:
            troubles = [f"{thread.game}, in a thread on the forum: {error}"]
            if error.what == "later":
                arena.index.forum.note_away(now + timedelta(seconds=error.pause))
                return found, troubles
            arena.index.forum.note_thread_read(thread, now + timedelta(hours=1))
            return found, troubles
        if arena.index.forum.rests(now):  # one was opened
            break
    return found, []


def read(mail: Mail) -> ThreadNews | None:
    """Read what a mail from the forum's door tells of a thread; None where it is of a topic."""
    said = BytesHeaderParser().parsebytes(mail.raw)[HEADER]
    return msgspec.json.decode("".join(str(said).split()), type=ThreadNews) if said else None


def opening(arena: Arena, game: str) -> str:
    """Return the text with which a thread of a game begins."""
    return rendering.render(arena.words, "posts/thread.j2", {"game": game, "arena": arena.settings.arena.name})


def _news(arena: Arena, forum: Forum, thread: ThreadRow, now: datetime) -> list[Mail]:
    """Return what is new of one thread, and note how far it was read."""
    me = forum.who()
    if not thread.topic:
        return [_opened(arena, forum, thread, me, now)]
    try:
        if forum.threads.people(thread.topic) != {me, thread.author}:
            return [_mail(thread, "shared", now)]
        found, last, is_shared = _read(arena, forum, thread)
    except ForumError as error:
        if error.code not in LOST:
            raise
        return [_mail(thread, "gone", now)]
    if is_shared:
        return [_mail(thread, "shared", now)]
    phase, is_over = arena.index.games.phase_of(thread.game)
    is_next = phase != thread.phase
    rest = AFTERWARDS if is_next or not is_over else thread.rest - 1
    page, mark = (thread.mark, last) if is_next else (thread.page, thread.mark)
    noted = msgspec.structs.replace(thread, page=page, mark=mark, phase=phase, rest=rest)
    arena.index.forum.note_thread_read(noted, now + (DAILY - EVERY if is_over else timedelta(0)))
    return found


def _opened(arena: Arena, forum: Forum, thread: ThreadRow, me: int, now: datetime) -> Mail:
    """Open a thread, unless it is open already; what the forum has against it is told to whoever asked for it."""
    name = addressing.name(arena.secret, thread.game, "thread", f"{thread.role} {thread.nth}")
    topic = forum.threads.find_opened(thread.title, name)
    if topic is None:
        body = forum_posts.dressed(thread.title, opening(arena, thread.game), name)
        try:
            topic = forum.threads.open_with(thread.account, thread.title, body, name)
        except ForumError as error:
            if error.code not in WRONG and error.what != "queued":
                raise
            arena.index.forum.note_thread_read(thread, now)
            return _mail(thread, "refused", now, text=str(error))
        arena.index.forum.rest(now + forum.pace)
    arena.index.forum.note_thread_read(thread, now)
    others = forum.threads.people(topic) - {me}
    if len(others) != 1 or min(others) < 0:
        return _mail(thread, "shared", now)
    return _mail(msgspec.structs.replace(thread, topic=topic, author=min(others)), "opened", now)


def _read(arena: Arena, forum: Forum, thread: ThreadRow) -> tuple[list[Mail], int, bool]:
    """Return what is new in a thread, its last page, and whether others were in it; of very many pages the last."""
    found: list[Mail] = []
    number = thread.page
    while True:
        page = forum.threads.page(thread.topic, number)
        if page.tells_of_others:
            return [], page.pages, True
        found += _fresh(arena, thread, page.posts)
        if page.number >= page.pages:
            return found, page.pages, False
        number = max(page.number + 1, page.pages - MOST_PAGES + 1)


def _fresh(arena: Arena, thread: ThreadRow, posts: tuple[ForumPost, ...]) -> Iterator[Mail]:
    for post in posts:
        if post.is_shown and post.author == thread.author and post.editor in (0, post.author):
            mail = _mail(thread, "wrote", post.updated if post.editor else post.created, post=post)
            if is_new(arena, mail):
                yield mail


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
