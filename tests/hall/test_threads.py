"""Orders in a private thread on a forum: whose it is, what counts there, what is written there, and how it dies."""

import re
from datetime import timedelta

import pytest

from pbem.hall.mail.outgoing import forum_posts
from pbem.hall.sweep.reindexing import reindex
from pbem.table.model import threads
from pbem.world.forum.discourse import Discourse
from tests.conftest import Room, flat
from tests.depth import some
from tests.hall.test_forum import forum, with_forum
from tests.servers.discourse import CATEGORY, KEY, DiscourseStandIn

__all__ = ["forum"]
ADA, BO, GWEN = "ada@example.org", "bo@example.org", "gwen@example.org"


@pytest.fixture
def room_there(room: Room, forum: DiscourseStandIn) -> Room:
    """A harbour game on it, in its first tide; its clock and that of the forum are one."""
    with_forum(room, forum)
    forum.clock = room.clock.now
    room.found("ada", "bo", forum=True)
    room.sweep()
    return room


def private(forum: DiscourseStandIn) -> list[int]:
    """Return the private threads, in order."""
    return [number for number, topic in forum.topics.items() if topic["people"]]


def settle(room: Room, sweeps: int = 4) -> None:
    """Let what waits be posted and read."""
    for _ in range(sweeps):
        room.sweep(timedelta(minutes=2))


def code(room: Room, to: str) -> str:
    """Return the code of the last letter that has one."""
    texts = ["\n".join(one.body) for one in room.letters(to)]
    text = next(text for text in reversed(texts) if "post this code" in flat(text))
    return str(re.findall(r"^  ([a-z2-7]{8,})$", text, re.MULTILINE)[-1])


def bind(room: Room, forum: DiscourseStandIn, who: str, account: str) -> int:
    """Give somebody a thread of their own."""
    before = private(forum)
    room.write(who, f"forum {account}")
    settle(room)
    (thread,) = set(private(forum)) - set(before)
    forum.say(account, thread, code(room, who))
    settle(room)
    return thread


def ours(forum: DiscourseStandIn, thread: int) -> list[str]:
    """Return what we have written in a thread."""
    posts = [forum.posts[number] for number in forum.topics[thread]["stream"]]
    return [post["raw"] for post in posts if post["username"] == "arena" and post["post_type"] == 1]


def test_a_thread_is_bound_by_the_code_that_came_by_mail(room_there: Room, forum: DiscourseStandIn) -> None:
    """Before that nothing in it counts; from then on it is its holder's mail, and letters go there alone."""
    room = room_there
    room.write(BO, "forum bob")
    settle(room)
    (thread,) = private(forum)
    assert "code" in ours(forum, thread)[0] and code(room, BO) not in ours(forum, thread)[0]
    forum.say("bob", thread, "bid 3")
    settle(room)
    assert "bo" not in room.table().sets.hand and "is not the code" in flat(room.last(BO))
    forum.say("bob", thread, f"Here: {code(room, BO)}")
    settle(room)
    assert "This thread is yours now" in flat(ours(forum, thread)[-1])
    mails = len(room.letters(BO))
    forum.say("bob", thread, "bid 3")
    settle(room)
    assert room.table().sets.hand["bo"].orders == ("bid 3",)
    assert "a bid of 3" in ours(forum, thread)[-1] and len(room.letters(BO)) == mails
    assert all("+tide-1." not in text for text in ours(forum, thread))


def test_a_change_is_a_new_set_that_came_when_it_was_made(room_there: Room, forum: DiscourseStandIn) -> None:
    """Of its writer's alone; words to others are not said twice; of an older phase nothing new is read."""
    room = room_there
    thread = bind(room, forum, BO, "bob")
    post = forum.say("bob", thread, "bid 3\npress to all: I fear nobody. end press")
    settle(room)
    pressed = len(room.letters(ADA))
    forum.edit("bob", post, "bid 2\npress to all: I fear nobody. end press")
    settle(room)
    assert room.table().sets.hand["bo"].orders == ("bid 2",) and len(room.letters(ADA)) == pressed
    forum.edit("alice", post, "bid 9")  # a moderator of the forum
    settle(room)
    assert room.table().sets.hand["bo"].orders == ("bid 2",)
    other = forum.say("bob", thread, "bid 1")
    settle(room)
    room.write(ADA, "bid 1")
    settle(room)
    assert room.table().number == 2
    forum.edit("bob", other, "bid 3\npress to all: Late. end press")
    settle(room)
    assert "bo" not in room.table().sets.hand and "of an earlier phase" in flat(ours(forum, thread)[-1])
    assert not [one for one in room.letters(ADA) if "Late." in "\n".join(one.body)]


