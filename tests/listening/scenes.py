"""The moments at which mails of the corpus are written: a game of each ruleset, brought there by play; made once."""

import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from pbem.hall.store.catalogue import rulesets_known
from pbem.world.settings import templates
from tests.conftest import Room
from tests.script import idle_disk

PEOPLE = {"ada": "Mantisman", "bob": "Bob", "cy": "Cy", "dee": "Doctor Cuttlefish"}
"""Who plays, and under which name; all mails of the corpus are Ada's, who is Mantisman."""
WRITER = "ada@example.org"
GAME = "game-1"
DICE = bytes([1]) + bytes(31)


class Scene(NamedTuple):
    """How a moment is come to; `before` are the orders that the writer has on hand by then, as their canonical lines."""

    ruleset: str
    play: Callable[[Room], None]
    before: tuple[str, ...] = ()
    house: Mapping[str, str] = {}
    people: Mapping[str, str] = PEOPLE


def _begin(room: Room, scene: Scene) -> None:
    house = dict(scene.house)
    room.found(*scene.people, names=dict(scene.people), ruleset=scene.ruleset, name=GAME, seed=DICE, house=house)


def say(room: Room, **texts: str) -> None:
    """Send a mail of each person, and let all arrive."""
    for who, text in texts.items():
        room.write(f"{who}@example.org", text)
    room.sweep()


def until(room: Room, title: str) -> None:
    """Let deadlines pass until a phase is open."""
    for _ in range(60):
        if room.table(GAME).title == title and room.table(GAME).status == "open":
            return
        room.sweep(timedelta(hours=24))
    raise AssertionError(f"{title} never came: it is {room.table(GAME).title}")


def _nothing(room: Room) -> None:
    """Leave the game in its first phase."""


def second_round(
    room: Room, ada: str = "attack Bob 20\nattack Cy 10\ndefend 40", verb: str = "defend", title: str = "Round"
) -> None:
    """Play the auction with no bids, and a round in which nobody was hurt."""
    until(room, f"{title} 1")
    say(room, ada=ada, bob=f"{verb} 100", cy=f"{verb} 100", dee=f"{verb} 100")
    until(room, f"{title} 2")


_INVENTED = {
    "ada": "power: Laser Eyes\n\npower: Flight",
    "bob": "power: Ink Cloud: Spend 15: ignore one Attack on you this round.\n\npower: Hypnotism",
    "cy": "power: Tough Skin\n\npower: Air Strike",
    "dee": "power: Grudge: +5 to each of your Attacks.\n\npower: Regeneration: Gain 3 Energy at the beginning of each round.",
}
"""What everybody invents, where powers are played with."""


def _auction(room: Room) -> None:
    say(room, **_INVENTED)
    until(room, "Auction")


def numbers(room: Room) -> dict[str, str]:
    """Return the number of each power in the pool by its name."""
    letter = room.last(WRITER)
    rows = [line.split(maxsplit=1) for line in letter.split("\n") if line.startswith("  P0")]
    return {name: number for number, name in rows}


def _rebid(room: Room) -> None:
    _auction(room)
    say(room, ada="bid Ink Cloud 15", bob="bid Ink Cloud 15", cy="bid Flight 9", dee="bid Flight 8")
    until(room, "Rebid")


def _armed(room: Room) -> None:
    """Sell Ada Laser Eyes, Ink Cloud and Air Strike, for 10 in all, and play a round without harm."""
    _auction(room)
    bids = "bid Laser Eyes 5\nbid Ink Cloud 3\nbid Air Strike 2"
    say(room, ada=bids, bob="bid Flight 1", cy="bid Tough Skin 1", dee="bid Hypnotism 1")
    second_round(room, "defend 90")


def _with(play: Callable[[Room], None], ada: str) -> Callable[[Room], None]:
    """Come to a moment, and let Ada send a set."""

    def played(room: Room) -> None:
        play(room)
        say(room, ada=ada)

    return played


def _invitation(room: Room) -> None:
    """Leave Ada with her invitation."""


_HAND = ("attack Bob 20", "attack Cy 10", "defend 40")
_POWERS = ("power Tough Hide: +15 to your Defence.", "power Clumsy: You cannot attack at all.")
_BIDS = ("bid P01 10", "bid P02 20")
_BLOWS = ("attack Bob with a damage b", "defend with c")
_LIST = ("throw at Bob", "move to centre", "hold")

SCENES: dict[str, Scene] = {
    "rumble invited": Scene("rumble", _invitation),
    "rumble powers": Scene("rumble", _nothing),
    "rumble powers, one on hand": Scene("rumble", _with(_nothing, _POWERS[0]), _POWERS[:1]),
    "rumble powers, two on hand": Scene("rumble", _with(_nothing, "\n\n".join(_POWERS)), _POWERS),
    "rumble auction": Scene("rumble", _auction),
    "rumble auction, bids on hand": Scene("rumble", _with(_auction, "\n".join(_BIDS)), _BIDS),
    "rumble tie": Scene("rumble", _rebid),
    "rumble round": Scene("rumble", second_round),
    "rumble round, orders on hand": Scene("rumble", _with(second_round, "\n".join(_HAND)), _HAND),
    "rumble with powers": Scene("rumble", _armed),
    "racing lap": Scene("rumble", partial(second_round, verb="swerve", title="Lap"), house={"genre": "racing"}),
    "spaceship round": Scene("rumble", partial(second_round, verb="shield"), house={"genre": "spaceship"}),
    "brawl round": Scene("brawl", _nothing),
    "brawl round, orders on hand": Scene("brawl", _with(_nothing, "\n".join(_BLOWS)), _BLOWS),
    "discs turn": Scene("discs", _nothing),
    "discs turn, a list on hand": Scene("discs", _with(_nothing, "\n".join(_LIST)), _LIST),
}


class Stage:
    """
    A folder in which each scene is played once, and lent as often as somebody writes a mail in it.

    Nothing waits for the disk here; all of it is thrown away.
    """

    def __init__(self, root: Path, scenes: Mapping[str, Scene]) -> None:
        """Play nothing yet."""
        self._root, self._scenes = root, scenes
        self._rooms: dict[str, Room] = {}
        self._lent = 0

    def room(self, name: str) -> Room:
        """Return the room of a scene as it stands before any mail of the corpus, closed."""
        if name not in self._rooms:
            scene = self._scenes[name]
            room = Room(self._root / f"scene-{len(self._rooms)}", rulesets_known(), templates())
            if scene.play is _invitation:
                room.invite(*PEOPLE, ruleset=scene.ruleset, name=GAME, seed=DICE)
            else:
                _begin(room, scene)
                scene.play(room)
            room.arena.close()
            self._rooms[name] = room
        return self._rooms[name]

    @contextmanager
    def lend(self, name: str) -> Iterator[Room]:
        """Lend a copy of a scene's room."""
        self._lent += 1
        room = self.room(name).copied(self._root / f"copy-{self._lent}")
        try:
            yield room
        finally:
            room.arena.close()
            shutil.rmtree(room.root)


@contextmanager
def stage(scenes: Mapping[str, Scene] = SCENES) -> Iterator[Stage]:
    """Lend a folder to play such scenes in, in memory where there is such a folder."""
    memory = Path("/dev/shm")
    with TemporaryDirectory(dir=memory if memory.is_dir() else None) as root, idle_disk():
        yield Stage(Path(root), scenes)
