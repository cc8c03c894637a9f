"""The daemon: one sweep at a time, the next one planned for the next thing due, troubles told and survived."""

from __future__ import annotations

from typing import Any

from pbem.daemon import Daemon
from pbem.hall.arena import Doors
from pbem.terms import MailboxError
from tests.conftest import Room


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
    return Daemon(room.arena, Doors(room.clock, room.mailbox, room.outbox), Notes(told))


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
    from pbem.hall import looking
    from pbem.terms import GameName

    room.found("ada", "bo")
    around = daemon(room, [])
    around.wake()
    other = room.open()
    looking.rule(other, GameName("tide-1"), 1, ["set coins Ada 7 because of the fine"], room.clock.now())
    other.close()
    around.wake()
    assert around.arena.ledger(GameName("tide-1")).table.state.coins["ada"] == 7