def test_a_thread_with_a_third_reader_is_dead(room_there: Room, forum: DiscourseStandIn) -> None:
    """Even one who has gone again: nothing is read or written there, letters come by mail, a new one has a new code."""
    room = room_there
    thread = bind(room, forum, BO, "bob")
    forum.let_in("alice", thread)
    forum.put_out("alice", thread)
    written = len(ours(forum, thread))
    forum.say("bob", thread, "bid 3")
    settle(room)
    assert "bo" not in room.table().sets.hand and "Somebody besides us two" in flat(room.last(BO))
    room.write(ADA, "press to all: Hello there. end press")
    settle(room)
    assert "Hello there." in room.last(BO) and len(ours(forum, thread)) == written
    old = code(room, BO)
    again = bind(room, forum, BO, "bob")
    assert again != thread and code(room, BO) != old
    forum.say("bob", again, "bid 2")
    settle(room)
    assert room.table().sets.hand["bo"].orders == ("bid 2",)


def test_a_letter_is_never_written_where_somebody_else_reads(room_there: Room, forum: DiscourseStandIn) -> None:
    """Who is there is asked right before: whoever was let in since the thread was read sees nothing new."""
    room = room_there
    thread = bind(room, forum, BO, "bob")
    room.write(ADA, "press to all: Hello there. end press")
    room.arena.index.forum.leave_alone(room.clock.now() + timedelta(minutes=2))  # so that the thread is not read first
    room.sweep()
    forum.topics[thread]["people"].append("alice")
    written = len(ours(forum, thread))
    for _ in range(3):
        room.clock.advance(timedelta(minutes=2))
        forum_posts.send(room.arena, room.forum, room.clock.now())
    forum.put_out("alice", thread)
    settle(room)
    assert len(ours(forum, thread)) == written and threads.of(room.table(), "bo") is None
    assert [one for one in room.letters(BO) if "Hello there." in "\n".join(one.body)]


def test_a_forum_that_is_down_holds_up_the_deadlines_of_those_who_play_there(
    room_there: Room, forum: DiscourseStandIn
) -> None:
    """Orders may wait in a thread: like those in a mailbox that is away they are not lost; letters go by mail."""
    room = room_there
    thread = bind(room, forum, BO, "bob")
    room.found("ada", "bo", name="tide-2")
    deadline = room.table().deadline
    room.sweep(deadline - room.clock.now() - timedelta(minutes=1))
    forum.say("bob", thread, "bid 3")
    room.forum, back = Discourse("http://127.0.0.1:1/", "arena", lambda: KEY, CATEGORY, 1), room.forum
    room.write(ADA, "press to all: Is it down? end press", to=room.reply_to(ADA, "[tide-1]"))
    for _ in range(8):
        room.sweep(timedelta(hours=3))
    assert room.table().number == 1 and room.table().status == "open" and room.table("tide-2").number == 2
    assert [one for one in room.letters(BO) if "Is it down?" in "\n".join(one.body)]
    room.forum = back
    settle(room)
    assert room.table().number == 2
    assert any("TIDE 1" in text and "Bo takes the hulk" in text for text in ours(forum, thread))
    assert room.table().seats["bo"].nmr == 0 and room.table().seats["ada"].nmr == 1


def test_what_comes_after_the_deadline_is_late(room_there: Room, forum: DiscourseStandIn) -> None:
    """By the forum's stamp of when it was written."""
    room = room_there
    thread = bind(room, forum, BO, "bob")
    room.sweep(room.table().deadline - room.clock.now() + timedelta(minutes=30))
    assert room.table().number == 2
    stamp = room.clock.now() - timedelta(minutes=20)
    forum.clock = lambda: stamp
    forum.say("bob", thread, "bid 3")
    settle(room)
    assert "bo" not in room.table().sets.hand and "a phase that is closed" in flat(ours(forum, thread)[-1])


