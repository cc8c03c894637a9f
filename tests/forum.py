"""A forum in memory, which outlives the processes that a test kills; it shows what was written as it was written."""

from collections.abc import Callable
from datetime import datetime, timedelta

import msgspec

from pbem.ground.terms import ForumError
from pbem.world.forum.forum import ForumPost, Page, Place

ARENA, GM = 1, 2
"""The numbers of our account, and of a moderator of the forum."""


class MemoryTopics:
    """Topics with their posts, and who is in each; of topics that are no threads everybody is."""

    def __init__(self, clock: Callable[[], datetime], numbers: dict[str, int], first: int) -> None:
        """Begin empty; topics are numbered from `first` on."""
        self.clock, self.numbers, self.first = clock, numbers, first
        self.titles: dict[int, str] = {}
        self.posts: dict[int, list[ForumPost]] = {}
        self.people_in: dict[int, frozenset[int]] = {}

    def who(self) -> int:
        """Return our number."""
        return ARENA

    def say(self, author: int, topic: int, text: str, *, is_html: bool = False) -> Place:
        """Let somebody post, which forums show as what was typed, or as HTML."""
        number = topic * 1000 + len(self.posts[topic])
        now = self.clock()
        post = ForumPost(
            topic=topic,
            post=number,
            author=author,
            name="",
            editor=0,
            created=now,
            updated=now,
            text=text,
            is_html=is_html,
        )
        self.posts[topic].append(post)
        return Place(topic, number)

    def edit(self, editor: int, place: Place, text: str) -> None:
        """Let somebody change a post."""
        posts = self.posts[place.topic]
        at = place.post % 1000
        posts[at] = msgspec.structs.replace(posts[at], text=text, editor=editor, updated=self.clock())

    def begin(self, title: str, body: str, people: frozenset[int]) -> int:
        """Begin a topic of ours."""
        topic = self.first + len(self.titles)
        self.titles[topic], self.posts[topic], self.people_in[topic] = title, [], people
        self.say(ARENA, topic, body)
        return topic

    def reply(self, topic: int, body: str) -> Place:
        """Post into a topic."""
        return self.say(ARENA, topic, body)

    def find(self, marker: str, topic: int, pages: int = 2) -> Place | None:
        """Look for a post of ours."""
        ours = (post for post in self.posts[topic] if post.author == ARENA and marker in post.text)
        return next((Place(topic, post.post) for post in ours), None)

    def page(self, topic: int, wanted: int) -> Page:
        """Read the one page of a topic."""
        return Page(1, 1, tuple(self.posts[topic]))


class MemoryThreads(MemoryTopics):
    """Private threads."""

    def open_with(self, name: str, title: str, body: str, marker: str) -> int:
        """Open a thread with somebody."""
        if name not in self.numbers:
            raise ForumError("The forum answered 400: nobody is called so", "denied", code=400)
        return self.begin(title, body, frozenset((ARENA, self.numbers[name])))

    def find_opened(self, title: str, marker: str) -> int | None:
        """Look for a thread of ours."""
        return next((topic for topic, posts in self.posts.items() if marker in posts[0].text), None)

    def people(self, topic: int) -> frozenset[int]:
        """Return who is in a thread."""
        return self.people_in[topic]


class MemoryForum(MemoryTopics):
    """A forum on which everybody may post as fast as they like."""

    pace = timedelta(0)

    def __init__(self, clock: Callable[[], datetime], *names: str) -> None:
        """Begin empty, with people."""
        numbers = {name: number for number, name in enumerate(names, 10)}
        super().__init__(clock, numbers, 1)
        self.threads = MemoryThreads(clock, numbers, 100)

    def open(self, title: str, body: str, marker: str) -> Place:
        """Open a topic."""
        topic = self.begin(title, body, frozenset())
        return Place(topic, self.posts[topic][0].post)

    def find_opened(self, marker: str) -> Place | None:
        """Look for a topic of ours."""
        first = (posts[0] for posts in self.posts.values() if marker in posts[0].text)
        return next((Place(post.topic, post.post) for post in first), None)

    def amend(self, place: Place, body: str) -> None:
        """Change a post of ours."""
        self.edit(ARENA, place, body)
