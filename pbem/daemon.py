"""The daemon: a scheduler around the sweep, polling the mailbox and waking at deadlines; knows no game."""

from __future__ import annotations

import gc
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from typing import Any

import msgspec
from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler

from pbem.ground.terms import WorldError
from pbem.hall.chat import saying
from pbem.hall.commands import opening
from pbem.hall.keeping import alarm, health
from pbem.hall.mail.outgoing import troubles
from pbem.hall.site import build
from pbem.hall.store.arena import Arena, Doors
from pbem.hall.sweep.sweep import sweep
from pbem.hall.sweep.swept import Swept
from pbem.world.log import Log
from pbem.world.metrics import Metrics
from pbem.world.supervisor import PART, Supervisor

JUMP = timedelta(minutes=5)
"""How far the wall clock may move apart from the steady one between two sweeps before it is told."""

LEAP = timedelta(hours=1)
"""How far, before no phase closes by it until it has said so twice."""

PAGED = 20
"""The pages of how many games are made between two sweeps at most."""

PAGES_AGAIN = timedelta(minutes=5)
"""How soon the site is tried again where its folder could not be written."""

NEVER = datetime.max.replace(tzinfo=UTC)
"""When the site is made again of itself, where nothing waits."""

ENDING = (signal.SIGTERM, signal.SIGINT)
"""The signals that end us."""


