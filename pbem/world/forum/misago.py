"""The door to a Misago forum, by the API that its own pages use."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from pbem.ground.terms import ForumError
from pbem.world.forum.calls import Calls, number, readable, understood
from pbem.world.forum.forum import ForumPost, Page, Place, find_back

FLOOD = 4
"""Seconds between two posts of one account: the forum refuses what comes within three, in words alone."""
FEED = 20
"""How many pages of our own topics are looked through for one, the newest first."""


OTHERS = (
    "added_participant", "changed_owner", "entered_thread", "owner_left", "participant_left", "removed_owner",
    "removed_participant", "tookover",
)  # fmt: skip
"""What the forum calls it where somebody comes into a private thread, or leaves it."""


class _Session:
    """An account of ours there, in which we are from the first call on."""

    def __init__(self, url: str, user: str, secret: Callable[[], str], patience: float) -> None:
        self.calls = Calls(url, patience)
        self._user, self._secret, self._me = user, secret, 0

    def who(self) -> int:
        """Return our own number; log in where nobody is."""
        if not self._me:
            self.calls.visit()  # brings the cookie that each POST has to repeat
            try:
                self.post("api/auth/", {"username": self._user, "password": self._secret()})
            except ForumError as error:  # whatever it says, nothing can be asked without
                raise ForumError(str(error), error.what, pause=error.pause, is_away=True, code=error.code) from None
            found = self.calls.ask("GET", "api/auth/").get("id")
            if not found:
                raise ForumError("The forum does not know us after our login.", "denied", is_away=True)
            self._me = number(found)
        return self._me

    def may(self, what: str) -> bool:
        """Say whether our account has a right there."""
        return bool(self.calls.ask("GET", "api/auth/")["acl"].get(what))

    def may_open_in(self, category: int) -> bool:
        """Say whether our account may open topics in a category."""
        here = (one for one in self.calls.ask("GET", "api/auth/")["acl"]["categories"] if int(one["id"]) == category)
        return any(one.get("can_start_threads") for one in here)

    def post(self, path: str, body: Mapping[str, Any], method: str = "POST") -> Any:
        return self.calls.ask(method, path, body, {"X-CSRFToken": self.calls.cookie("csrftoken")})


class _Topics:
    """What the API does alike for topics and for private threads, below the path of each."""

    def __init__(self, session: _Session, path: str) -> None:
        self._session, self._path = session, path

    @understood()
    def who(self) -> int:
        """Return our own number."""
        return self._session.who()

    @understood(posts=True)
    def reply(self, topic: int, body: str) -> Place:
        """Post into a topic; whether a refusal is meant for now or for good the topic says."""
        self.who()
        try:
            made = self._session.post(f"{self._path}{topic}/posts/", {"post": body})
        except ForumError as error:
            if error.what != "denied":
                raise
            if self._get(f"{topic}/")["acl"].get("can_reply"):
                raise _flooded(error) from None
            raise ForumError("The topic is closed.", "closed") from None
        return Place(topic, number(made["id"]))

    @understood()
    def find(self, marker: str, topic: int, pages: int = 2) -> Place | None:
        """Look at the last pages of a topic."""
        return find_back(self, marker, topic, pages)

    @understood()
    def page(self, topic: int, wanted: int) -> Page:
        """Read a page of a topic; behind the last page the last."""
        self.who()
        try:
            said = self._get(f"{topic}/posts/", page=wanted)
        except ForumError as error:
            if error.what != "gone" or wanted <= 1:
                raise
            pages = number(self._get(f"{topic}/")["pages"])
            said = self._get(f"{topic}/posts/", page=pages)
        shown = said["post_set"]
        posts = readable(partial(_post, topic), shown["results"])
        told = any(one.get("event_type") in OTHERS for one in shown["results"] if one.get("is_event"))
        return Page(number(shown["page"]), number(shown["pages"]), posts, told)

    @understood(posts=True)
    def amend(self, place: Place, body: str) -> None:
        """Put another text in the place of a post of ours."""
        self.who()
        self._session.post(f"{self._path}{place.topic}/posts/{place.post}/", {"post": body}, "PUT")

    def _get(self, path: str, **query: str | int) -> Any:
        return self._session.calls.ask("GET", f"{self._path}{path}", None, None, **query)


class _Threads(_Topics):
    """Private threads, each with one other person."""

    @understood(posts=True)
    def open_with(self, name: str, title: str, body: str, marker: str) -> int:
        """Open a thread with somebody; where nobody is called so, or they take nothing from us, it answers 400."""
        self.who()
        try:
            made = self._session.post(self._path, {"to": [name], "title": title, "post": body})
        except ForumError as error:
            if error.code == 400 or (error.what == "denied" and not self._session.may("can_start_private_threads")):
                raise
            raise _flooded(error) from None
        return number(made["id"])

    @understood()
    def find_opened(self, title: str, marker: str) -> int | None:
        """Look at the newest threads of ours."""
        self.who()
        start = 0
        for _ in range(FEED):
            feed = self._get("", start=start)
            for one in feed["results"]:
                if str(one["title"]) == title and find_back(self, marker, number(one["id"]), FEED):
                    return number(one["id"])
            start = int(feed.get("next") or 0)
            if not start:
                return None
        return None

    @understood()
    def people(self, topic: int) -> frozenset[int]:
        """Return the numbers of all who are in a thread."""
        self.who()
        return frozenset(number(one["id"]) for one in self._get(f"{topic}/")["participants"])


class Misago(_Topics):
    """
    A forum with an account of ours, in one category of it.

    Others' posts are read as HTML, since the forum shows what was typed to nobody else. Errors: ForumError.
    """

    pace = timedelta(seconds=FLOOD)

    def __init__(self, url: str, user: str, secret: Callable[[], str], category: int, patience: float = 20) -> None:
        """Log in at the first call; `secret` gives the password then."""
        super().__init__(_Session(url, user, secret, patience), "api/threads/")
        self._category = category
        self.threads = _Threads(self._session, "api/private-threads/")

    @understood(posts=True)
    def open(self, title: str, body: str, marker: str) -> Place:
        """Open a topic."""
        self.who()
        try:
            made = self._session.post(self._path, {"category": self._category, "title": title, "post": body})
        except ForumError as error:
            if error.what == "denied" and not self._session.may_open_in(self._category):
                raise
            raise _flooded(error) from None
        return Place(number(made["id"]), 0)

    @understood()
    def find_opened(self, marker: str) -> Place | None:
        """Look at what our newest topics begin with."""
        start = 0
        for _ in range(FEED):
            feed = self._session.calls.ask("GET", f"api/users/{self.who()}/threads/", start=start)
            for one in feed["results"]:
                if marker in str(one["content"]):
                    topic = str(one["thread"]["url"]).strip("/").rpartition("/")[2]
                    return Place(number(topic), number(one["id"]))
            if not feed["next"]:
                return None
            start = feed["next"]
        return None


def _flooded(error: ForumError) -> ForumError:
    """Read a refusal that is no more than a matter of time: there is no code that tells it from others."""
    if error.what != "denied":
        return error
    return ForumError(str(error), "later", pause=FLOOD, is_away=True)


def _post(topic: int, said: Mapping[str, Any]) -> ForumPost | None:
    """Read a post; None for what is none, and for that of somebody who is there no more."""
    if said["is_event"] or not said.get("poster"):
        return None
    editor = said["last_editor"]
    return ForumPost(
        topic=topic,
        post=number(said["id"]),
        author=number(said["poster"]["id"]),
        name=str(said["poster_name"]),
        editor=number(editor) if editor else -1 if said["edits"] else 0,
        created=_instant(said["posted_on"]),
        updated=_instant(said["updated_on"]),
        text=str(said["content"] or ""),
        is_html=True,
        is_shown=not (said["is_hidden"] or said["is_unapproved"]),
    )


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)
