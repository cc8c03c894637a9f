"""The door to a Discourse forum, against a stand-in that answers as its API is documented."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from pbem.ground.terms import ForumError
from pbem.world.forum.discourse import Discourse
from tests.servers.discourse import CATEGORY, KEY, DiscourseStandIn, standing_in

TITLE = "[ember-7] a new game of Rumble"
BODY = "Hello, everybody who is here\n\n`ember-7.founded.abc`"


@pytest.fixture
def forum() -> Iterator[DiscourseStandIn]:
    """An empty forum."""
    with standing_in() as made:
        yield made


def arena(forum: DiscourseStandIn, key: str = KEY) -> Discourse:
    """Return the door."""
    return Discourse(forum.url, "arena", lambda: key, CATEGORY, 5)


def test_a_topic_is_opened_once_and_found_by_its_id(forum: DiscourseStandIn) -> None:
    """Also where the answer was lost; an id that is taken makes no second one."""
    door = arena(forum)
    assert door.find_opened("ember-7.founded.abc") is None
    place = door.open(TITLE, BODY, "ember-7.founded.abc")
    assert door.find_opened("ember-7.founded.abc") == place
    with pytest.raises(ForumError) as refused:
        door.open(TITLE, f"{BODY} again", "ember-7.founded.abc")
    assert refused.value.what == "denied"
    assert len(forum.topics) == 1


def test_posts_are_read_as_they_were_typed(forum: DiscourseStandIn) -> None:
    """Page by page, with who wrote and who changed them."""
    door = arena(forum)
    topic = door.open(TITLE, BODY, "m").topic
    for number in range(43):
        forum.say("bob", topic, f"{number} <b>\n> quoted")
    first, last = door.page(topic, 1), door.page(topic, 1 << 30)
    assert (len(first.posts), first.pages, last.number, len(last.posts)) == (20, 3, 3, 4)
    assert first.posts[1].text == "0 <b>\n> quoted" and not first.posts[1].is_html
    one, other = forum.posts[last.posts[0].post], forum.posts[last.posts[1].post]
    forum.edit("bob", one["id"], "changed")
    forum.edit("alice", other["id"], "changed by somebody else")
    changed = door.page(topic, 3).posts
    assert (changed[0].editor, changed[1].editor, changed[2].editor) == (12, -1, 0)
    assert changed[0].updated > changed[0].created
    other["hidden"] = True
    assert [one.is_shown for one in door.page(topic, 3).posts] == [True, False, True, True]
    mine = door.reply(topic, "our report, of some length `ember-7.report.def`")
    assert door.find("ember-7.report.def", topic) == mine
    door.amend(mine, "(taken off by the moderator) `ember-7.report.def`")
    assert forum.posts[mine.post]["raw"].startswith("(taken off")


@pytest.mark.parametrize(
    ("status", "body", "what", "pause"),
    [
        (429, {"errors": ["slow down"], "extras": {"wait_seconds": 17}}, "later", 17),
        (429, {}, "later", 60),
        (502, {}, "later", 60),
        (200, {"action": "enqueued", "success": True}, "queued", 60),
        (404, {}, "gone", 60),
        (422, {"errors": ["Body is too short"]}, "denied", 60),
    ],
)
def test_a_refusal_says_what_it_means(
    forum: DiscourseStandIn, status: int, body: dict[str, object], what: str, pause: float
) -> None:
    """And how long to wait; nothing of the key is said."""
    door = arena(forum)
    topic = door.open(TITLE, BODY, "m").topic
    forum.answers.append((status, body))
    with pytest.raises(ForumError) as refused:
        door.reply(topic, "our report, of some length")
    assert (refused.value.what, refused.value.pause) == (what, pause)
    assert refused.value.is_lost is (status == 502)
    assert KEY not in str(refused.value)


def test_a_closed_topic_and_a_wrong_key_are_told_apart(forum: DiscourseStandIn) -> None:
    """The one says so itself."""
    door = arena(forum)
    topic = door.open(TITLE, BODY, "m").topic
    forum.topics[topic]["closed"] = True
    with pytest.raises(ForumError) as refused:
        door.reply(topic, "our report, of some length")
    assert refused.value.what == "closed"
    with pytest.raises(ForumError) as refused:
        arena(forum, "wrong").who()
    assert refused.value.what == "denied"
    assert door.pace > timedelta(seconds=5)
