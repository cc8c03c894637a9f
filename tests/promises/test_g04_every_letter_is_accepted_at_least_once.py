"""
G4. Every letter is delivered to the mail server at least once for each recipient; a repeat has the same bytes.

It comes again only after an answer that was lost; one recipient's failure delays no other.
"""

import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import product

import pytest

from pbem.ground.terms import ShelfError
from pbem.hall.mail.outgoing import sending
from pbem.hall.store.arena import Doors
from pbem.hall.sweep.reindexing import reindex
from pbem.hall.sweep.sweep import sweep
from pbem.hall.sweep.swept import Swept
from pbem.world.outbox import SmtpOutbox
from pbem.world.shelf import Footing, Shelf
from tests.conftest import Room, outbox_at
from tests.depth import some
from tests.servers.scripted import STAGES, ScriptedServer

PEOPLE = ("ada@example.org", "bo@example.org", "gwen@example.org")
ANSWERS = ("421 bye", "450 later", "452 full", "550 no", "552 too big", "554 no", "drop", "lose", "rubbish")
PLACES = (1, 2, 3)
WAYS = [way for way in product(STAGES, ANSWERS, PLACES) if way[:2] != ("connect", "lose")]


@pytest.fixture(scope="module")
def line(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Room, ScriptedServer, SmtpOutbox]]:
    """A game of two with its moderator, and a mail server that answers by a script."""
    room = Room(tmp_path_factory.mktemp("line") / "arena")
    room.found("ada", "bo")
    room.write("gwen@example.org", "pause")
    room.sweep()
    server = ScriptedServer()
    outbox = outbox_at(server.port, timeout=10)
    yield room, server, outbox
    outbox.close()
    server.close()
    room.arena.close()


def look(room: Room, outbox: SmtpOutbox, span: timedelta) -> Swept:
    """Let time pass and sweep, with letters going to the server."""
    room.clock.advance(span)
    return sweep(room.arena, Doors(room.clock, room.mailbox, outbox))


def address(room: Room, who: str) -> str:
    """Return the address to which letters to a person are answered."""
    name = who.partition("@")[0]
    seat = name if name in room.table().seats else None
    return f"arena+tide-1.{room.arena.token(room.table(), seat)}@example.org"  # type: ignore[arg-type]


def taken(server: ScriptedServer) -> dict[str, list[bytes]]:
    """Return what the server took, by Message-ID."""
    found: dict[str, list[bytes]] = {}
    for raw in server.taken:
        found.setdefault(called(raw), []).append(raw)
    return found


def called(raw: bytes) -> str:
    """Return the Message-ID of a letter."""
    match = re.search(rb"^Message-ID: <(.*?)@", raw, re.MULTILINE)
    assert match
    return match[1].decode()


def on_file(room: Room) -> dict[str, str]:
    """Return the letters that are on file: their Message-ID to their identity."""
    places = (room.root / "games" / "tide-1" / "post" / "out", room.root / "desk" / "post" / "out")
    found = [path for place in places if place.exists() for path in place.glob("*.eml")]
    return {called(path.read_bytes()): path.stem for path in found}


def check(line: tuple[Room, ScriptedServer, SmtpOutbox], stage: str, answer: str, place: int) -> None:
    """Let one answer at one recipient's stage be wrong; then let the server be well again, and time pass."""
    room, server, outbox = line
    outbox.close()
    before = on_file(room)
    server.taken, server.said = [], []
    server.times.clear()
    # A connection is opened once for all three; the other stages come once for each letter.
    server.once = {(stage, 1 if stage in ("connect", "EHLO") else place): answer}
    for who in PEOPLE:
        room.write(who, "status", to=address(room, who), subject="Re: [tide-1]")
    first = look(room, outbox, timedelta(minutes=1))
    new = {name: identity for name, identity in on_file(room).items() if name not in before}
    assert len(new) == 3
    delivered_at_once = taken(server)
    server.once = {}
    for hours in (0.2, 1, 2, 7, 25):
        look(room, outbox, timedelta(hours=hours))
    found = {name: raws for name, raws in taken(server).items() if name in new}
    way = f"{stage} {answer} at letter {place}"
    refused = answer[0] == "5" and stage in ("RCPT", "DATA", "dot")
    lost = stage == "dot" and answer == "lose"
    assert len(found) == 3 - refused, way
    assert sorted(map(len, found.values())) == [1] * (len(found) - lost) + [2] * lost, way
    assert all(len(set(raws)) == 1 for raws in found.values()), way
    assert room.arena.index.outgoing.waiting()[0] == 0, way
    settled = sending.settled_letters(room.arena, ("games", "tide-1", "post")) | sending.settled_letters(
        room.arena, ("desk", "post")
    )
    assert set(new.values()) <= settled, way
    if stage in ("RCPT", "DATA", "dot") and answer[:3] not in ("421", "rub"):
        others = 3 if lost else 2
        assert len(delivered_at_once) >= others, f"{way} delayed others"
        assert first.troubles, way


SOME = [
    ("connect", "421 bye", 1), ("EHLO", "rubbish", 1), ("MAIL", "450 later", 2), ("RCPT", "450 later", 1),
    ("RCPT", "550 no", 2), ("DATA", "drop", 1), ("DATA", "552 too big", 1), ("dot", "452 full", 1),
    ("dot", "554 no", 3), ("dot", "lose", 1), ("dot", "lose", 3),
]  # fmt: skip


@pytest.mark.parametrize(("stage", "answer", "place"), some(4, SOME))
def test_some_ways_of_failing(
    line: tuple[Room, ScriptedServer, SmtpOutbox], stage: str, answer: str, place: int
) -> None:
    """A spread of stages, answers and recipients."""
    check(line, stage, answer, place)


@pytest.mark.sweep
@pytest.mark.timeout(300)
def test_all_ways_of_failing(line: tuple[Room, ScriptedServer, SmtpOutbox]) -> None:
    """Every stage x answer x recipient."""
    for way in WAYS:
        check(line, *way)
    assert len(WAYS) == len(STAGES) * len(ANSWERS) * len(PLACES) - len(PLACES)


def test_a_result_that_could_not_be_noted_sends_nothing_twice(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its game is opened anew, and the index made anew, before it can be; then it is noted after all."""
    room.found("ada", "bo")
    append = Shelf.append

    def full(self: Shelf, data: bytes, *parts: str, onto: Footing | None = None) -> None:
        if parts[-1] == "sent.toml":
            raise ShelfError("no room")
        append(self, data, *parts, onto=onto)

    room.write("ada@example.org", "bid 3")
    with monkeypatch.context() as within:
        within.setattr(Shelf, "append", full)
        assert room.sweep().sent == 1
    for change in (room.reopen, lambda: reindex(room.arena)):
        change()
        room.write("bo@example.org", "status")
        assert room.sweep().sent == 1
    receipt = next(raw for to, raw in reversed(room.outbox.sent) if to == "ada@example.org")
    assert sum(raw == receipt for _, raw in room.outbox.sent) == 1
    noted = room.arena.shelf.read("games", "tide-1", "post", "sent.toml").decode()
    assert noted.count("receipt.ada") == 1 and not room.arena.index.outgoing.kept_results()
