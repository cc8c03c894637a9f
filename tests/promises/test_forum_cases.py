"""
The promises where people play in private threads of a forum: the case of each that another door makes.

G1, G2 and G4 by kills at every point and every call; G5, G6, G7, G9 and G10 below. G3 has none of its own: what a post
leads to is written by the same hands, and power fails no other way. Nor has G8: the forum brings no mail of machines, a
thread is read of one person alone, and each of their posts has one answer (G7).
"""

import copy
import html
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.table.clock import schedule
from pbem.table.fold.journal import OrdersReceived
from pbem.world.forum import discourse
from pbem.world.forum.forum import Place
from pbem.world.settings import ForumSettings
from tests.conftest import Room
from tests.depth import some
from tests.forum import GM, MemoryForum, MemoryThreads, MemoryTopics
from tests.hall.test_threads import code
from tests.killing import Axe, Killed, _tell, points
from tests.script import Outcome, besides_troubles, differences, idle_disk, outcome

ADA, BO, GWEN = "ada@example.org", "bo@example.org", "gwen@example.org"
FEW = 29
"""Of so many points at which we are killed, the quick tests try one; the sweep tries all."""


@pytest.fixture(autouse=True)
def _idle_disk() -> Iterator[None]:
    with idle_disk():
        yield


class ForumRoom(Room):
    """A room beside a forum, on which ada and bo have accounts of these names."""

    forum: MemoryForum

    def __init__(self, root: Path, *given: Any, **terms: Any) -> None:
        """Put the forum beside it."""
        super().__init__(root, *given, **terms)
        wanted = ForumSettings(kind="misago", url="http://127.0.0.1:1/", user="arena", secret_file="-", category=1)
        self.settings = msgspec.structs.replace(self.settings, forum=wanted)
        self.reopen()
        self.forum = MemoryForum(self.clock.now, "ada", "bo", "zoe")

    def copied(self, root: Path) -> "ForumRoom":
        """Copy the forum too; its clock is that of the copy."""
        room = super().copied(root)
        room.forum = copy.deepcopy(self.forum, {id(self.forum.clock): room.clock.now, id(self.clock): room.clock})
        room.forum.clock = room.forum.threads.clock = room.clock.now
        return room

    def thread(self, name: str) -> int:
        """Return the number of somebody's latest thread."""
        threads = self.forum.threads
        return max(topic for topic, people in threads.people_in.items() if threads.numbers[name] in people)

    def say(self, name: str, text: str) -> Place:
        """Let somebody write in their thread."""
        return self.forum.threads.say(self.forum.numbers[name], self.thread(name), text)

    def settle(self, sweeps: int = 6) -> None:
        """Sweep some times, as if minutes passed between, in which the forum is not looked at; our clock stands."""
        for _ in range(sweeps):
            for table in ("thread", "topic"):
                self.arena.index.forum._db.execute(f"update {table} set looked = 0")
            assert not self.sweep(timedelta(0)).troubles


def room_of(root: Path) -> ForumRoom:
    """Return a room with a game of two in its first tide, on the forum."""
    room = ForumRoom(root)
    room.found("ada", "bo", forum=True)
    room.settle()
    return room


def bind(room: ForumRoom, name: str) -> None:
    """Give somebody a thread of their own."""
    room.write(f"{name}@example.org", f"forum {name}")
    room.settle()
    room.say(name, code(room, f"{name}@example.org"))
    room.settle()


@pytest.fixture(scope="module")
def bound(tmp_path_factory: pytest.TempPathFactory) -> ForumRoom:
    """A game in its first tide, in which both players have a thread; closed, to be copied."""
    with idle_disk():
        room = room_of(tmp_path_factory.mktemp("bound") / "arena")
        for name in ("ada", "bo"):
            bind(room, name)
        room.arena.close()
    return room


@pytest.fixture
def playing(bound: ForumRoom, tmp_path: Path) -> Iterator[ForumRoom]:
    """A copy of it."""
    room = bound.copied(tmp_path / "arena")
    yield room
    room.arena.close()


# G1 to G4: killed anywhere


