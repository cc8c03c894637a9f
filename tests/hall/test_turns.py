"""Whose mail is read last: one writer's flood costs others no time, and nobody, the writer too, a turn."""

import random
from collections import Counter
from datetime import timedelta

import msgspec
import pytest

from pbem.hall.sweep import taking, turns
from pbem.testing.room import ARENA
from pbem.world.index.counters import What
from tests.conftest import Room
from tests.depth import some
from tests.hall.test_late_sets import GWEN

ADA, BO, CY = (f"{name}@example.org" for name in ("ada", "bo", "cy"))
EVE = "eve@example.com"
LONG = "\n".join(f"what about number {n}?" for n in range(400))
"""A mail of some 410 steps."""


@pytest.fixture
def tide(room: Room, monkeypatch: pytest.MonkeyPatch) -> Room:
    """A game of three, of small batches, where two long mails a day are read before anybody waits."""
    monkeypatch.setattr(turns, "BUDGET", 800)
    daemon = msgspec.structs.replace(room.settings.daemon, batch=3)
    room.settings = msgspec.structs.replace(room.settings, daemon=daemon)
    room.reopen()
    room.found("ada", "bo", "cy")
    return room


def read_in_order(room: Room, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Sweep, and return whose mails were read, in the order in which they were."""
    read: list[str] = []
    take = taking._take

    def noted(arena, swept, places, now):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        read.extend(parcel.sender for parcels in places.values() for parcel in parcels)
        return take(arena, swept, places, now)

    with monkeypatch.context() as patch:
        patch.setattr(taking, "_take", noted)
        assert not room.sweep().troubles
    return read


@pytest.mark.parametrize("seat", some(2, [EVE, BO]))
def test_whoever_floods_waits_for_all_others(tide: Room, monkeypatch: pytest.MonkeyPatch, seat: str) -> None:
    """A stranger or a player: two mails come in turn, and whatever comes later when all others have been read."""
    for _ in range(7):
        tide.write(seat, LONG, to=ARENA if seat == EVE else "")
    tide.write(ADA, "bid 3")
    tide.write(CY, "bid 1")
    read = read_in_order(tide, monkeypatch)
    assert read == [seat, seat, ADA, CY, *[seat] * 5]
    assert tide.mailbox.waiting == []
    tide.write(seat, "bid 2", to=ARENA if seat == EVE else "")
    tide.write(ADA, "bid 4")
    assert read_in_order(tide, monkeypatch) == [ADA, seat]
    tide.reopen()
    tide.write(seat, "bid 1", to=ARENA if seat == EVE else "")
    tide.write(ADA, "bid 5")
    assert read_in_order(tide, monkeypatch) == [ADA, seat], "a new process knows of it"
    tide.clock.advance(timedelta(days=1))
    tide.write(seat, "bid 0", to=ARENA if seat == EVE else "")
    tide.write(ADA, "bid 6")
    assert read_in_order(tide, monkeypatch) == [seat, ADA], "it is another day"


@pytest.mark.parametrize("seed", some(4, range(4)))
def test_all_is_read_in_its_turn(tide: Room, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Of drawn mails by drawn writers: first what is within each one's budget, then all the rest."""
    chance = random.Random(seed)
    read = Counter((ADA, BO))  # a line each as they joined
    soon, late = Counter[str](), Counter[str]()
    for _ in range(chance.randint(16, 24)):
        who = chance.choice((ADA, BO, EVE, "moe@example.com"))
        many = chance.choice((1, 30, 300, 500))
        is_stranger = who in (EVE, "moe@example.com")
        mail = tide.write(who, "\n".join(f"what of {n}?" for n in range(many)), to=ARENA if is_stranger else "")
        is_late = read[who] >= 800
        (late if is_late else soon)[who] += 1
        read[who] += 0 if is_late else many + len(mail.raw) // 1000
    found = read_in_order(tide, monkeypatch)
    assert late and (Counter(found[: soon.total()]), Counter(found[soon.total() :])) == (soon, late)
    assert tide.mailbox.waiting == []


def test_what_was_put_off_counts_in_the_phase_that_it_was_in_time_for(tide: Room) -> None:
    """Though the deadline has passed by the time that it is read, and the moderator wants to close at once."""
    for _ in range(5):
        tide.write(BO, LONG)
    tide.write(BO, "bid 4")
    tide.write(GWEN, "close now because I can")
    tide.write(ADA, "bid 3")
    tide.clock.advance(timedelta(days=9))
    tide.sweep()
    assert tide.table().number == 2
    assert (tide.table().state.coins["bo"], tide.table().state.coins["ada"]) == (6, 10)


def test_nobody_uses_up_what_is_anothers(tide: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mail that only says that it is Ada's leaves hers where it was."""
    for _ in range(6):
        mail = tide.write(ADA, LONG, to=ARENA)
        tide.mailbox.waiting.remove(mail)
        tide.mailbox.deliver(mail.raw.replace(b"dmarc=pass", b"dmarc=fail"), tide.clock.now())
    tide.write(BO, "bid 1")
    tide.write(ADA, "bid 2")
    assert read_in_order(tide, monkeypatch)[:4] == [ADA, ADA, BO, ADA]
    assert tide.table().sets.hand["ada"].orders == ("bid 2",)


def test_usual_mail_is_noted_nowhere(room: Room) -> None:
    """It costs the index no line; what was read is known till the process ends."""
    room.found_anew("ada", "bo")
    for number in range(5):
        room.write(ADA, f"bid {number}")
        room.sweep()
    assert len(room.arena.read_today) == 2
    assert not any(room.arena.index.counters.values([one for one in room.arena.read_today if one.what == What.READ]))
