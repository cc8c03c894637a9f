"""The door to a Discourse forum, by its documented API; it was never tried on a live one."""

import hashlib
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from pbem.terms import ForumError
from pbem.world.forum.calls import Calls, readable, understood
from pbem.world.forum.forum import ForumPost, Page, Place, find_back

PAGE = 20
"""Posts of a topic that come at once."""


class Discourse:
    """
    A forum with an API key of ours, in one category of it.

    Topics are opened under an external id of ours, so that there is one for each game whatever was lost. Errors:
    ForumError.
    """

    pace = timedelta(seconds=6)

    def __init__(self, url: str, user: str, secret: Callable[[], str], category: int, patience: float = 20) -> None:
        """Call nobody yet; `secret` gives the key at each call."""
        self._calls = Calls(url, patience)
        self._user, self._secret, self._category = user, secret, category
        self._me = 0

    @understood
    def who(self) -> int:
        """Return our own number."""
        if not self._me:
            self._me = int(self._ask("GET", f"u/{self._user}.json")["user"]["id"])
        return self._me

    @understood
    def open(self, title: str, body: str, marker: str) -> Place:
        """Open a topic."""
        wanted = {"title": title, "raw": body, "category": self._category, "external_id": _external(marker)}
        return self._made(self._ask("POST", "posts.json", wanted))

    @understood
    def reply(self, topic: int, body: str) -> Place:
        """Post into a topic; whether a refusal is for good the topic says."""
        try:
            return self._made(self._ask("POST", "posts.json", {"topic_id": topic, "raw": body}))
        except ForumError as error:
            if error.what != "denied":
                raise
            said = self._ask("GET", f"t/{topic}.json")
            if said.get("closed") or said.get("archived"):
                raise ForumError("The topic is closed.", "closed") from None
            raise

    @understood
    def find(self, marker: str, topic: int | None, pages: int = 2) -> Place | None:
        """Look at the last pages of a topic; without one at the topic of this external id."""
        if topic is None:
            try:
                said = self._ask("GET", f"t/external_id/{_external(marker)}.json")
            except ForumError as error:
                if error.what == "gone":
                    return None
                raise
            return Place(int(said["id"]), int(said["post_stream"]["stream"][0]))
        return find_back(self, marker, topic, pages)

    @understood
    def page(self, topic: int, number: int) -> Page:
        """Read a page of a topic; behind the last page the last."""
        stream = self._ask("GET", f"t/{topic}.json")["post_stream"]["stream"]
        pages = max(1, -(-len(stream) // PAGE))
        number = min(number, pages)
        wanted = stream[(number - 1) * PAGE : number * PAGE]
        if not wanted:
            return Page(number, pages, ())
        query = "&".join(f"post_ids[]={int(one)}" for one in wanted)
        said = self._ask("GET", f"t/{topic}/posts.json?include_raw=true&{query}")["post_stream"]["posts"]
        return Page(number, pages, readable(partial(self._read, topic), said))

    @understood
    def amend(self, place: Place, body: str) -> None:
        """Put another text in the place of a post of ours."""
        self._ask("PUT", f"posts/{place.post}.json", {"post": {"raw": body}})

    def _made(self, said: Mapping[str, Any]) -> Place:
        if said.get("action") == "enqueued" or "id" not in said:
            raise ForumError("The forum holds what we post for approval.", "queued")
        return Place(int(said["topic_id"]), int(said["id"]))

    def _read(self, topic: int, said: Mapping[str, Any]) -> ForumPost | None:
        if int(said.get("post_type") or 1) != 1:
            return None
        return ForumPost(
            topic=topic,
            post=int(said["id"]),
            author=int(said["user_id"]),
            name=str(said["username"]),
            editor=self._editor(said),
            created=_instant(said["created_at"]),
            updated=_instant(said["updated_at"]),
            text=str(said.get("raw") or ""),
            is_html=False,
            is_shown=not said.get("hidden") and not said.get("deleted_at"),
        )

    def _editor(self, said: Mapping[str, Any]) -> int:
        """Return who changed a post last, as its last revision says; 0 for nobody, -1 where it is not told."""
        if int(said.get("version") or 1) <= 1:
            return 0
        try:
            latest = self._ask("GET", f"posts/{int(said['id'])}/revisions/latest.json")
        except ForumError as error:
            if error.what in ("gone", "denied"):
                return -1
            raise
        return int(said["user_id"]) if latest.get("username") == said["username"] else -1

    def _ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        return self._calls.ask(method, path, body, {"Api-Key": self._secret(), "Api-Username": self._user})


def _external(marker: str) -> str:
    """Return the external id of a topic: letters and figures, 50 at most."""
    return hashlib.sha256(marker.encode()).hexdigest()[:40]


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)
