"""A game that is read in a topic of a forum: what goes there, what comes from there, and what goes wrong."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pbem.ground.terms import CharterError, Mail
from pbem.hall.mail.incoming.checks import posted
from pbem.hall.mail.incoming.unpack import forum_mail
from pbem.table.fold.journal import PostArchived
from pbem.world.forum.discourse import Discourse
from pbem.world.forum.forum import ForumPost
from pbem.world.settings import ForumSettings
from tests.conftest import Room
from tests.depth import some
from tests.servers.discourse import CATEGORY, KEY, DiscourseStandIn, standing_in

ADA, BO, GWEN = "ada@example.org", "bo@example.org", "gwen@example.org"


@pytest.fixture
def forum() -> Iterator[DiscourseStandIn]:
    """An empty forum."""
    with standing_in() as made:
        yield made


@pytest.fixture
def told(room: Room, forum: DiscourseStandIn) -> Room:
    """A harbour game on it, in its first tide."""
    with_forum(room, forum)
    room.found("ada", "bo", forum=True)
    room.sweep()
    return room


def with_forum(room: Room, forum: DiscourseStandIn) -> None:
    """Give an arena a forum."""
    wanted = ForumSettings(kind="discourse", url=forum.url, user="arena", secret_file="-", category=CATEGORY)
    room.settings = msgspec.structs.replace(room.settings, forum=wanted)
    room.reopen()
    room.forum = Discourse(forum.url, "arena", lambda: KEY, CATEGORY, 5)


def kept(room: Room) -> list[PostArchived]:
    """Return what is kept of this phase."""
    return [one for one in room.table().log if isinstance(one, PostArchived)]


def test_all_that_everybody_may_know_stands_in_one_topic(told: Room, forum: DiscourseStandIn) -> None:
    """Each thing in a post of its own, behind a fence, with no token and no form; nothing in it calls anybody."""
    told.write(ADA, "bid 3\npress to all: ``` @bob <b> [x](y) end press")
    told.sweep()
    told.write(GWEN, "to all: A storm is coming.")
    told.sweep()
    told.sweep(timedelta(hours=1))
    told.write(BO, "bid 1")
    for _ in range(9):
        told.sweep(timedelta(hours=1))
    (topic,) = forum.topics.values()
    assert topic["title"] == "[tide-1] a new game of Harbour"
    texts = [forum.posts[number]["raw"] for number in topic["stream"]]
    assert [text.split("\n")[0] for text in texts[:4]] == [
        r"**\[tide\-1\] a new game of Harbour**",
        r"**\[tide\-1\] the game begins**",
        r"**\[tide\-1\] Tide 1, press from Ada**",
        r"**\[tide\-1\] Tide 1, from the moderator**",
    ]
    assert r"Tide 1, the report" in texts[4]
    assert "````" in texts[2] and "@bob" in texts[2].split("````")[1]
    assert all(text.rstrip().endswith("`") and "+tide-1." not in text and "\n~ " not in text for text in texts)


def test_nothing_in_the_topic_is_an_order(told: Room, forum: DiscourseStandIn) -> None:
    """It is kept with the game, each version, with a number in place of who wrote it; nobody has a letter."""
    told.write(ADA, "bid 3")
    told.sweep()
    hand, sent = told.table().sets.hand, len(told.outbox.sent)
    (topic,) = forum.topics
    post = forum.say("bob", topic, "bid 9\nready")
    forum.say("alice", topic, "What a game!")
    told.sweep(timedelta(minutes=2))
    forum.edit("bob", post, "I mean it")
    told.sweep(timedelta(minutes=2))
    forum.edit("alice", post, "Bob has lied")  # a moderator of the forum
    told.sweep(timedelta(minutes=2))
    one, two, three = kept(told)
    assert (one.text, two.text, three.text) == ("bid 9\nready", "What a game!", "I mean it")
    assert one.has_orders and not three.has_orders
    assert one.version_of == three.version_of != two.version_of
    assert one.writer == three.writer != two.writer
    assert told.table().sets.hand == hand and len(told.outbox.sent) == sent
    assert not [one for one in kept(told) if "bob" in one.writer]


@pytest.mark.parametrize("remembered", [0, 2, 100])
def test_a_post_that_was_taken_costs_no_mail_again(
    told: Room, forum: DiscourseStandIn, monkeypatch: pytest.MonkeyPatch, remembered: int
) -> None:
    """As long as it is remembered; however little that is, each version is taken once."""
    written: list[str] = []
    as_mail = forum_mail.as_mail

    def noted(post: ForumPost) -> Mail:
        written.append(post.text)
        return as_mail(post)

    monkeypatch.setattr(forum_mail, "as_mail", noted)
    monkeypatch.setattr(forum_mail, "REMEMBERED", remembered)
    (topic,) = forum.topics
    texts = [f"What a game, {number}!" for number in range(5)]
    posts = [forum.say("bob", topic, text) for text in texts]
    assert told.sweep(timedelta(minutes=2)).mails == 5
    assert told.sweep(timedelta(minutes=2)).mails == 0
    written.clear()
    assert told.sweep(timedelta(minutes=2)).mails == 0
    assert len(written) == (0 if remembered == 100 else 5)
    forum.edit("bob", posts[2], "I mean it")
    assert told.sweep(timedelta(minutes=2)).mails == 1
    assert [one.text for one in kept(told)] == [*texts, "I mean it"]
    told.arena.forget()
    written.clear()
    assert told.sweep(timedelta(minutes=2)).mails == 0
    assert len(written) == 5


def test_mail_that_says_that_it_is_a_post_is_none(told: Room, forum: DiscourseStandIn) -> None:
    """Only what came by the forum's door is."""
    (topic,) = forum.topics
    raw = f"From: 12@forum.invalid\nTo: arena@example.org\n{forum_mail.HEADER}: {topic} 5 12\n\nhello\n".encode()
    told.mailbox.deliver(raw, told.clock.now())
    told.sweep()
    assert not kept(told)


