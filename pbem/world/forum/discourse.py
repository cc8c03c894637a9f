"""The door to a Discourse forum, by its documented API; it was never tried on a live one."""

import hashlib
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from urllib.parse import quote

from pbem.ground.terms import ForumError
from pbem.world.forum.calls import Calls, number, readable, understood
from pbem.world.forum.forum import ForumPost, Page, Place, find_back

PAGE = 20
"""Posts of a topic that come at once."""
MOST_EDITORS = 10_000
"""Of how many changed posts we remember who changed them: each costs a call."""
OTHERS = ("invited_user", "invited_group", "removed_user", "removed_group", "user_left")
"""What the forum calls it where somebody comes into a private message, or leaves it."""


class Discourse:
    """
    A forum with an API key of ours, in one category of it; its private messages are topics of another kind.

    Topics are opened under an external id of ours, so that there is one for each game whatever was lost. Errors:
    ForumError.
    """

    pace = timedelta(seconds=6)

    def __init__(self, url: str, user: str, secret: Callable[[], str], category: int, patience: float = 20) -> None:
        """Call nobody yet; `secret` gives the key at each call."""
        self._calls = Calls(url, patience)
        self._user, self._secret, self._category = user, secret, category
        self._me = 0
        self._editors: dict[tuple[int, int], int] = {}
        self.threads = _Threads(self)

    @understood()
    def who(self) -> int:
        """Return our own number."""
        if not self._me:
            self._me = number(self.ask("GET", f"u/{self._user}.json")["user"]["id"])
        return self._me

    @understood(posts=True)
    def open(self, title: str, body: str, marker: str) -> Place:
        """Open a topic."""
        wanted = {"title": title, "raw": body, "category": self._category, "external_id": _external(marker)}
        return self.made(self.ask("POST", "posts.json", wanted))

    @understood(posts=True)
    def reply(self, topic: int, body: str) -> Place:
        """Post into a topic; whether a refusal is for good the topic says."""
        try:
            return self.made(self.ask("POST", "posts.json", {"topic_id": topic, "raw": body}))
        except ForumError as error:
            if error.what != "denied":
                raise
            said = self.ask("GET", f"t/{topic}.json")
            if said.get("closed") or said.get("archived"):
                raise ForumError("The topic is closed.", "closed") from None
            raise

    @understood()
    def find(self, marker: str, topic: int, pages: int = 2) -> Place | None:
        """Look at the last pages of a topic."""
        return find_back(self, marker, topic, pages)

    @understood()
    def find_opened(self, marker: str) -> Place | None:
        """Look at the topic of this external id."""
        try:
            said = self.ask("GET", f"t/external_id/{_external(marker)}.json")
        except ForumError as error:
            if error.what == "gone":
                return None
            raise
        return Place(number(said["id"]), number(said["post_stream"]["stream"][0]))

    @understood()
    def page(self, topic: int, wanted: int) -> Page:
        """Read a page of a topic; behind the last page the last."""
        stream = self.ask("GET", f"t/{topic}.json")["post_stream"]["stream"]
        pages = max(1, -(-len(stream) // PAGE))
        wanted = min(wanted, pages)
        here = stream[(wanted - 1) * PAGE : wanted * PAGE]
        if not here:
            return Page(wanted, pages, ())
        query = "&".join(f"post_ids[]={number(one)}" for one in here)
        said = self.ask("GET", f"t/{topic}/posts.json?include_raw=true&{query}")["post_stream"]["posts"]
        told = any(one.get("action_code") in OTHERS for one in said)
        return Page(wanted, pages, readable(partial(self._read, topic), said), told)

    @understood(posts=True)
    def amend(self, place: Place, body: str) -> None:
        """Put another text in the place of a post of ours."""
        self.ask("PUT", f"posts/{place.post}.json", {"post": {"raw": body}})

    def made(self, said: Mapping[str, Any]) -> Place:
        """Return where a post stands that was made. Errors: ForumError where it waits for approval."""
        if said.get("action") == "enqueued" or "id" not in said:
            raise ForumError("The forum holds what we post for approval.", "queued")
        return Place(number(said["topic_id"]), number(said["id"]))

    def _read(self, topic: int, said: Mapping[str, Any]) -> ForumPost | None:
        if int(said.get("post_type") or 1) != 1:
            return None
        return ForumPost(
            topic=topic,
            post=number(said["id"]),
            author=number(said["user_id"]),
            name=str(said["username"]),
            editor=self._editor(said),
            created=_instant(said["created_at"]),
            updated=_instant(said["updated_at"]),
            text=as_text(str(said.get("raw") or "")),
            is_html=False,
            is_shown=not said.get("hidden") and not said.get("deleted_at"),
        )

    def _editor(self, said: Mapping[str, Any]) -> int:
        """Return who changed a post last, as its last revision says; 0 for nobody, -1 where it is not told."""
        version = int(said.get("version") or 1)
        if version <= 1:
            return 0
        known = number(said["id"]), version
        if known not in self._editors:
            try:
                latest = self.ask("GET", f"posts/{known[0]}/revisions/latest.json")
            except ForumError as error:
                if error.is_away:
                    raise
                return -1
            if len(self._editors) > MOST_EDITORS:
                self._editors.clear()
            self._editors[known] = number(said["user_id"]) if latest.get("username") == said["username"] else -1
        return self._editors[known]

    def ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Call in our name. Errors: ForumError."""
        return self._calls.ask(method, path, body, {"Api-Key": self._secret(), "Api-Username": self._user})


class _Threads:
    """Private messages, each with one other person."""

    def __init__(self, forum: Discourse) -> None:
        self._forum = forum
        self.who, self.reply, self.find, self.page = forum.who, forum.reply, forum.find, forum.page

    @understood(posts=True)
    def open_with(self, name: str, title: str, body: str, marker: str) -> int:
        """Open a private message with a person, never with a group."""
        try:
            self._forum.ask("GET", f"u/{quote(name, safe='')}.json")
        except ForumError as error:
            if error.what == "gone":
                raise ForumError("Nobody there is called so.", "denied", code=422) from None
            raise
        wanted = {"title": title, "raw": body, "archetype": "private_message", "target_recipients": name}
        return self._forum.made(
            self._forum.ask("POST", "posts.json", wanted | {"external_id": _external(marker)})
        ).topic

    @understood()
    def find_opened(self, title: str, marker: str) -> int | None:
        """Look at the message of this external id."""
        place = self._forum.find_opened(marker)
        return place.topic if place else None

    @understood()
    def people(self, topic: int) -> frozenset[int]:
        """Return the numbers of all who are in a message; -1 for a group."""
        told = self._forum.ask("GET", f"t/{topic}.json")["details"]
        return frozenset(
            [*(number(one["id"]) for one in told["allowed_users"]), *[-1] * bool(told.get("allowed_groups"))]
        )


_TAG = re.compile(r"(\[quote(?:=[^\]\n]*)?\]|\[/quote\])", re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[^\n`~]*$", re.MULTILINE)
_FACES = re.compile(r"\[/?(?:b|i|u|s|code|size|color)(?:=[^\]\n]*)?\]|~~", re.IGNORECASE)
_STRUCK = re.compile(r"~~[^~\n]+~~|\[s\][^\[\n]+\[/s\]", re.IGNORECASE)


def as_text(raw: str) -> str:
    """
    Write what somebody typed as mail has it: quotes behind >, without fences, what is struck out, and bold faces.

    Of tags that do not balance all that follows counts as quoted, so that nothing is taken for theirs that is not.
    """
    lines: list[str] = []
    depth = 0
    for part in _TAG.split(_FENCE.sub("", raw)):
        if _TAG.fullmatch(part):
            depth = max(depth + (-1 if part[1] == "/" else 1), 0)
        else:
            text = _FACES.sub("", _STRUCK.sub("", part))
            lines += ["> " * depth + line if depth else line for line in text.split("\n")]
    return "\n".join(lines)


def _external(marker: str) -> str:
    """Return the external id of a topic: letters and figures, 50 at most."""
    return hashlib.sha256(marker.encode()).hexdigest()[:40]


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)
