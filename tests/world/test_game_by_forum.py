"""Games that are played on a real forum: every post once, whatever breaks, and orders in private threads alone."""

import random
import re
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pbem.ground.terms import ForumError, GameName, Seat
from pbem.hall.store.catalogue import rulesets_known
from pbem.hall.store.game_folder import folders, journals
from pbem.hall.sweep.reindexing import reindex
from pbem.letters import writing
from pbem.table.fold.journal import Entry, PostArchived, RulingGiven
from pbem.table.model import threads
from pbem.table.rulings.extend import Extend
from pbem.world.forum.forum import Forum, Page, Place, Threads, Topics
from pbem.world.forum.misago import Misago
from pbem.world.settings import ForumSettings, Settings, templates
from tests.conftest import Room, flat
from tests.depth import DEPTH
from tests.hall.test_threads import code
from tests.servers import installed, running
from tests.servers.misago import CATEGORY, PASSWORD, MisagoServer
from tests.world.test_forum import person

GAME = GameName("ember-7")
NAMES = {"ada": "Mantisman", "bo": "Doctor Cuttlefish", "cy": "Plastiquegirl", "dee": "The Wasp"}


@pytest.fixture(scope="module")
def server() -> Iterator[MisagoServer]:
    """A forum where people may post as fast as they like."""
    with installed():
        made = MisagoServer()
    with running(made) as one:
        yield one


class Losses:
    """
    Which calls are lost, and answers, as a seed says; and when each version of a post was made.

    The forum's clock is that of this machine, and ours runs ahead: `made` has by our clock what its stamps say.
    """

    def __init__(self, chance: random.Random) -> None:
        """Lose nothing yet."""
        self.chance, self.lost = chance, 0
        self.made: dict[tuple[int, datetime], datetime] = {}

    def through(self, *, is_post: bool) -> None:
        """Lose a call, or let it through."""
        if self.chance.random() < 0.1:
            self.lost += 1
            raise ForumError("lost", "later", pause=60, is_lost=is_post, is_away=self.chance.random() < 0.5)


class BreakingTopics:
    """A way to topics, or to private threads, on which calls are lost, and answers."""

    def __init__(self, topics: Topics, losses: Losses) -> None:
        """Stand before them."""
        self.topics, self.losses = topics, losses

    def who(self) -> int:
        """Ask."""
        return self.topics.who()

    def reply(self, topic: int, body: str) -> Place:
        """Post, or not, or without an answer."""
        self.losses.through(is_post=True)
        place = self.topics.reply(topic, body)
        self.losses.through(is_post=True)
        return place

    def find(self, marker: str, topic: int, pages: int = 2) -> Place | None:
        """Look, or not."""
        self.losses.through(is_post=False)
        return self.topics.find(marker, topic, pages)

    def page(self, topic: int, wanted: int) -> Page:
        """Read, or not."""
        self.losses.through(is_post=False)
        page = self.topics.page(topic, wanted)
        made = self.losses.made
        posts = (
            msgspec.structs.replace(
                post,
                created=made.get((post.post, post.created), post.created),
                updated=made.get((post.post, post.updated), post.updated),
            )
            for post in page.posts
        )
        return msgspec.structs.replace(page, posts=tuple(posts))


class BreakingThreads(BreakingTopics):
    """A way to private threads."""

    def __init__(self, threads: Threads, losses: Losses) -> None:
        """Stand before them."""
        super().__init__(threads, losses)
        self.threads = threads

    def open_with(self, name: str, title: str, body: str, marker: str) -> int:
        """Open a thread, or not, or without an answer."""
        self.losses.through(is_post=True)
        topic = self.threads.open_with(name, title, body, marker)
        self.losses.through(is_post=True)
        return topic

    def find_opened(self, title: str, marker: str) -> int | None:
        """Look, or not."""
        self.losses.through(is_post=False)
        return self.threads.find_opened(title, marker)

    def people(self, topic: int) -> frozenset[int]:
        """Look, or not."""
        self.losses.through(is_post=False)
        return self.threads.people(topic)