def test_the_moderator_rules_in_a_thread(room_there: Room, forum: DiscourseStandIn) -> None:
    """Under the same authority, also what nobody can take back, as forum people write; a changed post rules nothing."""
    room = room_there
    thread = bind(room, forum, GWEN, "gwen")
    before = room.table().deadline
    post = forum.say("gwen", thread, "extend 24h because of a storm")
    settle(room)
    assert room.table().deadline == before + timedelta(days=1)
    forum.edit("gwen", post, "extend 24h because of a storm, sorry")
    settle(room)
    assert room.table().deadline == before + timedelta(days=1)
    assert "changed rules nothing" in flat(ours(forum, thread)[-1])
    forum.say("gwen", thread, "- replace Bo with cy@example.org because they left")
    settle(room)
    assert room.letters("cy@example.org")  # the forum vouches for her


def test_an_account_that_is_not_there_is_said_so(room_there: Room, forum: DiscourseStandIn) -> None:
    """With the forum's own words, and what to do."""
    room = room_there
    room.write(BO, "forum bobby")
    settle(room)
    assert "Nobody there is called so" in flat(room.last(BO)) and not private(forum)
    thread = bind(room, forum, BO, "bob")
    room.write(BO, "forum off", to=room.reply_to(BO))
    settle(room)
    forum.say("bob", thread, "bid 3")
    settle(room)
    assert "bo" not in room.table().sets.hand and not [*threads.living(room.table())]


@pytest.mark.parametrize(
    "post", some(4, ["{}", "here it is: **{}**", "`{}`", "_{}_", "{} thanks", "> {}", "SPACED", "UPPER"])
)
def test_a_code_is_known_however_it_is_written(room_there: Room, forum: DiscourseStandIn, post: str) -> None:
    """Bold, spaced, in capitals; after some other words too, which are answered each time, at most so often."""
    room = room_there
    room.write(BO, "forum bob")
    settle(room)
    (thread,) = private(forum)
    mails = len(room.letters(BO))
    for _ in range(2):
        forum.say("bob", thread, "hello?")
        settle(room, 2)
    assert len(room.letters(BO)) == mails + 2
    right = code(room, BO)
    spaced = {"SPACED": f"{right[:5]} {right[5:]}", "UPPER": right.upper()}.get(post, post.format(right))
    forum.say("bob", thread, spaced)
    settle(room, 2)
    is_quoted = post.startswith(">")
    assert room.table().threads["bo"].is_bound is not is_quoted


@pytest.mark.parametrize(
    "text",
    some(
        3,
        [
            "forum bob",
            "FORUM BOB",
            "forum: bob",
            "forum name: bob",
            "forum as bob",
            "forum @bob",
            'forum "bob"',
            "forum is bob",
        ],
    ),
)
def test_ordinary_ways_to_ask_for_a_thread_are_read(room_there: Room, forum: DiscourseStandIn, text: str) -> None:
    """The name is one word."""
    room_there.write(BO, text)
    settle(room_there)
    assert threads.of(room_there.table(), "bo").account.lower() == "bob"  # type: ignore[union-attr]


@pytest.mark.parametrize("text", some(3, ["forum", "forum ____", "forum bob@example.org", "forum off"]))
def test_what_is_no_name_is_said_so(room_there: Room, text: str) -> None:
    """With what would be one; talk of the forum is talk."""
    room_there.write(BO, text)
    settle(room_there)
    said = flat(room_there.last(BO))
    assert ("forum bob" in said or "no thread" in said) and not room_there.table().threads


def test_nobody_else_can_bind_or_write(room_there: Room, forum: DiscourseStandIn) -> None:
    """Not in the topic, not by mail that says so, not with the code of another seat."""
    room = room_there
    ada, bo = bind(room, forum, ADA, "alice"), bind(room, forum, BO, "bob")
    forum.say("bob", bo, "bid 3")
    settle(room)
    raw = next(
        raw
        for raw in (room.root / "games" / "tide-1" / "post" / "in").glob("*.eml")
        if b"bid 3" in raw.read_bytes() or b"YmlkIDM" in raw.read_bytes()
    )
    forged = re.sub(rb'"role":\s*"bo"', b'"role": "ada"', raw.read_bytes())
    assert forged != raw.read_bytes()
    room.mailbox.deliver(forged, room.clock.now())
    settle(room)
    assert "ada" not in room.table().sets.hand
    room.write(BO, "forum off", to=room.reply_to(BO))
    settle(room)
    room.write(BO, "forum bob", to=room.reply_to(BO))
    settle(room)
    new = private(forum)[-1]
    forum.say("bob", new, code(room, ADA))
    settle(room)
    assert not room.table().threads["bo"].is_bound
    assert room.table().threads["ada"].topic == ada