def test_a_forum_that_is_down_for_a_day_stops_nothing(told: Room, forum: DiscourseStandIn) -> None:
    """Games go on by mail; what was to be posted comes in its order once it is back."""
    assert told.forum
    away = Discourse("http://127.0.0.1:1/", "arena", lambda: KEY, CATEGORY, 1)
    back, told.forum = told.forum, away
    for number in range(2):
        told.write(ADA, "bid 1")
        told.write(BO, "bid 2")
        while told.table().number == number + 1 and told.table().status == "open":
            told.sweep(timedelta(hours=3))
    assert told.table().status == "over"
    (topic,) = forum.topics.values()
    assert len(topic["stream"]) == 2
    told.forum = back
    for _ in range(5):
        told.sweep(timedelta(hours=1))
    heads = [forum.posts[number]["raw"].split("\n")[0] for number in topic["stream"]]
    assert [head.partition("] ")[2].rstrip("*") for head in heads][2:] == [
        "Tide 1, the report",
        "Tide 2, the last report",
    ]


@pytest.mark.parametrize(
    ("status", "body"),
    [(200, {"action": "enqueued"}), (422, {"errors": ["no"]}), (429, {"extras": {"wait_seconds": 9}})],
)
def test_what_the_forum_does_not_take_waits_and_is_told(
    room: Room, forum: DiscourseStandIn, status: int, body: dict[str, object]
) -> None:
    """It holds up its own game's posts alone, and goes later."""
    with_forum(room, forum)
    forum.answers.append((status, body))
    room.invite("ada", "bo", forum=True)
    assert not forum.topics
    assert any("on the forum" in one.what for one in room.arena.index.counters.odd())
    room.sweep(timedelta(hours=2))
    assert len(forum.topics) == 1


def test_a_topic_is_needed_of_a_forum_that_there_is(room: Room) -> None:
    """The founder hears it before anything is written."""
    with pytest.raises(CharterError, match=r"no \[forum\]"):
        room.invite("ada", "bo", forum=True)
    assert not (Path(room.root) / "games" / "tide-1").exists()


