"""The door to a Misago forum, by the API that its own pages use."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from pbem.terms import ForumError
from pbem.world.forum.calls import Calls, readable, understood
from pbem.world.forum.forum import ForumPost, Page, Place, find_back

FLOOD = 4
"""Seconds between two posts of one account: the forum refuses what comes within three, in words alone."""
FEED = 20
"""How many pages of our own topics are looked through for one, the newest first."""


class Misago:
    """
    A forum with an account of ours, in one category of it.

    Others' posts are read as HTML, since the forum shows what was typed to nobody else. Errors: ForumError.
    """

    pace = timedelta(seconds=FLOOD)

    def __init__(self, url: str, user: str, secret: Callable[[], str], category: int, patience: float = 20) -> None:
        """Log in at the first call; `secret` gives the password then."""
        self._calls = Calls(url, patience)
        self._user, self._secret, self._category = user, secret, category
        self._me = 0

    @understood
    def who(self) -> int:
        """Return our own number; log in where nobody is."""
        if not self._me:
            self._calls.visit()  # brings the cookie that each POST has to repeat
            self._post("api/auth/", {"username": self._user, "password": self._secret()})
            self._me = int(self._calls.ask("GET", "api/auth/").get("id") or 0)
            if not self._me:
                raise ForumError("The forum does not know us after our login.", "denied")
        return self._me

    @understood
    def open(self, title: str, body: str, marker: str) -> Place:
        """Open a topic."""
        self.who()
        try:
            made = self._post("api/threads/", {"category": self._category, "title": title, "post": body})
        except ForumError as error:
            raise _flooded(error) from None
        return Place(int(made["id"]), 0)

    @understood
    def reply(self, topic: int, body: str) -> Place:
        """Post into a topic; whether a refusal is meant for now or for good the topic says."""
        self.who()
        try:
            made = self._post(f"api/threads/{topic}/posts/", {"post": body})
        except ForumError as error:
            if error.what != "denied":
                raise
            if self._calls.ask("GET", f"api/threads/{topic}/")["acl"].get("can_reply"):
                raise _flooded(error) from None
            raise ForumError("The topic is closed.", "closed") from None
        return Place(topic, int(made["id"]))

    @understood
    def find(self, marker: str, topic: int | None, pages: int = 2) -> Place | None:
        """Look at the last pages of a topic; without one at what our newest topics begin with."""
        if topic is not None:
            return find_back(self, marker, topic, pages)
        start = 0
        for _ in range(FEED):
            feed = self._calls.ask("GET", f"api/users/{self.who()}/threads/", start=start)
            for one in feed["results"]:
                if marker in str(one["content"]):
                    return Place(int(str(one["thread"]["url"]).strip("/").rpartition("/")[2]), int(one["id"]))
            if not feed["next"]:
                return None
            start = feed["next"]
        return None

    @understood
    def page(self, topic: int, number: int) -> Page:
        """Read a page of a topic; behind the last page the last."""
        self.who()
        try:
            said = self._calls.ask("GET", f"api/threads/{topic}/posts/", page=number)
        except ForumError as error:
            if error.what != "gone" or number <= 1:
                raise
            pages = int(self._calls.ask("GET", f"api/threads/{topic}/")["pages"])
            said = self._calls.ask("GET", f"api/threads/{topic}/posts/", page=pages)
        shown = said["post_set"]
        posts = readable(partial(_post, topic), shown["results"])
        return Page(int(shown["page"]), int(shown["pages"]), posts)

    @understood
    def amend(self, place: Place, body: str) -> None:
        """Put another text in the place of a post of ours."""
        self.who()
        self._calls.ask("PUT", f"api/threads/{place.topic}/posts/{place.post}/", {"post": body}, self._token())

    def _token(self) -> dict[str, str]:
        return {"X-CSRFToken": self._calls.cookie("csrftoken")}

    def _post(self, path: str, body: Mapping[str, Any]) -> Any:
        return self._calls.ask("POST", path, body, self._token())


def _flooded(error: ForumError) -> ForumError:
    """Read a refusal that is no more than a matter of time: there is no code that tells it from others."""
    if error.what != "denied":
        return error
    return ForumError(str(error), "later", pause=FLOOD)


def _post(topic: int, said: Mapping[str, Any]) -> ForumPost | None:
    """Read a post; None for what is none, and for that of somebody who is there no more."""
    if said["is_event"] or not said.get("poster"):
        return None
    editor = said["last_editor"]
    return ForumPost(
        topic=topic,
        post=int(said["id"]),
        author=int(said["poster"]["id"]),
        name=str(said["poster_name"]),
        editor=int(editor) if editor else -1 if said["edits"] else 0,
        created=_instant(said["posted_on"]),
        updated=_instant(said["updated_on"]),
        text=str(said["content"] or ""),
        is_html=True,
        is_shown=not (said["is_hidden"] or said["is_unapproved"]),
    )


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)