class Daemon:
    """
    Sweeps an arena, at every poll, at every deadline, and when its mailbox rings.

    Shape: `wake` is one sweep, for whoever keeps the time; `run` keeps it with APScheduler until a signal comes.
    """

    def __init__(self, arena: Arena, doors: Doors, log: Log, steady: Callable[[], float] = time.monotonic) -> None:
        """Take an open arena, its doors, where to take down what happened, and a clock that never jumps."""
        self.arena = arena
        self.log = log
        self.doors = msgspec.structs.replace(doors, stopping=self._is_stopping)
        self.metrics: Metrics | None = None
        self._steady = steady
        self._seen: tuple[datetime, float] | None = None
        self._stop = threading.Event()
        self._rung = threading.Event()
        self._reload = False
        self._health = health.read(arena)
        self._alarmed: date | None = None
        self._pages: datetime | None = None
        self._is_behind = False
        self._bell: _Ringing | None = None
        self._supervisor = Supervisor()
        arena.shelf.tidy()

    def wake(self) -> Swept:
        """Sweep once; a fault of the disk or of a mail server is logged, and tried again at the next sweep."""
        began = self._steady()
        now = self.doors.clock.now()
        is_sure = self._look_at_clock(now, began)
        try:
            with self.arena.shelf.lock("sweep.lock"):
                self.arena.refresh()
                swept = sweep(self.arena, self.doors, is_sure=is_sure)
                swept.troubles += saying.say(self.arena, now)
                self._make_site(swept, now)
                self._health = health.assess(self.arena, swept, self._health, now)
                health.write(self.arena, self._health)
        except WorldError as error:
            swept = Swept(troubles=[str(error)], away=[str(error)])
            if self._alarmed != now.date() and alarm.ring(self.arena, self.doors, error, now):
                self._alarmed = now.date()
        except Exception as error:  # noqa: BLE001  a fault of ours: told by kind and place, and tried again
            self.arena.forget()
            swept = Swept(troubles=[troubles.describe(error)], away=[troubles.describe(error)])
        if self._bell:
            self._bell.allow(swept.drained)
        self._log_sweep(swept, now, self._steady() - began)
        return swept

    def _make_site(self, swept: Swept, now: datetime) -> None:
        """
        Make the pages of games with news, where the settings name a folder for them.

        A process looks at all games the first time, since one before us may have ended between report and page. Of
        many a few are made at a time, so that mail never waits for pages.
        """
        if not self.arena.settings.site.folder or not (self.arena.told or self._pages is None or now >= self._pages):
            return
        is_first = self._pages is None
        news = None if is_first or self._is_behind else frozenset(self.arena.told)
        try:
            built = build.build(self.arena, build.folder_of(self.arena), now, news, PAGED)
        except Exception as error:  # noqa: BLE001  a fault of ours in pages keeps nothing else from its end
            swept.troubles.append(str(error) if isinstance(error, WorldError) else troubles.describe(error))
            self._pages, self._is_behind = now + PAGES_AGAIN, True
            return
        self.arena.told.clear()
        swept.troubles += built.troubles
        self._is_behind = built.again == now
        self._pages = built.again or NEVER

    def next_wake(self) -> datetime | None:
        """Return the next instant at which something is due even if no mail comes."""
        return self.arena.index.next_wake()

    def run(self) -> None:
        """Sweep until SIGTERM or SIGINT, which let the present step end; a second one kills it, and nothing is lost."""
        gc.collect()
        gc.freeze()  # what was loaded by now lives as long as we do, and need not be looked through again and again
        with self.arena.shelf.lock("daemon.lock"), _signals() as signals:
            turns = ThreadPoolExecutor(1)
            scheduler = BackgroundScheduler(
                timezone=UTC,
                executors={"default": turns},
                job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1},
            )
            self._open(scheduler)
            if self._supervisor.watchdog:  # in the turns' own thread: one that hangs keeps it from being said
                beat = self._supervisor.watchdog / PART
                scheduler.add_job(self._is_stopping, "interval", seconds=beat, id="watchdog")
            scheduler.start()
            self._supervisor.notify("READY=1")
            while signals.recv(1)[0] == signal.SIGHUP:
                self._reload = True
                self._soon(scheduler)
            self._stop.set()
            self._supervisor.notify("STOPPING=1")
            for number in ENDING:
                signal.signal(number, signal.SIG_DFL)
            # Told to wait, the scheduler would hold the very lock that a turn needs to note when the next is due.
            scheduler.shutdown(wait=False)
            turns.shutdown(wait=True)
            self._close()
            self.log.info("stopped")

    def _open(self, scheduler: Any) -> None:
        """Set up what the settings ask for, at the start and after each reload."""
        wanted = self.arena.settings.daemon
        self.arena.index.outgoing.retry_now(self.doors.clock.now())
        self.log.info("sweeping", arena=str(self.arena.root), poll=wanted.poll)
        if wanted.metrics:
            try:
                self.metrics = Metrics(wanted.metrics)
            except WorldError as error:
                self.log.warning("no metrics", said=str(error))
        bell = opening.bell(self.arena)
        if bell:
            self._bell = _Ringing(bell, self.log, lambda: self._soon(scheduler))
        scheduler.add_job(
            self._turn, "interval", [scheduler], seconds=wanted.poll, id="poll", replace_existing=True,
            next_run_time=self.doors.clock.now(),
        )  # fmt: skip

    def _close(self) -> None:
        if self._bell:
            self._bell.close()
        if self.metrics:
            self.metrics.close()
        self._bell = self.metrics = None
        self.doors.mailbox.close()
        self.doors.outbox.close()

    def _turn(self, scheduler: Any) -> None:
        self._rung.clear()
        if self._reload:
            self._reload = False
            self._read_settings(scheduler)
        swept = self.wake()
        wanted = self.next_wake()
        # While the mailbox is away nothing closes, so what is due wakes nobody before the next poll.
        pause = 1 if swept.drained else self.arena.settings.daemon.poll
        soonest = self.doors.clock.now() + timedelta(seconds=pause)
        if wanted and not self._stop.is_set():
            scheduler.add_job(
                self._turn, "date", [scheduler], run_date=max(wanted, soonest), id="due", replace_existing=True
            )

    def _read_settings(self, scheduler: Any) -> None:
        """Reload the settings; if they hold a mistake, the old ones stay in force."""
        try:
            arena = opening.arena(self.arena.root)
            doors = opening.doors(arena, self.doors.clock)
        except WorldError as error:
            self.log.warning("settings refused", said=str(error))
            return
        self._close()
        self.arena.close()
        self.arena = arena
        self.doors = msgspec.structs.replace(doors, stopping=self._is_stopping)
        self._open(scheduler)

    def _is_stopping(self) -> bool:
        """Say whether the sweep should end; it asks between any two mails, games and letters, so it is not hung."""
        self._supervisor.alive(self._steady)
        return self._stop.is_set()

    def _soon(self, scheduler: Any) -> None:
        """Sweep once more, as soon as nothing else is swept."""
        self._rung.set()
        if not self._stop.is_set():
            scheduler.add_job(self._answer, "date", [scheduler])

    def _answer(self, scheduler: Any) -> None:
        """Sweep, unless a sweep has begun since it rang."""
        if self._rung.is_set():
            self._turn(scheduler)

    def _look_at_clock(self, now: datetime, steady: float) -> bool:
        """
        Note where the wall clock jumped: deadlines go by it, so somebody should know.

        Returns whether what it says can be acted on: after a great leap not before it has said so twice. What was
        while we did not run is no leap.
        """
        moved = (now - self._seen[0]) - timedelta(seconds=steady - self._seen[1]) if self._seen else timedelta(0)
        self._seen = (now, steady)
        if abs(moved) > JUMP:
            way = "forward" if moved > timedelta(0) else "back"
            message = f"The clock of this machine jumped {way} by {abs(moved).total_seconds() / 60:.0f} minutes."
            if abs(moved) > LEAP:
                message += " No phase was closed by it before a second sweep agreed."
            self.arena.index.counters.note_odd([message], now)
            self.log.warning("clock", said=message)
        return abs(moved) <= LEAP

    def _log_sweep(self, swept: Swept, now: datetime, seconds: float) -> None:
        for trouble in swept.troubles:
            self.log.warning("trouble", said=trouble)
        for mail in swept.outcomes:
            known = {name: value for name, value in msgspec.structs.asdict(mail).items() if value}
            self.log.info("mail", **known)
        if swept.mails or swept.sent or swept.entries:
            counts = {"mails": swept.mails, "entries": swept.entries, "letters": swept.sent}
            self.log.info("swept", **counts, seconds=round(seconds, 3))
        if self.metrics:
            waiting, _ = self.arena.index.outgoing.waiting()
            self.metrics.count(troubles=len(swept.troubles), waiting=waiting)
            if not swept.away:
                self.metrics.good(now)


