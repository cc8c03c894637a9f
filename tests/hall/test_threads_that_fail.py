"""What goes wrong in a private thread, or with the whole forum: whose trouble it is, how long it lasts, what it costs."""

import itertools
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from pbem.ground.terms import ShelfError
from pbem.hall.sweep import taking
from pbem.table.model import threads
from pbem.world.forum.forum import Page
from tests.conftest import Room, flat
from tests.depth import some
from tests.hall.test_threads import ADA, BO, GWEN, bind, forum, ours, private, room_there, settle
from tests.servers.discourse import DiscourseStandIn

__all__ = ["forum", "room_there"]
MINUTE = timedelta(minutes=1)


def before_deadline(room: Room, span: timedelta = MINUTE) -> None:
    """Let time pass until so long before the deadline."""
    room.sweep(room.table().deadline - room.clock.now() - span)


def of_thread(number: int, code: int) -> Callable[[str, str], Any]:
    """Refuse whatever is asked of one topic."""
    return lambda _method, path: (code, {}) if path.startswith(f"/t/{number}") else None


@pytest.mark.parametrize("code", some(4, [301, 400, 401, 403, 404, 410, 422, 429, 500, 503]))
def test_a_forum_that_refuses_everything_for_a_while_costs_nobody_a_turn(
    room_there: Room, forum: DiscourseStandIn, code: int
) -> None:
    """However it refuses: what was posted in time counts, and nobody's thread is dead."""
    room = room_there
    bind(room, forum, BO, "bob")
    before_deadline(room)
    forum.say("bob", private(forum)[0], "bid 3")
    forum.refuses = lambda _method, _path: (code, {})
    for _ in range(20):
        room.sweep(MINUTE)
    assert room.table().number == 1
    forum.refuses = lambda _method, _path: None
    settle(room)
    assert room.table().number == 2 and room.table().seats["bo"].nmr == 0
    assert threads.of(room.table(), "bo")


@pytest.mark.parametrize("code", [404, *(pytest.param(code, marks=pytest.mark.sweep) for code in (403, 422, 500))])
def test_a_thread_that_is_broken_is_its_own_trouble_and_has_an_end(
    room_there: Room, forum: DiscourseStandIn, code: int
) -> None:
    """Others are read and written to meanwhile, and its game goes on once it is given up, which is told by mail."""
    room = room_there
    ada, bo = bind(room, forum, ADA, "alice"), bind(room, forum, BO, "bob")
    before_deadline(room)
    forum.refuses = of_thread(ada, code)
    forum.say("bob", bo, "bid 3\npress to all: Hello there. end press")
    for _ in range(10):
        room.sweep(MINUTE)
    assert room.table().number == 1 and room.table().sets.hand["bo"].orders == ("bid 3",)
    assert any("Hello there." in text for text in ours(forum, bo))
    for _ in range(140):
        room.sweep(MINUTE)
    assert room.table().number == 2 and threads.of(room.table(), "ada") is None
    letters = [flat("\n".join(one.body)) for one in room.letters(ADA)]
    assert any("is gone, or I cannot read it" in text for text in letters)
    assert any("Hello there." in text for text in letters)


@pytest.mark.parametrize("code", some(3, [403, 500, 503]))
def test_letters_go_by_mail_where_the_forum_takes_no_posts(
    room_there: Room, forum: DiscourseStandIn, code: int
) -> None:
    """Though it can be read."""
    room = room_there
    bind(room, forum, BO, "bob")
    forum.refuses = lambda method, _path: (code, {}) if method == "POST" else None
    room.write(ADA, "press to all: Hello there. end press")
    for _ in range(20):
        room.sweep(MINUTE)
    assert [one for one in room.letters(BO) if "Hello there." in "\n".join(one.body)]


def test_the_moderator_is_told_that_a_game_waits_and_can_close_it(room_there: Room, forum: DiscourseStandIn) -> None:
    """After an hour, once a day."""
    room = room_there
    bind(room, forum, BO, "bob")
    before_deadline(room)
    forum.refuses = lambda _method, _path: (503, {})
    for _ in range(80):
        room.sweep(MINUTE)
    told = [one for one in room.letters(GWEN) if "waits with its deadline" in flat("\n".join(one.body))]
    assert len(told) == 1 and "close now because REASON" in flat("\n".join(told[0].body))
    room.write(GWEN, "close now because the forum is down")
    room.sweep(MINUTE)
    assert room.table().number == 2


