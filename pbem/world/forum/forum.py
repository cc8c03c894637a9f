"""What a forum does for us, whatever its kind: topics and private threads are opened, replied to, and read by pages."""

from datetime import datetime, timedelta
from typing import Protocol

import msgspec


class ForumPost(msgspec.Struct, frozen=True, kw_only=True):
    """
    A post as the forum shows it now.

    Shape: `author` is the number of whoever wrote it, which stays theirs whatever they are called; `editor` that of
    whoever changed it last, 0 for nobody, -1 where that is not told; `text` is HTML where `is_html`, else what they
    typed; `is_shown` unless it is hidden there, or waits for approval.
    Units: `created` and `updated` are the forum's stamps, in UTC.
    """

    topic: int
    post: int
    author: int
    name: str
    editor: int
    created: datetime
    updated: datetime
    text: str
    is_html: bool
    is_shown: bool = True


class Page(msgspec.Struct, frozen=True):
    """
    A page of a topic, from 1, and how many there are.

    Shape: `tells_of_others` where it says that somebody was let into a private thread, or has left it.
    """

    number: int
    pages: int
    posts: tuple[ForumPost, ...]
    tells_of_others: bool = False


class Place(msgspec.Struct, frozen=True):
    """Where a post of ours stands."""

    topic: int
    post: int


class Topics(Protocol):
    """
    What topics and private threads have in common: we post into them, and read them.

    Shape: a marker is a word that stands in one post of ours alone, at its end. Errors: ForumError from everything that
    asks the forum; it says whether to come again, and when.
    """

    def who(self) -> int:
        """Return our own number."""
        ...

    def reply(self, topic: int, body: str) -> Place:
        """Post into a topic."""
        ...

    def find(self, marker: str, topic: int, pages: int = 2) -> Place | None:
        """Look for a post of ours on the last pages of a topic."""
        ...

    def page(self, topic: int, wanted: int) -> Page:
        """Read a page of a topic; behind the last page the last."""
        ...


class Threads(Topics, Protocol):
    """The private threads of a forum, which those alone read who are in them; a topic is a thread here."""

    def open_with(self, name: str, title: str, body: str, marker: str) -> int:
        """Open a thread with somebody, and return its number. Errors: ForumError."""
        ...

    def find_opened(self, title: str, marker: str) -> int | None:
        """Look for a thread that we have opened."""
        ...

    def people(self, topic: int) -> frozenset[int]:
        """Return the numbers of all who are in a thread, ours among them; -1 for a group of people."""
        ...


class Forum(Topics, Protocol):
    """
    A forum, in which we have an account of our own.

    Shape: `pace` is the least time between two posts of ours, wherever they go; `threads` are its private ones.
    """

    pace: timedelta

    @property
    def threads(self) -> Threads:
        """The private threads there."""
        ...

    def open(self, title: str, body: str, marker: str) -> Place:
        """Open a topic."""
        ...

    def find_opened(self, marker: str) -> Place | None:
        """Look for a post that begins a topic of ours."""
        ...

    def amend(self, place: Place, body: str) -> None:
        """Put another text in the place of a post of ours."""
        ...


def find_back(forum: Topics, marker: str, topic: int, pages: int) -> Place | None:
    """Look for a post of ours in a topic, from its last page back."""
    last = forum.page(topic, 1 << 30)
    for number in range(last.number, max(last.number - pages, 0), -1):
        page = last if number == last.number else forum.page(topic, number)
        for post in page.posts:
            if post.author == forum.who() and marker in post.text:
                return Place(topic, post.post)
    return None