def test_what_is_redacted_goes_from_our_post_and_comes_back(told: Room, forum: DiscourseStandIn) -> None:
    """It is the one change of a post of ours; what stands beside it stays, however old the post is."""
    told.write(ADA, "press to all: the first wombat end press\npress to all: the second numbat end press")
    told.sweep()
    (topic,) = forum.topics
    for number in range(60):
        forum.say("bob", topic, f"chat {number}")
    told.sweep()
    texts = {number: post["raw"] for number, post in forum.posts.items()}
    told.write(GWEN, "redact press 2")
    for _ in range(4):
        told.sweep()
    changed = {number: post["raw"] for number, post in forum.posts.items() if post["raw"] != texts[number]}
    (post,) = changed
    assert "numbat" not in changed[post] and "wombat" in changed[post] and "taken off by the moderator" in changed[post]
    assert not told.arena.index.forum.amending()
    told.write(GWEN, "undo 1")
    for _ in range(4):
        told.sweep()
    assert {number: one["raw"] for number, one in forum.posts.items()} == texts


def test_what_was_redacted_before_it_is_posted_never_stands_there(told: Room, forum: DiscourseStandIn) -> None:
    """As where the forum was away meanwhile."""
    back, told.forum = told.forum, None
    told.write(ADA, "press to all: a numbat")
    told.sweep()
    told.write(GWEN, "redact press 1")
    told.sweep()
    told.forum = back
    told.sweep(timedelta(hours=2))
    assert any("taken off" in post["raw"] for post in forum.posts.values())
    assert not any("numbat" in post["raw"] for post in forum.posts.values())


def test_nobody_is_woken_for_posts_that_have_to_wait(told: Room) -> None:
    """While the forum is away, or there is none any more, the next instant that wants us is not now."""
    for forum in (Discourse("http://127.0.0.1:1/", "arena", lambda: KEY, CATEGORY, 1), None):
        told.forum = forum
        told.write(ADA, f"press to all: hello {forum}")
        told.sweep()
        assert any(one.letter.endswith("+forum") for one in told.arena.index.outgoing.to_send())
        wake = told.arena.index.next_wake()
        assert wake and wake > told.clock.now()


def test_the_topic_of_a_game_that_is_over_is_left_in_the_end(told: Room, forum: DiscourseStandIn) -> None:
    """For some days what people say there is kept, and then nobody asks any more."""
    for number in range(2):
        told.write(ADA, "bid 1")
        told.write(BO, "bid 2")
        while told.table().number == number + 1 and told.table().status == "open":
            told.sweep(timedelta(hours=3))
    (topic,) = forum.topics
    told.sweep(timedelta(hours=3))
    forum.say("bob", topic, "What an end!")
    told.sweep(timedelta(days=2))
    assert [one.text for one in kept(told)] == ["What an end!"]
    for _ in range(20):
        told.sweep(timedelta(days=2))
    forum.say("bob", topic, "Is anybody still here?")
    told.sweep(timedelta(days=2))
    assert len(kept(told)) == 1


ODD: tuple[dict[str, Any], ...] = ({"user_id": None}, {"user_id": "x"}, {"created_at": "yesterday"}, {"created_at": None}, {"id": []}, {"raw": "\ud800 half"},
       {"user_id": -2}, {"username": None}, {"updated_at": "9999-99-99T00:00:00Z"}, {"version": "two"})  # fmt: skip


@pytest.mark.parametrize("odd", some(3, ODD))
def test_an_odd_post_stops_nothing(told: Room, forum: DiscourseStandIn, odd: dict[str, object]) -> None:
    """What cannot be read of a forum's answers is passed over; posts beside it are kept, and games go on."""
    (topic,) = forum.topics
    number = forum.say("bob", topic, "something odd")
    forum.posts[number] |= odd
    forum.say("alice", topic, "something plain")
    told.sweep(timedelta(minutes=2))
    assert "something plain" in [one.text for one in kept(told)]
    told.write(ADA, "bid 1")
    told.write(BO, "bid 2")
    for _ in range(9):
        told.sweep(timedelta(hours=1))
    assert told.table().number == 2


