"""The daemon: one sweep at a time, the next one planned for the next thing due, troubles told and survived."""

from datetime import timedelta
from typing import Any

from pbem.daemon import Daemon
from pbem.ground.terms import MailboxError
from pbem.hall.store.arena import Doors
from tests.conftest import Room, steady


class Plan:
    """A scheduler that only remembers what it was asked to do."""

    def __init__(self) -> None:
        """Begin with nothing planned."""
        self.jobs: dict[str, Any] = {}

    def add_job(self, work: Any, trigger: str, args: list[Any], **more: Any) -> None:
        """Remember a job by its id."""
        self.jobs[more["id"]] = {"trigger": trigger, **more}


class Notes:
    """A log that keeps what it was told."""

    def __init__(self, told: list[str]) -> None:
        """Write into a list."""
        self.told = told

    def info(self, event: str, **known: Any) -> None:
        """Keep an event."""
        self.told.append(f"{event} {known}")

    def warning(self, event: str, **known: Any) -> None:
        """Keep a trouble."""
        self.told.append(known.get("said", event))


def daemon(room: Room, told: list[str]) -> Daemon:
    """Put a daemon around a room."""
    return Daemon(room.arena, Doors(room.clock, room.mailbox, room.outbox), Notes(told), steady(room))


def test_after_a_sweep_the_next_waking_is_the_next_thing_due(room: Room) -> None:
    """The first reminder's instant is planned as a job of its own, beside the polls, in UTC."""
    room.found("ada", "bo")
    plan = Plan()
    daemon(room, [])._turn(plan)
    wanted = room.arena.index.next_wake()
    assert wanted is not None and wanted > room.clock.now()
    assert plan.jobs["due"]["trigger"] == "date"
    assert plan.jobs["due"]["run_date"] == wanted
    assert plan.jobs["due"]["replace_existing"] is True


def test_a_mailbox_that_is_away_is_told_and_tried_again(room: Room) -> None:
    """The world's fault ends one sweep, not the daemon; the next one takes the mail."""
    room.found("ada", "bo")
    told: list[str] = []
    working = room.mailbox.fetch

    def away(limit: int) -> Any:
        raise MailboxError("the mailbox is away")

    room.mailbox.fetch = away  # type: ignore[method-assign]
    around = daemon(room, told)
    around.wake()
    assert "the mailbox is away" in told
    room.mailbox.fetch = working  # type: ignore[method-assign]
    room.write("ada@example.org", "bid 3")
    assert around.wake().mails == 1


def test_what_another_process_wrote_is_seen_at_the_next_waking(room: Room) -> None:
    """A ruling from the terminal between two sweeps is not lost to what memory held."""
    from pbem.ground.terms import GameName
    from pbem.hall.commands import ruling

    room.found("ada", "bo")
    around = daemon(room, [])
    around.wake()
    other = room.open()
    ruling.rule(other, GameName("tide-1"), 1, ["set coins Ada 7 because of the fine"], room.clock.now())
    other.close()
    around.wake()
    assert around.arena.ledger(GameName("tide-1")).table.state.coins["ada"] == 7


def test_asked_to_stop_it_ends_after_the_letter_in_hand(room: Room) -> None:
    """What was not sent yet waits on file, and the next daemon sends it, each letter once."""
    room.found("ada", "bo")
    room.outbox.down = True
    room.write("ada@example.org", "bid 3")
    room.write("bo@example.org", "bid 3")
    around = daemon(room, [])
    around.wake()
    room.outbox.down = False
    room.clock.advance(timedelta(minutes=2))
    count, _ = room.arena.index.outgoing.waiting()
    assert count > 2
    before = len(room.outbox.sent)
    send = room.outbox.send

    def stop_then_send(sender: str, recipient: str, raw: bytes) -> None:
        around._stop.set()
        send(sender, recipient, raw)

    room.outbox.send = stop_then_send  # type: ignore[method-assign]
    assert around.wake().sent == 1
    room.outbox.send = send  # type: ignore[method-assign]
    assert daemon(room, []).wake().sent == count - 1
    assert len({raw for _, raw in room.outbox.sent[before:]}) == count


def test_asked_to_stop_it_takes_no_more_mail_and_closes_nothing(room: Room) -> None:
    """Mail stays in the mailbox, and a phase whose time has come waits for the next daemon."""
    room.found("ada", "bo")
    room.write("ada@example.org", "bid 3")
    room.clock.advance(timedelta(days=9))
    around = daemon(room, [])
    around._stop.set()
    swept = around.wake()
    assert (swept.mails, swept.entries) == (0, 0) and room.mailbox.waiting
    assert room.table("tide-1").number == 1
    assert daemon(room, []).wake().mails == 1
    assert room.table("tide-1").number > 1


def test_while_the_mailbox_is_away_what_is_due_wakes_nobody_before_the_next_poll(room: Room) -> None:
    """Nothing closes meanwhile, so a deadline that is over must not make the daemon sweep each second."""
    room.found("ada", "bo")
    room.clock.advance(timedelta(days=9))
    room.mailbox.away = "gone"
    plan = Plan()
    daemon(room, [])._turn(plan)
    assert plan.jobs["due"]["run_date"] >= room.clock.now() + timedelta(seconds=room.settings.daemon.poll)


def test_a_clock_that_jumps_is_told(room: Room) -> None:
    """Deadlines go by the wall clock, so somebody should know; a clock that goes on by itself is no news."""
    told: list[str] = []
    steady = [0.0]
    around = Daemon(room.arena, Doors(room.clock, room.mailbox, room.outbox), Notes(told), lambda: steady[0])
    around.wake()
    room.clock.advance(timedelta(minutes=30))
    steady[0] += 1800
    around.wake()
    assert told == []
    room.clock.advance(timedelta(minutes=30))
    steady[0] += 60
    around.wake()
    assert told == ["The clock of this machine jumped forward by 29 minutes."]
    assert [odd.what for odd in room.arena.index.counters.odd()] == told