@contextmanager
def _signals() -> Iterator[socket.socket]:
    """Yield a socket on which each signal arrives as a byte, its number; none is lost, whenever it comes."""
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    with reader, writer:
        before = signal.set_wakeup_fd(writer.fileno())
        try:
            for number in (*ENDING, signal.SIGHUP):
                signal.signal(number, lambda *_: None)
            yield reader
        finally:
            signal.set_wakeup_fd(before)


class _Ringing:
    """
    A thread that listens for new mail. What it hears is only a hint, so its errors stop nothing else.

    It tries nothing while the mailbox cannot be read: a wrong password is shown once, not by both of us.
    """

    AGAIN = 60
    """Seconds before a bell that failed is tried again."""

    def __init__(self, bell: Any, log: Log, ring: Callable[[], None]) -> None:
        """Take the bell, and what to do when it rings."""
        self._bell, self._log, self._ring = bell, log, ring
        self._last_error = "that nobody listens yet"
        self._stop = threading.Event()
        self._allowed = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="bell", daemon=True)
        self._thread.start()

    def allow(self, yes: bool) -> None:
        """Allow or forbid listening; a wait that has begun goes on."""
        if yes:
            self._allowed.set()
        else:
            self._allowed.clear()

    def close(self) -> None:
        """Stop listening."""
        self._stop.set()
        self._allowed.set()
        self._bell.stop()
        self._thread.join(timeout=10)
        self._bell.close()

    def _listen(self) -> None:
        while self._allowed.wait() and not self._stop.is_set():
            try:
                self._bell.listen(self._rings)
            except WorldError as error:
                if str(error) != self._last_error:
                    self._last_error = str(error)
                    self._log.warning("bell", said=self._last_error)
                self._stop.wait(self.AGAIN)

    def _rings(self) -> None:
        if self._last_error:
            self._last_error = ""
            self._log.info("listening")
        self._ring()


def open_daemon(arena: Arena, log: Log) -> Daemon:
    """Open the doors that an arena's settings name."""
    return Daemon(arena, opening.doors(arena), log)
