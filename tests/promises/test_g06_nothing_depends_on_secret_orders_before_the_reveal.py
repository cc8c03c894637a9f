"""
G6. Before the reveal no byte that others are sent, or can read on the disk, depends on secret orders.

Not text, size, count, order or time, beyond who has moved; the moderator may know, one who plays may not.
"""

import os
import random
from collections.abc import Callable
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pbem.daemon import Daemon
from pbem.ground.terms import GameName
from pbem.hall.chat import saying
from pbem.hall.commands.founding import found_game
from pbem.hall.site import build
from pbem.hall.store.arena import Doors
from pbem.hall.store.catalogue import rulesets_known
from pbem.letters import rendering
from pbem.testing.room import ARENA, NOON
from pbem.world import log, shelf
from pbem.world.settings import ChatSettings, templates
from pbem.world.webhook import Message
from tests.conftest import Room, steady
from tests.hall.test_powers_by_mail import sent as in_the_words_of_the_archive

ADA, BO, CY, GWEN = "ada@example.org", "bo@example.org", "cy@example.org", "gwen@example.org"
NAMES = {"ada": "Mantisman", "bo": "Doctor Cuttlefish", "cy": "Plastiquegirl"}
GAME = "ember-7"
EVE = "eve@example.com"
CANARY = "quetzalcoatl"

Sent = tuple[datetime, str, bytes]


