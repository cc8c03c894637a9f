"""The daemon: a scheduler around the sweep, polling the mailbox and waking at deadlines; knows no game."""

from __future__ import annotations

import signal
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.blocking import BlockingScheduler

from pbem.hall import opening
from pbem.hall.arena import Arena, Doors
from pbem.hall.looking import counted
from pbem.hall.sweep import Swept, sweep
from pbem.terms import WorldError

Tell = Callable[[str], None]


class Daemon:
    """
    Sweeps an arena, at every poll and at every deadline.

    Shape: `wake` is one sweep, for whoever keeps the time; `run` keeps it with APScheduler until a signal comes.
    """

    def __init__(self, arena: Arena, doors: Doors, tell: Tell) -> None:
        """Take an open arena, its doors, and where to tell what happened."""
        self.arena = arena
        self.doors = doors
        self.tell = tell
        arena.shelf.tidy()

    def wake(self) -> Swept:
        """Sweep once; what the world denies is told and tried again at the next waking."""
        try:
            with self.arena.shelf.lock("sweep.lock"):
                self.arena.refresh()
                swept = sweep(self.arena, self.doors)
        except WorldError as error:
            swept = Swept(troubles=[str(error)])
        for trouble in swept.troubles:
            self.tell(trouble)
        if swept.mails or swept.sent or swept.entries:
            did = (
                counted(swept.mails, "mail in", "mails in"),
                counted(swept.entries, "entry", "entries"),
                counted(swept.sent, "letter out", "letters out"),
            )
            self.tell(", ".join(did))
        return swept

    def next_wake(self) -> datetime | None:
        """Return the next instant at which something is due, whatever the mailbox brings."""
        return self.arena.index.next_wake()

    def waiting(self) -> str:
        """Say how many letters wait for the mail server and until when, or ""."""
        count, until = self.arena.index.waiting()
        if not count or until is None:
            return ""
        letters = counted(count, "letter waits", "letters wait")
        return f"{letters} for the mail server; next try {until:%H:%M} UTC"

    def run(self) -> None:
        """Sweep until SIGTERM or SIGINT; a sweep that is under way is finished first."""
        with self.arena.shelf.lock("daemon.lock"):
            seconds = self.arena.settings.daemon.poll
            self.tell(f"Sweeping {self.arena.root} every {seconds} s and at each deadline. Ctrl-C stops it.")
            scheduler = BlockingScheduler(
                timezone=UTC,
                executors={"default": ThreadPoolExecutor(1)},
                job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1},
            )
            scheduler.add_job(
                self._turn, "interval", [scheduler], seconds=seconds, id="poll", next_run_time=self.doors.clock.now()
            )
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, lambda *_: scheduler.shutdown(wait=True))
            scheduler.start()

    def _turn(self, scheduler: Any) -> None:
        self.wake()
        wanted = self.next_wake()
        soonest = self.doors.clock.now() + timedelta(seconds=1)
        if wanted:
            scheduler.add_job(
                self._turn, "date", [scheduler], run_date=max(wanted, soonest), id="due", replace_existing=True
            )


def opened(root: Path, tell: Tell) -> Daemon:
    """Open an arena, and the doors that its settings name."""
    arena = opening.arena(root)
    return Daemon(arena, opening.doors(arena), tell)
