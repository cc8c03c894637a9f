"""What a forum does for us, whatever its kind: topics are opened and replied to, and read page by page."""

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
    """A page of a topic, from 1, and how many there are."""

    number: int
    pages: int
    posts: tuple[ForumPost, ...]


class Place(msgspec.Struct, frozen=True):
    """Where a post of ours stands."""

    topic: int
    post: int


class Forum(Protocol):
    """
    A forum, in which we have an account of our own.

    Shape: a marker is a word that stands in one post of ours alone, at its end. `pace` is the least time between two
    posts. Errors: ForumError from everything that asks the forum; it says whether to come again, and when.
    """

    pace: timedelta

    def who(self) -> int:
        """Return our own number."""
        ...

    def open(self, title: str, body: str, marker: str) -> Place:
        """Open a topic."""
        ...

    def reply(self, topic: int, body: str) -> Place:
        """Post into a topic."""
        ...

    def find(self, marker: str, topic: int | None, pages: int = 2) -> Place | None:
        """Look for a post of ours on the last pages of a topic; without one for one that begins a topic of ours."""
        ...

    def page(self, topic: int, number: int) -> Page:
        """Read a page of a topic; behind the last page the last."""
        ...

    def amend(self, place: Place, body: str) -> None:
        """Put another text in the place of a post of ours."""
        ...


def find_back(forum: Forum, marker: str, topic: int, pages: int) -> Place | None:
    """Look for a post of ours in a topic, from its last page back."""
    page = forum.page(topic, 1 << 30)
    while True:
        found = next((one for one in page.posts if one.author == forum.who() and marker in one.text), None)
        pages -= 1
        if found or page.number <= 1 or pages <= 0:
            return Place(topic, found.post) if found else None
        page = forum.page(topic, page.number - 1)
