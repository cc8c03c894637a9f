"""Ending: whatever signal comes at whatever point, what is in hand is finished; two daemons never share an arena."""

import gc
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest

from pbem.daemon import Daemon
from pbem.hall.store.arena import Doors
from pbem.world import log
from tests.conftest import Room, steady
from tests.depth import every
from tests.killing import points
from tests.script import Stage, differences, message, outcome, sweep

PATIENCE = 5
"""Seconds in which a daemon has ended that is told to."""
FEW = 211
"""Of so many points at which a signal comes, the quick tests try one; the sweep tries more."""


def ended(room: Room, at: int, number: signal.Signals, words: Path) -> int:
    """Run a daemon in a process of its own, with a signal at a point of its sweep; return its exit code, -1 for too late."""
    pid = os.fork()
    if not pid:
        gc.freeze()  # what the worker holds is looked through for garbage there, not copied for it here
        code = 1
        try:
            run(room, at, number, words)
            code = 0
        finally:
            os._exit(code)
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return -1


def run(room: Room, at: int, number: signal.Signals, words: Path) -> None:
    """Run, and leave behind what was said to the world."""
    passed = Counter[str]()

    def point(name: str) -> None:
        passed[""] += 1
        if passed[""] == at:
            os.kill(os.getpid(), number)

    room.reopen()
    seldom = msgspec.structs.replace(room.settings.daemon, poll=10**9)  # the scheduler counts the polls since long ago
    room.arena.settings = msgspec.structs.replace(room.settings, daemon=seldom)
    daemon = Daemon(room.arena, Doors(room.clock, room.mailbox, room.outbox), log.to(words.open("w")), steady(room))
    with points(point):
        daemon.run()
    (room.root.parent / "said").write_bytes(pickle.dumps((room.mailbox, room.outbox)))


def trial(stage: Stage, folder: Path, at: int, number: signal.Signals) -> None:
    """End a daemon at a point; the next one goes on, no letter goes twice, and all is as if it had never ended."""
    where = f"{stage.name}, {number.name} at point {at}"
    (folder / "words").parent.mkdir()
    room = stage.before.copied(folder / "arena")
    room.arena.close()
    assert ended(room, at, number, folder / "words") == 0, where
    assert "event=stopped" in (folder / "words").read_text(), where
    room.mailbox, room.outbox = pickle.loads((folder / "said").read_bytes())
    room.reopen()
    sweep(room)
    assert not differences(outcome(room), stage.clean), f"{where}: {differences(outcome(room), stage.clean)}"
    assert max(Counter(message(raw) for _, raw in room.outbox.sent).values()) == 1, where
    room.arena.close()
    shutil.rmtree(folder)


def tried(script: Sequence[Stage], folder: Path, few: int) -> int:
    """Let SIGTERM and SIGINT in turn come at one of so many points; return at how many."""
    places = [(stage, at) for stage in script for at in range(1, len(stage.passed) - 1)][::few]  # without tidying
    for number, (stage, at) in enumerate(places):
        trial(stage, folder / f"{number}", at, (signal.SIGTERM, signal.SIGINT)[number % 2])
    return len(places)


def test_a_signal_at_some_points_ends_the_daemon_with_what_was_in_hand_finished(
    script: Sequence[Stage], tmp_path: Path
) -> None:
    """Whatever it is about, within five seconds it has ended with exit code 0, and no letter goes twice."""
    assert tried(script, tmp_path, FEW) >= 3


@pytest.mark.sweep
@pytest.mark.timeout(600)
def test_a_signal_at_many_points_ends_the_daemon_with_what_was_in_hand_finished(
    script: Sequence[Stage], tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """One of twenty-five points of the script."""
    record_property("tried", f"signals came at {tried(script, tmp_path, every(25))} points")


def test_a_log_that_cannot_be_written_stops_nothing(script: Sequence[Stage], tmp_path: Path) -> None:
    """On a full disk, or to a reader who has left, the daemon sweeps as ever and ends when told."""
    stage = next(stage for stage in script if stage.name == "order")
    room = stage.before.copied(tmp_path / "arena")
    room.arena.close()
    assert ended(room, len(stage.passed) - 2, signal.SIGTERM, Path("/dev/full")) == 0
    room.mailbox, room.outbox = pickle.loads((tmp_path / "said").read_bytes())
    assert not room.mailbox.waiting
    room.reopen()
    sweep(room)
    assert not differences(outcome(room), stage.clean)


def test_a_second_daemon_leaves_and_a_third_starts_once_the_first_is_killed(tmp_path: Path) -> None:
    """The second says who holds the arena and ends with 75; what a killed holder left behind holds nobody up."""
    root = tmp_path / "arena"
    (tmp_path / "Maildir" / "new").mkdir(parents=True)
    (tmp_path / "Maildir" / "cur").mkdir()
    root.mkdir()
    (root / "settings.toml").write_text('[arena]\naddress = "arena@example.org"\n[mailbox]\npath = "../Maildir"\n')
    command = [sys.executable, "-u", "-m", "pbem", "--arena", str(root), "run"]
    daemons = []
    try:
        for _ in range(2):
            daemon = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            daemons.append(daemon)
            assert daemon.stdout
            assert "every 30 s and at each deadline. Ctrl-C stops it." in daemon.stdout.readline()
            assert "event=sweeping" in daemon.stdout.readline()
            if len(daemons) == 1:
                second = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
                assert second.returncode == 75
                assert f"daemon.lock is held by process {daemon.pid}" in second.stderr
                os.kill(daemon.pid, signal.SIGKILL)
                assert daemon.wait(timeout=20) == -signal.SIGKILL
        os.kill(daemons[1].pid, signal.SIGTERM)
        assert daemons[1].wait(timeout=20) == 0
    finally:
        for daemon in daemons:
            daemon.kill()
            daemon.communicate()