class Breaking(BreakingTopics):
    """A way to a forum on which calls are lost, and answers, as a seed says."""

    pace = timedelta(0)

    def __init__(self, forum: Forum, chance: random.Random) -> None:
        """Stand before a forum."""
        super().__init__(forum, Losses(chance))
        self.forum = forum
        self.threads = BreakingThreads(forum.threads, self.losses)

    def open(self, title: str, body: str, marker: str) -> Place:
        """Open a topic, or not, or without an answer."""
        self.losses.through(is_post=True)
        place = self.forum.open(title, body, marker)
        self.losses.through(is_post=True)
        return place

    def find_opened(self, marker: str) -> Place | None:
        """Look, or not."""
        self.losses.through(is_post=False)
        return self.forum.find_opened(marker)

    def amend(self, place: Place, body: str) -> None:
        """Change a post."""
        self.forum.amend(place, body)


@pytest.mark.sweep
@pytest.mark.timeout(500)
@pytest.mark.parametrize("seed", range(DEPTH))
def test_a_game_is_played_on_a_forum(server: MisagoServer, tmp_path: Path, seed: int) -> None:
    """
    Four programs and a moderator play in their threads, and others talk in the topic.

    Calls and answers are lost, processes die, the index is deleted, strangers get into threads: each post of ours
    stands there once, what was posted in time counts, and nothing in the topic is an order.
    """
    game = GameName(f"ember-{seed}")
    play = Played(server, tmp_path / "arena", game, random.Random(seed))
    play.bind_all()
    for turn in range(400):
        if play.table.status == "over" and not waits(play.room):
            break
        play.turn(turn)
    room, way = play.room, play.way
    for _ in range(6):
        room.sweep(timedelta(hours=3))
    assert play.table.status == "over"
    assert way.losses.lost > 5 and len(play.said) > 3 and play.compared > 4 and play.ruled > 1
    topic = room.arena.index.forum.of(game)
    assert topic
    posts = play.of_ours(way.forum, topic)
    assert [marker(game, posts[number])[-1] for number in sorted(posts)] == filed(room, game)
    assert archived(room, game) == {f"post {post}": text for post, text in play.said.items()}
    assert sum(isinstance(one, Extend) for one in rulings(room, game)) == play.ruled
    written = [
        name for thread in play.threads for text in play.of_ours(way.forum.threads, thread).values()
        for name in marker(game, text)
    ]  # fmt: skip
    assert len(set(written)) == len(written) > 12
    mailed = [writing.name_of(raw) for _, raw in room.outbox.sent]
    owed = set(names_of_letters(room, game)) - set(filed(room, game))
    assert owed <= {*written, *mailed} and len(set(mailed)) == len(mailed)
    assert len({*written} & {*mailed}) <= way.losses.lost  # a letter whose answer was lost, before the forum was away
    room.arena.close()