@pytest.mark.parametrize(
    "answer", some(3, [[], {}, {"post_stream": None}, {"post_stream": {"stream": ["x"]}}, "?", 7, None])
)
def test_an_odd_answer_stops_nothing(
    told: Room, forum: DiscourseStandIn, answer: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told of, and the game goes on by mail."""
    call = forum.call
    monkeypatch.setattr(forum, "call", lambda method, *more: (200, answer) if method == "GET" else call(method, *more))
    told.write(ADA, "bid 1")
    told.write(BO, "bid 2")
    for _ in range(9):
        told.sweep(timedelta(hours=1))
    assert told.table().number == 2


def test_a_post_whose_answer_was_lost_is_found_behind_much_chat(told: Room, forum: DiscourseStandIn) -> None:
    """Also where somebody has hidden it meanwhile."""
    (topic,) = forum.topics
    told.write(ADA, "press to all: a wombat")
    lost, post = [True], forum._post

    def losing(user: str, body: dict[str, object]) -> object:
        answer = post(user, body)
        return (502, {}) if lost and lost.pop() else answer

    forum._post = losing  # type: ignore[method-assign]
    told.sweep()
    mine = next(one for one in forum.posts.values() if "wombat" in one["raw"])
    mine["hidden"] = True
    for number in range(70):
        forum.say("bob", topic, f"chat {number}")
    for _ in range(4):
        told.sweep(timedelta(hours=1))
    assert sum("wombat" in one["raw"] for one in forum.posts.values()) == 1


def test_a_game_whose_topic_was_deleted_goes_on_in_a_new_one(told: Room, forum: DiscourseStandIn) -> None:
    """What comes next opens it, and is not said twice; what people say there is kept."""
    (topic,) = forum.topics
    del forum.topics[topic]
    told.write(ADA, "bid 1")
    told.write(BO, "bid 2")
    for _ in range(9):
        told.sweep(timedelta(hours=1))
    (new,) = forum.topics.values()
    assert new["title"] == "[tide-1] Tide 1, the report"
    assert len(new["stream"]) == 1
    forum.say("bob", new["id"], "Here we are")
    (told.root / "index.sqlite").unlink()
    told.reopen()
    told.write(ADA, "press to all: hello again")
    for _ in range(4):
        told.sweep(timedelta(hours=1))
    assert len(forum.topics) == 1 and len(new["stream"]) == 3
    assert [one.text for one in kept(told)] == ["Here we are"]


def test_a_slow_forum_is_asked_little_at_a_time(told: Room, forum: DiscourseStandIn) -> None:
    """Games do not wait for all topics; the others come next."""
    told.found("ada", "bo", name="tide-2", forum=True)
    told.sweep(timedelta(hours=1))
    seconds = iter(range(0, 10_000, 7))
    told.arena.steady = lambda: float(next(seconds))
    for topic in forum.topics:
        forum.say("bob", topic, "hello")
    counts = []
    for _ in range(3):
        told.sweep(timedelta(minutes=2))
        counts.append(
            sum(isinstance(one, PostArchived) for name in ("tide-1", "tide-2") for one in told.table(name).log)
        )
    assert counts[-1] == 2 and counts[0] < 2


def test_a_topic_that_is_flooded_is_read_a_little_at_a_time(told: Room, forum: DiscourseStandIn) -> None:
    """Its last pages are, and what stands before them was read when it came."""
    (topic,) = forum.topics
    for number in range(2000):
        forum.say("bob", topic, f"flood {number}")
    forum.say("alice", topic, "the last word")
    asked, call = [], forum.call
    forum.call = lambda method, *more: asked.append(method) or call(method, *more)  # type: ignore[method-assign,func-returns-value]
    told.sweep(timedelta(minutes=2))
    assert len(asked) < 3 * forum_mail.MOST_PAGES
    assert len(kept(told)) == posted.MOST


def test_a_topic_whose_opening_was_not_answered_is_not_opened_again(room: Room, forum: DiscourseStandIn) -> None:
    """It is looked for by what it begins with, also where the forum knows no external id."""
    with_forum(room, forum)
    call = forum.call

    def lost(method: str, *given: Any) -> Any:
        found = call(method, *given)
        return (500, {}) if method == "POST" and found[0] == 200 else found

    forum.call = lost  # type: ignore[method-assign, assignment]
    room.found("ada", "bo", forum=True)
    room.sweep()
    forum.call = call  # type: ignore[method-assign]
    for _ in range(4):
        room.sweep(timedelta(minutes=5))
    assert len(forum.topics) == 1
    (topic,) = forum.topics.values()
    assert len(topic["stream"]) == 2