class Stage(NamedTuple):
    """A sweep of the script: the room before it, what it leaves undisturbed, and how many points it passes."""

    name: str
    before: ForumRoom
    clean: tuple[Outcome, Any]
    passed: int


def acts(room: ForumRoom) -> Iterator[tuple[str, Any]]:
    """Yield what happens before each sweep."""
    topic = next(iter(room.forum.posts))
    yield "asked", lambda: room.write(ADA, "forum ada")
    yield "code", lambda: room.say("ada", code(room, ADA))
    yield "order", lambda: room.say("ada", "bid 3\npress to all: hello\nend press\nstatus")
    yield "talk", lambda: room.forum.say(10, topic, "What a game! bid 9")
    yield (
        "change",
        lambda: room.forum.threads.edit(10, Place(room.thread("ada"), room.thread("ada") * 1000 + 3), "bid 2"),
    )
    yield "close", lambda: room.write(BO, "bid 1")
    yield "late", lambda: room.forum.threads.edit(10, Place(room.thread("ada"), room.thread("ada") * 1000 + 3), "bid 4")
    yield "shared", lambda: room.forum.threads.people_in.update({room.thread("ada"): frozenset((1, 10, 12))})


@contextmanager
def forum_points(axe: Axe) -> Iterator[None]:
    """Count the points that a sweep passes, each call of the forum among them, before and after."""
    with points(axe), pytest.MonkeyPatch.context() as patch:
        for owner, names in (
            (MemoryTopics, ("reply", "find", "page")),
            (MemoryForum, ("open", "find_opened")),
            (MemoryThreads, ("open_with", "find_opened", "people")),
        ):
            for name in names:
                _tell(patch, axe, owner, name, f"forum.{name}", f"forum.{name} done")
        yield


def stages(root: Path) -> list[Stage]:
    """Play the script, and keep the room as it stands before each sweep."""
    room = room_of(root / "room")
    found = []
    for number, (name, act) in enumerate(acts(room)):
        act()
        room.clock.advance(timedelta(minutes=2))
        room.arena.close()
        before = room.copied(root / f"{number}")
        before.arena.close()
        room.arena = room.open()
        axe = Axe()
        with forum_points(axe):
            room.arena.shelf.tidy()
            room.sweep(timedelta(0))
        room.settle()
        found.append(Stage(name, before, left(room), len(axe.passed)))
    assert room.table().number == 2 and not room.table().sets.hand
    room.arena.close()
    return found


def left(room: ForumRoom) -> tuple[Outcome, Any]:
    """Return what a settled room holds, and what stands on the forum, without the order of letters of one sweep."""
    ours = {
        topic: sorted(re.findall(r"`([^`]+)`\n$", post.text)[0] for post in posts if post.author == 1)
        for topics in (room.forum, room.forum.threads)
        for topic, posts in topics.posts.items()
    }
    return besides_troubles(outcome(room)), ours


def trial(stage: Stage, folder: Path, at: int) -> bool:
    """Let a stage be killed at a point, start again, settle, and look; say whether the point was passed."""
    room = stage.before.copied(folder)
    axe = Axe(at)
    try:
        with forum_points(axe):
            room.reopen()
            room.arena.shelf.tidy()
            room.sweep(timedelta(0))
    except Killed:
        pass
    room.reopen()
    room.settle()
    found, clean = left(room), stage.clean
    where = f"{stage.name}, killed at {axe.passed[-1]} ({at})"
    assert found[1] == clean[1], f"{where}: {found[1]} {clean[1]}"
    assert not differences(found[0], clean[0]), f"{where}: {differences(found[0], clean[0])}"
    room.arena.close()
    shutil.rmtree(folder)
    return axe.fell


def test_a_kill_at_some_points_changes_nothing(tmp_path: Path) -> None:
    """The same journals, and each post and letter once: what the forum may have is looked for there."""
    script = stages(tmp_path / "script")
    some = [(stage, at) for stage in script for at in range(1, stage.passed + 1)][::FEW]
    assert sum(trial(stage, tmp_path / f"{n}", at) for n, (stage, at) in enumerate(some)) == len(some)