class Played:
    """
    A game of Rumble whose people have nothing but the forum, and their mail for codes.

    Shape: `said` is what was posted in the topic, `last` what each seat last posted in its thread, as far as it is
    known to count; `compared` how many sets were held against what closed phases had, `ruled` how many rulings were
    posted.
    """

    def __init__(self, server: MisagoServer, root: Path, game: GameName, chance: random.Random) -> None:
        """Found it."""
        self.server, self.game, self.chance = server, game, chance
        self.room = Room(root, rulesets_known(), templates())
        self.room.settings = with_forum(self.room, server)
        self.room.reopen()
        self.way = Breaking(Misago(server.url, "arena", lambda: PASSWORD, CATEGORY), chance)
        self.room.forum = self.way
        self.accounts = dict(zip(NAMES, ("alice", "bob", "cy", "dee"), strict=True)) | {"gwen": "gm"}
        self.people = {name: person(server, name) for name in self.accounts.values()}
        self.room.found(*NAMES, ruleset="rumble", name=game, names=NAMES, review=(), forum=True)
        self.said: dict[int, str] = {}
        self.last: dict[str, tuple[str, ...]] = {}
        self.posts: dict[str, Place] = {}
        self.threads: set[int] = set()
        self.dead: set[int] = set()
        self.compared = self.ruled = 0

    @property
    def table(self) -> Any:
        """How the game stands."""
        return self.room.table(self.game)

    def address(self, name: str) -> str:
        """Return the address of somebody's mail."""
        return f"{name}@example.org"

    def role(self, name: str) -> str:
        """Return the seat of somebody, "" for the moderator."""
        person = self.room.arena.people.find(self.address(name))
        return next((seat for seat, one in self.table.seats.items() if one.person == person), "")

    def bind_all(self) -> None:
        """Let everybody ask for a thread, and post their codes, until all are bound."""
        for _ in range(150):
            for name in self.accounts:
                self._bind(name)
            self.room.sweep(timedelta(minutes=2))
            if sum(one.is_bound for _, one in threads.living(self.table)) == len(self.accounts):
                return
        raise AssertionError(self.table.threads)

    def _bind(self, name: str) -> None:
        """Take the next step to a thread of somebody's."""
        thread = threads.of(self.table, self.role(name))
        if thread is None:
            to = self.room.reply_to(self.address(name), f"[{self.game}]")
            self.room.write(self.address(name), f"forum {self.accounts[name]}", to=to)
        elif thread.topic and thread.topic not in self.threads:
            title = f"thread {thread.nth}"
            texts = ["\n".join(one.body) for one in self.room.letters(self.address(name))]
            if any("post this code" in flat(text) and title in text for text in texts):
                self.threads.add(thread.topic)
                self._say(name, thread.topic, code(self.room, self.address(name)))

    def turn(self, turn: int) -> None:
        """Let some things happen, and sweep."""
        chance = self.chance
        for name in self.accounts:
            self._bind(name)
        if turn % 3 == 0:
            self._order()
        topic = self.room.arena.index.forum.of(self.game)
        if topic and chance.random() < 0.15:
            players = {name: way for name, way in self.people.items() if name != "gm"}
            self.said |= talk(self.server, players, topic, chance)
        thread = threads.of(self.table, "")
        is_in_time = self.table.status == "open" and self.room.clock.now() < self.table.deadline
        if thread and thread.is_bound and is_in_time and chance.random() < 0.1:
            self._say("gwen", thread.topic, "extend 1h because of rain")
            self.ruled += 1
        if chance.random() < 0.03:
            self._let_somebody_in()
        if chance.random() < 0.1:
            if chance.random() < 0.3:
                self.room.arena.close()
                (self.room.root / "index.sqlite").unlink()
                self.room.arena = self.room.open()
                reindex(self.room.arena)
            else:
                self.room.reopen()
        number, kind = self.table.number, self.table.phase.kind if self.table.phase else ""
        self.room.sweep(timedelta(minutes=chance.choice([5, 400, 900])))
        if self.table.number != number and kind == "round":
            self._compare()

    def _order(self) -> None:
        """Let all who are asked post something in their threads, or change what they posted last."""
        table = self.table
        if table.phase is None or table.phase.kind != "round" or self.room.clock.now() >= table.deadline:
            return  # what is posted after the deadline is late, and so is a change of what nobody has read yet
        for name, hero in NAMES.items():
            seat = self.role(name)
            thread = threads.of(table, seat) if seat in table.owing else None
            if thread is None or not thread.is_bound or thread.topic in self.dead or self.chance.random() < 0.1:
                continue
            others = [one for one in NAMES.values() if one != hero]
            target, most = self.chance.choice(others), self.chance.randint(30, 60)
            orders = next(
                (one for amount in range(most, 4, -5) if self._is_legal(seat, one := f"attack {target} {amount}")), ""
            )
            if not orders:
                continue  # the other is out of the game, or there is too little Energy
            if seat in self.posts and self.chance.random() < 0.4:
                self._say(name, thread.topic, orders, self.posts[seat])
            else:
                self.posts[seat] = self._say(name, thread.topic, orders)
            self.last[seat] = (orders,)

    def _is_legal(self, seat: str, order: str) -> bool:
        """Say whether a seat may give an order."""
        parsed = self.table.parsed(Seat(seat), (order,))
        checked = self.table.ruleset.check(self.table.state, Seat(seat), parsed.orders)
        return not parsed.complaints and not checked

    def _say(self, name: str, topic: int, text: str, instead: Place | None = None) -> Place:
        """Let somebody post, or change a post, now by our clock."""
        threads = self.people[self.accounts[name]].threads
        if instead:
            person(self.server, self.accounts[name]).threads.amend(instead, text)
        place = instead or threads.reply(topic, text)
        pages = (threads.page(topic, number) for number in range(threads.page(topic, 1 << 30).number, 0, -1))
        post = next(one for page in pages for one in page.posts if one.post == place.post)
        self.way.losses.made[place.post, post.updated] = self.room.clock.now()
        return place

    def _let_somebody_in(self) -> None:
        """Let a stranger into a thread, as whoever runs a forum can; what was posted there last may not count."""
        bound = [(seat, one) for seat, one in threads.living(self.table) if seat and one.is_bound]
        if bound:
            seat, thread = self.chance.choice(bound)
            self.server.manage(_LET_IN.format(topic=thread.topic))
            self.dead.add(thread.topic)
            self.last.pop(seat, None)
            self.posts.pop(seat, None)

    def _compare(self) -> None:
        """Hold what a round closed with against what was posted last."""
        for seat, orders in self.last.items():
            if seat in self.table.sets.last:
                kept = next((one.orders for one in self.table.sets.last[seat] if one.kind == "round"), ())
                assert kept == orders, seat
                self.compared += 1
        self.last.clear()
        self.posts.clear()

    def of_ours(self, topics: Topics, topic: int) -> dict[int, str]:
        """Return what we have posted at a place, by its number."""
        pages = [topics.page(topic, number) for number in range(1, topics.page(topic, 1).pages + 1)]
        return {post.post: post.text for page in pages for post in page.posts if post.author == topics.who()}


