"""The door to chats: each dialect as its documentation has it, and what refusals mean."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.ground.terms import CharterError, HookError
from pbem.world.login import write_secret
from pbem.world.settings import ChatSettings
from pbem.world.webhook import LONGEST, Message, Webhook
from tests.world.hooks import Hook, listening

OUT = Message(
    key="ember-7.12", game="ember-7", event="report", text="ember-7: Round 3 is out.", url="https://g.example/"
)


@pytest.fixture
def hook() -> Iterator[Hook]:
    """A chat that listens."""
    with listening() as found:
        yield found


def door(folder: Path, url: str, kind: Any = "json", token: str = "") -> Webhook:
    """Return the door to a chat at an address."""
    write_secret(folder / "secrets" / "hook", url)
    if token:
        write_secret(folder / "secrets" / "token", token)
    wanted = ChatSettings(name="club", kind=kind, url_file="secrets/hook", token_file="secrets/token" if token else "")
    return Webhook(wanted, folder, patience=5)


def test_json_has_all_facts(hook: Hook, tmp_path: Path) -> None:
    """For a program of one's own."""
    door(tmp_path, hook.url).say(OUT)
    (heard,) = hook.heard
    assert (heard.method, heard.path) == ("POST", "/hooks/secret-part")
    assert json.loads(heard.body) == {
        "key": "ember-7.12", "game": "ember-7", "event": "report", "text": "ember-7: Round 3 is out.",
        "url": "https://g.example/",
    }  # fmt: skip


def test_discord_calls_nobody(hook: Hook, tmp_path: Path) -> None:
    """Whatever a name looks like."""
    wild = Message(key="k", game="ember-7", event="over", text="@everyone and <@123> win")
    door(tmp_path, hook.url, "discord").say(wild)
    assert json.loads(hook.heard[0].body) == {"content": wild.text, "allowed_mentions": {"parse": []}}


def test_matrix_says_the_same_once(hook: Hook, tmp_path: Path) -> None:
    """The message's key is the transaction's; the token goes in a header."""
    door(tmp_path, f"{hook.url}/send/m.room.message", "matrix", "syt_token").say(OUT)
    (heard,) = hook.heard
    assert heard.method == "PUT" and heard.path.endswith("/send/m.room.message/ember-7.12")
    assert heard.headers["authorization"] == "Bearer syt_token"
    assert json.loads(heard.body) == {"msgtype": "m.notice", "body": f"{OUT.text} {OUT.url}"}


def test_ntfy_has_the_text_as_it_is(hook: Hook, tmp_path: Path) -> None:
    """With what it is about, and where a tap leads."""
    door(tmp_path, hook.url, "ntfy").say(OUT)
    (heard,) = hook.heard
    assert heard.body.decode() == OUT.text
    assert heard.headers["title"] == "ember-7" and heard.headers["click"] == OUT.url


@pytest.mark.parametrize("kind", ["json", "discord", "matrix", "ntfy"])
def test_what_is_long_is_cut(hook: Hook, tmp_path: Path, kind: str) -> None:
    """Chats refuse long messages; plain JSON has all of it."""
    door(tmp_path, hook.url, kind).say(Message(key="k", game="g", event="over", text="ä" * 5_000))
    said = hook.heard[0].body.decode()
    assert len(said) < 6 * LONGEST + 200 or kind == "json"


@pytest.mark.parametrize(
    ("answer", "is_final", "pause"),
    [
        ((429, {"Retry-After": "7"}, b""), False, 7),
        ((429, {}, b'{"retry_after": 2.5}'), False, 2.5),
        ((429, {}, b'{"retry_after_ms": 4000}'), False, 4),
        ((429, {"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}, b""), False, 60),
        ((429, {}, b"[1]"), False, 60),
        ((429, {"Retry-After": "99999999"}, b""), False, 3_600),
        ((500, {}, b"oops"), False, 0),
        ((503, {}, b""), False, 0),
        ((400, {}, b""), True, 0),
        ((401, {}, b""), True, 0),
        ((404, {}, b'{"message": "Unknown Webhook"}'), True, 0),
        ((302, {"Location": "http://127.0.0.1:9/elsewhere"}, b""), True, 0),
    ],
)
def test_what_a_refusal_means(
    hook: Hook, tmp_path: Path, answer: tuple[int, dict[str, str], bytes], is_final: bool, pause: float
) -> None:
    """Too much and what is wrong with a server passes; all else is final; no redirect is followed."""
    hook.answers.append(answer)
    with pytest.raises(HookError) as raised:
        door(tmp_path, hook.url).say(OUT)
    assert (raised.value.is_final, raised.value.pause) == (is_final, pause)
    assert "secret-part" not in str(raised.value) and "127.0.0.1" not in str(raised.value)
    assert len(hook.heard) == 1


def test_hook_that_is_not_there_is_tried_again(tmp_path: Path) -> None:
    """Nobody listens: that passes."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(HookError, match="cannot be reached") as raised:
        door(tmp_path, f"http://127.0.0.1:{port}/secret-part").say(OUT)
    assert not raised.value.is_final and "secret-part" not in str(raised.value)


@pytest.mark.parametrize("url", ["http://chat.example.org/x", "file:///etc/passwd", "ftp://127.0.0.1/x", "nothing"])
def test_address_that_others_could_read_is_refused(tmp_path: Path, url: str) -> None:
    """Only https, or this machine."""
    with pytest.raises(HookError) as raised:
        door(tmp_path, url).say(OUT)
    assert raised.value.is_final


def test_address_must_be_ours_alone(tmp_path: Path) -> None:
    """A file that others can read is refused, as a password's is."""
    there = door(tmp_path, "https://chat.example.org/x")
    (tmp_path / "secrets" / "hook").chmod(0o644)
    with pytest.raises(CharterError, match="can be read by others"):
        there.say(OUT)
