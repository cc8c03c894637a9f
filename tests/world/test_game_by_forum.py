"""Games that are read in a topic of a real forum: every post once, whatever breaks, and nothing there is an order."""

import random
import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

from pbem.hall.store.catalogue import rulesets_known
from pbem.hall.store.game_folder import folders, journals
from pbem.letters import writing
from pbem.table.journal import PostArchived
from pbem.terms import ForumError, GameName
from pbem.world.forum.forum import Forum, Page, Place
from pbem.world.forum.misago import Misago
from pbem.world.settings import ForumSettings, Settings, templates
from tests.conftest import Room
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


class Breaking:
    """A way to a forum on which calls are lost, and answers, as a seed says."""

    def __init__(self, forum: Forum, chance: random.Random) -> None:
        """Stand before a forum."""
        self.forum, self.chance, self.lost = forum, chance, 0
        self.pace = timedelta(0)

    def _through(self, is_post: bool) -> None:
        if self.chance.random() < 0.2:
            self.lost += 1
            raise ForumError("lost", "later", pause=60, is_lost=is_post)

    def who(self) -> int:
        """Ask."""
        return self.forum.who()

    def open(self, title: str, body: str, marker: str) -> Place:
        """Open a topic, or not, or without an answer."""
        self._through(is_post=True)
        place = self.forum.open(title, body, marker)
        self._through(is_post=True)
        return place

    def reply(self, topic: int, body: str) -> Place:
        """Post, or not, or without an answer."""
        self._through(is_post=True)
        place = self.forum.reply(topic, body)
        self._through(is_post=True)
        return place

    def find(self, marker: str, topic: int | None, pages: int = 2) -> Place | None:
        """Look, or not."""
        self._through(is_post=False)
        return self.forum.find(marker, topic, pages)

    def page(self, topic: int, number: int) -> Page:
        """Read, or not."""
        self._through(is_post=False)
        return self.forum.page(topic, number)

    def amend(self, place: Place, body: str) -> None:
        """Change a post."""
        self.forum.amend(place, body)


@pytest.mark.sweep
@pytest.mark.timeout(300)
@pytest.mark.parametrize("seed", range(3))
def test_a_game_is_read_on_a_forum(server: MisagoServer, tmp_path: Path, seed: int) -> None:
    """Calls and answers are lost, processes die, the index is deleted: each post stands there once, in its order."""
    chance = random.Random(seed)
    game = GameName(f"ember-{seed}")
    room = Room(tmp_path / "arena", rulesets_known(), templates())
    room.settings = with_forum(room, server)
    room.reopen()
    way = Breaking(Misago(server.url, "arena", lambda: PASSWORD, CATEGORY), chance)
    room.forum = way
    room.found(*NAMES, ruleset="rumble", name=game, names=NAMES, review=(), forum=True)
    people = {name: person(server, name) for name in ("alice", "bob", "cy")}
    said: dict[int, str] = {}
    for turn in range(400):
        if room.table(game).status == "over" and not waits(room):
            break
        if turn % 4 == 0:
            order(room, game, chance)
        topic = room.arena.index.forum.of(game)
        if topic and chance.random() < 0.15:
            said |= talk(server, people, topic, chance)
        if chance.random() < 0.1:
            if chance.random() < 0.3:
                (room.root / "index.sqlite").unlink()
            room.reopen()
        room.sweep(timedelta(minutes=chance.choice([5, 200, 700])))
    assert room.table(game).status == "over"
    assert way.lost > 5 and len(said) > 3
    topic = room.arena.index.forum.of(game)
    assert topic
    pages = [way.forum.page(topic, number) for number in range(1, way.forum.page(topic, 1).pages + 1)]
    posts = {post.post: post for page in pages for post in page.posts if post.author == way.who()}
    marker = re.compile(rf"{game}\.[a-z]+\.[a-z2-7]+")
    assert [marker.findall(posts[number].text)[-1] for number in sorted(posts)] == filed(room, game)
    for _ in range(4):
        room.sweep(timedelta(hours=3))
    assert archived(room, game) == {f"post {post}": text for post, text in said.items()}
    room.arena.close()


def waits(room: Room) -> bool:
    """Say whether something waits to be posted."""
    return any(one.letter.endswith("+forum") for one in room.arena.index.outgoing.to_send())


def order(room: Room, game: GameName, chance: random.Random) -> None:
    """Let all who are asked send something, some with words to all."""
    table = room.table(game)
    for seat in table.owing:
        who = room.arena.people.contact(table.seats[seat].person).address
        press = "press to all: I fear nobody. end press\n" if chance.random() < 0.2 else ""
        orders = f"attack {chance.choice([*NAMES.values()])} 40" if table.phase.kind == "round" else ""
        if press or orders:
            room.write(who, press + orders, to=room.reply_to(who, f"[{game}]"))


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
    ledger = room.arena.ledger(game)
    found = journals(ledger.shelf, ledger.place, folders(ledger.shelf, ledger.place))
    entries = [one for _, journal in found for one in journal.entries if isinstance(one, PostArchived)]
    return {one.version_of: one.text for one in entries}
