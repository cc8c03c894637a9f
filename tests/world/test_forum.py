"""The door to a Misago forum, over a real one: topics and posts, each once, and what is refused."""

import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial

import pytest

from pbem.ground.terms import ForumError
from pbem.world.forum.forum import Place
from pbem.world.forum.misago import Misago
from tests.servers import installed, running
from tests.servers.misago import CATEGORY, PASSWORD, MisagoServer

pytestmark = [pytest.mark.sweep, pytest.mark.timeout(180), pytest.mark.xdist_group("misago")]


@pytest.fixture(scope="module")
def server() -> Iterator[MisagoServer]:
    """A forum."""
    with installed():
        made = MisagoServer(flood=2)
    with running(made) as one:
        yield one


def person(server: MisagoServer, name: str, password: str = PASSWORD) -> Misago:
    """Log somebody in."""
    return Misago(server.url, name, lambda: password, CATEGORY)


def patient(say: Callable[[], Place]) -> Place:
    """Post something as soon as the forum lets us."""
    until = time.monotonic() + 20
    while True:
        try:
            return say()
        except ForumError as error:
            if error.what != "later" or time.monotonic() > until:
                raise


def test_a_topic_is_opened_and_replied_to_and_read(server: MisagoServer) -> None:
    """With what people wrote as HTML, their numbers and stamps; whoever posts too fast comes again."""
    arena, bob = person(server, "arena"), person(server, "bob")
    place = arena.open("ember-7: a game of Rumble", "Hello\n\n```text\n*x* <b> @bob\n```\n\n`ember-7.founded.abc`", "")
    with pytest.raises(ForumError) as refused:
        arena.reply(place.topic, "too fast")
    assert refused.value.what == "later"
    mine = patient(partial(arena.reply, place.topic, "second `ember-7.report.def`"))
    bob.reply(place.topic, "Good **luck** <script>alert(1)</script> @arena")
    page = arena.page(place.topic, 1)
    assert (page.number, page.pages, len(page.posts)) == (1, 1, 3)
    assert [post.author for post in page.posts] == [arena.who(), arena.who(), bob.who()]
    assert "*x* &lt;b&gt; @bob" in page.posts[0].text
    assert "<script>" not in page.posts[2].text
    assert page.posts[2].name == "bob" and page.posts[2].editor == 0
    assert arena.find_opened("ember-7.founded.abc").topic == place.topic  # type: ignore[union-attr]
    assert arena.find("ember-7.report.def", place.topic) == mine
    assert arena.find("ember-7.report.xyz", place.topic) is None
    assert arena.find_opened("ember-7.founded.xyz") is None


def test_an_edit_says_who_made_it(server: MisagoServer) -> None:
    """Its writer, or a moderator of the forum; the stamp moves, and what is hidden is not shown."""
    arena, bob, gm = person(server, "arena"), person(server, "bob"), person(server, "gm")
    topic = patient(partial(arena.open, "ember-8: a game of Rumble", "Hello", "")).topic
    place = patient(partial(bob.reply, topic, "attack Al 20"))
    before = arena.page(topic, 1).posts[1]
    bob.amend(place, "attack Al 30")
    own = arena.page(topic, 1).posts[1]
    assert own.editor == bob.who() == own.author
    assert own.updated > before.updated and "30" in own.text
    gm.amend(place, "attack Bob 30")
    assert arena.page(topic, 1).posts[1].editor == gm.who() != own.author
    server.manage(f"from misago.threads.models import Post; Post.objects.filter(id={own.post}).update(is_hidden=True)")
    assert [post.is_shown for post in arena.page(topic, 1).posts] == [True, False]


def test_what_is_refused_says_how(server: MisagoServer) -> None:
    """A closed topic, one that is gone, a wrong password, a server that is away."""
    arena = person(server, "arena")
    topic = patient(partial(arena.open, "ember-9: a game of Rumble", "Hello", "")).topic
    close = f"from misago.threads.models import Thread; Thread.objects.filter(id={topic}).update(is_closed=True)"
    server.manage(close)
    time_is_over = time.monotonic() + 5
    with pytest.raises(ForumError, match="closed") as refused:
        arena.reply(topic, "anything")
    assert refused.value.what == "closed" and time.monotonic() < time_is_over
    with pytest.raises(ForumError) as refused:
        arena.page(99_999, 1)
    assert refused.value.what == "gone"
    with pytest.raises(ForumError) as refused:
        person(server, "arena", "wrong").who()
    assert refused.value.what == "denied" and "wrong" not in str(refused.value)
    with pytest.raises(ForumError) as refused:
        Misago("http://127.0.0.1:1/", "arena", lambda: PASSWORD, CATEGORY).who()
    assert refused.value.what == "later" and refused.value.pause
    with pytest.raises(ForumError) as refused:
        Misago("http://forum.example.org/", "arena", lambda: PASSWORD, CATEGORY).who()
    assert refused.value.what == "denied"


