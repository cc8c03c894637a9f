"""The letter about what was odd: once for an outage, at most daily, at its hour, to the arena's moderator."""

from datetime import timedelta

import msgspec

from pbem.testing.room import ARENA
from tests.conftest import Room, flat

MOD = "moderator@example.org"


def moderated(room: Room, zone: str = "UTC") -> None:
    """Give the arena a moderator of its own."""
    arena = msgspec.structs.replace(room.settings.arena, moderator=MOD, zone=zone)
    room.settings = room.arena.settings = msgspec.structs.replace(room.settings, arena=arena)


def test_an_outage_of_hours_is_told_once(room: Room) -> None:
    """The letter comes the next morning, with when it began, when it ended, and how often it was tried."""
    moderated(room)
    room.found("ada", "bo")
    room.mailbox.away = "mail.example.org cannot be reached"
    for _ in range(6 * 60):
        room.sweep(timedelta(minutes=1))
    room.mailbox.away = ""
    for _ in range(3 * 24):
        room.sweep(timedelta(hours=1))
    letters = room.letters(MOD)
    assert len(letters) == 1
    text = flat("\n".join(letters[0].body))
    assert "Mon 23 Nov, 12:03 to 18:02, 360 times mail.example.org cannot be reached" in text
    assert letters[0].date.startswith("Tue, 24 Nov 2026 08:0")


def test_the_hour_is_that_of_the_arenas_zone(room: Room) -> None:
    """Eight in the morning of whoever gets it."""
    moderated(room, "America/New_York")
    room.mailbox.away = "gone"
    room.sweep()
    room.mailbox.away = ""
    while not room.letters(MOD):
        room.sweep(timedelta(minutes=15))
    assert 0 <= (room.clock.now().hour - 13) * 60 + room.clock.now().minute < 15
    assert "Mon 23 Nov, 07:0" in "\n".join(room.letters(MOD)[0].body)


def test_a_trouble_that_goes_on_is_told_each_day_and_no_more(room: Room) -> None:
    """One letter a day for as long as it lasts, and none after."""
    moderated(room)
    room.mailbox.away = "gone"
    for _ in range(3 * 24):
        room.sweep(timedelta(hours=1))
    assert len(room.letters(MOD)) == 3
    room.mailbox.away = ""
    for _ in range(3 * 24):
        room.sweep(timedelta(hours=1))
    assert len(room.letters(MOD)) == 4


def test_without_anything_odd_there_is_no_letter(room: Room) -> None:
    """A game that is played in peace is no news; where nobody is named, nobody is written to."""
    room.found("ada", "bo")
    room.mailbox.away = "gone"
    room.sweep()
    room.mailbox.away = ""
    for _ in range(3 * 24):
        room.sweep(timedelta(hours=1))
    moderated(room)
    for _ in range(3 * 24):
        room.sweep(timedelta(hours=1))
    assert room.letters(MOD) == [] and ARENA not in {to for to, _ in room.outbox.sent}
    assert room.arena.index.counters.odd() == []


def test_a_digest_survives_a_restart(room: Room) -> None:
    """What was odd is remembered on disk, and a second daemon on the same morning writes no second letter."""
    moderated(room)
    room.mailbox.away = "gone"
    room.sweep()
    room.reopen()
    moderated(room)
    room.mailbox.away = ""
    for _ in range(22):
        room.sweep(timedelta(hours=1))
    assert len(room.letters(MOD)) == 1
    room.reopen()
    room.arena.index.counters.note_odd(["another"], room.clock.now() - timedelta(days=2))
    room.sweep()
    assert len(room.letters(MOD)) == 1