_LET_IN = """
from misago.threads.models import Thread, ThreadParticipant
from misago.users.models import User
thread = Thread.objects.get(id={topic})
ThreadParticipant.objects.create(thread=thread, user=User.objects.get(slug="zoe"))
"""


def marker(game: str, text: str) -> list[str]:
    """Return the names of letters of a game that stand in a post."""
    return re.findall(rf"\b{game}\.[a-z0-9-]+\.[a-z2-7]+", text)


def names_of_letters(room: Room, game: GameName) -> list[str]:
    """Return the names of all letters of a game."""
    return [writing.name_of(path.read_bytes()) for path in (room.root / "games" / game / "post" / "out").glob("*.eml")]


def rulings(room: Room, game: GameName) -> list[Any]:
    """Return all rulings of a game."""
    return [ruling for one in entries(room, game) if isinstance(one, RulingGiven) for ruling in one.rulings]


def waits(room: Room) -> bool:
    """Say whether something waits to be sent or posted."""
    return bool(room.arena.index.outgoing.to_send())


def talk(server: MisagoServer, people: Mapping[str, Forum], topic: int, chance: random.Random) -> dict[int, str]:
    """Let somebody post something; return what counts of it, by its number: nothing where somebody else has changed it."""
    name = chance.choice([*people])
    text = chance.choice(["What a game!", "attack Mantisman 30", "approve 1", "close now"])
    place = people[name].reply(topic, text)
    if chance.random() < 0.3:
        text = f"{text} (changed)"
        people[name].amend(place, text)
    elif chance.random() < 0.3:
        person(server, "gm").amend(place, "attack everybody 99")
        return {}
    return {place.post: text}


def filed(room: Room, game: GameName) -> list[str]:
    """Return the names of what was to be posted, in order."""
    out = room.root / "games" / game / "post" / "out"
    paths = sorted(out.glob("*.+forum.eml"), key=lambda path: int(path.name.split(".")[1]))
    return [writing.name_of(path.read_bytes()) for path in paths]


def with_forum(room: Room, server: MisagoServer) -> Settings:
    """Return the settings of an arena with this forum."""
    wanted = ForumSettings(kind="misago", url=server.url, user="arena", secret_file="-", category=CATEGORY)
    return msgspec.structs.replace(room.settings, forum=wanted)


def archived(room: Room, game: GameName) -> dict[str, str]:
    """Return what is kept of each post: its last version."""
    return {one.version_of: one.text for one in entries(room, game) if isinstance(one, PostArchived)}


def entries(room: Room, game: GameName) -> list[Entry]:
    """Return the journal of a game."""
    ledger = room.arena.ledger(game)
    found = journals(ledger.shelf, ledger.place, folders(ledger.shelf, ledger.place))
    return [one for _, journal in found for one in journal.entries]