def test_somebody_who_is_renamed_is_the_same(server: MisagoServer) -> None:
    """By their number; ours too, while we are logged in, and our topics are found."""
    arena, cy = person(server, "arena"), person(server, "cy")
    place = patient(partial(arena.open, "ember-11: a game of Rumble", "Hello `ember-11.founded.abc`", ""))
    cy.reply(place.topic, "Hello")
    before = arena.page(place.topic, 1).posts
    for name, other in (("cy", "zorro"), ("arena", "stadium")):
        server.manage(_RENAMED.format(name=name, other=other))
    after = arena.page(place.topic, 1).posts
    assert [post.author for post in after] == [post.author for post in before]
    assert arena.find_opened("ember-11.founded.abc") == Place(place.topic, before[0].post)
    for name, other in (("zorro", "cy"), ("stadium", "arena")):
        server.manage(_RENAMED.format(name=name, other=other))


_RENAMED = """
from misago.users.models import User
user = User.objects.get(slug="{name}")
user.set_username("{other}", changed_by=user)
user.save()
"""


def test_pages_follow_each_other(server: MisagoServer) -> None:
    """Behind the last one stands the last."""
    arena = person(server, "arena")
    topic = patient(partial(arena.open, "ember-10: a game of Rumble", "Hello", "")).topic
    server.manage(_MANY.format(topic=topic))
    first, last = arena.page(topic, 1), arena.page(topic, 1 << 30)
    assert first.pages == last.pages == last.number > 1
    shown = [post.post for number in range(1, last.number + 1) for post in arena.page(topic, number).posts]
    assert len(set(shown)) == 41  # a page may begin with the last of the one before
    assert arena.page(topic, last.number + 5) == last
    assert arena.pace > timedelta(seconds=3)


_MANY = """
from django.utils import timezone
from misago.threads.models import Post, Thread
from misago.users.models import User
thread, bob = Thread.objects.get(id={topic}), User.objects.get(slug="bob")
for number in range(40):
    now = timezone.now()
    Post.objects.create(category=thread.category, thread=thread, poster=bob, poster_name="bob", original=str(number),
        parsed=f"<p>{{number}}</p>", checksum="x", posted_on=now, updated_on=now)
thread.synchronize()
thread.save()
"""


def test_a_private_thread_is_read_by_two(server: MisagoServer) -> None:
    """Its people are known by their numbers, also one who was let in and has gone again; we find it by what it says."""
    arena, bob = person(server, "arena"), person(server, "bob")
    title, body = "[ember-12] Bo, thread 1", "Hello `ember-12.thread.abc`"
    topic = patient_number(partial(arena.threads.open_with, "Bob", title, body, ""))
    assert arena.threads.people(topic) == {arena.who(), bob.who()}
    place = patient(partial(bob.threads.reply, topic, "attack Al 20"))
    page = arena.threads.page(topic, 1)
    assert [post.author for post in page.posts] == [arena.who(), bob.who()] and not page.tells_of_others
    assert arena.threads.find("ember-12.thread.abc", topic) == Place(topic, page.posts[0].post)
    assert arena.threads.find_opened(title, "ember-12.thread.abc") == topic
    assert arena.threads.find_opened(title, "ember-12.thread.xyz") is None
    with pytest.raises(ForumError) as refused:
        person(server, "cy").threads.people(topic)
    assert refused.value.what in ("gone", "denied") and refused.value.code in (403, 404)
    for act in ("add", "remove"):
        value = "cy" if act == "add" else person(server, "cy").who()
        arena._session.calls.ask(
            "PATCH",
            f"api/private-threads/{topic}/",
            [{"op": act, "path": "participants", "value": value}],  # type: ignore[arg-type]
            {"X-CSRFToken": arena._session.calls.cookie("csrftoken")},
        )
    assert arena.threads.people(topic) == {arena.who(), bob.who()}
    assert arena.threads.page(topic, 1).tells_of_others and place.topic == topic


def test_who_cannot_be_written_to_and_what_we_may_not_is_said(server: MisagoServer) -> None:
    """At once, and not as if it were a matter of time."""
    arena = person(server, "arena")
    with pytest.raises(ForumError, match="could not be found") as refused:
        patient_number(partial(arena.threads.open_with, "nobody-here", "[ember-13] Bo", "Hello, whoever", ""))
    assert refused.value.code == 400 and not refused.value.is_away
    assert arena._session.may_open_in(CATEGORY) and not arena._session.may_open_in(99)
    server.manage(_RIGHT.format(right=0))
    try:
        with pytest.raises(ForumError) as refused:
            person(server, "arena").threads.open_with("bob", "[ember-14] Bo", "Hello, whoever", "")
        assert refused.value.code == 403 and refused.value.what == "denied"
    finally:
        server.manage(_RIGHT.format(right=1))


_RIGHT = """
from misago.acl.models import Role
from misago.cache.versions import invalidate_all_caches
for role in Role.objects.all():
    found = role.permissions.get("misago.threads.permissions.privatethreads")
    if found and "can_start_private_threads" in found:
        found["can_start_private_threads"] = {right}
        role.save()
invalidate_all_caches()
"""


def patient_number(open_one: Callable[[], int]) -> int:
    """Open something as soon as the forum lets us."""
    return patient(lambda: Place(open_one(), 0)).topic