def test_orders_in_the_topic_warn_whoever_plays_there(room_there: Room, forum: DiscourseStandIn) -> None:
    """In their thread, once a phase; of others nobody knows who they are."""
    room = room_there
    thread = bind(room, forum, BO, "bob")
    topic = next(number for number in forum.topics if not forum.topics[number]["people"])
    forum.say("bob", topic, "bid 3")
    forum.say("alice", topic, "bid 3")
    settle(room)
    assert "by your account" in flat(ours(forum, thread)[-1]) and "bo" not in room.table().sets.hand
    written = len(ours(forum, thread))
    forum.say("bob", topic, "bid 2")
    settle(room)
    assert len(ours(forum, thread)) == written


def test_a_seat_that_goes_to_another_person_takes_no_thread_along(room_there: Room, forum: DiscourseStandIn) -> None:
    """Who had it reads and writes for it no more."""
    room = room_there
    thread = bind(room, forum, BO, "bob")
    room.write(GWEN, "replace Bo with cy@example.org because they left", to=room.reply_to(GWEN))
    settle(room)
    written = len(ours(forum, thread))
    room.write("cy@example.org", "yes", to=room.reply_to("cy@example.org"))
    settle(room)
    number = room.table().number
    while room.table().number == number:
        room.sweep(timedelta(days=1))
    settle(room)
    room.sweep(timedelta(seconds=1))
    written = len(ours(forum, thread))
    assert room.arena.people.contact(room.table().seats["bo"].person).address == "cy@example.org"
    forum.say("bob", thread, "bid 3")
    settle(room)
    assert "bo" not in room.table().sets.hand and len(ours(forum, thread)) == written


def test_a_thread_outlives_process_and_index(room_there: Room, forum: DiscourseStandIn) -> None:
    """It is in the journal; nothing is written twice, and nothing read twice."""
    room = room_there
    thread = bind(room, forum, BO, "bob")
    forum.say("bob", thread, "bid 3")
    settle(room)
    written, head = ours(forum, thread), room.table().head
    room.arena.close()
    (room.root / "index.sqlite").unlink()
    room.arena = room.open()
    assert reindex(room.arena) == []
    settle(room)
    assert ours(forum, thread) == written and room.table().head == head
    forum.say("bob", thread, "bid 1")
    settle(room)
    assert room.table().sets.hand["bo"].orders == ("bid 1",)


def test_what_was_posted_is_called_a_post(room_there: Room, forum: DiscourseStandIn) -> None:
    """And a mail a mail, also where it is answered in the thread."""
    room = room_there
    thread = bind(room, forum, BO, "bob")
    forum.say("bob", thread, "What a game!")
    settle(room)
    assert "There are no orders in your post." in flat(ours(forum, thread)[-1])
    room.write(BO, "What a fine game!")
    settle(room)
    assert "There are no orders in your mail." in flat(ours(forum, thread)[-1])


def test_handbooks_say_how_a_thread_is_had(room_there: Room) -> None:
    """Those of players and of the moderator, and the letters that a game begins with."""
    room = room_there
    invitation, *later = ["\n".join(one.body) for one in room.letters(BO)]
    assert "who has a seat is told how" in flat(invitation) and "| forum" not in invitation
    assert any("\n| forum bob" in text for text in later)
    for who in (BO, GWEN):
        room.write(who, "help")
        settle(room)
        assert any("\n| forum " in "\n".join(one.body) for one in room.letters(who))


def test_a_game_may_take_orders_by_mail_alone(room: Room, forum: DiscourseStandIn) -> None:
    """It says so to whoever asks for a thread."""
    with_forum(room, forum)
    room.found("ada", "bo", forum=True, threads=False)
    room.write(BO, "forum bob")
    settle(room)
    assert "mail alone" in flat(room.last(BO)) and not [*threads.living(room.table())]


def test_a_letter_that_is_too_long_for_a_post_goes_by_mail(
    room_there: Room, forum: DiscourseStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not cut."""
    room = room_there
    bind(room, forum, BO, "bob")
    monkeypatch.setattr(forum_posts, "LONGEST", 10)
    mails = len(room.letters(BO))
    room.write(ADA, "press to all: Hello there. end press")
    settle(room)
    assert len(room.letters(BO)) == mails + 1 and "Hello there." in room.last(BO)