@pytest.mark.sweep
@pytest.mark.timeout(600)
def test_a_kill_at_any_point_changes_nothing(tmp_path: Path) -> None:
    """At each point of each sweep."""
    script = stages(tmp_path / "script")
    every = [(stage, at) for stage in script for at in range(1, stage.passed + 1)]
    assert sum(trial(stage, tmp_path / f"{n}", at) for n, (stage, at) in enumerate(every)) == len(every)


# G5: nobody acts in another's name

WHO = {"ada": 10, "bo": 11, "zoe": 12, "a moderator of the forum": GM}
HAPPENINGS = st.lists(
    st.one_of(
        st.tuples(st.just("say"), st.sampled_from([*WHO]), st.sampled_from(["ada", "bo", "topic"]), st.integers(0, 9)),
        st.tuples(st.just("edit"), st.sampled_from([*WHO]), st.integers(0, 9), st.integers(0, 9)),
        st.tuples(st.just("sweep")),
    ),
    max_size=14,
)


@given(happenings=HAPPENINGS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_only_what_somebody_wrote_themselves_in_their_thread_counts(
    bound: ForumRoom, tmp_path_factory: pytest.TempPathFactory, happenings: list[Any]
) -> None:
    """Whoever else posts there, or changes what stands there, whatever stands in the topic, in whatever order."""
    room = bound.copied(tmp_path_factory.mktemp("drawn") / "arena")
    forum, threads = room.forum, room.forum.threads
    topics: dict[str, tuple[MemoryTopics, int]] = {name: (threads, room.thread(name)) for name in ("ada", "bo")}
    topics["topic"] = (forum, next(iter(forum.posts)))
    said: list[tuple[str, Place]] = []
    fresh: dict[int, str] = {}
    expected: dict[str, tuple[str, ...]] = {}
    for what, *happens in (*happenings, ("sweep",)):
        room.clock.advance(timedelta(seconds=1))
        if what == "say":
            who, where, amount = happens
            place = topics[where][0].say(WHO[who], topics[where][1], f"bid {amount}")
            said.append((where, place))
            fresh[place.post] = where
        elif what == "edit" and said:
            who, which, amount = happens
            where, place = said[which % len(said)]
            topics[where][0].edit(WHO[who], place, f"bid {amount}")
            fresh[place.post] = where
        elif what == "sweep":
            room.clock.advance(timedelta(minutes=2))
            expected |= dict(reckoned(room, fresh))
            fresh.clear()
            room.settle(2)
            found = {seat: held.orders for seat, held in room.table().sets.hand.items()}
            assert found == expected
    room.arena.close()


def reckoned(room: ForumRoom, fresh: dict[int, str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what posts that are new or changed come to, in the order in which they came."""
    posts = [post for posts in room.forum.threads.posts.values() for post in posts if post.post in fresh]
    for post in sorted(posts, key=lambda post: post.updated if post.editor else post.created):
        seat = fresh[post.post]
        amount = int(post.text.removeprefix("bid "))
        if post.author == WHO[seat] and post.editor in (0, post.author) and amount <= 10:
            yield seat, (f"bid {amount}",)


# G6: nothing depends on secret orders


@given(bids=st.tuples(st.integers(0, 10), st.integers(0, 10)))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_others_see_does_not_depend_on_orders_in_a_thread(
    bound: ForumRoom, tmp_path_factory: pytest.TempPathFactory, bids: tuple[int, int]
) -> None:
    """Neither the topic, nor other threads, nor letters, with a change among it."""
    seen = []
    for bid in bids:
        room = bound.copied(tmp_path_factory.mktemp("world") / "arena")
        place = room.say("ada", f"bid {bid}\npress to all: hello\nend press")
        room.clock.advance(timedelta(minutes=2))
        room.settle()
        room.forum.threads.edit(10, place, f"bid {10 - bid}")
        room.clock.advance(timedelta(minutes=2))
        room.settle()
        threads = {topic: posts for topic, posts in room.forum.threads.posts.items() if topic != room.thread("ada")}
        seen.append((room.forum.posts, threads, [one for one in room.outbox.sent if one[0] != ADA]))
        assert room.table().sets.hand["ada"].orders == (f"bid {10 - bid}",)
        room.arena.close()
    assert seen[0] == seen[1]


# G7: bad input gets one clear reply


@pytest.mark.parametrize(
    "text",
    some(
        4,
        [
            "bidd 3",
            "bid",
            "bid -1",
            "bid 1\nbid 2",
            "How do I bid?",
            "<b>bid 3</b>",
            "![x](y) @everybody",
            "x" * 59_000,
            ":)",
        ],
    ),
)
def test_each_post_gets_one_answer(playing: ForumRoom, text: str) -> None:
    """Which stands in the thread, or, where it is too long for one, comes by mail."""
    room = playing
    before = len(room.forum.threads.posts[room.thread("bo")]), len(room.letters(BO))
    room.say("bo", text)
    room.clock.advance(timedelta(minutes=2))
    room.settle()
    after = len(room.forum.threads.posts[room.thread("bo")]) - 1, len(room.letters(BO))
    assert sum(after) == sum(before) + 1


# G9: nothing that we post is read back as an order

HOW = ("a quote of Discourse", "a quote within a quote", "a quote of Markdown", "a quote of Misago")


def quoted(how: str, text: str, new: str) -> tuple[str, bool]:
    """Return a post that quotes one of ours above something new, and whether the forum shows it as HTML."""
    lines = "\n".join(f"> {line}" for line in text.split("\n"))
    if how == "a quote of Misago":
        fenced = re.search(r"```text\n(.*)\n```", text, re.DOTALL)
        assert fenced
        inside = f"<pre><code>{html.escape(fenced[1])}</code></pre>"
        return f'<aside class="quote-block"><blockquote>{inside}</blockquote></aside>\n<p>{new}</p>', True
    if how == "a quote of Markdown":
        return f"{lines}\n\n{new}", False
    inner = f'[quote="arena, post:3"]\n{text}\n[/quote]'
    outer = f'[quote="zoe, post:9"]\n{inner}\nbid 9\n[/quote]' if "within" in how else inner
    return discourse.as_text(f"{outer}\n\n{new}"), False


@pytest.mark.parametrize("how", some(3, HOW))
def test_what_we_wrote_counts_for_nothing_where_it_is_quoted(playing: ForumRoom, how: str) -> None:
    """Of each post in the thread, with a new line below, and alone."""
    room = playing
    thread = room.thread("bo")
    room.say("bo", "help")
    room.clock.advance(timedelta(minutes=2))
    room.settle()
    ours = [post.text for post in room.forum.threads.posts[thread] if post.author == 1]
    assert len(ours) > 2
    for number, text in enumerate(ours):
        for new in (f"bid {number % 9}", ""):
            post, is_html = quoted(how, text, new)
            room.forum.threads.say(11, thread, post, is_html=is_html)
            room.clock.advance(timedelta(minutes=2))
            room.settle()
            assert room.table().sets.hand["bo"].orders == (f"bid {number % 9}",), text
            last = room.table().log[-1]
            assert isinstance(last, OrdersReceived) and not last.complaints and not last.press, last


# G10: a deadline is an instant


@given(seconds=st.integers(-600, 600), away=st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_post_counts_by_when_it_was_made(
    bound: ForumRoom, tmp_path_factory: pytest.TempPathFactory, seconds: int, away: bool
) -> None:
    """By the forum's stamp, also where it could be read only long after the deadline."""
    room = bound.copied(tmp_path_factory.mktemp("drawn") / "arena")
    cutoff = schedule.cutoff(room.table())
    room.clock.advance(cutoff + timedelta(seconds=seconds) - room.clock.now())
    room.say("ada", "bid 3")
    if away:
        room.arena.index.forum.leave_alone(room.clock.now() + timedelta(hours=5))
        room.sweep(timedelta(hours=4))
        assert room.table().number == 1
        room.clock.advance(timedelta(hours=2))
    else:
        room.clock.advance(cutoff + timedelta(minutes=15) - room.clock.now())  # mail may be under way for two more
    room.settle()
    assert room.table().number == 2
    assert room.table().seats["ada"].nmr == (seconds > 0)
    room.arena.close()