def test_a_slow_forum_is_read_by_and_by(
    room_there: Room, forum: DiscourseStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each thread counts once it was read since the deadline, not all in one sweep."""
    room = room_there
    for who, account in ((ADA, "alice"), (BO, "bob"), (GWEN, "gwen")):
        bind(room, forum, who, account)
    before_deadline(room)
    clock = itertools.count(step=6)
    monkeypatch.setattr(room.arena, "steady", lambda: float(next(clock)))
    for _ in range(8):
        room.sweep(MINUTE)
    assert room.table().number == 2


def test_numbers_that_can_be_none_and_pages_that_name_themselves_stop_nothing(
    room_there: Room, forum: DiscourseStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither loops nor overflows, in any game."""
    room = room_there
    bind(room, forum, BO, "bob")
    forum.refuses = lambda method, _path: (200, {"topic_id": 10**20, "id": 10**20}) if method == "POST" else None
    room.write(ADA, "forum alice\nbid 3")
    settle(room)
    assert room.table().sets.hand["ada"].orders == ("bid 3",) and not room.sweep(MINUTE).still
    calls = []
    assert room.forum

    def same(topic: int, wanted: int) -> Page:
        calls.append(wanted)
        return Page(1, 2, ())

    monkeypatch.setattr(room.forum.threads, "page", same)
    room.sweep(2 * MINUTE)
    assert 0 < len(calls) < 10


def test_an_edit_that_the_forum_does_not_tell_of_is_one(room_there: Room, forum: DiscourseStandIn) -> None:
    """As within the first minutes: what we have had in other words was changed, and a moderator's rules nothing."""
    room = room_there
    thread = bind(room, forum, GWEN, "gwen")
    before = room.table().deadline
    post = forum.say("gwen", thread, "extend 24h because of a storm")
    settle(room)
    forum.posts[post]["raw"] = "extend 24h because of a storm, sorry"
    settle(room)
    assert room.table().deadline == before + timedelta(days=1)
    mine = bind(room, forum, BO, "bob")
    other = forum.say("bob", mine, "bid 3")
    before_deadline(room)
    room.sweep(3 * MINUTE)
    assert room.table().number == 2
    forum.posts[other]["raw"] = "bid 1"
    settle(room)
    assert "bo" not in room.table().sets.hand


@pytest.mark.parametrize("is_told", [True, False])
def test_a_post_that_was_looked_at_often_is_read_again_once_it_is_changed(
    room_there: Room, forum: DiscourseStandIn, is_told: bool
) -> None:
    """Whether the forum tells of the edit or not; then it is left alone again."""
    room = room_there
    thread = bind(room, forum, BO, "bob")
    post = forum.say("bob", thread, "bid 3")
    for _ in range(4):
        room.sweep(MINUTE)
    assert room.table().sets.hand["bo"].orders == ("bid 3",)
    if is_told:
        forum.edit("bob", post, "bid 1")
    else:
        forum.posts[post]["raw"] = "bid 1"
    assert [room.sweep(2 * MINUTE).mails for _ in range(3)] == [1, 0, 0]
    assert room.table().sets.hand["bo"].orders == ("bid 1",)


def test_nobody_is_pestered_and_no_thread_dies_by_a_slip(room_there: Room, forum: DiscourseStandIn) -> None:
    """Who has a thread is told so; a few a phase are enough, each to be ended first; a group has none."""
    room = room_there
    thread = bind(room, forum, BO, "bob")
    for text in ("forum bob", "forum alice", "forum: bob", "Forum great.", "Forum works!", "forum rules"):
        room.write(BO, text, to=room.reply_to(BO))
        settle(room, 2)
        assert threads.of(room.table(), "bo").topic == thread  # type: ignore[union-attr]
    for _ in range(9):
        room.write(BO, "forum off", to=room.reply_to(BO))
        settle(room, 2)
        room.write(BO, "forum alice", to=room.reply_to(BO))
        settle(room, 2)
    assert len(private(forum)) == 6


def test_who_posts_much_keeps_nobody_waiting(room_there: Room, forum: DiscourseStandIn) -> None:
    """Places are written to in turn."""
    room = room_there
    ada, bo = bind(room, forum, ADA, "alice"), bind(room, forum, BO, "bob")
    for number in range(30):
        forum.say("alice", ada, f"bid {number % 9}")
    room.sweep(2 * MINUTE)
    forum.say("bob", bo, "bid 3")
    settle(room, 3)
    assert "a bid of 3" in ours(forum, bo)[-1]


def test_a_charter_that_is_changed_ends_all_threads(room_there: Room, forum: DiscourseStandIn) -> None:
    """What is posted there counts no more."""
    room = room_there
    thread = bind(room, forum, BO, "bob")
    path = room.root / "games" / "tide-1" / "charter.toml"
    text = path.read_text().replace("threads = true", "threads = false")
    path.write_text("\n".join(line for line in text.split("\n") if "Check sum" not in line))
    room.reopen()
    forum.say("bob", thread, "bid 3")
    settle(room)
    assert "bo" not in room.table().sets.hand


@pytest.mark.parametrize("answer", some(2, [[], None, "done", {"id": 10**20, "topic_id": 3}]))
def test_what_may_have_been_posted_is_not_posted_again(
    room_there: Room, forum: DiscourseStandIn, answer: object
) -> None:
    """Where the answer is none that we understand: it is looked for first."""
    room = room_there
    thread = bind(room, forum, BO, "bob")
    call = forum.call

    def odd(method: str, *given: Any) -> Any:
        found = call(method, *given)
        return (200, answer) if method == "POST" and found[0] == 200 else found

    forum.call = odd  # type: ignore[method-assign, assignment]
    room.write(ADA, "press to all: Hello there. end press")
    settle(room, 1)
    forum.call = call  # type: ignore[method-assign]
    settle(room, 8)
    assert sum("Hello there." in post["raw"] for post in forum.posts.values()) == 2
    assert any("Hello there." in text for text in ours(forum, thread))


def test_posts_that_move_up_since_others_were_deleted_are_read(room_there: Room, forum: DiscourseStandIn) -> None:
    """Also where pages are fewer than we have read."""
    room = room_there
    thread = bind(room, forum, BO, "bob")
    stream = forum.topics[thread]["stream"]
    for _ in range(90):
        stream.append(forum.say("arena", thread, "a long letter of ours"))
    room.write(ADA, "bid 1")
    forum.say("bob", thread, "bid 1")
    settle(room)
    assert room.table().number == 2
    settle(room)
    del stream[5:70]
    forum.say("bob", thread, "bid 3")
    for _ in range(19):
        forum.say("arena", thread, "a long letter of ours")
    settle(room)
    assert room.table().sets.hand["bo"].orders == ("bid 3",)


def test_what_one_thread_breaks_by_a_fault_of_ours_costs_no_other_its_posts(
    room_there: Room, forum: DiscourseStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is raised, each thread is taken by itself, and what was not taken is read again."""
    room = room_there
    ada, bo = bind(room, forum, ADA, "alice"), bind(room, forum, BO, "bob")
    assert room.forum
    page = room.forum.threads.page

    def breaking(topic: int, wanted: int) -> Page:
        if topic == ada:
            raise RuntimeError
        return page(topic, wanted)

    monkeypatch.setattr(room.forum.threads, "page", breaking)
    before_deadline(room)
    forum.say("alice", ada, "bid 2")
    forum.say("bob", bo, "bid 3")
    for _ in range(5):
        room.sweep(MINUTE)
    assert room.table().number == 1 and room.table().sets.hand["bo"].orders == ("bid 3",)
    monkeypatch.undo()
    settle(room)
    assert room.table().number == 2 and room.table().seats["ada"].nmr == 0


def test_what_could_not_be_taken_is_not_read(
    room_there: Room, forum: DiscourseStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the disk fails for a moment at the deadline: the game waits for it, however soon we look again."""
    room = room_there
    thread = bind(room, forum, BO, "bob")
    before_deadline(room)
    forum.say("bob", thread, "bid 3")

    def failing(*_: object) -> None:
        raise ShelfError("the disk fails")

    monkeypatch.setattr(taking, "plan", failing)
    room.sweep(5 * MINUTE)
    monkeypatch.undo()
    for _ in range(9):
        room.sweep(timedelta(seconds=10))
    assert room.table().number == 2 and room.table().seats["bo"].nmr == 0
