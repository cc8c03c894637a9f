"""
G10. A deadline is one instant, reckoned from a zone; mail counts by when the mail server received it.

Never by its Date header, and never by when we looked: downtime costs nobody a turn, and gives nobody one.
"""

import itertools
import re
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from pbem.daemon import Daemon
from pbem.hall.store.arena import Doors
from pbem.world import log
from tests.conftest import Room, flat

ADA, BO = "ada@example.org", "bo@example.org"


def deliver(room: Room, sender: str, said: str, arrived: datetime, date: str = "") -> None:
    """Let a mail arrive at an instant, whatever its Date says."""
    mail = room.write(sender, said)
    room.mailbox.waiting.pop()
    head, _, rest = mail.raw.partition(b"Date: ")
    raw = head + b"Date: " + (date.encode() if date else rest.partition(b"\n")[0]) + b"\n" + rest.partition(b"\n")[2]
    room.mailbox.deliver(raw, arrived)


@pytest.mark.parametrize("date", ["Thu, 01 Jan 1970 00:00:00 +0000", "Fri, 31 Dec 2099 23:59:59 +1400", "yesterday"])
@pytest.mark.parametrize(("late", "counts"), [(-1, True), (1, False)])
def test_the_servers_stamp_decides_and_no_date(begun: Room, tmp_path: Path, date: str, late: int, counts: bool) -> None:
    """A second before the deadline counts and a second after the time that mail may be under way does not."""
    room = begun.copied(tmp_path / "arena")
    deadline = room.table().deadline
    settle = timedelta(minutes=2)
    arrived = deadline + (timedelta(seconds=late) if counts else settle + timedelta(seconds=late))
    deliver(room, ADA, "bid 3", arrived, date)
    room.clock.advance(deadline + timedelta(hours=1) - room.clock.now())
    room.sweep(timedelta(0))
    assert room.table().number == 2
    assert room.table().state.coins["ada"] == (7 if counts else 10)
    told = flat(" ".join("\n".join(letter.body) for letter in room.letters(ADA)))
    assert ("reached our server after the deadline of Tide 1" in told) == (not counts)
    room.arena.close()


@pytest.mark.parametrize("hours", [1, 6, 60])
def test_downtime_costs_nobody_a_turn_and_gives_nobody_one(begun: Room, tmp_path: Path, hours: int) -> None:
    """Down over the deadline, with a mail in time and one too late: the state is that of a daemon that was up."""
    found = []
    for steps in (1, 12):
        room = begun.copied(tmp_path / f"in-{steps}")
        deadline = room.table().deadline
        deliver(room, ADA, "bid 3", deadline - timedelta(minutes=30))
        deliver(room, BO, "bid 7", deadline + timedelta(minutes=30))
        late = room.mailbox.waiting.pop()
        room.clock.advance(deadline - timedelta(minutes=20) - room.clock.now())
        for _ in range(steps):
            if room.clock.now() + timedelta(hours=hours) / steps >= late.arrived and late not in room.mailbox.waiting:
                room.mailbox.waiting.append(late)
            room.sweep(timedelta(hours=hours) / steps)
        table = room.table()
        found.append((table.number, table.state, table.sets.hand))
        room.arena.close()
    assert found[0] == found[1]
    assert found[0][0] == 2 and found[0][1].hulks == {"ada": 1, "bo": 0} and not found[0][2]


utc = partial(datetime, tzinfo=UTC)
DST = [
    # zone, rule, the clock at the opening (UTC), the deadline (UTC)
    ("Europe/Berlin", "every Sun 02:30", utc(2026, 3, 24, 12), utc(2026, 3, 29, 1, 0)),
    ("Europe/Berlin", "every Sun 02:30", utc(2026, 10, 20, 12), utc(2026, 10, 25, 0, 30)),
    ("Australia/Lord_Howe", "every Sun 02:15", utc(2026, 9, 29, 12), utc(2026, 10, 3, 15, 30)),
    ("America/New_York", "every Sun 20:00", utc(2026, 3, 3, 12), utc(2026, 3, 9, 0, 0)),
]


@pytest.mark.parametrize(("zone", "rule", "opened", "deadline"), DST)
def test_a_deadline_in_a_change_of_clocks_is_one_instant_and_is_told_in_utc(
    tmp_path: Path, zone: str, rule: str, opened: datetime, deadline: datetime
) -> None:
    """A gap ends at the first instant behind it, of two equal times the first counts; letters show local time and UTC."""
    room = Room(tmp_path / "arena", start=opened)
    room.found("ada", "bo", zone=zone, calendar={"rules": {"default": rule}})
    assert room.table().deadline == deadline
    room.write(ADA, f"zone {zone}")
    room.sweep()
    assert f"{deadline:%H:%M} UTC" in room.last(ADA) and zone.rpartition("/")[2].replace("_", " ") in room.last(ADA)
    room.clock.advance(deadline - timedelta(minutes=1) - room.clock.now())
    room.sweep(timedelta(0))
    assert room.table().number == 1
    room.sweep(timedelta(minutes=4))
    assert room.table().number == 2
    room.arena.close()


def test_a_clock_that_goes_back_opens_nothing_again_and_one_that_jumps_is_told(begun: Room, tmp_path: Path) -> None:
    """No phase closes before the clock has said so twice; what is closed stays so though its deadline lies ahead again."""
    room = begun.copied(tmp_path / "arena")
    told: list[str] = []
    steady = itertools.count(0, 60)
    wall = _Wall(room.clock.now())
    watch = Daemon(room.arena, Doors(wall, room.mailbox, room.outbox), _Notes(told), lambda: float(next(steady)))
    watch.wake()
    room.write(BO, "bid 5")
    old = room.mailbox.waiting.pop()
    for days, number in ((4, 1), (0, 1), (0, 1), (4, 1), (4, 2), (0, 2)):
        wall.at = room.clock.now() + timedelta(days=days)
        watch.wake()
        assert room.table().number == number and room.table().state.coins["bo"] == 10
    room.mailbox.deliver(old.raw, wall.at)
    watch.wake()
    assert not room.table().sets.hand and "a phase that is closed" in flat(room.last(BO))
    assert [re.sub(r"[0-9]+", "N", text) for text in told] == [
        f"The clock of this machine jumped {way} by N minutes. No phase was closed by it before a second sweep agreed."
        for way in ("forward", "back", "forward", "back")
    ]
    room.arena.close()


def test_a_start_after_an_outage_is_no_jump(begun: Room, tmp_path: Path) -> None:
    """What was due meanwhile is done at the first sweep of a new process."""
    room = begun.copied(tmp_path / "arena")
    room.clock.advance(timedelta(days=4))
    watch = Daemon(room.arena, Doors(room.clock, room.mailbox, room.outbox), _Notes([]), lambda: 0.0)
    watch.wake()
    assert room.table().number == 2
    room.arena.close()


class _Wall:
    """A wall clock that somebody sets."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def now(self) -> datetime:
        """Say what it shows."""
        return self.at


class _Notes(log.Silence):
    """A log that keeps troubles."""

    def __init__(self, told: list[str]) -> None:
        self.told = told

    def warning(self, event: str, **known: object) -> None:
        """Keep what was said."""
        self.told.append(str(known.get("said", event)))
