"""A stand-in for a Discourse forum, which answers as its API is documented; nothing of ours was tried on a live one."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

KEY = "a key of this test"
CATEGORY = 5
USERS = {"arena": 2, "alice": 11, "bob": 12, "gwen": 13}


class DiscourseStandIn:
    """
    Topics and posts in memory, with the rules that hurt.

    Shape: `answers` are what the next calls that would post are answered with, in place of what they would be: a
    status and a body; `refuses` says of a method and a path what they are answered with, if it is something else. A title has at least 15 characters, a post 20; the same post within five minutes is refused; an
    external id stays taken.
    """

    def __init__(self) -> None:
        self.url = ""
        self.topics: dict[int, dict[str, Any]] = {}
        self.posts: dict[int, dict[str, Any]] = {}
        self.external: dict[str, int] = {}
        self.answers: list[tuple[int, dict[str, Any]]] = []
        self.clock: Callable[[], datetime] = lambda: datetime(2026, 11, 23, 12, tzinfo=UTC)
        self.refuses: Callable[[str, str], tuple[int, Any] | None] = lambda _method, _path: None
        self._count = 0

    def say(self, user: str, topic: int, raw: str) -> int:
        """Let somebody post into a topic."""
        number = len(self.posts) + 100
        stamp = self._stamp()
        self.posts[number] = {
            "id": number, "topic_id": topic, "user_id": USERS[user], "username": user, "raw": raw, "version": 1,
            "created_at": stamp, "updated_at": stamp, "post_type": 1, "hidden": False, "editor": user,
        }  # fmt: skip
        self.topics[topic]["stream"].append(number)
        return number

    def edit(self, user: str, post: int, raw: str) -> None:
        """Let somebody change a post."""
        self.posts[post] |= {"raw": raw, "updated_at": self._stamp(), "editor": user}
        self.posts[post]["version"] += 1

    def call(self, method: str, path: str, query: dict[str, list[str]], body: dict[str, Any], user: str) -> Any:
        """Answer a call: a status and a body."""
        refused = self.refuses(method, path)
        if refused:
            return refused
        parts = path.strip("/").removesuffix(".json").split("/")
        match method, *parts:
            case "GET", "u", name:
                name = name.lower()
                return (200, {"user": {"id": USERS[name], "username": name}}) if name in USERS else (404, {})
            case "POST", "posts":
                return self.answers.pop(0) if self.answers else self._post(user, body)
            case "GET", "t", "external_id", name:
                return self._topic(self.external.get(name, 0), user)
            case "GET", "t", number:
                return self._topic(int(number), user)
            case "GET", "t", number, "posts":
                wanted = [int(one) for one in query.get("post_ids[]", [])]
                shown = [self._shown(one, with_raw="include_raw" in query) for one in wanted]
                return (200, {"post_stream": {"posts": shown}}) if int(number) in self.topics else (404, {})
            case "GET", "posts", number, "revisions", "latest":
                return 200, {"username": self.posts[int(number)]["editor"]}
            case "PUT", "posts", number:
                self.edit(user, int(number), body["post"]["raw"])
                return 200, {"post": self._shown(int(number), with_raw=True)}
        return 404, {"errors": ["not found"]}

    def _post(self, user: str, body: dict[str, Any]) -> Any:
        recent = [one for one in self.posts.values() if one["user_id"] == USERS[user] and one["raw"] == body["raw"]]
        if len(body["raw"]) < 20 or recent or ("title" in body and len(body["title"]) < 15):
            return 422, {"action": "create_post", "errors": ["Body is too similar to what you recently posted"]}
        topic = int(body.get("topic_id") or 0)
        if not topic:
            if body.get("external_id") in self.external:
                return 422, {"errors": ["External ID has already been taken"]}
            people = [user]
            if body.get("archetype") == "private_message":
                others = [one for one in USERS if one == str(body["target_recipients"]).lower()]
                if not others:
                    return 422, {"errors": ["You must select a valid user."]}
                people += others
            topic = len(self.topics) + 1
            self.topics[topic] = {
                "id": topic, "stream": [], "closed": False, "title": body["title"],
                "people": people if body.get("archetype") == "private_message" else [],
            }  # fmt: skip
            self.external[body["external_id"]] = topic
        if topic not in self.topics:
            return 404, {}
        if self.topics[topic]["closed"]:
            return 403, {"errors": ["You are not permitted to view the requested resource."]}
        return 200, self._shown(self.say(user, topic, body["raw"]), with_raw=True)

    def let_in(self, user: str, topic: int) -> None:
        """Let somebody into a private message, which it tells."""
        self.topics[topic]["people"].append(user)
        self.posts[self.say("arena", topic, "")] |= {"post_type": 3, "action_code": "invited_user"}

    def put_out(self, user: str, topic: int) -> None:
        """Put somebody out of a private message again."""
        self.topics[topic]["people"].remove(user)

    def _topic(self, number: int, user: str) -> Any:
        topic = self.topics.get(number)
        if topic is None:
            return 404, {"errors": ["not found"]}
        if topic["people"] and user not in topic["people"]:
            return 403, {"errors": ["You are not permitted to view the requested resource."]}
        details = {"allowed_users": [{"id": USERS[one], "username": one} for one in topic["people"]]}
        shown = {"id": number, "closed": topic["closed"], "post_stream": {"stream": topic["stream"]}}
        return 200, shown | {"details": details | {"allowed_groups": []}}

    def _shown(self, number: int, *, with_raw: bool) -> dict[str, Any]:
        post = {name: value for name, value in self.posts[number].items() if name != "editor"}
        return post if with_raw else {name: value for name, value in post.items() if name != "raw"}

    def _stamp(self) -> str:
        self._count += 1
        return (self.clock() + timedelta(milliseconds=7 * self._count)).isoformat().replace("+00:00", "Z")


@contextmanager
def standing_in() -> Iterator[DiscourseStandIn]:
    """Listen on a free port of loopback for as long as the block lasts."""
    made = DiscourseStandIn()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length) or b"{}")
            parts = urlsplit(self.path)
            status, said = 403, {"errors": ["You are not permitted to view the requested resource."]}
            if self.headers.get("Api-Key") == KEY:
                user = str(self.headers.get("Api-Username"))
                status, said = made.call(self.command, parts.path, parse_qs(parts.query), body, user)
            answer = json.dumps(said).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        do_PUT = do_GET = do_POST  # noqa: N815  as http.server calls them

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.url = f"http://127.0.0.1:{server.server_port}/"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()