class Witness:
    """An outbox that takes down when each letter went; the day's order of letters is part of what others see."""

    def __init__(self, room: Room) -> None:
        """Stand before the room's own outbox."""
        self.room, self.behind = room, room.outbox
        self.sent: list[Sent] = []

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Take a letter down and pass it on."""
        self.sent.append((self.room.clock.now(), recipient, raw))
        self.behind.send(sender, recipient, raw)

    def close(self) -> None:
        """Have nothing to close."""


class Passers:
    """Who passes by: a chat, and whoever reads what the daemon offers to Prometheus; both see when it is said."""

    def __init__(self, witness: Witness) -> None:
        """Tell a witness what they see."""
        self.witness = witness

    def see(self, who: str, what: object) -> None:
        """Take down what somebody sees now."""
        self.witness.sent.append((self.witness.room.clock.now(), who, repr(what).encode()))

    def door(self, wanted: ChatSettings, _: Path) -> "Passers":
        """Open a hook."""
        return self

    def say(self, message: Message) -> None:
        """Hear what is said in a chat."""
        self.see("chat", message)

    def count(self, **figures: int) -> None:
        """Read what is counted behind a sweep."""
        self.see("metrics", figures)

    def good(self, at: datetime) -> None:
        """Read when a sweep was good."""
        self.see("metrics", at)


STAGES = ("Powers", "Auction", "Round 1")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Room]:
    """Games of three at the beginning of a phase, with a moderator who does not play, or who does; made once each."""
    made: dict[tuple[str, str], Room] = {}

    def at(stage: str, moderator: str) -> Room:
        if (stage, moderator) not in made:
            room = Room(tmp_path_factory.mktemp("begun") / "arena", rulesets_known(), templates())
            found(room, moderator)
            while room.table(GAME).title != stage:
                for who in (ADA, BO, CY):
                    room.write(who, usual(room.table(GAME).title, who), to=at_seat(room, who), subject="Re: it")
                room.sweep()
                room.sweep(timedelta(hours=13))
            room.arena.close()
            made[stage, moderator] = room
        return made[stage, moderator]

    return at


def usual(title: str, who: str) -> str:
    """Return what all send in the phases before the one that is looked at."""
    if title == "Powers":
        name = {ADA: "laser eyes", BO: "tough skin", CY: "flight"}[who]
        return f"{in_the_words_of_the_archive(name)}\n\npower: {name} too\ntext: Nothing."
    return f"bid P01 {len(who)}\nbid P02 {len(who) - 7}"


def found(room: Room, moderator: str) -> None:
    """Found the game and let all join."""
    invited = [ADA, BO, CY]
    found_game(
        room.arena,
        GameName(GAME),
        "rumble",
        moderator=moderator,
        invited=invited,
        seats=3,
        now=NOON,
        seed=bytes(32),
        review=("round",),
        mailing_list="ember@lists.example.org",
    )
    room.sweep()
    for who in invited:
        to = room.reply_to(who, ".invitation.")
        room.write(who, f"join as {NAMES[who.partition('@')[0]]}", to=to, subject="Re: Sign-up")
    room.sweep()
    assert room.table(GAME).title == "Powers"


def at_seat(room: Room, who: str) -> str:
    """Return the address to which the letters of this phase to a seat are answered."""
    seat = {ADA: "mantisman", BO: "doctor-cuttlefish", CY: "plastiquegirl"}[who]
    return f"arena+{GAME}.{room.arena.token(room.table(GAME), seat)}@example.org"  # type: ignore[arg-type]


CURIOUS = """strike Doctor Cuttlefish 1 because I am curious
order Doctor Cuttlefish: defend 10 because I can
excuse Doctor Cuttlefish
set energy Doctor Cuttlefish 40 because so
overrule damage of Doctor Cuttlefish on Mantisman = 3 because so
overrule V1 = 3 because so
do gain Mantisman 3 because so
strike"""
"""What a moderator writes who would like to know what somebody has ordered."""


class Secrets:
    """What Bo orders, and how often, drawn from a seed: the same kind of mail with other words and numbers in it."""

    def __init__(self, seed: int) -> None:
        """Take the seed of one of the two worlds."""
        self.chance = random.Random(seed)
        self.revisions = seed % 3

    def said(self, title: str) -> str:
        """Return a set that is right in a phase."""
        pick = self.chance
        if title == "Powers":
            texts = ("+5 to Attack", "You win every tie.", "Spend 10: an opponent loses 3 Energy, or more")
            return "\n\n".join(f"power: {pick.choice('ABCDE')}{n} Ray\ntext: {pick.choice(texts)}" for n in range(2))
        if title == "Auction":
            return "\n".join(f"bid P0{number} {pick.randint(0, 15)}" for number in range(1, pick.randint(2, 6)))
        attack, defend, other = pick.randint(1, 40), pick.randint(0, 50), pick.randint(0, 50)
        if pick.random() < 0.5:
            return f"if my energy < {other + 1}: defend {defend} else defend {other}, attack Mantisman {attack}"
        lines = [f"attack Mantisman {attack}", f"defend {defend}", f"attack Plastiquegirl {pick.randint(0, 10)}"]
        return "\n".join(pick.sample(lines, pick.randint(1, 3)))

    def wrong(self) -> str:
        """Return a set that is not."""
        slip = f"atack Mantismna wiht {self.chance.randint(10, 60)}\n\nI will hit Plastiquegril with {self.chance.randint(10, 60)}"
        return self.chance.choice(["attack Nobody 5", "attack Mantisman 60\ndefend 70", "defend 900", slip])


def played(room: Room, moderator: str, seed: int) -> list[Sent]:
    """
    Play a phase to its end; return what others were sent before it closed, and what everybody can see.

    Shape: that is pages, feed, what is said in chats, of the report too, and what is counted behind each sweep.
    """
    witness = Witness(room)
    secrets = Secrets(seed)
    title = room.table(GAME).title
    mails = (
        (BO, secrets.wrong() if title == "Round 1" else secrets.said(title)),
        (ADA, "status"),
        (BO, f"{secrets.said(title)}\n\npress to all: good luck"),
        (ADA, "attack Nobody 3"),
        (CY, "help"),
        (CY, "history"),
        (CY, "resend"),
    )
    for place, (who, said) in enumerate(mails, start=1):
        for again in range(secrets.revisions if who == BO else 0):
            revised = secrets.wrong() if title == "Round 1" and again else secrets.said(title)
            room.write(who, revised, to=at_seat(room, who), subject=f"Re: {title}")
        room.written = 100 * place  # others name their mails the same, however many Bo has written
        room.write(who, said, to=at_seat(room, who), subject=f"Re: {title}")
        look(room, witness)
    desk = f"arena+{GAME}.{room.arena.token(room.table(GAME), None)}@example.org"
    for said in (f"{CURIOUS}\ntest", "status", CURIOUS if moderator == ADA else "status"):
        room.write(moderator, said, to=desk, subject=f"Re: {title}")
        look(room, witness)
    assert room.table(GAME).sets.hand["doctor-cuttlefish"].orders, room.last(BO)
    folder = room.root.parent / f"site-{room.root.name}"
    assert not build.build(room.arena, folder, room.clock.now()).troubles
    site = [
        (room.clock.now(), str(path.relative_to(folder)), path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    ]
    sent = len(witness.sent)
    while (room.table(GAME).title, room.table(GAME).status) == (title, "open"):
        sent = len(witness.sent)
        look(room, witness, timedelta(hours=11))
    chats = [row for row in witness.sent[sent:] if row[1] == "chat"]
    assert chats or room.table(GAME).status == "closed", "nothing was said in chats"  # a proof waits behind a round
    return [*site, *(row for row in witness.sent[:sent] if row[1] not in hidden(moderator)), *chats]


def hidden(moderator: str) -> tuple[str, ...]:
    """Return who may see what Bo orders: Bo, and a moderator who does not play."""
    return (BO, moderator) if moderator == GWEN else (BO,)


def look(room: Room, witness: Witness, span: timedelta = timedelta(minutes=1)) -> None:
    """Let time pass and the daemon wake."""
    room.clock.advance(span)
    passers = Passers(witness)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(saying, "Webhook", passers.door)
        daemon = Daemon(room.arena, Doors(room.clock, room.mailbox, witness), log.SILENT, steady(room))
        patch.setattr(daemon, "metrics", passers)
        assert not (swept := daemon.wake()).troubles, swept.troubles


def hold_against_each_other(room: Room, moderator: str, tmp_path: Path, one: int, other: int) -> None:
    """Play the same phase in two worlds that differ in what Bo orders."""
    worlds = []
    for seed in (one, other):
        world = room.copied(tmp_path / f"{one}-{seed}")
        hook = ChatSettings(name="club", url_file="secrets/hook")
        world.settings = msgspec.structs.replace(world.settings, chat=(hook,))
        world.reopen()
        sent = played(world, moderator, seed)
        ordered = [mail.raw for mail in world.mailbox.marked if b"From: bo@" in mail.raw]
        world.arena.close()
        worlds.append((sent, ordered))
    (mine, ordered), (theirs, others) = worlds
    assert ordered != others, f"seeds {one} and {other} ordered the same"
    assert len(mine) > 5, "too little was sent to prove anything"
    assert mine == theirs, f"others were told what Bo ordered, seeds {one} and {other}"


def test_others_are_sent_the_same_whatever_somebody_orders(begun: Callable[[str, str], Room], tmp_path: Path) -> None:
    """Text, headers, sizes, number, order and times of all letters to others, until the phase closes."""
    hold_against_each_other(begun("Round 1", ADA), ADA, tmp_path, 1, 2)


@pytest.mark.sweep
@pytest.mark.timeout(600)
@pytest.mark.parametrize("moderator", [GWEN, ADA])
@pytest.mark.parametrize("stage", STAGES)
def test_over_many_worlds(begun: Callable[[str, str], Room], tmp_path: Path, stage: str, moderator: str) -> None:
    """The same for many pairs of orders, in each phase."""
    for seed in range(6):
        hold_against_each_other(begun(stage, moderator), moderator, tmp_path, seed, seed + 1000)


SECRETS = f"attack Mantisman 10\n{CANARY} the wind\ndefend {CANARY}\n# {CANARY}\nattack {CANARY} 5"
"""Orders, a comment, and lines that cannot be read, each with a word that nobody else would write."""


class OutcryError(Exception):
    """A fault of ours, whose message quotes what a player wrote."""


@pytest.mark.parametrize("fault", ["", "parse", "disk", "render"])
def test_a_secret_stands_in_no_letter_to_others_and_in_no_log_whatever_breaks(
    begun: Callable[[str, str], Room], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    """Its writer reads it again; a moderator who plays, the arena's, the log, and the strays' reasons do not have it."""
    room = begun("Round 1", ADA).copied(tmp_path / "arena")
    here = msgspec.structs.replace(room.settings.arena, moderator="root@example.org")
    room.settings = msgspec.structs.replace(room.settings, arena=here)
    room.reopen()
    before = len(room.outbox.sent)
    told = StringIO()
    daemon = Daemon(room.arena, Doors(room.clock, room.mailbox, room.outbox), log.to(told), steady(room))
    room.write(BO, SECRETS, to=at_seat(room, BO), subject=f"Re: {CANARY}")
    with monkeypatch.context() as within:
        break_at(within, fault)
        for _ in range(3):
            room.clock.advance(timedelta(minutes=1))
            daemon.wake()
    room.write(CY, "status", to=at_seat(room, CY))
    for _ in range(2):
        room.clock.advance(timedelta(hours=12))
        assert not (swept := daemon.wake()).troubles, swept.troubles
    others = [raw for to, raw in room.outbox.sent[before:] if to != BO]
    mine = [raw for to, raw in room.outbox.sent[before:] if to == BO]
    strays = [path.read_bytes() for path in (room.root / "strays").glob("*.txt")]
    assert others
    for raw in (*others, *strays, told.getvalue().encode()):
        assert CANARY.encode() not in raw, raw.decode()
    if fault != "parse":
        assert any(CANARY.encode() in raw for raw in mine), "the writer was not answered"
    else:
        assert strays and b"OutcryError" in strays[0]
    room.arena.close()


def break_at(patch: pytest.MonkeyPatch, fault: str) -> None:
    """Let something break with a secret in its hand, at every call."""
    if fault == "parse":
        patch.setattr(type(rulesets_known()["rumble"]), "parse", _cry)
    elif fault == "disk":
        left = iter(range(9))
        patch.setattr(shelf, "STEP", lambda name: _cry(name) if next(left, 9) < 9 and name != "done" else None)
    elif fault == "render":
        patch.setattr(rendering, "render", _cry)


def _cry(*_: Any, **__: Any) -> None:
    raise OutcryError(SECRETS)


def test_nobody_else_on_the_machine_can_read_anything_at_any_time(
    begun: Callable[[str, str], Room], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At every step of the disk, whatever the umask: no file and no folder below the arena is open to others."""
    room = begun("Round 1", ADA).copied(tmp_path / "arena")
    seen = set()

    def look_around(name: str) -> None:
        seen.add(name)
        for path in room.root.rglob("*"):
            try:
                mode = path.lstat().st_mode
            except FileNotFoundError:
                continue
            assert not mode & 0o077, f"{path} at {name}"

    old = os.umask(0)
    try:
        monkeypatch.setattr(shelf, "STEP", look_around)
        for who in (ADA, BO, CY):
            room.write(who, "defend 40", to=at_seat(room, who), subject="Re: Round 1")
        room.write(EVE, "hello?", to=ARENA, subject="hello")
        room.sweep()
        room.sweep(timedelta(hours=60))
    finally:
        os.umask(old)
    assert len(seen) == 5 and room.table(GAME).number > 3
    room.arena.close()
